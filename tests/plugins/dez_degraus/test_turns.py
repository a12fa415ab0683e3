"""Table F of the rules page (the order of a turn), and C, D at the table: through the real match."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from carteado.core.match import Match
from carteado.plugins.dez_degraus import game
from carteado.plugins.dez_degraus.rules import CARDS

TEN = "R1 R2 B3 B5 G6 G8 Y9 Y11 R12 B12"
PHASE_1 = "R7 B7 G7 R9 B9 G9"


@pytest.mark.parametrize("kind", ["lay", "hit", "discard"])
def test_f1_before_drawing_nothing_else_is_possible(play: Any, scene: Any, kind: str) -> None:
    table = play(scene({0: TEN}, stage="draw"))
    fields = {"lay": {"cards": ["R1"]}, "hit": {"cards": ["R1"], "group": "group/1"}, "discard": {"cards": ["R1"]}}
    assert table.refused(0, kind, **fields[kind]) == "draw_first"


def test_f3_nobody_acts_in_the_turn_of_another(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN}, stage="draw"))
    assert table.refused(1, "draw") == "not_asked"


def test_f6_a_card_that_is_not_held_cannot_be_discarded(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN + " W"}))
    assert (table.refused(0, "discard", cards=["Y5"]), table.cards("discard")) == ("not_held", "G1")


def test_f7_the_card_just_taken_may_be_discarded_again(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN}, stage="draw", discards="G1 B8"))
    table.do(0, "take")
    table.do(0, "discard", cards=["B8"])
    assert (table.cards("discard"), table.turn) == ("G1 B8", 1)


def test_f9_a_skip_on_the_discards_cannot_be_taken(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN}, stage="draw", discards="G1 S"))
    assert table.refused(0, "take") == "skip_not_taken"
    table.do(0, "draw")


def test_f10_an_empty_discard_pile_gives_nothing(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN}, stage="draw", discards=""))
    assert table.refused(0, "take") == "discards_empty"


def test_f11_only_the_top_discard_can_be_taken(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN}, stage="draw", discards="G2 G1"))
    assert table.refused(0, "take", cards=["G2"]) == "bad_field"
    table.do(0, "take")
    assert table.cards("discard") == "G2"


@pytest.mark.parametrize(("players", "stock"), [(2, 87), (3, 77), (4, 67), (5, 57), (6, 47)])
def test_f12_ten_cards_each_one_turned_up_the_rest_is_stock(play: Any, players: int, stock: int) -> None:
    table = play(None, players=players).match.table
    hands = [len(table.cards(f"hand/{seat}")) for seat in range(players)]
    assert (hands, len(table.cards("stock")), len(table.cards("discard"))) == ([10] * players, stock, 1)


def test_f13_all_cards_of_all_zones_are_always_the_pack(play: Any, scene: Any) -> None:
    table = play(scene({0: PHASE_1 + " Y1 Y2 Y3 Y4"}, stage="draw", stock="R7"))
    table.do(0, "draw")
    table.do(0, "lay", cards=PHASE_1.split())
    table.do(0, "hit", cards=["R7"], group="group/1")
    table.do(0, "discard", cards=["Y1"])
    assert Counter(table.match.table.all_cards()) == Counter(CARDS)


def turned_up(face: str) -> Match:
    """Return the first real deal of three players, by seed, that turns up this face."""
    for number in range(2_000):
        match = Match(game, {}, [{"name": name} for name in "ABC"])
        match.deal(number.to_bytes(32, "big"))
        if match.table.cards("discard") == (face,):
            return match
    raise AssertionError(f"no deal turns up {face}")


def test_f14_a_skip_turned_up_skips_the_one_who_starts() -> None:
    match = turned_up("S")
    start = match.table.start
    assert (list(match.prompts), match.table.get("served")) == ([(start + 1) % 3], [start])


def test_d2_a_wild_turned_up_may_be_taken_by_the_one_who_starts() -> None:
    match = turned_up("W")
    start = match.table.start
    match.act(start, match.prompts[start].id, {"type": "take"})
    assert "W" in match.table.cards(f"hand/{start}")


def test_f16_a_phase_is_laid_once_a_hand(play: Any, scene: Any) -> None:
    table = play(scene({0: PHASE_1 + " R10 B10 G10 R11 B11 G11"}))
    table.do(0, "lay", cards=PHASE_1.split())
    assert table.refused(0, "lay", cards=["R10", "B10", "G10", "R11", "B11", "G11"]) == "already_laid"


def test_f17_laying_may_wait_for_a_later_turn(play: Any, scene: Any) -> None:
    table = play(scene({0: PHASE_1 + " Y1 Y2 Y3 Y4 Y5"}), players=2)
    table.do(0, "discard", cards=["Y1"])
    table.do(1, "draw")
    table.do(1, "discard", cards=[table.cards("hand/1").split()[0]])
    table.do(0, "draw")
    table.do(0, "lay", cards=PHASE_1.split())
    assert table.cards("group/1") == "B7 G7 R7"


def test_a12_the_same_card_sent_twice_is_not_held_twice(play: Any, scene: Any) -> None:
    table = play(scene({0: "R5 B5 G5 R7 B7 W Y1 Y2 Y3 Y4 Y6"}))
    assert table.refused(0, "lay", groups=[["R5", "R5", "B5"], ["R7", "B7", "W"]]) == "not_held"


def test_d2c_one_card_cannot_be_in_two_groups(play: Any, scene: Any) -> None:
    table = play(scene({0: "R5 B5 G5 R3 B4 G6 W Y1 Y9 Y11 Y12"}, phases=[2, 1, 1]))
    assert table.refused(0, "lay", groups=[["R5", "B5", "G5"], ["R3", "B4", "G5", "G6"]]) == "not_held"


def test_d14x_a_later_phase_cannot_be_laid_first(play: Any, scene: Any) -> None:
    table = play(scene({0: "R2 B3 G4 Y5 R6 B7 G8 R8 B8 Y8 W"}, phases=[3, 1, 1]))
    assert table.refused(0, "lay", groups=[["R2", "B3", "G4", "Y5", "R6", "B7", "G8"]]) == "wrong_count"


def test_d15x_two_phases_in_one_hand_are_refused(play: Any, scene: Any) -> None:
    table = play(scene({0: "R7 B7 G7 R9 B9 G9 R5 B5 Y5 R3 B4 Y6"}))
    table.do(0, "lay", cards=PHASE_1.split())
    assert table.refused(0, "lay", groups=[["R5", "B5", "Y5"], ["R3", "B4", "Y6"]]) == "already_laid"


def test_d16x_the_kinds_of_the_groups_are_recorded(play: Any, scene: Any) -> None:
    table = play(scene({0: "R9 B9 G9 R3 B4 G5 Y6 Y1 Y2 Y11 Y12"}, phases=[2, 1, 1]))
    table.do(0, "lay", groups=[["R3", "B4", "G5", "Y6"], ["R9", "B9", "G9"]])
    zones = table.match.table.zones("group/")
    assert [(zone.facts["kind"], zone.facts["of"], zone.owner) for zone in zones] == [("run", 3, 0), ("set", 9, 0)]


def test_the_event_of_a_laid_run_says_what_its_wilds_stand_for(play: Any, scene: Any) -> None:
    table = play(scene({0: "R9 B9 W B4 G5 Y6 W Y1 Y2 Y11 Y12"}, phases=[2, 1, 1]))
    done = table.do(0, "lay", groups=[["R9", "B9", "W"], ["B4", "G5", "Y6", "W"]], low=1)
    created = [event["facts"] for event in done.events(None) if event["k"] == "create"]
    assert created == [{"kind": "set", "of": 9, "wilds": [9]}, {"kind": "run", "of": 3, "wilds": [3]}]


@pytest.mark.parametrize("fields", [{}, {"cards": PHASE_1.split(), "groups": [["Y1"], ["Y2"]]}])
def test_laying_takes_groups_or_cards_and_not_both(play: Any, scene: Any, fields: dict[str, Any]) -> None:
    table = play(scene({0: PHASE_1 + " Y1 Y2 Y3 Y4"}))
    assert table.refused(0, "lay", **fields) == "groups_or_cards"


@pytest.mark.parametrize(
    ("groups", "reason"),
    [
        pytest.param(["R7 B7 G7", "W W W"], "no_natural", id="D1d a group of wilds alone"),
        pytest.param(["R7 B7 G7", "R9 B9 W R1"], "mixed_numbers", id="D1 a card that does not belong"),
        pytest.param(["R7 B7 G7", "R9 W"], "too_few", id="D1 a group that is too small"),
        pytest.param(["R7 B7 G7", "R9 W S"], "skip_in_group", id="D1 a skip in a group"),
    ],
)
def test_a_lay_is_refused_with_the_reason(play: Any, scene: Any, groups: list[str], reason: str) -> None:
    table = play(scene({0: "R7 B7 G7 W W W R9 B9 R1 S Y2"}))
    assert table.refused(0, "lay", groups=[group.split() for group in groups]) == reason


def test_a_lay_that_the_hand_cannot_make_is_blocked_and_says_how_much_is_missing(play: Any, scene: Any) -> None:
    table = play(scene({0: "R7 B7 G8 Y1 Y2 Y3 Y4 Y5 B10 B11 W"}))
    assert table.refused(0, "lay", cards=["R7"] * 6) == "phase_missing"
    (form,) = [form for form in table.match.view(0)["prompts"][0]["forms"] if form["type"] == "lay"]
    assert form["blocked"] == ["phase_missing", {"n": 2, "phase": ["dd.phase.1", {}]}]


def test_whoever_runs_out_of_time_draws_and_throws_the_dearest_card_the_phase_does_not_need(
    play: Any, scene: Any
) -> None:
    table = play(scene({0: "R7 B7 G7 R9 B9 Y12 Y2 Y3 Y4 Y5"}, stage="draw", stock="W"))
    for _ in range(2):
        table.match.timeout(0, table.match.prompts[0].id)
    assert (table.cards("discard"), "W" in table.cards("hand/0"), table.turn) == ("G1 Y12", True, 1)


def test_whoever_runs_out_of_time_takes_the_discard_when_nothing_can_be_drawn(play: Any, scene: Any) -> None:
    table = play(scene({0: TEN}, stage="draw", discards="B4", boxed=True))
    table.match.timeout(0, table.match.prompts[0].id)
    assert "B4" in table.cards("hand/0")


def test_whoever_runs_out_of_time_with_a_skip_alone_to_throw_names_somebody(play: Any, scene: Any) -> None:
    table = play(scene({0: "S S"}, laid=[0]))
    table.match.timeout(0, table.match.prompts[0].id)
    assert (table.cards("discard"), table.turn) == ("G1 S", 2)
