"""Pages of text: Markdown without a browser, tables of points."""

from __future__ import annotations

import pytest

from carteado.ui.terminal.boxes import frame
from carteado.ui.terminal.menus import price_said, quit_box
from carteado.ui.terminal.pages import key_name, of_seat, score_lines
from carteado.ui.terminal.room import Chair, Price, Room
from carteado.ui.terminal.rules import markdown, rules_page
from carteado.ui.terminal.text import plain
from carteado.ui.terminal.words import own_catalogue, words_for

from .harness import local_for
from .tables import COLOURS, STEPS_WORDS, TABLES, seat, steps


def test_markdown_becomes_paragraphs_headings_and_lists() -> None:
    source = "# Title\n\nOne line\ngoes on with **bold** words.\n\n- first\n- second\n  goes on\n\n1. a number\n"
    lines = markdown(source).lines
    assert ["Title", "", "One line goes on with bold words.", "", "- first", "- second goes on", "", "1. a number"] == [
        plain(line) for line in lines
    ]
    assert ("Title", "heading") in lines[0]
    assert ("bold", "strong") in lines[2]


def test_a_table_in_markdown_is_set_in_columns() -> None:
    source = "before\n| phase | cards |\n|---|---:|\n| 1 | two sets |\n| 10 | x |\nafter"
    assert ["before", "phase  cards", "1      two sets", "10     x", "after"] == [
        plain(line).rstrip() for line in markdown(source).lines
    ]


RULES = (
    "# Steps\n\nA word before.\n\n<!-- stages: draw play -->\n## Your turn\n\nDraw a card.\n- Or lay.\n\n## The end\n" + "\nMore.\n" * 40
)
"""Rules with a section for what is asked in `play`."""


def test_rules_open_at_the_section_of_what_is_to_be_decided_and_scroll_back_to_the_beginning() -> None:
    local = local_for(steps(), STEPS_WORDS, COLOURS)
    box = rules_page(local, RULES, "play")
    laid = frame(box, local.words.glyphs, 80, 24)
    assert "Your turn" == plain(laid.lines[laid.top][0])
    box.scroll = -100
    laid = frame(box, local.words.glyphs, 80, 24)
    assert "Steps" == plain(laid.lines[laid.top][0])
    assert all("<!--" not in plain(line) for line in box.body)


def test_rules_that_do_not_tell_of_it_open_at_the_beginning() -> None:
    local = local_for(steps(), STEPS_WORDS, COLOURS)
    assert [0, 0] == [rules_page(local, RULES, stage).at for stage in ("bid", "")]


def test_the_section_of_a_stage_ends_before_the_next_heading() -> None:
    assert ["Your turn", "", "Draw a card.", "- Or lay."] == [plain(line) for line in markdown(RULES).section("draw")]


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


@pytest.mark.parametrize(
    ("price", "said"),
    [
        (Price("free", 0, True), "(costs nothing) A computer player goes on."),
        (Price("free", 0, False), "(costs nothing)"),
        (Price("penalty", 40, False), "40 chips"),
        (Price("loss", 0, False), "The others go on without you."),
        (Price("kept", 0, True), "(your place is certain) A computer player goes on."),
    ],
)
def test_what_leaving_would_cost_is_said_before_one_leaves_as_the_host_tells_it(price: Price, said: str) -> None:
    words = words_for([own_catalogue("en")], {})
    assert said in "".join(text for text, _ in price_said(words, price))


def test_who_leaves_by_mistake_reads_the_price_in_the_box() -> None:
    local = local_for(steps(), STEPS_WORDS, COLOURS)
    local.room = Room("playing", leaving=Price("penalty", 30))
    box = quit_box(local, lambda: None, lambda: None, lambda: None)
    assert "30 chips" in box.items[2].words()


@pytest.mark.parametrize(
    ("hosting", "watchers", "said"),
    [
        (True, 0, "1 other person is at this table. The host ends with this window, and the table with it."),
        (True, 1, "2 other people are at this table. The host ends with this window, and the table with it."),
        (False, 1, ""),
    ],
)
def test_who_takes_the_host_along_reads_how_many_lose_the_table(hosting: bool, watchers: int, said: str) -> None:
    local = local_for(steps(), STEPS_WORDS, COLOURS)
    chairs = [Chair(0, "Rita"), Chair(1, "Rui", bot="rule", line="bot"), Chair(2, "Ana", line="away"), Chair(3, line="empty")]
    local.room, local.hosting = Room("playing", chairs, watchers=watchers), hosting
    box = quit_box(local, lambda: None, lambda: None, lambda: None)
    assert said == "".join(text for line in box.body for text, _ in line)
    assert ("the host; the next `carteado host` goes on" in box.items[1].words()) is hosting
