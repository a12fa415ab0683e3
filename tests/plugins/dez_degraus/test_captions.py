"""Captions and hints: what a client shows of this game."""

from __future__ import annotations

from typing import Any

import pytest

from carteado.core.api import Result, Speech
from carteado.plugins.dez_degraus import game

TEN = "Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y9 Y10 Y11"
EIGHTS = "R8 B8 G8"


def text(view: dict[str, Any], message: Any) -> str:
    return Speech([game.words("en")], ("Ana", "Bruno", "Carla"), game.deck.looks, you=view["you"]).text(message)


def prompt(table: Any, seat: int | None) -> str:
    view = table.match.view(seat)
    return text(view, view["layout"]["prompt"])


def hints(table: Any, seat: int) -> list[tuple[str, Any]]:
    view = table.match.view(seat)
    return [(text(view, hint["text"]), hint["action"]) for hint in view["prompts"][0]["hints"]]


@pytest.mark.parametrize(
    ("start", "sentence"),
    [
        ({"stage": "draw"}, "Draw from the stock, or take the top discard."),
        ({"stage": "draw", "discards": "S"}, "Draw a card from the stock."),
        ({"stage": "draw", "boxed": True}, "The stock is empty: take the top discard."),
        ({"phases": [8, 1, 1]}, "You can lay your phase: 7 cards of one colour."),
        ({}, "4 cards short of 2 sets of 3: discard a card."),
        ({"laid": [0]}, "Discard a card."),
        ({"groups": [(0, "set", "R9 B9 G9")]}, "Add cards to groups, then discard one."),
    ],
)
def test_the_prompt_says_what_is_wanted(play: Any, scene: Any, start: dict[str, Any], sentence: str) -> None:
    hand = TEN if start.get("stage") == "draw" else TEN + " Y12"
    assert prompt(play(scene({0: hand}, **start)), 0) == sentence


def test_the_others_and_a_watcher_read_who_is_playing(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN}, stage="draw"))
    assert [prompt(table, 1), prompt(table, None)] == ["Ana is playing."] * 2


def test_at_the_end_the_prompt_names_the_winner(play: Any) -> None:
    table = play(Result(points={}, over=True, ranking=[[1], [0, 2]]))
    assert prompt(table, 0) == "The match is over. First: Bruno."


def test_badges_tell_phase_laid_and_a_turn_to_lose(play: Any, scene: Any) -> None:
    start = scene({0: TEN, 1: "R1 R2", 2: "R3"}, groups=[(1, "set", EIGHTS)], phases=[3, 5, 1], skips=[2])
    view = play(start).match.view(None)
    badges = [[text(view, badge) for badge in seat] for seat in view["layout"]["badges"]]
    assert badges == [["phase 3"], ["phase 5", "laid"], ["phase 1", "skipped"]]


def test_the_phase_panel_marks_the_own_phase_and_those_done(play: Any, scene: Any) -> None:
    view = play(scene({0: TEN}, phases=[3, 1, 1])).match.view(0)
    lines = [text(view, line) for line in view["layout"]["panels"][0]["lines"]]
    assert lines[1:4] == [
        "✓ 2. a set of 3 and a run of 4",
        "► 3. a set of 4 and a run of 4",
        "  4. a run of 7",
    ]


def test_the_points_panel_shows_points_and_phases(play: Any, scene: Any) -> None:
    earlier = Result(points={0: 35, 1: 0, 2: 120}, keep={"phases": [1, 2, 1]})
    view = play(earlier, scene({0: TEN})).match.view(0)
    lines = [text(view, line) for line in view["layout"]["panels"][1]["lines"]]
    assert lines == ["Ana: 35, phase 1", "Bruno: 0, phase 2", "Carla: 120, phase 1"]


def test_groups_are_labelled_by_what_they_are(play: Any, scene: Any) -> None:
    groups = [(1, "set", EIGHTS), (1, "run", "R3 W R5 R6"), (2, "colour", "R1 R2 W W W W W")]
    view = play(scene({0: TEN}, groups=groups)).match.view(0)
    labels = [text(view, view["layout"]["labels"][f"group/{number}"]) for number in (1, 2, 3)]
    assert labels == ["set 8", "run 3-6", "all red"]


