"""Tables C and D of the rules page: taking from the pyramid or the reserve, and swapping a joker."""

from __future__ import annotations

from typing import Any


def test_a_free_card_goes_into_the_hand_t1(situation: Any) -> None:
    play = situation(hands=["5", ""], pyramid={(1, 1): "8", (2, 1): "A"})
    assert play.take(1, 1) == ""
    assert (play.hand(0), play.card(1, 1), play.card(2, 1)) == ("5 8", "", "A")


def test_an_empty_reserve_cannot_be_drawn_from_but_the_pyramid_can_be_taken_t3(situation: Any) -> None:
    play = situation(stock="")
    assert play.draw() == "stock_empty"
    assert play.take(1, 1) == ""


def test_only_one_card_is_taken_in_a_turn_t4(situation: Any) -> None:
    play = situation(stock="9 9")
    play.take(1, 1)
    assert (play.take(2, 1), play.draw()) == ("taken_already", "taken_already")


def test_a_turn_begins_with_taking_t5(situation: Any) -> None:
    assert situation(hands=["8 8", ""]).meld("8 8") == "take_first"


def test_taking_cannot_be_passed_t7(situation: Any) -> None:
    assert situation().done() == "take_first"


def test_a_free_joker_is_taken_like_any_card_t9(situation: Any) -> None:
    play = situation(pyramid={(1, 1): "*", (2, 1): "A"})
    play.take(1, 1)
    assert play.hand(0) == "*"


def test_nobody_acts_out_of_turn_t10(situation: Any) -> None:
    assert situation(first=0).act({"type": "take", "place": 0}, seat=1) in ("stale", "not_asked")


def test_a_card_turned_up_is_seen_before_the_meld_action_t11(situation: Any) -> None:
    play = situation(pyramid={(1, 1): "A", (2, 1): "K"}, hidden=[(2, 1)])
    assert play.seen(2, 1) == "?"
    play.take(1, 1)
    assert (play.seat, play.stage, play.seen(2, 1)) == (0, "meld", "K")


def test_a_drawn_card_is_seen_by_its_player_alone(situation: Any) -> None:
    play = situation(stock="9 8")
    play.draw()
    assert (play.hand(0), play.zone("hand/0", 1)["cards"], play.zone("stock", None)["n"]) == ("9", None, 1)
    assert ["log.drew", {"card": {"$card": "C9"}}] in play.view(0)["log"]
    assert [message for viewer in (1, None) for message in play.view(viewer)["log"] if "C9" in str(message)] == []


def test_a_joker_is_swapped_for_a_free_card_s1(situation: Any) -> None:
    play = situation(hands=["* 4", ""], pyramid={(1, 1): "K", (2, 1): "A"})
    assert play.swap(1, 1) == ""
    assert (play.hand(0), play.seen(1, 1), play.seen(2, 1)) == ("4 K", "*", "A")


def test_a_joker_is_swapped_for_a_covered_card_s2(situation: Any) -> None:
    play = situation(hands=["*", ""], pyramid={(1, 1): "A", (2, 1): "K"})
    assert play.swap(2, 1) == ""
    assert (play.hand(0), play.seen(2, 1)) == ("K", "*")


def test_a_joker_is_not_swapped_for_a_hidden_card(situation: Any) -> None:
    play = situation(hands=["*", ""], pyramid={(1, 1): "A", (2, 1): "K"}, hidden=[(2, 1)])
    assert play.swap(2, 1) == "not_offered"


def test_a_joker_is_not_swapped_for_the_other_joker_s4(situation: Any) -> None:
    play = situation(hands=["*", ""], pyramid={(1, 1): "*", (2, 1): "A"})
    assert play.swap(1, 1) == "joker_for_joker"


def test_without_a_joker_there_is_no_swap_s5(situation: Any) -> None:
    assert situation(hands=["7", ""]).swap(1, 1) == "no_joker"


def test_with_the_other_joker_alone_in_the_pyramid_there_is_no_swap(situation: Any) -> None:
    assert situation(hands=["*", ""], pyramid={(1, 1): "*"}).swap(1, 1) == "nothing_to_swap"


def test_a_swap_is_the_take_of_the_turn_s6(situation: Any) -> None:
    play = situation(hands=["*", ""])
    play.swap(1, 1)
    assert (play.stage, play.take(1, 1)) == ("meld", "taken_already")


def test_one_joker_is_swapped_and_the_other_melded_s8(situation: Any) -> None:
    play = situation(hands=["* *", ""], pyramid={(1, 1): "K", (2, 1): "A"})
    play.swap(1, 1)
    assert (play.meld("K *"), play.melds(0), play.hand(0)) == ("", ["K *"], "")


def test_the_next_player_may_take_the_swapped_joker_s9(situation: Any) -> None:
    play = situation(hands=["*", ""], pyramid={(1, 1): "K", (2, 1): "A"})
    play.swap(1, 1)
    play.done()
    assert (play.take(1, 1), play.hand(1)) == ("", "*")


def test_a_swap_turns_nothing_up_s13(situation: Any) -> None:
    play = situation(hands=["*", ""], pyramid={(1, 1): "A", (2, 1): "K"}, hidden=[(2, 1)])
    play.swap(1, 1)
    assert play.seen(2, 1) == "?"


def test_a_row_that_holds_only_a_swapped_joker_counts_s14(situation: Any) -> None:
    play = situation(hands=["* 8 8", ""], pyramid={(1, 1): "K", (2, 1): "A"}, row_multiplier=True)
    play.swap(1, 1)
    play.meld("8 8")
    assert play.points() == [32]


def test_everybody_may_know_which_cards_went_openly_into_a_hand(situation: Any) -> None:
    play = situation(hands=["* 9", "9 9"], pyramid={(1, 1): "K", (2, 1): "9", (3, 1): "A"}, stock="7")
    play.swap(2, 1)
    play.done()
    assert play.view(None)["vars"]["known"] == [["D9"], []]
    play.take(1, 1)
    play.done()
    play.draw()
    play.done()
    assert play.view(None)["vars"]["known"] == [["D9"], ["CK"]]
    play.take(2, 1)
    play.meld("9 9")
    play.take(3, 1)
    play.meld("9 9")
    assert play.view(None)["vars"]["known"] == [["CA"], ["CK", "*"]]
