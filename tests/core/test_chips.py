"""Chips by place, and what leaving costs: the cases M of Dez Degraus and the decisions D20 to D23."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from properties import quick

from carteado.core.chips import FREE, KEPT, LOSS, PENALTY, by_place
from carteado.core.ending import chips, final_places, ranked

Groups = list[list[int]]


@pytest.mark.parametrize(
    ("players", "paid"),
    [
        (2, [10, -10]),
        (3, [20, 0, -20]),
        (4, [30, 10, -10, -30]),
        (5, [40, 20, 0, -20, -40]),
        (6, [50, 30, 10, -10, -30, -50]),
    ],
)
def test_m2_each_place_is_worth_two_stakes_more_than_the_next(players: int, paid: list[int]) -> None:
    assert (paid, 0) == by_place(10, players, [[seat] for seat in range(players)])


def test_m4_three_who_tie_win_and_lose_nothing() -> None:
    assert ([0, 0, 0], 0) == by_place(10, 3, [[0, 1, 2]])


@pytest.mark.parametrize(
    ("places", "paid"),
    [([[0, 1], [2], [3]], [20, 20, -10, -30]), ([[0], [1, 2], [3]], [30, 0, 0, -30]), ([[3], [0, 1, 2]], [-10, -10, -10, 30])],
)
def test_d20_tied_places_share_their_values_equally(places: Groups, paid: list[int]) -> None:
    assert (paid, 0) == by_place(10, 4, places)


def test_d20_a_tie_of_an_even_stake_needs_no_fractions() -> None:
    assert ([1, 1, -2], 0) == by_place(1, 3, [[0, 1], [2]])


def test_m5_whoever_leaves_in_the_first_hand_pays_nothing() -> None:
    assert ([20, 0, -20, 0], 0) == by_place(10, 4, [[0], [1], [2]], {3: FREE})


def test_d22_the_others_are_paid_as_a_table_without_a_free_leaver() -> None:
    assert by_place(10, 3, [[0], [1], [2]])[0] == by_place(10, 4, [[0], [1], [2]], {3: FREE})[0][:3]


def test_m7_leaving_later_costs_the_loss_of_the_last_place() -> None:
    assert -30 == by_place(10, 4, [[0], [1], [2], [3]], {3: PENALTY})[0][3]


def test_m8_a_leaver_who_would_have_been_last_pays_once() -> None:
    assert -30 == by_place(10, 4, [[0, 1, 2], [3]], {3: PENALTY})[0][3]


def test_m10_the_others_are_paid_by_their_places() -> None:
    assert ([30, 10, -10, -30], 0) == by_place(10, 4, [[0], [1], [2], [3]], {3: PENALTY})


def test_m12_the_last_one_left_wins_all_penalties() -> None:
    assert ([90, -30, -30, -30], 0) == by_place(10, 4, [[0], [3], [2], [1]], {1: PENALTY, 2: PENALTY, 3: PENALTY})


def test_m14_leaving_after_a_winner_costs_the_ordinary_loss_of_the_place() -> None:
    assert ([30, 10, -10, -30], 0) == by_place(10, 4, [[0], [1], [2], [3]], {3: LOSS})


def test_m15_a_finished_player_who_leaves_keeps_the_gain() -> None:
    assert ([30, 10, -10, -30], 0) == by_place(10, 4, [[0], [1], [2], [3]], {0: KEPT})


def test_d23_a_leaver_after_a_winner_never_gains() -> None:
    assert ([40, 0, -10, -30], 0) == by_place(10, 4, [[0], [1], [2], [3]], {1: LOSS, 2: LOSS, 3: LOSS})


def test_d21_the_surplus_is_shared_by_a_shared_first_place() -> None:
    # Two leavers pay 30 each, the third and the fourth place lose 10 and 30: 20 are left over, 10 for each of the first.
    assert ([30, 30, -30, -30], 0) == by_place(10, 4, [[0, 1], [3], [2]], {2: PENALTY, 3: PENALTY})


def test_d21_what_cannot_be_shared_goes_to_the_house() -> None:
    # Five at the table, three tie for the first place (2 each); the leavers pay 4 each and leave a surplus of 2 for three.
    assert ([2, 2, 2, -4, -4], 2) == by_place(1, 5, [[0, 1, 2], [4], [3]], {3: PENALTY, 4: PENALTY})


def test_a_match_for_nothing_pays_nothing() -> None:
    assert ([0, 0, 0], 0) == by_place(0, 3, [[2], [0], [1]], {1: PENALTY})


@st.composite
def endings(draw: st.DrawFn) -> tuple[int, int, Groups, dict[int, str]]:
    """Draw a stake, a number of players, groups of tied places and how some left, as the match makes them."""
    players = draw(st.integers(2, 8))
    seats = draw(st.permutations(range(players)))
    leavers = draw(st.integers(0, players - 1))
    left = {seat: draw(st.sampled_from([FREE, PENALTY, LOSS])) for seat in seats[:leavers]}
    places: Groups = []
    for seat in seats[leavers:]:
        if places and draw(st.booleans()):
            places[-1].append(seat)
        else:
            places.append([seat])
    kept = [seat for seat in places[0] if draw(st.booleans())] if len(places) > 1 else []
    left |= dict.fromkeys(kept, KEPT)
    places += [[seat] for seat in seats[:leavers] if left[seat] != FREE]
    return draw(st.integers(0, 1000)), players, places, left


@quick
@given(endings())
def test_every_settlement_sums_to_zero_with_the_house(ending: tuple[int, int, Groups, dict[int, str]]) -> None:
    paid, house = by_place(*ending)
    assert 0 == sum(paid) + house


@quick
@given(endings())
def test_the_house_gets_less_than_one_chip_for_each_winner_and_never_pays(ending: tuple[int, int, Groups, dict[int, str]]) -> None:
    _, _, places, _ = ending
    assert by_place(*ending)[1] in range(len(places[0]))


@quick
@given(endings())
def test_no_leaver_gains_unless_he_had_finished(ending: tuple[int, int, Groups, dict[int, str]]) -> None:
    paid, (_, _, _, left) = by_place(*ending)[0], ending
    assert [] == [seat for seat, how in left.items() if how != KEPT and paid[seat] > 0]


@quick
@given(endings())
def test_free_leavers_pay_nothing_and_penalties_are_the_loss_of_the_last_place(ending: tuple[int, int, Groups, dict[int, str]]) -> None:
    stake, players, _, left = ending
    n = players - sum(how == FREE for how in left.values())
    expected = {seat: 0 if how == FREE else -stake * (n - 1) for seat, how in left.items() if how in (FREE, PENALTY)}
    assert expected == {seat: by_place(*ending)[0][seat] for seat in expected}


@quick
@given(endings())
def test_a_better_place_is_never_paid_worse_than_another_who_stayed(ending: tuple[int, int, Groups, dict[int, str]]) -> None:
    _, _, places, left = ending
    paid = [by_place(*ending)[0][group[0]] for group in places if left.get(group[0], KEPT) == KEPT]
    assert sorted(paid, reverse=True) == paid


# Places


@pytest.mark.parametrize(("score", "places"), [("high", [[2], [0, 3], [1]]), ("low", [[1], [0, 3], [2]])])
def test_seats_are_ranked_by_points(score: str, places: Groups) -> None:
    assert places == ranked([0, 1, 2, 3], [5, 0, 9, 5], score)


def test_final_places_are_the_finished_the_ranked_the_others_by_points_and_the_leavers() -> None:
    left = {6: PENALTY, 5: FREE, 4: LOSS, 7: KEPT}
    expected = [[7], [0], [3], [2], [1], [4], [6]]
    assert expected == final_places([[7], [0]], [[3, 6]], [1, 2, 3], [0, 9, 1, 50, 0, 0, 0, 0], "low", [6, 5, 7, 4], left)


def test_those_who_left_first_are_last() -> None:
    left = {0: PENALTY, 1: PENALTY}
    assert [[2], [0], [1]] == final_places([], None, [2], [0, 0, 0], "low", [1, 0], left)


def test_a_ranking_cannot_place_somebody_who_left_or_finished() -> None:
    assert [[0], [2], [1]] == final_places([[0]], [[0, 1], [2]], [2], [0, 0, 0], "low", [1], {1: LOSS})


def test_what_a_game_settles_itself_is_paid_as_it_says() -> None:
    assert ([4, 0, -1], -3) == chips(10, 3, [[0], [1], [2]], {}, {0: 4, 2: -1})


def test_a_game_that_settles_nothing_itself_is_paid_by_place() -> None:
    assert ([20, 0, -20], 0) == chips(10, 3, [[0], [1], [2]], {}, None)
