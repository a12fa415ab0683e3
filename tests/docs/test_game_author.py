"""The tutorial is true: its examples run, and its code is the code of the examples."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "game-author.md"
SOURCES = [*(ROOT / "examples").rglob("*.py"), *(ROOT / "examples").rglob("*.toml")]


def blocks() -> list[str]:
    """Return the page's python and toml blocks."""
    return re.findall(r"^```(?:python|toml)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def lines(text: str) -> str:
    """Return a text without indentation and blank lines, one line after the other."""
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def test_the_page_has_a_code_block_for_every_step() -> None:
    assert len(blocks()) >= 14


@pytest.mark.parametrize("number", range(len(blocks())))
def test_every_code_block_stands_in_an_example(number: int) -> None:
    wanted = lines(blocks()[number])
    assert any(wanted in lines(source.read_text(encoding="utf-8")) for source in SOURCES), wanted


def test_the_examples_of_the_page_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "examples" / "crazy_eights"))
    failed, tried = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert (failed, tried > 10) == (0, True)


def test_crazy_eights_stays_under_150_lines_of_code() -> None:
    source = (ROOT / "examples/crazy_eights/carteado_crazy_eights/__init__.py").read_text(encoding="utf-8")
    assert sum(1 for line in source.splitlines() if line.strip()) < 150
