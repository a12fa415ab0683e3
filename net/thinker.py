"""A thread in which computer players think, so that the loop goes on; a thought that does not end is cut off."""

from __future__ import annotations

import asyncio
import ctypes
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, TypeVar

from .errors import NetError

LONGEST = 10.0
"""Seconds of real time after which a thought in a thread is cut off."""
T = TypeVar("T")
Work = Callable[[], None]


def looked_at(thought: asyncio.Future[Any]) -> None:
    """Take note of how a thought ended that nobody waits for any more."""
    if not thought.cancelled():
        thought.exception()


class EndlessThought(NetError):
    """Report that a player thought for too long."""

    def __init__(self, seconds: float = LONGEST) -> None:
        super().__init__(f"a thought was cut off after {seconds:g} seconds")


class Thinker(Executor):
    """One thread, begun when first needed; unlike a pool's, it never keeps a program from ending.

    longest: seconds that a thought may take before `think` cuts it off. Python code is interrupted; for code that cannot be, another
    thread takes over what waits.
    """

    def __init__(self, longest: float = LONGEST) -> None:
        self.longest = longest
        self._work: SimpleQueue[Work | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._began: float | None = None
        self._warned: float | None = None

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Think about something after what was asked before; return what it will come to."""
        thought: Future[T] = Future()

        def work() -> None:
            if not thought.set_running_or_notify_cancel():
                return
            try:
                thought.set_result(fn(*args, **kwargs))
            except BaseException as error:  # noqa: BLE001 - it is raised again where the thought is waited for
                if not thought.done():
                    thought.set_exception(error)

        if self._thread is None:
            self._begin()
        self._work.put(work)
        return thought

    async def think(self, fn: Callable[..., T], *args: Any) -> T:
        """Return what a thought comes to. Raises: EndlessThought; whatever it raises."""
        begun = self.submit(fn, *args)
        thought, queue = asyncio.wrap_future(begun), self._work
        thought.add_done_callback(looked_at)
        while not (await asyncio.wait({thought}, timeout=self.longest))[0]:
            self._cut()
            if begun.running() and queue is not self._work:
                raise EndlessThought(self.longest)
            queue = self._work
        return thought.result()

    def shutdown(self, wait: bool = False, *, cancel_futures: bool = False) -> None:
        """Think no more, once the present thought is finished; nobody waits for that."""
        self._work.put(None)

    def _begin(self) -> None:
        self._began, self._warned = None, None
        self._thread = Thread(target=self._live, args=(self._work,), name="thinker", daemon=True)
        self._thread.start()

    def _live(self, queue: SimpleQueue[Work | None]) -> None:
        while True:
            try:
                work = queue.get()
                if work is None:
                    return
                self._began, self._warned = time.monotonic(), None
                work()
                if queue is not self._work:
                    return  # another thread has taken over
                self._began = None
            except EndlessThought:  # meant for a thought that had just ended
                continue

    def _cut(self) -> None:
        """Interrupt a thought that takes too long; one that was interrupted in vain loses its thread."""
        began, thread, now = self._began, self._thread, time.monotonic()
        if began is None or thread is None or thread.ident is None or now - began < self.longest:
            return
        if self._warned is not None and now - self._warned < self.longest / 2:
            return  # somebody else who waits has just done it
        if self._warned is None:
            self._warned = now
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(EndlessThought))
            return
        old, self._work = self._work, SimpleQueue()
        while True:
            try:
                self._work.put(old.get_nowait())
            except Empty:
                break
        self._begin()
