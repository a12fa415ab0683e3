"""Tables H, I and J of the rules page: what melds and hands are worth, the end, ties, the lock card; and the score sheet."""

from __future__ import annotations

from typing import Any

import pytest

from carteado.plugins.cascata import game, rules
from carteado.plugins.cascata.sheet import Laid, score


def laid(text: str, rows: int = 1) -> Laid:
    return Laid(tuple("*" if token == "*" else f"C{token}" for token in text.split()), rows)


def hand(text: str) -> list[str]:
    return ["*" if token == "*" else f"C{token}" for token in text.split()]


@pytest.mark.parametrize(
    ("meld", "points"),
    [
        pytest.param("8 8", 16, id="V a pair counts its sum"),
        pytest.param("8 8 8", 48, id="V2 a three counts twice its sum"),
        pytest.param("8 *", 8, id="V4 a joker counts nothing"),
        pytest.param("K * *", 26, id="V6 nor two of them, but they make a three"),
        pytest.param("8 8 8 8", 100, id="V7 a four is worth a hundred"),
        pytest.param("A A * *", 100, id="V7 whatever it is made of"),
    ],
)
def test_a_meld_is_worth(meld: str, points: int) -> None:
    assert laid(meld).points == points


@pytest.mark.parametrize(
    ("melds", "held", "points"),
    [
        pytest.param([], "A T J Q K *", -47, id="V9 the hand is subtracted"),
        pytest.param([], "", 0, id="V10 an empty hand costs nothing"),
        pytest.param(["8 8", "9 9 9 9"], "K 2", 101, id="V11 melds less the hand"),
        pytest.param([], "Q Q", -24, id="V12 a total may be negative"),
    ],
)
def test_a_player_scores(melds: list[str], held: str, points: int) -> None:
    assert score([laid(meld) for meld in melds], hand(held)) == points


FIVE_ROWS = {(row, 1): "A234567"[row] for row in range(1, 6)}


def test_with_the_multiplier_a_meld_counts_for_each_row_left_v13(situation: Any) -> None:
    play = situation(hands=["8 8", ""], pyramid=FIVE_ROWS, stock="Q", row_multiplier=True)
    play.draw()
    play.meld("8 8")
    assert play.points() == [80]


def test_an_extension_carries_the_multiplier_of_its_own_moment_v14(situation: Any) -> None:
    play = situation(hands=["8", ""], pyramid={(1, 1): "A", (2, 1): "2"}, stock="Q", melds=[(0, "8 8")], rows=[5], row_multiplier=True)
    play.draw()
    play.extend("8", 1)
    assert play.points() == [96]


def test_an_extension_may_lower_a_meld_and_this_is_shown_before_v15(situation: Any) -> None:
    play = situation(hands=["K", ""], pyramid={(3, 1): "2"}, stock="Q", melds=[(0, "K K")], rows=[6], row_multiplier=True)
    play.draw()
    view = play.view(0)
    assert view["layout"]["labels"]["meld/1"] == ["label.meld.lower", {"meld": ["meld.2", {}], "points": 156, "then": 78}]
    warnings = [hint["text"] for hint in view["prompts"][0]["hints"] if hint["text"][0] == "hint.extend.lower"]
    assert [(text[1]["before"], text[1]["points"]) for text in warnings] == [(156, 78)]
    assert view["prompts"][0]["forms"][1]["label"] == ["form.extend.lower", {}]
    assert play.view(1)["layout"]["labels"]["meld/1"] == ["label.meld", {"meld": ["meld.2", {}], "points": 156}]
    assert play.extend("K", 1) == ""
    assert play.points() == [78]


def test_a_stolen_four_carries_the_multiplier_of_its_moment_c14(situation: Any) -> None:
    play = situation(hands=["8", ""], pyramid=FIVE_ROWS, stock="Q", melds=[(1, "8 8 8")], rows=[6], row_multiplier=True)
    play.draw()
    play.steal("8", 1)
    assert play.points() == [500]


def test_a_row_emptied_by_the_take_no_longer_counts_v18(situation: Any) -> None:
    play = situation(hands=["8 8", ""], pyramid=FIVE_ROWS, row_multiplier=True)
    hints = [hint["text"] for hint in play.view(0)["prompts"][0]["hints"]]
    assert ["hint.row.lower", {"card": {"$card": "C2"}, "n": 4}] in hints
    play.take(1, 1)
    play.meld("8 8")
    assert play.points() == [64]


def test_after_the_last_card_the_multiplier_is_one_v19(situation: Any) -> None:
    play = situation(hands=["8 8", ""], pyramid={(2, 2): "A"}, row_multiplier=True)
    play.take(2, 2)
    play.meld("8 8")
    assert play.points() == [16]


