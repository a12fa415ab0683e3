"""What the rule of thumb goes by: weights, and the tables worked out from them.

The weights for playing were found by letting variations of two play against each other, and hold their own among three and four; they
shun every risk of being robbed. Those for counting say soberly what a position is worth: rollouts that count by the weights for playing
win far less.
"""

from __future__ import annotations

from collections.abc import Mapping

from .rules import FULL, IN_RANK, QUAD
from .state import RANKS

STEPS = 32
"""Half turns that the tables look ahead; what lies farther away counts as much as that."""

COUNTING: Mapping[str, float] = {
    "penalty": 0.35,  # of a card in the hand, early in the game; it rises to 1
    "early": 8.0,  # own turns left from which on it is early
    "pair": 14.0,  # hopes: two of a rank in the hand
    "three": 40.0,
    "four": 60.0,
    "joker": 25.0,
    "risk": 1.0,  # trust in the risk that is worked out
    "robbed": 1.0,  # what the thief wins, of a hundred
    "loot": 1.0,  # what a steal takes from its owner
    "open_three": 30.0,  # hopes: an open meld that may be completed
    "open_pair": 8.0,
    "chance": 0.4,  # that one more card of a rank still comes
    "given": 25.0,  # a joker put where the next player can take it
    "draw": 0.0,  # a drawn card, against one that can be seen
    "stock": 0.7,  # of the reserve that will be drawn
}

PLAYING: Mapping[str, float] = {
    "penalty": 0.06,
    "early": 12.2,
    "pair": 13.8,
    "three": 28.1,
    "four": 125.3,
    "joker": 67.2,
    "risk": 1.35,
    "robbed": 13.6,
    "loot": 1.0,
    "open_three": 116.7,
    "open_pair": 7.7,
    "chance": 0.02,
    "given": 52.9,
    "draw": -17.6,
    "stock": 0.54,
}


class Tables:
    """Weights, worked out by time left, chances and ranks."""

    def __init__(self, weights: Mapping[str, float]) -> None:
        w = self.weights = dict(weights)
        self.stock = w["stock"]
        self.risk = w["risk"]
        self.robbed = w["robbed"] * QUAD
        self.loot = w["loot"]
        self.given = w["given"]
        self.draw = w["draw"]
        self.late = [min(1.0, step / 2 / w["early"]) for step in range(STEPS + 1)]
        chance = [1 - (1 - w["chance"]) ** cards for cards in range(IN_RANK + 1)]
        hopes = (0.0, 0.0, w["pair"], w["three"], w["four"])
        self.joker = [w["joker"] * part for part in self.late]
        self.hold = [[[[self._held(part, some, rank, count, hopes[count]) for count in range(IN_RANK + 1)] for rank in range(RANKS)]
                      for some in chance] for part in self.late]  # fmt: skip
        self.hope = [[(0.0, 0.0, w["open_pair"] * part * some, w["open_three"] * part * some) for some in chance] for part in self.late]

    def _held(self, part: float, some: float, rank: int, count: int, hope: float) -> float:
        early = self.weights["penalty"]
        cost = rank * count * (early + (1 - early) * (1 - part))
        return part * hope * (1.0 if count == FULL else some) - cost
