"""Table B of the rules page: which cards are free, which are covered, when a hidden one is turned up."""

from __future__ import annotations

from typing import Any

import pytest

from carteado.plugins.cascata import rules

TOP = {(1, 1): "A", (2, 1): "2", (2, 2): "3", (3, 1): "4", (3, 2): "5", (3, 3): "6", (4, 1): "7", (4, 2): "8", (4, 3): "9", (4, 4): "T"}
ROW_FOUR = [(4, 1), (4, 2), (4, 3), (4, 4)]


def takes(play: Any, *positions: tuple[int, int]) -> None:
    """Let the players take these cards in turn, and not meld."""
    for position in positions:
        assert play.take(*position) == ""
        assert play.done() == ""


@pytest.mark.parametrize(
    ("taken", "free"),
    [
        pytest.param([], [(1, 1)], id="B1 at the start the apex alone is free"),
        pytest.param([(1, 1)], [(2, 1), (2, 2)], id="B2 then the two below it"),
        pytest.param([(1, 1), (2, 1)], [(2, 2), (3, 1)], id="B3 the middle of row three is still covered"),
        pytest.param([(1, 1), (2, 1), (2, 2)], [(3, 1), (3, 2), (3, 3)], id="B4 all of row three"),
    ],
)
def test_the_pyramid_opens_from_the_apex(dealt: Any, taken: list[tuple[int, int]], free: list[tuple[int, int]]) -> None:
    play = dealt()
    takes(play, *taken)
    assert play.free() == free


def test_a_covered_card_cannot_be_taken_b5(dealt: Any) -> None:
    assert dealt().take(3, 2) == "covered"


def test_a_hidden_card_is_turned_up_when_its_last_cover_goes_b6(situation: Any) -> None:
    play = situation(pyramid=TOP, hidden=ROW_FOUR)
    takes(play, (1, 1), (2, 1), (3, 1))
    assert [play.seen(4, card) for card in range(1, 5)] == ["7", "?", "?", "?"]
    assert play.free() == [(2, 2), (4, 1)]


def test_every_hidden_card_is_turned_up_in_its_own_time_b7(situation: Any) -> None:
    play = situation(pyramid=TOP, hidden=ROW_FOUR)
    takes(play, (1, 1), (2, 1), (2, 2), (3, 1), (3, 2))
    assert [play.seen(4, card) for card in range(1, 5)] == ["7", "8", "?", "?"]


def test_a_hidden_card_cannot_be_taken_b8(situation: Any) -> None:
    play = situation(pyramid=TOP, hidden=ROW_FOUR)
    assert play.take(4, 1) == "not_offered"


def test_with_one_of_two_covers_gone_a_card_stays_covered_and_hidden_b9(situation: Any) -> None:
    play = situation(pyramid=TOP, hidden=ROW_FOUR)
    takes(play, (1, 1), (2, 2), (3, 3))
    assert (play.seen(4, 3), play.seen(4, 4)) == ("?", "T")
    assert (4, 3) not in play.free()


def test_free_from_the_base_the_base_row_is_free_b10(dealt: Any) -> None:
    assert dealt(free_from="base").free() == [(6, card) for card in range(1, 7)]


def test_free_from_the_base_two_cards_free_the_one_above_them_b11(dealt: Any) -> None:
    play = dealt(free_from="base")
    takes(play, (6, 1))
    assert (5, 1) not in play.free()
    takes(play, (6, 2))
    assert play.free() == [(5, 1), (6, 3), (6, 4), (6, 5), (6, 6)]


def test_free_from_the_base_hidden_cards_are_turned_up_from_below(situation: Any) -> None:
    base = {(6, card): "A23456"[card - 1] for card in range(1, 6)}
    five = {(5, card): "789TJ"[card - 1] for card in range(1, 5)}
    play = situation(pyramid={(4, 1): "Q", (4, 2): "K"} | base | five, hidden=[(4, 1), (4, 2)], free_from="base")
    takes(play, (6, 1), (6, 2), (6, 3), (5, 1))
    assert (play.seen(4, 1), play.seen(4, 2)) == ("?", "?")
    takes(play, (5, 2))
    assert (play.seen(4, 1), play.seen(4, 2)) == ("Q", "?")


def test_a_swapped_joker_covers_what_its_place_covers_b12(situation: Any) -> None:
    play = situation(hands=["*", ""], pyramid={(2, 1): "A", (2, 2): "2", (3, 1): "3", (3, 2): "4"})
    assert play.swap(2, 1) == ""
    play.done()
    assert play.free() == [(2, 1), (2, 2)]
    takes(play, (2, 2))
    assert play.free() == [(2, 1)]


@pytest.mark.parametrize("spot", [(1, 1), (4, 2), (6, 6)])
def test_the_last_card_is_free_wherever_it_lies_b13(situation: Any, spot: tuple[int, int]) -> None:
    assert situation(pyramid={spot: "9"}).free() == [spot]
    assert situation(pyramid={spot: "9"}, free_from="base").free() == [spot]


@pytest.mark.parametrize("free_from", [rules.APEX, rules.BASE])
@pytest.mark.parametrize("rows", [6, 7])
def test_each_card_is_covered_by_its_neighbours_of_the_next_row(rows: int, free_from: str) -> None:
    over = rules.covers(rows, free_from)
    step = -1 if free_from == rules.APEX else 1
    for row in range(1, rows + 1):
        for card in range(1, row + 1):
            near = [(row + step, other) for other in ((card - 1, card) if step < 0 else (card, card + 1))]
            inside = [rules.place(*spot) for spot in near if 1 <= spot[0] <= rows and 1 <= spot[1] <= spot[0]]
            assert list(over[rules.place(row, card)]) == inside


def test_the_pyramid_travels_as_rows_and_covers(dealt: Any) -> None:
    zone = dealt(4).zone("pyramid", None)
    assert (zone["kind"], zone["facts"]["rows"]) == ("pyramid", 7)
    assert zone["facts"]["covers"][:6] == [[], [0], [0], [1], [1, 2], [2]]
