"""The modules that make up a game, for who scans its source or loads it anew."""

from __future__ import annotations

import sys
from types import ModuleType

from .game import Game


def modules_of(game: Game) -> list[ModuleType]:
    """Return the loaded modules that make up a game: all of its package, else those its classes are defined in."""
    package = package_of(game)
    if package is not None:
        return [module for key, module in sorted(sys.modules.items()) if key == package or key.startswith(package + ".")]
    classes = [kind for kind in type(game).__mro__ if issubclass(kind, Game) and kind is not Game]
    return [sys.modules[name] for name in dict.fromkeys(kind.__module__ for kind in classes)]


def package_of(game: Game) -> str | None:
    """Return the name of the package (with an `__init__`) that a game is, None when it stands in a module of its own."""
    name = type(game).__module__
    package = name if hasattr(sys.modules[name], "__path__") else name.rpartition(".")[0]
    return package if package and getattr(sys.modules.get(package), "__file__", None) else None
