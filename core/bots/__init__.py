"""Computer players that need no knowledge of a game: they get one seat's view, as any client does."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Protocol

from ..errors import CarteadoError
from ..game import Game
from .generic import RandomPlayer, RulePlayer
from .rollout import RolloutPlayer
from .sample import sample_action
from .tree import TreePlayer

__all__ = [
    "GENERIC",
    "Player",
    "RandomPlayer",
    "RolloutPlayer",
    "RulePlayer",
    "TreePlayer",
    "UnknownLevel",
    "levels",
    "player",
    "sample_action",
]


class Player(Protocol):
    """Chooses one action from what its seat sees."""

    def choose(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        """Return an action for the view's first prompt. Uses no other randomness than `rng`."""


class UnknownLevel(CarteadoError):
    """Report a level that a game does not have, with those it has."""

    def __init__(self, game: Game, level: str) -> None:
        super().__init__(f"{game.title or game.name} has no computer player {level!r}; there are {', '.join(levels(game))}.")


GENERIC: dict[str, Callable[[Game], Player]] = {
    "random": RandomPlayer,
    "rule": RulePlayer,
    "rollout": RolloutPlayer,
    "tree": TreePlayer,
}


def levels(game: Game) -> list[str]:
    """Return the levels of computer players for a game, weakest first."""
    known = [level for level in game.levels if level in GENERIC or level in game.bots]
    return known + [level for level in (*GENERIC, *game.bots) if level not in known]


def player(game: Game, level: str) -> Player:
    """Return a computer player of this level; the game's own come before the generic. Raises: UnknownLevel."""
    if level in game.bots:
        return game.bots[level]()  # type: ignore[no-any-return]
    if level in GENERIC:
        return GENERIC[level](game)
    raise UnknownLevel(game, level)
