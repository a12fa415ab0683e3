"""The draft that a game's hooks work on: one hand at the table, and what they may read of the match around it.

Every change is an event; if the hook raises, nothing happened. State is plain data, replaced and never mutated, so that a draft and a
copy cost a few dictionary copies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from .cards import Face
from .encoding import plain
from .errors import DesignFault
from .shuffle import Stream
from .zones import DOWN, FOLLOW, KINDS, LEVELS, OWNER, SLOTTED, UP, Mark, Seat, See, Zone, ZoneName, shown_to

MOST_CALLS = 20_000
"""Changes one hook call may make; more is taken for an endless loop."""
LOG_KEPT = 400
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_NO_TEAM: frozenset[Seat] = frozenset()
_new = tuple.__new__
"""Makes a Zone in less time than its own constructor; every move makes two."""
T = TypeVar("T")


class Prompt(NamedTuple):
    """An open question to one seat: its number in the match, the stage it is at, and whether its answer stays sealed until all are in."""

    id: int
    stage: str
    sealed: bool


class Table:
    """One hand at the table.

    Besides the methods a hook reads: players (all seats), seats (in play this hand), placed (those who can still get a place), dealer,
    start (the seat that starts), hand (its number, from 1), answering (in `turn`: the stage of the prompt that is being answered).
    """

    __slots__ = (
        "_before", "_calls", "_dealing", "_events", "_log", "_mine", "_next_prompt", "_prompts", "_rng", "_sealed", "_sealed_at", "_seed",
        "_stream", "_teams", "_totals", "_vars", "_zones", "answering", "dealer", "hand", "kept_facts", "option_values", "placed",
        "players", "seats", "start",
    )  # fmt: skip

    def __init__(self, players: int, options: Mapping[str, Any], teams: Sequence[frozenset[Seat]] = ()) -> None:
        self.players: tuple[Seat, ...] = tuple(range(players))
        self.seats: tuple[Seat, ...] = self.players
        self.placed: tuple[Seat, ...] = self.players
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
        return self.zone(zone).cards

    def get(self, key: str, default: Any = None, seat: Seat | None = None) -> Any:
        """Return a fact of this hand: a public one, or a seat's own. Change it only by `set`."""
        facts = self._vars if seat is None else self._mine.get(seat, _NOTHING)
        return facts.get(key, default)

    def asked(self, seat: Seat) -> str | None:
        """Return the stage of a seat's open prompt, or None."""
        prompt = self._prompts.get(seat)
        return prompt.stage if prompt else None

    # Changing

    def _write(self) -> list[tuple[Any, ...]]:
        events = self._events
        if events is None:
            raise DesignFault("only deal, turn and leave may change the table")
        self._calls += 1
        if self._calls > MOST_CALLS:
            raise DesignFault(f"more than {MOST_CALLS} changes in one hook call; is it an endless loop?")
        return events

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
        facts: Mapping[str, Any] = _NOTHING,
    ) -> None:
        """Make a zone; cards only while dealing (elsewhere only '' for empty places)."""
        events = self._write()
        _check_word("a zone's name", name)
        if name in self._zones:
            raise DesignFault(f"there is a zone {name!r} already")
        if kind not in KINDS:
            raise DesignFault(f"there is no zone kind {kind!r}; there are {', '.join(KINDS)}")
        if owner is not None:
            self._player(owner)
        _check_see(name, see)
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
        have = a.cards
        if up is None and to is None and places is None and have and a.marks is None and b.marks is None:
            place = _single(a, b, cards, n)
            if place is not None:
                face = have[place : place + 1]
                self._zones[src] = _new(Zone, (*a[:4], have[:place] + have[place + 1 :], None, a[6]))
                self._zones[dst] = _new(Zone, (*b[:4], b.cards + face, None, b[6]))
                events.append(("move", src, dst, face, None, None, a.owner, a.see, None, b.owner, b.see, FOLLOW))
                return face
        taken = self._places(a, cards, n, places)
        faces = tuple([have[place] for place in taken])
        moved_marks = None if a.marks is None else tuple([a.marks[place] for place in taken])
        mark: Mark = FOLLOW if up is None else (UP if up else DOWN)
        after = _with(b, faces, mark, to)
        self._zones[src] = _without(a, taken)
        self._zones[dst] = after
        shown = tuple(taken) if places is not None or a.kind in SLOTTED else None
        events.append(("move", src, dst, faces, shown, to, a.owner, a.see, moved_marks, b.owner, b.see, mark))
        return faces

    def _places(self, zone: Zone, cards: Sequence[Face] | None, n: int | None, places: Sequence[int] | None) -> Sequence[int]:
        have = zone.cards
        if cards is not None:
            if len(cards) == 1 and cards[0] in have and cards[0]:
                return (have.index(cards[0]),)
            found: list[int] = []
            for face in cards:
                start = -1
                while True:
                    try:
                        start = have.index(face or None, start + 1)
                    except ValueError:
                        raise DesignFault(f"{face!r} is not in {zone.name!r} (or not so often)") from None
                    if start not in found:
                        break
                found.append(start)
            return found
        if n is not None:
            filled: Sequence[int]
            if zone.kind in SLOTTED:
                filled = [place for place in range(len(have) - 1, -1, -1) if have[place]]
            else:
                filled = range(len(have) - 1, -1, -1)
            if not 0 <= n <= len(filled):
                raise DesignFault(f"{zone.name!r} holds {len(filled)} cards, not {n}")
            return filled[:n]
        if places is not None:
            chosen = list(places)
            _check_places(zone, chosen)
            return chosen
        raise DesignFault("move needs cards, n or places")

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
        _check_places(old, places)
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
        _check_see(zone, see)
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
        self._rng[self._stream] = stream.at
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
        self._rng[self._stream] = stream.at
        return value

    def pick(self, items: Sequence[T]) -> T:
        """Return one of the items, uniformly, from the hand's seed."""
        return items[self.below(len(items))]

    def set(self, key: str, value: Any, seat: Seat | None = None) -> None:
        """Set a fact of this hand: public, or known to one seat alone."""
        events = self._write()
        _check_word("a fact's name", key)
        copied = plain(value)
        if seat is None:
            self._vars[key] = copied
        else:
            self._player(seat)
            self._mine[seat] = {**self._mine.get(seat, _NOTHING), key: copied}
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
        _check_word("a stage", stage)
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
        chosen = (seats,) if isinstance(seats, int) else tuple({**self._prompts, **self._sealed} if seats is None else seats)
        closed = tuple([seat for seat in chosen if self._prompts.pop(seat, None) or self._sealed.pop(seat, None)])
        events.append(("close", closed))

    def say(self, key: str, only: Seat | None = None, but: Seat | None = None, **args: Any) -> None:
        """Write a message into the log: for everybody, for one seat only, or for everybody but one seat."""
        events = self._write()
        _check_word("a message's key", key)
        for seat in (only, but):
            if seat is not None:
                self._player(seat)
        for name, value in args.items():
            if type(value) not in (int, str) and not (type(value) is dict and type(value.get("$player", value.get("$card"))) in (int, str)):
                args[name] = plain(value)
        message = [key, args]
        self._log.append((message, only, but))
        events.append(("say", message, only, but))

    # The draft, for the match

    def begin(self, stream: str = "turn", dealing: bool = False) -> None:
        """Open a draft: changes are allowed and recorded until `commit` or `rollback`."""
        self._before = (
            self._zones, self._vars, self._mine, self._prompts, self._sealed, self._rng, self._next_prompt, len(self._log), self.seats
        )  # fmt: skip
        self._zones = self._zones.copy()
        self._vars = self._vars.copy()
        self._mine = self._mine.copy()
        self._prompts = self._prompts.copy()
        self._sealed = self._sealed.copy()
        self._rng = self._rng.copy()
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

    def copy(self) -> Table:
        """Return an independent table without the seed, for search."""
        other = Table.__new__(Table)
        for name in Table.__slots__:
            setattr(other, name, getattr(self, name))
        other._zones = self._zones.copy()
        other._vars = self._vars.copy()
        other._mine = self._mine.copy()
        other._prompts = self._prompts.copy()
        other._sealed = self._sealed.copy()
        other._rng = self._rng.copy()
        other._log = []
        other.kept_facts = dict(self.kept_facts)
        other._seed = b""
        other._before = other._events = None
        return other


