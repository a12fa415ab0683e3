"""What `scoring` returns when a hand is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .encoding import plain
from .errors import DesignFault

Message = list[Any]
MOST_POINTS = 1 << 40
"""What one hand can give or take; far below where a whole number has no encoding."""


class Result:
    """The end of a hand.

    points: seat -> points of this hand, added to the match.
    keep: match facts that survive the hand (`table.kept`); public.
    finished: groups of tied seats, best first, whose places are fixed now; they sit out the hands to come.
    over: the match ends with this hand.
    ranking: groups of tied seats, best first, for the seats that are not finished; None ranks by points.
    reason: one message that says why the hand ended.
    sheet: the score sheet, `[{"title": message, "lines": [message]}]`.
    """

    __slots__ = ("finished", "keep", "over", "points", "ranking", "reason", "sheet")

    def __init__(
        self,
        points: Mapping[int, int],
        keep: Mapping[str, Any] | None = None,
        finished: Sequence[Sequence[int]] = (),
        over: bool = False,
        ranking: Sequence[Sequence[int]] | None = None,
        reason: Message | None = None,
        sheet: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        self.points = dict(points)
        self.keep = dict(keep or {})
        self.finished = [list(group) for group in finished]
        self.over = over
        self.ranking = None if ranking is None else [list(group) for group in ranking]
        self.reason = reason
        self.sheet = [dict(part) for part in sheet]

    def check(self, players: int) -> None:
        """Raise DesignFault unless seats and points make sense for this many players and the rest is plain data, which is copied."""
        for seat, points in self.points.items():
            if type(seat) is not int or not 0 <= seat < players or type(points) is not int or abs(points) > MOST_POINTS:
                raise DesignFault(f"a result gives seat {seat!r} {points!r} points; both are whole numbers")
        self.keep = plain(self.keep)
        self.reason = plain(self.reason)
        self.sheet = plain(self.sheet)
        for groups in (self.finished, self.ranking or []):
            seats = [seat for group in groups for seat in group]
            if len(seats) != len(set(seats)) or any(type(s) is not int or not 0 <= s < players for s in seats):
                raise DesignFault(f"a result ranks seats {groups!r}: each seat of the table once at most")
