"""Fill in the cards a seat cannot see: one world it must reckon with, voids that were shown respected."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from .rules import Face, group
from .sight import Sight, sight

View = dict[str, Any]
SKAT = 3
"""The place of the skat, or of what was put away, beside the three positions."""


def rooms(seen: Sight) -> list[int]:
    """Count the unseen cards of each position and of the skat."""
    sizes = [0 if position == seen.me or (position == seen.declarer and seen.shown) else seen.held[position] for position in range(3)]
    knows_skat = bool(seen.put) or (seen.me == seen.declarer and seen.looked)
    return [*sizes, 0 if knows_skat or (seen.looked and seen.contract is None) else 2]


def allowed(face: Face, place: int, voids: Sequence[set[str]], kind: str | None) -> bool:
    """Tell whether a card may lie at a place: nobody holds what he has shown to have none of."""
    return place == SKAT or kind is None or group(face, kind) not in voids[place]


def deal_unseen(seen: Sight, rng: random.Random) -> list[list[Face]]:
    """Deal the unseen cards to the positions and the skat at random, voids respected; what was seen is added by the caller."""
    kind = seen.contract.kind if seen.contract else None
    voids = seen.voids
    sizes = rooms(seen)
    cards = seen.unseen
    places: list[list[Face]] = [[], [], [], []]
    names = [group(face, kind) if kind is not None else "" for face in cards]
    may = {name: [place for place in range(4) if sizes[place] and (place == SKAT or name not in voids[place])] for name in {*names}}
    # Cards with the fewest places first; a dead end is repaired by moving one card on, as in matching.
    order = [(len(may[name]), rng.random(), face, name) for face, name in zip(cards, names, strict=True)]
    for _, _, face, name in sorted(order):
        choices = [place for place in may[name] if len(places[place]) < sizes[place]]
        if choices:
            weights = [sizes[place] - len(places[place]) for place in choices]
            places[rng.choices(choices, weights)[0]].append(face)
        else:
            _make_room(face, places, sizes, voids, kind, rng)
    return places


def _make_room(
    face: Face, places: list[list[Face]], sizes: Sequence[int], voids: Sequence[set[str]], kind: str | None, rng: random.Random
) -> None:
    """Put a card where it may lie by moving others along a shortest chain to a place with room."""
    start = [place for place in range(4) if sizes[place] and allowed(face, place, voids, kind)]
    came: dict[int, tuple[int, Face] | None] = dict.fromkeys(start)
    queue = list(start)
    while queue:
        here = queue.pop(0)
        if len(places[here]) < sizes[here]:
            while (step := came[here]) is not None:
                before, moved = step
                places[before].remove(moved)
                places[here].append(moved)
                here = before
            places[here].append(face)
            return
        held = list(places[here])
        rng.shuffle(held)
        for other in held:
            for place in range(4):
                if place not in came and sizes[place] and allowed(other, place, voids, kind):
                    came[place] = (here, other)
                    queue.append(place)
    raise ValueError(f"no world fits: {face} has no place")


def fill(view: View, rng: random.Random) -> View:
    """Return the view with every hidden card filled in."""
    seen = sight(view)
    if seen is None:
        return view
    places = deal_unseen(seen, rng)
    filled: dict[str, list[Face]] = {}
    for position, seat in enumerate(seen.seats):
        if places[position]:
            filled[f"hand/{seat}"] = places[position]
    secrets: dict[int, Mapping[str, Any]] = {}
    declarer = None if seen.declarer is None else seen.seats[seen.declarer]
    if places[SKAT]:
        filled["skat" if not seen.looked else f"put/{declarer}"] = places[SKAT]
    if seen.looked and seen.declarer is not None and seen.me != seen.declarer:
        # What he found is among the cards he has had since: any two of them.
        twelve = [*places[seen.declarer], *(seen.shown or ()), *places[SKAT]]
        twelve += [face for position, face in seen.played if position == seen.declarer]
        secrets[seen.seats[seen.declarer]] = {"skat": rng.sample(sorted(twelve), 2)}
    zones = [{**zone, "cards": filled.get(zone["name"], zone["cards"] or [])} for zone in view["zones"]]
    return {**view, "zones": zones, "secrets": secrets}
