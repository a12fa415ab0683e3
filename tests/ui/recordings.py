"""Whole games on record, as asciicasts (`asciinema play`) and as a transcript: by keyboard, by mouse, with lines.

The others play as in the recorded match of the gallery, and so does the reader, only by hand.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from carteado.ui.terminal import theme
from carteado.ui.terminal.app import Looks
from carteado.ui.terminal.grid import Grid
from carteado.ui.terminal.line import LineClient
from carteado.ui.terminal.room import Room
from carteado.ui.terminal.session import Change

from .gallery import ME, ROOT, SHOWS, Show, chairs, game_of, timeline_of
from .hands import Doing, Keyboard, Mouse, do, do_by_lines
from .harness import CORE, pilot

FOLDER = ROOT / "docs" / "recordings"
SHOW = next(show for show in SHOWS if show.name == "cascata")
BEAT = 0.7
"""Seconds between two keys or clicks in a recording."""
STYLES = theme.style("dark")


class Scripted:
    """A session at a recorded match: the others do what they did, and only what the reader did is accepted."""

    line, line_reason, seconds = "live", "", None

    def __init__(self, show: Show) -> None:
        game = game_of(show)
        self.timeline = timeline_of(show)
        self.catalogues = [game.words("en"), CORE]
        self.looks, self.rules = game.deck.looks, game.rules("en")
        self.acts: list[Mapping[str, Any]] = []
        self._people = chairs(show)
        self._title = game.title
        self._changes: asyncio.Queue[Change | None] = asyncio.Queue()
        self.go_on()

    @property
    def view(self) -> dict[str, Any]:
        return self.timeline.match.view(ME)

    @property
    def room(self) -> Room:
        over = self.timeline.match.phase == "over"
        return Room("over" if over else "playing", self._people, frozenset({"rematch", "leave"} if over else {"leave"}), title=self._title)

    def wanted(self) -> Mapping[str, Any] | None:
        """Return what the reader does next, None at the end."""
        entry = self.timeline.next()
        return entry["do"] if entry is not None else None

    def go_on(self) -> None:
        """Let the others play until it is the reader's turn."""
        while (entry := self.timeline.next()) is not None and not (entry["k"] == "action" and entry["seat"] == ME):
            self._step()

    def _step(self) -> None:
        commit = self.timeline.go(self.timeline.place + 1)
        self._changes.put_nowait(Change("view", commit.events(ME) if commit is not None else ()))

    def waiting(self) -> list[Change]:
        """Take what has not been told yet."""
        told = []
        while not self._changes.empty():
            change = self._changes.get_nowait()
            assert change is not None
            told.append(change)
        return told

    async def changes(self) -> AsyncIterator[Change]:
        while (change := await self._changes.get()) is not None:
            yield change

    async def act(self, prompt: int, action: Mapping[str, Any]) -> Any:
        assert plain(action) == plain(self.wanted() or {}), f"{dict(action)} instead of {self.wanted()}"
        self.acts.append(action)
        self._step()
        self.go_on()
        return None

    async def ask(self, wish: str, **details: Any) -> Any:
        return None

    async def speak(self, lang: str) -> Any:
        return None

    async def close(self) -> None:
        self._changes.put_nowait(None)


def plain(action: Mapping[str, Any]) -> dict[str, Any]:
    """Return an action with its cards in one order: in which one they were marked does not matter."""
    return {name: sorted(value) if isinstance(value, list) else value for name, value in action.items()}


class Cast:
    """An asciicast being made: only the rows that changed are written."""

    def __init__(self, title: str, columns: int, rows: int) -> None:
        self._lines = [json.dumps({"version": 2, "width": columns, "height": rows, "title": title})]
        self._shown: dict[int, str] = {}
        self._now = 0.0

    def add(self, grid: Grid, label: str, pointer: tuple[int, int] | None = None) -> None:
        """Add the screen as it is after what the label says."""
        rows = {y: _row(grid, y, pointer) for y in range(grid.height)}
        new = "".join(f"\x1b[{y + 1};1H{row}\x1b[0m\x1b[K" for y, row in rows.items() if self._shown.get(y) != row)
        first = "" if self._shown else "\x1b[2J\x1b[?25l"
        self._shown = rows
        self._lines.append(json.dumps([round(self._now, 2), "m", label], ensure_ascii=False))
        self._lines.append(json.dumps([round(self._now, 2), "o", first + new], ensure_ascii=False))
        self._now += BEAT

    def text(self) -> str:
        return "\n".join(self._lines) + "\n"


def _row(grid: Grid, y: int, pointer: tuple[int, int] | None) -> str:
    """Return one row with its colours; the cell under the pointer is reversed."""
    parts, last = [], ""
    for x, (char, style) in enumerate(zip(grid.chars[y], grid.styles[y], strict=True)):
        code = _sgr(style) + (";7" if pointer == (x, y) else "")
        if code != last:
            parts.append(f"\x1b[{code}m")
            last = code
        parts.append(char)
    return "".join(parts).rstrip(" ")


def _sgr(style: str) -> str:
    """Return a style as the numbers of a terminal's escape sequence."""
    attrs = STYLES.get_attrs_for_style_str(theme.classes(style))
    codes = ["0"]
    if attrs.bold:
        codes.append("1")
    for lead, colour in (("38", attrs.color), ("48", attrs.bgcolor)):
        if colour:
            codes.append(";".join([lead, "2", *(str(int(colour[at : at + 2], 16)) for at in (0, 2, 4))]))
    return ";".join(codes)


async def on_screen(hands: type[Doing], title: str, size: tuple[int, int] = (80, 24)) -> str:
    """Play the whole game on the screen and return the cast."""
    session, cast = Scripted(SHOW), Cast(title, *size)
    async with pilot(session, *size, looks=Looks(confirm=False)) as one:  # type: ignore[arg-type]
        one.watch = lambda label, pointer: cast.add(one.client.painted(*size), label, pointer)
        await one.settle()
        one.watch("the table", None)
        while (action := session.wanted()) is not None:
            done = len(session.acts)
            await do(one, hands(one), action, lambda done=done: len(session.acts) > done)  # type: ignore[misc,call-arg]
            await one.settle()
            one.watch("the others play", None)
        await one.shows("The match is over")
        one.watch("the end", None)
    return cast.text()


def by_keyboard() -> str:
    return asyncio.run(on_screen(Keyboard, "carteado: a game of Cascata by keyboard"))


def by_mouse() -> str:
    return asyncio.run(on_screen(Mouse, "carteado: a game of Cascata by mouse"))


def by_lines() -> str:
    """Play the whole game with lines and return what was typed and said."""
    session = Scripted(SHOW)
    told: list[str] = []
    client = LineClient(session, told.append)
    take = client.take

    async def typed(text: str) -> None:
        told.append(f"> {text}")
        await take(text)

    client.take = typed  # type: ignore[method-assign]

    async def run() -> None:
        client.begin()
        while (action := session.wanted()) is not None:
            for change in session.waiting():
                client.changed(change)
            if len(session.acts) in (1, 7):
                for letter in "thgsi":
                    await client.take(letter)
            await do_by_lines(client, session.view, action)
        for change in session.waiting():
            client.changed(change)

    asyncio.run(run())
    return "\n".join(told) + "\n"


MADE = {"cascata-keyboard.cast": by_keyboard, "cascata-mouse.cast": by_mouse, "cascata-lines.txt": by_lines}


def saved(name: str) -> Path:
    return FOLDER / name
