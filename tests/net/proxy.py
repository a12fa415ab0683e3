"""A line that tests can cut, stop, slow down and let go on: a TCP proxy in front of a host, and the weather on it."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from carteado.net.host import Host
from carteado.net.keys import Address


@dataclass
class Weather:
    """How a bad line is. delay, jitter: seconds that bytes are under way, each way, and up to how much more. lasts: (fewest, most)
    seconds after which a connection is reset, again and again. haunted: what a peer has sent before it hung up arrives all the same,
    among what it sends over its next connection.
    """

    delay: float = 0.0
    jitter: float = 0.0
    lasts: tuple[float, float] | None = None
    haunted: bool = False


class Proxy:
    """Pass bytes on both ways, unless told otherwise. resets: how often the weather has cut a line."""

    def __init__(self, port: int, weather: Weather | None = None, seed: int = 1) -> None:
        self.target = port
        self.weather = weather or Weather()
        self.resets = 0
        self._rng = random.Random(seed)
        self.address = Address("127.0.0.1", 1)
        self.lines = 0
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._host_speaks = asyncio.Event()
        self._peer_speaks = asyncio.Event()
        self.resume()

    async def open(self, host: Host) -> None:
        """Listen."""
        self._server = await asyncio.start_server(self._line, "127.0.0.1", 0)
        self.address = Address("127.0.0.1", self._server.sockets[0].getsockname()[1], host.keys.public)

    def deafen(self) -> None:
        """Hold back everything that the host says."""
        self._host_speaks.clear()

    def silence(self) -> None:
        """Hold back everything, both ways, without closing anything: a cable that is out."""
        self._host_speaks.clear()
        self._peer_speaks.clear()

    def resume(self) -> None:
        """Let everything through again."""
        self._host_speaks.set()
        self._peer_speaks.set()

    def cut(self) -> None:
        """Reset every connection; what was held back is lost."""
        for task in list(self._tasks):
            task.cancel()
        for writer in list(self._writers):
            writer.transport.abort()
        self._writers.clear()

    async def close(self) -> None:
        """Stop listening."""
        assert self._server is not None
        self._server.close()
        self.cut()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    async def _line(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.lines += 1
        try:
            up_reader, up_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, up_writer}
        self._spawn(self._pump(reader, up_writer, self._peer_speaks))
        self._spawn(self._pump(up_reader, writer, self._host_speaks))
        if self.weather.lasts is not None:
            self._spawn(self._storm(writer, up_writer))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _storm(self, *writers: asyncio.StreamWriter) -> None:
        """Reset a connection after a while."""
        assert self.weather.lasts is not None
        await asyncio.sleep(self._rng.uniform(*self.weather.lasts))
        if not any(writer.transport.is_closing() for writer in writers):
            self.resets += 1
            writers[0].transport.abort()
            if not self.weather.haunted:
                writers[1].transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, allowed: asyncio.Event) -> None:
        """Pass bytes on in their order, each when its time has come."""
        loop = asyncio.get_running_loop()
        under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        arriving = asyncio.create_task(self._arrive(under_way, writer, allowed))
        try:
            last = 0.0
            while data := await reader.read(65536):
                weather = self.weather
                last = max(last, loop.time() + weather.delay + self._rng.uniform(0, weather.jitter))
                under_way.put_nowait((last, data))
            if self.weather.haunted:
                await under_way.join()
        except ConnectionError:
            if self.weather.haunted:
                await under_way.join()
        finally:
            arriving.cancel()
            await asyncio.gather(arriving, return_exceptions=True)
            writer.transport.abort()

    @staticmethod
    async def _arrive(
        under_way: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter, allowed: asyncio.Event
    ) -> None:  # fmt: skip
        loop = asyncio.get_running_loop()
        while True:
            due, data = await under_way.get()
            if (wait := due - loop.time()) > 0:
                await asyncio.sleep(wait)
            await allowed.wait()
            if not writer.transport.is_closing():
                writer.write(data)
                with contextlib.suppress(ConnectionError):
                    await writer.drain()
            under_way.task_done()


@asynccontextmanager
async def proxied(host: Host, weather: Weather | None = None, seed: int = 1) -> AsyncIterator[Proxy]:
    """Put a proxy in front of a host."""
    proxy = Proxy(host.port, weather, seed)
    await proxy.open(host)
    try:
        yield proxy
    finally:
        await proxy.close()
