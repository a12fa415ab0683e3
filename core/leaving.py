"""Leaving for good: what it costs, who plays on, and what becomes of the cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .answering import open_sealed
from .chips import FREE, KEPT, LOSS, PENALTY
from .ending import placed
from .errors import CarteadoError, PluginFault, Refused
from .events import Event
from .result import Result
from .zones import Seat

if TYPE_CHECKING:
    from .match import Commit, Match


def leave(match: Match, seat: Seat) -> Commit:
    """Let a player leave for good. Raises: Refused with no_seat, over or left."""
    match._seat(seat)
    if match.phase == "over":
        raise Refused("over")
    if seat in match.left:
        raise Refused("left")
    table = match.table
    finished = any(seat in group for group in match.finished)
    substitute = finished or match.options["substitute"] or not match.rules.has("leave")
    how = _price(match, finished, substitute)
    raw = _taken_out(match, seat, how, substitute)
    before = (table.placed, dict(match.seats[seat]))
    match.left[seat] = how
    match.left_order.append(seat)
    table.placed = placed(match)
    if not substitute:
        match.gone.add(seat)
    elif not finished:
        match.seats[seat]["bot"] = match.seats[seat]["bot"] or "rule"
    entry = {"n": match.q + 1, "k": "leave", "seat": seat}
    try:
        if len(placed(match)) < 2 and how != KEPT:
            return match._settle(entry, raw, Result({}, over=True, reason=["over.left", {}]))
        return match._settle(entry, raw)
    except CarteadoError:
        del match.left[seat]
        match.left_order.remove(seat)
        match.gone.discard(seat)
        table.placed, match.seats[seat] = before
        raise


def price(match: Match, seat: Seat) -> tuple[str, int, bool] | None:
    """Return what it costs a player to leave now, None if there is nobody to leave.

    How it leaves, the chips of a penalty (0 when the game settles itself, or when it depends on the end), and whether a computer player
    goes on.
    """
    if match.phase == "over" or seat in match.left:
        return None
    finished = any(seat in group for group in match.finished)
    substitute = finished or match.options["substitute"] or not match.rules.has("leave")
    how = _price(match, finished, substitute)
    players = len(match.seats) - sum(1 for other in match.left.values() if other == FREE)
    known = how == PENALTY and not match.rules.has("settle")
    return how, -match.options["stake"] * (players - 1) if known else 0, bool(substitute)


def _price(match: Match, finished: bool, substitute: bool) -> str:
    """Return how a player leaves: with a kept result, for the ordinary loss, free, or for a penalty."""
    if finished or (substitute and match.game.leaver_keeps_result):
        return KEPT
    if match.finished:
        return LOSS
    return FREE if match.table.hand < 2 else PENALTY


def _taken_out(match: Match, seat: Seat, how: str, substitute: bool) -> list[Event]:
    """Open a draft in which the seat has left, its cards taken out by the game when nobody plays them on; return the events."""
    table = match.table
    in_hand = match.phase == "playing" and seat in table.seats
    table.begin()
    assert table._events is not None
    table._events.append(("leave", seat, how))
    try:
        if not substitute and in_hand:
            table.seats = tuple(other for other in table.seats if other != seat)
            if seat in table._prompts:
                table.close(seat)
            table._sealed = {other: action for other, action in table._sealed.items() if other != seat}
            if not match.rules.leave(table, seat):
                raise PluginFault(match.game.name, "leave", "did not take the seat out of the hand")
            open_sealed(match)
        raw = table.hold()
        match._conserve("leave")
    except CarteadoError:
        table.rollback()
        raise
    return raw
