"""The order of a hand, kept on this machine: whoever comes back to a table finds the cards as they were left."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MOST = 40
"""Hands that are remembered; the oldest are forgotten."""


@dataclass(frozen=True)
class Order:
    """How a hand was ordered: by which of its orders, or (`manual`) by the player himself as `faces`."""

    sort: int = 0
    manual: bool = False
    faces: Sequence[str] = ()


class HandMemory:
    """The orders of the last hands, in one small file; what cannot be read or written costs only the order."""

    def __init__(self, path: Path, match: Callable[[], str]) -> None:
        """`match` tells one match from another: who hosts it, at which table, the how-manyth. It may change while one plays."""
        self._path = path
        self._match = match
        self._told: tuple[str, Order] | None = None

    def recall(self, hand: int, seat: int) -> Order | None:
        """Return how a hand was ordered; for a new one which order the last of this match had; None if nothing is known."""
        known = self._read()
        kept = known.get(self._key(hand, seat))
        if not isinstance(kept, dict):
            before = [one for key, one in known.items() if key.startswith(f"{self._match()}/") and isinstance(one, dict)]
            return Order(before[-1]["sort"]) if before and isinstance(before[-1].get("sort"), int) else None
        faces = kept.get("faces")
        return Order(
            int(kept["sort"]) if isinstance(kept.get("sort"), int) else 0,
            kept.get("manual") is True,
            [str(face) for face in faces] if isinstance(faces, list) else (),
        )

    def remember(self, hand: int, seat: int, order: Order) -> None:
        """Keep how a hand is ordered now."""
        key = self._key(hand, seat)
        if self._told == (key, order):
            return
        self._told = (key, order)
        kept = self._read()
        kept.pop(key, None)
        kept[key] = {"sort": order.sort, "manual": order.manual, "faces": list(order.faces)}
        fresh = self._path.with_suffix(".new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            fresh.write_text(json.dumps(dict(list(kept.items())[-MOST:])) + "\n", encoding="utf-8")
            fresh.replace(self._path)
        except OSError:
            return  # a full or a read-only disk: the game goes on, and the next hand is sorted as usual

    def _key(self, hand: int, seat: int) -> str:
        return f"{self._match()}/{hand}/{seat}"

    def _read(self) -> dict[str, Any]:
        try:
            kept = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}  # nothing remembered yet, or nothing readable
        return kept if isinstance(kept, dict) else {}
