"""docs/store.md says what the code does: tables and columns, codes, commands, and the older rules."""

from __future__ import annotations

import re
from pathlib import Path

from carteado.cli import arguments
from carteado.core.loader import OLDER
from carteado.net.errors import StoreFailure
from carteado.net.saving import AGAIN, PATIENCE
from carteado.net.sql import engine, schema

PAGE = (Path(__file__).parents[2] / "docs" / "store.md").read_text(encoding="utf-8")


def rows(title: str) -> dict[str, str]:
    """Return the rows of the table below a heading: first cell and the rest."""
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert found
    lines = [line.strip("|").split("|", 1) for line in found[1].split("\n") if line.startswith("| `")]
    return {first.strip(" `"): rest for first, rest in lines}


def test_every_table_and_column_is_on_the_page_and_none_besides() -> None:
    described = {name: re.findall(r"`(\w+)`", re.sub(r"\([^)]*\)", "", rest)) for name, rest in rows("The schema").items()}
    assert {table.name: [column.name for column in table.columns] for table in schema.metadata.sorted_tables} == described


def test_every_code_of_a_store_that_cannot_be_used_is_on_the_page() -> None:
    codes = re.findall(r"\w+", re.findall(r"code: `(.*?)`", StoreFailure.__doc__ or "")[0])
    assert sorted(codes) == sorted(rows("When it cannot save"))
    assert {code for code, _ in engine._SQLITE.values()} <= set(codes)


def test_the_times_on_the_page_are_those_of_the_program() -> None:
    assert f"tries again every {AGAIN:g} seconds" in PAGE
    assert f"more than {PATIENCE:g} seconds freezes it" in PAGE
    assert (1.0, True) == (engine.BUSY, "locked it for longer than a second" in PAGE)


def test_every_verb_of_the_command_is_on_the_page() -> None:
    parser, _ = arguments()
    commands = next(action for action in parser._actions if hasattr(action, "choices") and action.choices and "store" in action.choices)
    assert commands.choices is not None
    verbs = next(action for action in commands.choices["store"]._actions if action.dest == "what")  # type: ignore[call-overload]
    assert verbs.choices is not None
    assert list(verbs.choices) == [name.split()[2] for name in rows("The command") if name.startswith("carteado store")]


def test_the_group_of_older_rules_is_on_the_page() -> None:
    assert f'[project.entry-points."{OLDER}"]' in PAGE
