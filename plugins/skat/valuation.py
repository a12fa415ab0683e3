"""Judge a hand: how likely is it to be won as a suit game, Grand or Null?

A hand is ten cards and two put away. Its logit is a sum of learned numbers: one for its jacks, one for its trumps, one for
each plain suit by its exact cards, one for the points put away, one for the declarer's position. In Null one for each suit.
The numbers are learned from solved deals, with all hands open, so they judge too low against players who see only their own
cards; `EASIER` corrects that by what computer players won in play.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

from .chances import GRAND, NULL, SUIT
from .layout import LAYOUTS
from .rules import Face, Kind, card_points

JACKS, HONOURS, LENGTHS, PLAIN, PUT, LEADS = 1, 17, 21, 33, 161, 167
"""Where features begin: 0 is always present; 16 sets of jacks, 4 of trump ace and ten, 12 lengths, 128 suits, 6, 3."""
SIZES = {"suit": 170, "grand": 170, "null": 260}
EASIER = {"suit": 1.0, "grand": 1.0, "null": 0.5}
LIKELY = -3.0
"""A Grand or Null below this logit with ten cards is not worth judging again with twelve."""


def features(kind: Kind, mask: int, put: int, position: int) -> list[int]:
    """List the features of ten cards (as bits of the kind's layout), the points put away and the declarer's position."""
    if kind == "N":
        return [0, *(1 + (mask >> shift & 255) for shift in (0, 8, 16, 24)), 257 + position]
    found = [0, JACKS + (mask >> 28), PUT + min(put // 5, 5), LEADS + position]
    if kind == "G":
        return [*found, *(PLAIN + (mask >> shift & 127) for shift in (0, 7, 14, 21))]
    trumps = mask >> 21
    found += [HONOURS + (mask >> 26 & 3), LENGTHS + trumps.bit_count()]
    return [*found, *(PLAIN + (mask >> shift & 127) for shift in (0, 7, 14))]


def model(kind: Kind) -> tuple[str, tuple[int, ...]]:
    """Give the name and the numbers of the model for a kind of game."""
    if kind == "N":
        return "null", NULL
    return ("grand", GRAND) if kind == "G" else ("suit", SUIT)


def logit_of(kind: Kind, mask: int, put: int, position: int) -> float:
    """Sum up the numbers of a hand given as bits."""
    _, numbers = model(kind)
    return sum([numbers[feature] for feature in features(kind, mask, put, position)]) / 100


def logit(kind: Kind, ten: Sequence[Face], put: Sequence[Face], position: int) -> float:
    """Sum up the numbers of a hand."""
    return logit_of(kind, LAYOUTS[kind].mask(ten), card_points(put), position)


@cache
def _share(hundredths: int) -> float:
    return 1 / (1 + math.exp(-hundredths / 100))


def share(kind: Kind, logit: float) -> float:
    """Turn a logit into the probability that the hand is won in play."""
    name, _ = model(kind)
    return _share(max(-2000, min(2000, round(100 * (logit + EASIER[name])))))


def chance(kind: Kind, ten: Sequence[Face], put: Sequence[Face], position: int) -> float:
    """Give the probability that a hand is won in play."""
    return share(kind, logit(kind, ten, put, position))
