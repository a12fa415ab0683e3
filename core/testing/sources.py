"""The source of a game, scanned for what no hook may use: clocks, chance, files, sockets, processes, threads."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from ..game import Game
from ..modules import modules_of, package_of

FORBIDDEN = frozenset({
    "asyncio", "ctypes", "datetime", "http", "multiprocessing", "os", "requests", "secrets", "select", "shutil", "signal", "socket", "ssl",
    "subprocess", "tempfile", "threading", "time", "urllib", "uuid", "zmq",
})  # fmt: skip
"""Modules that a game has no use for; `random` is there for the type `random.Random` and for generators made from a given one."""


class Use(NamedTuple):
    """One use of something forbidden."""

    file: str
    line: int
    what: str


def sources(game: Game) -> Iterator[tuple[str, ast.AST, ast.AST, int]]:
    """Iterate over a game's source, as file, its whole tree, the tree that is the game's, and the line it begins after.

    Of a package every module is the game's; of a module that belongs to none (a test, a script) only its classes are.
    """
    whole = package_of(game) is not None
    for module in modules_of(game):
        path = getattr(module, "__file__", None)
        if not path or not path.endswith(".py"):
            continue
        tree = ast.parse(Path(path).read_text(encoding="utf-8"))
        if whole:
            yield path, tree, tree, 0
            continue
        for kind in type(game).__mro__:
            if kind.__module__ == module.__name__:
                lines, first = inspect.getsourcelines(kind)
                yield path, tree, ast.parse(textwrap.dedent("".join(lines))), first - 1


def uses(game: Game) -> Iterator[Use]:
    """Iterate over the forbidden uses in a game's source."""
    for path, tree, own, offset in sources(game):
        yield from _used(path, own, dict(_imported(tree)), offset)


def _imported(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Iterate over the names that imports bind, with what they stand for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.asname or alias.name.partition(".")[0], alias.name
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _used(path: str, tree: ast.AST, names: dict[str, str], offset: int) -> Iterator[Use]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            what = f"{names.get(node.value.id, '')}.{node.attr}"
            if _forbidden(what):
                yield Use(path, node.lineno + offset, what)
        elif isinstance(node, ast.Name) and _forbidden(names.get(node.id, "")) and names[node.id] not in FORBIDDEN:
            yield Use(path, node.lineno + offset, names[node.id])


def _forbidden(what: str) -> bool:
    root = what.partition(".")[0]
    return root in FORBIDDEN or (root == "random" and what not in ("random", "random.Random"))
