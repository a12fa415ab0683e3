"""Searching players think in processes of their own, within their milliseconds, and a lost worker costs one thought."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Executor, Future
from typing import Any

import pytest

from carteado.core.bots import player
from carteado.core.loader import load
from carteado.core.match import Match
from carteado.net.workers import Workers, searches, think

GAME = "dez-degraus"


@pytest.fixture
def workers() -> Iterator[Workers]:
    made = Workers(milliseconds=50, most=1)
    yield made
    made.shutdown()


def asked() -> tuple[Match, int, dict[str, Any]]:
    """Return a dealt match, the seat that is asked, and its view."""
    match = Match(load(GAME), {}, [{"name": "A"}, {"name": "B"}])
    match.deal(bytes(32))
    seat = min(match.prompts)
    return match, seat, match.view(seat)


def test_players_that_search_say_so_and_the_others_do_not() -> None:
    assert [searches(player(load(GAME), level)) for level in ("random", "rule", "rollout", "tree")] == [False, False, True, True]


def test_a_thought_of_a_worker_is_an_accepted_action(workers: Workers) -> None:
    match, seat, view = asked()
    action = asyncio.run(workers.think(GAME, "rollout", view, 1))
    match.act(seat, match.prompts[seat].id, action)
    assert match.journal.entries[-1]["do"]["type"] == action["type"]


class Ready(Executor):
    """A pool whose thought ends when the test says so."""

    def __init__(self) -> None:
        self.thought: Future[Any] = Future()

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.thought.set_running_or_notify_cancel()
        return self.thought


@pytest.mark.parametrize("later", range(6))
def test_who_is_called_off_while_a_thought_arrives_thinks_no_further(workers: Workers, later: int) -> None:
    async def test() -> None:
        pool = workers._pool = Ready()  # type: ignore[assignment]
        thinking = asyncio.create_task(workers.think(GAME, "rollout", {}, 1))
        await asyncio.sleep(0)
        pool.thought.set_result({})
        for _ in range(later):
            await asyncio.sleep(0)
        called_off = thinking.cancel()
        await asyncio.wait({thinking})
        assert called_off == thinking.cancelled()

    asyncio.run(test())
    workers._pool = None


def test_a_player_that_prepares_is_told_to_beside_its_first_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    called = threading.Event()

    class Slow:
        def warm(self) -> None:
            called.set()

        def choose(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
            return {"type": "draw", "warm": called.wait(10)}

    monkeypatch.setattr("carteado.net.workers.player", lambda game, level: Slow())
    monkeypatch.setattr("carteado.net.workers._known", {})
    assert think(GAME, "slow", {}, 1, 50) == {"type": "draw", "warm": True}


@pytest.mark.slow
def test_a_killed_worker_costs_nothing_but_time(workers: Workers) -> None:
    view = asked()[2]

    async def twice() -> tuple[dict[str, Any], dict[str, Any]]:
        first = await workers.think(GAME, "rule", view, 1)
        assert workers._pool is not None
        for pid in list(workers._pool._processes):
            os.kill(pid, signal.SIGKILL)
        return first, await workers.think(GAME, "rule", view, 1)

    first, second = asyncio.run(twice())
    assert first == second


@pytest.mark.slow
def test_the_loop_goes_on_while_a_worker_thinks(workers: Workers) -> None:
    view = asked()[2]

    async def ticking() -> int:
        thought = asyncio.ensure_future(workers.think(GAME, "rollout", view, 1))
        ticks = 0
        while not thought.done():
            await asyncio.sleep(0)
            ticks += 1
        return ticks

    assert asyncio.run(ticking()) > 100


def test_shutting_down_leaves_no_worker_behind(workers: Workers) -> None:
    asyncio.run(workers.think(GAME, "rule", asked()[2], 1))
    assert workers._pool is not None
    (process,) = workers._pool._processes.values()
    workers.shutdown()
    end = time.monotonic() + 10
    while process.is_alive():  # also while the pool's own thread has heard of its end and not yet noted it
        assert time.monotonic() < end, "the worker is still there"
        time.sleep(0.01)
