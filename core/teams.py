"""Teams: who plays with whom."""

from __future__ import annotations

from collections.abc import Sequence

from .errors import DesignFault
from .zones import Seat


def teams_of(groups: Sequence[tuple[Seat, ...]], players: int) -> tuple[frozenset[Seat], ...]:
    """Return each seat's team, () in a game without. Raises: DesignFault unless every seat is in one team at most."""
    seats = [seat for group in groups for seat in group]
    if len(seats) != len(set(seats)) or any(type(seat) is not int or not 0 <= seat < players for seat in seats):
        raise DesignFault(f"the teams {list(groups)!r} are no teams of {players} seats: each seat stands in one at most")
    if not groups:
        return ()
    return tuple(frozenset(next((group for group in groups if seat in group), (seat,))) for seat in range(players))
