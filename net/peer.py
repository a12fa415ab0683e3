"""A player's side of the wire: connect, sit down, act, see; and come back by itself when the line is lost.

    peer = Peer(address, keys, "Ana")
    await peer.connect()
    await peer.join("t-1")
    async for change in peer.changes():
        ...  # peer.view and peer.table are always the newest; answer with peer.act(prompt, action)

Bots, the terminal and tests use the same class. It keeps one loop's tasks and no threads.
"""

from __future__ import annotations

import asyncio
import os
import random
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import zmq.asyncio

from . import limits, protocol
from .clock import Clock, SystemClock, within
from .codec import Unreadable, encode, read_host, read_peer
from .errors import ConnectionOver, HostUnreachable, NetError, Refusal
from .keys import Address, KeyPair
from .link import Link, first_of
from .picture import Change, Picture
from .protocol import HostMessage, Joined, PeerKind, Tables, Welcome, kind_of
from .refusals import sentence
from .settings import APP
from .words import Assembly, GameWords, unpacked

__all__ = ["Answer", "Change", "Peer"]

CONNECTING, SYNCING, LIVE, LOST, GONE = "connecting", "syncing", "live", "lost", "gone"
_BEAT = 0.5
_KEPT = 256
_BAD = 3
_LINGER = 100  # ms for `bye`
Make = Callable[[bytes], PeerKind]
T = TypeVar("T")


@dataclass(frozen=True)
class Answer:
    """The host's answer to a command: accepted as version `q`, or refused with a code (a message key) and its data."""

    accepted: bool
    q: int = 0
    code: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


class _LinkLost(NetError):
    """Say that this connection is over and another one may be tried."""


@dataclass
class _Waiting:
    make: Make
    kind: str
    answer: asyncio.Future[Any]
    due: float
    tries: int = 0


