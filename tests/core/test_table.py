"""The draft that hooks work on: every method does what it says, and misuse is a fault that changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tablegames import SEED, draft, everything

from carteado.core.draft import LOG_KEPT, MOST_CALLS, Prompt
from carteado.core.errors import DesignFault
from carteado.core.shuffle import Stream
from carteado.core.table import Table
from carteado.core.zones import CLOSED, DOWN, ELSE_DOWN, OPEN, OWNER, UP, See


def laid(dealing: bool = True) -> Table:
    """Return a table with a closed deck, an open discard, a hand and a grid, in an open draft."""
    table = draft()
    table.create("deck", "pile", see=CLOSED, cards=["A1", "A2", "A3", "A4"])
    table.create("discard", "pile", see=OPEN)
    table.create("hand/0", "fan", 0, cards=["B1", "B2", "B1", "B3"])
    table.create("grid", "grid", see=OPEN, cards=["", "C1", ""])
    if not dealing:
        table.hold()
        table.commit()
        table.begin()
    return table


# Reading


def test_options_kept_facts_and_points_are_read_from_the_match() -> None:
    table = draft()
    table.kept_facts = {"phase": 3}
    table._totals = (5, 0, -2)
    assert (10, 3, "none", -2) == (table.option("stake"), table.kept("phase"), table.kept("other", "none"), table.points(2))


def test_an_option_that_no_game_declares_is_a_design_fault() -> None:
    with pytest.raises(DesignFault, match="no table option 'speed'"):
        draft().option("speed")


@pytest.mark.parametrize(("seat", "n", "after"), [(0, 1, 1), (2, 1, 0), (0, 2, 2), (0, 3, 0), (1, 7, 2)])
def test_the_next_seat_goes_round_clockwise(seat: int, n: int, after: int) -> None:
    assert after == draft().next(seat, n)


@pytest.mark.parametrize(("seat", "n", "after"), [(1, 1, 2), (1, 2, 4), (3, 1, 4), (5, 1, 0), (5, 2, 2), (4, 1, 0)])
def test_the_next_seat_of_one_who_sits_out_is_the_next_in_play(seat: int, n: int, after: int) -> None:
    table = draft(6)
    table.seats = (0, 2, 4)
    assert after == table.next(seat, n)


def test_nobody_follows_at_an_empty_table() -> None:
    table = draft()
    table.seats = ()
    with pytest.raises(DesignFault, match="nobody"):
        table.next(0)


@pytest.mark.parametrize(("first", "order"), [(0, (0, 2, 4)), (1, (2, 4, 0)), (4, (4, 0, 2)), (5, (0, 2, 4))])
def test_the_order_of_play_begins_where_it_is_asked_to(first: int, order: tuple[int, ...]) -> None:
    table = draft(6)
    table.seats = (0, 2, 4)
    assert order == table.around(first)


def test_zones_are_found_by_the_beginning_of_their_names_in_order_of_creation() -> None:
    table = draft()
    for name in ("hand/1", "deck", "hand/0"):
        table.create(name, "pile")
    assert ["hand/1", "hand/0"] == [zone.name for zone in table.zones("hand/")]


def test_a_zone_that_is_not_there_is_a_design_fault_that_names_those_that_are() -> None:
    with pytest.raises(DesignFault, match="no zone 'hand/9'; there are deck, discard, hand/0, grid"):
        laid().cards("hand/9")


def test_facts_are_read_where_they_were_set() -> None:
    table = draft()
    table.set("trump", "H")
    table.set("bid", 18, seat=1)
    assert ("H", 18, None, 0) == (table.get("trump"), table.get("bid", seat=1), table.get("bid", seat=0), table.get("bid", 0))


def test_the_stage_of_an_open_prompt_is_read_by_seat() -> None:
    table = draft()
    table.ask(1, "bid")
    assert ("bid", None) == (table.asked(1), table.asked(0))


def test_there_are_no_partners_without_teams() -> None:
    assert (frozenset(), frozenset()) == (draft().team(0), draft().team(None))


# Moving


def test_cards_moved_by_number_leave_from_the_top_the_topmost_first() -> None:
    table = laid()
    assert ("A4", "A3") == table.move("deck", "discard", n=2)


def test_cards_moved_by_number_lie_on_top_in_the_order_they_left() -> None:
    table = laid()
    table.move("deck", "discard", n=2)
    assert (("A1", "A2"), ("A4", "A3")) == (table.cards("deck"), table.cards("discard"))


def test_cards_moved_by_face_leave_the_others_in_order() -> None:
    table = laid()
    table.move("hand/0", "discard", cards=["B3", "B1"])
    assert (("B2", "B1"), ("B3", "B1")) == (table.cards("hand/0"), table.cards("discard"))


def test_equal_faces_are_moved_as_often_as_they_are_named() -> None:
    table = laid()
    table.move("hand/0", "discard", cards=["B1", "B1"])
    assert ("B2", "B3") == table.cards("hand/0")


def test_cards_moved_by_place_come_in_the_order_of_the_places() -> None:
    table = laid()
    assert ("B3", "B2") == table.move("hand/0", "discard", places=[3, 1])


def test_cards_can_be_put_below_others() -> None:
    table = laid()
    table.move("hand/0", "deck", cards=["B2", "B3"], to=1)
    assert ("A1", "B2", "B3", "A2", "A3", "A4") == table.cards("deck")


def test_moving_no_cards_moves_nothing() -> None:
    table = laid()
    assert ((), (), ()) == (
        table.move("deck", "discard", n=0), table.move("deck", "discard", cards=[]), table.move("deck", "discard", places=[])
    )  # fmt: skip


def test_a_place_of_a_slotted_zone_stays_when_its_card_goes() -> None:
    table = laid()
    table.move("grid", "discard", places=[1])
    assert ("", "", "") == table.cards("grid")


def test_cards_fill_the_first_empty_places_of_a_slotted_zone() -> None:
    table = laid()
    table.move("deck", "grid", n=2)
    assert ("A4", "C1", "A3") == table.cards("grid")


def test_a_card_fills_the_place_it_is_put_at() -> None:
    table = laid()
    table.move("deck", "grid", n=1, to=2)
    assert ("", "C1", "A4") == table.cards("grid")


def test_the_top_of_a_slotted_zone_is_its_last_card_and_no_empty_place() -> None:
    table = laid()
    assert ("C1",) == table.move("grid", "discard", n=1)


@pytest.mark.parametrize(("up", "mark"), [(True, UP), (False, DOWN), (None, 0)])
def test_cards_can_be_laid_face_up_or_down_whatever_the_zone_says(up: bool | None, mark: int) -> None:
    table = laid()
    table.move("deck", "discard", n=1, up=up)
    assert (mark,) == (table.zone("discard").marks or (0,))


def test_marks_keep_step_with_the_cards_that_stay() -> None:
    table = laid()
    table.show("hand/0", [1, 3])
    table.move("hand/0", "discard", places=[0, 1])
    zone = table.zone("hand/0")
    assert [("B1", 0), ("B3", UP)] == list(zip(zone.cards, zone.marks or (), strict=True))


def test_marks_keep_step_with_cards_put_between_them() -> None:
    table = laid()
    table.show("hand/0", [0, 1])
    table.move("deck", "hand/0", n=2, to=1, up=False)
    zone = table.zone("hand/0")
    expected = [("B1", UP), ("A4", DOWN), ("A3", DOWN), ("B2", UP), ("B1", 0), ("B3", 0)]
    assert expected == list(zip(zone.cards, zone.marks or (), strict=True))


@pytest.mark.parametrize("by", [{"cards": ["B3"]}, {"n": 1}, {"places": [3]}])
def test_one_card_taken_in_any_way_leaves_the_marks_of_the_others(by: Any) -> None:
    table = laid()
    table.show("hand/0", [1, 3])
    table.move("hand/0", "discard", **by)
    assert (("B1", "B2", "B1"), (0, UP, 0)) == (table.cards("hand/0"), table.zone("hand/0").marks)


@pytest.mark.parametrize("by", [{"cards": ["A4"]}, {"n": 1}, {"places": [3]}])
def test_one_card_put_in_any_way_on_marked_cards_follows_the_zone(by: Any) -> None:
    table = laid()
    table.show("hand/0", [1])
    table.move("deck", "hand/0", **by)
    assert (("B1", "B2", "B1", "B3", "A4"), (0, UP, 0, 0, 0)) == (table.cards("hand/0"), table.zone("hand/0").marks)


@pytest.mark.parametrize("by", [{"cards": ["C1"]}, {"n": 1}, {"places": [1]}])
def test_one_card_taken_in_any_way_from_a_grid_leaves_its_place(by: Any) -> None:
    table = laid()
    assert (("C1",), ("", "", "")) == (table.move("grid", "discard", **by), table.cards("grid"))


@pytest.mark.parametrize("by", [{"cards": ["A2"]}, {"places": [1]}])
def test_one_card_put_in_any_way_into_a_grid_fills_its_first_place(by: Any) -> None:
    table = laid()
    table.move("deck", "grid", **by)
    assert (("A1", "A3", "A4"), ("A2", "C1", "")) == (table.cards("deck"), table.cards("grid"))


def test_a_card_leaves_its_mark_behind_when_it_moves() -> None:
    table = laid()
    table.show("hand/0", [0])
    table.move("hand/0", "deck", places=[0])
    assert (None, None) == (table.zone("deck").marks, table.zone("hand/0").marks)


def test_an_empty_place_has_no_mark() -> None:
    table = laid()
    table.move("deck", "grid", n=1, to=0, up=False)
    table.move("deck", "grid", n=1, to=2, up=False)
    table.move("grid", "discard", places=[0])
    assert (0, 0, DOWN) == table.zone("grid").marks


def test_a_zone_whose_marked_cards_are_gone_can_be_shuffled_again() -> None:
    table = laid()
    table.move("hand/0", "deck", cards=["B2"], up=True)
    table.move("deck", "discard", n=1)
    table.shuffle("deck")
    assert ["A1", "A2", "A3", "A4"] == sorted(table.cards("deck"))


# Showing


def test_a_peek_is_added_to_those_before() -> None:
    table = laid()
    table.show("deck", [3], seats=[2])
    table.show("deck", [3], seats=[0])
    assert (0, 0, 0, (0, 2)) == table.zone("deck").marks


def test_a_peek_does_not_turn_a_card_that_lies_face_up() -> None:
    table = laid()
    table.show("deck", [3])
    table.show("deck", [3], seats=[0])
    assert (0, 0, 0, UP) == table.zone("deck").marks


def test_a_peek_at_a_card_face_down_leaves_it_face_down_for_the_others() -> None:
    table = laid()
    table.move("deck", "discard", n=1, up=False)
    table.show("discard", [0], seats=[1])
    assert ((ELSE_DOWN, 1),) == table.zone("discard").marks


def test_showing_no_cards_marks_nothing() -> None:
    table = laid()
    table.show("deck", [])
    assert table.zone("deck").marks is None


# Randomness


def test_a_shuffle_is_that_of_the_seeds_stream() -> None:
    table = laid()
    table.shuffle("deck")
    assert tuple(Stream(SEED, "deal").shuffled(["A1", "A2", "A3", "A4"])) == table.cards("deck")


def test_a_hands_turns_draw_from_a_stream_of_their_own() -> None:
    assert Stream(SEED, "turn").below(1000) == draft(dealing=False).below(1000)


def test_random_numbers_go_on_in_the_next_draft() -> None:
    table = draft(dealing=False)
    first = table.below(1000)
    table.commit()
    table.begin()
    stream = Stream(SEED, "turn")
    assert [stream.below(1000), stream.below(1000)] == [first, table.below(1000)]


def test_a_pick_is_one_of_the_items() -> None:
    assert ["a", "b", "c"][Stream(SEED, "deal").below(3)] == draft().pick(["a", "b", "c"])


# Facts, prompts, words


def test_marked_facts_are_added_to_those_of_the_zone() -> None:
    table = draft()
    table.create("group/1", "group", facts={"like": "set"})
    table.mark("group/1", low=3, like="run")
    assert {"like": "run", "low": 3} == dict(table.zone("group/1").facts)


def test_facts_of_a_zone_cannot_be_written() -> None:
    table = draft()
    table.create("group/1", "group", facts={"like": "set"})
    with pytest.raises(TypeError):
        table.zone("group/1").facts["like"] = "run"  # type: ignore[index]


def test_what_was_set_is_a_copy() -> None:
    table, bids = draft(), [1, 2]
    table.set("bids", bids)
    bids.append(3)
    assert [1, 2] == table.get("bids")


def test_prompts_are_numbered_through() -> None:
    table = draft()
    table.ask([0, 2], "bid", sealed=True)
    table.ask(1, "wait")
    assert {0: Prompt(1, "bid", True), 2: Prompt(2, "bid", True), 1: Prompt(3, "wait", False)} == dict(table.prompts())


@pytest.mark.parametrize(("seats", "left"), [(0, {1, 2}), ([0, 2], {1}), (None, set()), ([], {0, 1, 2})])
def test_prompts_are_closed_by_seat_or_all(seats: Any, left: set[int]) -> None:
    table = draft()
    table.ask([0, 1, 2], "bid")
    table.close(seats)
    assert left == dict(table.prompts()).keys()


def test_closing_a_prompt_that_is_not_open_does_nothing() -> None:
    table = draft()
    table.close(1)
    assert [("close", ())] == (table._events or [])[-1:]


def test_a_message_keeps_its_arguments_as_they_were() -> None:
    table, groups = draft(), [["A1"]]
    table.say("laid", groups=groups, n=1)
    groups.append(["A2"])
    assert [(["laid", {"groups": [["A1"]], "n": 1}], None, None)] == table._log


def test_a_message_keeps_what_stands_beside_a_player_as_it_was_too() -> None:
    table, who = draft(), {"$player": 1, "more": ["A1"]}
    table.say("laid", who=who)
    who["more"].append("A2")  # type: ignore[attr-defined]
    assert [(["laid", {"who": {"$player": 1, "more": ["A1"]}}], None, None)] == table._log


def test_a_prompt_that_is_closed_twice_at_once_is_closed_once() -> None:
    table = draft()
    table.ask([0, 1], "bid")
    table.close([0, 0])
    assert ("close", (0,)) == (table._events or [])[-1]
    assert [1] == [seat for seat, _ in table.prompts()]


def test_a_seat_that_sits_out_is_not_in_play() -> None:
    table = draft()
    table.sit_out(1)
    assert (0, 2) == table.seats


def test_an_empty_zone_can_be_dropped() -> None:
    table = laid()
    table.drop("discard")
    assert not table.has("discard")


# Misuse

WRONG: dict[str, Callable[[Table], Any]] = {
    "create twice": lambda t: t.create("deck", "pile"),
    "create without a name": lambda t: t.create("", "pile"),
    "create with a number for a name": lambda t: t.create(3, "pile"),  # type: ignore[arg-type]
    "create an unknown kind": lambda t: t.create("x", "heap"),
    "create for a seat beyond the table": lambda t: t.create("x", "pile", 3),
    "create for a negative seat": lambda t: t.create("x", "pile", -1),
    "create for a seat called True": lambda t: t.create("x", "pile", True),
    "create with a card that is no string": lambda t: t.create("x", "pile", cards=[1]),  # type: ignore[list-item]
    "create a pile with an empty place": lambda t: t.create("x", "pile", cards=[""]),
    "create with facts that are not plain": lambda t: t.create("x", "pile", facts={"a": 0.5}),
    "create and let watchers see more": lambda t: t.create("x", "pile", see=See("len", "len", "len", "visible")),
    "drop what is not there": lambda t: t.drop("x"),
    "drop what holds cards": lambda t: t.drop("deck"),
    "drop a grid that holds a card": lambda t: t.drop("grid"),
    "move from nowhere": lambda t: t.move("x", "deck", n=1),
    "move to nowhere": lambda t: t.move("deck", "x", n=1),
    "move to itself": lambda t: t.move("deck", "deck", n=1),
    "move nothing said": lambda t: t.move("deck", "discard"),
    "move too many": lambda t: t.move("deck", "discard", n=5),
    "move a negative number": lambda t: t.move("deck", "discard", n=-1),
    "move a face that is not there": lambda t: t.move("deck", "discard", cards=["B1"]),
    "move a face too often": lambda t: t.move("hand/0", "discard", cards=["B1", "B1", "B1"]),
    "move a face of which only one is left": lambda t: t.move("hand/0", "discard", cards=["B2", "B2"]),
    "move an empty place by face": lambda t: t.move("grid", "discard", cards=[""]),
    "move two empty places by face": lambda t: t.move("grid", "discard", cards=["", ""]),
    "move an empty place by place": lambda t: t.move("grid", "discard", places=[0]),
    "move a place twice": lambda t: t.move("deck", "discard", places=[1, 1]),
    "move a place beyond": lambda t: t.move("deck", "discard", places=[4]),
    "move a negative place": lambda t: t.move("deck", "discard", places=[-1]),
    "move a place called True": lambda t: t.move("deck", "discard", places=[True]),
    "move more from a grid than lie there": lambda t: t.move("grid", "discard", n=2),
    "move to a filled place": lambda t: t.move("deck", "grid", n=1, to=1),
    "move two cards to one place": lambda t: t.move("deck", "grid", n=2, to=0),
    "move more than there are empty places": lambda t: t.move("deck", "grid", n=3),
    "move to a place beyond the grid": lambda t: t.move("deck", "grid", n=1, to=3),
    "move to a negative place": lambda t: t.move("deck", "grid", n=1, to=-1),
    "move beyond the top": lambda t: t.move("deck", "hand/0", n=1, to=5),
    "move below the bottom": lambda t: t.move("deck", "hand/0", n=1, to=-1),
    "show an empty place": lambda t: t.show("grid", [0]),
    "show a place beyond": lambda t: t.show("deck", [0, 4]),
    "show to nobody": lambda t: t.show("deck", [0], seats=[]),
    "show to a seat beyond the table": lambda t: t.show("deck", [0], seats=[1, 3]),
    "show to a watcher": lambda t: t.show("deck", [0], seats=[None]),  # type: ignore[list-item]
    "show what is not there": lambda t: t.show("x", [0]),
    "see with an unknown level": lambda t: t.see("deck", See("all", "all", "all", "all")),
    "see what is not there": lambda t: t.see("x", OPEN),
    "mark what is not there": lambda t: t.mark("x", a=1),
    "mark with a set": lambda t: t.mark("deck", a={1}),
    "shuffle a grid": lambda t: t.shuffle("grid"),
    "shuffle what is not there": lambda t: t.shuffle("x"),
    "draw below nothing": lambda t: t.below(0),
    "draw below more than 32 bits": lambda t: t.below(2**32 + 1),
    "pick from nothing": lambda t: t.pick([]),
    "set a float": lambda t: t.set("a", 0.5),
    "set a number beyond 64 bits": lambda t: t.set("a", 2**64),
    "set half a surrogate pair": lambda t: t.set("a", "\ud800"),
    "set for a seat beyond the table": lambda t: t.set("a", 1, seat=3),
    "set for a seat called True": lambda t: t.set("a", 1, seat=True),
    "set under a number": lambda t: t.set(1, 1),  # type: ignore[arg-type]
    "sit out a seat beyond the table": lambda t: t.sit_out(3),
    "ask a seat beyond the table": lambda t: t.ask(3, "bid"),
    "ask a negative seat": lambda t: t.ask(-1, "bid"),
    "ask a seat called True": lambda t: t.ask(True, "bid"),
    "ask a seat twice at once": lambda t: t.ask([0, 0], "bid"),
    "ask one good and one bad seat": lambda t: t.ask([0, 3], "bid"),
    "ask without a stage": lambda t: t.ask(0, ""),
    "say to a seat beyond the table": lambda t: t.say("hello", only=3),
    "say to all but a seat beyond the table": lambda t: t.say("hello", but=-1),
    "say without a key": lambda t: t.say(""),
    "say a float": lambda t: t.say("hello", x=0.5),
}


@pytest.mark.parametrize("wrong", list(WRONG))
def test_misuse_is_a_design_fault_and_changes_nothing(wrong: str) -> None:
    table = laid()
    before = everything(table)
    with pytest.raises(DesignFault):
        WRONG[wrong](table)
    assert before == everything(table)


def test_a_seat_with_an_open_prompt_cannot_be_asked_again() -> None:
    table = draft()
    table.ask(0, "bid")
    before = everything(table)
    with pytest.raises(DesignFault, match=r"open prompt already \(bid\)"):
        table.ask([1, 0], "play")
    assert before == everything(table)


def test_cards_enter_the_table_in_deal_only() -> None:
    table = laid(dealing=False)
    with pytest.raises(DesignFault, match="in deal only"):
        table.create("x", "pile", cards=["A1"])


def test_empty_places_can_be_made_at_any_time() -> None:
    table = laid(dealing=False)
    table.create("trick", "trick", see=OPEN, cards=["", "", ""])
    assert ("", "", "") == table.cards("trick")


def test_seats_sit_out_in_deal_only() -> None:
    with pytest.raises(DesignFault, match="only in deal"):
        laid(dealing=False).sit_out(0)


def test_a_seat_sits_out_only_once() -> None:
    table = draft()
    table.sit_out(0)
    with pytest.raises(DesignFault, match="only once"):
        table.sit_out(0)


def test_a_seat_that_was_asked_cannot_sit_out() -> None:
    table = draft()
    table.ask(0, "bid")
    with pytest.raises(DesignFault, match="before it is asked"):
        table.sit_out(0)


def test_a_zone_with_cards_at_places_of_their_own_cannot_be_shuffled() -> None:
    table = laid()
    table.show("deck", [0])
    with pytest.raises(DesignFault, match="cannot be shuffled"):
        table.shuffle("deck")


CALLS: dict[str, Callable[[Table], Any]] = {
    "create": lambda t: t.create("x", "pile"),
    "drop": lambda t: t.drop("discard"),
    "move": lambda t: t.move("deck", "discard", n=1),
    "show": lambda t: t.show("deck", [0]),
    "see": lambda t: t.see("deck", OPEN),
    "mark": lambda t: t.mark("deck", a=1),
    "shuffle": lambda t: t.shuffle("deck"),
    "below": lambda t: t.below(3),
    "pick": lambda t: t.pick("abc"),
    "set": lambda t: t.set("a", 1),
    "sit_out": lambda t: t.sit_out(1),
    "ask": lambda t: t.ask(1, "bid"),
    "close": lambda t: t.close(),
    "say": lambda t: t.say("hello"),
}


@pytest.mark.parametrize("name", list(CALLS))
def test_a_reading_hook_cannot_change_the_table(name: str) -> None:
    table = laid()
    table.hold()
    with pytest.raises(DesignFault, match="only deal, turn and leave"):
        CALLS[name](table)


@pytest.mark.parametrize("name", list(CALLS))
def test_a_rolled_back_change_leaves_no_trace(name: str) -> None:
    table = laid(dealing=False)
    table.ask(0, "bid")
    table.say("before")
    table.below(5)
    table.hold()
    table.commit()
    before = everything(table)
    table.begin("turn", dealing=True)
    CALLS[name](table)
    table.rollback()
    assert before == everything(table)


@pytest.mark.parametrize("name", [name for name in CALLS if name not in ("below", "pick")])
def test_every_change_is_an_event(name: str) -> None:
    table = laid()
    before = len(table._events or ())
    CALLS[name](table)
    assert before + 1 == len(table._events or ())


def test_an_endless_loop_is_cut_off() -> None:
    table = draft()
    for _ in range(MOST_CALLS):
        table.close()
    with pytest.raises(DesignFault, match="endless loop"):
        table.close()


# The draft and copies


def test_a_copy_and_its_original_change_apart() -> None:
    table = laid()
    table.ask(0, "bid")
    table.set("own", 1, seat=0)
    table.hold()
    table.commit()
    before = everything(table)
    copy = table.copy()
    copy.begin()
    for name in ("create", "move", "show", "see", "mark", "set", "close", "say"):
        CALLS[name](copy)
    copy.set("own", 2, seat=0)
    copy.commit()
    assert before == everything(table)


def test_a_copy_holds_the_same_state() -> None:
    table = laid()
    assert table.state() == table.copy().state()


def test_a_copy_brings_no_seed() -> None:
    copy = laid().copy()
    copy.begin()
    with pytest.raises(DesignFault, match="no seed"):
        copy.shuffle("deck")


def test_the_log_is_cut_when_it_grows_long() -> None:
    table = draft()
    for i in range(LOG_KEPT + 1):
        table.say("line", i=i)
    table.commit()
    assert [LOG_KEPT // 2, ["line", {"i": LOG_KEPT}]] == [len(table._log), table._log[-1][0]]


@pytest.mark.parametrize("tamper", ["lose", "double", "swap"])
def test_a_draft_that_lost_or_made_up_cards_is_noticed(tamper: str) -> None:
    table = laid(dealing=False)
    zone = table.zone("deck")
    cards = {"lose": zone.cards[1:], "double": (*zone.cards, "A1"), "swap": ("A9", *zone.cards[1:])}[tamper]
    table._zones["deck"] = zone._replace(cards=cards)
    assert not table.conserved()


def test_a_draft_that_dropped_a_zone_with_cards_is_noticed() -> None:
    table = laid(dealing=False)
    del table._zones["deck"]
    assert not table.conserved()


def test_cards_that_only_moved_are_conserved() -> None:
    table = laid(dealing=False)
    table.move("deck", "grid", n=2)
    table.move("grid", "discard", places=[1])
    table.move("hand/0", "deck", cards=["B1", "B3"], to=0)
    table.shuffle("deck")
    table.create("new", "grid", see=OPEN, cards=["", ""])
    table.move("discard", "new", n=1)
    table.drop("discard")
    assert table.conserved()


def test_the_state_of_a_hand_names_everything_that_decides_how_it_goes_on() -> None:
    table = laid()
    table.ask(0, "bid", sealed=True)
    table.set("a", 1)
    table.set("b", 2, seat=1)
    table.below(2)
    expected = {
        "hand": 0, "dealer": 2, "start": 0, "seats": [0, 1, 2], "vars": {"a": 1}, "mine": {"1": {"b": 2}},
        "prompts": {"0": [1, "bid", True]}, "sealed": {}, "rng": {"deal": 1}, "next_prompt": 2, "kept": {}, "points": [0, 0, 0],
        "zones": [
            ["deck", "pile", None, CLOSED, ("A1", "A2", "A3", "A4"), None, {}],
            ["discard", "pile", None, OPEN, (), None, {}],
            ["hand/0", "fan", 0, OWNER, ("B1", "B2", "B1", "B3"), None, {}],
            ["grid", "grid", None, OPEN, ("", "C1", ""), None, {}],
        ],
    }  # fmt: skip
    assert expected == table.state()
