"""Tables L (the end and the places) and M (chips and leaving) of the rules page, through the real match."""

from __future__ import annotations

from typing import Any

import pytest

from carteado.core.api import Refused, Result
from carteado.core.match import Match
from carteado.plugins.dez_degraus import game

EIGHTS, SEVENS, NINES = "R8 B8 G8", "R7 B7 G7", "R9 B9 G9"


def before(points: list[int], phases: list[int], finished: Any = ()) -> Result:
    """Return the result of a hand that came before: points, phases to play, groups of players who have finished."""
    return Result(points=dict(enumerate(points)), keep={"phases": phases}, finished=finished)


def nobody(players: int) -> Result:
    """Return the result of a hand in which nothing happened."""
    return before([0] * players, [1] * players)


def ended(players: int, ranking: list[list[int]]) -> Result:
    """Return the result of a hand that ends the match with these places."""
    return Result(points={}, over=True, ranking=ranking)


# L: the end


def test_l1_who_lays_phase_10_wins_though_another_goes_out(play: Any, scene: Any) -> None:
    start = scene({0: "R1 R2", 1: "Y1"}, turn=1, phases=[10, 3, 3], groups=[(0, "set", EIGHTS), (1, "set", SEVENS)])
    table = play(start)
    table.do(1, "discard", cards=["Y1"])
    assert (table.match.phase, table.places[0]) == ("over", [0])


def test_l2_the_hand_is_played_to_its_end_after_phase_10_is_laid(play: Any, scene: Any) -> None:
    hand = "R2 R2 B2 B2 G2 R11 R11 B11 Y1 Y3 Y5"
    table = play(scene({0: hand}, phases=[10, 3, 3]))
    table.do(0, "lay", groups=[["R2", "R2", "B2", "B2", "G2"], ["R11", "R11", "B11"]])
    table.do(0, "discard", cards=["Y1"])
    assert (table.match.phase, table.turn) == ("playing", 1)


@pytest.mark.parametrize(
    ("earlier", "hands", "out", "places"),
    [
        pytest.param([200, 185, 0], {0: "R1", 1: "R2", 2: "Y1"}, 2, [[1], [0], [2]], id="L3 fewer points come first"),
        pytest.param([205, 185, 0], {0: "Y1", 1: "R2", 2: "R3"}, 0, [[1], [0], [2]], id="L4 even before who went out"),
        pytest.param([200, 195, 0], {0: "Y1", 1: "R2", 2: "R3"}, 0, [[0], [1], [2]], id="L5 who went out wins a tie"),
        pytest.param([195, 195, 0], {0: "R1", 1: "R2", 2: "Y1"}, 2, [[0, 1], [2]], id="L6 else the place is shared"),
    ],
)
def test_those_who_finish_together_are_ranked(
    play: Any, scene: Any, earlier: list[int], hands: dict[int, str], out: int, places: list[list[int]]
) -> None:
    groups = [(0, "set", EIGHTS), (1, "set", SEVENS), (2, "set", NINES)]
    table = play(before(earlier, [10, 10, 5]), scene(hands, groups=groups, turn=out))
    table.do(out, "discard", cards=["Y1"])
    assert table.places == places


def test_l7_a_shared_second_place(play: Any, scene: Any) -> None:
    groups = [(0, "set", EIGHTS), (1, "set", SEVENS), (2, "set", NINES), (3, "set", "R12 B12 G12")]
    hands = {0: "R1", 1: "R2", 2: "R3", 3: "Y1"}
    table = play(before([95, 95, 85, 0], [10, 10, 10, 4]), scene(hands, groups=groups, turn=3), players=4)
    table.do(3, "discard", cards=["Y1"])
    assert (table.places, table.chips) == ([[2], [0, 1], [3]], [0, 0, 30, -30])


@pytest.mark.parametrize(
    ("earlier", "phases", "places"),
    [
        pytest.param([0, 0, 295, 5], [10, 1, 9, 8], [[0], [2], [3], [1]], id="L8 the higher phase comes first"),
        pytest.param([0, 500, 155, 145], [10, 9, 8, 8], [[0], [1], [3], [2]], id="L9 then fewer points"),
        pytest.param([0, 500, 145, 145], [10, 7, 8, 8], [[0], [2, 3], [1]], id="L9 then the place is shared"),
    ],
)
def test_those_who_have_not_finished_are_ranked(
    play: Any, scene: Any, earlier: list[int], phases: list[int], places: list[list[int]]
) -> None:
    hands = {0: "Y1", 1: "R1", 2: "R2", 3: "R3"}
    table = play(before(earlier, phases), scene(hands, groups=[(0, "set", EIGHTS)]), players=4)
    table.do(0, "discard", cards=["Y1"])
    assert table.places == places


def test_l11_until_three_who_has_finished_sits_out_and_keeps_the_place(play: Any, scene: Any) -> None:
    start = scene({0: "Y1"}, groups=[(0, "set", EIGHTS)], phases=[10, 4, 4, 4, 4])
    table = play(start, players=5, until_three=True)
    table.do(0, "discard", cards=["Y1"])
    table.deal()
    first = table.match.view(None)["seats"][0]
    assert (first["state"], first["place"], table.match.table.seats) == ("finished", 1, (1, 2, 3, 4))


