"""Loading games anew in a running host: tables to come get the new code, tables that are open keep what they were opened with."""

from __future__ import annotations

import importlib
import sys

from carteado.core.errors import LoadFailure
from carteado.core.game import Game
from carteado.core.modules import modules_of

from .inventory import load


def renew(name: str, old: Game | None) -> tuple[Game | None, str]:
    """Return a game as it is installed now, and a word about it; the old one, and why, when the new one cannot be loaded."""
    held = {module.__name__: sys.modules.pop(module.__name__) for module in modules_of(old)} if old is not None else {}
    importlib.invalidate_caches()
    try:
        game = load(name)
    except LoadFailure as failure:
        sys.modules.update(held)
        return old, str(failure)
    return game, f"version {game.version}" + (f", was {old.version}" if old is not None and old.version != game.version else "")
