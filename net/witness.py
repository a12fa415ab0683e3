"""What goes to FEED, a moment after TABLE: what a player waits for goes first, and what bears witness to it follows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from .deadline import within
from .feed import View

AFTER = 0.001
"""Seconds of real time by which FEED follows."""


class Witness:
    """Send to FEED what was told, in order, a moment later.

    send: sends a frame under a topic. made: makes a state that was not made yet, None if it cannot be shown.
    """

    def __init__(self, send: Callable[[bytes, bytes], None], made: Callable[[View], bytes | None]) -> None:
        self._send = send
        self._made = made
        self._waiting: list[tuple[bytes, bytes | View]] = []

    def tell(self, told: Sequence[tuple[bytes, bytes | View]]) -> None:
        """Send these soon."""
        if told and not self._waiting:
            asyncio.get_running_loop().call_later(AFTER, self.flush)
        self._waiting += told

    def flush(self) -> None:
        """Send now what is waiting."""
        waiting, self._waiting = self._waiting, []
        with within():
            for topic, told in waiting:
                frame = told if isinstance(told, bytes) else self._made(told)
                if frame is not None:
                    self._send(topic, frame)
