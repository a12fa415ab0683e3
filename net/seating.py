"""Who sits at a table, and who may ask what of it."""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from carteado.core.bots import levels
from carteado.core.errors import Refused
from carteado.core.fair import Chain
from carteado.core.game import Game
from carteado.core.match import OVER, Commit, Match

from .chairs import Chair
from .names import distinct
from .protocol import HostKind
from .sessions import Session
from .store import Record, StoredTable, TableRecord
from .table_ids import is_private

if TYPE_CHECKING:
    from .tables import Table

SEATED, OPENER = "seated", "opener"
POLICIES = (SEATED, OPENER)
"""Who may fill chairs, start, pause and ask for a rematch: anybody seated, or only who opened the table."""
BOT_NAMES = ("Ada", "Bento", "Clara", "Duarte", "Eva", "Fausto", "Graça", "Hugo", "Inês", "Jorge")


class Tick(Protocol):
    """Take what a table does in one turn of the host's loop."""

    now: float

    def save(self, record: Record) -> None:
        """Keep a record with everything else of this tick."""

    def advance(self, table: Table) -> None:
        """Be told, before it does, that the table's match will take a step."""

    def show(self, table: Table, commit: Commit) -> None:
        """Show a committed version to everybody at the table."""

    def changed(self, table: Table) -> None:
        """Tell everybody at the table who sits there and what the stage is, once, at the end of the tick."""

    def seat(self, session: Session, token: bytes | None = None) -> None:
        """Tell a session which seat it has."""

    def tell(self, table: Table, message: HostKind) -> None:
        """Send a message to everybody at the table."""

    def alarm(self, table: Table, seconds: float) -> None:
        """Call the table's `due` after so many seconds."""


class Seeds(Protocol):
    """Give the seed of a hand, and say for the journal where it came from; or chains of links, from which everybody has a part in it."""

    def draw(self, table: str, number: int, hand: int) -> tuple[bytes, Mapping[str, Any]]:
        """Return 32 bytes for a hand (1, 2, ...) of the table's match `number`, and their sources."""

    def chain(self, match: str, nonce: bytes, party: int) -> Chain | None:
        """Return the chain of the host (-1) or of a seat of the house for a match, always the same; None: `draw` gives the seeds."""


