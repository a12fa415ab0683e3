"""Weigh one turn: what the player has not seen, what time is left, and what cards and melds of each rank are worth by that.

A player knows what its seat knows, never what lies in another hand: it counts the cards it has not seen, and remembers which ones
everybody saw go into whose hand. The value of a turn is a sum over ranks, so that one rank can be reconsidered at a time:

* an open meld counts its points, less the risk of losing it times (its points + what the thief wins), plus a hope to complete it;
* a rank in the hand costs its penalty, lightly at first and in full at the end, and counts for more the nearer it is to four;
* a steal also counts what it takes from its owner.
"""

from __future__ import annotations

from functools import cache

from .rules import FULL, IN_RANK, JOKERS, QUAD, SMALLEST
from .state import DONE, JOKER, RANKS, Action, Laid, State
from .weights import STEPS, Tables

Combination = tuple[int, int, int]
"""Naturals, jokers and their number."""
CERTAIN = 0.97


@cache
def new_melds(naturals: int, jokers: int) -> tuple[Combination, ...]:
    """Return the melds that so many naturals of a rank and jokers make."""
    return tuple(
        (own, wild, own + wild)
        for own in range(1, naturals + 1)
        for wild in range(jokers + 1)
        if SMALLEST <= own + wild <= FULL
    )


@cache
def additions(naturals: int, jokers: int, room: int, exactly: bool) -> tuple[Combination, ...]:
    """Return what so many naturals and jokers can add to a meld with room for some; `exactly` fills it."""
    return tuple(
        (own, wild, own + wild)
        for own in range(min(naturals, room) + 1)
        for wild in range(min(jokers, room - own) + 1)
        if own + wild and (own + wild == room or not exactly)
    )


class Outlook:
    """What one turn's decisions need: what the player has not seen, what time is left, what each rank is worth."""

    __slots__ = (
        "chance", "free", "hand", "hold", "hope", "joker", "known", "last", "late", "me", "melds", "risks", "soft", "tables",
        "tops", "total", "unknown",
    )  # fmt: skip

    def __init__(self, tables: Tables, state: State) -> None:
        me = state.turn
        hands, known = state.hands, state.known
        players = len(hands)
        self.tables = tables
        self.me = me
        self.hand = hand = hands[me]
        self.soft = state.soft
        unknown = [IN_RANK - seen - mine + told for seen, mine, told in zip(state.public, hand, known[me], strict=True)]
        unknown[JOKER] -= IN_RANK - JOKERS
        self.unknown = unknown
        self.total = sum(unknown) or 1
        self.known = [(known[other], sum(hands[other]) - sum(known[other])) for other in range(players) if other != me]
        self.last = not state.left
        ahead = state.left if state.locked else state.left + tables.stock * len(state.stock)
        step = min(STEPS, int(2 * ahead / players))
        self.late = tables.late[step]
        self.joker = tables.joker[step]
        self.chance = [min(IN_RANK, out + seen) for out, seen in zip(unknown, state.shown, strict=True)]
        hold, hope = tables.hold[step], tables.hope[step]
        self.hold = [hold[some][rank] for rank, some in enumerate(self.chance)]
        self.hope = [hope[some] for some in self.chance]
        self.free = free = [0] * RANKS
        for place in state.free:
            free[state.pyramid[place]] += 1
        self.melds: dict[int, list[tuple[int, Laid]]] = {}
        for number, meld in enumerate(state.melds):
            if meld.naturals + meld.jokers < FULL:
                self.melds.setdefault(meld.rank, []).append((number, meld))
        self.risks: dict[tuple[int, int, bool], float] = {}
        self.tops: dict[tuple[int, int], tuple[int, float, float]] = {}

    def with_card(self, rank: int, jokers: int, times: int, mine: bool) -> float:
        """Return what a card of a rank adds to a hand with so many jokers, the best meld action after it included; `mine` tells that
        it is taken from the free cards of the pyramid."""
        if rank == JOKER:
            return self.joker + self.top(jokers + 1, times)[1]
        count = self.hand[rank]
        first, most, second = self.top(jokers, times)
        other = second if first == rank else most
        if count or jokers or rank in self.melds:
            other = max(other, self.gain(rank, count + 1, jokers, times, mine)[0])
        hold = self.hold[rank]
        return hold[count + 1] - hold[count] + other

    def top(self, jokers: int, times: int) -> tuple[int, float, float]:
        """Return the rank with the best meld action, what it gains, and what the second best rank gains."""
        key = (jokers, times)
        found = self.tops.get(key)
        if found is None:
            first, most, second = 0, 0.0, 0.0
            for rank in range(1, RANKS):
                count = self.hand[rank]
                if count + jokers > 1 or rank in self.melds:
                    gain = self.gain(rank, count, jokers, times, False)[0]
                    if gain > most:
                        first, most, second = rank, gain, most
                    elif gain > second:
                        second = gain
            found = self.tops[key] = (first, most, second)
        return found

    def gain(self, rank: int, count: int, jokers: int, times: int, mine: bool) -> tuple[float, Action]:
        """Return the best meld action with `count` naturals of a rank and `jokers`, and what it gains."""
        best, action = 0.0, DONE
        hold, joker = self.hold[rank], self.joker
        base = hold[count]
        for own, wild, size in new_melds(count, jokers):
            value = hold[count - own] - base - wild * joker + self.worth(rank, own, size, times, mine)
            if value > best:
                best, action = value, ("meld", rank, own, wild)
        for number, meld in self.melds.get(rank, ()):
            old = meld.naturals + meld.jokers
            if meld.owner == self.me:
                lost = self.worth(rank, meld.naturals, old, meld.times, mine)
                kind, exactly = "extend", False
            else:
                lost = -self.tables.loot * meld.points
                kind, exactly = "steal", not self.soft
            for own, wild, more in additions(count, jokers, FULL - old, exactly):
                value = hold[count - own] - base - wild * joker + self.worth(rank, meld.naturals + own, old + more, times, mine) - lost
                if value > best:
                    best, action = value, (kind, number, own, wild)
        return best, action

    def worth(self, rank: int, naturals: int, size: int, times: int, mine: bool) -> float:
        """Return what a meld in front of the player is worth, the risk of losing it and the hope of completing it included."""
        if size >= FULL:
            return QUAD * times
        points = rank * naturals * (size - 1) * times
        if self.last:
            return points
        risk = self.risk(rank, FULL - size, mine)
        return points - risk * (points + self.tables.robbed * times) + self.hope[rank][size] * (1 - risk)

    def risk(self, rank: int, need: int, mine: bool) -> float:
        """Return the chance that somebody can add the `need` cards that an open meld of a rank lacks before it is one's turn again."""
        key = (rank, need, mine)
        found = self.risks.get(key)
        if found is None:
            found = self.risks[key] = self._risk(rank, need, mine)
        return found

    def _risk(self, rank: int, need: int, mine: bool) -> float:
        at_hand = 1 if self.free[rank] - mine + self.free[JOKER] > 0 else 0
        share = min(1.0, (self.unknown[rank] + self.unknown[JOKER]) / self.total)
        none = 1.0
        for known, unknown in self.known:
            lacks = need - at_hand - known[rank] - known[JOKER]
            if lacks <= 0:
                return CERTAIN
            cards = unknown + 1
            miss = 1 - share
            if lacks == 1:
                none *= miss**cards
            elif lacks == 2:
                none *= miss**cards + cards * share * miss ** (cards - 1)
        return min(CERTAIN, self.tables.risk * (1 - none))
