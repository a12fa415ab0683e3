"""Names and chat: nothing that moves the cursor, hides, reorders, or looks like somebody else."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carteado.net import limits
from carteado.net.names import clean_name, distinct, shown, skeleton


@pytest.mark.parametrize("name", ["Ana", "Zé Povinho", "李小龍", "O'Brien", "x", "a" * 24, "é" * 24, "Σίσυφος", "Ana-2"])
def test_a_name_is_kept_as_it_is(name: str) -> None:
    assert name == clean_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "", "   ", "a" * 25, "𝒜" * 24, "\x1b[31mAna", "Ana\x07", "A\nna", "A\tna", "\x9b31m", "Ana\u202e", "\u2066Ana", "An\u200ba",
        "A\ufeffna", "A\ufe0fna", "\U000e0041na", "An\xada", "An\u2028a", "a\u0301\u0302\u0303\u0304", "host", "HOST", "Server",
        "ｈｏｓｔ", "h o s t", "---", "\ue000",
    ],
)  # fmt: skip
def test_a_name_that_could_deceive_is_refused(name: str) -> None:
    assert clean_name(name) is None


def test_blanks_around_a_name_are_dropped_and_marks_are_composed() -> None:
    assert "José" == clean_name("  Jose\u0301 ")


def test_a_second_player_of_one_name_gets_a_number() -> None:
    assert "Ana 2" == distinct("Ana", ["ANA"])
    assert "Ana 3" == distinct("Ana", ["ana", "Ana 2"])
    assert "Rui" == distinct("Rui", ["Ana"])


def test_a_long_name_with_a_number_stays_within_the_limits() -> None:
    name = "中" * 21
    numbered = distinct(name, [name])
    assert numbered.endswith(" 2")
    assert clean_name(numbered) == numbered


@given(st.text(max_size=60))
def test_a_clean_name_is_always_within_its_bounds(text: str) -> None:
    name = clean_name(text)
    if name is not None:
        assert 1 <= len(name) <= limits.NAME
        assert len(name.encode()) <= limits.NAME_BYTES
        assert clean_name(name) == name


@given(st.text(max_size=200))
def test_shown_text_has_no_control_format_or_line_characters(text: str) -> None:
    line = shown(text)
    assert not [char for char in line if unicodedata.category(char)[0] == "C" or unicodedata.category(char) in ("Zl", "Zp")]
    assert shown(line) == line


def test_two_names_that_people_confuse_have_one_skeleton() -> None:
    assert skeleton("Ana Sá") == skeleton("ＡＮＡ sÁ")
