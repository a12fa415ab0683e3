"""Play by tree search while many cards are left, by solved worlds from seven cards a hand on; plain Python, no extra."""

from __future__ import annotations

from collections.abc import Callable

from .strong import Strong


class Tree(Strong):
    """The player `tree`: what `strong` is without the extra, whether that is installed or not."""

    def __init__(self, iterations: int = 1200, worlds: int = 8, nodes: int = 24_000, stop: Callable[[], bool] | None = None) -> None:
        super().__init__(worlds, nodes, fast_search=False, iterations=iterations, stop=stop)
