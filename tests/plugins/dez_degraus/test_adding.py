"""Table G of the rules page at the table: who may add what to which group, through the real match."""

from __future__ import annotations

from typing import Any

import pytest

from carteado.core.api import Result

RUN_4_7 = (1, "run", "R4 G5 B6 Y7")
EIGHTS = (1, "set", "R8 B8 G8")
REDS = (2, "colour", "R1 R1 R3 R4 R5 R6 R7")


def group_facts(table: Any, name: str) -> tuple[str, Any, list[Any]]:
    zone = table.match.table.zone(name)
    return " ".join(zone.cards), zone.facts["of"], zone.facts["wilds"]


def test_g2_having_laid_in_an_earlier_hand_does_not_count(play: Any, scene: Any) -> None:
    before = Result(points={0: 0}, keep={"phases": [2, 1, 1]})
    table = play(before, scene({0: "G7 Y1 Y2 Y3"}, groups=[(1, "set", "R7 B7 Y7")]))
    assert table.refused(0, "hit", cards=["G7"], group="group/1") == "lay_first"


def test_g3_after_laying_the_own_set_takes_the_same_number(play: Any, scene: Any) -> None:
    table = play(scene({0: "R8 Y1 Y2"}, groups=[(0, "set", "R8 B8 G8")]))
    table.do(0, "hit", cards=["R8"], group="group/1")
    assert (table.cards("group/1"), table.cards("hand/0")) == ("R8 B8 G8 R8".replace("R8 B8 G8", "B8 G8 R8"), "Y1 Y2")


@pytest.mark.parametrize(
    ("hand", "cards", "low", "expected"),
    [
        pytest.param("G3 Y1 Y2", "G3", None, ("G3 R4 G5 B6 Y7", 3, []), id="G6 a three goes to the low end"),
        pytest.param("G8 Y1 Y2", "G8", None, ("R4 G5 B6 Y7 G8", 4, []), id="G7 an eight goes to the high end"),
        pytest.param("B9 R8 Y2", "B9 R8", None, ("R4 G5 B6 Y7 R8 B9", 4, []), id="G11 nine and eight in one move"),
        pytest.param("W Y1 Y2", "W", 1, ("W R4 G5 B6 Y7", 3, [3]), id="G16 a wild at the low end"),
        pytest.param("W Y1 Y2", "W", None, ("R4 G5 B6 Y7 W", 4, [8]), id="G16 a wild goes high by itself"),
        pytest.param("W W Y2", "W W", 1, ("W R4 G5 B6 Y7 W", 3, [3, 8]), id="G28 two wilds at both ends"),
    ],
)
def test_cards_go_to_the_ends_of_a_run(
    play: Any, scene: Any, hand: str, cards: str, low: int | None, expected: tuple[str, int, list[int]]
) -> None:
    table = play(scene({0: hand}, groups=[RUN_4_7], laid=[0]))
    table.do(0, "hit", cards=cards.split(), group="group/1", **({} if low is None else {"low": low}))
    assert group_facts(table, "group/1") == expected


@pytest.mark.parametrize(
    ("hand", "groups", "cards", "group", "low", "reason"),
    [
        pytest.param("G9 G8 Y1", [RUN_4_7], "G9", 1, None, "gap", id="G8 a nine before the eight"),
        pytest.param("G9 Y1 Y2", [RUN_4_7], "G9", 1, None, "nothing_fits", id="G8 a nine and nothing to join it"),
        pytest.param("G5 G8 Y1", [RUN_4_7], "G5", 1, None, "already_there", id="G9 a five that is there already"),
        pytest.param("R4 G7 Y1", [(1, "run", "R3 W R5 R6")], "R4", 1, None, "wild_fixed", id="G12 a wild stays"),
        pytest.param("B6 B7 Y1", [(1, "run", "R3 G4 R5 W")], "B6", 1, None, "wild_fixed", id="G13 a wild stays"),
        pytest.param(
            "W G5 Y1", [(1, "run", "R6 B7 G8 Y9 R10 B11 G12")], "W", 1, 0, "high_end", id="G17 twelve is the end"
        ),
        pytest.param("W B8 Y1", [(1, "run", "R1 B2 G3 Y4 R5 B6 G7")], "W", 1, 1, "not_offered", id="G18 one is the end"),
        pytest.param(
            "W R1 Y1", [(1, "run", "R1 B2 G3 Y4 R5 B6 G7 Y8 R9 B10 G11 Y12")], "W", 1, None, "nothing_fits", id="G19 full"
        ),
        pytest.param("B9 G8 Y1", [EIGHTS], "B9", 1, None, "mixed_numbers", id="G23 a nine on eights"),
        pytest.param("B9 R9 G8", [EIGHTS, REDS], "R9", 1, None, "mixed_numbers", id="G23 a nine that fits elsewhere"),
        pytest.param("B9 G8 R2", [EIGHTS, REDS], "G8", 2, None, "two_colours", id="G25 a green card on reds"),
        pytest.param("S G8 Y1", [EIGHTS], "S", 1, None, "skip_in_group", id="G27 a skip on a set"),
    ],
)
def test_cards_that_do_not_fit_are_refused(
    play: Any, scene: Any, hand: str, groups: list[Any], cards: str, group: int, low: int | None, reason: str
) -> None:
    table = play(scene({0: hand}, groups=groups, laid=[0]))
    fields = {"cards": cards.split(), "group": f"group/{group}"} | ({} if low is None else {"low": low})
    assert table.refused(0, "hit", **fields) == reason


