"""One hand as a draft: changes are recorded, and forgotten when a hook raises.

State is plain data, replaced and never mutated, so that a draft and a copy cost a few dictionary copies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, Self

from .cards import Face
from .errors import DesignFault
from .zones import Seat, Zone, ZoneName

MOST_CALLS = 20_000
"""Changes one hook call may make; more is taken for an endless loop."""
LOG_KEPT = 400
NOTHING: Mapping[str, Any] = MappingProxyType({})


class Prompt(NamedTuple):
    """An open question to one seat: its number in the match, the stage it is at, and whether its answer stays sealed until all are in."""

    id: int
    stage: str
    sealed: bool


class Draft:
    """The state of one hand and the draft of the next; what hooks may do with it is `Table`."""

    __slots__ = (
        "_before", "_calls", "_dealing", "_events", "_log", "_mine", "_next_prompt", "_prompts", "_rng", "_sealed", "_sealed_at", "_seed",
        "_stream", "_teams", "_totals", "_vars", "_zones", "answering", "computers", "dealer", "hand", "kept_facts", "option_values",
        "placed", "players", "seats", "start",
    )  # fmt: skip

    def __init__(
        self, players: int, options: Mapping[str, Any], teams: Sequence[frozenset[Seat]] = (), computers: Sequence[Seat] = ()
    ) -> None:
        self.players: tuple[Seat, ...] = tuple(range(players))
        self.seats: tuple[Seat, ...] = self.players
        self.placed: tuple[Seat, ...] = self.players
        self.computers: tuple[Seat, ...] = tuple(computers)
        self.option_values = dict(options)
        self.kept_facts: dict[str, Any] = {}
        self.dealer: Seat = players - 1
        self.start: Seat = 0
        self.hand = 0
        self._totals: tuple[int, ...] = (0,) * players
        self._teams = tuple(teams)
        self._seed = b""
        self._stream = "turn"
        self._next_prompt = 1
        self._log: list[tuple[list[Any], Seat | None, Seat | None]] = []
        self._events: list[tuple[Any, ...]] | None = None
        self._dealing = False
        self._calls = 0
        self._before: tuple[Any, ...] | None = None
        self._clear()

    def _clear(self) -> None:
        self._zones: dict[ZoneName, Zone] = {}
        self._vars: dict[str, Any] = {}
        self._mine: dict[Seat, dict[str, Any]] = {}
        self._prompts: dict[Seat, Prompt] = {}
        self._sealed: dict[Seat, dict[str, Any]] = {}
        self._sealed_at: dict[Seat, str] = {}
        self.answering: str | None = None
        self._rng: dict[str, int] = {}

    def _write(self) -> list[tuple[Any, ...]]:
        events = self._events
        if events is None:
            raise DesignFault("only deal, turn and leave may change the table")
        self._calls += 1
        if self._calls > MOST_CALLS:
            raise DesignFault(f"more than {MOST_CALLS} changes in one hook call; is it an endless loop?")
        return events

    def begin(self, stream: str = "turn", dealing: bool = False) -> None:
        """Open a draft: changes are allowed and recorded until `commit` or `rollback`."""
        self._before = (
            self._zones, self._vars, self._mine, self._prompts, self._sealed, self._rng, self._next_prompt, len(self._log), self.seats
        )  # fmt: skip
        self._zones = self._zones.copy()
        self._vars = self._vars.copy()
        self._prompts = self._prompts.copy()  # the rest is seldom written, and replaced then
        self._events = []
        self._stream = stream
        self._dealing = dealing
        self._calls = 0

    def rollback(self) -> None:
        """Forget the draft: everything is as it was before `begin`."""
        if self._before is not None:
            (
                self._zones, self._vars, self._mine, self._prompts, self._sealed, self._rng, self._next_prompt, length, self.seats
            ) = self._before  # fmt: skip
            del self._log[length:]
        self._before = self._events = None
        self._dealing = False

    def hold(self) -> list[tuple[Any, ...]]:
        """Close the draft for changes and return its events; it can still be rolled back."""
        events = self._events or []
        self._events = None
        self._dealing = False
        return events

    def commit(self) -> None:
        """Keep the draft."""
        self._before = self._events = None
        self._dealing = False
        if len(self._log) > LOG_KEPT:
            del self._log[: -LOG_KEPT // 2]

    def conserved(self) -> bool:
        """Tell whether the zones changed in this draft hold the same cards, as a multiset, as before it."""
        if self._before is None:
            return True
        before: dict[ZoneName, Zone] = self._before[0]
        lost: list[Face] = []
        gained: list[Face] = []
        kept = 0
        for name, zone in self._zones.items():
            was = before.get(name)
            if was is zone:
                kept += 1
                continue
            if was is None:
                gained += zone.cards
                continue
            kept += 1
            old, new = was[4], zone[4]
            if new[: len(old)] == old:
                gained += new[len(old) :]
            elif old[: len(new)] == new:
                lost += old[len(new) :]
            else:
                lost += old
                gained += new
        if kept < len(before):
            for name in before.keys() - self._zones.keys():
                lost += before[name].cards
        if lost == gained:
            return True
        lost.sort()
        gained.sort()
        return lost == gained or [face for face in lost if face] == [face for face in gained if face]

    def all_cards(self) -> list[Face]:
        """Return all cards of all zones, sorted."""
        return sorted(face for zone in self._zones.values() for face in zone.cards if face)

    def prompts(self) -> Iterator[tuple[Seat, Prompt]]:
        """Iterate over the open prompts."""
        return iter(self._prompts.items())

    def state(self) -> dict[str, Any]:
        """Return the whole hand as plain data (the log is left out: it is a convenience)."""
        return {
            "hand": self.hand, "dealer": self.dealer, "start": self.start, "seats": list(self.seats),
            "zones": [[*zone[:6], dict(zone.facts)] for zone in self._zones.values()],
            "vars": self._vars, "mine": {str(seat): facts for seat, facts in self._mine.items()},
            "prompts": {str(seat): list(prompt) for seat, prompt in self._prompts.items()},
            "sealed": {str(seat): action for seat, action in self._sealed.items()},
            "rng": self._rng, "next_prompt": self._next_prompt, "kept": self.kept_facts, "points": list(self._totals),
        }  # fmt: skip

    def copy(self) -> Self:
        """Return an independent table without the seed, for search."""
        other = type(self).__new__(type(self))
        for name in Draft.__slots__:
            setattr(other, name, getattr(self, name))
        other._zones = self._zones.copy()
        other._vars = self._vars.copy()
        other._prompts = self._prompts.copy()
        other._log = []
        other.kept_facts = dict(self.kept_facts)
        other._seed = b""
        other._before = other._events = None
        return other
