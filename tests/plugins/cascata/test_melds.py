"""Tables E, F and G of the rules page: laying melds, extending one's own, stealing others'."""

from __future__ import annotations

from typing import Any

import pytest

from carteado.core.api import IllegalAction


def after_taking(situation: Any, *hands: str, melds: Any = (), **more: Any) -> Any:
    """Return a situation in which seat 0 has taken its card (an ace) and may meld."""
    play = situation(hands=hands if len(hands) > 1 else (*hands, ""), melds=melds, **more)
    assert play.take(1, 1) == ""
    return play


@pytest.mark.parametrize(
    ("hand", "cards", "meld"),
    [
        pytest.param("8 8", "8 8", "8 8", id="E a pair"),
        pytest.param("8 8 8", "8 8 8", "8 8 8", id="M2 a three"),
        pytest.param("8 8 8 8", "8 8 8 8", "8 8 8 8", id="M2 a four"),
        pytest.param("8 *", "8 *", "8 *", id="M3 a pair of a natural and a joker"),
        pytest.param("8 * *", "8 * *", "8 * *", id="M4 a three with both jokers"),
        pytest.param("8 8 * *", "8 * 8 *", "8 8 * *", id="M5 a four with both jokers"),
    ],
)
def test_a_meld_is_laid(situation: Any, hand: str, cards: str, meld: str) -> None:
    play = after_taking(situation, hand)
    assert play.meld(cards) == ""
    assert (play.melds(0), play.hand(0), play.seat) == ([meld], "A", 1)


@pytest.mark.parametrize(
    ("hand", "cards", "code"),
    [
        pytest.param("8 * *", "* *", "no_natural", id="M6 jokers alone are no meld"),
        pytest.param("8 8", "8", "wrong_count", id="M7 one card is no meld"),
        pytest.param("8 8 9 9", "8 9", "different_ranks", id="M8 two ranks are no meld"),
        pytest.param("8 8 8 8 *", "8 8 8 8 *", "wrong_count", id="M9 five cards are too many"),
        pytest.param("8 8", "8 9", "not_held", id="M11 a card that is not in the hand"),
        pytest.param("8 8 9", "8 9", "different_ranks", id="M8 though one of them is in no meld"),
    ],
)
def test_a_meld_is_refused(situation: Any, hand: str, cards: str, code: str) -> None:
    play = after_taking(situation, hand)
    assert play.meld(cards) == code
    assert (play.melds(0), play.stage) == ([], "meld")


def test_the_same_card_cannot_be_laid_twice_m11(situation: Any) -> None:
    play = after_taking(situation, "8 8")
    assert play.act({"type": "meld", "cards": ["C8", "C8"]}) == "not_held"


def test_a_turn_has_one_meld_action_m12_m13(situation: Any) -> None:
    play = after_taking(situation, "8 8 K 9 9", melds=[(0, "K K")])
    play.meld("8 8")
    asked = play.match.prompts[1].id
    for action in ({"type": "extend", "cards": ["HK"], "meld": "meld/1"}, {"type": "meld", "cards": play.faces("9 9")}):
        assert play.act(action, seat=0) in ("not_asked", "stale")
    assert (play.seat, play.match.prompts[1].id, play.melds(0)) == (1, asked, ["K K", "8 8"])


def test_a_player_may_have_two_melds_of_a_rank_m14(situation: Any) -> None:
    play = after_taking(situation, "8 *", melds=[(0, "8 8")])
    assert (play.meld("8 *"), play.melds(0)) == ("", ["8 8", "8 *"])


def test_two_players_may_have_melds_of_a_rank_m15(situation: Any) -> None:
    play = after_taking(situation, "8 8", melds=[(1, "8 8")])
    assert (play.meld("8 8"), play.melds(0), play.melds(1)) == ("", ["8 8"], ["8 8"])


def test_a_player_with_an_empty_hand_goes_on_m16(situation: Any) -> None:
    play = after_taking(situation, "A", "", pyramid={(1, 1): "A", (2, 1): "2", (3, 1): "3"})
    assert (play.meld("A A"), play.hand(0), play.match.phase) == ("", "", "playing")
    play.take(2, 1)
    play.done()
    assert (play.take(3, 1), play.hand(0)) == ("", "3")


@pytest.mark.parametrize(
    ("meld", "hand", "cards", "result"),
    [
        pytest.param("8 8", "8", "8", "8 8 8", id="X1 a pair becomes a three"),
        pytest.param("8 8", "8 8", "8 8", "8 8 8 8", id="X2 a pair becomes a four"),
        pytest.param("8 8", "*", "*", "8 8 *", id="X3 a joker alone may be added (C8)"),
        pytest.param("8 8 8", "*", "*", "8 8 8 *", id="X a three becomes a four"),
    ],
)
def test_a_meld_of_ones_own_is_extended(situation: Any, meld: str, hand: str, cards: str, result: str) -> None:
    play = after_taking(situation, hand, melds=[(0, meld)])
    assert play.extend(cards, 1) == ""
    assert (play.melds(0), play.hand(0), play.seat) == ([result], "A", 1)


