"""Tricks as a player sees them: a finished one stays until it has been seen, and the last one can be looked at again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

View = Mapping[str, Any]
Face = str

HELD = 2
"""Seconds that a finished trick stays at least, even when the next one has begun."""


@dataclass(frozen=True)
class Taken:
    """A finished trick: in which zone, its cards by place, the places in the order of play as far as that was seen, the zone's facts."""

    zone: str
    cards: Sequence[Face]
    order: Sequence[int] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    def places(self) -> list[int]:
        """Return the places with a card in the order of play; those that were not seen being filled come as they lie."""
        filled = [place for place, face in enumerate(self.cards) if face]
        seen = [place for place in self.order if place in filled]
        return [*seen, *(place for place in filled if place not in seen)]

    def seat(self, place: int) -> int:
        """Return whose place it is: its number, unless the facts name the seats of the places."""
        seats = self.facts.get("seats")
        return int(seats[place]) if isinstance(seats, list) and place < len(seats) else place

    @property
    def winner(self) -> int | None:
        """Who took it, None if the game does not say."""
        seat = self.facts.get("winner")
        return seat if isinstance(seat, int) else None


@dataclass
class Open:
    """A trick that lies on the table."""

    cards: list[Face]
    order: list[int] = field(default_factory=list)
    facts: Mapping[str, Any] = field(default_factory=dict)
    whole_for: int = 0
    """Seconds for which it was whole and in sight."""

    @property
    def whole(self) -> bool:
        """Whether every place has a card."""
        return bool(self.cards) and all(self.cards)

    def put(self, place: int, card: Face) -> None:
        """See a card come."""
        self.cards[place] = card
        if place not in self.order:
            self.order.append(place)


class Tricks:
    """The tricks of one screen. `last` is the one that was finished last; `held` stays on the table until it has been seen:
    until the next key or click, or for some seconds when another one has begun. A new hand begins without any.
    """

    def __init__(self, pause: int = HELD) -> None:
        """`pause` is how many seconds a finished trick stays at least; 0 for not at all."""
        self._pause = pause
        self.last: Taken | None = None
        self.held: Taken | None = None
        self._open: dict[str, Open] = {}
        self._left = 0
        self._hand: int | None = None

    def hear(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Follow the events before a view: what comes and goes within one step is seen only here."""
        for event in events:
            seen = {**event, **(event.get("mine") or {})}
            if seen.get("k") != "move":
                continue
            source, target = self._open.get(str(seen.get("from"))), self._open.get(str(seen.get("to")))
            place, cards = seen.get("place"), seen.get("cards")
            if source is not None and target is None and any(source.cards):
                self._finish(str(seen["from"]), source)
            if target is not None and isinstance(place, int) and cards and place < len(target.cards):
                target.put(place, cards[0])

    def see(self, view: View) -> None:
        """Take over a new view."""
        number = view["hand"]["number"]
        if number != self._hand:
            self._hand, self._open, self._left = number, {}, 0
            self.last = self.held = None
        for zone in view["zones"]:
            if zone["kind"] != "trick" or zone["cards"] is None:
                continue
            name, cards = zone["name"], list(zone["cards"])
            trick = self._open.setdefault(name, Open([""] * len(cards)))
            if any(trick.cards) and not any(cards):
                self._finish(name, trick)
            elif any(cards) and not self._left:
                self.held = None
            for place, card in enumerate(cards):
                if card and place not in trick.order:
                    trick.order.append(place)
            trick.cards = cards
            if any(cards):
                trick.facts = zone["facts"]

    def _finish(self, name: str, trick: Open) -> None:
        """A trick is taken away: it stays as long as it has not been whole and in sight already."""
        self.last = Taken(name, list(trick.cards), list(trick.order), trick.facts)
        self._left = max(0, self._pause - trick.whole_for)
        self.held = self.last if self._left else None
        self._open[name] = Open([""] * len(trick.cards))

    def tick(self) -> bool:
        """Let a second pass; tell whether a finished trick makes room for the next one."""
        for trick in self._open.values():
            trick.whole_for += trick.whole
        if not self._left:
            return False
        self._left -= 1
        if self._left or self.held is None or not any(self._open[self.held.zone].cards):
            return False
        self.held = None
        return True

    def saw(self) -> None:
        """The player has seen what lies there."""
        self.held = None
        for trick in self._open.values():
            trick.whole_for = self._pause if trick.whole else 0
