"""Turns of a host: what has come in waits, is carried out together, kept in one go, and only then shown."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter, deque
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from . import limits
from .dispatch import Dispatcher
from .feed import Turn
from .meters import Meters
from .reader import Reader
from .saving import Saver

log = logging.getLogger(__name__)

T = TypeVar("T")
Work = Callable[[Turn], None]


class Turns:
    """Take one turn after the other.

    begin: gives a new turn. show: shows one that is kept. reader: paused while too much waits.
    """

    def __init__(
        self, begin: Callable[[], Turn], show: Callable[[Turn], None], saver: Saver, meters: Meters, refused: Counter[str], reader: Reader
    ) -> None:  # fmt: skip
        self._begin = begin
        self._shown = show
        self._saver = saver
        self._meters = meters
        self._refused = refused
        self._reader = reader
        self._inbox: deque[Work] = deque()
        self._woken = asyncio.Event()
        self._taking = asyncio.Lock()

    def __len__(self) -> int:
        """Return how much waits for the next turn."""
        return len(self._inbox)

    def post(self, work: Work) -> None:
        """Do something in the next turn."""
        self._inbox.append(work)
        self._woken.set()
        if len(self._inbox) >= limits.INBOX:
            self._reader.pause()

    async def order(self, dispatcher: Dispatcher, work: Callable[[Dispatcher, Turn], T]) -> T:
        """Do something in the next turn; return what comes of it, once that is kept. Raises: what it raises."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def act(turn: Turn) -> None:
            try:
                turn.after.append(partial(_settle, done, work(dispatcher, turn)))
            except Exception as error:
                if done.done():
                    raise  # nobody waits for it any more
                done.set_exception(error)

        self.post(act)
        return await done

    async def run(self) -> None:
        """Carry out what waits, keep all of it, then show it; and again."""
        while True:
            await self._woken.wait()
            self._woken.clear()
            while self._inbox:
                async with self._taking:
                    await self._take()

    def at_once(self) -> None:
        """Take the turn of what has just come in without waiting for the loop, if the store needs no time."""
        keep = self._saver.at_once
        if self._inbox and keep is not None and not self._taking.locked():
            turn, began = self._carry_out()
            carried_out = time.perf_counter()
            if turn.records:
                keep(turn.records)
            self._show(turn, began, carried_out)

    async def finish(self, seconds: float) -> None:
        """Let the turn that is under way be kept and shown, if that takes no longer, and begin no other."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._taking.acquire()

    async def _take(self) -> None:
        turn, began = self._carry_out()
        carried_out = time.perf_counter()
        if turn.records:
            await self._saver.keep(turn.records)
        self._show(turn, began, carried_out)

    def _carry_out(self) -> tuple[Turn, float]:
        turn, began = self._begin(), time.perf_counter()
        for _ in range(len(self._inbox)):
            work = self._inbox.popleft()
            try:
                work(turn)
            except Exception:
                log.exception("something that the host does by itself has failed")
                self._refused["fault"] += 1
        turn.close()
        self._reader.resume()
        return turn, began

    def _show(self, turn: Turn, began: float, carried_out: float) -> None:
        kept = time.perf_counter()
        self._shown(turn)
        self._meters.took(turn, began, carried_out, kept, time.perf_counter())


def _settle(done: asyncio.Future[T], value: T) -> None:
    if not done.done():
        done.set_result(value)
