"""Find the hits that empty a hand as far as possible: a small memoised search over the ends of the runs on the table.

A card that fits a set or a colour can always be added there and changes nothing for the others; only runs grow, so only
they are searched. Taking the first card that fits would lose hands: a wild may be what joins two more cards to a run.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from operator import mul
from typing import NamedTuple

from .groups import LONGEST_RUN, Group
from .rules import HIGHEST, LOWEST, POINTS_WILD, RUN, SKIP, WILD, Face, card_points, is_natural, number


class Hit(NamedTuple):
    """One card added to one group (by index); `low` is 1 for a wild at a run's low end, 0 for one at its high end."""

    face: Face
    group: int
    low: int | None


class _Step(NamedTuple):
    """A run grows by one number, with a card of the hand or with a wild; `free` cards would fit a set or colour too."""

    run: tuple[int, int]
    number: int
    means: str


_STUCK, _FREE, _WILD = "stuck", "free", "wild"
_Hand = tuple[tuple[int, ...], tuple[int, ...], int]
"""Cards per number that fit only runs, cards per number that fit elsewhere too, wilds."""
_Runs = tuple[tuple[int, int], ...]
_POINTS = (0, *(card_points(f"R{n}") for n in range(LOWEST, HIGHEST + 1)))


def hits(hand: Sequence[Face], groups: Sequence[Group]) -> list[Hit]:
    """Return hits, in an order in which each is legal, that leave the fewest cards (then the fewest points) in hand."""
    homes = {face: _home(face, groups) for face in set(hand) if face != SKIP}
    stuck, free = [0] * (HIGHEST + 1), [0] * (HIGHEST + 1)
    for face in hand:
        if is_natural(face):
            (stuck if homes[face] is None else free)[number(face)] += 1
    runs = {index: (group.low, group.high) for index, group in enumerate(groups) if group.kind == RUN}
    wilds = sum(face == WILD for face in hand)
    home_for_wilds = any(group.kind != RUN for group in groups)
    *_, steps = _best((tuple(stuck), tuple(free), wilds), tuple(sorted(runs.values())), home_for_wilds)
    return _play(list(hand), homes, runs, steps)


def _home(face: Face, groups: Sequence[Group]) -> int | None:
    """Return the first set or colour that takes this card."""
    for index, group in enumerate(groups):
        if group.kind != RUN and (face == WILD or group.of in (number(face), face[0])):
            return index
    return None


@lru_cache(maxsize=4_096)
def _best(hand: _Hand, runs: _Runs, home_for_wilds: bool) -> tuple[int, int, int, tuple[_Step, ...]]:
    """Return (cards left, points left, wilds used on runs, steps) of the best way to go on."""
    stuck, free, wilds = hand
    room = wilds if home_for_wilds else sum(LONGEST_RUN - 1 - high + low for low, high in runs)
    lost = max(0, wilds - room)
    left = sum(stuck) + lost
    best: tuple[int, int, int, tuple[_Step, ...]] = (left, sum(map(mul, stuck, _POINTS)) + lost * POINTS_WILD, 0, ())
    if not left:
        return best
    for run in dict.fromkeys(runs):
        low, high = run
        for grown, n in (((low - 1, high), low - 1), ((low, high + 1), high + 1)):
            if not LOWEST <= n <= HIGHEST:
                continue
            for means in _means(n, stuck, free, wilds):
                rest = list(runs)
                rest[rest.index(run)] = grown
                cards, points, used, steps = _best(_without(hand, n, means), tuple(sorted(rest)), home_for_wilds)
                found = (cards, points, used + (means == _WILD), (_Step(run, n, means), *steps))
                if found[:3] < best[:3]:
                    best = found
    return best


def _means(n: int, stuck: Sequence[int], free: Sequence[int], wilds: int) -> list[str]:
    """Return what the hand has for number n: a card that fits nothing else is always the one to take."""
    if stuck[n]:
        return [_STUCK]
    return [_FREE] * bool(free[n]) or [_WILD] * bool(wilds)


def _without(hand: _Hand, n: int, means: str) -> _Hand:
    stuck, free, wilds = hand
    if means == _WILD:
        return stuck, free, wilds - 1
    changed = list(stuck if means == _STUCK else free)
    changed[n] -= 1
    return (tuple(changed), free, wilds) if means == _STUCK else (stuck, tuple(changed), wilds)


def _play(
    hand: list[Face], homes: dict[Face, int | None], runs: dict[int, tuple[int, int]], steps: Sequence[_Step]
) -> list[Hit]:
    """Turn steps on runs into hits of faces, then add what fits sets and colours, wilds last."""
    played = []
    for run, n, means in steps:
        index = next(index for index, known in runs.items() if known == run)
        down = n < run[0]
        runs[index] = (n, run[1]) if down else (run[0], n)
        face = WILD if means == _WILD else next(f for f in hand if _plays(f, n, means, homes))
        hand.remove(face)
        played.append(Hit(face, index, int(down) if face == WILD else None))
    for face in sorted((face for face in hand if face != SKIP), key=lambda face: face == WILD):
        home = homes[face]
        if home is None and face == WILD:
            home = next((index for index, (low, high) in runs.items() if high - low + 1 < LONGEST_RUN), None)
            if home is not None:
                low, high = runs[home]
                down = high == HIGHEST
                runs[home] = (low - 1, high) if down else (low, high + 1)
                played.append(Hit(face, home, int(down)))
        elif home is not None:
            played.append(Hit(face, home, None))
    return played


def _plays(face: Face, n: int, means: str, homes: dict[Face, int | None]) -> bool:
    return is_natural(face) and number(face) == n and (homes[face] is None) == (means == _STUCK)
