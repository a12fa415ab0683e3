"""Every hook, form kind, zone kind, option kind and refusal code is documented, and as it is in the code."""

import ast
import importlib.util
import json
from pathlib import Path
from types import ModuleType

import pytest

from carteado.core import api, options, zones
from carteado.core.errors import REFUSALS
from carteado.core.forms import FIELD_KINDS
from carteado.core.hookspecs import GameSpec, ProgramSpec

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
HOOKS = [name for spec in (GameSpec, ProgramSpec) for name in vars(spec) if not name.startswith("_")]


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reference", ROOT / ".ci" / "reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def raised(folder: str) -> set[str]:
    """Return the codes that Refused is raised with, as literals, in the modules of a folder."""
    codes = set()
    for path in (ROOT / folder).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refused" and node.args:
                codes |= {part.value for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant) and isinstance(part.value, str)}
    return codes


def test_the_page_is_what_the_code_says(reference: ModuleType) -> None:
    assert reference.page() == PAGE


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_says_when_it_is_called_and_gives_an_example(hook: str) -> None:
    section = PAGE.split(f"### `{hook}(")[1].split("\n### ")[0]
    assert ["Called: " in section, "```python" in section] == [True, True]


@pytest.mark.parametrize(
    "kind", [*FIELD_KINDS, *zones.KINDS, *(o.kind for o in (options.Flag, options.Whole, options.OneOf, options.Several))]
)
def test_every_kind_is_documented(kind: str) -> None:
    assert f"`{kind}`" in PAGE


def test_every_refusal_the_core_raises_is_documented_and_no_other() -> None:
    assert sorted(raised("core") | {"not_offered", "over"}) == sorted(REFUSALS)


@pytest.mark.parametrize("code", REFUSALS)
def test_every_refusal_of_the_core_has_a_sentence(code: str) -> None:
    assert code in json.loads((ROOT / "core" / "locale" / "en.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", api.__all__)
def test_every_name_of_the_public_surface_is_documented_in_its_docstring(name: str) -> None:
    thing = getattr(api, name)
    assert not callable(thing) or bool(thing.__doc__)
