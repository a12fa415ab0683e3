"""docs/screens.md shows the screens as they are: CARTEADO_SCREENS=write writes it anew."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from carteado.core.loader import load
from carteado.core.options import declared
from carteado.net.dev import Workshop
from carteado.net.protocol import GameRow, TableRow, Tables
from carteado.ui.terminal.app import Looks
from carteado.ui.terminal.dev import DevSession
from carteado.ui.terminal.hall import Hall, HallSession
from carteado.ui.terminal.home import Home, HomeSession
from carteado.ui.terminal.room import Chair, Price, Proof, Room
from carteado.ui.terminal.viewer import ViewerSession

from .gallery import SHOWS
from .harness import Recorded, pilot
from .matches import AtMatch
from .tables import TABLES
from .test_hall import Host as TableHost
from .test_home import A, B, Card, Host, Search
from .test_viewer import timeline

pytestmark = pytest.mark.slow

SAVED = Path(__file__).parent / "screens"
PAGE = Path(__file__).parents[2] / "docs" / "screens.md"
PICTURES = (
    ("lobby", "The waiting room: who sits where, who is ready, what was agreed."),
    ("steps-80x24", "A turn: what is wanted, what can be done, and a bar below the cards that some form takes and others not."),
    ("steps-marked", "With a card marked, stars and double lines show where it may go."),
    ("steps-drag", "The same card being dragged."),
    ("steps-over", "A hand is over: points, and how they came about."),
    ("pyramid-80x24", "A pyramid with its free cards."),
    ("trick-80x24", "A trick with the players around it."),
    ("trick-help", "`?` lists all keys that work now."),
    ("trick-ascii", "`--ascii`: letters instead of signs."),
    ("steps-120x40", "A wide window has room for panels, log and chat."),
)


async def menu() -> str:
    """Return the menu."""
    games = {name: load(name) for name in ("cascata", "dez-degraus")}
    async with pilot(HomeSession("en"), tools=Home(lambda: games, lambda: None)) as one:  # type: ignore[arg-type]
        return one.text()


async def hosts() -> str:
    """Return the hosts that were found on the network."""
    search = Search()
    home = Home(dict, lambda: None, search=search.running)
    async with pilot(HomeSession("en"), tools=home) as one:  # type: ignore[arg-type]
        search.find(Host(Card("Kitchen", games=(), free=2), A), Host(Card("Cellar", "f4c0", games=(), private=True), B))
        await one.keys("3")
        await one.shows("Kitchen")
        return one.text()


async def hall(*keys: str) -> str:
    """Return the tables of a host, or what comes after some keys."""
    options = [option.wire() for option in declared(load("cascata"))]
    games = [GameRow("cascata", "Cascata", "1", (2, 4), options), GameRow("skat", "Skat", "1", (3, 4))]
    tables = [TableRow("t-1", "cascata", "lobby", 4, 2), TableRow("t-2", "skat", "playing", 3, 0, 2)]
    host = TableHost(tables)
    host.told = Tables(tables, games)
    host.texts = load("cascata").words("en")
    session = HallSession(host, "en")
    tools = Hall(session, lambda: None)
    async with pilot(session, tools=tools) as one:  # type: ignore[arg-type]
        tools.begin()
        await one.shows("250 chips")
        for key in keys:
            await one.keys(key)
            await one.settle()
        text = one.text()
    await session.close()
    return text


async def form() -> str:
    """Return the options of a table to be opened."""
    return await hall("o1", "2", "8")


async def guided() -> str:
    """Return a guided hand."""
    session = AtMatch(load("dez-degraus"), 3, seed=5)
    async with pilot(session, looks=Looks(guided=True)) as one:  # type: ignore[arg-type]
        await one.keys("\r")
        await one.keys("\r")
        return one.text()


async def troubles(*keys: str) -> str:
    """Return a table where somebody is away and clocks run, or what comes after some keys."""
    make, words, looks = TABLES["steps"]
    people = [Chair(0, "Rita", move=38, bank=120), Chair(1, "Ana"), Chair(2, "Bruno"), Chair(3, "Carla", line="away", quiet=23, left=97)]
    room = Room("playing", people, frozenset({"leave"}), proof=Proof("verified", "", 3, 57), leaving=Price("penalty", 40))
    session = Recorded(make(), words, looks, room)
    session.seconds = 38
    async with pilot(session) as one:
        for key in keys:
            await one.keys(key)
        return one.text()


async def leaving() -> str:
    """Return the question whether to leave, with its price."""
    return await troubles("q")


async def viewer() -> str:
    """Return a recording a few entries in."""
    session = ViewerSession(timeline())
    async with pilot(session, tools=session) as one:  # type: ignore[arg-type]
        await one.keys("]]]")
        text = one.text()
    await session.close()
    return text


async def bench() -> str:
    """Return a game on its author's bench."""
    session = DevSession(Workshop("dez-degraus", players=3))
    await session.begin()
    async with pilot(session, tools=session) as one:  # type: ignore[arg-type]
        await one.keys("AA[")
        text = one.text()
    await session.close()
    return text


def page() -> str:
    """Return the page as it should be."""
    links = ", ".join(f"[{show.name}](screens/{show.name}.md)" for show in SHOWS)
    parts = [
        f"# Screens\n\nMade by a test, so that they stay true. Whole matches, state by state, at 80x24 and 120x40: {links}.\n\n"
        "A whole game on record, for `asciinema play`: [by keyboard](recordings/cascata-keyboard.cast), "
        "[by mouse](recordings/cascata-mouse.cast); and [with lines](recordings/cascata-lines.txt), as a screen reader reads it.\n"
    ]
    live = (
        ("`carteado` alone: the menu.", menu),
        ("Hosts on the network, as they answer.", hosts),
        ("The tables of a host: sit down, watch, open another one.", hall),
        ("The options of a table to be opened.", form),
        ("`carteado play --guided`: each thing is explained once, when it is needed.", guided),
        ("Somebody is away, a clock runs, and the last deal is proven fair.", troubles),
        ("Leaving, and what it would cost.", leaving),
        ("`carteado replay FILE`: a recorded match, all cards open, beside what the rule player would do.", viewer),
        ("`carteado dev GAME`: a game on its author's bench.", bench),
    )
    for caption, make in live[:4]:
        parts.append(f"{caption}\n\n```text\n{asyncio.run(make())}\n```\n")
    for name, caption in PICTURES:
        parts.append(f"{caption}\n\n```text\n{(SAVED / f'{name}.txt').read_text(encoding='utf-8').rstrip(chr(10))}\n```\n")
    for caption, make in live[4:]:
        parts.append(f"{caption}\n\n```text\n{asyncio.run(make())}\n```\n")
    return "\n".join(parts)


def test_the_page_shows_the_screens_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARTEADO_HOME", str(tmp_path))
    shown = page()
    if os.environ.get("CARTEADO_SCREENS") == "write":
        PAGE.write_text(shown, encoding="utf-8")
    assert shown == PAGE.read_text(encoding="utf-8")
