"""What a viewer cannot see makes no difference to the viewer: permute it, and view, events, forms and refusals stay the same.

Every pack here has each face once. In every state of random matches two faces that a viewer cannot see are exchanged everywhere (zones,
the other seats' facts, sealed answers and messages), and both worlds are compared through everything the viewer gets.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from tablegames import GAMES, random_match, redo

from carteado.core.bots import sample_action
from carteado.core.encoding import canonical
from carteado.core.errors import Refused
from carteado.core.match import Match
from carteado.core.zones import Viewer

PLAYED = [("passing", 3, 11), ("passing", 3, 12), ("peaks", 2, 13), ("peaks", 2, 14), ("partners", 4, 15), ("partners", 4, 16)]
which = pytest.mark.parametrize("which", PLAYED, ids=str)


@cache
def recorded(name: str, players: int, number: int) -> Match:
    """Return a whole match of random players."""
    return random_match(GAMES[name](), players, number)


def swapped(value: Any, one: str, two: str) -> Any:
    """Return data with two faces exchanged wherever they occur."""
    if isinstance(value, dict):
        return {key: swapped(item, one, two) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(swapped(item, one, two) for item in value)
    return {one: two, two: one}.get(value, value) if isinstance(value, str) else value


def unseen(match: Match, viewer: Viewer) -> list[str]:
    """Return the faces that no zone, fact or message shows to a viewer, by looking for them in the view."""
    text = canonical([match.view(viewer)])
    return [face for face in match.table.all_cards() if canonical(face) not in text]


def exchange(match: Match, viewer: Viewer, one: str, two: str) -> None:
    """Exchange two faces everywhere the viewer cannot see."""
    table = match.table
    table._zones = {name: zone._replace(cards=swapped(zone.cards, one, two)) for name, zone in table._zones.items()}
    table._mine = {seat: facts if seat == viewer else swapped(facts, one, two) for seat, facts in table._mine.items()}
    table._sealed = {seat: answer if seat == viewer else swapped(answer, one, two) for seat, answer in table._sealed.items()}
    table._log = [
        line if line[1] is None or line[1] == viewer else (swapped(line[0], one, two), line[1], line[2]) for line in table._log
    ]


def worlds(name: str, players: int, number: int) -> Iterator[tuple[Match, Match, Match, Viewer, str, str]]:
    """Yield a state, the same and one that a viewer cannot tell from it, for random viewers in the states of a random match."""
    journal = recorded(name, players, number).journal
    match = Match(GAMES[name](), journal.header["options"], journal.header["seats"])
    rng = random.Random(number)
    for entry in journal.entries:
        redo(match, entry)
        viewer = rng.choice([*range(players), None])
        hidden = unseen(match, viewer)
        if match.phase != "playing" or len(hidden) < 2:
            continue
        one, two = rng.sample(hidden, 2)
        same, other = match.fork(match.table._seed), match.fork(match.table._seed)
        for fork in (same, other):
            fork.table._log = list(match.table._log)
        exchange(other, viewer, one, two)
        yield match, same, other, viewer, one, two


def outcome(match: Match, seat: int, prompt: int, action: Any) -> list[Any]:
    """Return what a seat is answered: a refusal with its data, or that the action is taken."""
    try:
        match.try_act(seat, prompt, action)
    except Refused as refusal:
        return refusal.message
    return ["taken", {}]


@which
def test_views_do_not_depend_on_what_the_viewer_cannot_see(which: tuple[str, int, int]) -> None:
    compared = 0
    for _, same, other, viewer, _, _ in worlds(*which):
        assert same.view(viewer) == other.view(viewer)
        compared += 1
    assert compared > 5


@which
def test_forms_and_refusals_do_not_depend_on_what_the_seat_cannot_see(which: tuple[str, int, int]) -> None:
    compared = 0
    for _, same, other, viewer, _, _ in worlds(*which):
        if viewer is None or viewer not in same.prompts:
            continue
        prompt = same.prompts[viewer].id
        for action in attempts(same, viewer):
            assert outcome(same, viewer, prompt, action) == outcome(other, viewer, prompt, action)
            compared += 1
    assert compared > 20


def attempts(match: Match, seat: int) -> list[dict[str, Any]]:
    """Return many actions, most of them wrong: every form with every card, place, zone and number in it."""
    view = match.view(seat)
    found: list[dict[str, Any]] = [{"type": "fly"}]
    for form in view["prompts"][0]["forms"]:
        base = {"type": form["type"]}
        found += [base, base | {"x": 1}]
        for name in form["fields"]:
            found += [base | {name: [face]} for face in match._pack]
            found += [base | {name: value} for value in (*range(-1, 7), "discard", "hand/0", "hand/1", True, None)]
    found += [action for i in range(6) if (action := sample_action(match.rules, view, random.Random(i)))]
    return found


@which
def test_the_events_of_the_next_action_do_not_depend_on_what_the_viewer_cannot_see_before_or_after(which: tuple[str, int, int]) -> None:
    compared = 0
    played = recorded(*which)
    for match, same, other, viewer, one, two in worlds(*which):
        if match.q == played.q:
            continue
        entry = played.journal.entries[match.q]
        if entry["k"] == "hand":
            continue
        mine = entry.get("seat") == viewer
        told = redo(same, entry)
        try:
            again = redo(other, entry if mine else swapped(entry, one, two))
        except Refused:
            assert not mine
            continue
        if {one, two} & {face for face in match._pack if canonical(face) in canonical([told.events(viewer), same.view(viewer)])}:
            continue
        assert told.events(viewer) == again.events(viewer)
        assert same.view(viewer) == other.view(viewer)
        compared += 1
    assert compared > 2
