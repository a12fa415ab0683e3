"""Telling systemd how the host is (sd_notify): ready, stopping, alive. Without a supervisor all of it does nothing."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Mapping

SOCKET, WATCHDOG = "NOTIFY_SOCKET", "WATCHDOG_USEC"


def tell(state: str, environ: Mapping[str, str] = os.environ) -> bool:
    """Send a state, as `READY=1`; return whether somebody is there to be told."""
    where = environ.get(SOCKET, "")
    if not where or where[0] not in "/@" or not hasattr(socket, "AF_UNIX"):
        return False
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        try:
            line.sendto(state.encode(), "\0" + where[1:] if where[0] == "@" else where)
        except OSError:
            return False
    return True


def alive_each(environ: Mapping[str, str] = os.environ) -> float | None:
    """Return after how many seconds the supervisor wants a sign of life, None if it does not."""
    text = environ.get(WATCHDOG, "")
    return int(text) / 2_000_000 if text.isdecimal() and int(text) else None


async def keep_telling(seconds: float) -> None:
    """Give a sign of life again and again; a loop that hangs gives none, and is ended by its supervisor."""
    while True:
        tell("WATCHDOG=1")
        await asyncio.sleep(seconds)
