"""Time as the host and its peers know it: seconds that only grow, and waiting for them. Tests bring their own clock."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable
from typing import Protocol, TypeVar

T = TypeVar("T")


class Clock(Protocol):
    """Tell monotonic seconds, and wait."""

    def now(self) -> float:
        """Return seconds since some fixed moment; never goes back."""

    async def sleep(self, seconds: float) -> None:
        """Return after so many seconds of this clock."""


_BOOTTIME: int | None = getattr(time, "CLOCK_BOOTTIME", None)


class SystemClock:
    """Use the machine's monotonic clock; where there is one, that which goes on while the machine sleeps, so that sleep is noticed."""

    def now(self) -> float:
        """Return the machine's monotonic seconds."""
        return time.monotonic() if _BOOTTIME is None else time.clock_gettime(_BOOTTIME)

    async def sleep(self, seconds: float) -> None:
        """Wait so many seconds."""
        await asyncio.sleep(seconds)


class VirtualClock:
    """Stand still until told otherwise; sleepers wake in the order of their times."""

    def __init__(self, start: float = 1000.0) -> None:
        self._now = start
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._count = 0

    def now(self) -> float:
        """Return the seconds that this clock was moved to."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Wait until the clock was advanced by so many seconds."""
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        waiting: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._count += 1
        entry = (self._now + seconds, self._count, waiting)
        self._sleepers.append(entry)
        try:
            await waiting
        finally:
            if entry in self._sleepers:
                self._sleepers.remove(entry)

    async def advance(self, seconds: float) -> None:
        """Move on, waking each sleeper at its time and letting it run before the next."""
        end = self._now + seconds
        while due := min((entry for entry in self._sleepers if entry[0] <= end), default=None):
            self._sleepers.remove(due)
            self._now = max(self._now, due[0])
            if not due[2].done():
                due[2].set_result(None)
            for _ in range(3):  # the sleeper, whoever waits for it, and what that one starts
                await asyncio.sleep(0)
        self._now = end


async def within(clock: Clock, seconds: float, waited: Awaitable[T]) -> T:
    """Return the result of what is waited for, if it comes within so many seconds of this clock.

    Raises: TimeoutError; what was waited for is cancelled then.
    """
    task = asyncio.ensure_future(waited)
    alarm = asyncio.ensure_future(clock.sleep(seconds))
    try:
        await asyncio.wait({task, alarm}, return_when=asyncio.FIRST_COMPLETED)
        late = not task.done()
    finally:
        task.cancel()
        alarm.cancel()
        await asyncio.wait({task, alarm})  # which lets nobody who ends the caller meanwhile be overheard
    if late and task.cancelled():
        raise TimeoutError
    return task.result()
