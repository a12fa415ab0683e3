"""Matches on their way back after a start: replayed a few entries at a time, those that somebody waits for before the others.

So a host listens at once, however much it has kept, and nobody waits for a table at which he does not play.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from carteado.core.errors import Refused
from carteado.core.journal import Journal
from carteado.core.match import Match
from carteado.core.replay import replay, step

from . import protocol
from .collector import spare
from .dispatch import Dispatcher
from .errors import NoRoom, StoreFailure
from .feed import Turn
from .logs import note
from .resuming import DAMAGED, held, open_wanted, reason, told
from .saving import AGAIN
from .settings import TableSpec
from .store import Store, StoredTable
from .tables import Table
from .turns import Turns

log = logging.getLogger(__name__)

SLICE: Final = 0.004
"""Seconds of real time after which a replay lets everything else have its turn; the entry that it is at is finished first."""
REST: Final = 1 / 3
"""How long the loop is left alone between two slices that nobody waits for, as a share of a slice."""


@dataclass(eq=False)
class Way:
    """The way back of one table.

    kept: what the start has read of it; stored: all of it, once that is read. match: as far as it is replayed, with its public hash.
    due: when reading is tried again, in monotonic seconds; 0: it has not failed.
    """

    table: Table
    kept: StoredTable
    stored: StoredTable | None = None
    match: Match | None = None
    h: bytes = b""
    due: float = 0.0
    done: asyncio.Event = field(default_factory=asyncio.Event)

    def begin(self, stored: StoredTable) -> None:
        """Set out with what was kept. Raises: JournalMismatch."""
        self.stored = stored
        self.match = replay(Journal(dict(stored.header or {})), self.table.game, house=self.table.house)

    def go(self) -> bool:
        """Replay for a few milliseconds; return whether the end is reached. Raises: JournalMismatch."""
        assert self.stored is not None
        assert self.match is not None
        began, entries, match = time.perf_counter(), self.stored.entries, self.match
        while match.q < len(entries):
            step(match, dict(entries[match.q]))
            self.h = match.h  # asked for at the end, the chain would have to be worked out all at once
            if time.perf_counter() - began >= SLICE:
                break
        return match.q == len(entries)


class Returning:
    """Bring every table back whose match was going on when the last host ended.

    go_on: called in the turn in which a table is there again, or is known to be never. wanted: the tables that this host was told to
    open.
    """

    def __init__(
        self, dispatcher: Dispatcher, store: Store, turns: Turns, wanted: Sequence[TableSpec], go_on: Callable[[Hashable, Turn], None]
    ) -> None:  # fmt: skip
        self._dispatcher = dispatcher
        self._store = store
        self._turns = turns
        self._wanted = wanted
        self._go_on = go_on
        self._ways: dict[Table, Way] = {}
        self._first: dict[Table, None] = {}
        self._kept: frozenset[str] = frozenset()
        self._called = asyncio.Event()

    def __len__(self) -> int:
        """Return how many tables are on their way."""
        return len(self._ways)

    def expect(self, stored: Sequence[StoredTable]) -> None:
        """See which of the host's tables are not there yet; stored: all that were kept."""
        self._kept = frozenset(kept.table.id for kept in stored)
        self._ways = {table: Way(table, table.pending) for table in self._dispatcher.tables.values() if table.pending is not None}

    def missing(self, message: protocol.PeerMessage) -> Table | None:
        """Return the table that a message is for, if it is not there yet; it comes before the others then.

        A wrong token is for none: it is refused at once, as at a table that was never there.
        """
        if not isinstance(message, protocol.Join | protocol.Reclaim):
            return None
        table = self._dispatcher.tables.get(message.m)
        if table not in self._ways or (isinstance(message, protocol.Reclaim) and not table.opens(message.seat, message.token)):
            return None
        self._need(table)
        return table

    async def back(self, tables: Iterable[Table]) -> None:
        """Return when these are there, before the others."""
        ways = [self._ways[table] for table in tables if table in self._ways]
        for way in ways:
            self._need(way.table)
        for way in ways:
            await way.done.wait()

    async def run(self) -> None:
        """Bring all of them back."""
        count, began = len(self._ways), time.monotonic()
        while self._ways:
            way = self._next()
            try:
                rest = await self._further(way) if way.due <= time.monotonic() else way.due - time.monotonic()
            except StoreFailure as failure:
                if not way.due:
                    log.error("what was kept of a table cannot be read now, it waits: %s", failure)
                way.due = time.monotonic() + AGAIN
                rest = 0.0
            await self._rest(rest)
        if count:
            note(log, "tables.resumed", tables=count, seconds=round(time.monotonic() - began, 1))

    def _next(self) -> Way:
        """Return the way to go on now, else that which can be gone first."""
        now, ways = time.monotonic(), (self._ways[table] for table in chain(self._first, self._ways))
        return next((way for way in ways if way.due <= now), None) or min(self._ways.values(), key=lambda way: way.due)

    def _need(self, table: Table) -> None:
        self._first[table] = None
        self._called.set()

    async def _rest(self, seconds: float) -> None:
        """Leave the loop alone for so long, or until somebody asks for a table."""
        self._called.clear()
        timer = asyncio.get_running_loop().call_later(seconds, self._called.set)
        await self._called.wait()
        timer.cancel()

    async def _further(self, way: Way) -> float:
        """Go one piece of a way; return for how many seconds the loop is left alone then. Raises: StoreFailure."""
        began, why = time.perf_counter(), ""
        try:
            if self._dispatcher.tables.get(way.table.id) is not way.table:
                pass  # it was closed
            elif way.stored is None:
                stored = await self._store.whole(way.table.id)
                began = time.perf_counter()
                if stored is not None and not stored.fault:
                    way.begin(stored)
                    return 0.0
                why = told(stored.fault) if stored is not None else "What was kept of this table is gone."
            elif not way.go():
                return 0.0 if way.table in self._first else REST * (time.perf_counter() - began)
        except StoreFailure:
            raise
        except DAMAGED as error:
            why = reason(way.kept, way.table.game, error)
        await self._turns.order(self._dispatcher, lambda desk, turn: self._arrive(way, why, turn))
        return 0.0

    def _arrive(self, way: Way, why: str, turn: Turn) -> None:
        """Let a table go on with its match, or (why) hold it; then whoever waits for it."""
        table = way.table
        del self._ways[table]
        self._first.pop(table, None)
        if self._dispatcher.tables.get(table.id) is table:
            before = StoredTable(table.record())
            why = why or self._restored(way, turn)
            if why:
                self._hold(table, before, why, turn)
        spare()
        way.done.set()
        self._go_on(table, turn)

    def _restored(self, way: Way, turn: Turn) -> str:
        """Give a table its match; return why that cannot be, or an empty text."""
        assert way.stored is not None
        assert way.match is not None
        try:
            way.table.restore(way.match, way.stored.answers, turn)
        except DAMAGED as error:
            return reason(way.kept, way.table.game, error)
        return ""

    def _hold(self, table: Table, before: StoredTable, why: str, turn: Turn) -> None:
        """Leave a table as it was kept, and open what this host was told to open under its id."""
        stands = held(self._dispatcher, before, table.game, why, turn)
        assert stands is not None
        self._dispatcher.tables[table.id] = stands
        turn.changed(stands)
        try:
            open_wanted(self._dispatcher, [spec for spec in self._wanted if spec.id == table.id], self._kept, turn)
        except (Refused, NoRoom) as refusal:
            log.error("there is no other table in the place of %s: %s", table.id, refusal)
