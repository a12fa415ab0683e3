"""One turn of the host's loop, and what it shows: every viewer's own view on TABLE, what everybody may know on FEED.

What goes to FEED is the watcher's state, so there is nothing private to subscribe to; of a private table nothing goes there.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from carteado.core.match import Commit

from .codec import encode
from .protocol import HostKind, Joined, State
from .sessions import Session
from .store import Record
from .tables import Table


class Showing:
    """One version of a table's match as it is shown: each viewer's encoded `state`, made when it is first sent.

    `_project` is the only function that makes a state for anybody; it asks the core for exactly that viewer's view. It must run
    while the match is still at this version: `finish` makes what is wanted before the next step. failed: why it cannot be shown.
    """

    def __init__(self, table: Table, epoch: bytes, commit: Commit | None = None) -> None:
        self.failed = ""
        self.table = table
        self._epoch = epoch
        self._commit = commit
        self._wanted: set[int | None] = set()
        self._frames: dict[int | None, bytes] = {}

    def want(self, viewer: int | None) -> None:
        """Note that a viewer's state will be sent."""
        self._wanted.add(viewer)

    def renew(self) -> None:
        """Forget what was made, because the clocks in it have gone on."""
        self._frames.clear()

    def finish(self) -> None:
        """Make everything that is wanted."""
        while self._wanted:
            self.frame(self._wanted.pop())

    def frame(self, viewer: int | None) -> bytes | None:
        """Return a viewer's encoded state, None if the game cannot be shown."""
        self._wanted.discard(viewer)
        if viewer not in self._frames and not self.failed:
            try:
                self._frames[viewer] = self._project(viewer)
            except Exception as error:
                log.exception("table %s cannot be shown", self.table.id)
                self.failed = f"{self.table.game.name} {self.table.game.version} cannot be shown: {error}"
        return self._frames.get(viewer)

    def _project(self, viewer: int | None) -> bytes:
        match = self.table.match
        assert match is not None
        events = self._commit.events(viewer, own=False) if self._commit is not None else []
        try:
            return self._encoded(match.view(viewer, own=False), events)
        except (TypeError, ValueError, OverflowError, RecursionError):
            # The game's captions hold what cannot be sent: a view of one's own is checked, and goes without them.
            return self._encoded(match.view(viewer), events)

    def _encoded(self, view: dict[str, Any], events: list[dict[str, Any]]) -> bytes:
        table, match = self.table, self.table.match
        assert match is not None
        return encode(State(table.id, table.number, self._epoch, match.q, match.h, match.public, view, events, table.clocks()))


log = logging.getLogger(__name__)


def topic(table: str) -> bytes:
    """Return FEED's topic of what happens at a table now."""
    return f"{table}/live".encode()


View = tuple[Showing, int | None]
"""A state that is to be sent to a viewer, not made yet."""


@dataclass
class Turn:
    """What one turn of the loop keeps and then shows, in this order; nothing is sent before everything is kept."""

    now: float
    epoch: bytes
    records: list[Record] = field(default_factory=list)
    sends: list[tuple[Session, bytes | View]] = field(default_factory=list)
    feed: list[tuple[bytes, bytes | View]] = field(default_factory=list)
    heads: dict[Table, tuple[int, int, bytes]] = field(default_factory=dict)
    alarms: list[tuple[Table, float]] = field(default_factory=list)
    after: list[Callable[[], None]] = field(default_factory=list)
    snaps: int = 0
    _answers: list[tuple[Session, bytes | View]] = field(default_factory=list)
    _changed: dict[Table, None] = field(default_factory=dict)
    _seated: list[tuple[Session, bytes | None]] = field(default_factory=list)

    def save(self, record: Record) -> None:
        """Keep a record with everything else of this turn."""
        self.records.append(record)

    def send(self, session: Session, message: HostKind) -> None:
        """Send a message to one session."""
        self.sends.append((session, encode(message)))

    def answer(self, session: Session, message: HostKind) -> None:
        """Send an answer to a message with an id. Who comes back in this turn has it after the view, which is as new as the answer."""
        told = (session, encode(message))
        self.sends.append(told)
        self._answers.append(told)

    def advance(self, table: Table) -> None:
        """Make what is still to be shown of the table's present version, because it is about to be another one."""
        if table.showing is not None:
            table.showing.finish()

    def show(self, table: Table, commit: Commit) -> None:
        """Show a committed version to everybody at the table, and on FEED; the views are made while they are sent."""
        match = table.match
        assert match is not None
        showing = table.showing = Showing(table, self.epoch, commit)
        self.heads[table] = (table.number, match.q, match.h)
        asked = match.prompts
        for session in sorted(table.audience, key=lambda session: session.seat in asked):  # who is asked gets advice, which takes longest
            if session.streaming:
                self._view(session, showing)
        if not table.private:
            showing.want(None)
            self.feed.append((topic(table.id), (showing, None)))

    def tell(self, table: Table, message: HostKind) -> None:
        """Send a message to everybody at the table."""
        frame = encode(message)
        self.sends += [(session, frame) for session in table.audience]

    def snap(self, session: Session) -> None:
        """Send a session the whole view as it is now, if there is one."""
        table = session.table
        if table is None or table.match is None or table.match.q == 0:
            return
        session.streaming = True
        self.snaps += 1
        if table.showing is None:
            table.showing = Showing(table, self.epoch)
        if table.time.clock is not None:
            table.showing.renew()
        self._view(session, table.showing)

    def _view(self, session: Session, showing: Showing) -> None:
        assert session.table is not None
        viewer = session.table.viewer(session)
        showing.want(viewer)
        self.sends.append((session, (showing, viewer)))

    def changed(self, table: Table) -> None:
        """Tell everybody at the table who sits there and what the stage is, once, at the end of the turn."""
        self._changed[table] = None

    def touched(self) -> list[Table]:
        """Return the tables where something happened."""
        return list({**dict.fromkeys(self.heads), **self._changed})

    def seat(self, session: Session, token: bytes | None = None) -> None:
        """Tell a session which seat it has, then who sits at the table, then what is to be seen."""
        self._seated.append((session, token))

    def alarm(self, table: Table, seconds: float) -> None:
        """Call the table's `due` after so many seconds."""
        self.alarms.append((table, seconds))

    def close(self) -> None:
        """Write what is told at the end of the turn."""
        for session, token in self._seated:
            if session.table is not None:
                self.send(session, Joined(session.table.id, session.seat, token))
        for table in self._changed:
            watching = None
            for session in table.audience:
                if session.seat is not None:
                    self.send(session, table.told(self.epoch, session))
                    continue
                watching = watching or encode(table.told(self.epoch, session))  # the same for all who watch
                self.sends.append((session, watching))
            if not table.private:
                self.feed.append((topic(table.id), encode(table.told(self.epoch, None))))
        for session, _ in self._seated:
            asked = session.table.dealing.asks(session.table.match) if session.table is not None else None
            if asked is not None:
                self.send(session, asked)
            self.snap(session)
        back = {session for session, _ in self._seated}
        for told in [told for told in self._answers if told[0] in back]:
            self.sends.remove(told)
            self.sends.append(told)
