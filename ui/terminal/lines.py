"""The line mode as a program: standard input and output, signals, and the session's changes in one queue."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sys
import textwrap
import threading
from collections.abc import Coroutine
from typing import Any

from .glyphs import takes_all
from .line import LineClient
from .session import Change, Session
from .signals import on_signals
from .stdin import read_lines

Lines = asyncio.Queue[str | Change | int]
"""What comes to the client: lines that were typed, changes of the session, and numbers that end it."""


def typed() -> Lines:
    """Return a queue that standard input fills from now on; only one at a time can be."""
    lines: Lines = asyncio.Queue()
    threading.Thread(target=read_lines, args=(asyncio.get_running_loop(), lines.put_nowait), daemon=True).start()
    return lines


def write(line: str) -> None:
    """Write one line at once; on a terminal it is broken between words."""
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    lead = " " * (len(line) - len(line.lstrip()))
    for part in textwrap.wrap(line, columns, initial_indent=lead, subsequent_indent=lead + "  ") if columns > 20 and line else [line]:
        print(part, flush=True)


async def run(
    session: Session, lang: str = "en", ascii: bool = False, guided: bool = False, lines: Lines | None = None, hosting: bool = False,
    lost: Coroutine[Any, Any, str] | None = None,
) -> int:  # fmt: skip
    """Play a session with the lines of standard input (or those of a queue) and output; return the exit status.

    The host ends with this program where it is `hosting`; `lost` waits until it is gone for good, and returns what to say then.
    """
    loop = asyncio.get_running_loop()
    lines = lines if lines is not None else typed()

    async def feed() -> None:
        async for change in session.changes():
            lines.put_nowait(change)

    async def watch(lost: Coroutine[Any, Any, str]) -> None:
        lines.put_nowait(Change("gone", text=await lost))

    client = LineClient(session, write, lang, ascii, takes_all(sys.stdout.encoding), guided)
    client.local.hosting = hosting
    tasks = [loop.create_task(feed()), *([loop.create_task(watch(lost))] if lost is not None else [])]
    status = 0
    try:
        with on_signals(loop, lambda number: lines.put_nowait(128 + number)):
            client.begin()
            while not client.done:
                item = await lines.get()
                if isinstance(item, int):
                    status = item if item >= 0 else 0
                    break
                if isinstance(item, Change):
                    client.changed(item)
                else:
                    await client.take(item)
    finally:
        for task in tasks:
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*tasks)
        await session.close()
    return status
