"""A compact state of a game for search: ranks instead of faces, counts instead of hands, everything copied in a microsecond or two.

It plays by the same rules as the plugin (a test plays random games in both), with two shortcuts: cards are ranks, so suits are gone, and
nothing is hidden, so a search puts every unknown card somewhere first (see `worlds`). Players are numbered in turn order from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from . import rules
from .rules import FULL, QUAD, SMALLEST

Action = tuple[str, int, int, int]
"""A move: `(take, place, 0, 0)`, `(swap, place, 0, 0)`, `(draw, 0, 0, 0)`, `(meld, rank, naturals, jokers)`,
`(extend, meld, naturals, jokers)`, `(steal, meld, naturals, jokers)`, `(done, 0, 0, 0)`."""
TAKE, MELD = "take", "meld"
JOKER, LOCK, EMPTY = 0, 14, -1
"""Ranks besides 1..13: a joker, the lock card, an empty place."""
DRAW: Action = ("draw", 0, 0, 0)
DONE: Action = ("done", 0, 0, 0)
NOBODY = -1
"""The owner of melds whose player has left."""
RANKS = len(rules.RANK_LETTERS) + 1
"""Entries of a hand: jokers, then ranks 1 to 13."""


class Plan(NamedTuple):
    """A pyramid's geometry: covering places, covered places and the row (from 0) of each place."""

    covers: rules.Covers
    below: rules.Covers
    row: tuple[int, ...]


@cache
def plan(rows: int, free_from: str) -> Plan:
    """Return the geometry of a pyramid."""
    covers = rules.covers(rows, free_from)
    count = rules.size(rows)
    below = tuple(tuple(here for here in range(count) if place in covers[here]) for place in range(count))
    return Plan(covers, below, tuple(rules.position(place)[0] - 1 for place in range(count)))


class Laid(NamedTuple):
    """A meld: its player, its rank, its naturals and jokers, the multiplier it carries."""

    owner: int
    rank: int
    naturals: int
    jokers: int
    times: int

    @property
    def size(self) -> int:
        """Return its number of cards."""
        return self.naturals + self.jokers

    @property
    def points(self) -> int:
        """Return what it is worth."""
        return points(self.rank, self.naturals, self.jokers) * self.times


def points(rank: int, naturals: int, jokers: int) -> int:
    """Return a meld's points before the multiplier."""
    size = naturals + jokers
    return QUAD if size >= FULL else rank * naturals * (size - 1)