def _check_see(zone: ZoneName, see: See) -> None:
    if len(see) != 4 or any(level not in LEVELS for level in see):
        raise DesignFault(f"{see!r} does not say who sees zone {zone!r}")
    if any(LEVELS.index(level) > LEVELS.index(see.watchers) for level in see):
        raise DesignFault(f"{see!r} lets watchers see more of zone {zone!r} than a seat; what watchers see is public")


def _check_word(what: str, word: str) -> None:
    if type(word) is not str or not word:
        raise DesignFault(f"{what} is a word, not {word!r}")


def _check_places(zone: Zone, places: Sequence[int]) -> None:
    cards, most = zone.cards, len(zone.cards)
    if len(set(places)) != len(places) or any(type(place) is not int or not 0 <= place < most or not cards[place] for place in places):
        raise DesignFault(f"{zone.name!r} has no cards at places {list(places)!r}")


def _single(src: Zone, dst: Zone, cards: Sequence[Face] | None, n: int | None) -> int | None:
    """Return the place of the one card that moves between plain zones, the most common move by far; None for any other."""
    if src.kind in SLOTTED or dst.kind in SLOTTED:
        return None
    have = src.cards
    if cards is None:
        return len(have) - 1 if n == 1 else None
    return have.index(cards[0]) if len(cards) == 1 and cards[0] in have else None


