"""Single-observer information-set tree search: one tree over the seat's own information, a new world every iteration.

An action's node is chosen by the upper confidence bound over the iterations in which the action was available (Cowling, Powley and
Whitehouse 2012, "Information Set Monte Carlo Tree Search").
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

from ..game import Game
from ..rules import Rules
from .state import Action, SearchState, key, search_state


class Node:
    """An action in the tree: how often tried, how often available, and the mover's returns summed."""

    __slots__ = ("action", "available", "children", "mover", "total", "visits")

    def __init__(self, action: Action | None, mover: int) -> None:
        self.action = action
        self.mover = mover
        self.children: dict[str, Node] = {}
        self.visits = 0
        self.available = 0
        self.total = 0.0


class TreePlayer:
    """Choose the most visited action of an information-set tree.

    iterations: how many worlds are played through the tree; scale: the size of returns that matter, for exploration;
    stop: asked every iteration, True ends the search.
    """

    searches = True
    EXPLORE = 0.7

    def __init__(self, game: Game, iterations: int = 200, scale: float | None = None, stop: Callable[[], bool] | None = None) -> None:
        self.rules = Rules(game)
        self.iterations = iterations
        self.scale = scale
        self.stop = stop or (lambda: False)

    def choose(self, view: dict[str, Any], rng: random.Random) -> Action:
        """Return the chosen action."""
        root = Node(None, int(view["you"]))
        seen = _Spread(self.scale)
        for _ in range(self.iterations):
            if root.visits and self.stop():
                break
            state = search_state(self.rules, view, rng)
            if not root.visits and len(only := state.legal()) == 1:
                return only[0]
            self._iterate(root, state, seen, rng)
        best = max(root.children.values(), key=lambda node: node.visits)
        assert best.action is not None
        return best.action

    def _iterate(self, root: Node, state: SearchState, seen: _Spread, rng: random.Random) -> None:
        path = [root]
        node = root
        while not state.over():
            mover = state.mover()
            legal = state.legal()
            fresh = []
            for action in legal:
                name = key(action)
                child = node.children.get(name)
                if child is None:
                    fresh.append(action)
                else:
                    child.available += 1
            if fresh:
                action = rng.choice(fresh)
                node.children[key(action)] = child = Node(action, mover)
                child.available += 1
            else:
                child = max((node.children[key(action)] for action in legal), key=lambda option: self._bound(option, seen))
            assert child.action is not None
            state.apply(child.action, rng)
            path.append(child)
            node = child
            if fresh:
                break
        for _ in range(600):
            if state.over():
                break
            state.apply(state.policy(rng), rng)
        else:
            return
        values = state.returns()
        seen.add(values)
        for step in path:
            step.visits += 1
            step.total += values[step.mover]

    def _bound(self, node: Node, seen: _Spread) -> float:
        if not node.visits:
            return math.inf
        return node.total / node.visits + self.EXPLORE * seen.width * math.sqrt(math.log(node.available) / node.visits)


class _Spread:
    """The width of the returns seen so far, so that exploration fits any game's points."""

    def __init__(self, width: float | None) -> None:
        self.fixed = width
        self.low = math.inf
        self.high = -math.inf

    def add(self, values: list[float]) -> None:
        self.low = min(self.low, *values)
        self.high = max(self.high, *values)

    @property
    def width(self) -> float:
        return self.fixed if self.fixed is not None else max(self.high - self.low, 1e-9)
