"""What a client plays through: a seat (or a watcher's place) at a table, wherever the table is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from carteado.core.words import Catalogue, Message

from .room import Room

View = Mapping[str, Any]


@runtime_checkable
class Counting(Protocol):
    """A session whose host keeps books."""

    async def count(self) -> int | None:
        """Return how many chips are in the reader's purse, None where nobody counts them."""


@runtime_checkable
class Staffed(Protocol):
    """A session whose host has computer players of several strengths."""

    @property
    def levels(self) -> Sequence[str]:
        """What there is, weakest first."""

    @property
    def level(self) -> str:
        """The one that is usually asked for."""


@dataclass(frozen=True)
class Change:
    """Something changed: `view | table | line | words | say | witness | gone`; `events` led to a new view, `who` said `text`."""

    kind: str
    events: Sequence[Mapping[str, Any]] = field(default=())
    who: str = ""
    text: str = ""


class Session(Protocol):
    """One seat at one table. A refusal is an answer (a message that says why), never an exception."""

    @property
    def view(self) -> View | None:
        """The newest view, None before the first hand."""

    @property
    def room(self) -> Room | None:
        """The table around the hands: chairs, who is ready, what may be asked for."""

    @property
    def line(self) -> str:
        """The connection: `connecting | syncing | live | lost | gone`."""

    @property
    def line_reason(self) -> str:
        """Why the connection is gone, or why the host has closed, as a message key; '' if nobody said."""

    @property
    def seconds(self) -> int | None:
        """The seconds left on the reader's clock, None without one."""

    @property
    def catalogues(self) -> Sequence[Catalogue]:
        """The texts of the game and of the core."""

    @property
    def looks(self) -> Mapping[str, Any]:
        """How the cards of the deck look."""

    @property
    def rules(self) -> str:
        """The rules of the game in Markdown, '' if there are none."""

    def changes(self) -> AsyncIterator[Change]:
        """Yield what changes, until the session ends."""

    async def act(self, prompt: int, action: Mapping[str, Any]) -> Message | None:
        """Send an action; return None when it was accepted, else why not."""

    async def ask(self, wish: str, **details: Any) -> Message | None:
        """Ask the table for `ready | start | fill | pause | resume | rematch | leave | say`; return None, or why not."""

    async def speak(self, lang: str) -> Message | None:
        """Change the language of the game's and the core's texts; return None, or why not."""

    async def close(self) -> None:
        """Hang up; the seat is kept."""
