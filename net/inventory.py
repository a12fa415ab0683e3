"""The games of this machine: loading them with a memory of how it went, and switching them off.

What is installed is read from the distributions' metadata; no plugin is imported to list it. What only an import can tell (the plugin
interface a game was written for, why it failed) is remembered from the last time it was loaded, in `plugins.json` in the data folder.
"""

from __future__ import annotations

import json
import os
import threading
import time
from pathlib import Path
from typing import Any

from carteado.core import loader
from carteado.core.errors import LoadFailure
from carteado.core.game import Game
from carteado.core.loader import Listed, house_rules, installed

from .keys import data_folder

__all__ = [
    "check_all", "house_rules", "installed", "listing", "load", "load_house", "load_older",
    "load_version", "memory", "remember_fault", "switch",
]  # fmt: skip


def memory() -> Path:
    """Return the file in which the outcomes of loading are remembered."""
    return data_folder() / "plugins.json"


def _read() -> dict[str, dict[str, Any]]:
    try:
        known = json.loads(memory().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}  # nothing remembered yet, or nothing readable: it is only a memory
    return {name: fact for name, fact in known.items() if isinstance(fact, dict)} if isinstance(known, dict) else {}


def _remember(name: str, **facts: Any) -> None:
    known = _read()
    before = known.get(name, {})
    after = {**before, **facts}
    if {**before, "when": 0} == {**after, "when": 0}:
        return
    known[name] = after
    path = memory()
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(f".{os.getpid()}-{threading.get_ident()}")  # others may remember something at this moment
    fresh.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    fresh.replace(path)


def load(name: str) -> Game:
    """Import and check one installed game, and remember how that went. Raises: LoadFailure, also for a game switched off."""
    if _read().get(name, {}).get("off"):
        raise LoadFailure(f"The game {name!r} is switched off; `carteado plugins enable {name}` switches it on.")
    try:
        game = loader.load(name)
    except LoadFailure as failure:
        if any(listed.name == name for listed in installed()):
            _remember(name, failure=str(failure), when=int(time.time()))
        raise
    _remember(name, api=game.api, game_version=game.version, failure=None, when=int(time.time()))
    return game


def load_older(name: str, version: str) -> Game:
    """Import and check an older version of a game. Raises: LoadFailure, also for a game switched off."""
    if _read().get(name, {}).get("off"):
        raise LoadFailure(f"The game {name!r} is switched off; `carteado plugins enable {name}` switches it on.")
    return loader.load_older(name, version)


def load_version(name: str, version: str) -> Game:
    """Import and check a game in the version that a match was begun with. Raises: LoadFailure, also for a game switched off."""
    game = load(name)
    return game if game.version == version else load_older(name, version)


def load_house(name: str) -> Any:
    """Import one installed house rule. Raises: LoadFailure, also for one that is switched off."""
    if _read().get(name, {}).get("off"):
        raise LoadFailure(f"The house rule {name!r} is switched off; `carteado plugins enable {name}` switches it on.")
    return loader.load_house(name)


def check_all() -> tuple[dict[str, Game], dict[str, str]]:
    """Load every installed game that is not switched off; return the good ones, and a sentence for each that failed."""
    games: dict[str, Game] = {}
    failures: dict[str, str] = {}
    off = {name for name, fact in _read().items() if fact.get("off")}
    for name in dict.fromkeys(listed.name for listed in installed()):
        if name in off:
            continue
        try:
            games[name] = load(name)
        except LoadFailure as failure:
            failures[name] = str(failure)
    return games, failures


def remember_fault(name: str, sentence: str) -> None:
    """Remember that a game failed at a table, for the operator's list."""
    _remember(name, failure=sentence, when=int(time.time()))


def switch(name: str, on: bool) -> None:
    """Switch an installed game or house rule on or off. Raises: LoadFailure when there is none of this name."""
    if not any(listed.name == name for listed in (*installed(), *house_rules())):
        raise LoadFailure(f"There is no plugin {name!r}; `carteado plugins` lists those that are installed.")
    _remember(name, off=not on)


def listing() -> list[dict[str, Any]]:
    """Return a row a plugin: kind, name, distribution, its version, plugin interface, state, last failure and when. Imports none."""
    known = _read()
    return [_row("game", listed, known) for listed in installed()] + [_row("house rule", listed, known) for listed in house_rules()]


def _row(kind: str, listed: Listed, known: dict[str, dict[str, Any]]) -> dict[str, Any]:
    fact = known.get(listed.name, {})
    if fact.get("off"):
        state = "off"
    elif fact.get("failure"):
        state = "failed"
    else:
        state = "ok" if "api" in fact else "not loaded yet"
    return {
        "kind": kind,
        "name": listed.name,
        "from": listed.distribution,
        "version": listed.version,
        "target": listed.target,
        "api": fact.get("api"),
        "state": state,
        "failure": fact.get("failure"),
        "when": fact.get("when"),
    }
