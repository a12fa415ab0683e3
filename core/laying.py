"""Laying cards from place to place: the pure part of `Table.move`, and checks of names, places and visibility."""

from __future__ import annotations

from collections.abc import Sequence

from .cards import Face
from .errors import DesignFault
from .zones import FOLLOW, LEVELS, SLOTTED, Mark, See, Zone, ZoneName

new = tuple.__new__
"""Makes a Zone in less time than its own constructor; every move makes two."""


def check_see(zone: ZoneName, see: See) -> None:
    if len(see) != 4 or any(level not in LEVELS for level in see):
        raise DesignFault(f"{see!r} does not say who sees zone {zone!r}")
    if any(LEVELS.index(level) > LEVELS.index(see.watchers) for level in see):
        raise DesignFault(f"{see!r} lets watchers see more of zone {zone!r} than a seat; what watchers see is public")


def check_word(what: str, word: str) -> None:
    if type(word) is not str or not word:
        raise DesignFault(f"{what} is a word, not {word!r}")


def check_places(zone: Zone, places: Sequence[int]) -> None:
    cards, most = zone.cards, len(zone.cards)
    if len(set(places)) != len(places) or any(type(place) is not int or not 0 <= place < most or not cards[place] for place in places):
        raise DesignFault(f"{zone.name!r} has no cards at places {list(places)!r}")


def single(src: Zone, dst: Zone, cards: Sequence[Face] | None, n: int | None) -> int | None:
    """Return the place of the one card that moves between plain zones, the most common move by far; None for any other."""
    have = src.cards
    if src.marks is not None or dst.marks is not None or src.kind in SLOTTED or dst.kind in SLOTTED or not have:
        return None
    if cards is None:
        return len(have) - 1 if n == 1 else None
    return have.index(cards[0]) if len(cards) == 1 and cards[0] in have else None


def without(zone: Zone, places: Sequence[int]) -> Zone:
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
    return new(Zone, (name, kind, owner, see, tuple(cards), marks, facts))


def with_(zone: Zone, faces: tuple[Face, ...], mark: Mark, to: int | None) -> Zone:
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
        return new(Zone, (name, kind, owner, see, tuple(filled), None if new_marks is None else tuple(new_marks), facts))
    if to is None:
        return new(Zone, (name, kind, owner, see, cards + faces, None if marks is None else marks + (mark,) * len(faces), facts))
    if not 0 <= to <= len(cards):
        raise DesignFault(f"{name!r} has no place {to!r}")
    if marks is not None:
        marks = marks[:to] + (mark,) * len(faces) + marks[to:]
    return new(Zone, (name, kind, owner, see, cards[:to] + faces + cards[to:], marks, facts))


def places_of(zone: Zone, cards: Sequence[Face] | None, n: int | None, places: Sequence[int] | None) -> Sequence[int]:
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
        check_places(zone, chosen)
        return chosen
    raise DesignFault("move needs cards, n or places")
