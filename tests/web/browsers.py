"""Gateways and what a browser says to them, without a browser: the socket alone."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from carteado.core.game import Game
from carteado.net.host import Host
from carteado.net.keys import Address, KeyPair
from carteado.net.settings import TableSpec
from carteado.ui.web.gateway import Gateway
from carteado.ui.web.settings import Settings

from ..net.highcard import GAMES
from ..net.rooms import hosting

TABLE = TableSpec("high-card", chairs=2)


@asynccontextmanager
async def gateway_to(address: Address, folder: Path, **chosen: Any) -> AsyncIterator[Gateway]:
    """Run a gateway on a free port of loopback."""
    gateway = Gateway(address, Settings(**{"port": 0, "folder": folder, **chosen}))
    await gateway.start()
    try:
        yield gateway
    finally:
        await gateway.stop()


@asynccontextmanager
async def gate(
    folder: Path, *tables: TableSpec, games: Mapping[str, Game] | None = GAMES, keys: KeyPair | None = None, **chosen: Any
) -> AsyncIterator[tuple[Host, Gateway]]:
    """Run a host and a gateway to it."""
    async with hosting(*(tables or (TABLE,)), games=games, keys=keys) as host, gateway_to(host.address, folder, **chosen) as gateway:
        yield host, gateway


class Visitor:
    """One socket of a browser."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []
        self.number = secrets.randbelow(2**40)  # as every page begins anew

    async def say(self, message: Mapping[str, Any] | str) -> None:
        """Send a message, or any text."""
        await self.socket.send(message if isinstance(message, str) else json.dumps(message))

    async def hear(self, *kinds: str, seconds: float = 5.0) -> dict[str, Any]:
        """Return the next message of one of these kinds."""
        async with asyncio.timeout(seconds):
            while True:
                message: dict[str, Any] = json.loads(await self.socket.recv())
                self.heard.append(message)
                if not kinds or message["t"] in kinds:
                    return message

    async def latest(self, kind: str) -> dict[str, Any]:
        """Return the last message of a kind that has come, else the next one."""
        return next((message for message in reversed(self.heard) if message["t"] == kind), None) or await self.hear(kind)

    async def until(self, wanted: Callable[[dict[str, Any]], Any], seconds: float = 5.0) -> dict[str, Any]:
        """Return the next message of which something holds."""
        async with asyncio.timeout(seconds):
            while not wanted(message := await self.hear(seconds=seconds)):
                continue
        return message

    async def hello(self, name: str = "Ana", token: str | None = None) -> dict[str, Any]:
        """Say hello as the page does."""
        await self.say({"t": "hello", "name": name, "lang": "en", "token": token})
        return await self.hear("welcome")

    async def ask(self, **message: Any) -> dict[str, Any]:
        """Ask something that is answered."""
        self.number += 1
        await self.say({**message, "n": self.number})
        return await self.until(lambda heard: heard["t"] == "answer" and heard["n"] == self.number)

    async def sit(self, name: str = "Ana", token: str | None = None, m: str = "t-1") -> dict[str, Any]:
        """Say hello and sit down; return the welcome."""
        welcome = await self.hello(name, token)
        assert (await self.ask(t="join", m=m))["ok"]
        return welcome

    async def closed(self, seconds: float = 5.0) -> int | None:
        """Read until the gateway closes the socket; return its code."""
        async with asyncio.timeout(seconds):
            with contextlib.suppress(ConnectionClosed):
                while True:
                    await self.socket.recv()
        return self.socket.close_code


@asynccontextmanager
async def visiting(gateway: Gateway, **more: Any) -> AsyncIterator[Visitor]:
    """Open a socket as the page of this gateway would."""
    place = f"127.0.0.1:{gateway.port}"
    async with connect(f"ws://{place}/ws", origin=more.pop("origin", f"http://{place}"), **more) as socket:
        yield Visitor(socket)
