"""The rules know nothing of the table, and nobody but the plugin's own modules is needed to use them."""

from __future__ import annotations

import ast
from importlib.resources import files

import pytest

PURE = ("rules", "groups", "phases", "distance", "split", "emptying", "places", "seen", "judge")


def imported(module: str) -> set[str]:
    """Return what a module imports: names of packages, and `.name` for its neighbours."""
    tree = ast.parse((files("carteado.plugins.dez_degraus") / f"{module}.py").read_text("utf-8"))
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add("." * node.level + (node.module or ""))
    return found


@pytest.mark.parametrize("module", PURE)
def test_the_pure_modules_import_each_other_and_the_standard_library_only(module: str) -> None:
    others = {f".{name}" for name in PURE}
    assert {name for name in imported(module) if name[0] == "." or "carteado" in name} <= others
