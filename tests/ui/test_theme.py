"""Colours: readable on the background they are made for, chosen by the surroundings, never needed."""

from __future__ import annotations

import re

import pytest
from prompt_toolkit.output import ColorDepth

from carteado.ui.terminal import theme

BACKGROUNDS = {"dark": "#000000", "light": "#ffffff"}
LEAST = 4.5


def luminance(colour: str) -> float:
    """Return the relative luminance of `#rrggbb` as WCAG defines it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", BACKGROUNDS)
def test_every_colour_is_readable_on_its_background_and_on_the_grounds_of_the_theme(name: str) -> None:
    rules = theme.style(name).style_rules
    grounds = {BACKGROUNDS[name]}
    for _, rule in rules:
        grounds |= set(re.findall(r"bg:(#[0-9a-f]{6})", rule))
    inks = {ink for _, rule in rules for ink in re.findall(r"(?:^| )(#[0-9a-f]{6})", rule)}
    assert len(inks) > 8
    weak = {
        (ink, ground): round(contrast(ink, ground), 1)
        for ink in inks
        for ground in grounds
        if contrast(ink, ground) < LEAST
    }
    assert {} == weak


def test_the_theme_follows_the_terminals_background_unless_one_is_wanted() -> None:
    assert "light" == theme.chosen_theme(None, {"COLORFGBG": "0;15"})
    assert "dark" == theme.chosen_theme(None, {"COLORFGBG": "15;0"})
    assert "dark" == theme.chosen_theme(None, {})
    assert "dark" == theme.chosen_theme("dark", {"COLORFGBG": "0;15"})


def test_colours_are_as_many_as_the_terminal_says_and_none_with_no_color() -> None:
    assert ColorDepth.DEPTH_1_BIT == theme.colour_depth({"NO_COLOR": "1", "COLORTERM": "truecolor"})
    assert ColorDepth.DEPTH_24_BIT == theme.colour_depth({"COLORTERM": "truecolor"})
    assert ColorDepth.DEPTH_8_BIT == theme.colour_depth({"TERM": "xterm-256color"})
