"""Table D of the rules page: the ten phases, through the pure matching of groups."""

from __future__ import annotations

import pytest

from carteado.plugins.dez_degraus.phases import match
from carteado.plugins.dez_degraus.rules import PHASES, RUN, SET, RuleBroken, phase


def groups(text: str) -> list[list[str]]:
    return [part.split() for part in text.split("/")]


def kinds(number: int, text: str) -> list[str]:
    return [group.kind for group in match(phase(number), groups(text))]


@pytest.mark.parametrize(
    ("number", "text"),
    [
        pytest.param(1, "R7 B7 G7 / R10 B10 W", id="D1a two sets of three"),
        pytest.param(1, "R10 R10 B10 / B10 G10 W", id="D1c two sets of the same number"),
        pytest.param(2, "R5 B5 G5 / R3 B4 Y5 G6", id="D2a a set of three and a run of four"),
        pytest.param(2, "R5 W W / B5 W W W", id="D2d each five carries one group with its wilds"),
        pytest.param(3, "R8 B8 G8 W / R1 B2 G3 Y4", id="D3a a set of four and a run of four"),
        pytest.param(4, "R2 B3 G4 Y5 R6 B7 G8", id="D4a a run of seven"),
        pytest.param(5, "R1 B2 G3 W R5 B6 G7 Y8", id="D5a a run of eight with a wild"),
        pytest.param(6, "R4 B5 G6 Y7 R8 B9 G10 Y11 R12", id="D6a a run of nine"),
        pytest.param(7, "R6 R6 B6 B6 / R9 B9 G9 W", id="D7 two sets of four"),
        pytest.param(8, "G1 G3 G3 G8 G12 W W", id="D8a five greens and two wilds"),
        pytest.param(9, "R4 R4 B4 B4 G4 / R9 W", id="D9a a set of five and a set of two"),
        pytest.param(10, "R2 R2 B2 B2 G2 / R11 B11 W", id="D10 a set of five and a set of three"),
    ],
)
def test_groups_make_the_phase(number: int, text: str) -> None:
    assert kinds(number, text) == [wanted.kind for wanted in PHASES[number - 1]]


@pytest.mark.parametrize(
    ("number", "text", "reason"),
    [
        pytest.param(1, "R7 B7 G7 / W W W", "no_natural", id="D1d every group needs a natural of its own"),
        pytest.param(
            1,
            "R6 B6 G6 / R8 B8 G8 / R10 B10 G10",
            "wrong_groups",
            id="D1f the phase has two groups, not three",
        ),
        pytest.param(2, "R5 B5 G5 / R3 B4 G6", "too_few", id="D2b the run is too short"),
        pytest.param(3, "R8 B8 G8 / R1 B2 G3 Y4 R5", "too_few", id="D3b eight cards, wrongly split"),
        pytest.param(4, "R2 B3 G4 Y5 R6 B7 G7", "repeat", id="D4b the seven is there twice"),
        pytest.param(5, "R1 B2 G3 W R5 B6 G7", "too_few", id="D5b seven cards are too few"),
        pytest.param(
            6, "R4 B5 G6 Y7 R8 B9 G10 Y11 R12 B1", "wraps", id="D6b the one does not fit as a tenth card"
        ),
        pytest.param(7, "R6 R6 B6 B6 / R9 B9 G9", "too_few", id="D7b four and three are not four and four"),
        pytest.param(8, "G1 G3 G3 G8 W W", "too_few", id="D8b four greens and two wilds"),
        pytest.param(9, "R4 R4 B4 B4 / R9 B9 G9", "too_few", id="D9b four and three are not five and two"),
        pytest.param(10, "R2 R2 B2 B2 / R11 R11 B11 B11", "too_few", id="D10b four and four are not five and three"),
        pytest.param(3, "R2 B3 G4 Y5 R6 B7 G8", "wrong_groups", id="D14x a run of seven is not phase three"),
    ],
)
def test_groups_do_not_make_the_phase(number: int, text: str, reason: str) -> None:
    with pytest.raises(RuleBroken) as refused:
        match(phase(number), groups(text))
    assert refused.value.code == reason


def test_d16x_groups_sent_as_run_and_set_are_matched_and_their_kinds_recorded() -> None:
    assert kinds(2, "R3 B4 G5 Y6 / R9 B9 G9") == [RUN, SET]


def test_d27_the_sent_order_decides_when_both_orders_fit() -> None:
    assert kinds(3, "R8 W W W / B5 W W W") == [SET, RUN]


def test_d27_larger_set_may_be_sent_second() -> None:
    assert kinds(9, "R9 W / R4 R4 B4 B4 G4") == [SET, SET]


def test_d28_low_speaks_of_the_run_of_the_phase() -> None:
    laid = match(phase(2), groups("R9 B9 W / B4 G5 Y6 W"), low=1)
    assert [group.wilds() for group in laid] == [[9], [3]]


def test_d28_low_is_refused_in_a_phase_without_a_run() -> None:
    with pytest.raises(RuleBroken) as refused:
        match(phase(1), groups("R7 B7 W / R9 B9 W"), low=1)
    assert refused.value.code == "too_many_low"
