"""Standard input, line by line, in a thread beside the loop."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable

END = -1
"""Told when the input is over."""


def read_lines(loop: asyncio.AbstractEventLoop, take: Callable[[str | int], None]) -> None:
    """Give each line to the loop, and END after the last.

    It reads the descriptor itself: a thread that waits inside Python's own stdin would stop the interpreter from ending.
    """
    rest = b""
    with contextlib.suppress(RuntimeError):  # the loop is closed: nobody listens any more
        while True:
            try:
                block = os.read(0, 4096)
            except OSError:  # the terminal is gone, which is an end too
                block = b""
            if not block:
                if rest:
                    loop.call_soon_threadsafe(take, rest.decode("utf-8", "replace"))
                loop.call_soon_threadsafe(take, END)
                return
            *whole, rest = (rest + block).split(b"\n")
            for line in whole:
                loop.call_soon_threadsafe(take, line.decode("utf-8", "replace"))
