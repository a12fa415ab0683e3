"""The core is pure: no socket, clock, terminal, file or randomness of its own, by what it imports and by what its source names."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import carteado.core.api as api

CORE = Path(api.__file__).parent
OTHERWISE = ("testing", "commands.py", "modules.py")
"""The conformance kit, which runs games in processes and reads recordings; the commands that start it; what finds a game's own modules."""
SOURCES = sorted(
    path.relative_to(CORE).as_posix() for path in CORE.rglob("*.py") if path.relative_to(CORE).parts[0] not in OTHERWISE
)
"""All of the core that takes part in a match."""
MODULES = [f"carteado.core.{name[:-3].replace('/', '.').removesuffix('.__init__')}" for name in SOURCES if name != "__init__.py"]
ALLOWED = {
    "__future__", "abc", "carteado", "collections", "contextlib", "dataclasses", "enum", "functools", "hashlib", "importlib", "inspect",
    "itertools", "json", "math", "msgpack", "pluggy", "random", "re", "types", "typing",
}  # fmt: skip


@cache
def tree(source: str) -> ast.Module:
    return ast.parse((CORE / source).read_text(encoding="utf-8"), source)


@pytest.mark.parametrize("source", SOURCES)
def test_a_module_imports_only_what_has_no_socket_clock_terminal_or_file(source: str) -> None:
    names = set()
    for node in ast.walk(tree(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.split(".")[0])
    assert set() == names - ALLOWED


@pytest.mark.parametrize("source", SOURCES)
def test_a_module_calls_nothing_that_opens_prints_asks_or_runs(source: str) -> None:
    calls = {node.func.id for node in ast.walk(tree(source)) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert set() == calls & {"open", "print", "input", "exec", "eval", "compile", "breakpoint", "__import__", "hash", "id", "globals"}


@pytest.mark.parametrize("source", SOURCES)
def test_a_module_uses_no_global_randomness(source: str) -> None:
    used = {
        node.attr
        for node in ast.walk(tree(source))
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "random"
    }
    assert set() == used - {"Random"}


@pytest.mark.parametrize("source", SOURCES)
def test_a_module_makes_no_random_numbers_without_a_seed(source: str) -> None:
    unseeded = [
        node.lineno
        for node in ast.walk(tree(source))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "Random" and not node.args
    ]
    assert [] == unseeded


@pytest.mark.parametrize("source", SOURCES)
def test_a_module_keeps_no_state_of_its_own(source: str) -> None:
    assert [] == [node.lineno for node in ast.walk(tree(source)) if isinstance(node, ast.Global)]


PROGRAM = """
import importlib, importlib.metadata, json, sys
before = set(sys.modules)
for name in json.loads(sys.argv[1]):
    importlib.import_module(name)
print(json.dumps(sorted(set(sys.modules) - before)))
"""
HEAVY = {
    "asyncio", "concurrent", "ctypes", "curses", "hypothesis", "http", "logging", "multiprocessing", "msgspec", "platformdirs",
    "prompt_toolkit", "pytest", "select", "selectors", "shutil", "signal", "socket", "socketserver", "sqlalchemy", "sqlite3", "ssl",
    "subprocess", "tempfile", "threading", "time", "urllib", "zmq",
}  # fmt: skip


def test_importing_the_whole_core_loads_no_socket_clock_terminal_or_process() -> None:
    run = subprocess.run([sys.executable, "-c", PROGRAM, json.dumps(MODULES)], capture_output=True, text=True, check=True)
    loaded = set(json.loads(run.stdout))
    areas = {name for name in loaded if name.startswith("carteado.") and not name.startswith("carteado.core")}
    assert (set(), set(), set()) == ({name.split(".")[0] for name in loaded} & HEAVY, areas, set(MODULES) - loaded)


def test_the_api_exports_every_class_and_function_it_imports() -> None:
    imported = {alias.asname or alias.name for node in tree("api.py").body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert imported - {"annotations"} == set(api.__all__)
