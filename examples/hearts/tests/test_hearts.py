"""Hearts under the conformance kit, and its own facts."""

import pytest
from carteado_hearts import Hearts, cost, legal, taker

from carteado.core.testing import GameSuite


class TestHearts(GameSuite):
    game = Hearts
    variants = ({}, {"target": 26})


def test_the_pack_holds_twenty_six_points() -> None:
    assert sum(cost(card) for card in Hearts.deck.cards) == 26


@pytest.mark.parametrize(
    ("hand", "led", "first", "broken", "expected"),
    [
        (["C2", "CA", "H3"], "", True, False, ["C2"]),
        (["C5", "H3", "SQ"], "C", False, True, ["C5"]),
        (["D5", "H3", "SQ"], "C", True, False, ["D5"]),
        (["H3", "SQ"], "C", True, False, ["H3", "SQ"]),
        (["D5", "H3"], "", False, False, ["D5"]),
        (["H4", "H3"], "", False, False, ["H4", "H3"]),
    ],
    ids=["two of clubs leads", "follow suit", "no points at first", "nothing but points", "hearts not broken", "nothing but hearts"],
)
def test_legal_cards(hand: list[str], led: str, first: bool, broken: bool, expected: list[str]) -> None:
    assert legal(hand, led, first, broken) == expected


def test_the_highest_card_of_the_suit_led_takes_the_trick() -> None:
    assert taker(["C9", "CJ", "SA", "CT"], 0) == 1
