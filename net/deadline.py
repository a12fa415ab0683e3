"""A limit on how long a game's hook may keep the host.

On POSIX a timer interrupts the main thread and, if it is inside a hook call, raises Overtime there: core takes the action back and blames
the plugin. Elsewhere a watchdog thread ends the process with status 75, for whoever supervises it to start it again.
"""

from __future__ import annotations

import atexit
import faulthandler
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from types import FrameType, TracebackType

from pluggy import _callers

from carteado.core.errors import Overtime
from carteado.core.rules import alone

log = logging.getLogger(__name__)

LIMIT = 2.0
"""Seconds that the host gives one step of a match, or one view of it."""
TICK = 0.25
"""Seconds between two looks at whether the time is over."""
IDLE = 4
"""Looks with nothing to watch after which the timer is switched off."""
TEMPFAIL = 75
_HOOK_CALLS = frozenset({_callers._multicall.__code__, alone.__code__})


class within(AbstractContextManager[None]):
    """Limit the block to so many seconds. Raises: Overtime, from inside the hook that takes longer."""

    __slots__ = ("_leave", "outside", "seconds", "since")

    def __init__(self, seconds: float = LIMIT) -> None:
        self.seconds = seconds

    def __enter__(self) -> None:
        self._leave: Callable[[], object] | None = None
        if threading.get_ident() != threading.main_thread().ident:
            return
        if hasattr(signal, "setitimer"):
            self.since, self.outside = time.monotonic(), sys._getframe(1)
            _running.append(self)
            _watch(min(TICK, self.seconds))
            self._leave = _running.pop
        else:
            self._leave = _watched(self.seconds, _bite)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._leave is not None:
            self._leave()


_running: list[within] = []
"""The blocks under way; the last one is in force."""


class _Timer:
    """The interval timer: it ticks while there is something to watch and a little longer, for setting it costs more than most steps."""

    every = 0.0
    idle = 0


def _watch(seconds: float) -> None:
    if not 0 < _Timer.every <= seconds:
        if signal.getsignal(signal.SIGALRM) is not _tick:
            signal.signal(signal.SIGALRM, _tick)
        _set(seconds)


def _set(seconds: float) -> None:
    _Timer.every, _Timer.idle = seconds, 0
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)


def _quiet() -> None:
    """Switch the timer off: an interpreter that ends gives signals back their default, and a tick after that would kill it."""
    if _Timer.every:
        _set(0.0)


atexit.register(_quiet)


def _forget() -> None:
    _running.clear()
    _Timer.every = 0.0


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)  # a child has no timer


def _tick(number: int, frame: FrameType | None) -> None:
    """Raise Overtime if the block's time is over and the interrupted code was called by a hook; core's own code is left to finish."""
    if not _running:
        _Timer.idle += 1
        if _Timer.idle >= IDLE:
            _set(0.0)
        return
    block, now, _Timer.idle = _running[-1], time.monotonic(), 0
    if now - block.since >= block.seconds and _in_hook(frame, block.outside):
        block.since = now  # the next hook of the block has its own time
        raise Overtime(f"took longer than the host allows ({block.seconds:g} seconds)")


def _in_hook(frame: FrameType | None, outside: FrameType) -> bool:
    """Tell whether a hook call is under way between a frame and the one that began the block."""
    while frame is not None and frame is not outside:
        if frame.f_code in _HOOK_CALLS:
            return True
        frame = frame.f_back
    return False


def _watched(seconds: float, bite: Callable[[], None]) -> Callable[[], object]:
    """Call `bite` when five times the seconds are over, unless what is returned is called before."""
    watchdog = threading.Timer(5 * seconds, bite)
    watchdog.daemon = True
    watchdog.start()
    return watchdog.cancel


def _bite() -> None:
    log.critical("a game's hook does not come back; the host ends, to be started again")
    faulthandler.dump_traceback(file=sys.stderr, all_threads=True)
    os._exit(TEMPFAIL)
