"""Answer exactly whether a hand can lay a phase, how, and how many cards are missing: by formulae, without a search.

A hand is looked at as counts per number and colour, and wilds; skips never help. `need` is the fewest wilds with which
the phase can be laid when every group holds a natural. The phase can be laid if and only if `need <= wilds`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from .rules import COLOUR, COLOURS, HIGHEST, LOWEST, RUN, SET, SKIP, WILD, Face, Phase, colour, number

NEVER = 1_000
"""The need of a hand that has too few naturals to give every group one."""

NUMBERS = range(LOWEST, HIGHEST + 1)


@cache
def _windows(size: int) -> tuple[int, ...]:
    """Return the masks of the runs of this size."""
    return tuple(((1 << size) - 1) << start for start in range(LOWEST, HIGHEST - size + 2))


class _Needs(dict[int, int]):
    """For each mask of numbers present (bit n = number n), the fewest wilds of a run; worked out when first asked for."""

    def __init__(self, size: int) -> None:
        self._size = size

    def __missing__(self, mask: int) -> int:
        best = max((mask & window).bit_count() for window in _windows(self._size))
        self[mask] = found = self._size - best if best else NEVER
        return found


@cache
def needs_of_runs(size: int) -> Mapping[int, int]:
    """Return, for each mask of numbers present (bit n = number n), the fewest wilds of a run of this size."""
    return _Needs(size)


class Counts(NamedTuple):
    """What a hand holds: cards per number (index 1..12), per colour letter, numbers present as a bit mask, wilds."""

    numbers: list[int]
    colours: dict[str, int]
    mask: int
    wilds: int


def count(hand: Iterable[Face]) -> Counts:
    """Count a hand; skips are left out."""
    numbers = [0] * (HIGHEST + 1)
    colours = dict.fromkeys(COLOURS, 0)
    mask = wilds = 0
    for face in hand:
        if face == WILD:
            wilds += 1
        elif face != SKIP:
            n = number(face)
            numbers[n] += 1
            mask |= 1 << n
            colours[colour(face)] += 1
    return Counts(numbers, colours, mask, wilds)


def need(held: Counts, phase: Phase) -> int:
    """Return the fewest wilds with which these naturals can lay the phase; NEVER if they are too few for its groups."""
    if phase[0].kind == COLOUR:
        most = max(held.colours.values())
        return max(0, phase[0].size - most) if most else NEVER
    return need_of_numbers(held.numbers, held.mask, phase)


def need_of_numbers(numbers: Sequence[int], mask: int, phase: Phase) -> int:
    """Return the same for a phase of sets and runs, from the cards per number and the mask of numbers present."""
    if len(phase) == 1:
        kind, size = phase[0]
        if kind == RUN:
            return needs_of_runs(size)[mask]
        most = max(numbers)
        return max(0, size - most) if most else NEVER
    (_, first), (kind, second) = phase
    if kind == SET:
        return _need_two_sets(numbers, max(first, second), min(first, second))
    return _need_set_and_run(numbers, mask, first, second)


def _need_two_sets(numbers: Sequence[int], a: int, b: int) -> int:
    *_, m2, m1 = sorted(numbers)
    apart = max(0, a - m1) + max(0, b - m2) if m2 else NEVER
    together = max(0, a + b - m1) if m1 >= 2 else NEVER
    return min(apart, together)


def _need_set_and_run(numbers: Sequence[int], mask: int, a: int, size: int) -> int:
    needs, best = needs_of_runs(size), NEVER
    for n, have in enumerate(numbers):
        if have:
            missing = a - have if a > have else 0
            with_it = missing + needs[mask if have > a else mask & ~(1 << n)]
            if with_it < best:
                best = with_it
            if have >= 2:
                lent = (a - have + 1 if a >= have else 0) + needs[mask]
                if lent < best:
                    best = lent
    return best


def distance(hand: Iterable[Face], phase: Phase) -> int:
    """Return how many more cards, well chosen, this hand needs before it can lay the phase; 0 if it can now."""
    held = count(hand)
    fewest = need(held, phase)
    if fewest < NEVER:
        return max(0, fewest - held.wilds)
    naturals = sum(held.numbers)
    return max(len(phase) - naturals, sum(part.size for part in phase) - naturals - held.wilds)


class Layout(NamedTuple):
    """One way to lay a phase: its groups in the phase's order, and how many spare wilds go to its run's low end."""

    groups: tuple[tuple[Face, ...], ...]
    low: int | None

    @property
    def wilds(self) -> int:
        """Return how many wilds this way takes."""
        return sum(group.count(WILD) for group in self.groups)


def lay_out(hand: Sequence[Face], phase: Phase) -> Layout | None:
    """Return the way to lay the phase that takes the fewest wilds (then the highest cards), or None if there is none.

    The answer is exact: None means that no choice of cards from this hand lays the phase.
    """
    return min(layouts(hand, phase), key=_preference, default=None)


def _preference(layout: Layout) -> tuple[int, int]:
    return layout.wilds, -sum(number(face) for group in layout.groups for face in group if face != WILD)


def layouts(hand: Sequence[Face], phase: Phase) -> Iterator[Layout]:
    """Yield the ways to lay the phase with exactly as many cards as it asks for: naturals first, then wilds.

    Every choice of numbers, windows and colours is there once; which of two equal numbers is used is not varied.
    """
    naturals = _Naturals(hand)
    if len(phase) == 2:
        (_, first), (kind, second) = phase
        ways = _two_sets(naturals, first, second) if kind == SET else _set_and_run(naturals, first, second)
    elif phase[0].kind == RUN:
        ways = _run(naturals, phase[0].size)
    else:
        ways = _same(naturals, phase[0].kind, phase[0].size)
    wilds = sum(face == WILD for face in hand)
    for layout in ways:
        if layout.wilds <= wilds:
            yield layout


class _Naturals:
    """The natural cards of a hand, by number and by colour."""

    def __init__(self, hand: Iterable[Face]) -> None:
        self.of: dict[int | str, list[Face]] = {n: [] for n in NUMBERS}
        self.of |= {letter: [] for letter in COLOURS}
        for face in sorted(face for face in hand if face not in (WILD, SKIP)):
            self.of[number(face)].append(face)
            self.of[colour(face)].append(face)

    def numbers(self) -> list[int]:
        return [n for n in NUMBERS if self.of[n]]


def _filled(cards: Sequence[Face], size: int) -> tuple[Face, ...]:
    return (*cards, *[WILD] * (size - len(cards)))


def _same(naturals: _Naturals, kind: str, size: int) -> Iterator[Layout]:
    for of in NUMBERS if kind == SET else COLOURS:
        if naturals.of[of]:
            cards = sorted(naturals.of[of], key=number, reverse=True) if kind == COLOUR else naturals.of[of]
            yield Layout((_filled(cards[:size], size),), None)


def _two_sets(naturals: _Naturals, a: int, b: int) -> Iterator[Layout]:
    numbers = naturals.numbers()
    for s in numbers:
        cards = naturals.of[s]
        if len(cards) >= 2:
            cut = min(a, len(cards) - 1)
            yield Layout((_filled(cards[:cut], a), _filled(cards[cut : cut + b], b)), None)
        for t in numbers:
            if s != t:
                yield Layout((_filled(cards[:a], a), _filled(naturals.of[t][:b], b)), None)


def _run(naturals: _Naturals, size: int, without: int = 0) -> Iterator[Layout]:
    """Yield every run of this size that holds a natural; `without` is a number that must not be used (0 = none)."""
    for start in range(LOWEST, HIGHEST - size + 2):
        window = range(start, start + size)
        used = [n for n in window if naturals.of[n] and n != without]
        if used:
            cards = [naturals.of[n][-1] if n in used else WILD for n in window]
            yield Layout((tuple(cards),), used[0] - start)


def _set_and_run(naturals: _Naturals, a: int, size: int) -> Iterator[Layout]:
    for s in naturals.numbers():
        cards = naturals.of[s]
        for run in _run(naturals, size, without=s):
            yield Layout((_filled(cards[:a], a), *run.groups), run.low)
        if len(cards) >= 2:
            for run in _run(naturals, size):
                if cards[-1] in run.groups[0]:
                    yield Layout((_filled(cards[:-1][:a], a), *run.groups), run.low)


def usable(hand: Sequence[Face], phase: Phase) -> set[Face]:
    """Return the faces of the hand that are part of at least one way to lay the phase, extra cards included."""
    held = count(hand)
    if need(held, phase) > held.wilds:
        return set()
    if phase[0].kind == COLOUR:
        letters = {letter for letter, times in held.colours.items() if times and phase[0].size - times <= held.wilds}
        return {face for face in hand if face == WILD or face[0] in letters}
    numbers = _usable_numbers(held, phase)
    return {face for face in hand if face == WILD or (face != SKIP and numbers >> number(face) & 1)}


def _usable_numbers(held: Counts, phase: Phase) -> int:
    """Return a mask of the numbers that occur in at least one way; a larger group never needs fewer wilds."""
    found = 0
    if len(phase) == 1:
        for window in _windows(phase[0].size):
            if held.mask & window and phase[0].size - (held.mask & window).bit_count() <= held.wilds:
                found |= held.mask & window
        return found
    (_, a), (kind, b) = phase
    present = [n for n in NUMBERS if held.numbers[n]]
    for s in present:
        have = held.numbers[s]
        if kind == SET:
            for t in present:
                missing = max(0, a - have) + max(0, b - held.numbers[t]) if s != t else max(0, a + b - have)
                if missing <= held.wilds and (s != t or have >= 2):
                    found |= 1 << s | 1 << t
            continue
        for lent in (0, 1) if have >= 2 else (0,):
            mask = held.mask if lent else held.mask & ~(1 << s)
            spare = held.wilds - max(0, a - have + lent)
            for window in _windows(b):
                if mask & window and b - (mask & window).bit_count() <= spare:
                    found |= mask & window | 1 << s
    return found


def lows(hand: Sequence[Face], phase: Phase) -> list[int]:
    """Return every k for which some way to lay the phase has exactly k spare wilds at the low end of its run."""
    runs = [part.size for part in phase if part.kind == RUN]
    held = count(hand)
    if not runs:
        return []
    if len(phase) == 1:
        choices = [(held.mask, held.wilds)]
    else:
        choices = []
        for s in NUMBERS:
            have, a = held.numbers[s], phase[0].size
            if have:
                choices.append((held.mask & ~(1 << s), held.wilds - max(0, a - have)))
            if have >= 2:
                choices.append((held.mask, held.wilds - max(0, a - have + 1)))
    return [k for k in range(held.wilds + 1) if any(_run_with_low(*choice, runs[0], k) for choice in choices)]


def _run_with_low(mask: int, wilds: int, size: int, k: int) -> bool:
    """Tell whether a run of at least this size can begin with k wilds and then a natural."""
    for first in range(LOWEST + k, HIGHEST + 1):
        last = max(first, first - k + size - 1)
        if mask >> first & 1 and last <= HIGHEST:
            missing = last - first + 1 - (mask >> first & (1 << (last - first + 1)) - 1).bit_count()
            if k + missing <= wilds:
                return True
    return False
