"""The host: one loop, three sockets, every table. Nothing raises out of the loop; nothing is shown before it is kept."""

from __future__ import annotations

import asyncio
import concurrent.futures.thread  # noqa: F401 - a host that has no descriptors left must still be able to end
import contextlib
import logging
import os
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar

import zmq
import zmq.asyncio

from carteado.core.errors import CarteadoError
from carteado.core.game import Game

from . import finding, limits, protocol, sockets
from .bans import Ban
from .books import Standing, books, told
from .clock import Clock, SystemClock
from .codec import encode
from .deadline import within
from .dispatch import Dispatcher
from .entrance import Entrance
from .errors import StoreFailure
from .feed import Turn, View, topic
from .keys import Address, fingerprint, host_keys, write_private
from .memory import MemoryStore
from .meters import Meters
from .presence import Presence
from .program import APP
from .protocol import Gone, HostInfo, No
from .pulse import Pulse
from .reader import Reader
from .reception import Reception
from .refusals import sentence
from .resuming import open_wanted, resume
from .returning import Returning
from .saving import Saver
from .sessions import Session, Sessions
from .settings import HostConfig, RandomSeeds, reachable
from .shelf import Shelf
from .staff import HouseBots
from .store import BanRecord, LiftedRecord, Record, Store
from .tables import Table
from .turns import Turns
from .witness import Witness
from .zap import ZapHandler

log = logging.getLogger(__name__)

FAREWELL = 0.15
"""Seconds of real time between the last word and the end of the connections."""
SOON = 1.0
"""Seconds of real time that somebody who bans waits for the store."""
LAST_TURN = 1.0
"""Seconds of real time that a host which is told to stop waits for the turn that is under way."""

T = TypeVar("T")


