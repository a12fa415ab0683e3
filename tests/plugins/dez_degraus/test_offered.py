"""Forms offer exactly what can be part of an accepted filling: compared with trying everything."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from carteado.core.match import Match
from carteado.plugins.dez_degraus import game
from carteado.plugins.dez_degraus.advice import sample
from carteado.plugins.dez_degraus.distance import lay_out, lows, usable
from carteado.plugins.dez_degraus.groups import Group, build, hit, takers
from carteado.plugins.dez_degraus.rules import CARDS, COLOUR, PHASES, RUN, SET, Phase, RuleBroken, Wanted
from carteado.plugins.dez_degraus.split import split


def selections(hand: Sequence[str], least: int = 1) -> Iterator[list[str]]:
    """Yield every choice of cards from a hand, equal faces taken for one another."""
    seen = set()
    for size in range(least, len(hand) + 1):
        for chosen in combinations(sorted(hand), size):
            if chosen not in seen:
                seen.add(chosen)
                yield list(chosen)


def lays(hand: Sequence[str], phase: Phase, low: int | None = None) -> list[list[str]]:
    """Return every choice of cards that lays the phase."""
    found = []
    for cards in selections(hand, sum(part.size for part in phase)):
        try:
            split(phase, cards, low)
        except RuleBroken:
            continue
        found.append(cards)
    return found


def layable(rng: random.Random) -> tuple[list[str], Phase]:
    """Return a hand of nine or ten cards that can lay a phase."""
    while True:
        phase = rng.choice(PHASES)
        kept = set(rng.sample(range(1, 13), rng.randint(2, 9)))
        few = [face for face in CARDS if face in ("W", "S") or int(face[1:]) in kept]
        hand = rng.sample(few, min(len(few), rng.randint(9, 10)))
        if lay_out(hand, phase):
            return hand, phase


def test_the_cards_offered_for_laying_are_exactly_those_that_some_lay_uses() -> None:
    rng = random.Random(21)
    for _ in range(40):
        hand, phase = layable(rng)
        assert usable(hand, phase) == {face for cards in lays(hand, phase) for face in cards}


def test_the_low_ends_offered_for_laying_are_exactly_those_that_some_lay_has() -> None:
    rng = random.Random(22)
    seen = 0
    for _ in range(120):
        hand, phase = layable(rng)
        runs = any(part.kind == RUN for part in phase)
        if not runs or not 1 <= hand.count("W") <= 3:
            continue
        expected = [k for k in range(hand.count("W") + 2) if lays(hand, phase, low=k)]
        assert lows(hand, phase) == expected
        seen += 1
    assert seen > 15


def groups(rng: random.Random) -> list[Group]:
    """Return one to three groups of all kinds."""
    found = []
    for kind in rng.sample((SET, RUN, COLOUR, RUN), rng.randint(1, 3)):
        if kind == RUN:
            low = rng.randint(1, 8)
            size = rng.randint(4, min(9, 13 - low))
            cards = [f"{rng.choice('RBGY')}{n}" for n in range(low, low + size)]
            cards[rng.randrange(1, size)] = "W"
        else:
            cards = ["R5", "B5", "W"] if kind == SET else ["R1", "R2", "R3", "R9", "R12", "W", "W"]
        found.append(build(Wanted(kind, 1), cards))
    return found


def accepted(hand: Sequence[str], group: Group, low: int | None = None) -> list[list[str]]:
    """Return every choice of cards that can be added to the group in one move."""
    found = []
    for cards in selections(hand):
        try:
            hit(group, cards, low)
        except RuleBroken:
            continue
        found.append(cards)
    return found


def test_the_cards_offered_for_a_hit_are_exactly_those_that_some_hit_uses() -> None:
    rng = random.Random(23)
    for _ in range(150):
        hand = rng.sample(CARDS, 5) + ["W"] * rng.randint(0, 2)
        for group in groups(rng):
            assert takers(group, Counter(hand)) == {face for cards in accepted(hand, group) for face in cards}


def test_the_low_ends_offered_for_a_hit_are_exactly_those_that_some_hit_has(play: Any, scene: Any) -> None:
    rng = random.Random(24)
    seen = 0
    for _ in range(60):
        table = [
            (1, "run", "R4 G5 B6 Y7"),
            (1, "run", "R5 B6 G7 Y8 R9 B10 G11 Y12"),
            (1, "run", "R1 B2 G3 Y4 R5"),
            (1, "set", "R11 B11 W"),
        ]
        picked = rng.sample(table, rng.randint(1, 2))
        used = Counter(face for _, _, cards in picked for face in cards.split())
        pack = list((Counter(face for face in CARDS if face not in ("W", "S")) - used).elements())
        hand = rng.sample(pack, rng.randint(1, 3)) + ["W"] * rng.randint(1, 2)
        match = play(scene({0: " ".join(hand)}, groups=picked, laid=[0], discards="")).match
        (form,) = [form for form in match.view(0)["prompts"][0]["forms"] if form["type"] == "hit"]
        laid = [Group(zone.facts["kind"], zone.facts["of"], zone.cards) for zone in match.table.zones("group/")]
        if all(group.kind != RUN for group in laid):
            assert "low" not in form["fields"]
            continue
        offered = [item["value"] for item in form["fields"]["low"]["of"]]
        assert offered == [k for k in range(4) if any(accepted(hand, group, k) for group in laid)]
        seen += 1
    assert seen > 40


def test_random_fillings_are_always_accepted_and_every_kind_of_action_comes_up() -> None:
    kinds = Counter[str]()
    rng = random.Random(25)
    for options in ({}, {"until_three": True}, {"next_only": True}):
        match = Match(game, options, [{"name": name} for name in "ABC"])
        for _ in range(1_200):
            if match.phase == "over":
                break
            if match.phase == "dealing":
                match.deal(rng.randbytes(32))
            (seat,) = match.prompts
            view = match.view(seat, captions=False)
            form = rng.choice([form for form in view["prompts"][0]["forms"] if form["blocked"] is None])
            action = sample(view, form, rng) or {"type": form["type"]}
            match.act(seat, match.prompts[seat].id, action)
            kinds["lay flat" if action["type"] == "lay" and "cards" in action else action["type"]] += 1
    assert sorted(kinds) == ["discard", "draw", "hit", "lay", "lay flat", "take"]
