"""Thoughts in a thread: they hold nothing up, raise where they are waited for, and are cut off when they do not end."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from typing import Any

import pytest

from carteado.net.thinker import EndlessThought, Thinker

from .rooms import run, soon


def test_a_thought_that_takes_long_holds_up_neither_the_loop_nor_the_end_of_the_program() -> None:
    async def test() -> None:
        thinker, started, never = Thinker(), threading.Event(), threading.Event()

        def ponder() -> int:
            started.set()
            never.wait(20)
            return 1

        thought = asyncio.create_task(thinker.think(ponder))
        await soon(started.is_set)
        assert not thought.done()
        thinker.shutdown()
        assert all(thread.daemon for thread in threading.enumerate() if thread.name == "thinker")
        never.set()
        assert 1 == await thought

    run(test())


def test_what_a_player_raises_while_thinking_is_raised_where_it_is_waited_for() -> None:
    async def test() -> None:
        thinker = Thinker()
        with pytest.raises(ZeroDivisionError):
            await thinker.think(lambda: 1 // 0)
        assert 2 == await thinker.think(lambda: 2)
        thinker.shutdown()

    run(test())


def test_nobody_complains_of_a_thought_that_fails_when_nobody_waits_for_it_any_more() -> None:
    async def test() -> None:
        complaints: list[dict[str, Any]] = []
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: complaints.append(context))
        thinker, started, go = Thinker(), threading.Event(), threading.Event()

        def fail() -> None:
            started.set()
            go.wait(20)
            raise ZeroDivisionError

        waiting = asyncio.create_task(thinker.think(fail))
        await soon(started.is_set)
        waiting.cancel()
        await asyncio.wait({waiting})
        go.set()
        del waiting
        await thinker.think(lambda: None)
        await asyncio.sleep(0.01)
        gc.collect()
        assert [] == complaints

    run(test())


def test_an_endless_thought_is_cut_off_and_those_behind_it_are_thought() -> None:
    async def test() -> None:
        thinker, thread = Thinker(longest=0.1), []

        def endless() -> None:
            thread.append(threading.current_thread())
            while True:
                pass

        stuck, behind = asyncio.create_task(thinker.think(endless)), asyncio.create_task(thinker.think(lambda: 3))
        with pytest.raises(EndlessThought):
            await stuck
        assert 3 == await behind
        assert [thread[0]] == [one for one in threading.enumerate() if one.name == "thinker" and one is thread[0]]
        thinker.shutdown()

    run(test())


def test_a_thought_that_cannot_be_interrupted_loses_its_thread() -> None:
    async def test() -> None:
        thinker, done = Thinker(longest=0.1), threading.Event()

        def deaf() -> None:
            time.sleep(1.0)  # one call into C: nothing can be raised in it
            done.set()

        stuck = asyncio.create_task(thinker.think(deaf))
        behind = asyncio.create_task(thinker.think(lambda: 4))
        with pytest.raises(EndlessThought):
            await stuck
        assert [4, False] == [await behind, done.is_set()]
        thinker.shutdown()

    run(test())