def test_the_first_take_from_the_apex_lowers_the_multiplier_at_once_v20(dealt: Any) -> None:
    play = dealt(row_multiplier=True)
    assert play.view(0)["layout"]["title"] == [["title.rows", {"n": 6}]]
    play.draw()
    play.done()
    assert play.view(0)["layout"]["title"] == [["title.rows", {"n": 6}]]
    play.take(1, 1)
    assert play.view(0)["layout"]["title"] == [["title.rows", {"n": 5}]]


def test_the_hand_is_never_multiplied_v21(situation: Any) -> None:
    play = situation(hands=["8 8", "K"], pyramid={(1, 1): "A", (2, 1): "2"}, row_multiplier=True)
    play.take(1, 1)
    play.meld("8 8")
    play.take(2, 1)
    play.done()
    assert play.match.result["points"] == [16 - 1, -13 - 2]


def end(situation: Any, hands: list[str], melds: list[tuple[int, str]], **options: Any) -> Any:
    """Let seat 0 take the last card, a joker, and do nothing."""
    play = situation(hands=hands, pyramid={(1, 1): "*"}, melds=melds, **options)
    play.take(1, 1)
    play.done()
    return play


def test_the_game_ends_when_the_last_card_is_taken_e2(situation: Any) -> None:
    play = end(situation, ["", ""], [])
    assert (play.match.phase, play.match.result["reason"]) == ("over", ["reason.pyramid", {}])


def test_the_game_ends_whatever_is_left_in_the_reserve_e4(situation: Any) -> None:
    assert end(situation, ["", ""], [], stock="2 3 4").match.phase == "over"


def test_whoever_takes_the_last_card_may_still_steal_e6(situation: Any) -> None:
    play = situation(hands=["8", ""], pyramid={(1, 1): "*"}, melds=[(1, "8 8")])
    play.take(1, 1)
    assert (play.match.phase, play.stage, play.steal("8 *", 1)) == ("playing", "meld", "")
    assert (play.match.phase, play.match.result["points"]) == ("over", [100, 0])


@pytest.mark.parametrize(
    ("hands", "melds", "points", "places"),
    [
        pytest.param(["", "8"], [(1, "9 9 9 9")], [0, 92], [[1], [0]], id="E the highest score wins"),
        pytest.param(["T T", "K 7 *"], [(0, "9 9 9 9"), (1, "8 8 8 8")], [80, 80], [[0, 1]], id="E9 equal points and cards share"),
        pytest.param(["T T", "K 6 A"], [(0, "9 9 9 9"), (1, "8 8 8 8")], [80, 80], [[0, 1]], id="E9 the last card taken counts"),
        pytest.param(["T T", "T K"], [(0, "5 5 5 5"), (1, "9 9 9 9"), (1, "A *")], [80, 78], [[0], [1]], id="E points come before cards"),
        pytest.param(["Q", "J A A"], [(0, "9 9 9 9"), (1, "8 8 8 8"), (1, "A *")], [88, 88], [[0], [1]], id="E8 fewer cards win a tie"),
        pytest.param(["Q", "Q *"], [(0, "9 9 9 9"), (1, "8 8 8 8")], [88, 88], [[0, 1]], id="E11 a joker is a card in a tie, two and two"),
        pytest.param(["Q", "Q"], [(0, "9 9 9 9"), (1, "8 8 8 8")], [88, 88], [[1], [0]], id="E11 a joker is a card in a tie, two and one"),
    ],
)
def test_the_places_of_two(situation: Any, hands: list[str], melds: Any, points: list[int], places: list[list[int]]) -> None:
    play = end(situation, hands, melds)
    assert (play.match.result["points"], play.match.end["places"]) == (points, places)


def test_chips_are_paid_by_place_and_shared_in_a_tie_c21(situation: Any) -> None:
    play = end(situation, ["", "*", "K"], [(0, "9 9 9 9"), (1, "8 8 8 8")], stake=10)
    assert (play.match.end["places"], play.match.end["chips"]) == ([[0, 1], [2]], [10, 10, -20])


def test_several_games_add_up_and_ties_go_by_all_cards_left(situation: Any) -> None:
    play = end(situation, ["", ""], [(1, "9 9 9 9")], games=2)
    assert (play.match.phase, play.match.end, play.match.table.kept("left")) == ("dealing", None, [1, 0])
    play.match.deal(bytes(32))
    play.take(1, 1)
    play.done()
    assert (play.match.phase, play.match.end["places"]) == ("over", [[1], [0]])
    assert [seat["points"] for seat in play.view(None)["seats"]] == [0, 200]


def test_the_lock_card_is_shown_and_closes_the_reserve_l1(situation: Any) -> None:
    play = situation(stock="L 5 6", lock_card=True)
    assert play.draw() == ""
    assert (play.zone("out", None)["cards"], play.zone("stock", None)["n"], play.hand(0)) == (["L"], 2, "")
    assert play.view(1)["layout"]["labels"]["stock"] == ["label.stock.locked", {}]
    assert ["log.locked", {"who": {"$player": 0}, "n": 2}] in play.view(None)["log"]


