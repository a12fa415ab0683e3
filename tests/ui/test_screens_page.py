"""docs/screens.md shows the screens as they are: CARTEADO_SCREENS=write writes it anew."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from carteado.core.loader import load
from carteado.net.dev import Workshop
from carteado.ui.terminal.dev import DevSession
from carteado.ui.terminal.home import Home, HomeSession
from carteado.ui.terminal.viewer import ViewerSession

from .gallery import SHOWS
from .harness import pilot
from .test_viewer import timeline

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
        ("`carteado replay FILE`: a recorded match, all cards open, beside what the rule player would do.", viewer),
        ("`carteado dev GAME`: a game on its author's bench.", bench),
    )
    for caption, make in live[:1]:
        parts.append(f"{caption}\n\n```text\n{asyncio.run(make())}\n```\n")
    for name, caption in PICTURES:
        parts.append(f"{caption}\n\n```text\n{(SAVED / f'{name}.txt').read_text(encoding='utf-8').rstrip(chr(10))}\n```\n")
    for caption, make in live[1:]:
        parts.append(f"{caption}\n\n```text\n{asyncio.run(make())}\n```\n")
    return "\n".join(parts)


def test_the_page_shows_the_screens_as_they_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARTEADO_HOME", str(tmp_path))
    shown = page()
    if os.environ.get("CARTEADO_SCREENS") == "write":
        PAGE.write_text(shown, encoding="utf-8")
    assert shown == PAGE.read_text(encoding="utf-8")
