"""A player selects cards without splitting them: the groups are found exactly, with every selected card used."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest

from carteado.plugins.dez_degraus.distance import lay_out
from carteado.plugins.dez_degraus.phases import match
from carteado.plugins.dez_degraus.rules import CARDS, PHASES, Phase, RuleBroken, phase
from carteado.plugins.dez_degraus.split import split


@pytest.mark.parametrize(
    ("number", "text", "groups"),
    [
        (1, "R7 B7 G7 R10 B10 W", ["R7 B7 G7", "R10 B10 W"]),
        (1, "R7 B7 G7 R7 B7 G7", ["B7 B7 G7", "G7 R7 R7"]),
        (2, "R3 B4 R5 B5 G5 G6 R9 G9 Y9 W", None),
        (2, "R3 B4 R5 G6 R9 G9 Y9", ["R9 G9 Y9", "R3 B4 R5 G6"]),
        (2, "R5 B5 W W W W W", ["R5 W W", "B5 W W W"]),
        (9, "R4 B4 G4 Y4 R4 R9 B9", ["R4 B4 G4 Y4 R4", "R9 B9"]),
        (9, "R9 B9 R4 B4 G4 Y4 R4 G4", ["R4 B4 G4 Y4 R4 G4", "R9 B9"]),
        (6, "R1 B2 G3 Y4 R5 B6 G7 Y8 R9 B10 G11", ["R1 B2 G3 Y4 R5 B6 G7 Y8 R9 B10 G11"]),
    ],
)
def test_a_flat_selection_is_split_into_the_groups_of_the_phase(
    number: int, text: str, groups: list[str] | None
) -> None:
    if groups is None:
        with pytest.raises(RuleBroken) as refused:
            split(phase(number), text.split())
        assert refused.value.code == "no_split"
    else:
        found = [sorted(group.cards) for group in split(phase(number), text.split())]
        assert found == [sorted(group.split()) for group in groups]


@pytest.mark.parametrize(
    ("number", "text", "reason"),
    [
        (1, "R7 B7 G7 R10 B10 S", "skip_in_group"),
        (1, "R7 B7 G7 R10 B10", "too_few"),
        (1, "R7 W W W W W", "no_natural"),
        (1, "R7 B7 G7 R10 B10 R11", "no_split"),
        (4, "R2 B3 G4 Y5 R6 B7 G7", "repeat"),
        (4, "R2 B3 G4 Y5 R6 B7 G9", "gap"),
    ],
)
def test_a_selection_that_makes_no_phase_is_refused_with_the_reason(number: int, text: str, reason: str) -> None:
    with pytest.raises(RuleBroken) as refused:
        split(phase(number), text.split())
    assert refused.value.code == reason


def test_low_finds_the_split_that_can_keep_it() -> None:
    laid = split(phase(2), ["R9", "B9", "W", "W", "B4", "G5", "Y6", "W"], low=2)
    assert [group.wilds() for group in laid] == [[9], [2, 3]]


def any_split(wanted: Phase, cards: list[str]) -> bool:
    """Try every way to give each card to one group of the phase."""
    for given in product(range(len(wanted)), repeat=len(cards)):
        parts = [[face for face, to in zip(cards, given, strict=True) if to == group] for group in range(len(wanted))]
        try:
            match(wanted, parts)
        except RuleBroken:
            continue
        return True
    return False


def selections(rng: random.Random) -> list[str]:
    """Return cards that often make a phase: a laid phase with cards added or exchanged."""
    wanted = rng.choice(PHASES)
    while True:
        kept = set(rng.sample(range(1, 13), rng.randint(2, 8)))
        few = [face for face in CARDS if face == "W" or (face != "S" and int(face[1:]) in kept)]
        hand = rng.sample(few, min(11, len(few)))
        layout = lay_out(hand, wanted)
        if layout is not None:
            used = [face for group in layout.groups for face in group]
            rest = list((Counter(hand) - Counter(used)).elements())
            return (used + rng.sample(rest, min(len(rest), rng.randint(0, 2))))[:9]


@pytest.mark.slow
def test_a_split_is_found_exactly_when_some_way_of_sharing_the_cards_makes_the_phase() -> None:
    rng = random.Random(11)
    outcomes = Counter[bool]()
    for _ in range(300):
        cards = selections(rng)
        wanted = rng.choice([part for part in PHASES if sum(group.size for group in part) <= len(cards)] or PHASES)
        try:
            laid = split(wanted, cards)
        except RuleBroken:
            found = False
        else:
            found = True
            assert Counter(face for group in laid for face in group.cards) == Counter(cards)
        assert found == any_split(wanted, cards)
        outcomes[found] += 1
    assert min(outcomes.values()) > 30
