"""While its store cannot save, a host shows nothing, says why, and goes on by itself."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence

import pytest

from carteado.net import protocol
from carteado.net.clock import VirtualClock
from carteado.net.errors import StoreFailure
from carteado.net.memory import MemoryStore
from carteado.net.saving import Saver
from carteado.net.settings import TableSpec
from carteado.net.store import EntryRecord, Record

from .rooms import first_move, hostile, hosting, run, sitting, soon


class Failing(MemoryStore):
    """A store that cannot save, or takes its time, while it is told so."""

    commit_at_once = None

    def __init__(self) -> None:
        super().__init__()
        self.full = False
        self.slow: asyncio.Event | None = None

    async def commit(self, batch: Sequence[Record]) -> None:
        if self.slow is not None:
            await self.slow.wait()
        if self.full:
            raise StoreFailure("the disk is full", "full")
        await super().commit(batch)


def test_everybody_at_a_table_is_told_at_once_that_the_host_cannot_save_and_when_it_can_again() -> None:
    async def test() -> None:
        store, clock = Failing(), VirtualClock()
        async with hosting(store=store, clock=clock) as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui:
            assert ana.table is not None
            may = ana.table.may
            store.full = True
            told = asyncio.create_task(ana.say("is anybody there?"))
            asked = asyncio.create_task(ana.ready())
            await rui.until(lambda p: p.table is not None and p.table.stage == "frozen")
            await ana.until(lambda p: p.table is not None and p.table.stage == "frozen")
            assert rui.table is not None
            assert ([], "The host cannot save; every table waits until it can.") == (rui.table.may, rui.table.why)
            store.full = False
            await soon(lambda: clock._sleepers)
            await clock.advance(5.0)
            await asyncio.gather(asked, told)
            for peer in (ana, rui):
                await peer.until(lambda p: p.table is not None and p.table.stage == "lobby")
            assert may == ana.table.may

    run(test())


def test_an_action_during_the_freeze_is_answered_afterwards_and_kept_once() -> None:
    async def test() -> None:
        store, clock = Failing(), VirtualClock()
        async with hosting(TableSpec("high-card", chairs=1), store=store, clock=clock) as host, sitting(host, "Ana") as ana:
            await ana.start()
            prompt, action = await first_move(ana)
            store.full = True
            acting = asyncio.create_task(ana.act(prompt, action))
            await ana.until(lambda p: p.table is not None and p.table.stage == "frozen")
            assert ana.view is not None
            assert 1 == ana.view["q"]
            assert host.tables["t-1"].head[1] == 1
            store.full = False
            await clock.advance(5.0)
            answer = await acting
            assert (True, 2) == (answer.accepted, answer.q)
            assert 2 == len(store.tables["t-1"].entries)

    run(test())


def test_what_is_said_to_a_frozen_host_is_left_to_be_said_again_and_pings_are_answered() -> None:
    async def test() -> None:
        store, clock = Failing(), VirtualClock()
        async with hosting(store=store, clock=clock) as host, hostile(host) as raw, sitting(host, "Ana") as ana:
            await raw.hello()
            await raw.join()
            await raw.echo()
            store.full = True
            readying = asyncio.create_task(ana.ready())
            pong = await raw.hear(protocol.Pong)
            assert (0, True) == (pong.n, pong.frozen)
            for number in range(50):
                await raw.say(protocol.Ready(bytes([number]) * 16, "t-1"))
            assert [] == await raw.pong()
            assert host.refused["frozen"] >= 50
            assert len(host._turns) == 0
            await clock.advance(60.0)  # nobody is thrown out meanwhile, and nothing piles up
            assert len(host.sessions) == 2
            assert len(host._turns) == 0
            store.full = False
            await clock.advance(5.0)
            await readying

    run(test())


def test_a_store_that_takes_long_freezes_the_tables_too() -> None:
    async def test() -> None:
        store, clock = Failing(), VirtualClock()
        async with hosting(store=store, clock=clock) as host, sitting(host, "Ana") as ana:
            store.slow = asyncio.Event()
            readying = asyncio.create_task(ana.ready())
            await soon(lambda: host._turns._taking.locked())
            await clock.advance(4.0)
            await ana.until(lambda p: p.table is not None and p.table.stage == "frozen")
            store.slow.set()
            await readying
            await ana.until(lambda p: p.table is not None and p.table.stage == "lobby")

    run(test())


def test_a_host_that_cannot_save_can_be_stopped(caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        store, clock = Failing(), VirtualClock()
        async with hosting(store=store, clock=clock) as host, sitting(host, "Ana") as ana:
            store.full = True
            readying = asyncio.create_task(ana.ready())
            await ana.until(lambda p: p.table is not None and p.table.stage == "frozen")
            await host.stop()
            await ana.until(lambda p: p.line == "lost")
            readying.cancel()

    run(test())


def test_a_host_that_is_stopped_lets_the_turn_under_way_be_kept_and_answered() -> None:
    async def test() -> None:
        store = Failing()
        async with hosting(TableSpec("high-card", chairs=1), store=store) as host, sitting(host, "Ana") as ana:
            await ana.start()
            prompt, action = await first_move(ana)
            store.slow = asyncio.Event()
            acting = asyncio.create_task(ana.act(prompt, action))
            await soon(lambda: host._turns._taking.locked())
            stopping = asyncio.create_task(host.stop())
            await asyncio.sleep(0)
            store.slow.set()
            assert (await acting).accepted
            await stopping
            assert 2 == len(store.tables["t-1"].entries)

    run(test())


def test_the_operator_is_told_once_and_again_each_minute(caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        store, clock, told = Failing(), VirtualClock(), []
        saver = Saver(store, clock, Counter(), lambda: told.append(saver.frozen))
        store.full = True
        keeping = asyncio.create_task(saver.keep([EntryRecord("t-1", 1, 0, {})]))
        await asyncio.sleep(0)
        for _ in range(13):
            await clock.advance(5.0)
        said = [record.message for record in caplog.records if "the disk is full" in record.message]
        assert ["the host cannot save, every table waits: the disk is full"] * 2 == said
        keeping.cancel()
        assert [True] == told

    with caplog.at_level(logging.INFO):
        run(test())
