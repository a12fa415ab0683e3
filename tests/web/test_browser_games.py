"""Whole hands of each game in a real browser, and pictures of them for the docs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from playwright.async_api import Page

from carteado.net.settings import TableSpec

from .hands import play_hand
from .tables import DESKTOP, PHONE, SIDEWAYS, Faults, chromium, gate, needs_chromium, opened, run, sat

pytestmark = [pytest.mark.slow, needs_chromium]
IMAGES = Path(__file__).parents[2] / "docs" / "images"
CHAIRS = {"dez-degraus": 4, "cascata": 3, "skat": 3}
MOVES = {"dez-degraus": 7, "cascata": 4, "skat": 5}
"""Moves until there is something to see."""
LOOKS = {
    "dez-degraus": ((PHONE, "light"), (DESKTOP, "dark")),
    "cascata": ((PHONE, "dark"), (DESKTOP, "light")),
    "skat": ((SIDEWAYS, "light"), (DESKTOP, "dark")),
}
"""In which size and colours each game is shown in the docs: on a phone, on a desktop."""


def spec(game: str) -> TableSpec:
    """Return a table with one free chair."""
    return TableSpec(game, chairs=CHAIRS[game], options={"hands": 3} if game == "skat" else {}, bots=("rule",) * (CHAIRS[game] - 1))


async def picture(page: Page, game: str) -> None:
    """Look at the table in both sizes: nothing hangs over the edge. Keep pictures for the docs when there are none or they are wanted."""
    for (size, scheme), kind in zip(LOOKS[game], ("phone", "desktop"), strict=True):
        await page.set_viewport_size({"width": size[0], "height": size[1]})
        await page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
        assert await page.evaluate(
            "document.documentElement.scrollWidth <= innerWidth && document.getElementById('game').scrollHeight <= innerHeight"
        )
        shot = await page.screenshot(animations="disabled", caret="hide")
        kept = IMAGES / f"web-{game}-{kind}.png"
        if not kept.exists() or os.environ.get("CARTEADO_PICTURES"):
            kept.parent.mkdir(exist_ok=True)
            kept.write_bytes(shot)
    await page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})


@pytest.mark.parametrize("game", CHAIRS)
def test_a_whole_hand_is_played_on_a_phone_against_computer_players(tmp_path: Path, game: str) -> None:
    async def play() -> None:
        faults = Faults()
        async with chromium() as browser, gate(tmp_path, spec(game)) as (_, gateway):
            page = await sat(await opened(browser, gateway.urls("t-1")[0], faults=faults))
            assert await play_hand(page, at=(MOVES[game], lambda: picture(page, game))) > MOVES[game]
            assert await page.locator("dialog.hand_over .scores tr, dialog.match_over .scores tr").count() == CHAIRS[game]
            assert [] == faults  # while the gateway is there: a page complains of one that is gone

    run(play())