class State:
    """A game whose every card is known.

    pyramid: a rank for each place; down: places lying face down; over: covering cards left for each place; row_left: cards in each
    row; left: cards in the pyramid; stock: the last is the top; hands: counts by rank; turn: whose; stage: `take | meld`; rows: how many
    rows still hold cards; times: whether melds are multiplied by them; soft: whether a steal may stop short of four; known: counts of
    the cards in each hand that everybody saw go there; public: by rank, how many cards everybody knows the whereabouts of; shown: by
    rank, how many lie face up in the pyramid; free: the places that are free.
    """

    __slots__ = (
        "down", "free", "hands", "known", "left", "locked", "melds", "over", "plan", "public", "pyramid", "row_left", "rows", "shown",
        "soft", "stage", "stock", "times", "turn",
    )  # fmt: skip

    def __init__(
        self,
        plan: Plan,
        pyramid: Sequence[int],
        stock: Sequence[int],
        hands: Sequence[Sequence[int]],
        melds: Sequence[Laid] = (),
        down: Sequence[int] = (),
        turn: int = 0,
        stage: str = TAKE,
        soft: bool = False,
        times: bool = False,
        locked: bool = False,
        known: Sequence[Sequence[int]] | None = None,
    ) -> None:
        self.plan = plan
        self.pyramid = list(pyramid)
        self.down = set(down)
        self.over = [sum(1 for other in covers if pyramid[other] != EMPTY) for covers in plan.covers]
        self.row_left = [0] * (max(plan.row) + 1)
        for place, rank in enumerate(pyramid):
            self.row_left[plan.row[place]] += rank != EMPTY
        self.rows = sum(1 for left in self.row_left if left)
        self.left = sum(self.row_left)
        self.stock = list(stock)
        self.locked = locked
        self.hands = [list(hand) for hand in hands]
        self.melds = list(melds)
        self.turn = turn
        self.stage = stage
        self.soft = soft
        self.times = times
        self.known = [list(hand) for hand in known] if known else [[0] * RANKS for _ in hands]
        self.free = [place for place, rank in enumerate(pyramid) if rank != EMPTY and not self.over[place]]
        self.shown = [0] * RANKS
        for place, rank in enumerate(pyramid):
            if rank != EMPTY and place not in self.down:
                self.shown[rank] += 1
        self.public = self.shown[:]
        for hand in self.known:
            for rank, count in enumerate(hand):
                self.public[rank] += count
        for meld in self.melds:
            self.public[meld.rank] += meld.naturals
            self.public[JOKER] += meld.jokers

    def clone(self) -> State:
        """Return an independent copy."""
        other = State.__new__(State)
        other.plan = self.plan
        other.pyramid = self.pyramid[:]
        other.down = self.down.copy()
        other.over = self.over[:]
        other.row_left = self.row_left[:]
        other.rows = self.rows
        other.left = self.left
        other.stock = self.stock[:]
        other.locked = self.locked
        other.hands = [hand[:] for hand in self.hands]
        other.melds = self.melds[:]
        other.turn = self.turn
        other.stage = self.stage
        other.soft = self.soft
        other.times = self.times
        other.known = [hand[:] for hand in self.known]
        other.public = self.public[:]
        other.shown = self.shown[:]
        other.free = self.free[:]
        return other

    @property
    def finished(self) -> bool:
        """Tell whether the game is over: the pyramid is empty and the last meld action done."""
        return not self.left and self.stage == TAKE

    @property
    def multiplier(self) -> int:
        """Return what a meld changed now is multiplied by."""
        return (self.rows or 1) if self.times else 1

    def swappable(self) -> list[int]:
        """Return the places a joker may be swapped into."""
        down = self.down
        return [place for place, rank in enumerate(self.pyramid) if rank > JOKER and place not in down]

    def legal(self) -> list[Action]:
        """Return every action of the player whose turn it is; empty when the game is over."""
        if self.finished:
            return []
        hand = self.hands[self.turn]
        if self.stage == TAKE:
            actions: list[Action] = [("take", place, 0, 0) for place in self.free]
            if self.stock and not self.locked:
                actions.append(DRAW)
            if hand[JOKER]:
                actions += [("swap", place, 0, 0) for place in self.swappable()]
            return actions
        actions = [DONE]
        jokers = hand[JOKER]
        for rank in range(1, RANKS):
            for naturals in range(1, hand[rank] + 1):
                for wild in range(jokers + 1):
                    if SMALLEST <= naturals + wild <= FULL:
                        actions.append(("meld", rank, naturals, wild))
        for number, meld in enumerate(self.melds):
            room = FULL - meld.size
            if not room:
                continue
            own = meld.owner == self.turn
            for naturals in range(min(hand[meld.rank], room) + 1):
                for wild in range(min(jokers, room - naturals) + 1):
                    if naturals + wild and (own or self.soft or naturals + wild == room):
                        actions.append(("extend" if own else "steal", number, naturals, wild))
        return actions

    def apply(self, action: Action) -> None:
        """Make a move; it is taken to be legal."""
        kind, where, naturals, jokers = action
        hand = self.hands[self.turn]
        if kind == "done":
            self._pass()
        elif kind == "take":
            rank = self.pyramid[where]
            hand[rank] += 1
            self.known[self.turn][rank] += 1
            self._lift(where)
            self.stage = MELD
        elif kind == "swap":
            rank = self.pyramid[where]
            hand[rank] += 1
            self.known[self.turn][rank] += 1
            hand[JOKER] -= 1
            self._unveil(JOKER, 1)
            self.pyramid[where] = JOKER
            self.shown[rank] -= 1
            self.shown[JOKER] += 1
            self.stage = MELD
        elif kind == "draw":
            rank = self.stock.pop()
            if rank == LOCK:
                self.locked = True
            else:
                hand[rank] += 1
                self.stage = MELD
        else:
            self._meld(hand, kind, where, naturals, jokers)
            self._pass()

    def _lift(self, place: int) -> None:
        self.shown[self.pyramid[place]] -= 1
        self.free.remove(place)
        self.pyramid[place] = EMPTY
        self.left -= 1
        row = self.plan.row[place]
        self.row_left[row] -= 1
        if not self.row_left[row]:
            self.rows -= 1
        for under in self.plan.below[place]:
            self.over[under] -= 1
            if not self.over[under] and self.pyramid[under] != EMPTY:
                self.free.append(under)
                if under in self.down:
                    self.down.discard(under)
                    self.public[self.pyramid[under]] += 1
                    self.shown[self.pyramid[under]] += 1

    def _unveil(self, rank: int, count: int) -> None:
        """Note that cards of a rank left the hand for all to see: known ones first, then ones nobody knew of."""
        known = self.known[self.turn]
        used = min(count, known[rank])
        known[rank] -= used
        self.public[rank] += count - used

    def _meld(self, hand: list[int], kind: str, where: int, naturals: int, jokers: int) -> None:
        if kind == "meld":
            self.melds.append(Laid(self.turn, where, naturals, jokers, self.multiplier))
            rank = where
        else:
            old = self.melds[where]
            rank = old.rank
            self.melds[where] = Laid(self.turn, rank, old.naturals + naturals, old.jokers + jokers, self.multiplier)
        hand[rank] -= naturals
        hand[JOKER] -= jokers
        if naturals:
            self._unveil(rank, naturals)
        if jokers:
            self._unveil(JOKER, jokers)

    def _pass(self) -> None:
        self.stage = TAKE
        self.turn = (self.turn + 1) % len(self.hands)

    def returns(self) -> list[int]:
        """Return each player's points: melds less what is in the hand."""
        scores = [-sum(rank * count for rank, count in enumerate(hand)) for hand in self.hands]
        for meld in self.melds:
            if meld.owner != NOBODY:
                scores[meld.owner] += meld.points
        return scores
