"""Another hand on a seat's cards: a computer player plays on for somebody, or hands back. The log tells everybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .encoding import plain
from .errors import CarteadoError, DesignFault, Refused
from .words import P
from .zones import Seat

if TYPE_CHECKING:
    from .match import Commit, Match


def takeover(match: Match, seat: Seat, level: str | None) -> Commit:
    """Let a computer player of this level play a seat on, or (None) hand it back. Raises: Refused with no_seat, over or left."""
    match._seat(seat)
    if level is not None and (type(level) is not str or not level):
        raise DesignFault(f"a level of computer players is a word, not {level!r}")
    if match.phase == "over":
        raise Refused("over")
    if level is None and seat in match.left:
        raise Refused("left")
    entry = {"n": match.q + 1, "k": "takeover", "seat": seat, "level": plain(level)}
    table = match.table
    table.begin()
    try:
        if level is None:
            table.say("takeover.back", who=P(seat))
        else:
            table.say("takeover.bot", who=P(seat), level=level)
        raw = [("takeover", seat, level), *table.hold()]
        packed = match._packed(entry, raw)
    except CarteadoError:
        table.rollback()
        raise
    table.commit()
    match.seats[seat]["bot"] = level
    return match._record(entry, raw, packed)
