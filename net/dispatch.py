"""What a host does with each message of a peer. The order of checks is the one of docs/protocol.md, "Commands"."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import convert

from carteado.core.bots import levels
from carteado.core.errors import Refused
from carteado.core.game import Game
from carteado.core.options import resolve

from . import limits, protocol
from .chairs import Answers
from .clock import Clock
from .feed import Turn
from .keys import fingerprint
from .logs import note
from .names import clean_name, shown
from .protocol import Ack, Gone, No, Why
from .purse import Purses
from .refusals import sentence
from .seating import POLICIES, SEATED, Seeds
from .sessions import Session, Sessions
from .shelf import Shelf
from .store import AnswerRecord, ClosedRecord, TableRecord
from .table_ids import new_id
from .tables import Table
from .terms import Terms
from .words import parts

log = logging.getLogger(__name__)

WithId = (
    protocol.Open, protocol.Leave, protocol.Ready, protocol.Fill, protocol.Start, protocol.Pause, protocol.Rematch,
    protocol.Close, protocol.Command, protocol.Say,
)  # fmt: skip


class Dispatcher:
    """Carry out messages; every effect goes into the Turn. host, feed_port: what `welcome` tells."""

    def __init__(
        self, tables: dict[str, Table], sessions: Sessions, shelf: Shelf, seeds: Seeds, clock: Clock, hand_pause: float,
        refused: Counter[str],
    ) -> None:  # fmt: skip
        self.tables = tables
        self.sessions = sessions
        self.shelf = shelf
        self.refused = refused
        self.host = protocol.HostInfo("", "", "")
        self.feed_port = 0
        self.draining = False
        self.purses = Purses()
        self.tell_purse: Callable[[Session], None] = lambda session: None
        self.private = False
        self.seeds = seeds
        self._clock = clock
        self._hand_pause = hand_pause

    def handle(self, session: Session, message: protocol.PeerMessage, turn: Turn) -> None:
        """Carry out one message of a session."""
        if isinstance(message, WithId):
            self._answer(session, message, turn)
            return
        try:
            self._inform(session, message, turn)
        except Refused as refusal:
            self.refused[refusal.code] += 1
            turn.send(session, No(protocol.kind_of(message), refusal.code, sentence(refusal.code), refusal.data))

    def hello(self, route: bytes, key: bytes, hello: protocol.Hello, turn: Turn) -> None:
        """Open a session for a connection; an older one of the same key is over."""
        name, (low, high) = clean_name(hello.name), limits.PROTO
        version = min(high, hello.proto[1])
        bot = next((feat.removeprefix("bot:") for feat in hello.feats if feat.startswith("bot:")), None)
        session = Session(route, key, name or "", turn.now, bot, "fair" in hello.feats)
        if version < max(low, hello.proto[0]):
            self._refuse(session, "proto", turn, f"host speaks {low}-{high}, you {hello.proto[0]}-{hello.proto[1]}: upgrade")
            return
        if name is None:
            self._refuse(session, "name", turn)
            return
        if len(self.sessions) >= limits.SESSIONS and key not in self.sessions.by_key:
            self._refuse(session, "full_house", turn)
            return
        old = self.sessions.by_key.get(key)
        if old is not None:
            if old.route != route:
                turn.send(old, Gone("superseded"))
            self.part(old, turn, lost=True)
        self.sessions.open(session)
        note(log, "peer.hello", player=session.name, key=fingerprint(key), kind=bot or "person")
        you = protocol.You(fingerprint(key))
        turn.send(session, protocol.Welcome(version, turn.epoch, self.host, self.feed_port, limits.told(), you, self.private))

    def _refuse(self, session: Session, code: str, turn: Turn, text: str = "") -> None:
        self.refused[code] += 1
        turn.send(session, No("hello", code, text or sentence(code)))

    def fault(self, session: Session, message: protocol.PeerMessage, turn: Turn) -> None:
        """Answer a message that the host failed to carry out, so that nobody waits for ever."""
        self.refused["fault"] += 1
        if isinstance(message, WithId):
            turn.send(session, Ack(message.id, no=Why("fault")))
        else:
            turn.send(session, No(protocol.kind_of(message), "fault", sentence("fault")))

    def open(
        self, game: Game, options: Mapping[str, Any], turn: Turn, places: int | None = None, policy: str = SEATED,
        opener: bytes | None = None, id: str | None = None, house: Sequence[str] = (), terms: Terms | None = None, private: bool = False,
    ) -> Table:  # fmt: skip
        """Open a table.

        Raises: Refused with draining, too_many_tables, too_many_own, bad_players, no_house_rule, unknown_level, or what the options
        are refused with.
        """
        if self.draining:
            raise Refused("draining")
        left = self._left_alone(turn.now) if len(self.tables) >= limits.TABLES else None
        if left is None and len(self.tables) >= limits.TABLES:
            raise Refused("too_many_tables")
        if opener is not None and sum(table.opener == opener for table in self.tables.values()) >= limits.OWN_TABLES:
            raise Refused("too_many_own")
        low, high = game.seats
        places = max(low, min(4, high)) if places is None else places
        chosen = resolve(game, options)
        if not low <= places <= high:
            raise Refused("bad_players", n=places, low=low, high=high)
        if id in self.tables:
            raise Refused("bad_option", option="id", value=id)
        if policy not in POLICIES:
            raise Refused("bad_option", option="policy", value=policy)
        if terms is not None and terms.level not in levels(game):
            raise Refused("unknown_level", level=terms.level)
        table = Table(
            id or self._fresh_id(private), game, chosen, places, self.seeds, self._clock, self._hand_pause, policy, opener,
            self.shelf.around(house), terms,
        )  # fmt: skip
        table.purses = self.purses
        if left is not None:
            self.close(left, turn)
        self.tables[table.id] = table
        note(log, "table.open", table=table.id, game=game.name, chairs=places)
        turn.save(table.record())
        return table

    def _left_alone(self, now: float) -> Table | None:
        """Return the table that makes room when there is none: of those whose people stay away, one of who has opened most tables."""
        left = [table for table in self.tables.values() if table.unattended(now) >= limits.UNATTENDED]
        opened = Counter(table.opener for table in self.tables.values())
        return max(left, key=lambda table: (opened[table.opener], table.unattended(now)), default=None)

    def made(self, record: TableRecord, game: Game, house: Sequence[str]) -> Table:
        """Return a table as it was kept, without its people and its match. Raises: Refused("no_house_rule")."""
        table = Table(
            record.id, game, record.options, record.places, self.seeds, self._clock, self._hand_pause, record.policy, record.opener,
            self.shelf.around(house), convert(record.terms, Terms),
        )  # fmt: skip
        table.purses = self.purses
        return table

    def close(self, table: Table, turn: Turn, by: Session | None = None) -> None:
        """Close a table for good; its people are told, but for who did it, who is only there no more."""
        opened = table.dealing.aborted(table.match)
        if opened is not None:
            turn.tell(table, opened)
        for session in list(table.audience):
            table.part(session, turn)
            if session is not by:
                turn.send(session, Gone("closed"))
                self.sessions.close(session)
        del self.tables[table.id]
        note(log, "table.closed", table=table.id)
        turn.save(ClosedRecord(table.id))

    # Messages with an id: answered once

    def _answer(self, session: Session, message: Any, turn: Turn) -> None:
        if isinstance(message, protocol.Command) and message.e != turn.epoch:
            # Not remembered: the peer says it again, with the same id, to this run of the host.
            self.refused["stale_epoch"] += 1
            turn.send(session, Ack(message.id, no=Why("stale_epoch")))
            return
        answers, own = self._answers(session), self.sessions.answers.of(session.key)
        known = answers.get(message.id) or own.get(message.id)
        if known is not None:
            turn.answer(session, known)
            return
        table = session.table
        try:
            answer = self._carry_out(session, message, turn)
        except Refused as refusal:
            self.refused[refusal.code] += 1
            answer = Ack(message.id, no=Why(refusal.code, refusal.data))
        # A match may have begun with it, and the chair have another number now; or the player may have left it.
        chairs = table.chairs if table is not None and self.tables.get(table.id) is table else []
        chair = next((chair for chair in chairs if chair.answers is answers), None)
        (answers if chair is not None and chair.session is session else own).put(answer)
        if answer.no is None and table is not None and chair is not None:
            turn.save(AnswerRecord(table.id, chair.seat, answer.id, answer.q))
        turn.answer(session, answer)

    def _answers(self, session: Session) -> Answers:
        if session.table is not None and session.seat is not None:
            return session.table.chairs[session.seat].answers
        return self.sessions.answers.of(session.key)

    def _carry_out(self, session: Session, message: Any, turn: Turn) -> Ack:
        if isinstance(message, protocol.Open):
            game = self.shelf.take(message.game)
            table = self.open(
                game, message.options, turn, message.chairs, opener=session.key, house=message.house, terms=message.terms,
                private=message.private,
            )  # fmt: skip
            return Ack(message.id, m=table.id)
        table = self._here(session, message.m)
        match message:
            case protocol.Command():
                return Ack(message.id, table.act(session, message.match, message.prompt, dict(message.d), turn))
            case protocol.Ready():
                table.ready(session, message.on, turn)
            case protocol.Fill():
                table.fill(session, message.level, message.seat, turn)
            case protocol.Start():
                table.start(session, turn)
            case protocol.Pause():
                table.pause(session, message.on, turn)
            case protocol.Rematch():
                table.rematch(session, turn)
            case protocol.Leave():
                table.leave(session, turn)
            case protocol.Close():
                self._may_close(session, table)
                self.close(table, turn, by=session)
            case protocol.Say():
                self._say(session, table, message.text, turn)
        return Ack(message.id, table.match.q if table.match is not None else 0)

    def _may_close(self, session: Session, table: Table) -> None:
        """See that this player may close a table. Raises: Refused with not_allowed; with running while others play there."""
        if table.opener != session.key:
            raise Refused("not_allowed")
        if not table.resting and any(chair.person and chair.key != session.key for chair in table.chairs):
            raise Refused("running")

    def _say(self, session: Session, table: Table, text: str, turn: Turn) -> None:
        if session.seat is None:
            raise Refused("not_in_match")
        line = shown(text)
        if not line:
            raise Refused("malformed")
        said = protocol.Said(table.id, table.chairs[session.seat].name, line, session.seat)
        for listener in table.audience:
            turn.send(listener, said)

    # Messages without an id

    def _inform(self, session: Session, message: protocol.PeerMessage, turn: Turn) -> None:
        match message:
            case protocol.AskTables():
                rows = [table.row() for table in self.tables.values() if table.listed(session)]
                turn.send(session, protocol.Tables(rows, self.shelf.rows(), self.shelf.house()))
            case protocol.Join():
                self._join(session, message, turn)
            case protocol.Reclaim():
                self._reclaim(session, message, turn)
            case protocol.Snap():
                self._here(session, message.m)
                turn.snap(session)
            case protocol.AskPurse():
                self.tell_purse(session)
            case protocol.AskWords():
                self._words(session, message, turn)
            case protocol.AskPast():
                turn.send(session, self._here(session, message.m).past_of(session, message.match, message.q))
            case protocol.Anchor():
                self._here(session, message.m).promise(session, message.match, message.value, turn)
            case protocol.OpenLink():
                self._here(session, message.m).link(session, message, turn)
            case protocol.Bye():
                self.part(session, turn)

    def part(self, session: Session, turn: Turn, lost: bool = False) -> None:
        """End a session; a seat stays its player's, who may be back in a moment if the line was `lost`."""
        if session.table is not None:
            session.table.part(session, turn, lost)
        self.sessions.close(session)
        note(log, "peer.gone", player=session.name, key=fingerprint(session.key))

    def _join(self, session: Session, message: protocol.Join, turn: Turn) -> None:
        table = self._table(message.m)
        watch = message.role == "watch"
        if watch and len(table.watchers()) >= limits.WATCHERS:
            raise Refused("too_many_watchers")
        if not watch and session.bot is None and table.chair_of(session.key) is None:
            self.purses.demand(table, session.key)
        self._switch(session, table, turn, lambda: table.join(session, message.seat, watch, turn))

    def _reclaim(self, session: Session, message: protocol.Reclaim, turn: Turn) -> None:
        table = self.tables.get(message.m)
        if table is None:
            raise Refused("token")  # as at any table: who may see none is told of none

        def take() -> None:
            old = table.reclaim(session, message.seat, message.token, turn)
            if old is not None:
                turn.send(old, Gone("moved"))
                self.sessions.close(old)

        self._switch(session, table, turn, take)

    def _switch(self, session: Session, table: Table, turn: Turn, enter: Callable[[], None]) -> None:
        """Enter a table, and only if that succeeds let go of the one where the session was."""
        before, seat = session.table, session.seat
        enter()
        if before is None or (before is table and seat == session.seat):
            return
        if before is not table:
            before.audience.discard(session)
        if seat is not None and before.chairs[seat].session is session and (before is not table or seat != session.seat):
            before.chairs[seat].session = None
            before.chairs[seat].since = session.heard
        turn.changed(before)

    def _words(self, session: Session, message: protocol.AskWords, turn: Turn) -> None:
        hash, body = self.shelf.words(message.game, message.lang)
        if message.hash == hash:
            turn.send(session, protocol.Words(message.game, message.lang, hash))
            return
        for part in parts(message.game, message.lang, body):
            turn.send(session, part)

    # Small things

    def _table(self, id: str) -> Table:
        if id not in self.tables:
            raise Refused("no_table")
        return self.tables[id]

    def _here(self, session: Session, id: str) -> Table:
        """Return the table where the session is. The same refusal whether another table exists or not."""
        if session.table is None or session.table.id != id:
            raise Refused("not_in_match")
        return session.table

    def unlisted(self, session: Session, id: str) -> bool:
        """Tell whether a session names a table that is not in its list: a private one, or none at all."""
        return id not in self.tables or not self.tables[id].listed(session)

    def _fresh_id(self, private: bool) -> str:
        while (id := new_id(private)) in self.tables:
            continue
        return id
