"""What a client counts down by itself between two messages: clocks, and how long people who are away are waited for."""

from __future__ import annotations

from dataclasses import dataclass

from .chairs import AWAY, LAGGING
from .protocol import Table
from .terms import Clocks


@dataclass(frozen=True)
class Missing:
    """Somebody who is not heard of. quiet: for how many seconds. left: seconds that the table still waits, None if it does not count.

    line: `lagging | away`. substitute: the level of the computer player that plays on meanwhile.
    """

    seat: int
    name: str
    line: str
    quiet: float
    left: float | None = None
    substitute: str | None = None


class Countdown:
    """Remember what the newest messages said about time, and when they came."""

    def __init__(self) -> None:
        self._clocks: Clocks | None = None
        self._clocks_at = 0.0
        self._table: Table | None = None
        self._table_at = 0.0

    def tell(self, clocks: Clocks | None, now: float) -> None:
        """Take in the clocks of a message."""
        self._clocks, self._clocks_at = clocks, now

    def seat(self, table: Table, now: float) -> None:
        """Take in who sits at the table."""
        self._table, self._table_at = table, now
        self.tell(table.clk, now)

    def clocks(self, now: float) -> Clocks | None:
        """Return the clocks as they are now, None without any."""
        told = self._clocks
        if told is None or not told.run:
            return told
        gone = max(0, int((now - self._clocks_at) * 1000))
        both = zip(told.move, told.bank, strict=False)
        bank = [left if move is None else max(0, left - max(0, gone - move)) for move, left in both]
        return Clocks([None if move is None else max(0, move - gone) for move in told.move], bank)

    def missing(self, now: float) -> list[Missing]:
        """Return who is lagging or away, and for how long the table still waits for them."""
        table, gone = self._table, now - self._table_at
        if table is None:
            return []
        gone_by = gone if table.stage in ("playing", "between") else 0.0
        return [
            Missing(chair.seat, chair.name, chair.line, chair.quiet_ms / 1000 + gone, _left(chair.grace_ms, gone_by), chair.substitute)
            for chair in table.chairs
            if chair.line in (LAGGING, AWAY)
        ]


def _left(ms: int | None, gone: float) -> float | None:
    return None if ms is None else max(0.0, ms / 1000 - gone)
