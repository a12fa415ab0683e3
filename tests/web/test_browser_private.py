"""Private tables on the page: opened with a form in the game's words, joined by a link or a typed name, marked, and in nobody's list."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from carteado.core.options import Flag, OneOf, Several, Whole
from carteado.net.settings import TableSpec
from carteado.net.table_ids import read_private

from ..net.highcard import HighCard
from ..net.rooms import visiting
from .tables import Faults, chromium, gate, needs_chromium, opened, run, sat
from .test_browser_table import KEEP

pytestmark = [pytest.mark.slow, needs_chromium]


class Rich(HighCard):
    """High Card with an option of each kind, and words for some."""

    table_options = (Whole("hands", 2, 1, 50), Flag("fast", False), OneOf("mode", "a", ("a", "b")), Several("rows", ["x"], ("x", "y", "z")))

    def words(self, lang: str) -> dict[str, str]:
        """Return the texts."""
        options = {"hands": "Hands in a match", "mode": "Mode", "mode.b": "the second", "rows.y": "row y"}
        return {"lay": "Lay a card", **{f"option.{name}": text for name, text in options.items()}}


GAMES = {"high-card": Rich()}
TABLE = TableSpec("high-card", chairs=2)
NAMES = [
    "p-7kq4m-2xp9d-4tv8h", "P-7KQ4M-2XP9D-4TV8H", "p7kq4moxpid4tvlh", "p 7kq4m 2xp9d 4tv8h", "KAFU", "t-1", "p-7kq4m",
    "p-7kq4m-2xp9d-4tv8u", "",
]  # fmt: skip


def test_a_private_table_is_opened_on_the_page_and_joined_by_its_link(tmp_path: Path) -> None:
    async def play() -> None:
        faults = Faults()
        async with chromium() as browser, gate(tmp_path, TABLE, games=GAMES) as (host, gateway), visiting(host, "Ivo") as ivo:
            page = await opened(browser, gateway.urls()[0], faults=faults)
            await page.fill("#name", "Ana")
            await page.get_by_role("button", name="Open a table").click()
            await page.get_by_role("button", name="High Card").click()
            await page.get_by_label("Players").select_option("3")
            await page.get_by_label("Hands in a match").fill("4")
            await page.get_by_label("fast").check()
            await page.get_by_label("Mode").select_option("the second")
            await page.get_by_label("row y").check()
            await page.get_by_label("Private: only who is told its name can find it").check()
            await page.get_by_role("button", name="Open the table").click()
            await page.wait_for_selector("#game:not([hidden]) .lobby")
            (m,) = [id for id in host.tables if id != "t-1"]
            assert (3, {"hands": 4, "fast": True, "mode": "b", "rows": ["x", "y"]}) == (
                len(host.tables[m].chairs), {name: host.tables[m].options[name] for name in ("hands", "fast", "mode", "rows")},
            )  # fmt: skip
            await expect(page.locator(".lobby b")).to_have_text(m)
            assert ["t-1"] == [row.m for row in (await ivo.tables()).tables]
            await page.click("#menu")
            await page.locator("dialog.menu .item", has_text="Invite others").click()
            await expect(page.locator("dialog.invite b").last).to_have_text(m)
            assert f"/m/{m}" in gateway.urls(m)[0]
            phone = await opened(browser, gateway.urls(m)[0].replace(m, m.upper()), faults=faults)
            await sat(phone, "Rui", ready=False)
            await expect(phone.locator(".lobby b")).to_have_text(m)
            assert ["Ana", "Rui", ""] == [chair.name for chair in host.tables[m].chairs]
            await phone.reload()  # it is in no list, but its name is remembered
            await expect(phone.locator(".lobby b")).to_have_text(m)
            assert [] == faults

    run(play())


def test_a_private_table_is_joined_by_typing_its_name_and_a_wrong_one_is_no_table(tmp_path: Path) -> None:
    async def play() -> None:
        two = TABLE, TableSpec("high-card", "t-2")
        async with chromium() as browser, gate(tmp_path, *two, games=GAMES) as (host, gateway), visiting(host, "Ivo") as ivo:
            m = await ivo.open("high-card", chairs=2, private=True)
            await ivo.join(m)
            page = await opened(browser, gateway.urls()[0])
            await page.fill("#name", "Ana")
            await page.click("#door button[type=submit]")
            await expect(page.locator("#door .items .item")).to_have_count(2)
            await page.fill("#code", "p-00000-00000-00000")
            await page.keyboard.press("Enter")
            await expect(page.get_by_role("alert")).to_have_text("There is no such table.")
            await expect(page.get_by_role("button", name="Watch")).to_have_count(0)
            await page.get_by_role("button", name="Back").click()
            await page.click("#door button[type=submit]")
            await page.fill("#code", m.upper().replace("-", " "))
            await page.keyboard.press("Enter")
            await expect(page.locator(".lobby b")).to_have_text(m)
            assert host.tables[m].chairs[1].name == "Ana"

    run(play())


def test_a_line_that_is_cut_while_a_table_is_being_opened_leaves_the_form_as_it_is(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, gate(tmp_path, TABLE, games=GAMES) as (host, gateway):
            context = await browser.new_context(locale="en")
            await context.add_init_script(KEEP)
            page = await opened(browser, gateway.urls()[0], context=context)
            await page.fill("#name", "Ana")
            await page.get_by_role("button", name="Open a table").click()
            await page.get_by_role("button", name="High Card").click()
            await page.get_by_label("Hands in a match").fill("7")
            await page.evaluate("() => window.sockets.at(-1).close()")
            await page.wait_for_function("() => window.sockets.length === 2 && window.sockets[1].readyState === 1")
            await expect(page.get_by_label("Hands in a match")).to_have_value("7")
            await page.get_by_role("button", name="Open the table").click()
            await page.wait_for_selector("#game:not([hidden]) .lobby")
            assert 7 == next(table.options["hands"] for id, table in host.tables.items() if id != "t-1")

    run(play())


def test_the_page_reads_names_as_the_program_does(tmp_path: Path) -> None:
    async def play() -> None:
        async with chromium() as browser, gate(tmp_path, TABLE, games=GAMES) as (_, gateway):
            page = await opened(browser, gateway.urls()[0])
            version = await page.get_attribute("body", "data-version")
            reading = f"async names => {{ const {{privateName}} = await import('/p/{version}/names.js'); return names.map(privateName); }}"
            read = await page.evaluate(reading, NAMES)
            assert [read_private(name) for name in NAMES] == read
            assert 4 == len([name for name in read if re.fullmatch("p-.*", name or "")])

    run(play())