def test_hands_can_be_sorted_by_number_and_by_colour(play: Any, scene: Any) -> None:
    sorts = play(scene({0: TEN})).match.view(0)["layout"]["sorts"]
    hand = ["W", "Y2", "R12", "S", "B2"]
    assert [sorted(hand, key=sort["order"].index) for sort in sorts] == [
        ["B2", "Y2", "R12", "W", "S"],
        ["R12", "B2", "Y2", "W", "S"],
    ]


def test_the_hint_names_the_groups_that_can_be_laid_and_its_action_lays_them(play: Any, scene: Any) -> None:
    table = play(scene({0: "R9 B9 W B4 G5 Y6 R7 Y1 Y2 Y11 Y12"}, phases=[2, 1, 1]))
    said, action = hints(table, 0)[0]
    table.match.act(0, table.match.prompts[0].id, action)
    assert said == "You can lay a set of 3 and a run of 4: 9■, 9●, ★; 4■, 5▲, 6◆, 7●"
    assert table.cards("group/2") == "B4 G5 Y6 R7"


def test_the_hint_says_how_far_the_phase_is(play: Any, scene: Any) -> None:
    table = play(scene({0: "R9 B9 G1 B4 G5 Y12 R12 Y1 Y2 Y11 Y7"}, phases=[9, 1, 1]))
    assert hints(table, 0)[0] == ("You need 3 more cards for a set of 5 and a set of 2.", None)


def test_the_hint_takes_a_discard_that_helps(play: Any, scene: Any) -> None:
    table = play(scene({0: "R9 B9 G1 B4 G5 Y12 R11 Y3 Y2 Y7"}, stage="draw", discards="G9"))
    assert hints(table, 0) == [("Take 9▲: it brings your phase nearer.", {"type": "take"})]


def test_the_hint_leaves_a_discard_that_does_not_help(play: Any, scene: Any) -> None:
    table = play(scene({0: "R9 B9 G1 B4 G5 Y12 R11 Y3 Y2 Y7"}, stage="draw", discards="G8"))
    assert hints(table, 0) == [("Draw from the stock.", {"type": "draw"})]


def test_the_hint_adds_cards_in_an_order_that_empties_the_hand(play: Any, scene: Any) -> None:
    groups = [(1, "set", EIGHTS), (1, "run", "R4 G5 B6 Y7")]
    table = play(scene({0: "Y8 B9 W"}, groups=groups, laid=[0]))
    actions = []
    while table.match.phase == "playing":
        _, action = hints(table, 0)[0]
        actions.append((action["cards"], action["group"]))
        table.match.act(0, table.match.prompts[0].id, action)
    assert actions == [(["Y8"], "group/2"), (["B9"], "group/2"), (["W"], "group/1")]


@pytest.mark.parametrize("seat", [0, 1])
def test_only_the_one_who_draws_reads_the_card(play: Any, scene: Any, seat: int) -> None:
    table = play(scene({0: TEN}, stage="draw", stock="B5"))
    table.do(0, "draw")
    view = table.match.view(seat)
    assert text(view, view["log"][-1]) == ["You draw 5■", "Ana draws from the stock"][seat]


def test_what_happens_is_told_in_the_log_to_each_in_his_own_words(play: Any, scene: Any) -> None:
    table = play(scene({0: "R7 B7 G7 R9 B9 G9 Y7 S Y1 Y2 Y3"}))
    table.do(0, "lay", groups=[["R7", "B7", "G7"], ["R9", "B9", "G9"]])
    table.do(0, "hit", cards=["Y7"], group="group/1")
    table.do(0, "discard", cards=["S"], seat=1)
    told = []
    for seat in (0, 1):
        view = table.match.view(seat)
        told.append([text(view, message) for message in view["log"]])
    assert told == [
        [
            "You lay phase 1: 7■, 7▲, 7●; 9■, 9▲, 9●",
            "You add 7◆: set 7",
            "You discard »",
            "Bruno loses the next turn",
            "Bruno is passed over",
        ],
        [
            "Ana lays phase 1: 7■, 7▲, 7●; 9■, 9▲, 9●",
            "Ana adds 7◆: set 7",
            "Ana discards »",
            "You lose your next turn",
            "You are passed over",
        ],
    ]
