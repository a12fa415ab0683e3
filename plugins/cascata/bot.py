"""The computer players of Cascata, each seeing what its seat sees and nothing else.

*naive* takes and lays what scores most at once; *rule* plays by `policy`; *rollout* tries the rule's few best moves in worlds that fit
what it sees, the same worlds for each, plays every line on by the rule for some turns, and counts what the players then stand to make.
"""

from __future__ import annotations

import random
from typing import Any

from .policy import advisor
from .state import DONE, DRAW, JOKER, MELD, Action, State, points
from .worlds import world

View = dict[str, Any]
AVERAGE = 7
"""The rank a card is taken to have that nobody has seen."""


class Naive:
    """Take and lay what makes the most points at once, the penalty of the hand counted."""

    def __init__(self) -> None:
        self.policy = advisor()

    def choose(self, view: View, rng: random.Random) -> dict[str, Any]:
        """Return the action for the view's prompt."""
        here = world(view, rng, self.policy)
        return here.spelt(self.move(here.state))

    def move(self, state: State) -> Action:
        """Return the move of the player whose turn it is."""
        if state.stage == MELD:
            return self._best(state)[1]
        hand = state.hands[state.turn]
        best, action = float("-inf"), DRAW
        if state.stock and not state.locked:
            best = self._best(state)[0] - AVERAGE
        swaps = state.swappable() if hand[JOKER] else []
        for kind, places in (("take", state.free), ("swap", swaps)):
            for place in places:
                rank = state.pyramid[place]
                hand[rank] += 1
                hand[JOKER] -= kind == "swap"
                gain = self._best(state)[0] - rank
                hand[rank] -= 1
                hand[JOKER] += kind == "swap"
                if gain > best:
                    best, action = gain, (kind, place, 0, 0)
        return action

    def _best(self, state: State) -> tuple[float, Action]:
        """Return the points that the best meld action makes, and that action."""
        stage, state.stage = state.stage, MELD
        best, action = 0, DONE
        for move in state.legal():
            gain = self._gain(state, move)
            if gain > best:
                best, action = gain, move
        state.stage = stage
        return best, action

    def _gain(self, state: State, move: Action) -> int:
        kind, where, naturals, jokers = move
        if kind == "done":
            return 0
        if kind == "meld":
            return points(where, naturals, jokers) * state.multiplier + where * naturals
        meld = state.melds[where]
        now = points(meld.rank, meld.naturals + naturals, meld.jokers + jokers) * state.multiplier
        return now + meld.rank * naturals - (meld.points if kind == "extend" else 0)


class Rule:
    """Play by the policy: score, pairs in the hand, risk of open melds."""

    def __init__(self) -> None:
        self.policy = advisor()

    def choose(self, view: View, rng: random.Random) -> dict[str, Any]:
        """Return the action for the view's prompt; what it cannot see is filled in, and not looked at."""
        here = world(view, rng, self.policy)
        return here.spelt(self.policy.choose(here.state))


class Rollout:
    """Play the rule's move unless another of its few best does better in paired, cut-off rollouts.

    worlds: tried for each decision, for each player at the table; more: moves compared beyond as many as there are players; rounds: played
    on before counting; sure: standard errors of the difference by which another move must be better than the rule's.
    """

    def __init__(self, worlds: int = 8, more: int = 2, rounds: int = 2, sure: float = 1.0) -> None:
        self.policy = advisor()
        self.worlds = worlds
        self.more = more
        self.rounds = rounds
        self.sure = sure

    def choose(self, view: View, rng: random.Random) -> dict[str, Any]:
        """Return the action for the view's prompt."""
        here = world(view, rng, self.policy)
        moves = self.policy.best(here.state, len(here.seats) + self.more)
        if len(moves) == 1:
            return here.spelt(moves[0])
        return here.spelt(self._search(view, rng, moves))

    def _search(self, view: View, rng: random.Random, moves: list[Action]) -> Action:
        gains: list[list[float]] = [[] for _ in moves]
        for _ in range(self.worlds * len(view["seats"])):
            state = world(view, rng, self.policy).state
            for move, found in zip(moves, gains, strict=True):
                found.append(self._outcome(state.clone(), move))
        return moves[clearly_best(gains, self.sure)]

    def _outcome(self, state: State, move: Action) -> float:
        """Return what a player stands to make after a move and some turns by the policy, against the best of the others."""
        me, policy = state.turn, self.policy
        state.apply(move)
        turns = self.rounds * len(state.hands) + (state.turn == me)  # the rest of one's own turn comes first
        while turns and not state.finished:
            turn = state.turn
            state.apply(policy.choose(state))
            turns -= state.turn != turn
        values = policy.prospects(state)
        return values[me] - max(value for player, value in enumerate(values) if player != me)


def clearly_best(gains: list[list[float]], sure: float) -> int:
    """Return the row that is best and better than the first by `sure` standard errors of the paired differences, else the first."""
    best, chosen = 0.0, 0
    count = len(gains[0])
    for row, found in enumerate(gains[1:], 1):
        differences = [other - first for other, first in zip(found, gains[0], strict=True)]
        mean = sum(differences) / count
        error = (sum((value - mean) ** 2 for value in differences) / max(1, count - 1) / count) ** 0.5
        if mean > best and mean > sure * error:
            best, chosen = mean, row
    return chosen
