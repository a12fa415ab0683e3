"""The table before and between hands, as the client sees it: chairs, who is ready, what this person may ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Chair:
    """One chair: who sits there and how the connection is: `here | lagging | away | bot | empty | left`."""

    seat: int
    name: str = ""
    bot: str | None = None
    line: str = "here"
    ready: bool = False
    quiet: int = 0
    """Seconds since the host heard from this player."""


@dataclass(frozen=True)
class Room:
    """A table: its stage `lobby | playing | between | paused | over | broken`, chairs, and what `may` be asked for."""

    stage: str
    chairs: Sequence[Chair] = ()
    may: frozenset[str] = frozenset()
    title: str = ""
    game: str = ""
    id: str = ""
    address: str = ""
    deal_in: int | None = None
    """Seconds until the next hand is dealt."""
    watchers: int = 0
    options: Sequence[tuple[str, Any]] = field(default=())
    """The table options by name."""
    house: Sequence[str] = ()
    """The house rules in force."""
    why: str = ""
    """Why the table stands still, in the host's words."""
