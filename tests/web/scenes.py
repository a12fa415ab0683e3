"""Views of real matches, always the same ones, and the page's own modules to show them to: no host is needed."""

from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page

from carteado.core.bots import player
from carteado.core.errors import Refused
from carteado.core.game import Game
from carteado.core.match import Match
from carteado.net.keys import Address, KeyPair
from carteado.ui.web.gateway import Gateway
from carteado.ui.web.settings import Settings

NAMES = ("Rita", "Ana", "Bruno", "Carla", "Duda", "Eva")
OPEN = """async () => {
    const at = `/p/${document.body.dataset.version}/`;
    const names = ["forms", "hand", "speech", "table", "paint", "pages", "zones"];
    window.modules = Object.fromEntries(await Promise.all(names.map(async name => [name, await import(`${at}${name}.js`)])));
    window.own = async lang => (await fetch(`${at}words.${lang}.json`)).json();
    document.getElementById("door").hidden = true;
    document.getElementById("game").hidden = false;
}"""
SHOW = """async ({view, words, lang}) => {
    const {table: {Table}, paint: {paint}} = window.modules;
    const table = new Table();
    table.own = await window.own(lang);
    table.game = words;
    table.line = "live";
    table.spoken();
    const chairs = view.seats.map(seat => ({seat: seat.seat, name: seat.name, line: "here"}));
    table.sit({m: "t-1", stage: "playing", game: view.game, chairs, you: view.you, may: ["leave"], options: {}});
    table.see(view, 1, []);
    paint(table);
    window.table = table;
}"""


def views(game: Game, moves: int, level: str = "rule", players: int = 3, seed: int = 5) -> Iterator[dict[str, Any]]:
    """Yield the view of whoever is asked, before each of so many moves of one match."""
    rng = random.Random(seed)
    count = max(game.seats[0], min(players, game.seats[1]))
    match = Match(game, seats=[{"name": name, "bot": None} for name in NAMES[:count]], table="t-1")
    bot = player(game, level)
    for _ in range(moves):
        if match.phase == "dealing":
            match.deal(rng.randbytes(32))
        if match.phase == "over":
            return
        seat, prompt = next(iter(match.prompts.items()))
        view = match.view(seat)
        yield json.loads(json.dumps(view))
        try:
            match.act(seat, prompt.id, bot.choose(view, rng))
        except Refused:  # a random player may break a rule; it is asked again
            continue


def words(game: Game, lang: str = "en") -> dict[str, Any]:
    """Return a game's words as the gateway serves them."""
    return {
        "title": game.title or game.name, "lang": lang, "catalogue": game.words(lang), "rules": game.rules(lang), "looks": game.deck.looks,
        "score": game.score, "levels": [],
    }  # fmt: skip


@asynccontextmanager
async def stage(browser: Browser, folder: Path, size: tuple[int, int] = (390, 844), scheme: str = "light") -> AsyncIterator[Page]:
    """Open the page without a table; its modules are at hand for `SHOW`."""
    gateway = Gateway(Address("127.0.0.1", 9, KeyPair.make().public), Settings(port=0, folder=folder))
    await gateway.start()
    context = await browser.new_context(
        viewport={"width": size[0], "height": size[1]}, locale="en", color_scheme="dark" if scheme == "dark" else "light"
    )
    page = await context.new_page()
    try:
        await page.goto(gateway.urls()[0])
        await page.wait_for_selector("#name")
        await page.evaluate(OPEN)
        yield page
    finally:
        await context.close()
        await gateway.stop()
