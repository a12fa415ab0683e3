"""The gateway: one more peer of the host for each browser, and the page that they all load.

gateway = Gateway(address, Settings(lan=True))
await gateway.start()
print(gateway.urls("t-1"))
await gateway.stop()
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from weakref import WeakValueDictionary

import msgspec
import zmq.asyncio
from starlette.websockets import WebSocket, WebSocketDisconnect

from carteado.net.codes import BadCode, read_code
from carteado.net.errors import NetError, Refusal
from carteado.net.keys import Address
from carteado.net.names import clean_name
from carteado.net.peer import Peer
from carteado.net.table_ids import is_private
from carteado.net.words import GameWords

from . import addresses, messages
from .assets import Asset, Assets
from .door import Bucket, Crowd, Names, Turnstile
from .outbox import Outbox
from .seat import Seat
from .server import Listener
from .settings import CHAT, CHAT_RATE, FRAME, STRIKES, Settings
from .tokens import Tokens

log = logging.getLogger(__name__)

KEPT = 64
"""Words of games that are kept for browsers to fetch."""
POLICY, SLOW, SUPERSEDED, UNREACHABLE = 1008, 4008, 4001, 4002
"""Codes with which a socket is closed: what it says cannot be read, it talks too much, another one took its place, no host."""


class Gateway:
    """Serve the page, and be a peer of the host at `address` for every browser that comes.

    app: the ASGI application, for tests without a socket. names: whom the page is served to. port: where it listens, once started.
    """

    def __init__(self, address: Address, settings: Settings | None = None, clock: Callable[[], float] | None = None) -> None:
        """Read this machine's secret; nothing is opened yet. Raises: BadKeyFile."""
        from .application import application

        self.address = address
        self.settings = settings or Settings()
        self.assets = Assets()
        self.names = Names(self.settings.names)
        self.sockets = Crowd(self.settings.sockets)
        self.tokens = Tokens(self.settings.folder)
        self.app = application(self)
        self.words: dict[str, Asset] = {}
        self.port = self.settings.port
        self._clock = clock or time.monotonic
        self._newcomers = Turnstile(self._clock)
        self._seats: dict[bytes, Seat] = {}
        self._opening: WeakValueDictionary[bytes, asyncio.Lock] = WeakValueDictionary()
        self._context: zmq.asyncio.Context | None = None
        self._listener: Listener | None = None
        self._closing: set[asyncio.Task[None]] = set()

    # Life

    async def start(self) -> None:
        """Listen. Raises: PortTaken."""
        self._listener = Listener(self.app, self.settings)
        self.port = self._listener.port
        await self._listener.start()

    async def stop(self) -> None:
        """Close every connection; seats are kept by the host."""
        if self._listener is not None:
            await self._listener.stop()
        await asyncio.gather(*(seat.close() for seat in self._seats.values()), *self._closing, return_exceptions=True)
        self._seats.clear()
        if self._context is not None:
            context, self._context = self._context, None
            await asyncio.get_running_loop().run_in_executor(None, context.term)

    def urls(self, table: str | None = None) -> list[str]:
        """Return the page's addresses, the likeliest first; with a table, its own: of a private one with its id, which is not guessed."""
        found = addresses.candidates() if self.settings.lan else []
        scheme = "https" if self.settings.tls else "http"
        tail = f"/m/{table if is_private(table) else self.tokens.code(table)}" if table else "/"
        names = [*self.settings.names, *(found or ["127.0.0.1"])]
        return [f"{scheme}://{addresses.place(name, self.port)}{tail}" for name in names]

    # Browsers

    async def visit(self, socket: WebSocket) -> None:
        """Serve one socket from its first message to its end."""
        await socket.accept()
        outbox, ended = Outbox(), asyncio.get_running_loop().create_future()

        def end(code: str) -> None:
            if not ended.done():
                ended.set_result(code)

        seat: Seat | None = None
        try:
            seat = await self._greet(socket, outbox, end)
            if seat is not None:
                await self._converse(socket, seat, outbox, ended)
        except WebSocketDisconnect:
            log.debug("a browser has gone")
        finally:
            if seat is not None and seat.detach(outbox):
                self._linger(seat)

    async def _greet(self, socket: WebSocket, outbox: Outbox, end: Callable[[str], None]) -> Seat | None:
        """Read the first message and find the seat it opens; None if the socket is closed instead."""
        try:
            async with asyncio.timeout(self.settings.greeting):
                hello = messages.read(await _text(socket))
            token = hello.token if isinstance(hello, messages.Hello) and hello.token else self.tokens.new()
            keys = self.tokens.keys(token)
        except (TimeoutError, NetError, ValueError):
            await socket.close(POLICY)
            return None
        if not isinstance(hello, messages.Hello):
            await socket.close(POLICY)
            return None
        name = clean_name(hello.name)
        if name is None:
            await _send(socket, {"t": "no", "code": "name"})
            await socket.close(POLICY)
            return None
        try:
            address = replace(self.address, code=read_code(hello.code)) if hello.code else self.address
            async with self._opening.setdefault(keys.public, asyncio.Lock()):
                seat = await self._seat(socket, Peer(address, keys, name, hello.lang, context=self._shared()))
        except NetError as error:
            code = error.code if isinstance(error, Refusal) else "code" if isinstance(error, BadCode) else "unreachable"
            await _send(socket, {"t": "no", "code": code, "text": str(error)})
            await socket.close(UNREACHABLE)
            return None
        welcome = seat.peer.welcome
        await _send(
            socket,
            {
                "t": "welcome",
                "version": self.assets.version,
                "token": token if token != hello.token else None,
                "host": welcome.host if welcome is not None else None,
                "limits": welcome.limits if welcome is not None else {},
                "m": seat.peer.m,
                "ping": self.settings.ping,
            },
        )
        seat.attach(outbox, end)
        return seat

    async def _seat(self, socket: WebSocket, peer: Peer) -> Seat:
        """Return the seat of a peer's key, connected; a player who comes with another name or join code is connected anew.

        Raises: NetError.
        """
        key = peer.keys.public
        seat = self._seats.get(key)
        if seat is not None and not seat.over and (seat.peer.name, seat.peer.address) == (peer.name, peer.address):
            return seat
        if not self._newcomers.pass_through(socket.client.host if socket.client else ""):
            raise Refusal("too_fast", "too many new players from this address")
        if seat is not None:
            await self._close(key, seat)
        await peer.connect()
        seat = self._seats[key] = Seat(peer, self.keep, self.tokens.code, Bucket(self._clock, CHAT, CHAT_RATE))
        return seat

    async def _converse(self, socket: WebSocket, seat: Seat, outbox: Outbox, ended: asyncio.Future[str]) -> None:
        """Pass messages both ways until one side has enough."""
        reading = asyncio.ensure_future(self._read(socket, seat))
        writing = asyncio.ensure_future(self._write(socket, outbox))
        try:
            await asyncio.wait((reading, writing, ended), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (reading, writing):
                task.cancel()
            done = await asyncio.gather(reading, writing, return_exceptions=True)
        if ended.done():
            await _send(socket, {"t": "gone", "code": ended.result()})
            await socket.close(SUPERSEDED if ended.result() == "superseded" else SLOW)
            return
        for result in done:
            if isinstance(result, Exception) and not isinstance(result, WebSocketDisconnect | RuntimeError):
                raise result
        if isinstance(done[0], int):
            await socket.close(done[0])

    async def _read(self, socket: WebSocket, seat: Seat) -> int:
        """Take what a browser says; return the code to close with when it says too much, or nothing that can be read."""
        bucket = Bucket(self._clock)
        strikes = 0
        while True:
            try:
                async with asyncio.timeout(self.settings.silence):
                    text = await _text(socket)
            except TimeoutError:
                return SLOW
            if not bucket.take():
                return SLOW
            try:
                message = messages.read(text)
                if isinstance(message, messages.Hello):
                    raise ValueError("hello comes once")
            except (NetError, ValueError):
                strikes += 1
                if strikes >= STRIKES or len(text) > FRAME:
                    return POLICY
                await _send(socket, {"t": "no", "code": "malformed"})
                continue
            seat.take(message)

    async def _write(self, socket: WebSocket, outbox: Outbox) -> None:
        while True:
            try:
                async with asyncio.timeout(self.settings.ping):
                    frame = await outbox.next()
            except TimeoutError:
                frame = b'{"t":"ping"}'
            await socket.send_text(frame.decode())

    def _linger(self, seat: Seat) -> None:
        """Hang up soon, unless a browser comes back before."""
        loop = asyncio.get_running_loop()
        if seat.leaving is not None:
            seat.leaving.cancel()
        seat.leaving = loop.call_later(self.settings.linger, self._expire, seat)

    def _expire(self, seat: Seat) -> None:
        task = asyncio.create_task(self._close(seat.peer.keys.public, seat))
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def _close(self, key: bytes, seat: Seat) -> None:
        if self._seats.get(key) is seat:
            del self._seats[key]
        if seat.leaving is not None:
            seat.leaving.cancel()
        await seat.close()

    # What browsers fetch

    def keep(self, words: GameWords) -> str:
        """Keep a game's words, which are everybody's, and return the path under which browsers fetch them."""
        name = words.hash.hex()
        if name not in self.words:
            told = {
                "title": words.title,
                "lang": words.lang,
                "catalogue": words.catalogue,
                "rules": words.rules,
                "looks": words.looks,
                "score": words.score,
                "levels": words.levels,
            }
            self.words[name] = Asset.of("words.json", msgspec.json.encode(told))
            while len(self.words) > KEPT:
                del self.words[next(iter(self.words))]
        return f"/w/{name}"

    def _shared(self) -> zmq.asyncio.Context:
        if self._context is None:
            self._context = zmq.asyncio.Context()
        return self._context


async def _text(socket: WebSocket) -> str:
    """Return the next message as text. Raises: WebSocketDisconnect; ValueError for bytes."""
    message: Any = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text = message.get("text")
    if text is None or len(text) > FRAME:
        return "\0" * (FRAME + 1)  # read as what cannot be read, and ends the connection
    return str(text)


async def _send(socket: WebSocket, message: Any) -> None:
    await socket.send_text(msgspec.json.encode(message).decode())
