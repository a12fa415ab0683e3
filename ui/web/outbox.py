"""What waits for one browser: small messages in order, of views only the newest with all events that led to it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from .settings import QUEUED

EVENTS = 1024
"""Events that are kept for a browser that reads slowly; without the older ones it only sees less move."""


class Full(Exception):
    """Say that a browser does not read what it is sent."""


class Outbox:
    """Messages on their way to a browser, bounded however slowly it reads."""

    def __init__(self) -> None:
        self._small: deque[bytes] = deque()
        self._fresh: dict[str, Callable[[], Any]] = {}
        self._events: deque[Mapping[str, Any]] = deque(maxlen=EVENTS)
        self._ready = asyncio.Event()

    def put(self, message: Any) -> None:
        """Queue a small message. Raises: Full."""
        if len(self._small) >= QUEUED:
            raise Full
        self._small.append(msgspec.json.encode(message))
        self._ready.set()

    def renew(self, name: str, make: Callable[[], Any], events: Sequence[Mapping[str, Any]] = ()) -> None:
        """Note that something is to be sent as it then is (None: not at all): the table, or the view with the events that led to it."""
        self._fresh[name] = make
        self._events.extend(events)
        self._ready.set()

    async def next(self) -> bytes:
        """Return the next message."""
        while True:
            if self._small:
                return self._small.popleft()
            if self._fresh:
                name = next(iter(self._fresh))
                message = self._fresh.pop(name)()
                if message is None:
                    continue
                if name == "state":
                    message["events"] = list(self._events)
                    self._events.clear()
                return msgspec.json.encode(message)
            self._ready.clear()
            await self._ready.wait()
