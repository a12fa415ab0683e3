"""Rank players: who finished phase 10, who has not, and when a match is over."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from itertools import groupby

from .rules import PLACES_PLAYED_FOR

Seat = int


def rank_finishers(points: Mapping[Seat, int], went_out: Seat | None) -> list[list[Seat]]:
    """Rank those who laid phase 10 in the same hand: fewest points, of equals who went out, else a shared place."""
    return _tied({seat: (points[seat], seat != went_out) for seat in points})


def rank_unfinished(points: Mapping[Seat, int], phases: Mapping[Seat, int]) -> list[list[Seat]]:
    """Rank those who have not finished: the higher phase to play first, then fewer points, then a shared place."""
    return _tied({seat: (-phases[seat], points[seat]) for seat in points})


def over(players: int, finished: Collection[Seat], unfinished: Collection[Seat], until_three: bool) -> bool:
    """Tell whether the match is over: somebody finished, or (until three) enough have, or one unfinished is left."""
    if not finished:
        return False
    if not until_three:
        return True
    return len(finished) >= min(PLACES_PLAYED_FOR, players - 1) or len(unfinished) <= 1


def _tied(keys: Mapping[Seat, tuple[int, int]] | Mapping[Seat, tuple[int, bool]]) -> list[list[Seat]]:
    order: Iterable[Seat] = sorted(keys, key=lambda seat: (keys[seat], seat))
    return [list(same) for _, same in groupby(order, key=lambda seat: keys[seat])]
