"""Judge a hand: how likely is it to be won as a suit game, Grand or Null?

A hand is ten cards and two put away. Its logit is a sum of learned numbers: one for its jacks, one for its trumps, one for
each plain suit by its exact cards, one for the points put away, one for the declarer's position. In Null one for each suit.
The numbers are learned from solved deals, with all hands open, so they judge too low against players who see only their own
cards; `IN_PLAY` corrects that by what computer players won in play.
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
IN_PLAY = {"suit": (1.05, 0.68), "grand": (0.68, 0.69), "null": (1.6, 0.96), "open": (0.3, 1.0)}
"""Offset and slope from the logit with open hands to that in play, from hands that computer players played out."""
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


def best_pair(kind: Kind, mask: int, loose: Sequence[int], position: int) -> tuple[float, int, int]:
    """Find which two of some cards (as places) to put away from twelve, and the logit of the ten that stay.

    Only plain suits change when plain cards go, so each pair costs one or two look-ups.
    """
    _, numbers = model(kind)
    layout = LAYOUTS[kind]
    width, start = (8, 1) if kind == "N" else (7, PLAIN)
    full = (1 << width) - 1
    points = layout.points
    whole = sum([numbers[feature] for feature in features(kind, mask, 0, position)])
    if any(layout.trump >> place & 1 for place in loose):
        return max(
            (logit_of(kind, mask & ~(1 << a | 1 << b), points[a] + points[b], position), a, b)
            for number, a in enumerate(loose)
            for b in loose[:number]
        )
    suits = [(place // width, 1 << place % width, points[place]) for place in loose]
    patterns = {suit: mask >> suit * width & full for suit, _, _ in suits}
    now = {suit: numbers[start + pattern] for suit, pattern in patterns.items()}
    single = [numbers[start + (patterns[suit] ^ bit)] - now[suit] for suit, bit, _ in suits]
    put = [0] * 22 if kind == "N" else [numbers[PUT + min(worth // 5, 5)] - numbers[PUT] for worth in range(23)]
    best, chosen = -(10**9), (0, 1)
    for one, (suit, bit, worth) in enumerate(suits):
        for two in range(one):
            other, other_bit, other_worth = suits[two]
            if suit == other:
                found = numbers[start + (patterns[suit] ^ bit ^ other_bit)] - now[suit]
            else:
                found = single[one] + single[two]
            found += put[worth + other_worth] if kind != "N" else 0
            if found > best:
                best, chosen = found, (one, two)
    return (whole + best) / 100, loose[chosen[0]], loose[chosen[1]]


def share(kind: Kind, logit: float) -> float:
    """Turn a logit into the probability that the hand is won in play."""
    name, _ = model(kind)
    return _in_play(name, logit)


def open_share(logit: float) -> float:
    """Turn a logit of a Null into the probability that it is won with open cards, which is nearly what was learned."""
    return _in_play("open", logit)


def _in_play(name: str, logit: float) -> float:
    offset, slope = IN_PLAY[name]
    return _share(max(-2000, min(2000, round(100 * (offset + slope * logit)))))


def chance(kind: Kind, ten: Sequence[Face], put: Sequence[Face], position: int) -> float:
    """Give the probability that a hand is won in play."""
    return share(kind, logit(kind, ten, put, position))
