"""Whatever a hostile host sends as text, nothing of it reaches the terminal but characters that stand still."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest

from carteado.ui.terminal.grid import width
from carteado.ui.terminal.room import Chair, Room
from carteado.ui.terminal.table import paint

from .harness import local_for
from .tables import TABLES

DECEITS = ("\x1b[2J", "\x1b]52;c;aGk=\x07", "\x9b31m", "\x07", "\r", "\n", "\u202e", "\u2066", "\u200b", "<b>bold</b>", "a" + "\u0301" * 99)
HARMFUL = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def poisoned(value: Any, deceit: str, key: str = "") -> Any:
    """Return plain data with a deceit in every text that is not a name of the protocol's own."""
    if isinstance(value, dict):
        return {name: poisoned(inner, deceit, str(name)) for name, inner in value.items()}
    if isinstance(value, list):
        return [poisoned(inner, deceit, key) for inner in value]
    if isinstance(value, str) and key in {"name", "title", "caption", "label", "text", "reason"} and "/" not in value:
        return value[:3] + deceit + value[3:]
    return value


def harmless(text: str) -> bool:
    """Tell whether a text has no control, format or line character."""
    return not any(unicodedata.category(char) in HARMFUL for char in text)


@pytest.mark.parametrize("deceit", DECEITS, ids=ascii)
@pytest.mark.parametrize("game", TABLES)
def test_a_name_from_a_hostile_host_moves_no_cursor_and_breaks_no_border(game: str, deceit: str) -> None:
    make, words, looks = TABLES[game]
    view = make()
    view["seats"] = poisoned(view["seats"], deceit)
    view["layout"] = poisoned(view.get("layout") or {}, deceit)
    local = local_for(view, {**words, "x": deceit}, looks, False)
    chairs = [Chair(one["seat"], one["name"], None, "here", False, 0) for one in view["seats"]]
    local.room = Room("playing", chairs, frozenset({"say"}), title=f"T{deceit}", game="x", id="t-1", address="x", why=deceit)
    for size in ((80, 24), (120, 40)):
        grid = paint(view, local, *size)
        lines = grid.text().split("\n")
        assert all(harmless(line) for line in lines)
        assert max(width(line) for line in lines) <= size[0]


@pytest.mark.parametrize("deceit", DECEITS, ids=ascii)
def test_a_player_s_name_is_one_harmless_line_where_lines_are_read_out(deceit: str) -> None:
    make, words, looks = TABLES["pyramid"]
    view = make()
    view["seats"][0]["name"] = f"Ana{deceit}host: you win"
    local = local_for(view, words, looks, False)
    assert harmless(local.words.player(0))
