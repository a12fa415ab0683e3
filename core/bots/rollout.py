"""The rule player, corrected by paired rollouts: another action is taken only when it is clearly better in the same worlds."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

from ..game import Game
from ..rules import Rules
from .generic import RulePlayer
from .state import Action, SearchState, key, search_state


class RolloutPlayer:
    """Play the rule action unless another of the few best is better by `SURE` standard errors over `worlds` paired rollouts.

    worlds: rollouts a candidate at most; few: candidates besides the rule action; stop: asked between worlds, True ends the search.
    """

    searches = True
    SURE = 2.0
    LEAST = 8

    def __init__(self, game: Game, worlds: int = 24, few: int = 6, stop: Callable[[], bool] | None = None) -> None:
        self.rules = Rules(game)
        self.rule = RulePlayer(game)
        self.worlds = worlds
        self.few = few
        self.stop = stop or (lambda: False)

    def choose(self, view: dict[str, Any], rng: random.Random) -> Action:
        """Return the chosen action."""
        advised = self.rule.choose(view, rng)
        seat = int(view["you"])
        first = search_state(self.rules, view, rng)
        others = [action for action in first.legal() if key(action) != key(advised)]
        rng.shuffle(others)
        candidates = [advised, *others[: self.few]]
        if len(candidates) == 1:
            return advised
        gains = self._paired(view, candidates, seat, rng)
        best, action = 0.0, advised
        for candidate, differences in zip(candidates[1:], gains, strict=True):
            mean, error = mean_error(differences)
            if len(differences) >= self.LEAST and mean - self.SURE * error > 0 and mean > best:
                best, action = mean, candidate
        return action

    def _paired(self, view: dict[str, Any], candidates: list[Action], seat: int, rng: random.Random) -> list[list[float]]:
        gains: list[list[float]] = [[] for _ in candidates[1:]]
        for _ in range(self.worlds):
            if self.stop():
                break
            world = search_state(self.rules, view, rng)
            seed = rng.getrandbits(64)
            values = [played_out(world.clone(), action, seat, random.Random(seed)) for action in candidates]
            for i, value in enumerate(values[1:]):
                gains[i].append(value - values[0])
        return gains


def played_out(state: SearchState, action: Action, seat: int, rng: random.Random, most: int = 600) -> float:
    """Return what a seat gets when it takes this action and everybody plays by the rule player to the hand's end."""
    state.apply(action, rng)
    for _ in range(most):
        if state.over():
            return state.returns()[seat]
        state.apply(state.policy(rng), rng)
    return 0.0


def mean_error(values: list[float]) -> tuple[float, float]:
    """Return the mean and its standard error."""
    n = len(values)
    if n < 2:
        return (values[0] if values else 0.0), math.inf
    mean = sum(values) / n
    return mean, math.sqrt(sum((value - mean) ** 2 for value in values) / (n - 1) / n)
