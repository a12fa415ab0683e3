"""Chips by place: what the first win, the last lose. Whole chips, and every settlement sums to zero with the house.

Among n players place p is worth `stake * (n + 1 - 2 * p)`; tied places share their values equally.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

FREE, PENALTY, LOSS, KEPT = "free", "penalty", "loss", "kept"
"""How somebody left: before the second hand; later; once there was a winner; after finishing with a place."""


def by_place(stake: int, players: int, places: Sequence[Sequence[int]], left: Mapping[int, str] | None = None) -> tuple[list[int], int]:
    """Return each seat's chips and the house's.

    places: groups of tied seats, best first; seats that left for a penalty or a loss stand last in them, free leavers nowhere.
    left: seat -> how it left. A free leaver pays nothing and the table is paid as if he had not been there; a penalty is the loss of
    the last place, whatever the place; a leaver never gains; the surplus goes to the first place, its indivisible rest to the house.
    """
    left = left or {}
    n = players - sum(1 for how in left.values() if how == FREE)
    chips = [0] * players
    place = 1
    for group in places:
        value = stake * (n + 1 - 2 * place - (len(group) - 1))
        for seat in group:
            how = left.get(seat)
            if how == PENALTY:
                chips[seat] = -stake * (n - 1)
            elif how == LOSS:
                chips[seat] = min(0, value)
            else:
                chips[seat] = value
        place += len(group)
    surplus = -sum(chips)
    if places and surplus:
        share = surplus // len(places[0])
        for seat in places[0]:
            chips[seat] += share
    return chips, -sum(chips)
