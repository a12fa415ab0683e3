"""A host's numbers in Prometheus' format, on a port of this machine alone."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from .conversations import Conversations
from .errors import NetError
from .meters import BOUNDS, Figure, Timing, figures
from .program import APP

if TYPE_CHECKING:
    from .host import Host

PREFIX: Final = "carteado_"
_PATIENCE, _REQUEST = 5.0, 4096
_AT_ONCE = 8


class MetricsPort:
    """Serve `GET /metrics` on 127.0.0.1. port: which; known after `open`."""

    def __init__(self, host: Host, port: int) -> None:
        self.port = port
        self._host = host
        self._server: asyncio.Server | None = None
        self._conversations = Conversations(self._answer)

    async def open(self) -> None:
        """Listen. Raises: NetError."""
        try:
            self._server = await asyncio.start_server(self._conversations, "127.0.0.1", self.port, limit=_REQUEST)
        except OSError as error:
            raise NetError(f"cannot serve metrics on 127.0.0.1:{self.port}: {error.strerror}") from None
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Listen no more."""
        if self._server is not None:
            self._server.close()
            await self._conversations.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ValueError, ConnectionError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            async with asyncio.timeout(_PATIENCE):
                head = await reader.readuntil(b"\r\n\r\n")
                writer.write(self._made(head))
                await writer.drain()

    def _made(self, head: bytes) -> bytes:
        method, _, rest = head.partition(b" ")
        path = rest.partition(b" ")[0].partition(b"?")[0]
        if len(self._conversations) > _AT_ONCE:
            return _http(b"503 Service Unavailable", "text/plain", b"too many at once\n")
        if method != b"GET" or path != b"/metrics":
            return _http(b"404 Not Found", "text/plain", b"there is /metrics\n")
        return _http(b"200 OK", "text/plain; version=0.0.4; charset=utf-8", exposition(self._host))


def exposition(host: Host) -> bytes:
    """Return all numbers of a host in Prometheus' text format."""
    from prometheus_client import CollectorRegistry, generate_latest
    from prometheus_client.registry import Collector as Registered

    class Collector(Registered):
        def collect(self) -> Iterator[Any]:
            return families(figures(host))

    registry = CollectorRegistry(auto_describe=False)
    registry.register(Collector())
    text: bytes = generate_latest(registry)
    return text


def families(told: Any) -> Iterator[Any]:
    """Yield figures as Prometheus' families of metrics, and first which program they are of."""
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, InfoMetricFamily

    yield InfoMetricFamily(f"{PREFIX}program", "The program.", {"app": APP})
    figure: Figure
    for figure in told:
        name = PREFIX + figure.name
        if isinstance(figure.samples, Timing):
            seen, buckets = 0, []
            for bound, count in zip((*map(str, BOUNDS), "+Inf"), figure.samples.counts, strict=True):
                seen += count
                buckets.append((bound, seen))
            yield HistogramMetricFamily(name, figure.help, buckets, figure.samples.total)
            continue
        make = CounterMetricFamily if figure.kind == "counter" else GaugeMetricFamily
        family = make(name, figure.help, labels=[figure.label] if figure.label else [])
        for label, value in figure.samples.items():
            family.add_metric([label] if figure.label else [], value)
        yield family


def _http(status: bytes, kind: str, body: bytes) -> bytes:
    head = b"HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n" % (status, kind.encode(), len(body))
    return head + body
