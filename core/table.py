"""The table that a game's hooks work on: one hand, and what they may read of the match around it.

Every change is an event; if the hook raises, nothing happened.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

from .cards import Face
from .draft import NOTHING, Draft, Prompt
from .encoding import plain
from .errors import DesignFault
from .laying import check_places, check_see, check_word, new, places_of, single, with_, without
from .shuffle import Stream
from .zones import DOWN, FOLLOW, KINDS, OWNER, SLOTTED, UP, Mark, Seat, See, Zone, ZoneName, shown_to

__all__ = ["Prompt", "Table"]

_NO_TEAM: frozenset[Seat] = frozenset()
T = TypeVar("T")


class Table(Draft):
    """One hand at the table.

    Besides the methods a hook reads: players (all seats), computers (the seats that computer players had when the match began), seats (in
    play this hand), placed (those who can still get a place), dealer, start (the seat that starts), hand (its number, from 1), answering
    (in `turn`: the stage of the prompt that is being answered).
    """

    __slots__ = ()

    # Reading

    def option(self, name: str) -> Any:
        """Return the value of a table option. Raises: DesignFault for an option that the game does not declare."""
        try:
            return self.option_values[name]
        except KeyError:
            raise DesignFault(f"the game declares no table option {name!r}") from None

    def kept(self, key: str, default: Any = None) -> Any:
        """Return a match fact that an earlier hand's result kept."""
        return self.kept_facts.get(key, default)

    def points(self, seat: Seat) -> int:
        """Return a seat's points in the match before this hand's result."""
        return self._totals[seat]

    def team(self, seat: Seat | None) -> frozenset[Seat]:
        """Return a seat's partners, itself included; empty in a game without teams."""
        return self._teams[seat] if self._teams and seat is not None else _NO_TEAM

    def next(self, seat: Seat, n: int = 1) -> Seat:
        """Return the n-th seat in play after this one, clockwise (towards higher numbers)."""
        seats = self.seats
        if not seats:
            raise DesignFault("nobody is in play")
        if seat in seats:
            return seats[(seats.index(seat) + n) % len(seats)]
        after = [other for other in seats if other > seat] or list(seats)
        return seats[(seats.index(after[0]) + n - 1) % len(seats)]

    def around(self, first: Seat) -> tuple[Seat, ...]:
        """Return the seats in play in turn order, beginning with `first` (or the next one in play after it)."""
        cut = sum(1 for seat in self.seats if seat < first)
        return self.seats[cut:] + self.seats[:cut]

    def has(self, zone: ZoneName) -> bool:
        """Tell whether there is such a zone."""
        return zone in self._zones

    def zone(self, name: ZoneName) -> Zone:
        """Return a zone. Raises: DesignFault if there is none of this name."""
        try:
            return self._zones[name]
        except KeyError:
            raise DesignFault(f"there is no zone {name!r}; there are {', '.join(self._zones) or 'none'}") from None

    def zones(self, prefix: str = "") -> list[Zone]:
        """Return all zones whose name begins with the prefix, in the order of their creation."""
        return [zone for name, zone in self._zones.items() if name.startswith(prefix)]

    def cards(self, zone: ZoneName) -> tuple[Face, ...]:
        """Return the faces in a zone; the last is the top, '' an empty place of a slotted zone."""
        found = self._zones.get(zone)
        return found.cards if found is not None else self.zone(zone).cards

    def get(self, key: str, default: Any = None, seat: Seat | None = None) -> Any:
        """Return a fact of this hand: a public one, or a seat's own. Change it only by `set`."""
        facts = self._vars if seat is None else self._mine.get(seat, NOTHING)
        return facts.get(key, default)

    def asked(self, seat: Seat) -> str | None:
        """Return the stage of a seat's open prompt, or None."""
        prompt = self._prompts.get(seat)
        return prompt.stage if prompt else None

    # Changing

    def _player(self, seat: Seat) -> None:
        if seat not in self.players or type(seat) is not int:
            raise DesignFault(f"there is no seat {seat!r} at this table")

    def create(
        self,
        name: ZoneName,
        kind: str,
        owner: Seat | None = None,
        see: See = OWNER,
        cards: Iterable[Face] = (),
        facts: Mapping[str, Any] = NOTHING,
    ) -> None:
        """Make a zone; cards only while dealing (elsewhere only '' for empty places)."""
        events = self._write()
        check_word("a zone's name", name)
        if name in self._zones:
            raise DesignFault(f"there is a zone {name!r} already")
        if kind not in KINDS:
            raise DesignFault(f"there is no zone kind {kind!r}; there are {', '.join(KINDS)}")
        if owner is not None:
            self._player(owner)
        check_see(name, see)
        faces = tuple(cards)
        if any(type(face) is not str for face in faces) or (not self._dealing and any(faces)):
            raise DesignFault(f"zone {name!r} cannot be made with {faces!r}: cards enter the table in deal only")
        if kind not in SLOTTED and not all(faces):
            raise DesignFault(f"zone {name!r} is a {kind} and has no empty places")
        copied = plain(dict(facts))
        self._zones[name] = Zone(name, kind, owner, see, faces, None, MappingProxyType(copied))
        events.append(("create", name, kind, owner, see, faces, copied))

    def drop(self, zone: ZoneName) -> None:
        """Remove an empty zone."""
        events = self._write()
        old = self.zone(zone)
        if any(old.cards):
            raise DesignFault(f"zone {zone!r} still holds cards")
        del self._zones[zone]
        events.append(("drop", zone, old.owner, old.see))

    def move(
        self,
        src: ZoneName,
        dst: ZoneName,
        *,
        cards: Sequence[Face] | None = None,
        n: int | None = None,
        places: Sequence[int] | None = None,
        to: int | None = None,
        up: bool | None = None,
    ) -> tuple[Face, ...]:
        """Move cards and return their faces: by face, the top `n` (topmost first), or by place.

        to: the place in a slotted zone, or the index to insert at (default: on top). up: lay them face up or down for everybody,
        whatever the zone says. Raises: DesignFault when the cards are not there.
        """
        events = self._write()
        a, b = self.zone(src), self.zone(dst)
        if a is b:
            raise DesignFault(f"cards cannot move from {src!r} to itself")
        if up is None and to is None and places is None:
            place = single(a, b, cards, n)
            if place is not None:
                _, kind, owner, see, have, _, facts = a
                _, into, taker, sees, held, _, known = b
                face = have[place : place + 1]
                self._zones[src] = new(Zone, (src, kind, owner, see, have[:place] + have[place + 1 :], None, facts))
                self._zones[dst] = new(Zone, (dst, into, taker, sees, held + face, None, known))
                events.append(("move", src, dst, face, None, None, owner, see, None, taker, sees, FOLLOW))
                return face
        have = a.cards
        taken = places_of(a, cards, n, places)
        faces = tuple([have[place] for place in taken])
        moved_marks = None if a.marks is None else tuple([a.marks[place] for place in taken])
        mark: Mark = FOLLOW if up is None else (UP if up else DOWN)
        after = with_(b, faces, mark, to)
        self._zones[src] = without(a, taken)
        self._zones[dst] = after
        shown = tuple(taken) if places is not None or a.kind in SLOTTED else None
        events.append(("move", src, dst, faces, shown, to, a.owner, a.see, moved_marks, b.owner, b.see, mark))
        return faces

    def show(self, zone: ZoneName, places: Sequence[int], seats: Iterable[Seat] | None = None) -> None:
        """Turn cards face up for everybody, or show them to some seats."""
        events = self._write()
        old = self.zone(zone)
        to: tuple[Seat, ...] | None = None
        if seats is not None:
            for seat in (chosen := tuple(seats)):
                self._player(seat)
            to = tuple(sorted(set(chosen)))
            if not to:
                raise DesignFault(f"the cards of {zone!r} are shown to nobody")
        check_places(old, places)
        marks: list[Mark] = list(old.marks or (FOLLOW,) * len(old.cards))
        for place in places:
            marks[place] = shown_to(marks[place], to)
        self._zones[zone] = old._replace(marks=tuple(marks) if any(marks) else None)
        faces = tuple([old.cards[place] for place in places])
        now = tuple([marks[place] for place in places])
        events.append(("show", zone, tuple(places), faces, now, to, old.owner, old.see))

    def see(self, zone: ZoneName, see: See) -> None:
        """Declare anew who sees a zone (an opened hand)."""
        events = self._write()
        old = self.zone(zone)
        check_see(zone, see)
        self._zones[zone] = old._replace(see=see)
        events.append(("see", zone, old.cards, old.marks, old.owner, see))

    def mark(self, zone: ZoneName, **facts: Any) -> None:
        """Set facts of a zone; they are as public as the zone's existence."""
        events = self._write()
        old = self.zone(zone)
        copied = plain(facts)
        self._zones[zone] = old._replace(facts=MappingProxyType({**old.facts, **copied}))
        events.append(("mark", zone, copied, old.owner, old.see))

    def shuffle(self, zone: ZoneName) -> None:
        """Shuffle the cards of a zone, from the hand's seed."""
        events = self._write()
        old = self.zone(zone)
        if old.kind in SLOTTED or old.marks is not None:
            raise DesignFault(f"{zone!r} cannot be shuffled: its cards lie at places of their own")
        stream = self._drawing()
        cards = tuple(stream.shuffled(old.cards))
        self._rng = {**self._rng, self._stream: stream.at}
        self._zones[zone] = old._replace(cards=cards)
        events.append(("shuffle", zone, cards, old.owner, old.see))

    def _drawing(self) -> Stream:
        if not self._seed:
            raise DesignFault("there is no seed: a copy of a table for search brings its own random numbers")
        return Stream(self._seed, self._stream, self._rng.get(self._stream, 0))

    def below(self, n: int) -> int:
        """Return a uniform number in 0..n-1 from the hand's seed. What it decides must become public or stay hidden by a zone."""
        self._write()
        if not 1 <= n <= 1 << 32:
            raise DesignFault(f"a random number is drawn out of 1 to 2**32, not out of {n}")
        stream = self._drawing()
        value = stream.below(n)
        self._rng = {**self._rng, self._stream: stream.at}
        return value

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items, uniformly, from the hand's seed."""
        return items[self.below(len(items))]

    def set(self, key: str, value: Any, seat: Seat | None = None) -> None:
        """Set a fact of this hand: public, or known to one seat alone."""
        events = self._write()
        check_word("a fact's name", key)
        copied = plain(value)
        if seat is None:
            self._vars[key] = copied
        else:
            self._player(seat)
            self._mine = {**self._mine, seat: {**self._mine.get(seat, NOTHING), key: copied}}
        events.append(("set", key, copied, seat))

    def sit_out(self, seat: Seat) -> None:
        """Let a seat sit out this hand; in deal only."""
        events = self._write()
        if not self._dealing or seat not in self.seats or seat in self._prompts:
            raise DesignFault(f"seat {seat!r} can sit out only in deal, before it is asked, and only once")
        self.seats = tuple([other for other in self.seats if other != seat])
        events.append(("sit_out", seat))

    def ask(self, seats: Seat | Iterable[Seat], stage: str, sealed: bool = False) -> None:
        """Open one numbered prompt for each seat; `sealed` answers stay unknown to the others until all are in."""
        events = self._write()
        asked = (seats,) if isinstance(seats, int) else tuple(seats)
        check_word("a stage", stage)
        for seat in asked:
            if seat not in self.seats or type(seat) is not int:
                raise DesignFault(f"seat {seat!r} is not in play and cannot be asked")
            if seat in self._prompts:
                raise DesignFault(f"seat {seat} has an open prompt already ({self._prompts[seat].stage})")
            if seat in self._sealed:
                raise DesignFault(f"seat {seat} waits for its sealed answer to be opened")
        if len(asked) != len({*asked}):
            raise DesignFault(f"a seat is asked twice in {asked!r}")
        for seat in asked:
            self._prompts[seat] = Prompt(self._next_prompt, stage, sealed)
            self._next_prompt += 1
        events.append(("ask", asked, stage, sealed))

    def close(self, seats: Seat | Iterable[Seat] | None = None) -> None:
        """Close open prompts of some seats, or all; sealed answers of theirs that are not opened yet are forgotten."""
        events = self._write()
        chosen = (seats,) if isinstance(seats, int) else dict.fromkeys({**self._prompts, **self._sealed} if seats is None else seats)
        closed = tuple([seat for seat in chosen if self._prompts.pop(seat, None) or seat in self._sealed])
        self._sealed = {seat: action for seat, action in self._sealed.items() if seat not in closed}
        events.append(("close", closed))

    def say(self, key: str, only: Seat | None = None, but: Seat | None = None, **args: Any) -> None:
        """Write a message into the log: for everybody, for one seat only, or for everybody but one seat."""
        events = self._write()
        check_word("a message's key", key)
        if only is not None:
            self._player(only)
        if but is not None:
            self._player(but)
        for name, value in args.items():
            kind = type(value)
            flat = kind is dict and len(value) == 1 and (type(value.get("$player")) is int or type(value.get("$card")) is str)
            if not flat and kind is not str and kind is not int:
                args[name] = plain(value)
        message = [key, args]
        self._log.append((message, only, but))
        events.append(("say", message, only, but))
