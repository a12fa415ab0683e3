"""Decide what to bid, whether to look at the skat, what to put away and what to declare.

Every game is judged by `valuation` (the chance that it is won) and by its value with the bid: what is won is the value, what is
lost twice the value, and with Seeger-Fabian scoring fifty more either way and forty for each opponent.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from .bidding import LADDER
from .forms import cards
from .layout import LAYOUTS
from .rules import BASES, DECK, NULL_VALUES, SUITS, Contract, Face, Kind, matadors, strength
from .sight import Sight
from .valuation import LIKELY, best_pair, logit_of, open_share, share

SAMPLES = 12
"""Skats drawn to judge ten cards before the skat is seen."""
SURE = 0.99
"""The chance of a Null that cannot be beaten: somebody may still err."""


class Plan(NamedTuple):
    """A way to play: the game, what is put away, the chance to win, what it is worth when won."""

    contract: Contract
    put: tuple[Face, ...]
    chance: float
    value: int

    def gain(self, bid: int, scoring: str, doubt: float = 0.0) -> float:
        """Give what the plan is worth on average when the bid stands at `bid` and the chance is lower by `doubt`."""
        value, chance = self.value, max(self.chance - doubt, 0.0)
        if value < bid:
            # Overbid unless schneider helps: lost at the smallest multiple that reaches the bid.
            base = self.contract.base
            value, chance = (-(-bid // base) * base, chance * 0.1) if not self.contract.null else (bid, 0.0)
        if scoring == "seeger":
            return chance * (value + 50) - (1 - chance) * (2 * value + 50 + 40)
        return chance * value - (1 - chance) * 2 * value


def loose_cards(twelve: Sequence[Face], kind: Kind) -> list[Face]:
    """List the cards worth putting away: plain ones, as long as there are two, and trumps only when there are not."""
    if kind == "N":
        return list(twelve)
    plain = [face for face in twelve if face[1] != "J" and face[0] != kind]
    return plain if len(plain) > 1 else list(twelve)


def best_plans(twelve: Sequence[Face], kind: Kind, position: int) -> list[Plan]:
    """Find what to put away for a kind of game, and the chance it then has; a Null also with open cards."""
    layout = LAYOUTS[kind]
    loose = [layout.places[face] for face in loose_cards(twelve, kind)]
    found, one, two = best_pair(kind, layout.mask(twelve), loose, position)
    put = (layout.faces[one], layout.faces[two])
    if kind != "N":
        return [Plan(Contract(kind), put, share(kind, found), game_value(kind, twelve, hand=False))]
    sure = sure_null([face for face in twelve if face not in put])
    closed = Plan(Contract("N"), put, SURE if sure else share("N", found), NULL_VALUES[False, False])
    return [closed, Plan(Contract("N", ouvert=True), put, SURE if sure else open_share(found), NULL_VALUES[False, True])]


def sure_null(ten: Sequence[Face]) -> bool:
    """Tell whether a hand cannot be made to take a trick: in every suit the lowest card is a seven, the next at most a nine, and so on.

    With a card of every two from the bottom there is always one below what is led; the others hold too many of each suit to be out of it.
    """
    for suit in SUITS:
        ranks = sorted(strength(face, "N") for face in ten if face[0] == suit)
        if any(rank > 2 * number for number, rank in enumerate(ranks)):
            return False
    return True


def game_value(kind: Kind, cards: Sequence[Face], hand: bool) -> int:
    """Give the value of the plain game with these cards."""
    if kind == "N":
        return NULL_VALUES[hand, False]
    return BASES[kind] * (abs(matadors(cards, kind)) + 1 + hand)


def plans(twelve: Sequence[Face], position: int, kinds: Sequence[Kind] = "GCSHDN") -> list[Plan]:
    """List the best way to play each kind of game with twelve cards."""
    return [plan for kind in kinds for plan in best_plans(twelve, kind, position)]


def hand_plans(ten: Sequence[Face], position: int) -> list[Plan]:
    """List the games without the skat: its points are worth something, its cards and jacks are unknown."""
    found = []
    for kind in "GCSHDN":
        layout = LAYOUTS[kind]
        logit = logit_of(kind, layout.mask(ten), 8, position)
        sure = kind == "N" and sure_null(ten)
        chance = SURE if sure else share(kind, logit)
        found.append(Plan(Contract(kind, hand=True), (), chance, game_value(kind, ten, hand=True)))
        if kind == "N":
            found.append(Plan(Contract(kind, hand=True, ouvert=True), (), SURE if sure else open_share(logit), NULL_VALUES[True, True]))
    return found


def likely_kinds(ten: Sequence[Face]) -> list[Kind]:
    """Name the games worth judging with ten cards: two suits, Grand and Null."""
    suits = sorted("CSHD", key=lambda suit: (sum(face[0] == suit or face[1] == "J" for face in ten), "DHSC".index(suit)))
    kinds = [*suits[2:]]
    if logit_of("G", LAYOUTS["G"].mask(ten), 6, 0) > LIKELY:
        kinds.append("G")
    if logit_of("N", LAYOUTS["N"].mask(ten), 6, 0) > LIKELY:
        kinds.append("N")
    return kinds


def sampled_skats(ten: Sequence[Face], samples: int = SAMPLES) -> list[tuple[Face, ...]]:
    """Draw skats for ten cards: the same for the same cards, so that nobody's luck comes into it."""
    rng = random.Random("".join(sorted(ten)))
    rest = [face for face in DECK if face not in ten]
    return [tuple(rng.sample(rest, 2)) for _ in range(samples)]


