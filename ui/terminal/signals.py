"""Signals that end a program, turned into a clean end."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Iterator


@contextlib.contextmanager
def on_signals(loop: asyncio.AbstractEventLoop, end: Callable[[int], None]) -> Iterator[None]:
    """Call `end` with the number when SIGTERM, SIGHUP or SIGINT comes, as far as this system and thread can be told."""
    taken = []
    try:
        for name in ("SIGTERM", "SIGHUP", "SIGINT"):
            number = getattr(signal, name, None)
            if number is None:
                continue
            try:
                loop.add_signal_handler(number, end, int(number))
            except (NotImplementedError, ValueError, RuntimeError):  # Windows, or not in the main thread
                break
            taken.append(number)
        yield
    finally:
        for number in taken:
            loop.remove_signal_handler(number)
