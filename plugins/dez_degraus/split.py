"""Split a flat selection of cards into the groups of a phase, using every card: exact, also for wilds and extra cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .groups import Group
from .phases import match
from .rules import RUN, SKIP, WILD, Face, Phase, RuleBroken, by_number, number


def split(phase: Phase, cards: Sequence[Face], low: int | None = None) -> list[Group]:
    """Return the phase's groups made of exactly these cards, in the phase's order.

    When several splits fit, the first set is the one of the lower number, and a run takes as few wilds as it can.

    Raises: RuleBroken("no_split") if no split of all these cards makes a phase of two groups, else what is wrong with
    them: "skip_in_group", "too_few", "no_natural", a `low` that no split can keep; for one group what `build` refuses.
    """
    if len(phase) == 1:
        return match(phase, [cards], low)
    if SKIP in cards:
        raise RuleBroken("skip_in_group")
    need = sum(part.size for part in phase)
    if len(cards) < need:
        raise RuleBroken("too_few", need=need, have=len(cards))
    naturals = sorted((face for face in cards if face != WILD), key=by_number)
    if len(naturals) < len(phase):
        raise RuleBroken("no_natural")
    wilds = len(cards) - len(naturals)
    (_, first), (kind, second) = phase
    ways = _set_and_run if kind == RUN else _two_sets
    reason = RuleBroken("no_split")
    for way in sorted(ways(naturals, wilds, first, second)):
        try:
            return match(phase, way[-1], low)
        except RuleBroken as broken:
            reason = broken
    raise reason


Way = tuple[int, int, list[list[Face]]]
"""A rank (lower is better), how many wilds are in the second group, and the two groups."""


def _share(rank: int, first: list[Face], second: list[Face], wilds: int, a: int, b: int) -> Iterator[Way]:
    """Yield every way to deal the wilds out so that the groups reach `a` and `b` cards."""
    for lent in range(max(0, b - len(second)), wilds - max(0, a - len(first)) + 1):
        yield rank, lent, [first + [WILD] * (wilds - lent), second + [WILD] * lent]


def _two_sets(naturals: Sequence[Face], wilds: int, a: int, b: int) -> Iterator[Way]:
    numbers = sorted({number(face) for face in naturals})
    if len(numbers) > 2:
        return
    if len(numbers) == 1:
        cuts = [(list(naturals[:cut]), list(naturals[cut:])) for cut in range(1, len(naturals))]
    else:
        one, two = ([face for face in naturals if number(face) == n] for n in numbers)
        cuts = [(one, two), (two, one)]
    for rank, (first, second) in enumerate(cuts):
        yield from _share(rank, first, second, wilds, a, b)


def _set_and_run(naturals: Sequence[Face], wilds: int, a: int, size: int) -> Iterator[Way]:
    """Try each number as the set's: the run takes all other naturals, and one or none of that number."""
    for n in sorted({number(face) for face in naturals}):
        same = [face for face in naturals if number(face) == n]
        others = [face for face in naturals if number(face) != n]
        for lent in (0, 1):
            run = sorted(others + same[:lent], key=by_number)
            rest = same[lent:]
            numbers = [number(face) for face in run]
            if rest and run and len(set(numbers)) == len(numbers):
                span = numbers[-1] - numbers[0] + 1
                yield from _share(0, rest, run, wilds, a, max(size, span))
