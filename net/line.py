"""The line of a client to its host: one connection after the other, until it is over for good."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Protocol

import zmq
import zmq.asyncio

from . import limits, protocol
from .clock import Clock, within
from .codec import Unreadable, read_feed, read_host
from .errors import ConnectionOver, HostUnreachable, NetError, Refusal
from .keys import Address, KeyPair
from .link import Link, first_of
from .parts import Parts
from .protocol import Heartbeat, HostMessage, PeerKind, Welcome
from .views import StateHead

CONNECTING, SYNCING, LIVE, LOST, GONE = "connecting", "syncing", "live", "lost", "gone"
_BEAT = 0.5
_BAD = 3
"""Frames that cannot be read before a host is given up as broken or hostile."""
_LOOK = 1.5
_LINGER = 100  # ms for `bye`


Seek = Callable[[Address, float], Awaitable[Address]]
"""Look for a lost host for so many seconds; return where the same key is now, or the old address."""


class LineLost(NetError):
    """Say that this connection is over and another one may be tried; at once, unless the host has said that it closes."""

    def __init__(self, reason: str, closing: bool = False) -> None:
        super().__init__(reason)
        self.closing = closing


class Listener(Protocol):
    """Be told what happens on a line."""

    def welcomed(self, welcome: Welcome) -> None:
        """Go on where the last connection ended; called at the beginning of each."""

    def take(self, message: HostMessage) -> None:
        """Take in a message from TABLE. Raises: LineLost, ConnectionOver, Unreadable."""

    def witness(self, message: StateHead | Heartbeat | None) -> None:
        """Take in a message from FEED, None for one that cannot be read."""

    def beat(self) -> None:
        """Look after what is overdue, twice a second while the line is live."""

    def turned(self, state: str) -> None:
        """Be told that the line's state is another one."""

    def over(self, code: str, error: NetError) -> None:
        """Be told that the line is over for good."""


class Line:
    """Keep a connection up.

    state: `connecting | syncing | live | lost | gone`. reason: why the last connection was lost, in a few words.
    """

    def __init__(
        self, address: Address, keys: KeyPair, hello: protocol.Hello, clock: Clock, rng: random.Random, listener: Listener,
        seek: Seek | None = None,
    ) -> None:  # fmt: skip
        self.state = CONNECTING
        self.reason = ""
        self.position = 0
        self.address = address
        self._keys = keys
        self._hello = hello
        self._clock = clock
        self._rng = rng
        self._listener = listener
        self._seek = seek
        self._link: Link | None = None
        self._heard = self._pinged = float("-inf")
        self._pings = self._bad = 0
        self._parts = Parts()

    def send(self, message: PeerKind) -> bool:
        """Send without waiting. Return False if that is not possible now."""
        return self._link is not None and self._link.send(message)

    def listen(self, port: int, table: str) -> None:
        """Listen to FEED about a table."""
        if self._link is not None:
            self._link.listen(port, table)

    async def live(self, context: zmq.asyncio.Context) -> None:
        """Keep the connection up until it is over; the first one must succeed."""
        delay, lost_at, welcome = limits.AT_ONCE, self._clock.now(), False
        again = False
        while True:
            link = self._link = Link(context, self.address, self._keys)
            linger, closing = 0, False
            try:
                await self._once(link)
            except (LineLost, zmq.ZMQError) as lost:
                self.reason = str(lost)
                closing = isinstance(lost, LineLost) and lost.closing
            except (ConnectionOver, Refusal) as over:
                self.end(over.code, over)
                return
            except asyncio.CancelledError:
                linger = _LINGER
                raise
            finally:
                self._link = None
                link.close(linger)
            now = self._clock.now()
            if self.state == LIVE:
                welcome, delay, lost_at = True, limits.BACKOFF[0] if closing else limits.AT_ONCE, now
            if not welcome and link.slow and not again:
                again = True  # bad weather: the first connection gets another try
                continue
            if not welcome or now - lost_at > limits.RETRY:
                place = self.address.place
                why = f"{self.reason}, at {place}" if link.refused else f"no host answers at {place}: {self.reason}"
                self.end("unreachable", HostUnreachable(why))
                return
            self._turn(LOST)
            pause = delay * (1 + limits.JITTER * (2 * self._rng.random() - 1))
            if self._seek is not None and pause >= limits.SEEK:
                self.address = await self._seek(self.address, max(pause, _LOOK))
            else:
                await self._clock.sleep(pause)
            delay = min(max(2 * delay, limits.BACKOFF[0]), limits.BACKOFF[1])

    def end(self, code: str, error: NetError) -> None:
        """Be over for good."""
        self._turn(GONE)
        self._listener.over(code, error)

    async def _once(self, link: Link) -> None:
        """Use one connection until it breaks. Raises: LineLost, ConnectionOver, Refusal."""
        cut = asyncio.ensure_future(self._cut(link))
        greeting = asyncio.ensure_future(self._greet(link))
        try:
            try:
                await within(self._clock, limits.ANSWER, asyncio.wait({cut, greeting}, return_when=asyncio.FIRST_COMPLETED))
            except TimeoutError:
                if not link.connected:
                    raise LineLost(link.reason) from None
            try:
                patience = limits.GREETING - limits.ANSWER
                await within(self._clock, patience, asyncio.wait({cut, greeting}, return_when=asyncio.FIRST_COMPLETED))
            except TimeoutError:
                raise LineLost(link.reason) from None
            if greeting.done():
                welcome = greeting.result()
            else:
                cut.result()
            self._heard = self._clock.now()
            self._turn(SYNCING)
            self._listener.welcomed(welcome)
            self._turn(LIVE)
            self._listener.beat()
            await first_of(cut, link.read(self._read), link.hear(self._hear), self._beat(link))
        finally:
            for task in (cut, greeting):
                task.cancel()
            await asyncio.gather(cut, greeting, return_exceptions=True)

    async def _cut(self, link: Link) -> None:
        raise LineLost(await link.broken())

    async def _greet(self, link: Link) -> Welcome:
        await link.first(self._hello)
        while True:
            try:
                message = read_host(await link.receive())
            except Unreadable:
                raise ConnectionOver("bad_host") from None
            if isinstance(message, Welcome):
                return message
            if isinstance(message, protocol.No) and message.re == "hello" and message.code == "too_fast":
                raise LineLost(message.text)
            if isinstance(message, protocol.No) and message.re == "hello":
                raise Refusal(message.code, message.text, message.data)
            if isinstance(message, protocol.Gone) and not message.resume:
                raise ConnectionOver(message.code)

    def _read(self, frame: bytes) -> None:
        self._heard = self._clock.now()
        try:
            self._listener.take(read_host(frame, self._parts))
        except Unreadable:
            self._bad += 1
            if self._bad > _BAD:
                raise ConnectionOver("bad_host") from None

    def _hear(self, frame: bytes) -> None:
        try:
            message = read_feed(frame)
        except Unreadable:
            self._listener.witness(None)
            return
        if message is not None:
            self._listener.witness(message)

    async def _beat(self, link: Link) -> None:
        while True:
            await self._clock.sleep(_BEAT)
            now = self._clock.now()
            if now - self._heard > limits.SILENCE:
                raise LineLost("the host is silent")
            if now - self._pinged >= limits.PING:
                self._pinged = now
                self._pings += 1
                link.send(protocol.Ping(self._pings, self.position))
            self._listener.beat()

    def _turn(self, state: str) -> None:
        if state != self.state:
            self.state = state
            self._listener.turned(state)
