"""Who sees what: every level for every group of viewers, and the marks of single cards."""

from __future__ import annotations

from typing import Any

import pytest
from tablegames import draft

from carteado.core.errors import DesignFault
from carteado.core.table import Table
from carteado.core.view import zone_view
from carteado.core.zones import CLOSED, DOWN, ELSE_DOWN, FOLLOW, LEVELS, OPEN, OWNER, SECRET, TEAM, UP, Mark, See, level, shown_to, visible

TEAMS = (frozenset({0, 2}), frozenset({1, 3}), frozenset({0, 2}), frozenset({1, 3}))
VIEWERS = {"owner": 0, "team": 2, "others": 1, "watchers": None}


def seen(table: Table, zone: str, viewer: int | None) -> dict[str, Any] | None:
    return zone_view(table.zone(zone), viewer, table.team(table.zone(zone).owner))


@pytest.mark.parametrize("group", list(VIEWERS))
@pytest.mark.parametrize("wanted", LEVELS)
def test_each_group_of_viewers_has_the_level_declared_for_it(group: str, wanted: str) -> None:
    see = See("visible", "visible", "visible", "visible")._replace(**{group: wanted})
    assert wanted == level(0, see, VIEWERS[group], TEAMS[0])


@pytest.mark.parametrize("group", list(VIEWERS))
@pytest.mark.parametrize("wanted", LEVELS)
def test_a_view_shows_of_a_zone_what_the_viewers_level_allows(group: str, wanted: str) -> None:
    table = draft(4, teams=TEAMS)
    see = See(wanted, wanted, wanted, "hidden")._replace(watchers=wanted)
    table.create("box", "pile", 0, see, cards=["A1", "A2"], facts={"k": 1})
    base = {"name": "box", "kind": "pile", "owner": 0, "see": list(see), "facts": {"k": 1}}
    expected = {
        "visible": {**base, "n": 2, "cards": ["A1", "A2"]},
        "len": {**base, "n": 2, "cards": None},
        "nonempty": {**base, "n": None, "cards": None, "any": True},
        "hidden": None,
    }
    assert expected[wanted] == seen(table, "box", VIEWERS[group])


@pytest.mark.parametrize(
    ("see", "who"),
    [(OWNER, {0}), (TEAM, {0, 2}), (OPEN, {0, 1, 2, 3, None}), (CLOSED, set()), (SECRET, set())],
)
def test_the_presets_show_the_faces_to_these_viewers(see: See, who: set[int | None]) -> None:
    table = draft(4, teams=TEAMS)
    table.create("box", "pile", 0, see, cards=["A1"])
    assert who == {viewer for viewer in (0, 1, 2, 3, None) if table.zone("box").sees(0, viewer, table.team(0))}


def test_a_zone_of_nobody_has_no_owner_and_no_team() -> None:
    see = See("visible", "visible", "len", "len")
    assert {"len"} == {level(None, see, viewer, frozenset()) for viewer in (0, 1, None)}


@pytest.mark.parametrize(
    ("mark", "on", "who"),
    [
        (FOLLOW, OWNER, {0}),
        (UP, OWNER, {0, 1, 2, None}),
        (UP, SECRET, set()),
        (DOWN, OPEN, set()),
        (DOWN, OWNER, set()),
        ((1,), OWNER, {0, 1}),
        ((1,), CLOSED, {1}),
        ((1, 2), CLOSED, {1, 2}),
        ((ELSE_DOWN, 1), OPEN, {1}),
        ((ELSE_DOWN, 0, 1), OWNER, {0, 1}),
    ],
)
def test_a_card_is_seen_by_its_mark_and_its_zone(mark: Mark, on: See, who: set[int | None]) -> None:
    assert who == {viewer for viewer in (0, 1, 2, None) if visible(mark, level(0, on, viewer), viewer)}


@pytest.mark.parametrize(
    ("before", "seats", "after"),
    [
        (FOLLOW, None, UP),
        (DOWN, None, UP),
        ((1,), None, UP),
        (UP, (1,), UP),
        (FOLLOW, (1,), (1,)),
        ((0, 2), (1,), (0, 1, 2)),
        (DOWN, (1,), (ELSE_DOWN, 1)),
        ((ELSE_DOWN, 2), (0,), (ELSE_DOWN, 0, 2)),
    ],
)
def test_showing_a_card_adds_to_those_who_know_it(before: Mark, seats: tuple[int, ...] | None, after: Mark) -> None:
    assert after == shown_to(before, seats)


def test_a_mark_that_is_none_is_a_design_fault() -> None:
    with pytest.raises(DesignFault, match="mark 3"):
        visible(3, "visible", 0)


def test_a_card_face_down_in_an_open_row_is_a_question_mark_to_all() -> None:
    table = draft()
    table.create("deck", "pile", see=CLOSED, cards=["A1", "A2"])
    table.create("row", "row", see=OPEN)
    table.move("deck", "row", n=1)
    table.move("deck", "row", n=1, up=False)
    assert [["A2", "?"]] * 4 == [(seen(table, "row", viewer) or {})["cards"] for viewer in (0, 1, 2, None)]


def test_a_card_face_up_on_a_closed_pile_is_seen_and_the_others_are_not() -> None:
    table = draft()
    table.create("deck", "pile", see=CLOSED, cards=["A1", "A2", "A3"])
    table.show("deck", [2])
    assert ["?", "?", "A3"] == (seen(table, "deck", None) or {})["cards"]


def test_a_peek_at_a_card_face_down_is_the_peekers_alone() -> None:
    table = draft()
    table.create("deck", "pile", see=CLOSED, cards=["A1"])
    table.create("grid", "grid", see=OPEN, cards=["", ""])
    table.move("deck", "grid", n=1, to=1, up=False)
    table.show("grid", [1], seats=[2])
    assert [["", "?"], ["", "?"], ["", "A1"], ["", "?"]] == [(seen(table, "grid", viewer) or {})["cards"] for viewer in (0, 1, 2, None)]


def test_a_closed_slotted_zone_shows_which_places_are_empty() -> None:
    table = draft()
    table.create("grid", "grid", see=CLOSED, cards=["A1", "", "A2"])
    assert ["?", "", "?"] == (seen(table, "grid", 0) or {})["cards"]


@pytest.mark.parametrize(("cards", "any_there"), [(["", ""], False), (["", "A1"], True)])
def test_whether_a_slotted_zone_holds_anything_does_not_count_its_empty_places(cards: list[str], any_there: bool) -> None:
    table = draft()
    table.create("grid", "grid", see=See("nonempty", "nonempty", "nonempty", "nonempty"), cards=cards)
    assert any_there == (seen(table, "grid", 1) or {})["any"]


def test_an_opened_hand_is_seen_by_all() -> None:
    table = draft()
    table.create("hand/1", "fan", 1, cards=["A1"])
    table.see("hand/1", OPEN)
    assert ["A1"] == (seen(table, "hand/1", None) or {})["cards"]


@pytest.mark.parametrize(
    "see",
    [
        See("len", "len", "len", "visible"),
        See("hidden", "visible", "visible", "nonempty"),
        See("visible", "visible", "hidden", "len"),
        See("visible", "visible", "visible", "all"),
        ("visible", "visible", "visible"),
    ],
)
def test_a_declaration_that_is_unknown_or_shows_watchers_more_than_a_seat_is_a_design_fault(see: Any) -> None:
    with pytest.raises(DesignFault, match="see"):
        draft().create("box", "pile", 0, see)