def test_its_drawer_takes_again_and_may_meld_l2(situation: Any) -> None:
    play = situation(hands=["A", ""], stock="L 5", lock_card=True)
    play.draw()
    assert (play.seat, play.stage, play.done(), play.meld("A A")) == (0, "take", "take_first", "take_first")
    play.take(1, 1)
    assert (play.meld("A A"), play.melds(0)) == ("", ["A A"])


def test_a_locked_reserve_gives_no_more_cards_l3(situation: Any) -> None:
    play = situation(stock="L 5 6", lock_card=True)
    play.draw()
    assert play.draw() == "stock_locked"
    play.take(1, 1)
    play.done()
    assert play.draw() == "stock_locked"
    assert play.form("draw")["blocked"] == ["stock_locked", {"n": 2}]


def test_a_joker_is_still_swapped_after_the_lock_l4(situation: Any) -> None:
    play = situation(hands=["*", ""], stock="L 5", lock_card=True)
    play.draw()
    assert (play.swap(2, 1), play.hand(0)) == ("", "2")


def test_the_lock_card_may_be_the_last_of_the_reserve_l5(situation: Any) -> None:
    play = situation(stock="L", lock_card=True)
    play.draw()
    assert (play.zone("out", None)["cards"], play.zone("stock", None)["n"], play.draw(), play.take(1, 1)) == (["L"], 0, "stock_locked", "")


def test_the_lock_card_never_enters_a_hand_a_meld_or_the_score_l6(dealt: Any) -> None:
    for seed in range(10):
        play = dealt(2, seed, lock_card=True)
        match, table = play.match, play.match.table
        while match.phase == "playing":
            kinds = {form.type for form in match.forms(play.seat) if form.blocked is None}
            action = {"type": "draw"} if "draw" in kinds else game.timeout(table, play.seat)
            match.act(play.seat, match.prompts[play.seat].id, action)
            where = [zone.name for zone in table.zones() if "L" in zone.cards]
            assert where in (["stock"], ["out"])
        assert where == ["out"]


def test_both_variants_at_once_are_independent_l8(situation: Any) -> None:
    play = situation(hands=["8 8", ""], pyramid=FIVE_ROWS, stock="L 5", lock_card=True, row_multiplier=True)
    play.draw()
    play.take(1, 1)
    play.meld("8 8")
    assert (play.points(), play.draw()) == ([64], "stock_locked")


def test_the_score_sheet_explains_melds_and_hand(situation: Any) -> None:
    play = situation(hands=["8 8", "Q *"], pyramid={(1, 1): "K", (2, 1): "A"}, melds=[(1, "3 3 3"), (0, "9 9 9 9")],
                     rows=[1, 2], row_multiplier=True)  # fmt: skip
    play.take(1, 1)
    play.meld("8 8")
    play.take(2, 1)
    play.done()
    first, second = play.match.result["sheet"]
    assert first["title"] == ["sheet.title", {"who": {"$player": 0}, "n": 203}]
    assert first["lines"] == [
        ["sheet.meld.4.rows", {**{key: {"$card": f"{suit}9"} for key, suit in zip("abcd", "CSHD", strict=True)}, "points": 200, "n": 2}],
        ["sheet.meld.2", {"a": {"$card": "C8"}, "b": {"$card": "S8"}, "points": 16, "sum": 16, "times": 1}],
        ["sheet.hand", {"cards": {"$list": [{"$card": "CK"}]}, "points": 13}],
    ]
    assert second["lines"][-1] == ["sheet.hand", {"cards": {"$list": [{"$card": "CA"}, {"$card": "CQ"}, {"$card": "*"}]}, "points": 13}]


def test_the_running_sheet_counts_only_the_readers_own_hand(situation: Any) -> None:
    play = situation(hands=["K", "Q Q"], melds=[(1, "3 3 3")])
    panels = play.view(0)["layout"]["panels"]
    assert panels[0]["lines"] == [["sheet.hand.now", {"n": 1, "points": 13}]]
    assert panels[1]["title"] == ["sheet.title", {"who": {"$player": 1}, "n": 18}]
    assert panels[1]["lines"][-1] == ["sheet.cards", {"n": 2}]
    assert play.view(None)["layout"]["panels"][0]["lines"] == [["sheet.cards", {"n": 1}]]
    assert play.view(0)["layout"]["badges"] == [[["badge.points", {"n": 0}]], [["badge.points", {"n": 18}]]]


def test_a_table_may_do_without_the_running_score(situation: Any) -> None:
    play = situation(melds=[(1, "3 3 3")], running_score=False)
    layout = play.view(0)["layout"]
    assert (layout["panels"], layout["badges"], layout["labels"]["meld/1"]) == ([], [[], []], ["meld.3", {}])


def test_ties_are_groups_best_first() -> None:
    keys = [(0, 50, 2), (1, 70, 5), (2, 70, 3), (3, 50, 2)]
    assert rules.ranking(keys) == [[2], [1], [0, 3]]
