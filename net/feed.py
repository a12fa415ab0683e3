"""One turn of the host's loop, and what it shows: every viewer's own view on TABLE, what everybody may know on FEED.

`project` is the only function that makes a state for anybody; it asks the core for exactly that viewer's view. What goes to FEED
is the watcher's, so there is nothing private to subscribe to.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from carteado.core.errors import CarteadoError
from carteado.core.match import Commit

from .chairs import Chair
from .codec import encode
from .errors import BadFrame
from .keys import KeyPair
from .protocol import HostKind, Joined, State
from .sessions import Session
from .store import Record
from .tables import Table


def project(table: Table, viewer: int | None, epoch: bytes, commit: Commit | None = None) -> bytes:
    """Return the encoded `state` of a table's match for one viewer, with the events of its newest version.

    Raises: CarteadoError when the game cannot be shown.
    """
    match = table.match
    assert match is not None
    events = commit.events(viewer) if commit is not None else []
    return encode(State(table.id, table.number, epoch, match.q, match.h, match.view(viewer), events))


def topic(table: str) -> bytes:
    """Return FEED's topic of what happens at a table now."""
    return f"{table}/live".encode()


@dataclass
class Turn:
    """What one turn of the loop keeps and then shows, in this order; nothing is sent before everything is kept."""

    now: float
    epoch: bytes
    records: list[Record] = field(default_factory=list)
    sends: list[tuple[Session, bytes]] = field(default_factory=list)
    feed: list[tuple[bytes, bytes]] = field(default_factory=list)
    heads: dict[Table, tuple[int, int, bytes]] = field(default_factory=dict)
    hired: list[tuple[Table, Chair, KeyPair]] = field(default_factory=list)
    alarms: list[tuple[Table, float]] = field(default_factory=list)
    after: list[Callable[[], None]] = field(default_factory=list)
    _changed: dict[Table, None] = field(default_factory=dict)
    _seated: list[tuple[Session, bytes | None]] = field(default_factory=list)

    def save(self, record: Record) -> None:
        """Keep a record with everything else of this turn."""
        self.records.append(record)

    def send(self, session: Session, message: HostKind) -> None:
        """Send a message to one session."""
        self.sends.append((session, encode(message)))

    def show(self, table: Table, commit: Commit) -> None:
        """Show a committed version to everybody at the table, and on FEED."""
        match = table.match
        assert match is not None
        table.frames.clear()
        self.heads[table] = (table.number, match.q, match.h)
        try:
            public = self._frame(table, None, commit)
            for session in table.audience:
                if session.streaming:
                    self.sends.append((session, self._frame(table, table.viewer(session), commit)))
        except (CarteadoError, BadFrame, RecursionError) as error:
            table.stop(f"{table.game.name} {table.game.version} cannot be shown: {error}", self)
            return
        self.feed.append((topic(table.id), public))

    def snap(self, session: Session) -> None:
        """Send a session the whole view as it is now, if there is one."""
        table = session.table
        if table is None or table.match is None or table.match.q == 0:
            return
        session.streaming = True
        try:
            self.sends.append((session, self._frame(table, table.viewer(session), None)))
        except (CarteadoError, BadFrame, RecursionError) as error:
            table.stop(f"{table.game.name} {table.game.version} cannot be shown: {error}", self)

    def changed(self, table: Table) -> None:
        """Tell everybody at the table who sits there and what the stage is, once, at the end of the turn."""
        self._changed[table] = None

    def seat(self, session: Session, token: bytes | None = None) -> None:
        """Tell a session which seat it has, then who sits at the table, then what is to be seen."""
        self._seated.append((session, token))

    def hire(self, table: Table, chair: Chair, keys: KeyPair) -> None:
        """Let a computer player of the house play a chair, once that is kept."""
        self.hired.append((table, chair, keys))

    def alarm(self, table: Table, seconds: float) -> None:
        """Call the table's `due` after so many seconds."""
        self.alarms.append((table, seconds))

    def close(self) -> None:
        """Write what is told at the end of the turn."""
        for session, token in self._seated:
            if session.table is not None:
                self.send(session, Joined(session.table.id, session.seat, token))
        for table in self._changed:
            for session in table.audience:
                self.send(session, table.told(self.epoch, session))
            self.feed.append((topic(table.id), encode(table.told(self.epoch, None))))
        for session, _ in self._seated:
            self.snap(session)

    def _frame(self, table: Table, viewer: int | None, commit: Commit | None) -> bytes:
        frame = table.frames.get(viewer)
        if frame is None:
            frame = table.frames[viewer] = project(table, viewer, self.epoch, commit)
        return frame
