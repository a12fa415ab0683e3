"""Tables A (sets), B (runs) and C (colours) of the rules page, through the pure group functions."""

from __future__ import annotations

import random

import pytest

from carteado.plugins.dez_degraus.groups import build
from carteado.plugins.dez_degraus.rules import CARDS, COLOUR, RUN, SET, WILD, RuleBroken, Wanted


def cards(text: str) -> list[str]:
    return text.split()


def code(wanted: Wanted, text: str, low: int | None = None) -> str:
    with pytest.raises(RuleBroken) as refused:
        build(wanted, cards(text), low)
    return refused.value.code


@pytest.mark.parametrize(
    ("text", "number"),
    [
        pytest.param("R5 B5 G5", 5, id="A1 three fives make a set"),
        pytest.param("R5 R5 B5", 5, id="A2 both copies of the red five may be in a set"),
        pytest.param("R5 B5 W", 5, id="A3 a wild stands for the third five"),
        pytest.param("R12 B12 W W W W", 12, id="A11 a set has no upper limit"),
    ],
)
def test_cards_make_a_set(text: str, number: int) -> None:
    group = build(Wanted(SET, 3), cards(text))
    assert (group.kind, group.of, sorted(group.cards)) == (SET, number, sorted(cards(text)))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("R5 B5 G6", "mixed_numbers", id="A6 a six does not belong to fives"),
        pytest.param("R5 B5", "too_few", id="A7 two cards are too few for a set of three"),
        pytest.param("R5 B5 S", "skip_in_group", id="A8 a skip cannot be in a group"),
        pytest.param("W W W", "no_natural", id="A a set needs a natural card"),
    ],
)
def test_cards_do_not_make_a_set(text: str, reason: str) -> None:
    assert code(Wanted(SET, 3), text) == reason


@pytest.mark.parametrize(
    ("size", "text", "low", "lowest", "wilds"),
    [
        pytest.param(4, "R3 W G5 Y6", None, 3, [4], id="B3 a wild fills the inner gap"),
        pytest.param(4, "B4 G5 Y6 W", None, 4, [7], id="B4 a spare wild goes to the high end"),
        pytest.param(4, "B4 G5 Y6 W", 1, 3, [3], id="B5 the spare wild goes low when the move says so"),
        pytest.param(4, "R1 B2 G3 W", None, 1, [4], id="B10 after one two three the wild is four"),
        pytest.param(4, "R11 B12 W W", None, 9, [9, 10], id="B11 eleven and twelve leave only the low end"),
        pytest.param(4, "Y6 R3 G5 B4", None, 3, [], id="B18 the order of selection does not matter"),
        pytest.param(9, "R9 W W W W W W W W", None, 4, [4, 5, 6, 7, 8, 10, 11, 12], id="B20 one nine and eight wilds"),
        pytest.param(9, "R1 B2 G3 Y4 R5 B6 G7 Y8 R9 B10 G11 Y12", None, 1, [], id="B21 twelve naturals for nine"),
        pytest.param(9, "R1 B2 G3 Y4 R5 B6 G7 Y8 R9 B10 G11 W", None, 1, [12], id="B22 one to eleven and a wild"),
        pytest.param(9, "B2 G3 Y4 R5 B6 G7 Y8 R9 B10 G11 Y12 W", None, 1, [1], id="B23 two to twelve and a wild"),
        pytest.param(7, "R2 B3 W G5 Y6 W R8", None, 2, [4, 7], id="B26 two wilds in two gaps"),
        pytest.param(4, "R5 W W W", 3, 2, [2, 3, 4], id="B all spare wilds may go low"),
        pytest.param(4, "R5 W W W", 0, 5, [6, 7, 8], id="B none of the spare wilds may go low"),
    ],
)
def test_cards_make_a_run(size: int, text: str, low: int | None, lowest: int, wilds: list[int]) -> None:
    group = build(Wanted(RUN, size), cards(text), low)
    assert (group.low, group.wilds(), sorted(group.cards)) == (lowest, wilds, sorted(cards(text)))


@pytest.mark.parametrize(
    ("size", "text", "low", "reason"),
    [
        pytest.param(4, "W W W W", None, "no_natural", id="B8 four wilds are no run"),
        pytest.param(4, "R11 B12 W G1", None, "wraps", id="B13 a run does not go on from twelve to one"),
        pytest.param(4, "R3 B4 G6 Y7", None, "gap", id="B15 the five is missing"),
        pytest.param(4, "R3 W G6 Y7", None, "gap", id="B16 one wild does not fill a gap of two"),
        pytest.param(
            9, "R1 B2 G3 Y4 R5 B6 G7 Y8 R9 B10 G11 Y12 W", None, "run_full", id="B24 a run has at most twelve cards"
        ),
        pytest.param(4, "R5 B6 G7", None, "too_few", id="B25 three cards are too few for a run of four"),
        pytest.param(4, "R5 B6 G7 Y7", None, "repeat", id="B a number may be there once only"),
        pytest.param(4, "R5 B6 G7 S", None, "skip_in_group", id="B a skip cannot be in a run"),
        pytest.param(4, "R1 B2 G3 W", 1, "low_end", id="B a wild cannot lie below the one"),
        pytest.param(4, "R11 B12 W W", 1, "high_end", id="B a wild cannot lie above the twelve"),
        pytest.param(4, "B4 G5 Y6 W", 2, "too_many_low", id="B more low wilds than there are spare"),
        pytest.param(4, "B4 W Y6 R7", 1, "too_many_low", id="B a wild that fills a gap is not spare"),
    ],
)
def test_cards_do_not_make_a_run(size: int, text: str, low: int | None, reason: str) -> None:
    assert code(Wanted(RUN, size), text, low) == reason


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("R1 R1 R5 R7 R9 R11 R12", id="C1 seven reds in any order, one of them twice"),
        pytest.param("R4 W W W W W W", id="C3 one red and six wilds"),
        pytest.param("R1 R2 R3 R4 R5 R6 R7 R8 R9", id="C8 nine reds are laid as seven of a colour"),
    ],
)
def test_cards_make_a_colour(text: str) -> None:
    group = build(Wanted(COLOUR, 7), cards(text))
    assert (group.kind, group.of, sorted(group.cards)) == (COLOUR, "R", sorted(cards(text)))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("R1 R2 R3 R4 R5 R6 B7", "two_colours", id="C5 six reds and a blue"),
        pytest.param("R1 R2 R3 R4 R5 R6", "too_few", id="C7 six reds are too few"),
        pytest.param("R1 R2 R3 R4 R5 W B1", "two_colours", id="C9 a wild does not turn the blue card red"),
        pytest.param("W W W W W W W", "no_natural", id="C a colour needs a natural card"),
    ],
)
def test_cards_do_not_make_a_colour(text: str, reason: str) -> None:
    assert code(Wanted(COLOUR, 7), text) == reason


def test_whether_cards_make_a_group_never_depends_on_their_order() -> None:
    rng = random.Random(7)
    small = [face for face in CARDS if face == WILD or face[1:] in ("3", "4", "5", "6")]
    for _ in range(400):
        picked = rng.sample(small, 4)
        shuffled = rng.sample(picked, 4)
        for wanted in (Wanted(SET, 3), Wanted(RUN, 4), Wanted(COLOUR, 3)):
            assert outcome(wanted, picked) == outcome(wanted, shuffled)


def outcome(wanted: Wanted, picked: list[str]) -> object:
    try:
        return build(wanted, picked)
    except RuleBroken as broken:
        return broken.code