class Host:
    """A running host. Make one with `serve`.

    refused: how often each code was refused or dropped. address: where peers connect, with the host's key. returning: the tables whose
    matches are still to be brought back.
    """

    def __init__(self, config: HostConfig, store: Store, clock: Clock, games: Mapping[str, Game] | None) -> None:
        self.config = config
        self.keys = config.keys or host_keys(config.key_file)
        self.epoch = os.urandom(limits.EPOCH)
        self.refused: Counter[str] = Counter()
        self.tables: dict[str, Table] = {}
        self.sessions = Sessions()
        self.door = Entrance(config.door, self.keys, clock, self.refused, self._has_seat, self.sessions)
        self.bans = self.door.bans
        self.id = config.id or fingerprint(self.keys.public)
        self.presence = Presence(self, config.announce, clock)
        self.ended = asyncio.Event()
        self.failed: BaseException | None = None
        self.meters = Meters()
        self._stopping: asyncio.Task[None] | None = None
        self._store = store
        self.books = books(store)
        self._saver = Saver(store, clock, self.refused, lambda: self._reception.tell_frozen())
        self._clock = clock
        self._tasks: set[asyncio.Task[None]] = set()
        self._dispatcher = Dispatcher(
            self.tables, self.sessions, Shelf(games), RandomSeeds(config.seed, self.keys.secret), clock, config.hand_pause, self.refused
        )  # fmt: skip
        self._context = zmq.asyncio.Context()
        self._zap = ZapHandler(self._context, self.door, self.refused)
        self._sockets = sockets.table_socket(self._context, self.keys), sockets.feed_socket(self._context, self.keys)
        self._table, self._feed = map(sockets.plain, self._sockets)
        self._reader = Reader(self._table, copy=False)
        self._turns = Turns(self._turn, self._show, self._saver, self.meters, self.refused, self._reader)
        self._pulse = Pulse(
            self.tables, self.sessions, self._dispatcher, self._turns, self._saver, clock, self.epoch,
            lambda topic, frame: self._emit(topic, frame),
        )  # fmt: skip
        self._reception = Reception(
            self.door, self.sessions, self._dispatcher, self._turns, self._saver, clock, self.refused,
            lambda session, frame: self._send(session, frame), lambda route, message: self._reply(route, message), self._spawn,
            lambda message: self._missing(message),
        )  # fmt: skip
        self.returning = Returning(self._dispatcher, store, self._turns, config.tables, self._reception.behind.go_on)
        self._witness = Witness(lambda topic, frame: self._emit(topic, frame), self._made)
        self._subscriptions = Reader(self._feed, copy=False)
        try:
            self.port = sockets.bind(self._table, config.bind, config.port)
            self.feed_port = self._bind_feed()
        except sockets.PortTaken:
            self._context.destroy(linger=0)
            raise
        self.address = Address(reachable(config.bind), self.port, self.keys.public)
        self._dispatcher.host = HostInfo(self.id, config.name, APP)
        self._dispatcher.private = self.door.private
        self.door.unlisted = self._dispatcher.unlisted
        self._dispatcher.feed_port = self.feed_port
        self._dispatcher.purses.first = config.chips
        self._dispatcher.purses.covered = config.covered and config.chips > 0
        self._dispatcher.tell_purse = lambda session: self._spawn(self._tell_purse(session))
        self._bots = HouseBots(self.tables, config.pace, clock, self._turns.post, self.refused, apart=games is None)

    def _bind_feed(self) -> int:
        if self.config.port:
            try:
                return sockets.bind(self._feed, self.config.bind, self.port + 1)
            except sockets.PortTaken:
                log.info("port %d is taken; FEED listens on another one", self.port + 1)
        return sockets.bind(self._feed, self.config.bind, 0)

    # Life

    def invite(self, urls: Sequence[str]) -> None:
        """Tell everybody who says hello from now on under which URLs browsers find this host."""
        self._dispatcher.host = HostInfo(self.id, self.config.name, APP, list(urls)[: limits.URLS])

    async def start(self) -> None:
        """Load what was kept, open the configured tables, and serve. Raises: StoreFailure, Refused."""
        await self._ban_again()
        stored = await self._store.load()
        if self.books is not None:
            self._dispatcher.purses.balances |= await self.books.balances()
        turn = self._turn()
        resume(self._dispatcher, stored, turn)
        self.returning.expect(stored)
        open_wanted(self._dispatcher, self.config.tables, {kept.table.id for kept in stored}, turn)
        turn.close()
        await self._store.commit(turn.records)
        await self.presence.open()
        reading = self._reader.run(self._reception.take, self._turns.at_once), self._subscriptions.run(self._reception.subscribed)
        own = self._turns.run(), self._pulse.run(), self.returning.run(), self._stock()
        for work in (self._zap.run(), *reading, *own, self.presence.run()):
            self._spawn(work)
        self._publish(turn)
        if self.config.address_file is not None:
            write_private(self.config.address_file, f"{self.address}\n", replace=True)

    async def _ban_again(self) -> None:
        """Let the bans hold that were kept. Those that cannot be read keep nobody from playing."""
        try:
            for ban in await self._store.bans():
                self.bans.keep(ban)
        except (StoreFailure, TypeError, ValueError) as error:
            log.error("not all bans that were kept hold again; `carteado store check` tells more: %s", error)

    async def stop(self) -> None:
        """Tell everybody that the host closes and can be come back to, and let go of sockets and players."""
        if self.ended.is_set():
            return
        await self._last_turn()
        await self._bots.stop()
        gone = encode(Gone("shutdown", resume=True))
        for session in self.sessions:
            self._send(session, gone)
        self._witness.flush()
        for table in self.tables.values():
            if not table.private:
                self._emit(topic(table.id), gone)
        self._emit(b"hb", gone)
        if len(self.sessions):
            # A client's socket (IMMEDIATE) throws away what it has not read when the connection ends, so let it read first.
            await asyncio.sleep(FAREWELL)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.presence.close()
        self._zap.close()
        for socket in self._sockets:
            socket.close()
        await asyncio.get_running_loop().run_in_executor(None, self._context.term)
        await self._store.close()
        if self.config.address_file is not None:
            finding.gone(self.config.address_file, self.address)
        self.ended.set()

    async def _last_turn(self) -> None:
        """Let what has been done be kept and shown, if that can be soon; what is not kept then was never answered either."""
        if not self._saver.frozen:
            await self._turns.finish(LAST_TURN)

    def _spawn(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.critical("a part of the host has failed; it stops", exc_info=error)
            self.failed = error
            self._stopping = asyncio.create_task(self.stop())

    def _missing(self, message: protocol.PeerMessage) -> Hashable | None:
        """Return what a message needs that is not there yet: the games, or the match of a table."""
        shelf = self._dispatcher.shelf
        return shelf if shelf.missing(message) else self.returning.missing(message)

    async def _stock(self) -> None:
        """Load the games, then let those go on who have asked for them."""
        shelf = self._dispatcher.shelf
        await shelf.stock()
        self._turns.post(lambda turn: self._reception.behind.go_on(shelf, turn))

    def _has_seat(self, key: bytes) -> bool:
        return any(table.chair_of(key) is not None for table in self.tables.values())

    # For the operator

    def kick(self, key: bytes) -> bool:
        """End a player's connection; the seat stays the player's, as after any lost line. Return whether it was connected."""
        return self._reception.kick(key)

    async def ban(self, record: BanRecord) -> bool:
        """Ban somebody from now on, also after a restart. Return whether that is kept; if it cannot be yet, it holds all the same."""
        self.bans.keep(record)
        for session in [session for session in self.sessions if self.door.banned(session.key)]:
            self.kick(session.key)
        return await self._kept(record)

    async def lift(self, ban: Ban) -> bool:
        """End a ban. Return whether that is kept."""
        self.bans.lift(ban.who)
        return await self._kept(LiftedRecord(ban.kind, ban.text)) if ban.kept else True

    async def _kept(self, record: Record) -> bool:
        """Keep a record in the next turn; return whether that was soon. What takes longer is kept when the store can save again."""
        try:
            async with asyncio.timeout(SOON):
                await self.order(lambda desk, turn: turn.save(record))
        except TimeoutError:
            return False
        return True

    @property
    def frozen(self) -> bool:
        """Whether everything waits for the store."""
        return self._saver.frozen

    @property
    def draining(self) -> bool:
        """Whether nothing new begins."""
        return self._dispatcher.draining

    def drain(self, on: bool) -> None:
        """Begin no table and no match any more, or (off) again."""
        self._dispatcher.draining = on
        for table in self.tables.values():
            table.closing = on

    def now(self) -> float:
        """Return the host's monotonic seconds."""
        return self._clock.now()

    def waiting(self) -> int:
        """Return how many messages wait for the next turn."""
        return len(self._turns)

    def thinking(self) -> int:
        """Return how many questions the players of the house think about."""
        return len(self._bots)

    async def _tell_purse(self, session: Session) -> None:
        """Tell a player the own purse, once it is read."""
        first = self.config.chips
        try:
            standing = await self.books.standing(session.key, first) if self.books is not None else Standing(first, ())
        except StoreFailure as failure:
            log.warning("a purse cannot be read: %s", failure)
            self.refused["store"] += 1
            return  # it is asked again
        self._send(session, encode(told(standing)))

    async def order(self, work: Callable[[Dispatcher, Turn], T]) -> T:
        """Do something in the next turn; return what comes of it, once that is kept. Raises: what it raises."""
        return await self._turns.order(self._dispatcher, work)

    # Turns

    def _turn(self) -> Turn:
        return Turn(self._clock.now(), self.epoch)

    def _show(self, turn: Turn) -> None:
        self._dispatcher.purses.note(turn.records)
        self._publish(turn)

    def _publish(self, turn: Turn) -> None:
        for table, head in turn.heads.items():
            table.head = head
        with within():
            for session, told in turn.sends:
                frame = told if isinstance(told, bytes) else self._made(told)
                if frame is not None:
                    self._send(session, frame)
        self._witness.tell(turn.feed)
        for table in turn.touched():
            self._bots.look(table)
        for tell in turn.after:
            tell()
        for table, seconds in turn.alarms:
            self._spawn(self._ring(table, seconds))

    def _made(self, view: View) -> bytes | None:
        """Return a viewer's state. A game that cannot be shown stops its table."""
        showing, viewer = view
        frame = showing.frame(viewer)
        if frame is None and showing.table.why != showing.failed:
            self._turns.post(lambda turn: showing.table.stop(showing.failed, turn))
        return frame

    async def _ring(self, table: Table, seconds: float) -> None:
        if seconds > 0:
            began = self._clock.now()
            await self._clock.sleep(seconds)
            if self._clock.now() - began - seconds > limits.GAP:
                await self._clock.sleep(2 * limits.HEARTBEAT)  # the host was stopped; first everybody gets that time back
        self._turns.post(lambda turn: self._due(table, turn))

    def _due(self, table: Table, turn: Turn) -> None:
        try:
            table.due(turn)
        except Exception as error:
            log.exception("the next hand at table %s could not be dealt", table.id)
            table.stop(f"the host failed: {type(error).__name__}", turn)

    # Sending

    def _send(self, session: Session, frame: bytes) -> None:
        """Send without waiting. A full queue stops the stream until the peer is heard of; no route means it is gone."""
        self._reader.look()
        try:
            sockets.send_now(self._table, session.route, frame)
        except zmq.Again:
            self.refused["eagain"] += 1
            if session.stall(self._clock.now()):
                self._reply(session.route, No("state", "slow", sentence("slow")))
        except zmq.ZMQError:
            if self.sessions.by_route.get(session.route) is session:
                self._turns.post(lambda turn: self._dispatcher.part(session, turn, lost=True))

    def _reply(self, route: bytes, message: protocol.HostKind) -> None:
        """Answer a route that has no session, or that is slow; whether it gets there does not matter."""
        self._reader.look()
        with contextlib.suppress(zmq.ZMQError):
            sockets.send_now(self._table, route, encode(message))

    def _emit(self, name: bytes, frame: bytes) -> None:
        with contextlib.suppress(zmq.Again):
            sockets.send_now(self._feed, name, frame)
        self._subscriptions.look()


async def serve(
    config: HostConfig, store: Store | None = None, clock: Clock | None = None, games: Mapping[str, Game] | None = None
) -> Host:  # fmt: skip
    """Start a host in this loop and return it, listening.

    store: where tables are kept (in memory by default). games: the only games of this host; by default all installed ones.
    Raises: PortTaken, BadKeyFile, StoreFailure, Refused for a configured table that cannot be opened.
    """
    host = Host(config, store or MemoryStore(), clock or SystemClock(), games)
    try:
        await host.start()
    except (CarteadoError, OSError):
        await host.stop()
        raise
    return host