@pytest.mark.parametrize(
    ("meld", "hand", "cards", "code"),
    [
        pytest.param("8 8 8", "8 *", "8 *", "wrong_count", id="X5 a meld has four cards at most"),
        pytest.param("8 8", "8 9 9", "9", "different_ranks", id="X7 another rank cannot be added"),
        pytest.param("8 8", "9", "9", "nothing_to_extend", id="X7 nothing fits"),
        pytest.param("8 8 8 8", "*", "*", "nothing_to_extend", id="X a four is complete"),
    ],
)
def test_an_extension_is_refused(situation: Any, meld: str, hand: str, cards: str, code: str) -> None:
    play = after_taking(situation, hand, melds=[(0, meld)])
    assert play.extend(cards, 1) == code
    assert (play.melds(0), play.stage) == ([meld], "meld")


def test_with_two_melds_each_takes_its_own_rank_only(situation: Any) -> None:
    play = after_taking(situation, "8 9 9", melds=[(0, "8 8"), (0, "9 9 *")])
    assert play.extend("9", 1) == "different_ranks"
    assert play.extend("9 9", 2) in ("too_many", "wrong_count")
    assert play.extend("9", 2) == ""


def test_two_melds_of_a_rank_are_not_merged_x10(situation: Any) -> None:
    play = after_taking(situation, "8", melds=[(0, "8 8"), (0, "8 *")])
    assert play.act({"type": "extend", "cards": ["S8"], "meld": "meld/2"}) == "not_held"
    assert play.extend("8", 2) == ""
    assert play.melds(0) == ["8 8", "8 8 *"]


@pytest.mark.parametrize(
    ("meld", "hand", "cards", "result"),
    [
        pytest.param("8 8 8", "8", "8", "8 8 8 8", id="R2 one natural completes a three"),
        pytest.param("8 8 8", "*", "*", "8 8 8 *", id="R3 a joker completes a three (C8)"),
        pytest.param("8 * *", "8", "8", "8 8 * *", id="R8 a natural completes one with two jokers"),
        pytest.param("8 8", "8 *", "8 *", "8 8 8 *", id="R two cards complete a pair"),
        pytest.param("8 *", "8 8 8", "8 8", "8 8 8 *", id="R a card of the rank may be kept back"),
    ],
)
def test_an_open_meld_is_stolen(situation: Any, meld: str, hand: str, cards: str, result: str) -> None:
    play = after_taking(situation, hand, melds=[(1, meld)])
    assert play.steal(cards, 1) == ""
    assert (play.melds(0), play.melds(1), play.seat) == ([result], [], 1)


@pytest.mark.parametrize(
    ("melds", "hand", "cards", "number", "code"),
    [
        pytest.param([(1, "8 8")], "8", "8", 1, "nothing_to_steal", id="R5 one card does not complete a pair"),
        pytest.param([(1, "8 8")], "8 *", "8", 1, "exactly_four", id="R5 nor when two are in the hand"),
        pytest.param([(1, "8 8 8 8")], "*", "*", 1, "nothing_to_steal", id="R7 a four is safe"),
        pytest.param([(1, "8 8 8 8"), (1, "9 9 9")], "9 *", "*", 1, "safe", id="R7 a four is safe beside an open meld"),
        pytest.param([(0, "8 8 8"), (1, "9 9 9")], "8 9", "8", 1, "your_own", id="R9 nobody steals from himself"),
        pytest.param([(1, "8 8 8"), (1, "9 9 9")], "9 8", "9", 1, "different_ranks", id="R10 another rank does not fit"),
        pytest.param([(1, "8 8 8")], "9", "9", 1, "nothing_to_steal", id="R10 nothing fits"),
    ],
)
def test_a_steal_is_refused(situation: Any, melds: Any, hand: str, cards: str, number: int, code: str) -> None:
    play = after_taking(situation, hand, melds=melds)
    assert play.steal(cards, number) == code
    assert (play.stage, len(play.match.table.zones("meld/"))) == ("meld", len(melds))


def test_a_stolen_four_is_not_stolen_back_r12(situation: Any) -> None:
    play = after_taking(situation, "8", "*", melds=[(1, "8 8 8")])
    play.steal("8", 1)
    play.take(2, 1)
    assert play.steal("*", 2) == "nothing_to_steal"


def test_a_steal_moves_the_points_r13(situation: Any) -> None:
    play = situation(hands=["8", ""], melds=[(1, "8 8 8")], pyramid={(1, 1): "*"})
    play.take(1, 1)
    assert play.points() == [48]
    play.steal("8", 1)
    assert play.match.result is not None
    assert play.match.result["points"] == [100, 0]


def test_any_opponent_may_be_robbed_r15(situation: Any) -> None:
    play = after_taking(situation, "8", "", "", "", melds=[(1, "9 9"), (2, "8 8 8"), (3, "5 5")])
    assert (play.steal("8", 2), play.melds(0), play.melds(2)) == ("", ["8 8 8 8"], [])