def third(play: Any, scene: Any, laid: list[int], hands: dict[int, str], points: list[int]) -> Any:
    """Play the hand in which more finish, after seat 0 has finished alone."""
    cards = ["R8 B8 G8", "R7 B7 G7", "R9 B9 G9"]
    groups = [(seat, "set", group) for seat, group in zip(laid, cards, strict=False)]
    earlier = before(points, [11, 10, 10, 10, 6], finished=[[0]])
    return play(earlier, scene(hands, groups=groups, turn=1), players=5, until_three=True)


def test_l12_until_three_the_match_ends_when_three_have_finished(play: Any, scene: Any) -> None:
    table = third(play, scene, [1, 2], {1: "Y1", 2: "R1", 3: "R2", 4: "R3"}, [0, 180, 165, 0, 0])
    table.do(1, "discard", cards=["Y1"])
    assert (table.match.phase, table.places) == ("over", [[0], [2], [1], [3], [4]])


def test_l13_until_three_all_who_finish_in_that_hand_are_placed(play: Any, scene: Any) -> None:
    table = third(play, scene, [1, 2, 3], {1: "Y1", 2: "R1", 3: "R2", 4: "R3"}, [0, 190, 160, 175, 0])
    table.do(1, "discard", cards=["Y1"])
    assert table.places == [[0], [2], [3], [1], [4]]


def test_d17_until_three_goes_on_while_only_two_of_five_have_finished(play: Any, scene: Any) -> None:
    table = third(play, scene, [1], {1: "Y1", 2: "R1", 3: "R2", 4: "R3"}, [0] * 5)
    table.do(1, "discard", cards=["Y1"])
    table.deal()
    assert (table.match.phase, table.match.table.seats) == ("playing", (2, 3, 4))


def test_d17_with_three_players_two_are_enough(play: Any, scene: Any) -> None:
    earlier = before([0, 0, 0], [11, 10, 4], finished=[[0]])
    table = play(earlier, scene({1: "Y1", 2: "R1"}, groups=[(1, "set", EIGHTS)], turn=1), until_three=True)
    table.do(1, "discard", cards=["Y1"])
    assert (table.match.phase, table.places) == ("over", [[0], [1], [2]])


def test_l16_options_are_fixed_when_the_match_begins() -> None:
    given = {"until_three": True}
    match = Match(game, given, [{"name": "Ana"}, {"name": "Bruno"}])
    match.deal(bytes(32))
    given["until_three"] = False
    assert (match.table.option("until_three"), match.journal.header["options"]["until_three"]) == (True, True)


@pytest.mark.parametrize(("name", "value"), [("until_three", "maybe"), ("next_only", 3), ("stake", -1)])
def test_options_that_do_not_fit_are_refused(name: str, value: Any) -> None:
    with pytest.raises(Refused) as refused:
        Match(game, {name: value}, [{"name": "Ana"}, {"name": "Bruno"}])
    assert refused.value.code == "bad_option"


@pytest.mark.parametrize("players", [1, 7])
def test_d1_two_to_six_can_play(players: int) -> None:
    with pytest.raises(Refused) as refused:
        Match(game, {}, [{"name": str(number)} for number in range(players)])
    assert refused.value.code == "bad_players"


def test_d3_the_start_moves_one_seat_on_each_hand(play: Any) -> None:
    table = play(None, nobody(3), nobody(3), None)
    first = table.match.table.start
    table = play(nobody(3), nobody(3), None)
    assert table.match.table.start == (first + 2) % 3


# M: chips and leaving


@pytest.mark.parametrize(
    ("players", "chips"),
    [(2, [10, -10]), (3, [20, 0, -20]), (5, [40, 20, 0, -20, -40]), (6, [50, 30, 10, -10, -30, -50])],
)
def test_m2_chips_go_by_place(play: Any, players: int, chips: list[int]) -> None:
    assert play(ended(players, [[seat] for seat in range(players)]), players=players).chips == chips


def test_m4_all_tied_is_worth_nothing(play: Any) -> None:
    assert play(ended(3, [[0, 1, 2]])).chips == [0, 0, 0]


def test_m5_leaving_in_the_first_hand_is_free_and_the_table_is_paid_as_a_smaller_one(play: Any, scene: Any) -> None:
    table = play(scene({0: "Y1", 1: "R1"}, groups=[(0, "set", EIGHTS)], phases=[10, 9, 8, 7]), players=4)
    table.match.leave(2)
    table.do(0, "discard", cards=["Y1"])
    assert (table.chips, table.places) == ([20, 0, 0, -20], [[0], [1], [3]])


def finish(table: Any, substitute: bool) -> None:
    """Let seat 0 go out in phase 10, with seats 1 and 2 behind, after seat 3 has left."""
    table.match.leave(3)
    table.do(0, "discard", cards=["Y1"])


