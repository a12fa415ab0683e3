"""Play a compact state by a rule of thumb: score, pairs in the hand, risk of open melds. Also how rollouts are played and counted."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from .outlook import Outlook
from .state import DONE, DRAW, JOKER, MELD, RANKS, Action, Laid, State
from .weights import COUNTING, PLAYING, Tables


class Policy:
    """A player that values every move by an `Outlook`.

    playing: weights to choose moves by; counting: weights for `prospects`.
    """

    def __init__(self, playing: Mapping[str, float] = PLAYING, counting: Mapping[str, float] = COUNTING) -> None:
        self.playing = Tables(playing)
        self.counting = Tables(counting)

    def take(self, state: State) -> Action:
        """Return the take of the player whose turn it is."""
        outlook = Outlook(self.playing, state)
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
        outlook = Outlook(self.playing, state)
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
        outlook = Outlook(self.playing, state)
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
            return total / outlook.total - outlook.tables.draw
        if kind == "take":
            after = times - 1 if state.times and times > 1 and state.row_left[state.plan.row[where]] == 1 else times
            return outlook.with_card(state.pyramid[where], jokers, after, True)
        if kind == "swap":
            given = 0.0 if state.over[where] else outlook.tables.given * outlook.late
            return outlook.with_card(state.pyramid[where], jokers - 1, times, False) - outlook.joker - given
        meld: Laid | None = None if kind == "meld" else state.melds[where]
        rank = where if meld is None else meld.rank
        value = outlook.hold[rank][hand[rank] - naturals] - outlook.hold[rank][hand[rank]] - wild * outlook.joker
        if meld is None:
            return value + outlook.worth(rank, naturals, naturals + wild, times, False)
        value += outlook.worth(rank, meld.naturals + naturals, meld.size + naturals + wild, times, False)
        if kind == "steal":
            return value + outlook.tables.loot * meld.points
        return value - outlook.worth(rank, meld.naturals, meld.size, meld.times, False)

    def prospects(self, state: State) -> list[float]:
        """Return what each player stands to make: melds, their risks and hopes, and what the hand promises; at the end, the points."""
        if state.finished:
            return [float(value) for value in state.returns()]
        turn, values = state.turn, []
        for player, hand in enumerate(state.hands):
            state.turn = player
            outlook = Outlook(self.counting, state)
            value = hand[JOKER] * outlook.joker
            value += sum(outlook.hold[rank][hand[rank]] for rank in range(1, RANKS))
            for meld in state.melds:
                if meld.owner == player:
                    value += outlook.worth(meld.rank, meld.naturals, meld.size, meld.times, False)
            values.append(value)
        state.turn = turn
        return values


@cache
def advisor() -> Policy:
    """Return the one policy that everybody asks; it keeps nothing of what it is asked."""
    return Policy()
