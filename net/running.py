"""Running a host as a program: signals, what its operator asked for, and with which status it ends."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from . import supervision
from .admin import AdminSocket, NoAdmin, path_of
from .collector import calm_collector
from .guard import Guard, more_files
from .host import Host, serve
from .keys import Address
from .link import first_of
from .logs import note
from .metrics import MetricsPort
from .orders import Orders
from .settings import HostConfig
from .store import Store
from .talkers import Talkers, accuse

log = logging.getLogger(__name__)

DRAINED_EACH = 0.5
"""Seconds between two looks whether a host that begins nothing new is done."""


@dataclass(frozen=True)
class Operation:
    """How a host is operated. admin: whether it can be talked to on this machine; at: where, else in the usual place.

    metrics: the port for Prometheus, 0 for any free one, None for none. memory: bytes that it may hold; 0: no limit. beside: opens
    what is to run in the host's loop as one of its peers, given the ids of its tables, and gives the URLs under which that is reached.
    """

    admin: bool = False
    at: Path | None = None
    metrics: int | None = None
    memory: int = 0
    beside: Callable[[Address, Collection[str]], AbstractAsyncContextManager[Sequence[str]]] | None = None


class Operating:
    """Everything around a running host. ended: set when it is to end, with `status`."""

    def __init__(self, host: Host, operation: Operation) -> None:
        self.host = host
        self.status = 0
        self.ended = asyncio.Event()
        self.metrics = MetricsPort(host, operation.metrics) if operation.metrics is not None else None
        self.admin: AdminSocket | None = None
        self._operation = operation
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Listen for the operator and begin to watch. Raises: NetError for a port for metrics that is taken."""
        if self.metrics is not None:
            await self.metrics.open()
            note(log, "metrics.open", port=self.metrics.port)
        if self._operation.admin and sys.platform != "win32":
            orders = Orders(self.host, self.end, self.metrics.port if self.metrics else None)
            admin = AdminSocket(self._operation.at or path_of(self.host.port), orders)
            try:
                await admin.open()
                self.admin = admin
            except NoAdmin as why:
                log.warning("there is no console for this host: %s", why)
        work = [self._drained()]
        if self._operation.memory:
            talkers = Talkers(self.host.port, self.host.feed_port)
            work.append(Guard(self._operation.memory, self.end, talkers, partial(accuse, self.host)).run())
        if (seconds := supervision.alive_each()) is not None:
            work.append(supervision.keep_telling(seconds))
        self._tasks = [asyncio.create_task(part) for part in work]

    def end(self, status: int) -> None:
        """End the host with an exit status; the first one counts."""
        if not self.ended.is_set():
            self.status = status
            self.ended.set()

    async def close(self) -> None:
        """Let go of everything."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for part in (self.metrics, self.admin):
            if part is not None:
                await part.close()

    async def _drained(self) -> None:
        """End a host that begins nothing new, once no match is going on."""
        while not (self.host.draining and all(table.resting or table.why for table in self.host.tables.values())):
            await asyncio.sleep(DRAINED_EACH)
        self.end(0)


def run_host(
    config: HostConfig, announce: Callable[..., object] = print, store: Store | None = None, operation: Operation | None = None
) -> int:  # fmt: skip
    """Serve until SIGTERM or SIGINT; return the exit status. `announce` is given the address. A second signal ends at once.

    Raises: what `serve` raises; NetError.
    """
    more_files()
    # The selector loop everywhere: ZeroMQ's sockets need it on Windows, and elsewhere it is the usual one.
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        return runner.run(_run(config, announce, store, operation or Operation()))


def near(host: Host) -> Address:
    """Return the address under which the host's own machine reaches it."""
    return Address("127.0.0.1" if host.config.bind == "*" else host.config.bind, host.port, host.keys.public)


async def _run(config: HostConfig, announce: Callable[..., object], store: Store | None, operation: Operation) -> int:
    host = await serve(config, store)
    loop, wanted = asyncio.get_running_loop(), asyncio.Event()

    def stop(number: int, frame: object) -> None:
        if wanted.is_set():
            os._exit(128 + number)
        loop.call_soon_threadsafe(wanted.set)

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    operating = Operating(host, operation)
    beside = AsyncExitStack()
    try:
        await operating.open()
        urls = await beside.enter_async_context(operation.beside(near(host), host.tables)) if operation.beside is not None else ()
        host.invite(urls)
        announce(str(host.address), *urls)
        note(log, "host.ready", port=host.port, tables=len(host.tables), resuming=len(host.returning))
        calm_collector()
        supervision.tell("READY=1")
        await first_of(wanted.wait(), host.ended.wait(), operating.ended.wait())
        supervision.tell("STOPPING=1")
    finally:
        await beside.aclose()
        await host.stop()
        await operating.close()
        for number, handler in before.items():
            signal.signal(number, handler)
    note(log, "host.ended", status=operating.status)
    return 1 if host.failed is not None else operating.status