def test_g10_order_matters_for_single_cards(play: Any, scene: Any) -> None:
    table = play(scene({0: "G9 R8 Y1"}, groups=[RUN_4_7], laid=[0]))
    assert table.refused(0, "hit", cards=["G9"], group="group/1") == "gap"
    table.do(0, "hit", cards=["R8"], group="group/1")
    table.do(0, "hit", cards=["G9"], group="group/1")
    assert table.cards("group/1") == "R4 G5 B6 Y7 R8 G9"


def test_g13_the_seven_goes_after_the_wild(play: Any, scene: Any) -> None:
    table = play(scene({0: "B7 Y1 Y2"}, groups=[(1, "run", "R3 G4 R5 W")], laid=[0]))
    table.do(0, "hit", cards=["B7"], group="group/1")
    assert group_facts(table, "group/1") == ("R3 G4 R5 W B7", 3, [6])


def test_g17_a_wild_on_six_to_twelve_goes_low_named_or_not(play: Any, scene: Any) -> None:
    run = (1, "run", "R6 B7 G8 Y9 R10 B11 G12")
    for fields in ({}, {"low": 1}):
        table = play(scene({0: "W Y1 Y2"}, groups=[run], laid=[0]))
        table.do(0, "hit", cards=["W"], group="group/1", **fields)
        assert group_facts(table, "group/1") == ("W R6 B7 G8 Y9 R10 B11 G12", 5, [5])


def test_g20_a_run_to_twelve_takes_no_one(play: Any, scene: Any) -> None:
    run = (1, "run", "R1 B2 G3 Y4 R5 B6 G7 Y8 R9 B10 G11")
    table = play(scene({0: "Y12 B1 Y3"}, groups=[run], laid=[0]))
    table.do(0, "hit", cards=["Y12"], group="group/1")
    assert table.refused(0, "hit", cards=["B1"], group="group/1") == "nothing_fits"


def test_g21_g22_a_set_takes_wilds_and_its_number(play: Any, scene: Any) -> None:
    table = play(scene({0: "W B8 Y1"}, groups=[(1, "set", "R8 W W")], laid=[0]))
    table.do(0, "hit", cards=["W", "B8"], group="group/1")
    assert group_facts(table, "group/1") == ("R8 W W B8 W", 8, [8, 8, 8])


def test_g29_the_same_wild_sent_twice_is_refused_the_second_time(play: Any, scene: Any) -> None:
    table = play(scene({0: "W R8 Y1"}, groups=[(*EIGHTS[:2], "Y8 B8 G8")], laid=[0]))
    table.do(0, "hit", cards=["W"], group="group/1")
    assert table.refused(0, "hit", cards=["W"], group="group/1") == "not_held"


@pytest.mark.parametrize(("group", "cards"), [(1, "R7 B7 G7 Y7"), (2, "R3 G4 B5 Y6 Y7")])
def test_g30_the_player_chooses_the_group(play: Any, scene: Any, group: int, cards: str) -> None:
    groups = [(1, "set", "R7 B7 G7"), (2, "run", "R3 G4 B5 Y6")]
    table = play(scene({0: "Y7 Y1 Y2"}, groups=groups, laid=[0]))
    table.do(0, "hit", cards=["Y7"], group=f"group/{group}")
    assert sorted(table.cards(f"group/{group}").split()) == sorted(cards.split())


@pytest.mark.parametrize("substitute", [True, False])
def test_g32_groups_of_somebody_who_left_stay_and_take_cards(play: Any, scene: Any, substitute: bool) -> None:
    table = play(scene({0: "Y8 Y1 Y2"}, groups=[EIGHTS], laid=[0]), substitute=substitute)
    table.match.leave(1)
    table.do(0, "hit", cards=["Y8"], group="group/1")
    assert sorted(table.cards("group/1").split()) == ["B8", "G8", "R8", "Y8"]


def test_g33_after_the_discard_the_turn_is_over(play: Any, scene: Any) -> None:
    table = play(scene({0: "R8 Y1 Y2"}, groups=[(*EIGHTS[:2], "Y8 B8 G8")], laid=[0]))
    table.do(0, "discard", cards=["Y1"])
    assert table.refused(0, "hit", cards=["R8"], group="group/1") == "not_asked"


def test_g34_any_number_of_hits_in_one_turn(play: Any, scene: Any) -> None:
    table = play(scene({0: "R8 Y8 W G3 Y1 Y2"}, groups=[(1, "set", "G8 B8 G8"), (2, "run", "R4 G5 B6 Y7")], laid=[0]))
    for card, group in (("R8", 1), ("Y8", 1), ("W", 2), ("G3", 2)):
        table.do(0, "hit", cards=[card], group=f"group/{group}")
    assert (table.turn, table.cards("hand/0")) == (0, "Y1 Y2")


def test_d6_hits_in_the_turn_of_laying(play: Any, scene: Any) -> None:
    table = play(scene({0: "R7 B7 G7 R9 B9 G9 Y7 R8 Y1 Y2"}, groups=[(*EIGHTS[:2], "Y8 B8 G8")]))
    table.do(0, "lay", cards=["R7", "B7", "G7", "R9", "B9", "G9"])
    table.do(0, "hit", cards=["R8"], group="group/1")
    table.do(0, "hit", cards=["Y7"], group="group/2")
    assert table.cards("hand/0") == "Y1 Y2"
