"""The course of a deal: what is made, shuffled and moved, in which order, apart from what the shuffles bring about.

A course is known before the seed is: it is found by dealing from another seed. Announced before the seats open their links, it lets
everybody who never heard of the game work out from the seed which card had to lie where.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .encoding import digest
from .ending import placed, playing
from .errors import CarteadoError
from .events import Event
from .laying import places_of
from .shuffle import Stream
from .zones import OWNER, SLOTTED, Zone

if TYPE_CHECKING:
    from .match import Match
    from .table import Table

Course = list[list[Any]]
"""Steps: `["create", zone, kind, faces]`, `["shuffle", zone]`, `["top", from, to, n, place]` (n topmost cards), `["places", from, to,
places, place]`, `["cards", from, to, faces, place]`, `["drop", zone]`."""
DRY = b"carteado/course/1".ljust(32, b"\0")
"""The seed of deals that only show their course."""


class NoCourse(ValueError):
    """Say that a course does not lead anywhere."""


class Spread:
    """Cards in zones by faces, as a course puts them. zones: name -> faces, top last; kinds: name -> kind."""

    def __init__(self) -> None:
        self.zones: dict[str, list[str]] = {}
        self.kinds: dict[str, str] = {}

    def create(self, name: str, kind: str, faces: Sequence[str]) -> None:
        """Make a zone."""
        self.zones[name], self.kinds[name] = list(faces), kind

    def move(self, src: str, dst: str, places: Sequence[int], to: int | None) -> list[str]:
        """Move the cards at some places; return their faces."""
        target = self.zones[dst]
        faces: list[str] = take(self.zones[src], self.kinds[src], places)
        put(target, self.kinds[dst], faces, to)
        return faces

    def top(self, name: str, n: int) -> list[int]:
        """Return the places of the n topmost cards, topmost first."""
        return [place for place in range(len(self.zones[name]) - 1, -1, -1) if self.zones[name][place]][:n]


def take(zone: list[Any], kind: str, places: Sequence[int]) -> list[Any]:
    """Take the cards at some places out of a zone, as `Table.move` does. Raises: IndexError."""
    taken = [zone[place] for place in places]
    for place in sorted(places, reverse=True):
        if kind in SLOTTED:
            zone[place] = ""
        else:
            del zone[place]
    return taken


def put(zone: list[Any], kind: str, cards: Sequence[Any], to: int | None) -> None:
    """Lay cards into a zone as `Table.move` does: on top, at a place, or into empty places. Raises: IndexError, ValueError."""
    if kind in SLOTTED:
        free = [to] if to is not None else [place for place, face in enumerate(zone) if face == ""]
        for place, card in zip(free[: len(cards)], cards, strict=True):
            zone[place] = card
    elif to is None:
        zone.extend(cards)
    else:
        zone[to:to] = cards


def course_of(events: Sequence[Event]) -> Course:
    """Return the course of a deal from its events, with everything in them."""
    course: Course = []
    spread = Spread()
    for event in events:
        kind = event[0]
        if kind == "create":
            _, name, shape, _, _, faces, _ = event
            spread.create(name, shape, faces)
            course.append(["create", name, shape, list(faces)])
        elif kind == "shuffle":
            spread.zones[event[1]] = list(event[2])
            course.append(["shuffle", event[1]])
        elif kind == "drop":
            course.append(["drop", event[1]])
        elif kind == "move":
            _, src, dst, faces, places, to, *_ = event
            have, top = spread.zones[src], spread.top(src, len(faces))
            if [have[place] for place in top] == list(faces) and places in (None, tuple(top)):
                chosen: Sequence[int] = top
                course.append(["top", src, dst, len(faces), to])
            elif places is not None:
                chosen = list(places)
                course.append(["places", src, dst, list(places), to])
            else:
                chosen = places_of(_zone(spread, src), faces, None, None)
                course.append(["cards", src, dst, list(faces), to])
            spread.move(src, dst, chosen, to)
    return course


def follow(course: Course, stream: Stream) -> Spread:
    """Return where every card lies after a course, shuffled from this stream. Raises: NoCourse."""
    spread = Spread()
    try:
        for step, *rest in course:
            if step == "create":
                spread.create(*rest)
            elif step == "shuffle":
                spread.zones[rest[0]] = stream.shuffled(spread.zones[rest[0]])
            elif step == "drop":
                if any(spread.zones.pop(rest[0])):
                    raise NoCourse(f"{rest[0]} is dropped with cards in it")
            else:
                _move(spread, step, *rest)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise NoCourse(f"a step of the deal leads nowhere: {error}") from error
    return spread


def _move(spread: Spread, step: str, src: str, dst: str, what: Any, to: int | None) -> None:
    if step == "top":
        places: Sequence[int] = spread.top(src, what)
    elif step == "places":
        places = what
    elif step == "cards":
        places = places_of(_zone(spread, src), what, None, None)
    else:
        raise NoCourse(f"there is no step {step!r}")
    spread.move(src, dst, places, to)


def _zone(spread: Spread, name: str) -> Zone:
    return Zone(name, spread.kinds[name], None, OWNER, tuple(spread.zones[name]), None, {})


def announced(match: Match) -> dict[str, str]:
    """Return, by each seat that could start it, the digest of the course of the next deal; {} when the game cannot deal."""
    table = _laid(match)
    if not table.seats:
        return {}
    starts = table.seats if table.hand == 0 else (table.next(table.start),)
    try:
        return {str(start): digest(_dry(match, start)) for start in starts}
    except (CarteadoError, KeyError, IndexError):
        return {}


def _laid(match: Match) -> Table:
    """Return an empty table with those who will be dealt in."""
    table = match.table.copy()
    table._clear()
    table.seats, table.placed = playing(match), placed(match)
    return table


def _dry(match: Match, start: int) -> Course:
    table = _laid(match)
    table._seed = DRY
    table.start = start
    table.dealer = table.next(start, len(table.seats) - 1)
    table.hand += 1
    table.begin("deal", dealing=True)
    match.rules.deal(table)
    return course_of(table.hold())
