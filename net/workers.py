"""Processes in which searching players think, so that neither the host's loop nor other players wait for them.

A player searches when it says so (`searches = True`); one that has `stop` is told when its milliseconds are over, and one that has `warm`
gets it called beside its first thought, for what takes long once and can be done without until then (compiling). Whatever happens to a
worker (it hangs, or the system kills it for its memory) costs that thought: the workers are begun anew, and the player is asked again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import os
import random
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from carteado.core.bots import Player, player

from .errors import NetError
from .inventory import load
from .thinker import looked_at

log = logging.getLogger(__name__)

MILLISECONDS = 300
"""What a searching player may think about one move, unless the host says otherwise."""
NICE = 10
"""How far workers stand behind the host where a processor must be shared."""
PATIENCE = 30.0
"""Seconds after which a worker that gives no answer is given up."""
_known: dict[tuple[str, str], Player] = {}


class WorkerLost(NetError):
    """Report that a worker was lost while it thought, twice in a row."""


def searches(thinking: Player) -> bool:
    """Tell whether a player needs a process of its own to think in."""
    return bool(getattr(thinking, "searches", False))


class Workers:
    """A few worker processes, started when first needed.

    milliseconds: what a thought may take; most: how many processes (default: all processors but one, at least one).
    """

    def __init__(self, milliseconds: int = MILLISECONDS, most: int | None = None) -> None:
        self.milliseconds = milliseconds
        self.most = most or max(1, (os.cpu_count() or 2) - 1)
        self._pool: ProcessPoolExecutor | None = None

    async def think(self, game: str, level: str, view: dict[str, Any], seed: int) -> dict[str, Any]:
        """Return the action that a player of this level chooses. Raises: WorkerLost; whatever the player raises."""
        for attempt in (1, 2):
            if self._pool is None:
                context = multiprocessing.get_context("spawn")
                self._pool = ProcessPoolExecutor(self.most, context, initializer=_watch_parent, initargs=(os.getpid(),))
            pool = self._pool
            thought = asyncio.wrap_future(pool.submit(think, game, level, view, seed, self.milliseconds))
            thought.add_done_callback(looked_at)
            # Waited for, and never cancelled: a pool whose workers are killed cannot tell so to a thought that was.
            await asyncio.wait({thought}, timeout=PATIENCE)
            error = thought.exception() if thought.done() else TimeoutError()
            if not isinstance(error, BrokenProcessPool | TimeoutError):
                return thought.result()
            log.warning("a worker was lost while %s (%s) thought, attempt %d: %s", game, level, attempt, type(error).__name__)
            self._give_up(pool)
        raise WorkerLost(f"The computer player {level} of {game} lost its worker twice.")

    def _give_up(self, pool: ProcessPoolExecutor) -> None:
        if self._pool is pool:
            self._pool = None
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=False)
        for process in processes:
            process.kill()

    def shutdown(self) -> None:
        """End the workers, thinking or not."""
        if self._pool is not None:
            self._give_up(self._pool)


def think(game: str, level: str, view: dict[str, Any], seed: int, milliseconds: int) -> dict[str, Any]:
    """Choose an action; what a worker does."""
    if (game, level) not in _known:
        _known[game, level] = player(load(game), level)
        warm = getattr(_known[game, level], "warm", None)
        if warm is not None:
            threading.Thread(target=warm, name=f"{game}: warm {level}", daemon=True).start()
    thinking = _known[game, level]
    if hasattr(thinking, "stop"):
        end = time.monotonic() + milliseconds / 1000
        thinking.stop = lambda: time.monotonic() > end
    return thinking.choose(view, random.Random(seed))


def _watch_parent(parent: int) -> None:
    """Let this worker make way for the host, and end it when the host is gone, even if it was killed."""
    with contextlib.suppress(AttributeError, OSError):  # not on this system, or not allowed
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))
    with contextlib.suppress(AttributeError, OSError):
        os.nice(NICE)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(0)

    threading.Thread(target=watch, name="parent watch", daemon=True).start()
