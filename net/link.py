"""One connection of a client to a host: its sockets from the first handshake until they are given up."""

from __future__ import annotations

import asyncio
import contextlib
import errno
from collections.abc import Callable
from typing import Any

import zmq
import zmq.asyncio
from zmq.utils.monitor import parse_monitor_message

from . import sockets
from .codec import encode
from .errors import BadAddress
from .keys import Address, KeyPair
from .protocol import PeerKind
from .reader import Reader
from .table_ids import is_private

_WITNESS = 0.001
"""Seconds that FEED may wait: it bears witness to what TABLE has told, and what is to be shown goes first."""
Take = Callable[[bytes], object]

_REASONS: dict[int, str] = {
    int(zmq.EVENT_CONNECT_RETRIED): "nobody listens there",
    int(zmq.EVENT_DISCONNECTED): "the line was cut",
    int(zmq.EVENT_HANDSHAKE_FAILED_AUTH): "the host does not let this player connect",
    int(zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL): "whoever answers there does not have the expected key",
    int(zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL): "whoever answers there is no carteado host",
}
_SLOW = "the line is too slow, or whoever answers there is no carteado host"
_EVENTS = sum(_REASONS) | int(zmq.EVENT_CONNECTED)


class Link:
    """DEALER to the host's TABLE and, once its port is known, SUB to FEED. Never reused: a new connection is a new Link.

    connected: whether somebody has accepted the connection, who may still be about to answer. slow: whether the
    handshake has taken too long. refused: whether the host does not let this player connect.
    """

    def __init__(self, context: zmq.asyncio.Context, address: Address, keys: KeyPair) -> None:
        if address.key is None:
            raise BadAddress(f"the address {address} does not say the host's key (the part behind #)")
        self.address = address
        self.reason = "nobody answers"
        self.connected = self.slow = self.refused = False
        self._context = context
        self._keys = keys
        self._key = address.key
        self._dealer = sockets.dealer_socket(context, keys, self._key)
        self._monitor: Any = self._dealer.get_monitor_socket(_EVENTS)
        self._plain = sockets.plain(self._dealer)
        self._reader = Reader(self._plain, burst=1)  # what a message has changed is shown before the next one is read
        self._sub: sockets.Socket | None = None
        self._heard: bytes | None = None
        self.listening = asyncio.Event()
        sockets.connect(self._dealer, address)

    async def first(self, message: PeerKind) -> None:
        """Send the first message as soon as the connection stands."""
        await self._dealer.send(encode(message))

    def send(self, message: PeerKind) -> bool:
        """Send without waiting. Return False if the host takes nothing now; what matters is said again later."""
        self._reader.look()
        try:
            sockets.send_now(self._plain, encode(message))
        except zmq.Again:
            return False
        return True

    async def receive(self) -> bytes:
        """Return the next frame from TABLE, before `read`; messages of another number of frames are none of ours and are skipped."""
        while True:
            frames = await self._dealer.recv_multipart()
            if len(frames) == 1:
                return bytes(frames[0])

    async def read(self, take: Take) -> None:
        """Give every frame from TABLE to `take`. Raises: what `take` raises."""
        await self._reader.run(lambda frames: take(frames[0]) if len(frames) == 1 else None)

    def listen(self, port: int, table: str) -> None:
        """Listen to FEED about one table, and no longer about another; of a private one nothing is said there."""
        if self._sub is None:
            self._sub = sockets.sub_socket(self._context, self._keys, self._key)
            self._sub.subscribe(b"hb")
            sockets.connect(self._sub, self.address.at_port(port))
        if self._heard is not None:
            self._sub.unsubscribe(self._heard)
        self._heard = f"{table}/live".encode() if not is_private(table) else None
        if self._heard is not None:
            self._sub.subscribe(self._heard)
        self.listening.set()

    async def hear(self, take: Take) -> None:
        """Give every frame from FEED to `take`, as soon as this link listens to it. Raises: what `take` raises."""
        await self.listening.wait()
        assert self._sub is not None
        await Reader(sockets.plain(self._sub), delay=_WITNESS).run(lambda frames: take(frames[1]) if len(frames) == 2 else None)

    async def broken(self) -> str:
        """Return why the connection to TABLE ended, once it has."""
        while True:
            event = parse_monitor_message(await self._monitor.recv_multipart())
            if event["event"] == zmq.EVENT_CONNECTED:
                self.connected = True
            reason: str | None = _REASONS.get(int(event["event"]))
            if reason is not None:
                self.slow = event["event"] == zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL and int(event["value"]) == errno.EAGAIN
                self.reason = reason if not self.slow else _SLOW
                self.refused = event["event"] == zmq.EVENT_HANDSHAKE_FAILED_AUTH
                return self.reason

    def close(self, linger: int = 0) -> None:
        """Close every socket; what is still queued is given so many milliseconds to go out."""
        if self._sub is not None:
            self._sub.close(linger=0)
        with contextlib.suppress(zmq.ZMQError):
            self._dealer.disable_monitor()
        self._monitor.close(linger=0)
        self._dealer.close(linger=linger)


async def first_of(*waited: Any) -> None:
    """Wait until one of some coroutines ends, end the others, and raise what it raised."""
    tasks = [asyncio.ensure_future(work) for work in waited]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
    for result in results:
        if isinstance(result, Exception):
            raise result
