"""Match the groups of one move to the groups that a phase asks for."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from .groups import Group, build
from .rules import RUN, Face, Phase, RuleBroken, Wanted


def match(phase: Phase, groups: Sequence[Sequence[Face]], low: int | None = None) -> list[Group]:
    """Make the groups of a phase out of these cards, in the order in which they were sent.

    The sent order decides which group is which if it fits, else any matching that fits. `low` is about the phase's run.

    Raises: RuleBroken("wrong_groups") for a wrong number of groups, else what is wrong with the sent order.
    """
    if len(groups) != len(phase):
        raise RuleBroken("wrong_groups", n=len(phase), have=len(groups))
    try:
        return _fit(phase, groups, low)
    except RuleBroken as broken:
        reason = broken
    for order in permutations(phase):
        try:
            return _fit(order, groups, low)
        except RuleBroken:
            continue
    raise reason


def _fit(wanted: Sequence[Wanted], groups: Sequence[Sequence[Face]], low: int | None) -> list[Group]:
    if low and all(part.kind != RUN for part in wanted):
        raise RuleBroken("too_many_low", n=0)
    return [
        build(part, cards, low if part.kind == RUN else None) for part, cards in zip(wanted, groups, strict=True)
    ]
