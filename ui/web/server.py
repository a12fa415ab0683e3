"""Listening: uvicorn inside a loop that is somebody else's, with limits on what one address can hold open."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from typing import Any

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from carteado.net.sockets import PortTaken

from .door import Crowd
from .settings import FRAME, STOPPING, Settings


class Server(uvicorn.Server):
    """A server that leaves the process's signals alone."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none: whoever runs the loop decides when it ends."""
        yield


def patient(crowd: Crowd, seconds: float) -> type[H11Protocol]:
    """Return uvicorn's HTTP protocol with a bound of connections for each address, and of the time until a request is whole."""

    class Patient(H11Protocol):
        _counted = ""
        _late: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            address = self.client[0] if self.client else ""
            if not crowd.enter(address):
                transport.abort()
                return
            self._counted = address
            self._wait()

        def connection_lost(self, exc: Exception | None) -> None:
            self._release()
            super().connection_lost(exc)

        def handle_websocket_upgrade(self, event: Any) -> None:
            """Hand the connection over; sockets are counted by themselves."""
            self._release()
            super().handle_websocket_upgrade(event)

        def _release(self) -> None:
            if self._late is not None:
                self._late.cancel()
            if self._counted:
                crowd.leave(self._counted)
                self._counted = ""

        def _wait(self) -> None:
            self._late = self.loop.call_later(seconds, self._look)

        def _look(self) -> None:
            """Close a connection that has no request under way; one that has become a socket is no business of HTTP's any more."""
            if self.transport.get_protocol() is not self or self.transport.is_closing():
                return
            if self.cycle is None or self.cycle.response_complete:
                self.transport.close()
                return
            self._wait()

    return Patient


class Listener:
    """The gateway's listening socket and the server behind it. port: where it listens."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        """Bind. Raises: PortTaken."""
        self._socket = bound(settings.lan, settings.port)
        self.port = int(self._socket.getsockname()[1])
        tls: dict[str, Any] = {}
        if settings.tls is not None:
            tls = {"ssl_certfile": str(settings.tls[0]), "ssl_keyfile": str(settings.tls[1])}
        self._server = Server(
            uvicorn.Config(
                app,
                http=patient(Crowd(settings.connections), settings.greeting),
                ws="websockets-sansio",
                ws_max_size=2 * FRAME,
                ws_ping_interval=settings.ping,
                ws_ping_timeout=settings.silence,
                lifespan="off",
                limit_concurrency=settings.all,
                timeout_keep_alive=int(settings.greeting) or 1,
                timeout_graceful_shutdown=STOPPING,
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
                **tls,
            )
        )
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Serve."""
        self._task = asyncio.create_task(self._server.serve([self._socket]))
        while not self._server.started and not self._task.done():
            await asyncio.sleep(0.005)
        if self._task.done():
            await self._task

    async def stop(self) -> None:
        """Close every connection."""
        self._server.should_exit = True
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)  # what kept it from starting was raised by `start`
        self._socket.close()


def bound(lan: bool, port: int) -> socket.socket:
    """Return a listening socket: on this machine only, or on every interface. Raises: PortTaken."""
    try:
        if lan and socket.has_dualstack_ipv6():
            return socket.create_server(("", port), family=socket.AF_INET6, dualstack_ipv6=True, reuse_port=False)
        return socket.create_server(("" if lan else "127.0.0.1", port))
    except OSError as error:
        raise PortTaken(f"the page for browsers cannot be served at port {port}: {error.strerror}") from None
