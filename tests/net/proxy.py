"""A line that tests can cut, stop and let go on: a TCP proxy in front of a host."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from carteado.net.host import Host
from carteado.net.keys import Address


class Proxy:
    """Pass bytes on both ways, unless told otherwise. deaf: hold back what the host says; mute: what the peer says."""

    def __init__(self, port: int) -> None:
        self.target = port
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
        for work in (self._pump(reader, up_writer, self._peer_speaks), self._pump(up_reader, writer, self._host_speaks)):
            task = asyncio.create_task(work)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, allowed: asyncio.Event) -> None:
        try:
            while data := await reader.read(65536):
                await allowed.wait()
                writer.write(data)
                await writer.drain()
        except ConnectionError:
            return
        finally:
            writer.transport.abort()


@asynccontextmanager
async def proxied(host: Host) -> AsyncIterator[Proxy]:
    """Put a proxy in front of a host."""
    proxy = Proxy(host.port)
    await proxy.open(host)
    try:
        yield proxy
    finally:
        await proxy.close()
