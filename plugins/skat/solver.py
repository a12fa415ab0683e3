"""Solve open hands: the declarer's exact points, whether he reaches so many, whether a Null holds.

`OpenDeal(kind, hands)` is one deal with all three hands known: declarer, the next player, the previous one. Its methods
look at positions of that deal (`Position`), from the first lead to the last trick and in the middle of one; what was
found out is kept and helps with later questions about the same deal. With the optional extra `fast` (numba) the
searches run compiled; without, the same source runs as it is. The answers are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from . import fast as engine
from .arrays import (
    BASE_1,
    BASE_2,
    BASE_3,
    BASE_4,
    BELOW,
    DEAL,
    FIRST,
    GROUP_MASK,
    GROUPS,
    MASK_4,
    NODES,
    OWNER,
    REGISTERS,
    RESULT,
    RETURNING,
    ROW,
    ROWS,
    SHIFT_1,
    SHIFT_2,
    SHIFT_3,
    STOP,
    TABLE_MASK,
    TOP_SHIFT,
    TRUMP,
    WIDTH,
    Ints,
)
from .groups import FACT_GROUPS, GROUP
from .layout import BIT_PLACE, LAYOUTS, Layout
from .nullsearch import NULL_GROUP
from .ordering import RANKS
from .rules import Face, Kind

SLICE, SLICE_PLAIN = 20_000, 1_000
"""Nodes searched between two looks at `stop`, compiled and as plain Python: some milliseconds."""

_TABLE_BITS = (6, 6, 8, 9, 10, 11, 13, 15, 16, 17, 17)


class OutOfBudget(Exception):
    """Say that the search was stopped before it was finished; the deal can be asked again."""


@dataclass(frozen=True, slots=True)
class Position:
    """Hold a position of an open deal: the hands now, who is to play, the cards of the unfinished trick in order.

    Players: 0 declarer, 1 the next, 2 the previous one.
    """

    hands: tuple[tuple[Face, ...], tuple[Face, ...], tuple[Face, ...]]
    to_play: int
    trick: tuple[Face, ...] = ()

    def after(self, face: Face, kind: Kind) -> tuple[Position, tuple[int, tuple[Face, ...]] | None]:
        """Play a card; when it ends the trick, also tell who took which cards."""
        from .rules import trick_winner

        hands = list(self.hands)
        hands[self.to_play] = tuple(held for held in hands[self.to_play] if held != face)
        trick = (*self.trick, face)
        first, second, third = hands
        if len(trick) < 3:
            return Position((first, second, third), (self.to_play + 1) % 3, trick), None
        winner = (self.to_play + 1 + trick_winner(trick, kind)) % 3
        return Position((first, second, third), winner), (winner, trick)


class OpenDeal:
    """Answer questions about one deal whose three hands are known."""

    def __init__(self, kind: Kind, hands: Sequence[Iterable[Face]], fast: bool | None = None) -> None:
        self.layout: Layout = LAYOUTS[kind]
        self.fast = engine.available() if fast is None else fast
        self.nodes = 0
        self._slice = SLICE if self.fast else SLICE_PLAIN
        masks = [self.layout.mask(hand) for hand in hands]
        self._size = max(mask.bit_count() for mask in masks)
        get = engine.compiled if self.fast else engine.plain
        array: Callable[[Sequence[int]], Ints] = engine.compiled_array if self.fast else list
        zeros = engine.compiled_zeros if self.fast else engine.plain_zeros
        self._search = get("search_null" if kind == "N" else "search")
        self._deal = array(_describe(self.layout, masks))
        bits = _TABLE_BITS[self._size]
        self._registers = zeros(REGISTERS)
        self._registers[TABLE_MASK] = (1 << bits) - 1
        self._hands = array([0, 0, 0])
        self._rows = [zeros(ROWS) for _ in range(13)]
        self._moves = [zeros(ROWS * WIDTH) for _ in range(2)]
        self._table = zeros(1 << bits)
        groups = 4 * NULL_GROUP if kind == "N" else FACT_GROUPS + 4 * GROUP
        self._normal = array([-1] * groups)
        self._counts = zeros(groups)
        self._facts = zeros(groups)
        self._fixed = [array(data) for data in _fixed(self.layout)]

    def _set(self, position: Position) -> int:
        """Write a position into the first row, give that row."""
        player, _, left, alive, lead, best, taker, total, *_ = self._rows
        layout = self.layout
        masks = [layout.mask(hand) for hand in position.hands]
        row = len(position.trick)
        self._hands[0], self._hands[1], self._hands[2] = masks
        table = layout.mask(position.trick)
        everything = masks[0] | masks[1] | masks[2] | table
        player[row] = position.to_play
        alive[row] = everything
        left[row] = sum(layout.points[place] for place in range(32) if everything >> place & 1)
        total[row] = sum(layout.points[layout.places[face]] for face in position.trick)
        if row:
            leader = (position.to_play - row) % 3
            first = layout.places[position.trick[0]]
            lead[row], best[row], taker[row] = layout.follow[first], 1 << first, leader
            for number, face in enumerate(position.trick[1:], 1):
                bit = 1 << layout.places[face]
                if bit > best[row] and bit & (lead[row] | layout.trump):
                    best[row], taker[row] = bit, (leader + number) % 3
        self._registers[FIRST] = self._registers[ROW] = row
        self._registers[RETURNING] = 0
        self._registers[NODES] = 0
        return row

    def _run(self, budget: int | None, stop: Callable[[], bool] | None) -> int:
        """Search to the end, a slice at a time."""
        player, needed, left, alive, lead, best, taker, total, gained, key, value, count, tried = self._rows
        moves, ranks = self._moves
        points, follow, classes, place, order = self._fixed
        head = (self._registers, self._hands, player)
        if self.layout.kind == "N":
            arguments: tuple[Ints, ...] = (
                *head,
                alive,
                lead,
                best,
                taker,
                key,
                count,
                tried,
                moves,
                ranks,
                self._table,
                self._deal,
                self._normal,
                self._facts,
                place,
            )
        else:
            arguments = (
                *head,
                needed,
                left,
                alive,
                lead,
                best,
                taker,
                total,
                gained,
                key,
                value,
                count,
                tried,
                moves,
                ranks,
                self._table,
                self._deal,
                self._normal,
                self._counts,
                self._facts,
                points,
                follow,
                classes,
                place,
                order,
            )
        registers = self._registers
        done = 0
        while True:
            registers[STOP] = done + self._slice if budget is None else min(done + self._slice, budget)
            finished = self._search(*arguments)
            self.nodes += int(registers[NODES]) - done
            done = int(registers[NODES])
            if finished:
                return int(registers[RESULT])
            if (budget is not None and done >= budget) or (stop is not None and stop()):
                raise OutOfBudget(f"{done} nodes searched")

    def bound(self, position: Position, points: int, *, budget: int | None = None, stop: Callable[[], bool] | None = None) -> int:
        """Search whether the declarer gets `points` more card points from here; give the bound that settles it.

        A result of at least `points` is a lower bound of what he gets, a smaller one an upper bound. `budget` are
        nodes, `stop` is asked now and then.

        Raises:
            OutOfBudget: the budget is used up, or `stop` said so.
            ValueError: the deal is a Null.
        """
        if self.layout.kind == "N":
            raise ValueError("a Null has no points: ask null_holds")
        row = self._set(position)
        self._rows[1][row] = points
        return self._run(budget, stop)

    def reaches(self, position: Position, points: int, *, budget: int | None = None, stop: Callable[[], bool] | None = None) -> bool:
        """Tell whether the declarer gets at least `points` more card points from here (the skat is not counted)."""
        return self.bound(position, points, budget=budget, stop=stop) >= points

    def points(self, position: Position, *, budget: int | None = None, stop: Callable[[], bool] | None = None) -> int:
        """Give the card points the declarer gets from here under best play of all (the skat is not counted).

        Raises:
            OutOfBudget: the budget, counted over all searches needed, is used up, or `stop` said so.
        """
        low = 0
        high = int(self._rows[2][self._set(position)])
        guess = high * 3 // 5 + 1
        spent = 0
        while low < high:
            guess = min(max(guess, low + 1), high)
            allowed = None if budget is None else budget - spent
            found = self.bound(position, guess, budget=allowed, stop=stop)
            spent += int(self._registers[NODES])
            if found >= guess:
                low = max(low, found)
                guess = low + _STEP
            else:
                high = min(high, found)
                guess = high - _STEP + 1
        return low

    def null_holds(self, position: Position, *, budget: int | None = None, stop: Callable[[], bool] | None = None) -> bool:
        """Tell whether the declarer of a Null can avoid every trick from here.

        Raises:
            OutOfBudget: the budget is used up, or `stop` said so.
            ValueError: the deal is no Null.
        """
        if self.layout.kind != "N":
            raise ValueError("only a Null can hold")
        self._set(position)
        return self._run(budget, stop) == 1


_STEP = 3
"""How far the next guess moves from the last bound when exact points are wanted."""


def _fixed(layout: Layout) -> tuple[Sequence[int], ...]:
    return layout.points, layout.follow, layout.classes, BIT_PLACE, RANKS


def _describe(layout: Layout, masks: Sequence[int]) -> list[int]:
    """Write down what is fixed for a deal."""
    deal = [0] * DEAL
    deal[TRUMP] = layout.trump
    deal[BELOW] = layout.below
    for player, mask in enumerate(masks):
        deal[OWNER + player] = mask
    groups = layout.groups
    deal[GROUPS] = len(groups)
    for number, mask in enumerate(groups):
        # The null layout numbers its groups from the bottom, as the bits lie.
        deal[GROUP_MASK + (3 - number if layout.kind == "N" else number)] = mask
    plain = [(mask & -mask).bit_length() - 1 for mask in groups[1:]]
    deal[TOP_SHIFT] = 28 if layout.kind == "G" else 21
    for name, shift in zip((SHIFT_1, SHIFT_2, SHIFT_3), plain, strict=False):
        deal[name] = shift
    for number, name in enumerate((BASE_1, BASE_2, BASE_3, BASE_4)):
        deal[name] = FACT_GROUPS + number * GROUP
    deal[MASK_4] = 127 if layout.kind == "G" else 0
    return deal
