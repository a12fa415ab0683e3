"""The host: one loop, three sockets, every table. Nothing raises out of the loop; nothing is shown before it is kept."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
from collections import Counter, deque
from collections.abc import Callable, Mapping
from typing import Any

import zmq
import zmq.asyncio

from carteado.core.errors import CarteadoError, JournalMismatch, Refused
from carteado.core.game import Game

from . import limits, protocol, sockets
from .bot import HouseBots
from .clock import Clock, SystemClock
from .codec import Unreadable, encode, read_peer
from .deadline import within
from .dispatch import Dispatcher, Shelf
from .errors import StoreFailure
from .feed import Showing, Turn, topic
from .keys import Address, fingerprint, host_keys, write_private
from .link import first_of
from .memory import MemoryStore
from .protocol import Gone, Heartbeat, Hello, HostInfo, No, Ping, Pong
from .reader import Reader
from .refusals import sentence
from .sessions import Session, Sessions
from .settings import APP, HostConfig, RandomSeeds, reachable
from .store import Store
from .tables import Table
from .zap import OpenDoor, ZapHandler, user_key

log = logging.getLogger(__name__)

SAVE_AGAIN = 5.0
"""Seconds until a store that could not save is asked again; meanwhile nothing is shown."""
FAREWELL = 0.15
"""Seconds of real time between the last word and the end of the connections."""
_HEAD = bytes(limits.CHAIN)
_FRAMES = 2  # routing id and body

Work = Callable[[Turn], None]


class Host:
    """A running host. Make one with `serve`.

    refused: how often each code was refused or dropped. address: where peers connect, with the host's key.
    """

    def __init__(self, config: HostConfig, store: Store, clock: Clock, games: Mapping[str, Game] | None) -> None:
        self.config = config
        self.keys = config.keys or host_keys(config.key_file)
        self.epoch = os.urandom(limits.EPOCH)
        self.refused: Counter[str] = Counter()
        self.tables: dict[str, Table] = {}
        self.sessions = Sessions()
        self.door = OpenDoor(self._has_joined)
        self.ended = asyncio.Event()
        self.failed: BaseException | None = None
        self._stopping: asyncio.Task[None] | None = None
        self._store = store
        self._clock = clock
        self._inbox: deque[Work] = deque()
        self._woken = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._dispatcher = Dispatcher(
            self.tables, self.sessions, Shelf(games), RandomSeeds(config.seed), clock, config.hand_pause, self.refused
        )  # fmt: skip
        self._context = zmq.asyncio.Context()
        self._zap = ZapHandler(self._context, self.door, self.refused)
        self._sockets = sockets.table_socket(self._context, self.keys), sockets.feed_socket(self._context, self.keys)
        self._table, self._feed = map(sockets.plain, self._sockets)
        self._reader = Reader(self._table, copy=False)
        try:
            self.port = sockets.bind(self._table, config.bind, config.port)
            self.feed_port = self._bind_feed()
        except sockets.PortTaken:
            self._context.destroy(linger=0)
            raise
        self.address = Address(reachable(config.bind), self.port, self.keys.public)
        self._dispatcher.host = HostInfo(fingerprint(self.keys.public), config.name, APP)
        self._dispatcher.feed_port = self.feed_port
        loopback = "127.0.0.1" if config.bind == "*" else config.bind
        self._bots = HouseBots(Address(loopback, self.port, self.keys.public), config.pace, clock, self._dispatcher.shelf.take)

    def _bind_feed(self) -> int:
        if self.config.port:
            try:
                return sockets.bind(self._feed, self.config.bind, self.port + 1)
            except sockets.PortTaken:
                log.info("port %d is taken; FEED listens on another one", self.port + 1)
        return sockets.bind(self._feed, self.config.bind, 0)

    # Life

    async def start(self) -> None:
        """Load what was kept, open the configured tables, and serve. Raises: StoreFailure, Refused."""
        stored = await self._store.load()
        turn = self._turn()
        for kept in stored:
            try:
                game = self._dispatcher.shelf.take(kept.table.game)
                table = Table(
                    kept.table.id, game, kept.table.options, kept.table.places, self._dispatcher.seeds, self._clock,
                    self.config.hand_pause, kept.table.policy, kept.table.opener,
                    self._dispatcher.shelf.around(kept.table.house),
                )  # fmt: skip
                table.restore(kept, turn)
            except (JournalMismatch, Refused) as error:
                log.error("table %s cannot go on and is left as it is: %s", kept.table.id, error)
                continue
            self.tables[table.id] = table
        for wanted in self.config.tables:
            if wanted.id is not None and any(kept.table.id == wanted.id for kept in stored):
                continue
            game = self._dispatcher.shelf.take(wanted.game)
            table = self._dispatcher.open(
                game, wanted.options, turn, wanted.chairs, wanted.policy, wanted.opener, wanted.id, wanted.house
            )  # fmt: skip
            for level in wanted.bots:
                table.staff(level, next(chair.seat for chair in table.chairs if chair.free), turn)
        turn.close()
        await self._store.commit(turn.records)
        for work in (self._zap.run(), self._reader.run(self._take), self._work(), self._seconds()):
            self._spawn(work)
        self._publish(turn)
        if self.config.address_file is not None:
            write_private(self.config.address_file, f"{self.address}\n", replace=True)

    async def stop(self) -> None:
        """Tell everybody that the host closes and can be come back to, and let go of sockets and players."""
        if self.ended.is_set():
            return
        await self._bots.stop()
        gone = encode(Gone("shutdown", resume=True))
        for session in self.sessions:
            self._send(session, gone)
        for table in self.tables.values():
            self._emit(topic(table.id), gone)
        self._emit(b"hb", gone)
        if len(self.sessions):
            # A client's socket (IMMEDIATE) throws away what it has not read when the connection ends, so let it read first.
            await asyncio.sleep(FAREWELL)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._zap.close()
        for socket in self._sockets:
            socket.close()
        await asyncio.get_running_loop().run_in_executor(None, self._context.term)
        await self._store.close()
        self.ended.set()

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

    # Receiving

    def _take(self, frames: list[Any]) -> None:
        """Judge one message: frames, size, form, session. What passes waits for the next turn; pings are answered at once."""
        if len(frames) != _FRAMES:
            self.refused["frames"] += 1
            return
        route, body = frames[0].bytes, frames[1]
        session = self.sessions.by_route.get(route)
        limit = limits.PEER_FRAME if session is not None and session.table is not None else limits.GUEST_FRAME
        if len(body) > limit:
            self.refused["oversized"] += 1
            return
        key = user_key(body.get("User-Id"))
        try:
            message = read_peer(body.bytes, limit)
        except Unreadable as error:
            self.refused[error.code] += 1
            if error.code == "unknown" or error.kind:
                self._reply(route, No(error.kind or "?", error.code, sentence(error.code)))
            return
        if isinstance(message, Hello):
            self._post(lambda turn: self._dispatcher.hello(route, key, message, turn))
        elif session is None or session.key != key:
            self.refused["hello_first"] += 1
            self._reply(route, No(protocol.kind_of(message), "hello_first", sentence("hello_first")))
        elif isinstance(message, Ping):
            self._pong(session, message)
        else:
            session.heard = self._clock.now()
            self._post(lambda turn: self._handle(session, message, turn))

    def _pong(self, session: Session, ping: Ping) -> None:
        """Answer a ping from what was shown last, without waiting for a turn that may be waiting for the disk."""
        session.heard = self._clock.now()
        number, q, h = session.table.head if session.table is not None else (0, 0, _HEAD)
        self._send(session, encode(Pong(ping.n, number, q, h, int(session.heard * 1000))))
        if not session.streaming:
            self._post(lambda turn: turn.snap(session))

    def _post(self, work: Work) -> None:
        self._inbox.append(work)
        self._woken.set()
        if len(self._inbox) >= limits.INBOX:
            self._reader.pause()

    def _has_joined(self, key: bytes) -> bool:
        session = self.sessions.by_key.get(key)
        return session is not None and session.table is not None

    # Turns

    def _turn(self) -> Turn:
        return Turn(self._clock.now(), self.epoch)

    async def _work(self) -> None:
        """Carry out what waits, keep all of it in one go, then show it; and again."""
        while True:
            await self._woken.wait()
            self._woken.clear()
            while self._inbox:
                turn = self._turn()
                for _ in range(len(self._inbox)):
                    work = self._inbox.popleft()
                    try:
                        work(turn)
                    except Exception:
                        log.exception("something that the host does by itself has failed")
                        self.refused["fault"] += 1
                turn.close()
                self._reader.resume()
                if turn.records:
                    await self._keep(turn)
                self._publish(turn)

    async def _keep(self, turn: Turn) -> None:
        while True:
            try:
                await self._store.commit(turn.records)
                return
            except StoreFailure:
                log.exception("the host cannot save; every table waits")
                self.refused["store"] += 1
                await self._clock.sleep(SAVE_AGAIN)

    def _publish(self, turn: Turn) -> None:
        for table, head in turn.heads.items():
            table.head = head
        with within():
            for session, told in turn.sends:
                frame = told if isinstance(told, bytes) else self._made(*told)
                if frame is not None:
                    self._send(session, frame)
            for name, told in turn.feed:
                frame = told if isinstance(told, bytes) else self._made(*told)
                if frame is not None:
                    self._emit(name, frame)
        for table, chair, keys in turn.hired:
            self._bots.hire(table.id, chair.seat, table.game.name, chair.bot or "rule", chair.name, keys)
        for table, seconds in turn.alarms:
            self._spawn(self._ring(table, seconds))

    def _made(self, showing: Showing, viewer: int | None) -> bytes | None:
        """Return a viewer's state. A game that cannot be shown stops its table."""
        frame = showing.frame(viewer)
        if frame is None and showing.table.why != showing.failed:
            self._post(lambda turn: showing.table.stop(showing.failed, turn))
        return frame

    async def _ring(self, table: Table, seconds: float) -> None:
        if seconds > 0:
            await self._clock.sleep(seconds)
        self._post(lambda turn: self._due(table, turn))

    def _due(self, table: Table, turn: Turn) -> None:
        try:
            table.due(turn)
        except Exception as error:
            log.exception("the next hand at table %s could not be dealt", table.id)
            table.stop(f"the host failed: {type(error).__name__}", turn)

    def _handle(self, session: Session, message: protocol.PeerMessage, turn: Turn) -> None:
        if self.sessions.by_route.get(session.route) is not session:
            return  # it ended while its message waited
        try:
            self._dispatcher.handle(session, message, turn)
        except Exception as error:
            log.exception("a message of kind %s could not be carried out", protocol.kind_of(message))
            self._dispatcher.fault(session, message, turn)
            if session.table is not None:
                session.table.stop(f"the host failed: {type(error).__name__}", turn)

    # Time

    async def _seconds(self) -> None:
        while True:
            await self._clock.sleep(limits.HEARTBEAT)
            heads = {table.id: table.head for table in self.tables.values() if table.head[0]}
            self._emit(b"hb", encode(Heartbeat(self.epoch, heads)))
            self._post(self._look)

    def _look(self, turn: Turn) -> None:
        for session in self.sessions.silent(turn.now):
            self._dispatcher.part(session, turn)
        for table in list(self.tables.values()):
            table.look(turn)
            if table.deserted(turn.now) >= limits.DESERTED:
                self._dispatcher.close(table, turn)

    # Sending

    def _send(self, session: Session, frame: bytes) -> None:
        """Send without waiting. A full queue stops the stream until the peer is heard of; no route means it is gone."""
        self._reader.look()
        try:
            sockets.send_now(self._table, [session.route, frame])
        except zmq.Again:
            self.refused["eagain"] += 1
            if session.stall(self._clock.now()):
                self._reply(session.route, No("state", "slow", sentence("slow")))
        except zmq.ZMQError:
            if self.sessions.by_route.get(session.route) is session:
                self._post(lambda turn: self._dispatcher.part(session, turn))

    def _reply(self, route: bytes, message: protocol.HostKind) -> None:
        """Answer a route that has no session, or that is slow; whether it gets there does not matter."""
        self._reader.look()
        with contextlib.suppress(zmq.ZMQError):
            sockets.send_now(self._table, [route, encode(message)])

    def _emit(self, name: bytes, frame: bytes) -> None:
        with contextlib.suppress(zmq.Again):
            sockets.send_now(self._feed, [name, frame])


def run_host(config: HostConfig, announce: Callable[[str], object] = print, store: Store | None = None) -> int:
    """Serve until SIGTERM or SIGINT; return the exit status. `announce` is given the address. A second signal ends at once.

    Raises: what `serve` raises.
    """
    # The selector loop everywhere: ZeroMQ's sockets need it on Windows, and elsewhere it is the usual one.
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        return runner.run(_run(config, announce, store))


async def _run(config: HostConfig, announce: Callable[[str], object], store: Store | None) -> int:
    host = await serve(config, store)
    loop, wanted = asyncio.get_running_loop(), asyncio.Event()

    def stop(number: int, frame: object) -> None:
        if wanted.is_set():
            os._exit(128 + number)
        loop.call_soon_threadsafe(wanted.set)

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        announce(str(host.address))
        await first_of(wanted.wait(), host.ended.wait())
        await host.stop()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return 1 if host.failed is not None else 0


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
