"""Players for the kit: the game's advice, random fillings, and when those are refused every filling there is."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from ..bots.fillings import fillings
from ..bots.generic import RulePlayer
from ..bots.sample import sample_action
from ..errors import CarteadoError, PluginFault, Refused
from ..game import Game
from ..match import Commit, Match

TRIES = 40
MOST_FILLINGS = 2_000


class DeadEnd(CarteadoError):
    """Report that a seat is asked and nothing it can fill in is accepted."""


class Chooser:
    """Choose and act for any seat; `chance`: how often at random instead of by advice; `refused`: what was tried in vain."""

    def __init__(self, game: Game, rng: random.Random, chance: float) -> None:
        self.rule = RulePlayer(game)
        self.rng = rng
        self.chance = chance
        self.refused: list[tuple[int, int, dict[str, Any], Refused]] = []

    def act(self, match: Match, seat: int, view: dict[str, Any]) -> tuple[dict[str, Any], Commit]:
        """Take an accepted action for a seat; return it with its commit. Raises: DeadEnd when there is none; PluginFault."""
        if self.rng.random() >= self.chance:
            action = self._ask("suggest or hints", lambda: self.rule.choose(view, self.rng))
            commit = self._try(match, seat, action)
            if commit is not None:
                return action, commit
        for _ in range(TRIES):
            drawn = self._ask("sample", lambda: sample_action(self.rule.rules, view, self.rng))
            if drawn is None:
                break
            commit = self._try(match, seat, drawn)
            if commit is not None:
                return drawn, commit
        for form in view["prompts"][0]["forms"]:
            for drawn in [] if form["blocked"] else fillings(view, form, MOST_FILLINGS) or []:
                commit = self._try(match, seat, drawn)
                if commit is not None:
                    return drawn, commit
        stage = view["prompts"][0]["stage"]
        raise DeadEnd(f"seat {seat} is asked at stage {stage!r}, and no filling of any form that was tried is accepted")

    def _ask(self, hook: str, choose: Callable[[], Any]) -> Any:
        try:
            return choose()
        except CarteadoError:
            raise
        except Exception as error:
            raise PluginFault(self.rule.rules.game.name, hook, f"{type(error).__name__}: {error}") from error

    def _try(self, match: Match, seat: int, action: dict[str, Any]) -> Commit | None:
        try:
            return match.act(seat, match.prompts[seat].id, action)
        except Refused as refusal:
            self.refused.append((match.q, seat, action, refusal))
            return None
