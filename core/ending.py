"""Who ends where, and what it is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .chips import FREE, KEPT, by_place
from .errors import PluginFault
from .result import Result
from .zones import Seat

if TYPE_CHECKING:
    from .match import Match


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


def playing(match: Match) -> tuple[Seat, ...]:
    """Return the seats that are dealt in: not finished, and not left without a substitute."""
    settled = {seat for group in match.finished for seat in group}
    return tuple(seat for seat in match.table.players if seat not in settled and seat not in match.gone)


def placed(match: Match) -> tuple[Seat, ...]:
    """Return the seats that can still get a place."""
    settled = {seat for group in match.finished for seat in group}
    return tuple(seat for seat in match.table.players if seat not in settled and counts(match, seat))


def counts(match: Match, seat: Seat) -> bool:
    """Tell whether a seat can still get a place: nobody left it, or whoever left keeps its result."""
    return match.left.get(seat, KEPT) == KEPT


def work_out(match: Match, result: Result) -> Ending:
    """Return what a hand's result comes to. Raises: PluginFault when it finishes a seat twice, or the game settles badly."""
    table = match.table
    totals = [table.points(seat) + result.points.get(seat, 0) for seat in table.players]
    settled = {seat for group in match.finished for seat in group}
    if any(seat in settled for group in result.finished for seat in group):
        raise PluginFault(match.game.name, "scoring", f"finishes seats that are finished already: {result.finished}")
    finished = [[seat for seat in group if counts(match, seat)] for group in result.finished]
    places_now = [*match.finished, *[group for group in finished if group]]
    settled = {seat for group in places_now for seat in group}
    playing = [seat for seat in table.players if seat not in settled and counts(match, seat)]
    over = result.over or len(playing) < (2 if any(how != KEPT for how in match.left.values()) else 1)
    places: list[list[Seat]] = []
    money: list[int] = []
    house = 0
    if over:
        places = final_places(places_now, result.ranking, playing, totals, match.game.score, match.left_order, match.left)
        own = match.rules.settle(table, places)
        money, house = chips(match.options["stake"], len(table.players), places, match.left, own)
    return Ending(result, totals, places_now, over, places, money, house)
