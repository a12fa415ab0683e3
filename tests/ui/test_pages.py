"""Pages of text: Markdown without a browser, tables of points."""

from __future__ import annotations

from carteado.ui.terminal.menus import leaving_penalty
from carteado.ui.terminal.pages import key_name, markdown, of_seat, score_lines
from carteado.ui.terminal.text import plain

from .harness import local_for
from .tables import TABLES, seat, steps


def test_markdown_becomes_paragraphs_headings_and_lists() -> None:
    source = "# Title\n\nOne line\ngoes on with **bold** words.\n\n- first\n- second\n  goes on\n\n1. a number\n"
    lines = markdown(source)
    assert ["Title", "", "One line goes on with bold words.", "", "- first", "- second goes on", "", "1. a number"] == [
        plain(line) for line in lines
    ]
    assert ("Title", "heading") in lines[0]
    assert ("bold", "strong") in lines[2]


def test_a_table_in_markdown_is_set_in_columns() -> None:
    source = "before\n| phase | cards |\n|---|---:|\n| 1 | two sets |\n| 10 | x |\nafter"
    assert ["before", "phase  cards", "1      two sets", "10     x", "after"] == [
        plain(line).rstrip() for line in markdown(source)
    ]


def test_points_are_a_table_with_places_first_and_chips_last() -> None:
    seats = [seat(0, "Rita", 145, place=2), seat(1, "Maximiliano", 90, place=1)]
    view = steps(
        seats=seats, end={"places": [[1], [0]], "chips": {"0": -10, "1": 10}}, result={"hand": 3, "points": [25, 0]}
    )
    lines = [plain(line).rstrip() for line in score_lines(view, local_for(view, *TABLES["steps"][1:]))]
    assert ["1.  Maximiliano     90  +0   +10 chips", "2.  Rita           145  +25  -10 chips"] == lines


def test_numbers_by_seat_may_be_a_list_or_a_map() -> None:
    assert [7, 7, 7, None, None] == [
        of_seat([1, 7], 1),
        of_seat({1: 7}, 1),
        of_seat({"1": 7}, 1),
        of_seat([], 1),
        of_seat(None, 1),
    ]


def test_keys_are_written_as_on_a_keyboard() -> None:
    assert "? F1 Ctrl-P" == key_name("?", "f1", "", "c-p")


def test_leaving_is_free_in_the_first_hand_and_with_a_place_and_costs_the_last_place_later() -> None:
    options = {"table": {"id": "t", "options": {"stake": 10}}}
    placed = [seat(0, "Rita", place=1), seat(1, "Ana"), seat(2, "Rui")]
    behind = [seat(0, "Rita"), seat(1, "Ana", place=1), seat(2, "Rui")]
    first = {"number": 1, "dealer": 0, "start": 1}
    assert 40 == leaving_penalty(steps(**options))
    assert 0 == leaving_penalty(steps(hand=first, **options))
    assert 20 == leaving_penalty(steps(hand=first, seats=behind, **options))
    assert 0 == leaving_penalty(steps(seats=placed, **options))
    assert leaving_penalty(steps(you=None, **options)) is None
    assert leaving_penalty(steps(end={"places": [[0]]}, **options)) is None
