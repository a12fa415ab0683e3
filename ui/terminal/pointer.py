"""Mouse and touch: click, double click, drag and drop, with the press remembered until it is released.

All events come to one control, so a drag that ends over another zone is still this drag. A release that never comes (it happens at
window edges) is made up for: the next press, Esc, or a closed prompt ends the drag and nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from .grid import Grid
from .local import Drag, Local

SLACK = 1
"""A pointer that moved no further than this many cells has clicked, not dragged."""
DOUBLE = 0.4
"""Seconds within which a second click on the same card is a double click."""


class Target(Protocol):
    """What the pointer's gestures do."""

    def click(self, hit: str, double: bool) -> None:
        """Press and release in one place."""

    def drop(self, source: str, hit: str, x: int, y: int) -> None:
        """Release over something else than what was pressed."""

    def scroll(self, lines: int) -> None:
        """Turn the wheel."""


class Pointer:
    """Turn presses, moves and releases into clicks and drops."""

    def __init__(self, local: Local, target: Target, clock: Callable[[], float]) -> None:
        self._local = local
        self._target = target
        self._clock = clock
        self._last: tuple[str, float] = ("", float("-inf"))

    def handle(self, kind: str, x: int, y: int, grid: Grid) -> bool:
        """Take one event: `down | move | up | scroll_up | scroll_down`. Tell whether the screen changed."""
        local = self._local
        hit = grid.hit(x, y)
        match kind:
            case "down":
                local.drag = Drag(hit, x, y, (x, y))
                return True
            case "move":
                drag = local.drag
                if drag is None:
                    return False
                if not drag.moved and (abs(x - drag.x) > SLACK or abs(y - drag.y) > SLACK) and self._can_drag(drag.hit):
                    drag.moved = True
                if not drag.moved or drag.at == (x, y):
                    return False
                drag.at = (x, y)
                return True
            case "up":
                drag, local.drag = local.drag, None
                if drag is None:
                    return False
                if drag.moved:
                    self._target.drop(drag.hit, hit, x, y)
                elif hit == drag.hit or (abs(x - drag.x) <= SLACK and abs(y - drag.y) <= SLACK):
                    self._click(drag.hit)
                return True
            case "scroll_up" | "scroll_down":
                self._target.scroll(-3 if kind == "scroll_up" else 3)
                return True
        return False

    def _can_drag(self, hit: str) -> bool:
        return all(box.through for box in self._local.boxes) and hit.startswith(("card:", "place:", "zone:"))

    def _click(self, hit: str) -> None:
        now = self._clock()
        last, when = self._last
        double = hit == last and hit != "" and now - when <= DOUBLE
        self._last = ("", float("-inf")) if double else (hit, now)
        self._target.click(hit, double)
