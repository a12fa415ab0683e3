"""Table I of the rules page: whom a skip hits and when it has no effect, through the real match."""

from __future__ import annotations

from typing import Any

import pytest

from carteado.core.api import Result

TEN = "Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9"


def turn(table: Any, player: int, *thrown: str, **fields: Any) -> None:
    """Draw from the stock, then discard a card (the first natural if none is named)."""
    table.do(player, "draw")
    naturals = [face for face in table.cards(f"hand/{player}").split() if face not in ("W", "S")]
    table.do(player, "discard", cards=[*thrown, *naturals][:1], **fields)


def test_i1_the_one_named_is_passed_over_when_the_turn_comes(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN + " S W"}))
    table.do(0, "discard", cards=["S"], seat=2)
    first = table.turn
    turn(table, 1)
    assert (first, table.turn) == (1, 0)


def test_i2_naming_the_next_player_passes_over_that_one_at_once(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN + " S W"}))
    table.do(0, "discard", cards=["S"], seat=1)
    assert table.turn == 2


def test_i3_with_two_possible_targets_one_must_be_named(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN + " S W"}))
    assert (table.refused(0, "discard", cards=["S"]), table.cards("hand/0").split().count("S")) == ("choose_target", 1)


def test_i4_nobody_skips_himself(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN + " S W"}))
    assert table.refused(0, "discard", cards=["S"], seat=0) == "not_offered"


def test_i5_who_has_finished_cannot_be_named(play: Any, scene: Any) -> None:
    done = Result(points={}, keep={"phases": [11, 3, 3, 3]}, finished=[[0]])
    table = play(done, scene({1: TEN + " S W"}, turn=1), players=4, until_three=True)
    assert table.refused(1, "discard", cards=["S"], seat=0) == "not_offered"


def test_i5_who_left_without_a_substitute_cannot_be_named(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN + " S W"}), players=4, substitute=False)
    table.match.leave(2)
    assert table.refused(0, "discard", cards=["S"], seat=2) == "not_offered"


def test_i5_a_substitute_can_be_named(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN + " S W"}), players=4)
    table.match.leave(2)
    table.do(0, "discard", cards=["S"], seat=2)
    assert table.match.table.get("skips") == [2]


def test_i6_with_two_players_the_target_is_implied(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN + " S W"}), players=2)
    table.do(0, "discard", cards=["S"])
    assert (table.turn, "dd.log.skips" in table.said()) == (0, True)


def test_i7_a_second_skip_in_a_row_has_no_effect_with_two_players(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN[:-3] + " S S W"}), players=2)
    table.do(0, "discard", cards=["S"])
    turn(table, 0, "S")
    assert (table.turn, table.said()[-1]) == (1, "dd.log.no_effect")


def test_i8_nobody_is_named_twice_before_losing_the_turn(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN + " S W", 1: TEN.replace("Y", "B") + " S"}))
    table.do(0, "discard", cards=["S"], seat=2)
    table.do(1, "draw")
    assert table.refused(1, "discard", cards=["S"], seat=2) == "not_offered"
    table.do(1, "discard", cards=["S"], seat=0)
    assert table.match.table.get("served") == [2, 0]


def test_i9_a_third_skip_has_no_effect_when_both_others_have_not_played_since(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN + " S W", 1: TEN.replace("Y", "B")[:-3] + " S S"}))
    table.do(0, "discard", cards=["S"], seat=2)
    turn(table, 1, "S", seat=0)
    again = table.turn
    turn(table, 1, "S")
    assert (again, table.said()[-1], table.turn) == (1, "dd.log.no_effect", 2)


def test_i10_after_a_turn_of_his_own_he_can_be_named_again(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN[:-3] + " S S W"}))
    table.do(0, "discard", cards=["S"], seat=2)
    turn(table, 1)
    turn(table, 0)
    turn(table, 1)
    turn(table, 2)
    turn(table, 0, "S", seat=2)
    assert table.match.table.get("skips") == [2]


def test_i11_the_cards_of_the_one_passed_over_stay_as_they_are(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN + " S W"}))
    before = table.cards("hand/1")
    table.do(0, "discard", cards=["S"], seat=1)
    assert table.cards("hand/1") == before


@pytest.mark.parametrize("named", [[1, 2], [2, 1]])
def test_i12_two_pending_skips_are_both_served_in_whatever_order_they_were_named(
    play: Any, scene: Any, named: list[int]
) -> None:
    table = play(scene({0: TEN + " S W"}, skips=named), players=4)
    table.do(0, "discard", cards=["Y1"])
    assert (table.turn, table.match.table.get("served")) == (3, [1, 2])


def test_i13_the_pending_skip_of_somebody_who_leaves_vanishes(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN + " W Y10"}, skips=[1]), players=4, substitute=False)
    table.match.leave(1)
    table.do(0, "discard", cards=["Y1"])
    assert (table.turn, table.match.table.get("skips")) == (2, [])


def test_i13_a_substitute_is_passed_over(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN + " W Y10"}, skips=[1]), players=4)
    table.match.leave(1)
    table.do(0, "discard", cards=["Y1"])
    assert (table.turn, table.match.table.get("served")) == (2, [1])


def test_i14_h9_a_pending_skip_does_not_outlive_the_hand(play: Any, scene: Any) -> None:
    table = play(scene({0: "Y1"}, groups=[(0, "set", "R8 B8 G8")], skips=[1]))
    table.do(0, "discard", cards=["Y1"])
    table.deal()
    assert (table.match.hand, table.match.table.get("skips")) == (2, [])


def test_i16_a_skip_is_no_wild(play: Any, scene: Any) -> None:
    table = play(scene({0: "R7 B7 S R9 B9 G9 G7 Y1 Y2 Y3 Y4"}))
    assert table.refused(0, "lay", groups=[["R7", "B7", "S"], ["R9", "B9", "G9"]]) == "skip_in_group"


def test_i17_next_only_always_hits_the_next_player(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN + " S W"}), next_only=True, players=4)
    assert table.refused(0, "discard", cards=["S"], seat=2) == "not_offered"
    table.do(0, "discard", cards=["S"])
    assert (table.turn, table.match.table.get("served")) == (2, [1])


def test_i17_by_default_anybody_can_be_named(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN + " S W"}), players=4)
    (form,) = [form for form in table.match.view(0)["prompts"][0]["forms"] if form["type"] == "discard"]
    assert [item["value"] for item in form["fields"]["seat"]["of"]] == [1, 2, 3]


def test_d29_a_name_is_ignored_when_nobody_can_be_skipped(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN + " S W"}, served=[1]), players=2)
    table.do(0, "discard", cards=["S"], seat=1)
    assert (table.turn, table.match.table.get("skips")) == (1, [])


def test_d29_a_skip_that_was_turned_up_counts(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN + " S W"}, served=[2]))
    assert table.refused(0, "discard", cards=["S"], seat=2) == "not_offered"
    table.do(0, "discard", cards=["S"])
    assert (table.turn, table.match.table.get("served")) == (2, [1])
