"""Tables H (going out), J (the stock runs out) and K (points) of the rules page, through the real match."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from carteado.core.match import Match
from carteado.plugins.dez_degraus import game
from carteado.plugins.dez_degraus.bot import Naive
from carteado.plugins.dez_degraus.rules import TURNS_A_PLAYER

EIGHTS = (0, "set", "R8 B8 G8")
TEN = "Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y9 Y10 Y11"


def test_h1_discarding_the_last_card_ends_the_hand_with_no_points(play: Any, scene: Any) -> None:
    table = play(scene({0: "Y1"}, groups=[EIGHTS]))
    table.do(0, "discard", cards=["Y1"])
    assert (table.reason, table.points[0]) == ("dd.over.out", 0)


def test_h2_adding_the_last_card_ends_the_hand_without_a_discard(play: Any, scene: Any) -> None:
    table = play(scene({0: "Y8"}, groups=[EIGHTS]))
    table.do(0, "hit", cards=["Y8"], group="group/1")
    assert (table.match.phase, table.points[0], table.cards("discard")) == ("dealing", 0, "G1")


def test_h4_laying_the_whole_hand_ends_the_hand_and_the_match_in_phase_10(play: Any, scene: Any) -> None:
    hand = "R2 R2 B2 B2 G2 R11 R11 B11 B11 G11 W"
    table = play(scene({0: hand}, phases=[10, 9, 9]))
    table.do(0, "lay", groups=[["R2", "R2", "B2", "B2", "G2", "W"], ["R11", "R11", "B11", "B11", "G11"]])
    assert (table.match.phase, table.places[0]) == ("over", [0])


def test_h5_h6_who_laid_goes_on_and_who_did_not_repeats(play: Any, scene: Any) -> None:
    groups = [EIGHTS, (2, "set", "R9 B9 G9")]
    table = play(scene({0: "Y1"}, groups=groups, phases=[1, 2, 3]))
    table.do(0, "discard", cards=["Y1"])
    assert table.phases == [2, 2, 4]


def test_h6_everybody_who_laid_goes_on(play: Any, scene: Any) -> None:
    groups = [EIGHTS, (1, "set", "R7 B7 G7"), (2, "set", "R9 B9 G9")]
    table = play(scene({0: "Y1"}, groups=groups, phases=[4, 4, 7]))
    table.do(0, "discard", cards=["Y1"])
    assert table.phases == [5, 5, 8]


def test_h7_nobody_gets_a_last_turn(play: Any, scene: Any) -> None:
    table = play(scene({0: "Y1"}, groups=[EIGHTS]))
    table.do(0, "discard", cards=["Y1"])
    assert (table.match.prompts, table.match.phase) == ({}, "dealing")


def test_h8_a_skip_as_the_last_card_asks_for_no_target(play: Any, scene: Any) -> None:
    table = play(scene({0: "S"}, groups=[EIGHTS]))
    table.do(0, "discard", cards=["S"])
    assert (table.reason, table.cards("discard")) == ("dd.over.out", "G1 S")


def test_h9_after_a_skip_as_the_last_card_nobody_is_skipped_in_the_next_hand(play: Any, scene: Any) -> None:
    table = play(scene({0: "S"}, groups=[EIGHTS]))
    table.do(0, "discard", cards=["S"], seat=1)
    table.deal()
    assert (table.match.table.get("skips"), table.match.table.get("served")) == ([], [])


def test_h11_without_laying_a_hand_has_ten_cards_after_each_discard() -> None:
    match = Match(game, {}, [{"name": name} for name in "ABC"])
    rng = random.Random(3)
    seen = 0
    while seen < 300 and match.phase != "over":
        if match.phase == "dealing":
            match.deal(rng.randbytes(32))
        (seat,) = match.prompts
        match.act(seat, match.prompts[seat].id, Naive().choose(match.view(seat, captions=False), rng))
        if match.phase == "playing" and match.table.asked(next(iter(match.prompts))) == "draw":
            waiting = [other for other in range(3) if other not in match.table.get("laid")]
            assert [len(match.table.cards(f"hand/{other}")) for other in waiting] == [10] * len(waiting)
            seen += 1
    assert seen == 300


def test_j1_an_empty_stock_is_made_of_all_discards_but_the_top(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN}, stage="draw", discards="G1 G2 G3 G5 G6 G7 G9 B4", boxed=True))
    table.do(0, "draw")
    stock, hand = len(table.cards("stock").split()), len(table.cards("hand/0").split())
    assert (stock, hand, table.cards("discard")) == (6, 11, "B4")


def test_j2_taking_the_top_discard_shuffles_nothing(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN}, stage="draw", discards="G1 G2 B4", boxed=True))
    table.do(0, "take")
    assert (table.cards("stock"), table.cards("discard")) == ("", "G1 G2")


def test_j3_with_one_discard_nothing_can_be_drawn_but_it_can_be_taken(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN}, stage="draw", discards="B4", boxed=True))
    assert table.refused(0, "draw") == "nothing_to_draw"
    table.do(0, "take")
    assert "B4" in table.cards("hand/0")


def test_j4_k10_with_nothing_to_draw_at_all_the_hand_is_blocked_and_everybody_scores(play: Any, scene: Any) -> None:
    hands = {0: TEN.replace("Y", "R"), 1: "R1 B9 G5", 2: "R3 W S B12 Y12 Y8"}
    # The discards are one skip short of empty when the one before took the last other card.
    start = scene(hands, stage="draw", discards="G12", turn=2, boxed=True, groups=[(1, "set", "R7 B7 G7")])
    table = play(start)
    table.do(2, "take")
    table.do(2, "discard", cards=["S"], seat=1)
    assert (table.reason, table.phases) == ("dd.over.blocked", [1, 2, 1])
    assert table.points == [60, 15, 5 + 25 + 10 + 10 + 5 + 10]


def test_j5_the_reshuffled_discards_are_not_in_the_discard_pile_too(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN}, stage="draw", discards="G1 G2 G3 B4", boxed=True))
    table.do(0, "draw")
    everywhere = Counter(table.match.table.all_cards())
    assert [everywhere[face] for face in ("G1", "G2", "G3", "B4")] == [2, 2, 2, 2]


def test_j6_a_reshuffled_skip_is_an_ordinary_card_again(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN}, stage="draw", discards="S B4", boxed=True))
    table.do(0, "draw")
    assert ("S" in table.cards("hand/0"), table.match.table.get("skips")) == (True, [])


def test_j7_the_reshuffle_comes_from_the_seed(play: Any, scene: Any) -> None:
    start = scene({0: TEN}, stage="draw", discards="G1 G2 G3 G5 G6 G7 G9 B4", boxed=True)
    orders = []
    for _ in range(2):
        table = play(start)
        table.do(0, "draw")
        orders.append(table.cards("stock"))
    assert orders[0] == orders[1]


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        pytest.param("R1 B9 G5", 15, id="K1 one to nine"),
        pytest.param("R10 B11 G12", 30, id="K2 ten to twelve"),
        pytest.param("S", 15, id="K3 I15 a skip"),
        pytest.param("R3 W S B12 Y9", 60, id="K5 a mixed hand"),
        pytest.param("R1 R2 R3 R4 R5 R6 R7 B9 R9 R10", 55, id="K8 all ten cards of somebody who never laid"),
    ],
)
def test_cards_left_in_the_hand_count(play: Any, scene: Any, hand: str, expected: int) -> None:
    table = play(scene({0: "Y1", 1: hand}, groups=[EIGHTS]), players=2)
    table.do(0, "discard", cards=["Y1"])
    assert table.points == [0, expected]


def test_k7_cards_on_the_table_do_not_count(play: Any, scene: Any) -> None:
    table = play(scene({0: "Y1", 1: "R5"}, groups=[EIGHTS, (1, "set", "R12 B12 G12 W W")]), players=2)
    table.do(0, "discard", cards=["Y1"])
    assert table.points == [0, 5]


def test_points_add_up_over_hands(play: Any, scene: Any) -> None:
    first = scene({0: "Y1", 1: "R5 W"}, groups=[EIGHTS])
    table = play(first, first, players=2)
    for _ in range(2):
        table.do(0, "discard", cards=["Y1"])
        table.deal()
    assert [seat["points"] for seat in table.match.view(None)["seats"]] == [0, 60]


def test_d15_d30_the_hand_is_blocked_after_fifty_turns_a_player(play: Any, scene: Any) -> None:
    limit = TURNS_A_PLAYER * 3
    table = play(scene({0: TEN + " W", 1: TEN.replace("Y", "B")}, turns=limit - 1, skips=[1]))
    table.do(0, "discard", cards=["Y1"])
    assert (table.match.phase, table.turn, table.match.table.get("turns")) == ("playing", 2, limit + 1)
    table.do(2, "draw")
    table.do(2, "discard", cards=[table.cards("hand/2").split()[0]])
    assert table.reason == "dd.over.blocked"


def test_the_score_sheet_explains_the_sum(play: Any, scene: Any) -> None:
    table = play(scene({0: "Y1", 1: "R3 W S B12 Y9"}, groups=[EIGHTS]), players=2)
    table.do(0, "discard", cards=["Y1"])
    assert table.match.result is not None
    assert table.match.result["sheet"][1] == {
        "title": ["dd.sheet.player", {"who": {"$player": 1}}],
        "lines": [
            ["dd.sheet.low", {"n": 2, "each": 5, "sum": 10}],
            ["dd.sheet.high", {"n": 1, "each": 10, "sum": 10}],
            ["dd.sheet.skips", {"n": 1, "each": 15, "sum": 15}],
            ["dd.sheet.wilds", {"n": 1, "each": 25, "sum": 25}],
            ["dd.sheet.total", {"gained": 60, "total": 60}],
            ["dd.sheet.again", {"n": 1, "phase": ["dd.phase.1", {}]}],
        ],
    }