class Seating(ABC):
    """The chairs of a table, its match if there is one, and the people around it.

    house: the house-rule plugins around the game. held: what was kept of a match that cannot go on. pending: what was kept of the table
    while its match is still to be brought back: nobody is here then, and nothing is done here that needs it. places: how many chairs there
    are when no match is going on; a match goes on with those that were taken. closing: whether no match begins any more.
    players: whose seat of the match each is, None for computer players; ref: the match's own name in the books.
    """

    def __init__(
        self, id: str, game: Game, options: Mapping[str, Any], house: Sequence[Any], places: int, policy: str, opener: bytes | None
    ) -> None:  # fmt: skip
        self.id = id
        self.game = game
        self.options = dict(options)
        self.house = list(house)
        self.places = places
        self.policy = policy
        self.opener = opener
        self.chairs = [Chair(seat) for seat in range(places)]
        self.audience: set[Session] = set()
        self.match: Match | None = None
        self.number = 0
        self.paused = False
        self.closing = False
        self.players: tuple[bytes | None, ...] = ()
        self.ref = ""
        self.why = ""
        self.held: TableRecord | None = None
        self.pending: StoredTable | None = None

    @abstractmethod
    def whole(self) -> Table:
        """Return the table that these chairs belong to."""

    @abstractmethod
    def _returned(self, chair: Chair, tick: Tick) -> None:
        """Give a seat back to its player, who is here again."""

    # Reading

    @property
    def resting(self) -> bool:
        """Whether no match is going on, so that people can sit down and stand up."""
        if self.pending is not None:
            return self.pending.over
        return self.held is None and (self.match is None or self.match.phase == OVER)

    @property
    def private(self) -> bool:
        """Whether only those find the table who are told its id."""
        return is_private(self.id)

    def listed(self, session: Session) -> bool:
        """Tell whether a session finds the table in its list: a private one if it is there, has a chair there or has opened it."""
        if not self.private:
            return True
        return session in self.audience or self.opener == session.key or self.chair_of(session.key) is not None

    @property
    def house_names(self) -> list[str]:
        """The names of the house rules around the game."""
        return [str(rule.name) for rule in self.house]

    def record(self) -> TableRecord:
        """Return what must not be forgotten of the table besides its journal."""
        kept = self.pending.table if self.pending is not None else self.held
        if kept is not None:
            return replace(kept, paused=self.paused, chairs=tuple(chair.record() for chair in self.chairs))
        return TableRecord(
            self.id, self.game.name, self.game.version, self.options, tuple(self.house_names), self.policy, self.opener,
            self.number, self.paused, self.places, tuple(chair.record() for chair in self.chairs), players=self.players, ref=self.ref,
        )  # fmt: skip

    def chair_of(self, key: bytes) -> Chair | None:
        """Return the chair that a key owns."""
        return next((chair for chair in self.chairs if chair.key == key), None)

    def opens(self, seat: int, token: bytes) -> bool:
        """Tell whether there is such a chair, and this is its token."""
        return seat < len(self.chairs) and self.chairs[seat].opens(token)

    def viewer(self, session: Session) -> int | None:
        """Return whose view a session gets: its seat's, or (None) a watcher's."""
        if session.seat is None or self.chairs[session.seat].fresh:
            return None
        return session.seat

    def level(self, seat: int) -> str | None:
        """Return how well the house plays a seat of the match; None: somebody else plays it."""
        chair = self.chairs[seat]
        if chair.house:
            return chair.bot or "rule"
        if chair.substitute is not None:
            return chair.substitute
        return self.match.seats[seat]["bot"] if self.match is not None and chair.bot is None else None

    def watchers(self) -> list[str]:
        """Return the names of those who watch."""
        return sorted(session.name for session in self.audience if session.seat is None)

    # People

    def join(self, session: Session, seat: int | None, watch: bool, tick: Tick) -> None:
        """Take a session to its own chair, to a free one, or among the watchers.

        Raises: Refused with seated, no_chair, taken, full, started.
        """
        chair, token = self.chair_of(session.key), None
        if chair is not None and watch:
            raise Refused("seated")
        if chair is None and not watch:
            chair = self._choose(seat)
            chair.sit(session.key, distinct(session.name, self._names()), session.bot)
            chair.fresh = self.match is not None
            token = chair.give_token()
            tick.save(self.record())
        self._enter(session, chair)
        if chair is not None:
            self._returned(chair, tick)
        tick.changed(self.whole())
        tick.seat(session, token)

    def reclaim(self, session: Session, seat: int, token: bytes, tick: Tick) -> Session | None:
        """Take a chair over to this session's key. Return the session that had it, if it is connected.

        Raises: Refused with token or seated.
        """
        if not self.opens(seat, token):
            raise Refused("token")
        chair = self.chairs[seat]
        if self.chair_of(session.key) not in (None, chair):
            raise Refused("seated")
        old = chair.session if chair.session is not session else None
        if old is not None:
            self.part(old, tick)
        if chair.key in self.players and not chair.fresh:
            self.players = tuple(session.key if key == chair.key else key for key in self.players)
        chair.key = session.key
        fresh = chair.give_token()
        tick.save(self.record())
        self._enter(session, chair)
        self._returned(chair, tick)
        tick.changed(self.whole())
        tick.seat(session, fresh)
        return old

    def part(self, session: Session, tick: Tick, lost: bool = False) -> None:
        """Let a session go: its line is lost, or it turns to something else. A chair stays its player's."""
        self.audience.discard(session)
        if session.seat is not None and self.chairs[session.seat].session is session:
            self.chairs[session.seat].session = None
            self.chairs[session.seat].since = session.heard
            self.chairs[session.seat].lost = lost
        session.table, session.seat = None, None
        tick.changed(self.whole())

    def fill(self, session: Session, level: str, seat: int | None, tick: Tick) -> None:
        """Put computer players on one free chair, or on all. Raises: Refused with unknown_level, no_chair, taken, full."""
        self._demand(session)
        if not self.resting:
            raise Refused("started")
        self.staff(level, seat, tick)

    def staff(self, level: str, seat: int | None, tick: Tick) -> None:
        """Put computer players of the house on one free chair, or on all."""
        if level not in levels(self.game):
            raise Refused("unknown_level", level=level)
        chosen = [self._choose(seat)] if seat is not None else [chair for chair in self.chairs if chair.free]
        if not chosen:
            raise Refused("full")
        for chair in chosen:
            self._hire(chair, level)
            chair.fresh = self.match is not None
        tick.save(self.record())
        tick.changed(self.whole())

    # Inside

    def _allows(self, key: bytes) -> bool:
        return self.policy == SEATED or self.opener is None or self.opener == key

    def _own(self, session: Session) -> Chair:
        if session.seat is None:
            raise Refused("not_in_match")
        return self.chairs[session.seat]

    def _demand(self, session: Session) -> None:
        self._own(session)
        if not self._allows(session.key):
            raise Refused("not_allowed")
        if self.why:
            raise Refused("broken")

    def _names(self) -> list[str]:
        return [chair.name for chair in self.chairs if chair.name]

    def _taken(self) -> list[Chair]:
        return [chair for chair in self.chairs if chair.key is not None]

    def _choose(self, seat: int | None) -> Chair:
        if not self.resting:
            raise Refused("started")
        if seat is not None and seat >= len(self.chairs):
            raise Refused("no_chair")
        if seat is not None and not self.chairs[seat].free:
            raise Refused("taken")
        if seat is not None:
            return self.chairs[seat]
        free = next((chair for chair in self.chairs if chair.free), None)
        if free is None:
            raise Refused("full")
        return free

    def _enter(self, session: Session, chair: Chair | None) -> None:
        session.table, session.seat, session.streaming = self.whole(), chair.seat if chair else None, True
        self.audience.add(session)
        if chair is not None:
            chair.session = session

    def _hire(self, chair: Chair, level: str) -> None:
        known = chair.name if chair.house else ""
        names = [name for name in BOT_NAMES if name not in self._names()]
        chair.sit(secrets.token_bytes(32), known or distinct(names[0] if names else BOT_NAMES[0], self._names()), level, house=True)
        chair.token = None
