"""The two players every game has: one at random, one by the game's advice."""

from __future__ import annotations

import random
from typing import Any

from ..errors import PluginFault
from ..game import Game
from ..rules import Rules
from .sample import sample_action


class RandomPlayer:
    """Play any action the forms allow; forms may be wider than the rules, so it may be refused and asked again."""

    def __init__(self, game: Game) -> None:
        self.rules = Rules(game)

    def choose(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        """Return a random filling of a random form. Raises: PluginFault when no form can be filled."""
        action = sample_action(self.rules, view, rng)
        if action is None:
            raise PluginFault(str(view["game"]), "options", f"no form of stage {view['prompts'][0]['stage']!r} can be filled")
        return action


class RulePlayer(RandomPlayer):
    """Play what the game's `suggest` says, else its best-weighed hint, else at random."""

    def choose(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        """Return the advised action."""
        action = self.rules.advise(view, rng)
        return action if action is not None else super().choose(view, rng)
