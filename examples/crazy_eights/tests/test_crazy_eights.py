"""Crazy Eights under the conformance kit, and its own facts."""

from carteado_crazy_eights import CrazyEights, fits, worth

from carteado.core.testing import GameSuite


class TestCrazyEights(GameSuite):
    game = CrazyEights
    variants = ({}, {"target": 10})


def test_an_eight_fits_on_anything() -> None:
    assert fits("S8", "C5", "C")


def test_a_rank_does_not_fit_on_an_eight_but_the_named_suit_does() -> None:
    assert [fits("S9", "D8", "H"), fits("H9", "D8", "H")] == [False, True]


def test_what_is_left_costs_as_the_rules_say() -> None:
    assert [worth(card) for card in ("C8", "CT", "CK", "CA", "C7")] == [50, 10, 10, 1, 7]
