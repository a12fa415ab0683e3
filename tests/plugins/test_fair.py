"""Every game that comes along is dealt so that people and watchers, without its rules, can prove each hand to its last card."""

from __future__ import annotations

import random

import pytest

from carteado.core.bots import player
from carteado.core.course import announced
from carteado.core.encoding import digest
from carteado.core.errors import Refused
from carteado.core.fair import Chain, contributions, open_seed
from carteado.core.loader import load
from carteado.core.match import Match
from carteado.core.witness import NotDealt, Seen, Witness, seen_of

pytestmark = pytest.mark.slow

LABEL = "t-1/1"
CASES = [
    ("skat", 3, {}), ("skat", 4, {}), ("dez-degraus", 2, {}), ("dez-degraus", 6, {}), ("cascata", 2, {"lock_card": True}),
    ("cascata", 3, {}),
]  # fmt: skip


def hand(name: str, players: int, options: dict[str, object], number: int) -> tuple[Match, dict[int | None, list[Seen]], Witness, Witness]:
    """Play a hand with random and rule players; return it, what everybody saw, and two witnesses of it."""
    game = load(name)
    match = Match(game, options, [{"name": f"P{seat}"} for seat in range(players)], "t-1")
    host, *seats = (Chain(bytes([number, party]) + bytes(30), LABEL) for party in range(players + 1))
    link = host.link(1)
    assert link is not None
    sources = contributions(LABEL, host.anchor, [one.anchor for one in seats], link, [one.link(1) for one in seats], announced(match))
    seed = open_seed(sources, 1, link)
    commit = match.deal(seed, sources)
    viewers: list[int | None] = [None, *range(players)]
    seen = {viewer: [seen_of(match.view(viewer), commit.events(viewer))] for viewer in viewers}
    levels, rng = [player(game, "rule"), player(game, "random")], random.Random(number)
    while match.phase == "playing":
        seat, guesses = min(match.prompts), rng.random() < 0.2
        action = levels[guesses].choose(match.view(seat), rng)
        try:
            commit = match.act(seat, match.prompts[seat].id, action)
        except Refused:
            assert guesses  # forms may be wider than the rules, and only random players try
            continue
        for viewer in viewers:
            seen[viewer].append(seen_of(match.view(viewer), commit.events(viewer)))
    opened = next(event for event in commit.events(None) if event["k"] == "opened")
    assert digest(opened["course"]) == sources["plan"][str(match.table.start)]
    one, two = (Witness(seed, opened["course"], opened["words"]) for _ in range(2))
    return match, seen, one, two


def follow(witness: Witness, seen: list[Seen]) -> None:
    """Let a witness follow a whole hand."""
    witness.dealt(seen[0])
    for version in seen[1:]:
        witness.went_on(version)
    witness.ended()


@pytest.mark.parametrize(("name", "players", "options"), CASES)
@pytest.mark.parametrize("watching", [False, True])
def test_a_hand_is_proven_to_who_plays_and_to_who_watches(name: str, players: int, options: dict[str, object], watching: bool) -> None:
    _, seen, witness, _ = hand(name, players, options, 7)
    follow(witness, seen[None if watching else 0])
    assert witness.checked > 10


@pytest.mark.parametrize(("name", "players", "options"), CASES)
def test_many_hands_are_proven(name: str, players: int, options: dict[str, object]) -> None:
    for number in range(20, 23):
        _, seen, one, two = hand(name, players, options, number)
        follow(one, seen[number % players])
        follow(two, seen[None])


@pytest.mark.parametrize(("name", "players", "options"), CASES)
def test_a_card_that_looks_like_another_is_found(name: str, players: int, options: dict[str, object]) -> None:
    match, seen, witness, _ = hand(name, players, options, 7)
    seat = next(seat for seat in range(players) if f"hand/{seat}" in seen[seat][0].zones)
    held = seen[seat][0].zones[f"hand/{seat}"][2]
    assert held is not None
    other = next(face for face in match.game.pack(match.options) if face not in held)
    with pytest.raises(NotDealt):
        follow(witness, [_exchanged(version, held[0], other) for version in seen[seat]])


def _exchanged(seen: Seen, one: str, other: str) -> Seen:
    """Return a version in which a face looks like another one, everywhere."""

    def new(value: object) -> object:
        if isinstance(value, str):
            return other if value == one else one if value == other else value
        if isinstance(value, list):
            return [new(item) for item in value]
        if isinstance(value, dict):
            return {key: new(item) if key in ("cards", "mine") else item for key, item in value.items()}
        return value

    zones = {name: (kind, n, new(list(faces)) if faces is not None else None) for name, (kind, n, faces) in seen.zones.items()}
    return Seen([new(dict(event)) for event in seen.events], zones)  # type: ignore[arg-type, misc]
