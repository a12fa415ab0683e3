"""docs/threats.md names tests that exist, and leaves out no row; what docs/network.md and security.md quote is what the program says."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from carteado.net.door_arguments import add_door
from carteado.net.rates import Rates
from carteado.net.refusals import REFUSALS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "threats.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| (T\d\d) \| .* \| (.*) \|$", PAGE, re.MULTILINE))
TRIED = {f"T{number:02}" for number in (*range(1, 36), *range(37, 42), 47, 48, 49, 53, 54, 56, *range(58, 63))}


def all_tests() -> set[str]:
    """Return the names of all tests of the repository."""
    return {
        name for path in (ROOT / "tests").rglob("test_*.py") for name in re.findall(r"def (test_\w+)", path.read_text(encoding="utf-8"))
    }  # fmt: skip


def test_every_threat_has_a_row() -> None:
    assert TRIED == set(ROWS)


def test_every_row_names_a_test_and_every_test_that_is_named_exists() -> None:
    there = all_tests()
    for row, cell in ROWS.items():
        named = re.findall(r"`(test_\w+)`", cell)
        assert named, row
        assert set(named) <= there, (row, set(named) - there)


def test_every_test_under_siege_stands_in_a_row() -> None:
    numbered = {name for name in all_tests() if re.match(r"test_t\d\d_", name)}
    assert numbered <= set(re.findall(r"`(test_\w+)`", PAGE))


def test_every_option_about_the_door_is_on_the_page_of_security() -> None:
    parser = argparse.ArgumentParser()
    add_door(parser)
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    told = set(re.findall(r"`(--[a-z-]+)", page.partition("## What a host can be told")[2].partition("\n## ")[0]))
    options = {word for action in parser._actions for word in action.option_strings if word.startswith("--")} - {"--help"}
    assert options | {"--accept-new-key"} == told


def test_the_limits_on_the_protocol_s_page_are_the_defaults() -> None:
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `(\w+)` \| (\d+) \|", page.partition("<!-- rates -->")[2].partition("\n\n")[0], re.MULTILINE))
    assert told == {name: f"{value:g}" for name, value in vars(Rates()).items()}


@pytest.mark.parametrize("quoted", re.findall(r"^\| `([^`]+)`", (ROOT / "docs" / "network.md").read_text(encoding="utf-8"), re.MULTILINE))
def test_what_the_page_for_trouble_quotes_is_said_by_the_program(quoted: str) -> None:
    words = [part.strip() for part in quoted.split("...") if part.strip()]
    said = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "net").glob("*.py")) + " ".join(REFUSALS.values())
    assert all(word in said for word in words), quoted
