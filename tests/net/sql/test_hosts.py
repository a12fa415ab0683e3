"""Whole hosts on a store in SQL: matches end up in the books, hosts come back, and several share one server."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from carteado.net.clock import VirtualClock
from carteado.net.host import Host
from carteado.net.keys import KeyPair, fingerprint
from carteado.net.settings import TableSpec
from carteado.net.sql.store import SqlStore, opened
from carteado.net.store import TableRecord
from carteado.net.terms import ClockTerms, Terms

from ..rooms import hosting, run, sitting, soon
from ..test_purse import play
from . import postgres, records

ONE = TableSpec("high-card", chairs=1, options={"hands": 1})
ANA = KeyPair.make()


async def ask(store: SqlStore, question: str) -> list[Any]:
    """Ask the database."""
    return await store.read(lambda connection: [tuple(row) for row in connection.execute(text(question))])


async def match(host: Host) -> None:
    """Let Ana play a match alone at a host's table."""
    async with sitting(host, "Ana", ANA) as ana:
        await (ana.start() if ana.table is not None and ana.table.stage == "lobby" else ana.rematch())
        await ana.until(lambda p: p.view is not None and p.view["phase"] != "over")
        await play(ana)


def test_a_match_that_is_played_to_its_end_is_in_the_books(url: str) -> None:
    async def test() -> None:
        store = opened(url, "host")
        async with hosting(ONE, store=store) as host:
            await match(host)
            await soon(lambda: host.tables["t-1"].stage == "over")
            assert [("t-1", 1, 1)] == await ask(store, "SELECT name, number, count(ended) FROM matches GROUP BY name, number")
            assert [(ANA.public.hex(), "Ana", 1)] == await ask(store, "SELECT player, name, place FROM results")
            assert [(0,)] == await ask(store, "SELECT coalesce(sum(amount), 0) FROM postings")

    run(test())


def test_a_host_comes_back_to_the_match_that_was_over_and_plays_the_next(url: str) -> None:
    async def test() -> None:
        async with hosting(ONE, store=opened(url, "host")) as host:
            await match(host)
        store = opened(url, "host")
        async with hosting(ONE, store=store) as host:
            assert "over" == host.tables["t-1"].stage
            await match(host)
            assert [(2,)] == await ask(store, "SELECT count(*) FROM results")

    run(test())


def test_a_wall_clock_that_jumps_by_days_takes_nobody_s_time_or_seat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        days = iter([1.0, -1.0, 30.0, -400.0, 1.5] * 400)
        monkeypatch.setattr(time, "time", lambda: 1.7e9 + 86_400 * next(days))
        spec = TableSpec("high-card", chairs=1, options={"hands": 1}, terms=Terms(ClockTerms(move=20)))
        async with hosting(spec, store=opened(str(tmp_path / "store.db"), "host")) as host:
            await match(host)
            await soon(lambda: host.tables["t-1"].stage == "over")
            at = host.tables["t-1"].match
            assert at is not None
            assert {"hand", "action"} == {entry["k"] for entry in at.journal.entries}
            assert ANA.public == host.tables["t-1"].chairs[0].key

    run(test())


def test_two_hosts_of_one_server_share_players_purses_and_history_and_have_their_own_tables(postgresql: str) -> None:
    async def test(url: str) -> None:
        keys = [KeyPair.make(), KeyPair.make()]
        stores = [opened(url, fingerprint(key.public)) for key in keys]
        async with hosting(ONE, store=stores[0], keys=keys[0]) as first, hosting(ONE, store=stores[1], keys=keys[1]) as second:
            await match(first)
            await match(second)
            players = "SELECT name FROM players"
            results = "SELECT m.host, r.player FROM results r JOIN matches m ON m.id = r.match ORDER BY m.id"
            for store in stores:
                assert [("Ana",)] == await ask(store, players)
                assert [(one.host, ANA.public.hex()) for one in stores] == await ask(store, results)
                account = f"SELECT count(*) FROM accounts WHERE id = 'player/{ANA.public.hex()}'"
                assert [(1,)] == await ask(store, account)
        again = opened(url, fingerprint(keys[0].public))
        async with hosting(ONE, store=again, keys=keys[0]) as host:
            assert ["t-1"] == list(host.tables)

    with postgres.database(postgresql) as url:
        run(test(url))


def test_two_hosts_of_one_server_bring_back_their_own_matches_at_once(postgresql: str) -> None:
    """The ids of their tables are the same; each seat finds its own match there."""

    async def test(url: str) -> None:
        keys, people = [KeyPair.make(), KeyPair.make()], [ANA, KeyPair.make()]
        for host, who, moves in zip(keys, people, (3, 5), strict=True):
            store = opened(url, fingerprint(host.public))
            for id in ("t-1", "t-2"):
                made = records.match(id, moves)
                table, *rest = records.begun(made)
                assert isinstance(table, TableRecord)
                chairs = (records.chair(who.public), records.chair(records.RUI, "Rui"))
                await store.commit([replace(table, options=made.options, chairs=chairs, players=(who.public, records.RUI)), *rest])
            await store.close()
        wanted = TableSpec("high-card", "t-1", chairs=2)
        async with contextlib.AsyncExitStack() as stack:
            for host, who, q in zip(keys, people, (4, 6), strict=True):
                there = await stack.enter_async_context(hosting(wanted, store=opened(url, fingerprint(host.public)), keys=host))
                assert 2 == len(there.returning)
                ana = await stack.enter_async_context(sitting(there, "Ana", who, m="t-2"))
                await ana.until(lambda p: p.view is not None)
                assert q == ana.view["q"]  # type: ignore[index]
                await there.returning.back(list(there.tables.values()))
                assert {q} == {table.head[1] for table in there.tables.values()}

    with postgres.database(postgresql) as url:
        run(test(url))


@pytest.mark.slow
def test_a_host_on_a_server_that_is_away_waits_for_it(postgresql: str) -> None:
    async def test(url: str) -> None:
        clock, store = VirtualClock(), opened(url, "host")
        async with hosting(ONE, store=store, clock=clock) as host, sitting(host, "Ana", clock=clock) as ana:
            killer = opened(url, "another")
            others = "FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()"
            await ask(killer, "SELECT 1")
            await killer._write(lambda: killer._connected().exec_driver_sql(f"SELECT pg_terminate_backend(pid) {others}"))
            starting = asyncio.create_task(ana.start())
            await soon(lambda: host._saver.frozen)
            await clock.advance(5.0)
            await starting
            await ana.until(lambda p: p.view is not None)
            await killer.close()

    with postgres.database(postgresql) as url:
        run(test(url))
