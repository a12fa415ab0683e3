"""Where nothing is played: what the menu, the list of tables, a bench and a recording have in common."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Protocol

from carteado.core.words import Catalogue, Message

from .boxes import Box
from .controls import Controls
from .grid import Line
from .session import Change
from .tools import Slider, Tool
from .words import Words, catalogue


class Idle:
    """A session that refuses every action and wish; what changes is put in by whoever made it."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._changes: asyncio.Queue[Change | None] = asyncio.Queue()

    async def changes(self) -> AsyncIterator[Change]:
        """Yield what changes, until the session ends."""
        while (change := await self._changes.get()) is not None:
            yield change

    def tell(self, change: Change) -> None:
        """Let the client know of a change."""
        self._changes.put_nowait(change)

    async def act(self, prompt: int, action: Mapping[str, Any]) -> Message | None:
        """Refuse: nothing is played here."""
        return ["ui.not_now", {}]

    async def ask(self, wish: str, **details: Any) -> Message | None:
        """Refuse: nothing is asked for here."""
        return ["ui.not_now", {}]

    async def speak(self, lang: str) -> Message | None:
        """Change the language."""
        self.lang = lang
        return None

    async def close(self) -> None:
        """End the changes."""
        self._changes.put_nowait(None)


class NoTable(Idle):
    """A session without a table: there is nothing to see yet and nothing to do but choose."""

    view: Mapping[str, Any] | None = None
    room = None
    seconds: int | None = None
    looks: Mapping[str, Any] = {}
    rules = ""

    @property
    def catalogues(self) -> Sequence[Catalogue]:
        """The texts of the core."""
        return [catalogue("carteado.core", self.lang)]


class Playable(Protocol):
    """What a list of games shows of each."""

    @property
    def name(self) -> str:
        """Its short name."""

    @property
    def title(self) -> str:
        """What it is called."""

    @property
    def seats(self) -> tuple[int, int]:
        """The fewest and the most players."""


class Menu:
    """Boxes one after another over an empty table, as a bench for the client."""

    tools: Sequence[Tool] = ()
    slider: Slider | None = None

    def __init__(self) -> None:
        self._controls: Controls | None = None

    @property
    def controls(self) -> Controls:
        """The client's controls; there are none before it has attached them."""
        assert self._controls is not None
        return self._controls

    @property
    def words(self) -> Words:
        """The reader's words."""
        return self.controls.local.words

    def attach(self, controls: Controls) -> None:
        """Take the controls."""
        self._controls = controls
        controls.local.home = True

    def do(self, name: str) -> None:
        """Do nothing: there are only boxes."""

    def slide(self, place: int) -> None:
        """Do nothing: there is nothing to stand in."""

    def show(self, box: Box) -> None:
        """Show a box instead of whatever is shown."""
        self.controls.local.boxes.clear()
        self.controls.open_box(box)

    def game_line(self, game: Playable) -> Line:
        """Return a game's row in a list: what it is called, and for how many."""
        low, high = game.seats
        seats = self.words("ui.home.seats", low=low, high=high) if low < high else self.words("ui.home.seats.one", n=low)
        return [(self.words.safe(game.title or game.name), ""), (f"  {seats}", "dim")]
