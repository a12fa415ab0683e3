"""Players who leave or let their time run out (decisions C18 and C21)."""

from __future__ import annotations

from typing import Any

import pytest

from carteado.plugins.cascata.game import by_place


def test_without_substitutes_a_hand_is_put_away_and_the_next_player_is_asked(situation: Any) -> None:
    play = situation(hands=["8 8 *", "5", "6"], melds=[(0, "9 9 9")], substitute=False)
    play.match.leave(0)
    assert (play.seat, play.stage) == (1, "take")
    assert (play.zone("away/0", 1)["cards"], play.zone("away/0", 1)["n"]) == (None, 3)
    assert [zone["name"] for zone in play.view(1)["zones"] if zone["name"] == "hand/0"] == []
    assert (play.melds(0), play.match.faults) == (["9 9 9"], [])


def test_the_melds_of_whoever_left_can_be_stolen_and_count_for_nobody(situation: Any) -> None:
    play = situation(hands=["8", "9", ""], melds=[(0, "9 9 9"), (0, "7 7")], substitute=False)
    play.match.leave(0)
    play.take(1, 1)
    assert (play.steal("9", 1), play.melds(1)) == ("", ["9 9 9 9"])
    play.take(2, 1)
    play.done()
    assert (play.match.phase, play.match.result["points"]) == ("over", [0, 99, -2])
    assert play.match.end["places"] == [[1], [2]]


def test_whoever_leaves_out_of_turn_does_not_change_whose_turn_it_is(situation: Any) -> None:
    play = situation(hands=["8", "9", ""], substitute=False)
    play.take(1, 1)
    play.match.leave(2)
    assert (play.seat, play.stage) == (0, "meld")
    play.done()
    assert play.seat == 1


def test_the_game_ends_when_the_last_action_belonged_to_whoever_left(situation: Any) -> None:
    play = situation(hands=["8", "9 9", "7"], pyramid={(1, 1): "A"}, substitute=False)
    play.take(1, 1)
    play.match.leave(0)
    assert (play.match.phase, play.match.result["points"]) == ("over", [0, -18, -7])


def test_when_everybody_else_has_left_the_game_is_over(situation: Any) -> None:
    play = situation(substitute=False)
    play.match.leave(0)
    assert (play.match.phase, play.match.end["places"]) == ("over", [[1]])


def test_what_a_substitute_reaches_belongs_to_whoever_left_c21(situation: Any) -> None:
    play = situation(hands=["", "", ""], pyramid={(1, 1): "*"}, melds=[(0, "9 9 9 9"), (1, "5 5")], stake=10)
    play.match.leave(0)
    assert (play.match.seats[0]["bot"], play.seat) == ("rule", 0)
    play.take(1, 1)
    play.done()
    assert (play.match.result["points"], play.match.end["chips"]) == ([100, 10, 0], [20, 0, -20])


@pytest.mark.parametrize(
    ("places", "chips"),
    [
        ([[0], [1]], {0: 10, 1: -10}),
        ([[0, 1]], {0: 0, 1: 0}),
        ([[2], [0, 1], [3]], {2: 30, 0: 0, 1: 0, 3: -30}),
        ([[0, 1, 2], [3]], {0: 10, 1: 10, 2: 10, 3: -30}),
    ],
)
def test_chips_by_place_sum_to_zero(places: list[list[int]], chips: dict[int, int]) -> None:
    assert by_place(10, places) == chips
    assert sum(chips.values()) == 0


def test_out_of_time_the_first_free_card_is_taken_and_the_turn_ends(situation: Any) -> None:
    play = situation(hands=["2 2", ""], pyramid={(2, 1): "K", (2, 2): "A", (3, 1): "5"})
    play.match.timeout(0, play.match.prompts[0].id)
    assert (play.hand(0), play.stage) == ("2 2 K", "meld")
    play.match.timeout(0, play.match.prompts[0].id)
    assert (play.seat, play.stage, play.melds(0)) == (1, "take", [])


def test_a_whole_game_of_players_who_are_away_ends(dealt: Any) -> None:
    play = dealt(4, lock_card=True)
    while play.match.phase == "playing":
        play.match.timeout(play.seat, play.match.prompts[play.seat].id)
    assert (play.match.phase, play.match.table.cards("pyramid").count("")) == ("over", 28)
