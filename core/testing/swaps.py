"""States that one viewer cannot tell from the true one: hidden cards and other seats' facts changed, everything in sight the same."""

from __future__ import annotations

import copy
import itertools
import random
from collections.abc import Iterator
from types import MappingProxyType
from typing import Any

from ..match import Match
from ..zones import HIDDEN, NONEMPTY, SLOTTED, Viewer
from .memory import SEEN, Labels

SHARES = (1.0, 1.0, 0.5, 0.25, 0.1)
"""How much of what is hidden changes places, attempt by attempt; after these, two cards at a time."""


def branch(match: Match) -> Match:
    """Return an independent copy of a match that goes on just as it would, with its log; its journal and version begin anew."""
    other = match.fork(match.table._seed)
    table = other.table
    table._log = list(match.table._log)
    table._vars = copy.deepcopy(table._vars)
    table._mine = copy.deepcopy(table._mine)
    table.kept_facts = copy.deepcopy(table.kept_facts)
    for name, zone in table._zones.items():
        if zone.facts:
            table._zones[name] = zone._replace(facts=MappingProxyType(copy.deepcopy(dict(zone.facts))))
    return other


def pools(match: Match, viewer: Viewer, labels: Labels) -> list[list[tuple[str, int]]]:
    """Return the places whose cards the viewer cannot tell apart, as (zone, place), pool by pool."""
    found: dict[int, list[tuple[str, int]]] = {}
    table = match.table
    for zone in table.zones():
        team = table.team(zone.owner)
        for place, (face, label) in enumerate(zip(zone.cards, labels[zone.name], strict=True)):
            if face and label != SEEN and face not in match.game.telling and not zone.sees(place, viewer, team):
                found.setdefault(label, []).append((zone.name, place))
    return [places for places in found.values() if len({table.cards(zone)[place] for zone, place in places}) > 1]


def swapped(match: Match, viewer: Viewer, labels: Labels, rng: random.Random, share: float) -> Match | None:
    """Return the match with a share of what the viewer cannot tell apart in other places (0: two cards); None when nothing can move."""
    groups = pools(match, viewer, labels)
    if not groups:
        return None
    zones = {zone.name: list(zone.cards) for zone in match.table.zones()}
    if share == 0:
        _swap_two(zones, rng.choice(groups), rng)
    else:
        for places in groups:
            chosen = [place for place in places if rng.random() < share]
            faces = [zones[zone][place] for zone, place in chosen]
            rng.shuffle(faces)
            for (zone, place), face in zip(chosen, faces, strict=True):
                zones[zone][place] = face
    other = branch(match)
    table = other.table
    for name, cards in zones.items():
        table._zones[name] = table._zones[name]._replace(cards=tuple(cards))
    return None if other.table._zones == match.table._zones else other


def _swap_two(zones: dict[str, list[str]], places: list[tuple[str, int]], rng: random.Random) -> None:
    zone, place = rng.choice(places)
    others = [(name, i) for name, i in places if zones[name][i] != zones[zone][place]]
    far = [(name, i) for name, i in others if name != zone] or others
    name, i = rng.choice(far)
    zones[zone][place], zones[name][i] = zones[name][i], zones[zone][place]


def with_other_counts(match: Match, viewer: Viewer, labels: Labels, rng: random.Random) -> Match | None:
    """Return the match with a card moved between zones whose number of cards the viewer does not know; None when there are no two."""
    table = match.table
    levels = {zone.name: zone.level(viewer, table.team(zone.owner)) for zone in table.zones() if zone.kind not in SLOTTED}
    zones = [table.zone(name) for name, level in levels.items() if level in (HIDDEN, NONEMPTY) and table.zone(name).marks is None]
    rng.shuffle(zones)
    for src in zones:
        unknown = [place for place, label in enumerate(labels[src.name]) if label != SEEN]
        spare = len(src.cards) > (levels[src.name] == NONEMPTY)
        for dst in zones:
            if dst is not src and unknown and spare and (dst.cards or levels[dst.name] == HIDDEN):
                other = branch(match)
                place = unknown[-1]
                cards = src.cards[:place] + src.cards[place + 1 :]
                other.table._zones[src.name] = other.table._zones[src.name]._replace(cards=cards)
                other.table._zones[dst.name] = other.table._zones[dst.name]._replace(cards=(*dst.cards, src.cards[place]))
                return other
    return None


def with_other_facts(match: Match, viewer: Viewer, rng: random.Random) -> Match | None:
    """Return the match with the facts that other seats keep for themselves changed; None when there are none."""
    other = branch(match)
    facts = {seat: own for seat, own in other.table._mine.items() if seat != viewer}
    changed = {seat: {key: _tweaked(value, _others(facts, seat, key), rng) for key, value in own.items()} for seat, own in facts.items()}
    other.table._mine.update(changed)
    return other if changed != facts else None


def _others(facts: dict[int, dict[str, Any]], seat: int, key: str) -> list[Any]:
    return [own[key] for other, own in facts.items() if other != seat and key in own]


def _tweaked(value: Any, others: list[Any], rng: random.Random) -> Any:
    """Return another value of the same kind, built of what is there, or what another seat has."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1))
    if isinstance(value, list) and len(value) > 1:
        return rng.sample(value, len(value))
    if isinstance(value, dict):
        return {key: _tweaked(item, [], rng) for key, item in value.items()}
    return rng.choice(others) if others else value


def other_worlds(match: Match, viewer: Viewer, labels: Labels, rng: random.Random, count: int) -> Iterator[tuple[str, Match]]:
    """Iterate over states the viewer cannot tell from this one, each with what was changed."""
    facts = with_other_facts(match, viewer, rng)
    if facts is not None:
        yield "the facts that other seats keep for themselves", facts
    counts = with_other_counts(match, viewer, labels, rng)
    if counts is not None:
        yield "how many cards lie where only others can count them", counts
    for share in [*SHARES, *[0.0] * count][:count]:
        other = swapped(match, viewer, labels, rng, share)
        if other is not None:
            yield "cards that are hidden there", other


def changed_places(match: Match, other: Match) -> list[str]:
    """Return which cards lie elsewhere in the other state, `zone[place]: face -> face`."""
    found = []
    for zone in match.table.zones():
        for place, (one, two) in enumerate(itertools.zip_longest(zone.cards, other.table.cards(zone.name), fillvalue="none")):
            if one != two:
                found.append(f"{zone.name}[{place}]: {one} -> {two}")
    return found
