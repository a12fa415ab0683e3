"""What a check finds wrong, said so that a game's author can act on it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..encoding import LEAST, MOST
from ..zones import Viewer


@dataclass(frozen=True)
class Case:
    """One match to play: everything random in it follows from the seed."""

    seed: int
    players: int
    options: Mapping[str, Any]

    def __str__(self) -> str:
        return f"seed {self.seed} ({self.players} players, options {brief(dict(self.options))})"


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with a game, and where: hook, case, step (entries before it), seat, viewer."""

    what: str
    hook: str | None = None
    case: Case | None = None
    step: int | None = None
    seat: int | None = None
    viewer: Viewer | str = ""
    lines: Sequence[str] = ()

    def text(self, reproduce: str = "") -> str:
        """Return the fault as a paragraph; `reproduce` is the command without its seed."""
        where = []
        if self.hook:
            where.append(f"hook {self.hook}")
        if self.seat is not None:
            where.append(f"seat {self.seat}")
        if self.viewer != "":
            where.append("seen by a watcher" if self.viewer is None else f"seen by seat {self.viewer}")
        if self.step is not None:
            where.append(f"after entry {self.step} of")
        if self.case is not None:
            where.append(str(self.case))
        parts = [self.what]
        if where:
            parts.append("  at: " + ", ".join(where).replace(" of, seed", " of seed"))
        parts += [f"  {line}" for line in self.lines]
        if reproduce:
            seed = "" if self.case is None else f" --carteado-seeds {self.case.seed}"
            parts.append(f"  again: {reproduce}{seed}")
        return "\n".join(parts)


def brief(value: Any, most: int = 160) -> str:
    """Return plain data on one line, cut when it is long."""
    try:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    except (TypeError, ValueError):
        text = repr(value)
    return text if len(text) <= most else text[: most - 1] + "…"


def difference(a: Any, b: Any, path: str = "") -> tuple[str, Any, Any] | None:
    """Return where two pieces of plain data differ first, in value or in type, and both values there; None when they are alike."""
    if type(a) is not type(b):
        return path, a, b
    if isinstance(a, dict):
        for key in a:
            if key not in b:
                return f"{path}.{key}", a[key], None
            found = difference(a[key], b[key], f"{path}.{key}")
            if found:
                return found
        for key in b:
            if key not in a:
                return f"{path}.{key}", None, b[key]
        return None
    if isinstance(a, (list, tuple)):
        for i, (one, other) in enumerate(zip(a, b, strict=False)):
            found = difference(one, other, f"{path}[{i}]")
            if found:
                return found
        return None if len(a) == len(b) else (f"{path} (length)", len(a), len(b))
    return None if a == b else (path, a, b)


def not_plain(value: Any, path: str = "") -> str | None:
    """Return where a value stops being plain data (None, bool, int, str, list, dict with str keys), None if it is plain."""
    kind = type(value)
    if value is None or kind in (bool, str):
        return _bad_text(value, path) if kind is str else None
    if kind is int:
        return None if LEAST <= value <= MOST else f"{path}: {value!r} does not fit into 64 bits"
    if kind is list:
        return next((found for i, item in enumerate(value) if (found := not_plain(item, f"{path}[{i}]"))), None)
    if kind is dict:
        for key, item in value.items():
            if type(key) is not str:
                return f"{path}: the key {key!r} is not a string"
            found = not_plain(item, f"{path}.{key}")
            if found:
                return found
        return None
    return f"{path}: {value!r} is a {kind.__name__}"


def _bad_text(value: str, path: str) -> str | None:
    return f"{path}: {value!r} is not valid text" if any("\ud800" <= letter <= "\udfff" for letter in value) else None


def named(viewer: Viewer) -> str:
    """Return a viewer in words."""
    return "a watcher" if viewer is None else f"seat {viewer}"