def _without(zone: Zone, places: Sequence[int]) -> Zone:
    name, kind, owner, see, faces, marks, facts = zone
    cards = list(faces)
    if kind in SLOTTED:
        for place in places:
            cards[place] = ""
        if marks is not None:
            marks = tuple([FOLLOW if not face else mark for face, mark in zip(cards, marks, strict=True)])
    else:
        order = sorted(places, reverse=True) if len(places) > 1 else places
        for place in order:
            del cards[place]
        if marks is not None:
            gone = set(places)
            marks = tuple([mark for place, mark in enumerate(marks) if place not in gone])
    if marks is not None and not any(marks):
        marks = None
    return _new(Zone, (name, kind, owner, see, tuple(cards), marks, facts))


def _with(zone: Zone, faces: tuple[Face, ...], mark: Mark, to: int | None) -> Zone:
    name, kind, owner, see, cards, marks, facts = zone
    if marks is None and mark != FOLLOW:
        marks = (FOLLOW,) * len(cards)
    if kind in SLOTTED:
        free = [place for place, face in enumerate(cards) if not face] if to is None else [to]
        if len(free) < len(faces) or (to is not None and (len(faces) != 1 or not 0 <= to < len(cards) or cards[to])):
            raise DesignFault(f"{name!r} has no empty place {'' if to is None else to} for {faces!r}")
        filled = list(cards)
        new_marks = None if marks is None else list(marks)
        for place, face in zip(free, faces, strict=False):
            filled[place] = face
            if new_marks is not None:
                new_marks[place] = mark
        return _new(Zone, (name, kind, owner, see, tuple(filled), None if new_marks is None else tuple(new_marks), facts))
    if to is None:
        return _new(Zone, (name, kind, owner, see, cards + faces, None if marks is None else marks + (mark,) * len(faces), facts))
    if not 0 <= to <= len(cards):
        raise DesignFault(f"{name!r} has no place {to!r}")
    if marks is not None:
        marks = marks[:to] + (mark,) * len(faces) + marks[to:]
    return _new(Zone, (name, kind, owner, see, cards[:to] + faces + cards[to:], marks, facts))
