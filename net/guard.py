"""What watches over a host from inside: its memory, and how many files and connections it has open.

A peer can make ZeroMQ hold endless messages that nobody can refuse. Then the host ends, saved, with a status that asks to be started
again, and peers come back by themselves: a second lost, not the machine.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable
from typing import Final

from .meters import open_files, resident
from .orders import RESTART
from .talkers import Talker, Talkers

if sys.platform != "win32":
    import resource

log = logging.getLogger(__name__)

EACH: Final = 0.25
"""Seconds between two looks; a peer can fill 300 MB in one."""
NOTED: Final = 20
"""Looks at the memory for each look at who sends how much: five seconds."""
WANTED_FILES: Final = 65_536
NEARLY: Final = 0.9
"""Share of the allowed files from which on the operator is told."""


def more_files() -> int:
    """Allow this process as many open files as the system lets it, at most WANTED_FILES; return how many (0: it does not tell)."""
    if sys.platform == "win32":
        return 0
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(hard, WANTED_FILES)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    except (OSError, ValueError):
        return soft
    return wanted


class Guard:
    """Watch this process. most: bytes of memory it may hold. end: called once with an exit status when it holds more.

    talkers: know who has sent how much. accuse: called before the end with who has filled the memory, as far as that is known.
    """

    def __init__(
        self, most: int, end: Callable[[int], None], talkers: Talkers, accuse: Callable[[Talker | None], Awaitable[None]],
        held: Callable[[], int] = resident,
    ) -> None:  # fmt: skip
        self._most = most
        self._end = end
        self._talkers = talkers
        self._accuse = accuse
        self._held = held
        self._told = False

    async def run(self) -> None:
        """Look, again and again; in the end name who it was, and end the host."""
        looks = 0
        while (held := self._held()) <= self._most:
            if looks % NOTED == 0:
                self._talkers.note(held)
            looks += 1
            self.look_at_files(*open_files())
            await asyncio.sleep(EACH)
        log.critical("the host holds %d MB and may hold %d; it ends, saved, to be started again", held >> 20, self._most >> 20)
        try:
            await self._accuse(self._talkers.loudest(held))
        finally:
            self._end(RESTART)

    def look_at_files(self, count: int, allowed: int) -> None:
        """Tell the operator once when nearly no file or connection more is allowed, and once when that is over."""
        if not allowed:
            return
        if count >= NEARLY * allowed and not self._told:
            self._told = True
            log.warning("%d of %d files and connections are open; more peers may not get in", count, allowed)
        elif count < NEARLY * allowed * NEARLY and self._told:
            self._told = False
            log.warning("%d of %d files and connections are open again", count, allowed)
