"""A limit on how long a game's hook may keep the host.

On POSIX a timer interrupts the main thread and, if it is inside a hook call, raises Overtime there: core takes the action back and blames
the plugin. Elsewhere a watchdog thread ends the process with status 75, for whoever supervises it to start it again.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from pluggy import _callers

from carteado.core.errors import Overtime

log = logging.getLogger(__name__)

LIMIT = 2.0
"""Seconds that the host gives one step of a match, or one view of it."""
AGAIN = 0.1
TEMPFAIL = 75
_HOOK_CALL = _callers._multicall.__code__


@contextmanager
def within(seconds: float = LIMIT) -> Iterator[None]:
    """Limit the block to so many seconds. Raises: Overtime, from inside the hook that takes longer."""
    if threading.current_thread() is not threading.main_thread():
        yield
    elif hasattr(signal, "setitimer"):
        yield from _timed(seconds)
    else:
        yield from _watched(seconds, _bite)


def _timed(seconds: float) -> Iterator[None]:
    if signal.getsignal(signal.SIGALRM) is not _over:
        signal.signal(signal.SIGALRM, _over)  # it stays: setting it costs more than most steps
    _running.append((seconds, _hook_calls(sys._getframe())))
    signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        _running.pop()


_running: list[tuple[float, int]] = []
"""The limit in force: its seconds, and how many hook calls were under way outside of it."""


def _over(number: int, frame: FrameType | None) -> None:
    """Raise Overtime if the interrupted code was called by a hook; core's own code is left to finish."""
    if _running and _hook_calls(frame) > _running[-1][1]:
        seconds = _running[-1][0]
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)  # the next hook of the block has its own time
        raise Overtime(f"took longer than the host allows ({seconds:g} seconds)")


def _hook_calls(frame: FrameType | None) -> int:
    """Count the hook calls that a frame is inside of."""
    count = 0
    while frame is not None:
        count += frame.f_code is _HOOK_CALL
        frame = frame.f_back
    return count


def _watched(seconds: float, bite: Callable[[], None]) -> Iterator[None]:
    watchdog = threading.Timer(5 * seconds, bite)
    watchdog.daemon = True
    watchdog.start()
    try:
        yield
    finally:
        watchdog.cancel()


def _bite() -> None:
    log.critical("a game's hook does not come back; the host ends, to be started again")
    faulthandler.dump_traceback(file=sys.stderr, all_threads=True)
    os._exit(TEMPFAIL)