@lru_cache(maxsize=64)
def outlook(ten: tuple[Face, ...], position: int) -> tuple[tuple[Plan, ...], ...]:
    """Give for each sampled skat the plans it would allow."""
    kinds = likely_kinds(ten)
    return tuple(tuple(plans((*ten, *skat), position, kinds)) for skat in sampled_skats(ten))


def looking_gain(ten: tuple[Face, ...], position: int, bid: int, scoring: str, doubt: float = 0.0) -> float:
    """Give what ten cards are worth on average at a bid when the skat is picked up."""
    worlds = outlook(ten, position)
    return sum(max(plan.gain(bid, scoring, doubt) for plan in world) for world in worlds) / len(worlds)


def hand_gain(ten: tuple[Face, ...], position: int, bid: int, scoring: str, doubt: float = 0.0) -> tuple[float, Plan]:
    """Give the best game without the skat and what it is worth on average at a bid."""
    return max(((plan.gain(bid, scoring, doubt), plan) for plan in hand_plans(ten, position)), key=lambda pair: pair[0])


@lru_cache(maxsize=256)
def limit(ten: tuple[Face, ...], position: int, scoring: str, doubt: float = 0.0) -> int:
    """Give the highest value worth bidding with ten cards, 0 when they are worth nothing. doubt: by how much each chance is lower."""
    best = 0
    for value in LADDER:
        if max(looking_gain(ten, position, value, scoring, doubt), hand_gain(ten, position, value, scoring, doubt)[0]) <= 0:
            if value > best + 12 and value > 24:
                break
            continue
        best = value
    return best


def before_the_skat(seen: Sight) -> dict[str, Any]:
    """Pick up the skat, or play a hand game where it pays more."""
    assert seen.me is not None
    ten = tuple(sorted(seen.hand))
    scoring, bid = seen.options["list"], seen.auction.bid
    gain, plan = hand_gain(ten, seen.me, bid, scoring)
    if gain <= looking_gain(ten, seen.me, bid, scoring) or plan.value < bid:
        return {"type": "look"}
    if plan.contract.null:
        return {"type": "null_hand", "cards": cards(plan.contract)}
    return {"type": "hand", "game": plan.contract.kind}


def after_the_skat(seen: Sight) -> dict[str, Any]:
    """Put two cards away and declare the game that brings most on average."""
    assert seen.me is not None
    scoring, bid = seen.options["list"], seen.auction.bid
    allowed = [plan for plan in plans(seen.hand, seen.me) if not plan.contract.null or plan.value >= bid]
    plan = max(allowed, key=lambda choice: choice.gain(bid, scoring))
    if plan.contract.null:
        return {"type": "null", "cards": cards(plan.contract), "put": list(plan.put)}
    return {"type": "declare", "game": plan.contract.kind, "put": list(plan.put)}
