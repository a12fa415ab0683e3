"""Cells: wide characters, edges, finding things again; and text in lines."""

from __future__ import annotations

import pytest

from carteado.ui.terminal.grid import Grid, width
from carteado.ui.terminal.text import cut, flow, plain, wrap


def test_text_is_clipped_at_both_edges() -> None:
    grid = Grid(6, 1)
    grid.put(-2, 0, "abcd")
    grid.put(4, 0, "xyz")
    assert "cd  xy" == grid.text()


def test_a_wide_character_takes_two_cells_and_is_never_halved_at_the_edge() -> None:
    grid = Grid(5, 1)
    grid.put(0, 0, "漢a漢字")
    assert "漢a漢" == grid.text()
    assert 5 == width(grid.text())
    grid.put(4, 0, "漢")
    assert "漢a" == grid.text()


def test_overwriting_half_of_a_wide_character_blanks_the_other_half() -> None:
    grid = Grid(4, 1)
    grid.put(0, 0, "漢字")
    grid.put(1, 0, "x")
    assert " x字" == grid.text()
    grid.put(2, 0, "y")
    assert " xy" == grid.text()


def test_a_combining_mark_joins_the_character_before_it() -> None:
    grid = Grid(3, 1)
    grid.put(0, 0, "e\u0301f")
    assert ["e\u0301", "f", " "] == grid.chars[0]


def test_a_style_or_hit_of_none_leaves_what_is_there() -> None:
    grid = Grid(3, 1)
    grid.put(0, 0, "abc", "red", "thing")
    grid.put(1, 0, "x")
    assert ("red", "thing") == (grid.styles[0][1], grid.hit(1, 0))


def test_a_hit_is_found_as_the_rectangle_of_its_cells() -> None:
    grid = Grid(10, 5)
    grid.touch(2, 1, 3, 2, "pile")
    assert (2, 1, 4, 2) == grid.find("pile")
    assert grid.find("nothing") is None
    assert "" == grid.hit(-1, 99)


@pytest.mark.parametrize("room", [7, 10, 13, 40])
def test_wrapping_leaves_nothing_out_and_no_line_is_too_wide(room: int) -> None:
    text = "a sentence with some longer words and 漢字漢字 in between, unbreakable_as_it_is"
    lines = wrap([(text, "")], room)
    assert "".join(text.split()) == "".join("".join(plain(line).split()) for line in lines)
    assert all(width(plain(line)) <= room for line in lines)


def test_wrapping_keeps_the_styles_of_words() -> None:
    lines = wrap([("take ", ""), ("10♣", "green"), (" or leave it be", "")], 9)
    assert [[("take ", ""), ("10♣", "green")], [("or leave", "")], [("it be", "")]] == lines


def test_line_breaks_in_a_text_break_the_line() -> None:
    assert ["one", "two"] == [plain(line) for line in wrap([("one\ntwo", "")], 20)]


def test_a_cut_text_says_that_it_was_cut_and_fits() -> None:
    assert "漢…" == cut("漢字漢字", 4)
    assert "short" == cut("short", 5)
    assert "" == cut("anything", 0)


def test_parts_flow_into_lines_as_wholes() -> None:
    parts = [[("one", "")], [("two", "")], [("three", "")]]
    assert ["one  two", "three"] == [plain(line) for line in flow(parts, 10)]
