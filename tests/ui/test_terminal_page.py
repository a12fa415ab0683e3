"""docs/terminal.md says which keys, letters and settings there are, and no others."""

from __future__ import annotations

import re
from pathlib import Path

from carteado.net.preferences import KINDS
from carteado.ui.terminal.line import QUERIES
from carteado.ui.terminal.offers import COMMANDS
from carteado.ui.terminal.pages import key_name

PAGE = (Path(__file__).parents[2] / "docs" / "terminal.md").read_text(encoding="utf-8")


def part(name: str) -> str:
    """Return what stands between two marks."""
    return PAGE.split(f"<!-- {name} -->")[1].split(f"<!-- /{name} -->")[0]


def test_every_command_is_on_the_page_with_its_keys() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \|", part("commands"), re.MULTILINE)
    assert {name: " ".join(key_name(one) for one in keys if one) for name, *keys in COMMANDS} == {
        name: " ".join(re.findall(r"`([^`]+)`", keys)) for name, keys in rows
    }


def test_every_letter_of_the_line_mode_is_on_the_page() -> None:
    assert set(QUERIES) == set(re.findall(r"`([^`]+)`", part("queries")))


def test_every_setting_is_on_the_page() -> None:
    said = set(re.findall(r"`([^`]+)`", part("settings")))
    assert set(KINDS) == said - {"fast", "normal", "slow"}
