"""Table E of the rules page: the exact answer to "can this hand lay the phase, how, and how many cards are missing"."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import sqrt

import pytest

from carteado.plugins.dez_degraus.distance import NEVER, count, distance, lay_out, layouts, need
from carteado.plugins.dez_degraus.phases import match
from carteado.plugins.dez_degraus.rules import CARDS, COLOUR, COLOURS, HIGHEST, PHASES, RUN, WILD, Phase, Wanted, phase

SHARES = (28.290662, 44.513632, 11.514958, 24.468213, 12.562761, 5.299892, 0.959051, 5.904297, 6.231559, 1.012222)
"""Exact shares, in percent, of 11-card hands that can lay phases 1 to 10."""


def hand_of(numbers: str) -> list[str]:
    """Give numbers colours so that no face is there more than twice."""
    seen: Counter[str] = Counter()
    hand = []
    for part in numbers.split():
        if part in ("W", "S") or not part.isdigit():
            hand.append(part)
        else:
            hand.append(f"{COLOURS[seen[part] % 4]}{part}")
            seen[part] += 1
    return hand


@pytest.mark.parametrize(
    ("number", "text", "groups"),
    [
        pytest.param(2, "3 4 5 5 5 6 9 9 9 12", ["9 9 9", "3 4 5 6"], id="E1 the fives are not all taken for the set"),
        pytest.param(1, "7 7 7 7 7 7 1 2 3 4", ["7 7 7", "7 7 7"], id="E2 six sevens make two sets"),
        pytest.param(2, "5 5 W W W W W S S S", ["5 W W", "5 W W W"], id="E3 the two fives are split"),
        pytest.param(6, "9 W W W W W W W W S", ["9 W W W W W W W W"], id="E5 one natural carries a run of nine"),
        pytest.param(8, "R3 R3 R5 R7 W W R9 B1 B2 G4", ["3 3 5 7 9 W W"], id="E7 five reds and two wilds"),
    ],
)
def test_the_way_to_lay_the_phase_is_found(number: int, text: str, groups: list[str]) -> None:
    layout = lay_out(hand_of(text), phase(number))
    assert layout is not None
    found = [sorted(face if face == WILD else face[1:] for face in group) for group in layout.groups]
    assert found == [sorted(group.split()) for group in groups]


def test_e4_four_wilds_do_not_make_a_run_of_seven_of_one_five_nine_twelve() -> None:
    hand = hand_of("1 5 9 12 W W W W S S")
    assert (lay_out(hand, phase(4)), distance(hand, phase(4))) == (None, 1)


def test_e6_wilds_and_skips_alone_lay_no_phase() -> None:
    hand = ["W"] * 8 + ["S"] * 2
    assert [lay_out(hand, wanted) for wanted in PHASES] == [None] * 10


def test_a_hand_without_naturals_needs_one_natural_for_each_group() -> None:
    assert [distance(["W"] * 8 + ["S"] * 2, wanted) for wanted in PHASES] == [2, 2, 2, 1, 1, 1, 2, 1, 2, 2]


def shares(hands: int, seed: int) -> list[float]:
    """Return how many standard errors a sample is off the exact shares."""
    rng = random.Random(seed)
    laid = [0] * len(PHASES)
    for _ in range(hands):
        held = count(rng.sample(CARDS, 11))
        for index, wanted in enumerate(PHASES):
            laid[index] += need(held, wanted) <= held.wilds
    exact = [share / 100 for share in SHARES]
    return [abs(n / hands - p) / sqrt(p * (1 - p) / hands) for n, p in zip(laid, exact, strict=True)]


def test_e9_shares_of_20_000_hands_agree_with_the_exact_ones() -> None:
    assert max(shares(20_000, seed=1)) < 4


@pytest.mark.slow
def test_e9_shares_of_200_000_hands_agree_with_the_exact_ones() -> None:
    assert max(shares(200_000, seed=2)) < 4


# -- brute force


def fillings(part: Wanted, numbers: Counter[int], colours: Counter[str]) -> Iterator[tuple[Counter[int], int]]:
    """Yield (naturals used by number, wilds) of every way to make one group, each with at least one natural."""
    if part.kind == COLOUR:
        for letter in COLOURS:
            for used in range(1, min(colours[letter], part.size) + 1):
                yield Counter(), part.size - used
    elif part.kind == RUN:
        for start in range(1, HIGHEST - part.size + 2):
            present = [n for n in range(start, start + part.size) if numbers[n]]
            for used in range(1, len(present) + 1):
                for chosen in combinations(present, used):
                    yield Counter(chosen), part.size - used
    else:
        for n in numbers:
            for used in range(1, min(numbers[n], part.size) + 1):
                yield Counter({n: used}), part.size - used


def brute_need(hand: list[str], wanted: Phase) -> int:
    naturals = [face for face in hand if face not in ("W", "S")]
    numbers = Counter(int(face[1:]) for face in naturals)
    colours = Counter(face[0] for face in naturals)
    ways = [list(fillings(part, numbers, colours)) for part in wanted]
    if len(ways) == 1:
        return min((wilds for _, wilds in ways[0]), default=NEVER)
    return min(
        (
            first[1] + second[1]
            for first in ways[0]
            for second in ways[1]
            if all(times + second[0][n] <= numbers[n] for n, times in first[0].items())
        ),
        default=NEVER,
    )


def mixed_hands(rng: random.Random) -> Iterator[list[str]]:
    """Yield random hands of every sort: from the whole deck, from few numbers, rich and poor in wilds."""
    while True:
        cards = list(CARDS)
        if rng.random() < 0.6:
            kept = set(rng.sample(range(1, 13), rng.randint(1, 8)))
            cards = [face for face in cards if face in ("W", "S") or int(face[1:]) in kept]
        yield rng.sample(cards, min(len(cards), rng.randint(1, 11)))


def compare(pairs: int, seed: int) -> list[tuple[list[str], Phase]]:
    rng = random.Random(seed)
    wrong = []
    for _, hand in zip(range(pairs), mixed_hands(rng), strict=False):
        wanted = rng.choice(PHASES)
        if need(count(hand), wanted) != brute_need(hand, wanted):
            wrong.append((hand, wanted))
    return wrong


def test_need_agrees_with_brute_force_on_3_000_hands() -> None:
    assert compare(3_000, seed=3) == []


@pytest.mark.long
def test_need_agrees_with_brute_force_on_50_000_hands() -> None:
    assert compare(50_000, seed=4) == []


def test_a_way_is_found_if_and_only_if_the_wilds_reach_and_it_takes_the_fewest() -> None:
    rng = random.Random(5)
    for _, hand in zip(range(3_000), mixed_hands(rng), strict=False):
        wanted = rng.choice(PHASES)
        held = count(hand)
        fewest = need(held, wanted)
        layout = lay_out(hand, wanted)
        assert (layout.wilds if layout else None) == (fewest if fewest <= held.wilds else None)


def test_every_way_that_is_found_is_accepted_and_uses_cards_of_the_hand_only() -> None:
    rng = random.Random(6)
    seen = 0
    for _, hand in zip(range(6_000), mixed_hands(rng), strict=False):
        wanted = rng.choice(PHASES)
        for layout in layouts(hand, wanted):
            laid = match(wanted, layout.groups, layout.low)
            used = Counter(face for group in laid for face in group.cards)
            assert used <= Counter(hand)
            assert [group.cards for group in laid if group.kind == RUN] == [
                group for group, part in zip(layout.groups, wanted, strict=True) if part.kind == RUN
            ]
            seen += 1
    assert seen > 800


def test_distance_is_the_fewest_cards_of_any_kind_that_complete_the_phase() -> None:
    rng = random.Random(8)
    useful = [*[f"R{n}" for n in range(1, 13)], *[f"{colour}1" for colour in "BGY"], WILD]
    for _, hand in zip(range(300), mixed_hands(rng), strict=False):
        wanted = rng.choice(PHASES)
        far = distance(hand, wanted)
        closer = min(distance([*hand, face], wanted) for face in useful)
        assert closer == max(0, far - 1)
        assert (far == 0) == (lay_out(hand, wanted) is not None)
