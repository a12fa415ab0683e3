"""Hosts, peers and hostile peers for the tests of net: real sockets on loopback, free ports, nothing that waits for a clock."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import zmq
import zmq.asyncio

from carteado.core.bots import player
from carteado.core.game import Game
from carteado.core.journal import Journal
from carteado.core.replay import replay
from carteado.net import protocol, sockets
from carteado.net.bot import Bot
from carteado.net.clock import Clock
from carteado.net.codec import read_host
from carteado.net.host import Host, serve
from carteado.net.keys import Address, KeyPair
from carteado.net.peer import Peer
from carteado.net.rates import DoorRules, Rates
from carteado.net.seating import Tick
from carteado.net.settings import HostConfig, TableSpec
from carteado.net.store import Store, StoredTable
from carteado.net.tables import Table

from .highcard import GAMES

TABLE = TableSpec("high-card", chairs=3)
OPEN = DoorRules(rates=Rates.none())
"""No limits: most tests say more in a second than a person does in an hour."""


def run(work: Coroutine[Any, Any, Any], seconds: float = 30.0) -> Any:
    """Run a test's coroutine; a test that hangs fails."""
    return asyncio.run(asyncio.wait_for(work, seconds))


async def soon(wanted: Callable[[], Any], seconds: float = 10.0) -> None:
    """Wait until something holds that no event tells."""
    async with asyncio.timeout(seconds):
        while not wanted():
            await asyncio.sleep(0.002)


@asynccontextmanager
async def hosting(
    *tables: TableSpec, games: Mapping[str, Game] | None = GAMES, store: Store | None = None, clock: Clock | None = None,
    keys: KeyPair | None = None, port: int = 0, seed: bytes | None = b"test", hand_pause: float = 0.0, pace: float = 0.0,
    door: DoorRules = OPEN, **more: Any,
) -> AsyncIterator[Host]:  # fmt: skip
    """Run a host on loopback."""
    config = HostConfig(
        port=port, keys=keys or KeyPair.make(), tables=tables or (TABLE,), pace=pace, hand_pause=hand_pause, seed=seed, door=door, **more
    )  # fmt: skip
    host = await serve(config, store, clock, games)
    try:
        yield host
    finally:
        await host.stop()
        assert host.failed is None


@asynccontextmanager
async def visiting(host: Host | Address, name: str = "Ana", keys: KeyPair | None = None, **more: Any) -> AsyncIterator[Peer]:
    """Connect a peer that sits nowhere yet."""
    address = host.address if isinstance(host, Host) else host
    peer = Peer(address, keys or KeyPair.make(), name, words=more.pop("words", False), **more)
    await peer.connect()
    try:
        yield peer
    finally:
        await peer.close()


@asynccontextmanager
async def sitting(host: Host, name: str = "Ana", keys: KeyPair | None = None, m: str = "t-1", **more: Any) -> AsyncIterator[Peer]:
    """Connect a peer and let it sit down."""
    async with visiting(host, name, keys, **more) as peer:
        await peer.join(m)
        yield peer


def bot(peer: Peer, game: Game, level: str = "random", seed: int = 1) -> Bot:
    """Return a computer player on this peer's chair."""
    return Bot(peer, player(game, level), rng=random.Random(seed))


