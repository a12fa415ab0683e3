"""The table before and between hands, as the client sees it: chairs, who is ready, what this person may ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from carteado.net.table_ids import is_private

STANDING = ("paused", "frozen")
"""The stages in which a table with an open prompt takes no actions."""


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
    left: int | None = None
    """Seconds that the table still waits for a player who is away, None if it does not count them."""
    substitute: str | None = None
    """The level of the computer player that plays on meanwhile."""
    move: int | None = None
    """Seconds left for the move, None for who is not asked or has no clock."""
    bank: int | None = None
    """Seconds left for the match beyond those of each move."""

    @property
    def clock(self) -> int | None:
        """What the clock shows: the move's seconds, then those of the match; None while it does not run."""
        return None if self.move is None else self.move or self.bank or 0


@dataclass(frozen=True)
class Price:
    """What leaving for good would cost: `free | penalty | loss | kept`, for a penalty so many chips; and whether a computer goes on."""

    how: str
    chips: int = 0
    substitute: bool = True


@dataclass(frozen=True)
class Proof:
    """How the newest hand that could be proven came out: `verified | unverified | failed`, why, how many cards were checked."""

    state: str
    reason: str = ""
    hand: int = 0
    checked: int = 0
    detail: str = ""


@dataclass(frozen=True)
class Room:
    """A table: its stage `lobby | playing | between | paused | frozen | over | broken`, chairs, and what `may` be asked for."""

    stage: str
    chairs: Sequence[Chair] = ()
    may: frozenset[str] = frozenset()
    title: str = ""
    game: str = ""
    id: str = ""
    address: str = ""
    key: str = ""
    """The host's key in words, for a guest to compare."""
    web: Sequence[str] = ()
    """Where browsers find the host's page, the likeliest first."""
    deal_in: int | None = None
    """Seconds until the next hand is dealt."""
    watchers: int = 0
    options: Sequence[tuple[str, Any]] = field(default=())
    """The table options by name."""
    house: Sequence[str] = ()
    """The house rules in force."""
    leaving: Price | None = None
    """What leaving would cost the reader."""
    proof: Proof | None = None
    """What this client has proven of the deals."""
    running: bool = True
    """Whether the clocks run."""
    terms: Sequence[tuple[str, dict[str, Any]]] = field(default=())
    """What was agreed about time, as messages."""
    why: str = ""
    """Why the table stands still, in the host's words."""

    @property
    def private(self) -> bool:
        """Whether only those find the table who are told its name."""
        return is_private(self.id)

    @property
    def others(self) -> int:
        """How many people besides the reader are at the table, those who watch among them."""
        people = [chair for chair in self.chairs if not chair.bot and chair.line not in ("empty", "left", "bot")]
        return max(0, len(people) + self.watchers - 1)
