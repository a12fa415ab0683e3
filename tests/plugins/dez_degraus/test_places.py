"""Tables K (points) and L (places) of the rules page, as far as they are pure."""

from __future__ import annotations

from collections import Counter

import pytest

from carteado.plugins.dez_degraus.places import over, rank_finishers, rank_unfinished
from carteado.plugins.dez_degraus.rules import CARDS, points


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        pytest.param("R1 B9 G5", 15, id="K1 one to nine count five each"),
        pytest.param("R10 B11 G12", 30, id="K2 ten to twelve count ten each"),
        pytest.param("S", 15, id="K3 a skip counts fifteen"),
        pytest.param("R3 W S B12 Y9", 60, id="K5 a mixed hand"),
        pytest.param("", 0, id="K6 no cards, no points"),
    ],
)
def test_cards_left_in_the_hand_count(hand: str, expected: int) -> None:
    assert points(hand.split()) == expected


def test_the_deck_has_108_cards_each_natural_twice_eight_wilds_and_four_skips() -> None:
    counts = Counter(CARDS)
    assert (len(CARDS), counts.pop("W"), counts.pop("S"), len(counts), set(counts.values())) == (108, 8, 4, 48, {2})


@pytest.mark.parametrize(
    ("totals", "went_out", "places"),
    [
        pytest.param({0: 205, 1: 190}, 2, [[1], [0]], id="L3 fewest points come first"),
        pytest.param({0: 205, 1: 190}, 0, [[1], [0]], id="L4 going out does not beat fewer points"),
        pytest.param({0: 200, 1: 200}, 0, [[0], [1]], id="L5 of equals the one who went out comes first"),
        pytest.param({0: 200, 1: 200}, 2, [[0, 1]], id="L6 else equals share the place"),
        pytest.param({0: 100, 1: 100, 2: 90}, None, [[2], [0, 1]], id="L7 a shared second place"),
    ],
)
def test_finishers_are_ranked(totals: dict[int, int], went_out: int | None, places: list[list[int]]) -> None:
    assert rank_finishers(totals, went_out) == places


@pytest.mark.parametrize(
    ("totals", "phases", "places"),
    [
        pytest.param({2: 300, 3: 10}, {2: 9, 3: 8}, [[2], [3]], id="L8 the higher phase comes first"),
        pytest.param({2: 160, 3: 150}, {2: 8, 3: 8}, [[3], [2]], id="L9 then fewer points"),
        pytest.param({2: 150, 3: 150, 1: 90}, {2: 8, 3: 8, 1: 7}, [[2, 3], [1]], id="L9 then the place is shared"),
    ],
)
def test_unfinished_players_are_ranked(totals: dict[int, int], phases: dict[int, int], places: list[list[int]]) -> None:
    assert rank_unfinished(totals, phases) == places


@pytest.mark.parametrize(
    ("players", "finished", "unfinished", "until_three", "expected"),
    [
        pytest.param(4, [], [0, 1, 2, 3], False, False, id="L1 nobody has finished"),
        pytest.param(4, [0], [1, 2, 3], False, True, id="L1 the first to finish ends the match"),
        pytest.param(5, [0], [1, 2, 3, 4], True, False, id="L11 until three: one of five is not enough"),
        pytest.param(5, [0, 1, 2], [3, 4], True, True, id="L12 until three: three of five are"),
        pytest.param(3, [0], [1, 2], True, False, id="D17 of three players two must finish"),
        pytest.param(3, [0, 1], [2], True, True, id="D17 of three players two are enough"),
        pytest.param(2, [0], [1], True, True, id="D17 of two players one is enough"),
        pytest.param(5, [0], [1], True, True, id="D17 one unfinished player cannot go on alone"),
    ],
)
def test_the_match_is_over(
    players: int, finished: list[int], unfinished: list[int], until_three: bool, expected: bool
) -> None:
    assert over(players, finished, unfinished, until_three) == expected
