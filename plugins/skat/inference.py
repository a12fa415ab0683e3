"""Guess what a seat cannot see: worlds that fit what was played, weighed by how well they explain it.

A world is three hands by position and the two cards put away (or the untouched skat). A defender does not know what the
declarer put away: in each world the declarer's unseen cards are sorted again, so that he has put away what was best for his
game, and the world counts by the chance his twelve cards gave him to win, since nobody plays what he does not expect to win,
and by what another game would have promised, since everybody names his best.
What was played and said since is weighed by `evidence`: many worlds are drawn, and those that explain it best are kept.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import exp, log
from typing import NamedTuple

from .declaring import Plan, game_value, loose_cards
from .evidence import Evidence
from .layout import LAYOUTS
from .rules import BASES, SUITS, Contract, Face, Kind, group
from .sight import Sight
from .valuation import best_pair, logit_of, share
from .worlds import SKAT, deal_unseen

DRAWN, LEAST, MANY = 6, 3, 144
"""Worlds drawn for each one kept; when that would be more than MANY, fewer, but no less than LEAST for each."""
ODD = 30.0
"""How many points another game must promise more before it is clearly odd that this one was named."""
GAMES = {kind: Contract(kind) for kind in BASES}


class World(NamedTuple):
    """One way the cards may lie: hands by position, the skat or what was put away, how much it counts."""

    hands: tuple[tuple[Face, ...], ...]
    skat: tuple[Face, ...]
    weight: float


def sample(seen: Sight, rng: random.Random) -> World:
    """Draw one world."""
    places = deal_unseen(seen, rng)
    hands = [tuple(places[position]) for position in range(3)]
    skat = tuple(places[SKAT]) or seen.put
    if seen.me is not None:
        hands[seen.me] = seen.hand
    if seen.declarer is not None and seen.shown is not None:
        hands[seen.declarer] = seen.shown
    weight = 1.0
    if seen.contract is not None and seen.declarer is not None and seen.declarer != seen.me:
        hands[seen.declarer], skat, weight = _declarer(seen, hands[seen.declarer], skat)
    return World(tuple(hands), skat, weight)


def draw(seen: Sight, rng: random.Random, number: int) -> list[World]:
    """Draw worlds that explain what was played and bid; one that came out several times is there once and counts so often."""
    evidence = Evidence(seen)
    worlds = [sample(seen, rng) for _ in range(min(DRAWN * number, max(MANY, LEAST * number)))]
    likely = [log(max(world.weight, 1e-9)) + evidence.weigh(world.hands) for world in worlds]
    most = max(likely)
    weights = [exp(each - most) for each in likely]
    # Evenly spaced pointers into the summed weights: no luck beyond one draw, and no world too often.
    step = sum(weights) / number
    pointer, passed = rng.random() * step, 0.0
    kept: list[World] = []
    for world, weight in zip(worlds, weights, strict=True):
        passed += weight
        times = 0
        while pointer < passed:
            times += 1
            pointer += step
        if times:
            kept.append(world._replace(weight=float(times)))
    return kept


def _declarer(seen: Sight, held: Sequence[Face], skat: tuple[Face, ...]) -> tuple[tuple[Face, ...], tuple[Face, ...], float]:
    """Sort a guessed declarer's cards: put away what was best, and say how likely he would have played with these twelve."""
    assert seen.contract is not None
    assert seen.declarer is not None
    kind = seen.contract.kind
    layout = LAYOUTS[kind]
    played = [face for position, face in seen.played if position == seen.declarer]
    if seen.contract.hand or seen.shown is not None:
        found = logit_of(kind, layout.mask([*held, *played]), 8, seen.declarer)
        return tuple(held), skat, share(kind, found)
    loose = [*held, *skat]
    everything = layout.mask([*loose, *played])
    # Trumps are kept as long as there is anything else to put away.
    plain = [place for place in (layout.places[face] for face in loose) if not layout.trump >> place & 1]
    best, one, two = best_pair(kind, everything, plain if len(plain) > 1 else [layout.places[face] for face in loose], seen.declarer)
    weight = share(kind, best) * _named(seen, best, [*loose, *played])
    pair = (layout.faces[one], layout.faces[two])
    voids = seen.voids[seen.declarer]
    kept = tuple(face for face in loose if face not in pair)
    if any(group(face, kind) in voids for face in kept):
        return tuple(held), skat, weight
    return kept, pair, weight


def _named(seen: Sight, logit: float, twelve: Sequence[Face]) -> float:
    """Say how likely the declarer of a game with trumps names this game with these twelve cards, and not a better one."""
    assert seen.contract is not None
    assert seen.declarer is not None
    kind = seen.contract.kind
    if kind == "N":
        return 1.0
    mine = _promise(seen, kind, logit, twelve)
    best = mine - 20 * ODD
    for other in _rivals(kind, twelve):
        layout = LAYOUTS[other]
        loose = [layout.places[face] for face in loose_cards(twelve, other)]
        best = max(best, _promise(seen, other, best_pair(other, layout.mask(twelve), loose, seen.declarer)[0], twelve))
    return 1 / (1 + exp(min(20.0, (best - mine) / ODD)))


def _rivals(kind: Kind, twelve: Sequence[Face]) -> list[Kind]:
    """List the games twelve cards might rather be played as: suits that are as long, Grand with two jacks or more."""
    lengths = dict.fromkeys(SUITS, 0)
    jacks = 0
    for face in twelve:
        if face[1] == "J":
            jacks += 1
        else:
            lengths[face[0]] += 1
    enough = max(lengths.values()) if kind == "G" else lengths[kind]
    rivals: list[Kind] = [suit for suit in SUITS if suit != kind and lengths[suit] >= enough]
    return ["G", *rivals] if jacks > 1 and kind != "G" else rivals


def _promise(seen: Sight, kind: Kind, logit: float, twelve: Sequence[Face]) -> float:
    """Give what a game with the skat is worth on average to the declarer of the bid."""
    plan = Plan(GAMES[kind], (), share(kind, logit), game_value(kind, twelve, hand=False))
    return plan.gain(seen.auction.bid, seen.options["list"])
