"""What search works on: a state with clone, mover, legal, apply, over, returns and policy.

A game may give a compact one by the hook `search_state`; the generic one wraps a match made of a filled-in view, with the same actions.
"""

from __future__ import annotations

import json
import random
from typing import Any, Protocol

from ..errors import PluginFault, Refused
from ..match import PLAYING, Match
from ..rules import Rules
from .fillings import fillings
from .sample import fill, sample_action
from .world import determinise, rebuild

View = dict[str, Any]
Action = dict[str, Any]


class SearchState(Protocol):
    """A state of one world, mutable, to the end of the hand."""

    def clone(self) -> SearchState:
        """Return an independent copy."""

    def mover(self) -> int:
        """Return the seat to act (the first of several)."""

    def legal(self) -> list[Action]:
        """Return the legal actions of the mover, or a fair sample of them when they are many."""

    def apply(self, action: Action, rng: random.Random) -> None:
        """Apply an action of the mover. Raises: Refused when it is illegal."""

    def over(self) -> bool:
        """Tell whether the hand is over."""

    def returns(self) -> list[float]:
        """Return what the hand's end is worth, by seat."""

    def policy(self, rng: random.Random) -> Action:
        """Return the action that the rule player takes for the mover."""


def key(action: Action) -> str:
    """Return an action as a string: equal actions give equal strings."""
    return json.dumps(action, sort_keys=True, separators=(",", ":"))


def search_state(rules: Rules, view: View, rng: random.Random) -> SearchState:
    """Return a state of one world that fits the view: the game's own if it has one, else the generic."""
    own = rules._hook.search_state(view=view, rng=rng)
    return own if own is not None else GenericState(rebuild(rules, determinise(rules, view, rng), rng))


class GenericState:
    """A fork of the match, played to the end of its hand through the real hooks.

    `legal` enumerates forms with at most `FEW` fillings and samples `SAMPLES` actions of the others.
    """

    FEW = 60
    SAMPLES = 12
    __slots__ = ("match",)

    def __init__(self, match: Match) -> None:
        self.match = match

    def clone(self) -> GenericState:
        """Return an independent copy."""
        return GenericState(self.match.fork(self.match.table._seed))

    def mover(self) -> int:
        """Return the seat to act: the first asked one in turn order."""
        prompts = self.match.table._prompts
        return min(prompts, key=lambda seat: prompts[seat].id)

    def _view(self, captions: bool = False) -> View:
        return self.match.view(self.mover(), captions, own=False)

    def legal(self) -> list[Action]:
        """Return the actions that `turn` accepts, out of the enumerated and the sampled."""
        view = self._view()
        rng = random.Random(self.match.q)
        found: dict[str, Action] = {}
        for form in view["prompts"][0]["forms"]:
            if form["blocked"] is not None:
                continue
            actions = fillings(view, form, self.FEW)
            if actions is None:
                tries = [self.match.rules._hook.sample(view=view, form=form, rng=rng) or fill(view, form, rng) for _ in range(self.SAMPLES)]
                actions = [action for action in tries if action is not None]
            for action in actions:
                found.setdefault(key(action), action)
        seat = self.mover()
        return [action for action in found.values() if accepted(self.match, seat, action)]

    def apply(self, action: Action, rng: random.Random) -> None:
        """Apply an action of the mover; shuffles from here on depend on `rng`."""
        seat = self.mover()
        self.match.table._seed = rng.randbytes(32)
        self.match.act(seat, self.match.table._prompts[seat].id, action)

    def over(self) -> bool:
        """Tell whether the hand is over."""
        return self.match.phase != PLAYING

    def returns(self) -> list[float]:
        """Return the game's `value` of the hand's result, by seat."""
        ended = self.match.ended
        if ended is None:
            raise PluginFault(self.match.game.name, "value", "the hand is not over")
        return [self.match.game.value(ended, seat) for seat in self.match.table.players]

    def policy(self, rng: random.Random) -> Action:
        """Return the game's `suggest` for the mover, else its best hint, else a random legal action."""
        view = self._view()
        action = self.match.rules.advise(view, rng)
        if action is not None:
            return action
        for _ in range(20):
            action = sample_action(self.match.rules, view, rng)
            if action is not None and accepted(self.match, self.mover(), action):
                return action
        return rng.choice(self.legal())


def accepted(match: Match, seat: int, action: Action) -> bool:
    """Tell whether the match would take this action, without taking it."""
    try:
        match.try_act(seat, match.table._prompts[seat].id, action)
    except Refused:
        return False
    return True