@pytest.mark.parametrize("substitute", [True, False])
def test_m7_m8_m10_leaving_in_a_later_hand_costs_the_last_place_once(play: Any, scene: Any, substitute: bool) -> None:
    start = scene({0: "Y1", 1: "R1", 2: "R2"}, groups=[(0, "set", EIGHTS)], phases=[10, 9, 8, 1])
    table = play(nobody(4), nobody(4), start, players=4, substitute=substitute)
    finish(table, substitute)
    assert (table.chips, table.places) == ([30, 10, -10, -30], [[0], [1], [2], [3]])


def test_m8_somebody_who_would_be_first_pays_the_last_place_too(play: Any, scene: Any) -> None:
    start = scene({0: "Y1", 1: "R1", 2: "R2"}, groups=[(0, "set", EIGHTS)], phases=[10, 3, 3, 10])
    table = play(nobody(4), start, players=4)
    finish(table, True)
    assert table.chips[3] == -30


@pytest.mark.parametrize("substitute", [True, False])
def test_m12_when_three_of_four_leave_the_one_left_is_first(play: Any, scene: Any, substitute: bool) -> None:
    table = play(nobody(4), scene({0: "Y1 Y2"}), players=4, substitute=substitute)
    for seat in (1, 2, 3):
        table.match.leave(seat)
    assert (table.match.phase, table.places[0], table.chips) == ("over", [0], [90, -30, -30, -30])


def until_three(play: Any, scene: Any) -> Any:
    """Begin the hand after seat 0 of four has finished."""
    return play(before([0] * 4, [11, 9, 9, 9], finished=[[0]]), scene({1: "Y1"}, turn=1), players=4, until_three=True)


def test_m14_leaving_when_there_is_a_winner_costs_the_last_place_only(play: Any, scene: Any) -> None:
    table = until_three(play, scene)
    table.match.leave(3)
    assert table.match.left == {3: "loss"}
    table.match.leave(2)
    assert (table.places, table.chips) == ([[0], [1], [2], [3]], [30, 10, -10, -30])


def test_m15_who_has_finished_keeps_the_place_when_leaving(play: Any, scene: Any) -> None:
    table = until_three(play, scene)
    table.match.leave(0)
    table.match.leave(3)
    table.match.leave(2)
    assert (table.places[0], table.chips[0]) == ([0], 30)


def test_m16_a_computer_player_minds_the_seat_and_hands_it_back_unchanged(play: Any, scene: Any) -> None:
    table = play(nobody(3), nobody(3), scene({0: "Y1 Y2", 1: "R1 R2 W"}))
    table.match.takeover(1, "rule")
    table.match.takeover(1, None)
    view = table.match.view(1)
    assert (view["seats"][1]["bot"], table.cards("hand/1"), table.match.left) == (None, "R1 R2 W", {})


def test_m17_leaving_after_the_seat_was_minded_costs_the_penalty(play: Any, scene: Any) -> None:
    table = play(nobody(3), nobody(3), scene({0: "Y1 Y2"}))
    table.match.takeover(1, "rule")
    table.match.leave(1)
    assert table.match.left == {1: "penalty"}


def test_m18_nobody_leaves_twice(play: Any, scene: Any) -> None:
    table = play(nobody(3), nobody(3), scene({0: "Y1 Y2"}))
    table.match.leave(1)
    with pytest.raises(Refused) as refused:
        table.match.leave(1)
    assert refused.value.code == "left"


def test_m20_chips_and_the_house_sum_to_zero(play: Any, scene: Any) -> None:
    table = play(nobody(6), scene({0: "Y1 Y2"}), players=6, stake=7)
    for seat in (1, 2, 3, 4, 5):
        table.match.leave(seat)
    assert table.match.end is not None
    assert (sum(table.chips) + table.match.end["house"], table.chips[1:]) == (0, [-35] * 5)


def test_d25_a_hand_set_aside_is_unseen_and_its_turn_passes(play: Any, scene: Any) -> None:
    table = play(scene({0: "R1 R2 W", 1: "Y1 Y2"}), players=4, substitute=False)
    table.match.leave(0)
    aside = [zone for zone in table.match.view(0)["zones"] if zone["name"] == "aside/0"]
    assert (table.turn, [(zone["n"], zone["cards"]) for zone in aside]) == (1, [(3, None)])


def test_d25_without_a_substitute_the_next_hand_is_dealt_to_those_who_stay(play: Any, scene: Any) -> None:
    table = play(scene({0: "Y1"}, groups=[(0, "set", EIGHTS)]), players=4, substitute=False)
    table.match.leave(2)
    table.do(0, "discard", cards=["Y1"])
    table.deal()
    assert (table.match.table.seats, table.points if table.match.result else None) == ((0, 1, 3), None)


def test_d25_a_substitute_who_lays_phase_10_wins_nothing(play: Any, scene: Any) -> None:
    groups = [(1, "set", EIGHTS), (0, "set", SEVENS)]
    table = play(nobody(4), scene({0: "Y1", 1: "R1"}, groups=groups, phases=[4, 10, 2, 2]), players=4)
    table.match.leave(1)
    table.do(0, "discard", cards=["Y1"])
    assert (table.match.phase, table.phases) == ("dealing", [5, 10, 2, 2])
