"""Play a compact state by a rule of thumb: score, pairs in the hand, risk of open melds. Also the policy of the rollouts.

A player knows what its seat knows, never what lies in another hand: it counts the cards it has not seen, and remembers which ones
everybody saw go into whose hand. The value of a turn is a sum over ranks, so that one rank can be reconsidered at a time:

* an open meld counts its points, less the risk of losing it times (its points + the thief's hundred), plus a chance to be completed;
* a rank in the hand costs its penalty, lightly at first and in full at the end, and counts for more the nearer it is to four;
* a steal also counts what it takes from its owner.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from .rules import FULL, IN_RANK, JOKERS, QUAD, SMALLEST
from .state import DONE, DRAW, JOKER, MELD, RANKS, Action, Laid, State

Combination = tuple[int, int, int]
"""Naturals, jokers and their number."""
STEPS = 24
"""Half turns that the tables look ahead; what lies farther away counts as much as that."""
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


WEIGHTS: Mapping[str, float] = {
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


class Policy:
    """A player with weights; `WEIGHTS` were found by letting it play against itself."""

    def __init__(self, weights: Mapping[str, float] = WEIGHTS) -> None:
        self.weights = dict(weights)
        w = self.weights
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

    def take(self, state: State) -> Action:
        """Return the take of the player whose turn it is."""
        outlook = Outlook(self, state)
        best, chosen = float("-inf"), DRAW
        for place in state.free:
            action: Action = ("take", place, 0, 0)
            value = self._value(state, outlook, action)
            if value > best:
                best, chosen = value, action
        if state.stock and not state.locked:
            value = self._value(state, outlook, DRAW)
            if value > best:
                best, chosen = value, DRAW
        if outlook.hand[JOKER]:
            told = set()
            for place in state.swappable():
                same = (state.pyramid[place], not state.over[place])
                if same not in told:
                    told.add(same)
                    action = ("swap", place, 0, 0)
                    value = self._value(state, outlook, action)
                    if value > best:
                        best, chosen = value, action
        return chosen

    def meld(self, state: State) -> Action:
        """Return the meld action of the player whose turn it is."""
        outlook = Outlook(self, state)
        jokers, times = outlook.hand[JOKER], state.multiplier
        best, action = 0.0, DONE
        for rank in range(1, RANKS):
            value, found = outlook.gain(rank, outlook.hand[rank], jokers, times, False)
            if value > best:
                best, action = value, found
        return action

    def choose(self, state: State) -> Action:
        """Return the next action."""
        return self.meld(state) if state.stage == MELD else self.take(state)

    def best(self, state: State, few: int) -> list[Action]:
        """Return the few best actions: the policy's own first, then the others by their value."""
        first = self.choose(state)
        outlook = Outlook(self, state)
        valued: dict[tuple[object, ...], tuple[float, Action]] = {}
        for action in state.legal():
            value = self._value(state, outlook, action)
            # Of cards of a rank that a joker may be swapped for, one is as good as another unless it is free.
            same = ("swap", state.pyramid[action[1]], not state.over[action[1]]) if action[0] == "swap" else action
            valued.setdefault(same, (value, action))
        ranked = sorted(valued.values(), key=lambda pair: -pair[0])
        return [first, *[action for _, action in ranked if action != first][: few - 1]]

    def _value(self, state: State, outlook: Outlook, action: Action) -> float:
        kind, where, naturals, wild = action
        hand, times = outlook.hand, state.multiplier
        jokers = hand[JOKER]
        if kind == "done":
            return 0.0
        if kind == "draw":
            total = sum(count * outlook.with_card(rank, jokers, times, False) for rank, count in enumerate(outlook.unknown) if count)
            return total / outlook.total - self.draw
        if kind == "take":
            after = times - 1 if state.times and times > 1 and state.row_left[state.plan.row[where]] == 1 else times
            return outlook.with_card(state.pyramid[where], jokers, after, True)
        if kind == "swap":
            given = 0.0 if state.over[where] else self.given * outlook.late
            return outlook.with_card(state.pyramid[where], jokers - 1, times, False) - outlook.joker - given
        meld: Laid | None = None if kind == "meld" else state.melds[where]
        rank = where if meld is None else meld.rank
        value = outlook.hold[rank][hand[rank] - naturals] - outlook.hold[rank][hand[rank]] - wild * outlook.joker
        if meld is None:
            return value + outlook.worth(rank, naturals, naturals + wild, times, False)
        value += outlook.worth(rank, meld.naturals + naturals, meld.size + naturals + wild, times, False)
        if kind == "steal":
            return value + self.loot * meld.points
        return value - outlook.worth(rank, meld.naturals, meld.size, meld.times, False)

    def prospects(self, state: State) -> list[float]:
        """Return what each player stands to make: melds, their risks and hopes, and what the hand promises; at the end, the points."""
        if state.finished:
            return [float(value) for value in state.returns()]
        turn, values = state.turn, []
        for player, hand in enumerate(state.hands):
            state.turn = player
            outlook = Outlook(self, state)
            value = hand[JOKER] * outlook.joker
            value += sum(outlook.hold[rank][hand[rank]] for rank in range(1, RANKS))
            for meld in state.melds:
                if meld.owner == player:
                    value += outlook.worth(meld.rank, meld.naturals, meld.size, meld.times, False)
            values.append(value)
        state.turn = turn
        return values


class Outlook:
    """What one turn's decisions need: what the player has not seen, what time is left, what each rank is worth."""

    __slots__ = (
        "chance", "free", "hand", "hold", "hope", "joker", "known", "last", "late", "me", "melds", "policy", "risks", "soft", "tops",
        "total", "unknown",
    )  # fmt: skip

    def __init__(self, policy: Policy, state: State) -> None:
        me = state.turn
        hands, known = state.hands, state.known
        players = len(hands)
        self.policy = policy
        self.me = me
        self.hand = hand = hands[me]
        self.soft = state.soft
        unknown = [IN_RANK - seen - mine + told for seen, mine, told in zip(state.public, hand, known[me], strict=True)]
        unknown[JOKER] -= IN_RANK - JOKERS
        self.unknown = unknown
        self.total = sum(unknown) or 1
        self.known = [(known[other], sum(hands[other]) - sum(known[other])) for other in range(players) if other != me]
        self.last = not state.left
        ahead = state.left if state.locked else state.left + policy.stock * len(state.stock)
        step = min(STEPS, int(2 * ahead / players))
        self.late = policy.late[step]
        self.joker = policy.joker[step]
        self.chance = [min(IN_RANK, out + seen) for out, seen in zip(unknown, state.shown, strict=True)]
        hold, hope = policy.hold[step], policy.hope[step]
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
                lost = -self.policy.loot * meld.points
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
        return points - risk * (points + self.policy.robbed * times) + self.hope[rank][size] * (1 - risk)

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
        return min(CERTAIN, self.policy.risk * (1 - none))