class Steady:
    """A player whose choice depends on the view alone."""

    def choose(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        """Return a legal action."""
        if view["prompts"][0]["stage"] == "bid":
            return {"type": "bid", "n": view["you"] % 3}
        hand = next(zone["cards"] for zone in view["zones"] if zone["name"] == f"hand/{view['you']}")
        return {"type": "lay", "card": [min(hand, key=lambda card: card in ("R1", "R10"))]}


async def first_move(peer: Peer) -> tuple[int, dict[str, Any]]:
    """Wait until the peer is asked; return its prompt and a legal action."""
    await peer.until(lambda p: bool(p.view and p.view["prompts"]))
    assert peer.view is not None
    return peer.view["prompts"][0]["id"], Steady().choose(peer.view, random.Random(0))


def brought_back(table: Table, stored: StoredTable, tick: Tick) -> None:
    """Let a table become what was kept of it, its match as well. Raises: JournalMismatch."""
    table.expect(stored, tick)
    journal = Journal(dict(stored.header or {}), [dict(entry) for entry in stored.entries])
    table.restore(replay(journal, table.game, house=table.house), stored.answers, tick)


def on_turn(*peers: Peer) -> Peer | None:
    """Return the peer that is asked something now."""
    return next((peer for peer in peers if peer.view and peer.view["prompts"]), None)


class Raw:
    """A hostile peer: the sockets of the program, and any bytes on them."""

    def __init__(self, host: Host | Address, keys: KeyPair | None = None, context: zmq.asyncio.Context | None = None) -> None:
        address = host.address if isinstance(host, Host) else host
        assert address.key is not None
        self.keys = keys or KeyPair.make()
        self.context = context or zmq.asyncio.Context()
        self.socket = sockets.dealer_socket(self.context, self.keys, address.key)
        self.socket.sndhwm = 1000
        sockets.connect(self.socket, address)
        self.frames: list[bytes] = []
        self.epoch = bytes(8)

    async def send(self, *frames: bytes) -> None:
        """Send any frames as one message."""
        await self.socket.send_multipart(list(frames))

    async def spam(self, frame: bytes, count: int) -> int:
        """Send a frame so often, as fast as the line takes it, and not longer than there is a line; return how often that was."""
        sent = 0
        for number in range(count):
            if number % 16 == 0:
                await asyncio.sleep(0)
            sending: Any = self.socket.send(frame, zmq.DONTWAIT)
            sent += sending.exception() is None
        return sent

    async def say(self, message: protocol.PeerKind) -> None:
        """Send a message, however large."""
        await self.send(msgspec.msgpack.encode(message))

    async def hear(self, *kinds: type[Any], seconds: float = 5.0) -> Any:
        """Return the next message of one of these kinds (any by default)."""
        async with asyncio.timeout(seconds):
            while True:
                frames = await self.socket.recv_multipart()
                self.frames.append(frames[-1])
                message = read_host(frames[-1])
                if not kinds or isinstance(message, kinds):
                    return message

    async def hello(self, name: str = "Mallory") -> protocol.Welcome:
        """Say hello as an honest peer would."""
        await self.say(protocol.Hello((1, 1), "test", name))
        welcome: protocol.Welcome = await self.hear(protocol.Welcome)
        self.epoch = welcome.e
        return welcome

    async def join(self, m: str = "t-1", role: str = "seat") -> protocol.Joined:
        """Sit down."""
        await self.say(protocol.Join(m, role))
        joined: protocol.Joined = await self.hear(protocol.Joined)
        return joined

    async def echo(self) -> list[Any]:
        """Return everything that comes until a question of now, which waits its turn, is answered."""
        await self.say(protocol.AskTables())
        return await self._until(protocol.Tables)

    async def pong(self) -> list[Any]:
        """Return everything that comes until a ping of now, which waits for nothing, is answered."""
        await self.say(protocol.Ping(7_777))
        return await self._until(protocol.Pong)

    async def _until(self, kind: type[Any]) -> list[Any]:
        heard = []
        while not isinstance(message := await self.hear(), kind):
            heard.append(message)
        return heard

    def close(self) -> None:
        """Go without a word."""
        self.socket.close(linger=0)
        self.context.destroy(linger=0)


@asynccontextmanager
async def hostile(host: Host | Address, keys: KeyPair | None = None) -> AsyncIterator[Raw]:
    """Connect a hostile peer."""
    raw = Raw(host, keys)
    try:
        yield raw
    finally:
        raw.close()


def new_id() -> bytes:
    """Return a fresh command id."""
    return os.urandom(16)


async def together(*work: Awaitable[Any]) -> list[Any]:
    """Wait for several things."""
    return list(await asyncio.gather(*work))
