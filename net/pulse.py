"""The pulse of a host: once a second it says where every table is, looks after who is silent, and gives back time that was lost."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping

from . import limits
from .clock import Clock
from .codec import encode
from .dispatch import Dispatcher
from .feed import Turn
from .protocol import Heartbeat
from .saving import Saver
from .sessions import Sessions
from .tables import Table
from .turns import Turns


class Pulse:
    """Beat once a second of a clock. emit: sends a frame to everybody on a topic of FEED."""

    def __init__(
        self, tables: MutableMapping[str, Table], sessions: Sessions, dispatcher: Dispatcher, turns: Turns, saver: Saver, clock: Clock,
        epoch: bytes, emit: Callable[[bytes, bytes], None],
    ) -> None:  # fmt: skip
        self._tables = tables
        self._sessions = sessions
        self._dispatcher = dispatcher
        self._turns = turns
        self._saver = saver
        self._clock = clock
        self._epoch = epoch
        self._emit = emit
        self._lost = 0.0

    async def run(self) -> None:
        """Beat until cancelled."""
        while True:
            began = self._clock.now()
            await self._clock.sleep(limits.HEARTBEAT)
            late = self._clock.now() - began - limits.HEARTBEAT
            self._lose((late if late > limits.GAP else 0.0) + (limits.HEARTBEAT if self._saver.frozen else 0.0))
            heads = {table.id: table.head for table in self._tables.values() if table.head[0] and not table.private}
            self._emit(b"hb", encode(Heartbeat(self._epoch, heads, self._saver.frozen)))
            self._saver.look()
            if not self._saver.frozen:
                self._turns.post(self._look)

    def _lose(self, seconds: float) -> None:
        """Give everybody back the time in which the host was stopped, or waited for its store, once it goes on."""
        self._lost += seconds
        if self._saver.frozen:
            return
        seconds, self._lost = self._lost, 0.0

        def lose(turn: Turn) -> None:
            for session in self._sessions:
                session.heard = min(turn.now, session.heard + seconds)
            for table in self._tables.values():
                table.lost(seconds, turn)

        if seconds > 0:
            self._turns.post(lose)

    def _look(self, turn: Turn) -> None:
        for session in self._sessions.silent(turn.now):
            self._dispatcher.part(session, turn)
        for table in list(self._tables.values()):
            table.look(turn)
            if table.deserted(turn.now) >= limits.DESERTED:
                self._dispatcher.close(table, turn)
