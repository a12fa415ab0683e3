"""Who ends where, and what it is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .chips import FREE, KEPT, by_place
from .result import Result
from .zones import Seat


class Ending(NamedTuple):
    """A hand's result worked out: new totals, the places fixed so far, and at the match's end all places and chips."""

    result: Result
    totals: list[int]
    finished: list[list[Seat]]
    over: bool
    places: list[list[Seat]]
    chips: list[int]
    house: int


def ranked(seats: Sequence[Seat], totals: Sequence[int], score: str) -> list[list[Seat]]:
    """Group seats by their points, best first."""
    groups: dict[int, list[Seat]] = {}
    for seat in seats:
        groups.setdefault(totals[seat], []).append(seat)
    return [groups[points] for points in sorted(groups, reverse=score == "high")]


def final_places(
    finished: Sequence[Sequence[Seat]],
    ranking: Sequence[Sequence[Seat]] | None,
    playing: Sequence[Seat],
    totals: Sequence[int],
    score: str,
    left_order: Sequence[Seat],
    left: Mapping[Seat, str],
) -> list[list[Seat]]:
    """Return groups of tied seats, best first: the finished, then those still playing, then those who left (the first to go last)."""
    places = [list(group) for group in finished]
    placed: set[Seat] = set()
    for group in ranking or []:
        tied = [seat for seat in group if seat in playing]
        if tied:
            places.append(tied)
            placed.update(tied)
    places += ranked([seat for seat in playing if seat not in placed], totals, score)
    places += [[seat] for seat in reversed(left_order) if left[seat] not in (FREE, KEPT)]
    return places


def chips(
    stake: int, players: int, places: Sequence[Sequence[Seat]], left: Mapping[Seat, str], own: Mapping[Seat, int] | None
) -> tuple[list[int], int]:
    """Return chips by seat and the house's: the game's own settlement if there is one, else by place."""
    if own is None:
        return by_place(stake, players, places, left)
    money = [own.get(seat, 0) for seat in range(players)]
    return money, -sum(money)