class Peer:
    """One player's (or watcher's) connection to a host, kept up over any number of lost lines.

    view: the newest view, None before the first hand. table: who sits there and what may be done. m, seat, token: what `join`
    gave. line: `connecting | syncing | live | lost | gone`. words: the game's, once joined. lang: asked for them.
    """

    def __init__(
        self, address: Address | str, keys: KeyPair, name: str, lang: str = "en", feats: tuple[str, ...] = (), feed: bool = True,
        words: bool = True, clock: Clock | None = None, context: zmq.asyncio.Context | None = None, rng: random.Random | None = None,
    ) -> None:  # fmt: skip
        self.address = Address.parse(address) if isinstance(address, str) else address
        self.keys = keys
        self.name = name
        self.lang = lang
        self.line = CONNECTING
        self.welcome: Welcome | None = None
        self.m: str | None = None
        self.seat: int | None = None
        self.token: bytes | None = None
        self.words: GameWords | None = None
        self.gone_code = ""
        self.reason = ""
        self._feats = list(feats)
        self._feed = feed
        self._want_words = words
        self._clock = clock or SystemClock()
        self._own_context = context is None
        self._context = context or zmq.asyncio.Context()
        self._rng = rng or random.Random()
        self._picture = Picture()
        self._role = "seat"
        self._link: Link | None = None
        self._life: asyncio.Task[None] | None = None
        self._first: asyncio.Future[Welcome] | None = None
        self._waiting: dict[bytes, _Waiting] = {}
        self._listeners: list[tuple[deque[Change], asyncio.Event]] = []
        self._assembly = Assembly()
        self._known_words: dict[tuple[str, str], GameWords] = {}
        self._heard = self._pinged = self._snapped = float("-inf")
        self._pings = self._bad = 0

    # What a client reads

    @property
    def view(self) -> dict[str, Any] | None:
        """The newest view of the table's match."""
        return self._picture.view

    @property
    def table(self) -> protocol.Table | None:
        """Who sits at the table, its stage, and what this player may do."""
        return self._picture.table

    @property
    def match(self) -> int:
        """The number of the match that the view shows."""
        return self._picture.number

    async def changes(self) -> AsyncIterator[Change]:
        """Give every change from now on; ends after `gone`. A reader that is slow loses the oldest, never the newest."""
        queue: deque[Change] = deque(maxlen=_KEPT)
        ready = asyncio.Event()
        listener = (queue, ready)
        self._listeners.append(listener)
        try:
            if self.line == GONE:
                return
            while True:
                while queue:
                    change = queue.popleft()
                    yield change
                    if change.kind == "gone":
                        return
                ready.clear()
                await ready.wait()
        finally:
            self._listeners.remove(listener)

    async def until(self, wanted: Callable[[Peer], bool]) -> None:
        """Wait until something holds of this peer. Raises: ConnectionOver if it is gone before."""
        if wanted(self):
            return
        async for _ in self.changes():
            if wanted(self):
                return
        if not wanted(self):
            raise ConnectionOver(self.gone_code)

    # What a client does

    async def connect(self) -> Welcome:
        """Connect and say hello. Raises: HostUnreachable, Refusal (the host does not want us), BadAddress."""
        self._first = asyncio.get_running_loop().create_future()
        self._life = asyncio.create_task(self._live())
        try:
            return await asyncio.shield(self._first)
        except NetError:
            await self.close()
            raise

    async def tables(self) -> Tables:
        """Ask which tables and games there are."""
        answer: Tables = await self._ask(lambda _: protocol.AskTables())
        return answer

    async def open(self, game: str, options: Mapping[str, Any] | None = None, chairs: int | None = None) -> str:
        """Open a table and return its id. Raises: Refusal."""
        ack = await self._command(lambda id: protocol.Open(id, game, dict(options or {}), chairs))
        return str(ack.m)

    async def join(self, m: str, role: str = "seat", seat: int | None = None) -> Joined:
        """Sit down, come back to the own seat, or watch (role `watch`). Raises: Refusal."""
        return await self._enter(m, lambda _: protocol.Join(m, role, seat), role)

    async def reclaim(self, m: str, seat: int, token: bytes) -> Joined:
        """Take a seat over to this player's key with its token. Raises: Refusal."""
        return await self._enter(m, lambda _: protocol.Reclaim(m, seat, token), "seat")

    async def fetch_words(self, lang: str | None = None, game: str | None = None) -> GameWords:
        """Get a game's words (the table's game, in the own language), from what is known if the host says that it still holds."""
        game = game or (self.table.game if self.table else "")
        lang = lang or self.lang
        known = self._known_words.get((game, lang))
        got = await self._ask(lambda _: protocol.AskWords(game, lang, known.hash if known else None))
        words = known if got is None and known is not None else unpacked(game, lang, *got)
        self._known_words[game, lang] = words
        if self.table is not None and game == self.table.game:
            self.words, self.lang = words, lang
            self._tell(Change("words"))
        return words

    async def act(self, prompt: int, action: Mapping[str, Any]) -> Answer:
        """Answer a prompt. Sent again with the same id until the host answers; the view is at least as new as the answer.

        Raises: BadFrame for an action that no host could accept, ConnectionOver.
        """
        m, match = self._here(), self.match
        make: Make = lambda id: protocol.Command(self._epoch(), id, m, match, prompt, dict(action))  # noqa: E731
        read_peer(encode(make(bytes(limits.ID))))
        ack = await self._ask(make)
        if ack.no is not None:
            return Answer(False, ack.q, ack.no.code, ack.no.data)
        return Answer(True, ack.q)

    async def ready(self, on: bool = True) -> None:
        """Say that this player is ready for the start, the next hand, or another match. Raises: Refusal."""
        m = self._here()
        await self._command(lambda id: protocol.Ready(id, m, on))

    async def fill(self, level: str = "rule", seat: int | None = None) -> None:
        """Put computer players on a free chair, or on all. Raises: Refusal."""
        m = self._here()
        await self._command(lambda id: protocol.Fill(id, m, level, seat))

    async def start(self) -> None:
        """Start the match. Raises: Refusal."""
        m = self._here()
        await self._command(lambda id: protocol.Start(id, m))

    async def pause(self, on: bool = True) -> None:
        """Stop the table, or let it go on. Raises: Refusal."""
        m = self._here()
        await self._command(lambda id: protocol.Pause(id, m, on))

    async def rematch(self) -> None:
        """Start another match. Raises: Refusal."""
        m = self._here()
        await self._command(lambda id: protocol.Rematch(id, m))

    async def say(self, text: str) -> None:
        """Say a line to the table. Raises: Refusal."""
        m = self._here()
        await self._command(lambda id: protocol.Say(id, m, text))

    async def leave(self) -> None:
        """Give the seat up for good, or stop watching. Raises: Refusal."""
        m = self._here()
        await self._command(lambda id: protocol.Leave(id, m))
        self.m = self.seat = self.token = None
        self._picture.forget()
        self._tell(Change("table"))

    def resync(self) -> None:
        """Ask for the whole view again, for instance because it could not be shown; at most once a second."""
        now = self._clock.now()
        if self.m is not None and self._link is not None and now - self._snapped >= 1.0:
            self._snapped = now
            self._link.send(protocol.Snap(self.m))

    async def close(self) -> None:
        """End the connection; the seat is kept."""
        if self._link is not None and self.line == LIVE:
            self._link.send(protocol.Bye())
        if self._life is not None:
            self._life.cancel()
            await asyncio.gather(self._life, return_exceptions=True)
        if self.line != GONE:
            self._finish("closed")
        if self._own_context:
            await asyncio.get_running_loop().run_in_executor(None, self._context.term)

    # Asking

    def _here(self) -> str:
        if self.m is None:
            raise Refusal("not_in_match", sentence("not_in_match"))
        return self.m

    def _epoch(self) -> bytes:
        return self.welcome.e if self.welcome is not None else bytes(limits.EPOCH)

    async def _command(self, make: Make) -> protocol.Ack:
        ack: protocol.Ack = await self._ask(make)
        if ack.no is not None:
            raise Refusal(ack.no.code, sentence(ack.no.code), ack.no.data)
        return ack

    async def _ask(self, make: Make) -> Any:
        """Send a message now, and again until it is answered. Raises: Refusal, ConnectionOver."""
        if self.line == GONE:
            raise ConnectionOver(self.gone_code)
        id = os.urandom(limits.ID)
        waiting = _Waiting(make, kind_of(make(id)), asyncio.get_running_loop().create_future(), 0.0)
        self._waiting[id] = waiting
        try:
            if self.line in (SYNCING, LIVE):
                self._send(id, waiting)
            return await waiting.answer
        finally:
            del self._waiting[id]

    def _send(self, id: bytes, waiting: _Waiting) -> None:
        waiting.due = self._clock.now() + limits.RESEND[min(waiting.tries, len(limits.RESEND) - 1)]
        waiting.tries += 1
        if self._link is not None:
            self._link.send(waiting.make(id))

    def _settle(self, kinds: tuple[str, ...], result: Any) -> None:
        """Answer the oldest question of some kinds; a Refusal answers all of them, since it names no single one."""
        for waiting in self._waiting.values():
            if waiting.kind in kinds and not waiting.answer.done():
                if isinstance(result, Refusal):
                    waiting.answer.set_exception(result)
                    continue
                waiting.answer.set_result(result)
                return

    async def _enter(self, m: str, make: Make, role: str) -> Joined:
        joined: Joined = await self._ask(make)
        self._role = role
        await self.until(lambda peer: peer.m == m and peer.table is not None and (peer.view is not None or not peer._has_match()))
        if self._want_words:
            await self.fetch_words()
        return joined

    def _has_match(self) -> bool:
        return self.table is not None and self.table.match > 0 and self.table.stage != "broken"

    # Living

    async def _live(self) -> None:
        """Keep a connection up until it is over for good."""
        delay, lost_at = limits.BACKOFF[0], self._clock.now()
        while True:
            link = self._link = Link(self._context, self.address, self.keys)
            linger = 0
            try:
                await self._once(link)
            except (_LinkLost, zmq.ZMQError) as lost:
                self.reason = str(lost)
            except (ConnectionOver, Refusal) as over:
                self._finish(over.code, over)
                return
            except asyncio.CancelledError:
                linger = _LINGER
                raise
            finally:
                self._link = None
                link.close(linger)
            if self._first is not None and not self._first.done():
                self._finish("unreachable", HostUnreachable(f"no host answers at {self.address.place}: {self.reason}"))
                return
            now = self._clock.now()
            if self.line == LIVE:
                delay, lost_at = limits.BACKOFF[0], now
            if now - lost_at > limits.RETRY:
                self._finish("unreachable")
                return
            self._set_line(LOST)
            await self._clock.sleep(delay * (1 + limits.JITTER * (2 * self._rng.random() - 1)))
            delay = min(2 * delay, limits.BACKOFF[1])

    async def _once(self, link: Link) -> None:
        """Use one connection until it breaks. Raises: _LinkLost, ConnectionOver, Refusal."""
        cut = asyncio.ensure_future(self._cut(link))
        try:
            greeting = asyncio.ensure_future(self._greet(link))
            try:
                await within(self._clock, limits.ANSWER, asyncio.wait({cut, greeting}, return_when=asyncio.FIRST_COMPLETED))
            except TimeoutError:
                raise _LinkLost(link.reason) from None
            finally:
                if not greeting.done():
                    greeting.cancel()
            if cut.done():
                cut.result()
            self.welcome = greeting.result()
            self._heard = self._clock.now()
            self._set_line(SYNCING)
            if self._first is not None and not self._first.done():
                self._first.set_result(self.welcome)
            if self.m is not None:
                self._picture.renew()
                link.send(protocol.Join(self.m, self._role))
            self._set_line(LIVE)
            for id, waiting in list(self._waiting.items()):
                self._send(id, waiting)
            await first_of(cut, self._read(link), self._hear(link), self._beat(link))
        finally:
            cut.cancel()

    async def _cut(self, link: Link) -> None:
        raise _LinkLost(await link.broken())

    async def _greet(self, link: Link) -> Welcome:
        low, high = limits.PROTO
        await link.first(protocol.Hello((low, high), APP, self.name, self._feats))
        while True:
            try:
                message, _ = read_host(await link.receive())
            except Unreadable:
                raise ConnectionOver("bad_host") from None
            if isinstance(message, Welcome):
                return message
            if isinstance(message, protocol.No) and message.re == "hello":
                raise Refusal(message.code, message.text, message.data)
            if isinstance(message, protocol.Gone):
                self._gone(message)

    async def _read(self, link: Link) -> None:
        while True:
            frame = await link.receive()
            self._heard = self._clock.now()
            try:
                message, raw = read_host(frame)
                self._take(message, raw, link)
            except Unreadable:
                self._bad += 1
                if self._bad > _BAD:
                    raise ConnectionOver("bad_host") from None

    async def _hear(self, link: Link) -> None:
        """Let FEED bear witness. What cannot be read there is a witness against the host, not a reason to stop."""
        while True:
            frame = await link.hear()
            try:
                message, _ = read_host(frame)
            except Unreadable:
                self._tell(Change("witness", code="malformed"))
                continue
            if isinstance(message, protocol.State) and message.m == self.m:
                self._tell(*self._picture.witness(message))
            elif isinstance(message, protocol.Heartbeat) and self.m in message.m and message.e == self._epoch():
                self._head(*message.m[self.m])

    async def _beat(self, link: Link) -> None:
        while True:
            await self._clock.sleep(_BEAT)
            now = self._clock.now()
            if now - self._heard > limits.SILENCE:
                raise _LinkLost("the host is silent")
            if now - self._pinged >= limits.PING:
                self._pinged = now
                self._pings += 1
                link.send(protocol.Ping(self._pings, self._picture.q))
            for id, waiting in list(self._waiting.items()):
                if not waiting.answer.done() and now >= waiting.due:
                    self._send(id, waiting)
            if self._picture.behind:
                self.resync()

    # Taking in

    def _take(self, message: HostMessage, raw: dict[str, Any], link: Link) -> None:
        match message:
            case protocol.State():
                if message.m == self.m and message.e == self._epoch():
                    self._tell(*self._picture.state(message, raw))
            case protocol.Ack():
                self._acked(message)
            case protocol.Table():
                if message.m == self.m:
                    self._picture.table = message
                    self.seat = message.you
                    self._tell(Change("table"))
            case protocol.Pong():
                self._head(message.match, message.q, message.h)
            case protocol.Joined():
                self._joined(message, link)
            case protocol.Tables():
                self._settle(("tables",), message)
            case protocol.Words():
                self._worded(message)
            case protocol.Said():
                self._tell(Change("say", said=message))
            case protocol.No():
                self._refused(message)
            case protocol.Gone():
                self._gone(message)

    def _head(self, number: int, q: int, h: bytes) -> None:
        self._tell(*self._picture.head(number, q, h))
        if self._picture.behind:
            self.resync()

    def _acked(self, ack: protocol.Ack) -> None:
        waiting = self._waiting.get(ack.id)
        if ack.no is not None and ack.no.code == "stale_epoch":
            raise _LinkLost("the host has started again")
        if waiting is not None and not waiting.answer.done():
            waiting.answer.set_result(ack)

    def _joined(self, joined: Joined, link: Link) -> None:
        if joined.m != self.m:
            self._picture.forget()
        self._picture.renew()
        self.m, self.seat = joined.m, joined.seat
        if joined.token is not None:
            self.token = joined.token
        if self._feed and self.welcome is not None:
            link.listen(self.welcome.feed, joined.m)
        self._settle(("join", "reclaim"), joined)

    def _worded(self, words: protocol.Words) -> None:
        if words.parts == 0:
            self._settle(("words",), None)
            return
        body = self._assembly.add(words)
        if body is not None:
            self._settle(("words",), (words.hash, body))

    def _refused(self, no: protocol.No) -> None:
        if no.code == "hello_first":
            raise _LinkLost("the host does not know this connection")
        refusal = Refusal(no.code, no.text, no.data)
        if no.re == "join" and not any(waiting.kind == "join" for waiting in self._waiting.values()):
            raise ConnectionOver(no.code)  # coming back: the seat, or the table, is not there any more
        self._settle((no.re,), refusal)

    def _gone(self, gone: protocol.Gone) -> None:
        if gone.resume:
            raise _LinkLost(sentence(gone.code) or gone.code)
        raise ConnectionOver(gone.code)

    # Telling

    def _set_line(self, line: str) -> None:
        if line != self.line:
            self.line = line
            self._tell(Change("line"))

    def _tell(self, *changes: Change) -> None:
        for change in changes:
            for queue, ready in self._listeners:
                queue.append(change)
                ready.set()

    def _finish(self, code: str, error: NetError | None = None) -> None:
        """Be gone for good: whoever waits is told why."""
        self.gone_code = code
        self._set_line(GONE)
        error = error or ConnectionOver(code)
        if self._first is not None and not self._first.done():
            self._first.set_exception(error)
        for waiting in self._waiting.values():
            if not waiting.answer.done():
                waiting.answer.set_exception(error)
        self._tell(Change("gone", code=code))
