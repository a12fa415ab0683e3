"""Play strongly: many worlds that fit what is known, each solved with open hands, the card that does best in most of them.

A card is judged in each world by a null-window search: does the declarer still reach what he needs after it? When the answer is
the same for all cards in all worlds, the next goal is asked for (schneider, or not being schneider); among equals the
maxims of `rule` decide. Work is counted in searched nodes, so that the same seed gives the same card everywhere, with the
compiled search or without; the defaults are larger when the search is compiled.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from . import fast, maxims
from .bot import decide
from .inference import World, draw
from .layout import LAYOUTS
from .rules import Contract, Face, card_points, legal_cards
from .sight import Sight, sight
from .solver import OpenDeal, OutOfBudget, Position
from .treesearch import EXACT
from .treesearch import Search as TreeSearch

Action = dict[str, Any]
GOALS = (61, 90, 31)
WORLDS = ((4, 48), (6, 96), (7, 80), (8, 48), (9, 24), (10, 16))
"""How many worlds are drawn with so many cards in hand, when the search is compiled: the fewer cards, the less a world takes."""
DOUBT = 0.07
"""By how much a chance to win is lower than judged, in the auction: those who defend are as strong as this player, and not as `rule`."""
BEHIND = 1.0
"""A card is given up when it lies this many times the square root of the worlds searched behind the best."""


class Strong:
    """The player `strong`.

    worlds: how many are drawn, None for as many as suit the cards left; nodes: how many may be searched for a card; iterations: of
    tree search, used instead while more than `EXACT` cards a hand are left, 0 for never (the default with the compiled search, which
    solves worlds from the start).
    stop: ends a search early; the player then has a time to keep, and plays as without the extra until `warm` has been called.
    """

    searches = True
    ready: ClassVar[bool] = False
    """Whether the compiled searches have been used in this process."""

    def __init__(
        self,
        worlds: int | None = None,
        nodes: int | None = None,
        fast_search: bool | None = None,
        iterations: int | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> None:
        self.fast = fast.available() if fast_search is None else fast_search
        self.worlds = worlds
        self.nodes = nodes if nodes is not None else (2_500_000 if self.fast else 24_000)
        self.iterations = iterations if iterations is not None else (0 if self.fast else 1200)
        self.stop = stop

    def warm(self) -> None:
        """Compile the searches, or load them: some seconds in which nobody should wait."""
        if self.fast and not Strong.ready:
            position = Position((("CJ", "HA"), ("SJ", "HT"), ("DJ", "H7")), to_play=0)
            OpenDeal("G", position.hands, True).reaches(position, 21)
            OpenDeal("N", position.hands, True).null_holds(position)
            Strong.ready = True

    def choose(self, view: dict[str, Any], rng: random.Random) -> Action:
        """Return an action for the view's prompt."""
        seen = sight(view)
        assert seen is not None
        if seen.stage != "play":
            return decide(seen, rng, DOUBT)
        if self.fast and self.stop is not None and not Strong.ready:
            # Somebody waits for this card, and compiling takes longer.
            return {"type": "play", "card": [Strong(fast_search=False, stop=self.stop).card(seen, rng)]}
        return {"type": "play", "card": [self.card(seen, rng)]}

    def card(self, seen: Sight, rng: random.Random) -> Face:
        """Return the card to play, from worlds drawn with `rng`."""
        assert seen.contract is not None
        if self.iterations and len(seen.hand) > EXACT and not seen.contract.null:
            legal = different(seen, sorted(legal_cards(seen.hand, seen.trick[0] if seen.trick else None, seen.contract.kind)))
            return legal[0] if len(legal) == 1 else TreeSearch(seen, rng).run(self.iterations, self.stop)
        return self.card_in(seen, None, rng)

    def card_in(self, seen: Sight, worlds: Sequence[World] | None, rng: random.Random | None = None) -> Face:
        """Return the card to play, reckoning with these worlds (None: drawn when there is something to choose)."""
        assert seen.contract is not None
        kind = seen.contract.kind
        legal = sorted(legal_cards(seen.hand, seen.trick[0] if seen.trick else None, kind))
        if len(legal) == 1:
            return legal[0]
        judge = maxims.judge_null if kind == "N" else maxims.judge_points
        taste = {face: judge(seen, face) for face in legal}
        candidates = different(seen, sorted(legal, key=lambda face: -taste[face]))
        if len(candidates) == 1:
            return candidates[0]
        if worlds is None:
            worlds = draw(seen, rng or random.Random(0), self.enough(seen))
        return Search(self, seen, worlds).best(candidates, taste)

    def enough(self, seen: Sight) -> int:
        """Give how many worlds to draw."""
        if self.worlds is not None:
            return self.worlds
        if not self.fast:
            return 8
        if seen.contract is not None and seen.contract.null:
            return 16
        return WORLDS[bisect_left(WORLDS, (len(seen.hand),))][1]


