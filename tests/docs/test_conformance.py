"""docs/conformance.md and the kit name the same checks, options and attributes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, ClassVar

import pytest

from carteado.core.testing import Check, GameSuite, all_checks
from carteado.core.testing.plugin import pytest_addoption
from carteado.core.testing.suite import REQUIRED, trial

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "conformance.md").read_text(encoding="utf-8")
LISTED = re.findall(r"^- `([a-z_]+)`: (.+)", PAGE, re.MULTILINE)


def test_the_page_lists_every_check_once_in_the_order_they_run() -> None:
    assert [name for name, _ in LISTED] == [check.name for check in all_checks()]


def test_the_page_names_the_checks_from_which_nobody_is_exempt() -> None:
    assert {name for name in REQUIRED if f"`{name}`" in PAGE.partition("nobody is")[0].rpartition("An **exemption**")[2]} == set(REQUIRED)


def test_the_page_tables_what_a_suite_can_say() -> None:
    rows = {row[0]: row[1] for row in re.findall(r"^\| `([a-z]+)[^`]*` \| ([a-z, ]+) \|", PAGE, re.MULTILINE)}
    said = {name for name in vars(GameSuite) if not name.startswith("_")}
    assert {name for name, of in rows.items() if "suite" in of} == said


def test_the_page_names_every_option_of_the_plugin() -> None:
    class Group:
        """Note the options."""

        names: ClassVar[list[str]] = []

        def addoption(self, name: str, **_: Any) -> None:
            self.names.append(name)

    class Parser:
        """Give the group."""

        def getgroup(self, name: str, _: str) -> Group:
            return Group()

    pytest_addoption(Parser())  # type: ignore[arg-type]
    assert [name for name in Group.names if name not in PAGE] == []
    assert set(re.findall(r"--carteado-[a-z]+", PAGE)) == set(Group.names)


@pytest.mark.slow
def test_the_check_of_ones_own_on_the_page_runs() -> None:
    code = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[-1]
    names: dict[str, Any] = {}
    exec(code, names)  # noqa: S102 - the page's own example
    added: list[Check] = []
    names["add_checks"](added.append)
    from carteado.core.loader import load

    shown = trial(load("dez-degraus"), seeds=[0])
    assert [list(check.run(shown)) for check in added] == [[]]
