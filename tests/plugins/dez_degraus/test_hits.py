"""Table G of the rules page: adding cards to a group on the table, through the pure group function."""

from __future__ import annotations

import pytest

from carteado.plugins.dez_degraus.groups import Group, build, fits, hit
from carteado.plugins.dez_degraus.rules import COLOUR, FACES, RUN, SET, RuleBroken, Wanted


def run(text: str) -> Group:
    return build(Wanted(RUN, 4), text.split())


def straight(low: int, high: int) -> Group:
    return build(Wanted(RUN, 4), [f"{'RBGY'[n % 4]}{n}" for n in range(low, high + 1)])


EIGHTS = build(Wanted(SET, 3), ["R8", "B8", "G8"])
REDS = build(Wanted(COLOUR, 7), ["R1", "R1", "R3", "R4", "R5", "R6", "R7"])


@pytest.mark.parametrize(
    ("group", "text", "low", "span", "wilds"),
    [
        pytest.param(straight(4, 7), "G3", None, (3, 7), [], id="G6 a three goes below four to seven"),
        pytest.param(straight(4, 7), "G8", None, (4, 8), [], id="G7 an eight goes above four to seven"),
        pytest.param(straight(4, 7), "B9 R8", None, (4, 9), [], id="G11 nine and eight in one move, in any order"),
        pytest.param(run("R3 G4 R5 W"), "B7", None, (3, 7), [6], id="G13 a seven goes after the wild that is six"),
        pytest.param(straight(4, 7), "W", 1, (3, 7), [3], id="G16 a wild goes low when the move says so"),
        pytest.param(straight(6, 12), "W", 1, (5, 12), [5], id="G17 a wild goes below six to twelve"),
        pytest.param(straight(6, 12), "W", None, (5, 12), [5], id="G17 with no end named it goes where it can"),
        pytest.param(straight(1, 11), "Y12", None, (1, 12), [], id="G20 a twelve fills the run"),
        pytest.param(straight(4, 7), "W W", 1, (3, 8), [3, 8], id="G28 two wilds go to both ends"),
        pytest.param(straight(4, 7), "W G9", None, (4, 9), [8], id="G a wild bridges to the nine"),
        pytest.param(straight(4, 7), "W G2 W", 1, (1, 7), [1, 3], id="G one wild bridges, the spare one goes low"),
        pytest.param(straight(4, 7), "W G2 W", None, (2, 8), [3, 8], id="G one wild bridges, the spare one goes high"),
    ],
)
def test_cards_are_added_to_a_run(
    group: Group, text: str, low: int | None, span: tuple[int, int], wilds: list[int]
) -> None:
    grown = hit(group, text.split(), low)
    assert (grown.low, grown.high, grown.wilds()) == (*span, wilds)


@pytest.mark.parametrize(
    ("group", "text", "low", "reason"),
    [
        pytest.param(straight(4, 7), "G9", None, "gap", id="G8 a nine does not follow on the seven"),
        pytest.param(straight(4, 7), "G5", None, "already_there", id="G9 the five is already there"),
        pytest.param(run("R3 W R5 R6"), "B4", None, "wild_fixed", id="G12 the wild that is four is not replaced"),
        pytest.param(run("R3 G4 R5 W"), "B6", None, "wild_fixed", id="G13 the wild that is six is not replaced"),
        pytest.param(straight(6, 12), "W", 0, "high_end", id="G17 twelve is the end"),
        pytest.param(straight(1, 7), "W", 1, "low_end", id="G18 one is the end"),
        pytest.param(straight(1, 12), "W", None, "run_full", id="G19 a wild on a full run"),
        pytest.param(straight(1, 12), "R5", None, "run_full", id="G19 a natural on a full run"),
        pytest.param(straight(1, 12), "R1", None, "run_full", id="G20 a one does not follow on the twelve"),
        pytest.param(straight(5, 12), "R1", None, "wraps", id="G20 nor while the run has room"),
        pytest.param(straight(4, 7), "R8 B8", None, "repeat", id="G the same number twice in one move"),
        pytest.param(straight(4, 7), "S", None, "skip_in_group", id="G27 a skip on a run"),
        pytest.param(straight(4, 7), "W G9", 1, "too_many_low", id="G the wild that bridges is not spare"),
        pytest.param(EIGHTS, "B9", None, "mixed_numbers", id="G23 a nine on a set of eights"),
        pytest.param(EIGHTS, "S", None, "skip_in_group", id="G27 a skip on a set"),
        pytest.param(EIGHTS, "W", 1, "too_many_low", id="G a set has no low end"),
        pytest.param(REDS, "B9", None, "two_colours", id="G25 a blue card on a red group"),
        pytest.param(REDS, "S", None, "skip_in_group", id="G27 a skip on a colour"),
    ],
)
def test_cards_are_not_added(group: Group, text: str, low: int | None, reason: str) -> None:
    with pytest.raises(RuleBroken) as refused:
        hit(group, text.split(), low)
    assert refused.value.code == reason


def test_g10_a_nine_waits_for_the_eight() -> None:
    with pytest.raises(RuleBroken) as refused:
        hit(straight(4, 7), ["B9"])
    grown = hit(hit(straight(4, 7), ["R8"]), ["B9"])
    assert (refused.value.code, grown.low, grown.high) == ("gap", 4, 9)


def test_g21_a_wild_goes_on_a_set() -> None:
    assert hit(EIGHTS, ["W"]).wilds() == [8]


def test_g22_a_natural_goes_on_a_set_of_one_natural_and_wilds() -> None:
    grown = hit(build(Wanted(SET, 3), ["R8", "W", "W"]), ["B8"])
    assert (grown.of, sorted(grown.cards)) == (8, ["B8", "R8", "W", "W"])


def test_g30_a_seven_fits_a_set_of_sevens_and_a_run_up_to_six() -> None:
    sevens = build(Wanted(SET, 3), ["R7", "B7", "G7"])
    assert [fits(sevens, "Y7"), fits(straight(3, 6), "Y7")] == [True, True]


@pytest.mark.parametrize(
    "group", [straight(4, 7), straight(6, 12), straight(1, 7), straight(1, 12), run("R3 G4 R5 W"), EIGHTS, REDS]
)
def test_a_card_fits_exactly_when_the_hit_is_accepted(group: Group) -> None:
    accepted = []
    for face in FACES:
        try:
            hit(group, [face])
        except RuleBroken:
            continue
        accepted.append(face)
    assert [face for face in FACES if fits(group, face)] == accepted