def different(seen: Sight, cards: Sequence[Face]) -> list[Face]:
    """Leave out cards that are as good as one before them: equal worth, and nobody else's card between."""
    assert seen.contract is not None
    layout = LAYOUTS[seen.contract.kind]
    own = layout.mask(seen.hand)
    gone = layout.mask(face for _, face in seen.played) & ~layout.mask(seen.trick)
    gone |= layout.mask(seen.put)
    chosen: list[Face] = []
    for face in cards:
        place = layout.places[face]
        for other in chosen:
            there = layout.places[other]
            low, high = min(place, there), max(place, there)
            between = (1 << high) - (2 << low)
            same = layout.follow[place] == layout.follow[there] and layout.points[place] == layout.points[there]
            if (same or (layout.kind == "N" and layout.follow[place] == layout.follow[there])) and not between & ~(own | gone):
                break
        else:
            chosen.append(face)
    return chosen


class Search:
    """Compare cards over some worlds."""

    def __init__(self, player: Strong, seen: Sight, worlds: Sequence[World]) -> None:
        assert seen.contract is not None
        assert seen.declarer is not None
        assert seen.me is not None
        self.player = player
        self.seen = seen
        self.kind = seen.contract.kind
        self.declarer = seen.declarer
        self.attacks = seen.me == seen.declarer
        self.left = player.nodes
        self.worlds = list(worlds)
        self.deals: list[OpenDeal] = []
        self.starts: list[Position] = []
        self.made: list[int] = []
        taken = sum(card_points(cards) for _, cards, winner in seen.tricks if winner == seen.declarer)
        for world in self.worlds:
            first, second, third = (world.hands[(self.declarer + player) % 3] for player in range(3))
            start = Position((first, second, third), (seen.me - self.declarer) % 3, seen.trick)
            self.starts.append(start)
            self.deals.append(OpenDeal(self.kind, self._with_trick(start), player.fast))
            self.made.append(taken + card_points(world.skat))

    def _with_trick(self, start: Position) -> list[tuple[Face, ...]]:
        """Give the hands with the cards of the unfinished trick still in them."""
        hands = [list(hand) for hand in start.hands]
        for number, face in enumerate(start.trick):
            hands[(start.to_play - len(start.trick) + number) % 3].append(face)
        return [tuple(hand) for hand in hands]

    def best(self, candidates: list[Face], taste: dict[Face, float]) -> Face:
        """Return the card that does best; `candidates` come in the order of the maxims."""
        for goal in goals(self.seen.contract, self.seen):
            scores = self.scores(candidates, goal)
            top = max(scores.values())
            best = [face for face in candidates if scores[face] >= top - 1e-9]
            undecided = len(best) == len(candidates) and (top < 1e-9 or top > self.total - 1e-9)
            if not undecided or self.left <= 0:
                return max(best, key=lambda face: taste[face])
            candidates = best
        return max(candidates, key=lambda face: taste[face])

    @property
    def total(self) -> float:
        """Give the weight of all worlds."""
        return sum(world.weight for world in self.worlds)

    def scores(self, candidates: Sequence[Face], goal: int) -> dict[Face, float]:
        """Add up for each card the weight of the worlds in which its side gets what it wants; below 0 if it was given up."""
        scores = dict.fromkeys(candidates, 0.0)
        alive = list(candidates)
        total = open_weight = self.total
        for number, world in enumerate(self.worlds, 1):
            share = max(1, self.left // ((len(self.worlds) - number + 1) * len(alive)))
            for face in alive:
                reached = self.reached(number - 1, face, goal, 6 * share)
                scores[face] += world.weight * (reached if self.attacks else 1.0 - reached)
            open_weight -= world.weight
            behind = min(open_weight, BEHIND * math.sqrt(number) * total / len(self.worlds)) if number > 2 else open_weight
            top = max(scores[face] for face in alive)
            alive = [face for face in alive if scores[face] >= top - behind - 1e-9]
            if len(alive) == 1:
                break
        return {face: score if face in alive else -1.0 for face, score in scores.items()}

    def reached(self, number: int, face: Face, goal: int, budget: int) -> float:
        """Tell whether the declarer reaches the goal in one world after a card: 1, 0, or a half when it takes too long."""
        deal, start = self.deals[number], self.starts[number]
        following, done = start.after(face, self.kind)
        if self.left <= 0 or (self.player.stop is not None and self.player.stop()):
            return 0.5
        before = deal.nodes
        try:
            if self.kind == "N":
                if done is not None and done[0] == 0:
                    return 0.0
                return float(deal.null_holds(following, budget=min(budget, self.left), stop=self.player.stop))
            made = self.made[number] + (card_points(done[1]) if done is not None and done[0] == 0 else 0)
            return float(deal.reaches(following, goal - made, budget=min(budget, self.left), stop=self.player.stop))
        except OutOfBudget:
            return 0.5
        finally:
            self.left -= deal.nodes - before


def goals(contract: Contract | None, seen: Sight) -> Sequence[int]:
    """List what the declarer wants, the most important first: what his announcement needs, then schneider either way."""
    assert contract is not None
    if contract.null:
        return (1,)
    if contract.schwarz:
        return (120, 90, 61)
    if contract.schneider:
        return (90, 61)
    return GOALS
