"""A clock that tests move."""

from __future__ import annotations

import asyncio

import pytest

from carteado.net.clock import SystemClock, VirtualClock, within

from .rooms import run


def test_sleepers_wake_in_the_order_of_their_times_and_see_their_own_time() -> None:
    async def test() -> None:
        clock, woken = VirtualClock(100.0), []

        async def sleeper(seconds: float) -> None:
            await clock.sleep(seconds)
            woken.append(clock.now())

        tasks = [asyncio.create_task(sleeper(seconds)) for seconds in (3.0, 1.0, 2.0, 9.0, 0.0)]
        await asyncio.sleep(0.01)
        await clock.advance(5.0)
        assert [100.0, 101.0, 102.0, 103.0] == woken
        assert 105.0 == clock.now()
        tasks[3].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert [] == clock._sleepers

    run(test())


def test_who_sleeps_again_during_an_advance_wakes_again_in_it() -> None:
    async def test() -> None:
        clock, ticks = VirtualClock(), []

        async def ticker() -> None:
            while True:
                await clock.sleep(1.0)
                ticks.append(clock.now())

        task = asyncio.create_task(ticker())
        await asyncio.sleep(0)
        await clock.advance(3.5)
        assert [1001.0, 1002.0, 1003.0] == ticks
        task.cancel()

    run(test())


def test_within_gives_the_result_or_times_out_by_the_clock() -> None:
    async def test() -> None:
        clock = VirtualClock()
        assert 7 == await within(clock, 1.0, asyncio.sleep(0, 7))
        never = asyncio.create_task(within(clock, 1.0, asyncio.Event().wait()))
        await asyncio.sleep(0.01)
        await clock.advance(1.0)
        with pytest.raises(TimeoutError):
            await never
        with pytest.raises(ZeroDivisionError):
            await within(clock, 1.0, failing())

    async def failing() -> None:
        raise ZeroDivisionError

    run(test())


@pytest.mark.parametrize("comes", [True, False], ids=["the result comes", "it is late"])
def test_who_is_ended_within_a_time_ends_whenever_that_is(comes: bool) -> None:
    async def test() -> None:
        for turns in range(8):
            clock, event = VirtualClock(), asyncio.Event()
            waiting = asyncio.create_task(within(clock, 1.0, event.wait()))
            await asyncio.sleep(0.001)
            if comes:
                event.set()
            else:
                moved = asyncio.create_task(clock.advance(1.0))
            for _ in range(turns):
                await asyncio.sleep(0)
            told = waiting.cancel()
            await asyncio.wait({waiting})
            assert told == waiting.cancelled(), turns
            if not comes:
                await moved
                assert waiting.cancelled() or isinstance(waiting.exception(), TimeoutError)

    run(test())


def test_the_system_clock_only_grows() -> None:
    async def test() -> None:
        clock = SystemClock()
        before = clock.now()
        await clock.sleep(0.001)
        assert clock.now() > before

    run(test())