def test_the_card_just_taken_counts_as_the_hand_r16(situation: Any) -> None:
    play = situation(hands=["5", "", ""], stock="5", melds=[(2, "5 5")])
    play.draw()
    assert (play.steal("5 5", 1), play.melds(0), play.melds(2)) == ("", ["5 5 5 5"], [])


def test_with_soft_steal_a_pair_becomes_a_three_and_may_be_stolen_back_c7(situation: Any) -> None:
    play = after_taking(situation, "8", "8", melds=[(1, "8 8")], soft_steal=True)
    assert (play.steal("8", 1), play.melds(0), play.melds(1)) == ("", ["8 8 8"], [])
    play.take(2, 1)
    assert (play.steal("8", 2), play.melds(0), play.melds(1)) == ("", [], ["8 8 8 8"])


def test_with_soft_steal_a_meld_still_has_four_cards_at_most(situation: Any) -> None:
    play = after_taking(situation, "8 8", melds=[(1, "8 8 *")], soft_steal=True)
    assert play.steal("8 8", 1) == "wrong_count"


def test_a_laid_joker_stays_where_it_is_c11(situation: Any) -> None:
    play = after_taking(situation, "8 8", melds=[(0, "8 *")])
    kinds = {form["type"] for form in play.view(0)["prompts"][0]["forms"] if form["blocked"] is None}
    assert kinds == {"meld", "extend", "done"}
    play.extend("8 8", 1)
    assert play.melds(0) == ["8 8 8 *"]


def test_the_forms_offer_just_the_cards_and_melds_that_fit(situation: Any) -> None:
    play = after_taking(situation, "8 8 9 K *", melds=[(0, "K K"), (1, "9 9"), (1, "5 5 5"), (1, "8 8")])
    assert {face[-1] for face in play.form("meld")["fields"]["cards"]["cards"]} == {"8", "9", "K", "A", "*"}
    assert {face[-1] for face in play.form("extend")["fields"]["cards"]["cards"]} == {"K", "*"}
    assert play.form("extend")["fields"]["meld"]["zones"] == ["meld/1"]
    assert play.form("steal")["fields"]["meld"]["zones"] == ["meld/2", "meld/3", "meld/4"]
    assert {face[-1] for face in play.form("steal")["fields"]["cards"]["cards"]} == {"8", "9", "*"}
    assert play.form("steal")["fields"]["cards"]["n"] == [1, 2]


def decided(play: Any, action: dict[str, Any]) -> str:
    """Return what the game alone says to an action of seat 0, whatever its forms offer: a refusal's code, or ''."""
    table = play.match.table
    table.begin()
    table.close(0)
    try:
        play.match.rules.turn(table, 0, action)
    except IllegalAction as refusal:
        return refusal.code
    finally:
        table.rollback()
    return ""


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ({"type": "take", "place": 0}, ""),
        ({"type": "take", "place": 1}, "no_card"),
        ({"type": "take", "place": 99}, "no_card"),
        ({"type": "take", "place": 2}, "covered"),
        ({"type": "take", "place": 4}, "face_down"),
        ({"type": "swap", "card": ["*"], "place": 2}, ""),
        ({"type": "swap", "card": ["*"], "place": 1}, "no_card"),
        ({"type": "swap", "card": ["*"], "place": 4}, "face_down"),
        ({"type": "swap", "card": ["*"], "place": 5}, "joker_for_joker"),
        ({"type": "draw"}, "stock_empty"),
        ({"type": "meld", "cards": ["C8"]}, "too_few"),
        ({"type": "meld", "cards": ["C8", "S8", "H8", "D8", "*"]}, "too_many"),
        ({"type": "extend", "cards": ["C8"], "meld": "meld/7"}, "no_meld"),
        ({"type": "extend", "cards": ["C8"], "meld": "stock"}, "no_meld"),
        ({"type": "extend", "cards": ["*"], "meld": "meld/2"}, "not_yours"),
        ({"type": "extend", "cards": [], "meld": "meld/1"}, "too_few"),
        ({"type": "steal", "cards": ["*"], "meld": "meld/1"}, "your_own"),
        ({"type": "steal", "cards": ["*"], "meld": "meld/3"}, "safe"),
        ({"type": "steal", "cards": ["*"], "meld": "meld/2"}, ""),
    ],
    ids=str,
)
def test_the_game_alone_decides_whatever_the_forms_offer(situation: Any, action: dict[str, Any], code: str) -> None:
    play = situation(
        hands=["8 8 8 8 *", ""], melds=[(0, "K K"), (1, "9 9 9"), (1, "7 7 7 7")],
        pyramid={(1, 1): "A", (2, 2): "2", (3, 2): "3", (3, 3): "*"}, hidden=[(3, 2)],
    )  # fmt: skip
    assert decided(play, action) == code


def test_without_a_joker_the_game_refuses_a_swap_by_itself(situation: Any) -> None:
    assert decided(situation(hands=["8", ""]), {"type": "swap", "card": ["*"], "place": 0}) == "no_joker"


def test_the_game_refuses_a_locked_reserve_by_itself(situation: Any) -> None:
    play = situation(stock="L 5", lock_card=True)
    play.draw()
    assert decided(play, {"type": "draw"}) == "stock_locked"
