"""After a start the host listens at once; matches come back one after the other, those that somebody waits for before the others."""

from __future__ import annotations

import argparse
import asyncio
import copy
import json
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from carteado.core.errors import Refused
from carteado.net import limits, protocol, returning
from carteado.net.admin import AdminSocket
from carteado.net.chairs import hashed
from carteado.net.console import health
from carteado.net.errors import Refusal, StoreFailure
from carteado.net.keys import KeyPair
from carteado.net.memory import MemoryStore
from carteado.net.orders import BadOrder, Orders
from carteado.net.settings import TableSpec
from carteado.net.store import ChairRecord, EntryRecord, ResultRecord, StoredTable, TableRecord

from .rooms import hostile, hosting, run, sitting, soon, visiting
from .sql.records import begun, chair, match

ANA = KeyPair.make()
KEPT = TableSpec("high-card", "t-1", chairs=2)
"""What a host of these tests is told to open, and has kept already."""
COMPUTER = ChairRecord(b"c" * 32, "Ada", "random", True, None, False, False)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let matches that nobody waits for come back so slowly that none of them does while a test runs: an entry, then a long rest."""
    monkeypatch.setattr(returning, "SLICE", 0.0)
    monkeypatch.setattr(returning, "REST", 1e9)


def full(tables: int, moves: int | None = 7) -> MemoryStore:
    """Return a store of so many matches after so many moves (None: over); Ana sits at the last of them with a computer player."""

    store = MemoryStore()
    keep = store.commit_at_once
    assert keep is not None
    for number in range(1, tables + 1):
        made = match(f"t-{number}", moves)
        table, *rest = begun(made)
        assert isinstance(table, TableRecord)
        table = replace(table, options=made.options)
        if number == tables:
            table = replace(table, chairs=(chair(ANA.public), COMPUTER), players=(ANA.public, None))
        keep([table, *rest])
    return store


def kept(store: MemoryStore) -> Any:
    """Return all that is kept of the matches."""
    return copy.deepcopy({name: (stored.header, stored.entries) for name, stored in store.tables.items()})


def orders(host: Any) -> Orders:
    """Return the desk of a host's operator."""
    return Orders(host, lambda status: None)


def test_who_comes_right_after_the_start_gets_the_view_though_a_hundred_other_matches_are_not_back(slow: None) -> None:
    store = full(101)

    async def test() -> None:
        async with hosting(KEPT, store=store) as host, sitting(host, "Ana", ANA, m="t-101") as ana:
            await ana.until(lambda p: p.view is not None)
            assert 8 == ana.view["q"]  # type: ignore[index]
            assert 0 == ana.seat
            assert 100 == len(host.returning)
            assert "playing" == host.tables["t-1"].stage
            listed = await ana.tables()
            assert {"playing"} == {row.stage for row in listed.tables}
            assert 101 == len(listed.tables)

    run(test())


def test_all_matches_come_back_by_themselves_at_the_version_that_was_kept_and_the_log_says_so(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    store = full(20)

    async def test() -> None:
        async with hosting(KEPT, store=store, pace=1000.0) as host:
            assert 20 == len(host.returning)
            await soon(lambda: not len(host.returning))
            for id, table in host.tables.items():
                assert table.match is not None
                assert table.pending is None
                assert store.tables[id].entries == table.match.journal.entries
                assert (1, 8, table.match.h) == table.head
            await soon(lambda: "tables.resumed" in caplog.messages)
            (line,) = [record for record in caplog.records if record.getMessage() == "tables.resumed"]
            assert 20 == line.fields["tables"]  # type: ignore[attr-defined]

    run(test())


def test_computer_players_go_on_though_nobody_comes() -> None:
    store = full(1, moves=0)
    stored = store.tables["t-1"]
    stored.table = replace(stored.table, chairs=(COMPUTER, replace(COMPUTER, key=b"d" * 32, name="Bento")), players=(None, None))

    async def test() -> None:
        async with hosting(KEPT, store=store) as host:
            await soon(lambda: host.tables["t-1"].stage == "over")
            assert ("t-1", 1) in store.results

    run(test())


def test_a_match_that_turns_out_damaged_is_held_and_the_wanted_table_opens_beside_it_and_the_others_come_back() -> None:
    store = full(3)
    store.tables["t-1"].entries[4]["h"] = "0" * 16
    before = kept(store)

    async def test() -> None:
        async with hosting(KEPT, store=store, pace=1000.0) as host:
            await soon(lambda: not len(host.returning))
            assert ["broken", "playing", "playing", "lobby"] == [table.stage for table in host.tables.values()]
            assert ["t-1", "t-2", "t-3", "t-1-2"] == list(host.tables)
            assert "entry 5 (action) replays to hash" in host.tables["t-1"].why
            assert ["Ana", "Rui"] == [chair.name for chair in host.tables["t-1"].chairs]
            health = await orders(host).carry_out(["health"])
            assert ("stopped: t-1", 0) == (health["trouble"], health["resuming"])

    run(test())
    assert before == {name: kept(store)[name] for name in before}


def test_a_match_that_is_damaged_where_it_was_read_last_is_held_when_it_is_read() -> None:
    class Torn(MemoryStore):
        async def whole(self, table: str) -> StoredTable | None:
            stored = await super().whole(table)
            assert stored is not None
            return replace(stored, entries=[], fault="its journal is damaged: entry 3 is missing") if table == "t-2" else stored

    async def test() -> None:
        store = Torn()
        store.tables = full(2).tables
        async with hosting(KEPT, store=store) as host, sitting(host, "Ana", ANA, m="t-2") as ana:
            assert ana.table is not None
            assert ("broken", "Its journal is damaged: entry 3 is missing.") == (ana.table.stage, ana.table.why)
            await soon(lambda: not len(host.returning))
            assert "playing" == host.tables["t-1"].stage

    run(test())


def test_a_match_that_cannot_be_read_now_comes_back_when_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(returning, "AGAIN", 0.0)

    class Away(MemoryStore):
        times = 0

        async def whole(self, table: str) -> StoredTable | None:
            self.times += 1
            if self.times < 4:
                raise StoreFailure("the server does not answer", "away")
            return await super().whole(table)

    async def test() -> None:
        store = Away()
        store.tables = full(1).tables
        async with hosting(KEPT, store=store, pace=1000.0) as host:
            await soon(lambda: not len(host.returning))
            assert 4 == store.times
            assert "playing" == host.tables["t-1"].stage

    run(test())


def test_one_match_that_cannot_be_read_now_keeps_no_other_from_coming_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(returning, "AGAIN", 0.2)

    class Worn(MemoryStore):
        worn = True

        async def whole(self, table: str) -> StoredTable | None:
            if self.worn and table in ("t-1", "t-3"):
                raise StoreFailure("the server cannot read that page", "other")
            return await super().whole(table)

    async def test() -> None:
        store = Worn()
        store.tables = full(4).tables
        async with hosting(KEPT, store=store, pace=1000.0) as host, visiting(host, "Rui") as rui:
            asked = asyncio.create_task(rui.join("t-3", role="watch"))
            await soon(lambda: 2 == len(host.returning))
            assert [True, False, True, False] == [table.pending is not None for table in host.tables.values()]
            store.worn = False
            await asked
            await soon(lambda: not len(host.returning))

    run(test())


def test_what_a_peer_says_behind_its_join_is_carried_out_after_it(slow: None) -> None:
    async def test() -> None:
        async with hosting(KEPT, store=full(5)) as host, hostile(host, ANA) as raw:
            await raw.hello("Ana")
            await raw.say(protocol.Join("t-5", "seat"))
            await raw.say(protocol.Say(bytes(16), "t-5", "here I am"))
            assert ("here I am", 0) == ((said := await raw.hear(protocol.Said)).text, said.seat)  # nobody talks who is not there
            assert (await raw.hear(protocol.Joined)).seat == 0
            assert 8 == (await raw.hear(protocol.State)).q
            assert (await raw.hear(protocol.Ack)).no is None

    run(test())


def test_who_waits_for_a_match_can_be_told_no_more_than_a_few_things_meanwhile() -> None:
    class Shut(MemoryStore):
        def __init__(self) -> None:
            super().__init__()
            self.may = asyncio.Event()

        async def whole(self, table: str) -> StoredTable | None:
            await self.may.wait()
            return await super().whole(table)

    async def test() -> None:
        store = Shut()
        store.tables = full(1).tables
        async with hosting(KEPT, store=store) as host, hostile(host, ANA) as raw, visiting(host, "Rui") as rui:
            await raw.hello("Ana")
            await raw.say(protocol.Join("t-1", "seat"))
            for _ in range(limits.BEHIND):
                await raw.say(protocol.AskTables())
            await soon(lambda: host.refused["behind"] == 1)
            assert [] == [message for message in await raw.pong() if not isinstance(message, protocol.Pong)]
            assert 1 == len((await rui.tables()).tables)  # whoever does not wait for it is answered
            store.may.set()
            for _ in range(limits.BEHIND - 1):
                await raw.hear(protocol.Tables)
            assert (await raw.hear()).seat == 0

    run(test())


def test_a_table_can_be_paused_before_its_match_is_back_and_is_paused_then_and_at_the_next_start(slow: None) -> None:
    store = full(3)

    async def test() -> None:
        async with hosting(KEPT, store=store) as host:
            assert "paused: t-1, t-2, t-3" == await orders(host).carry_out(["pause", "all"])
            assert "going on: t-2" == await orders(host).carry_out(["resume", "t-2"])
            assert 3 == len(host.returning)
        async with hosting(KEPT, store=store) as host:
            assert ["paused", "playing", "paused"] == [table.stage for table in host.tables.values()]
            async with sitting(host, "Ana", ANA, m="t-3") as ana:
                await ana.until(lambda p: p.view is not None)
                assert "paused" == ana.table.stage  # type: ignore[union-attr]

    run(test())


def test_a_table_can_be_closed_before_its_match_is_back_and_who_waited_for_it_is_told(slow: None) -> None:
    store = full(3)

    async def test() -> None:
        async with hosting(KEPT, store=store) as host:
            with pytest.raises(BadOrder, match="a match is on at t-1"):
                await orders(host).carry_out(["close", "t-1"])
            await orders(host).carry_out(["close", "t-1", "now"])
            assert ["t-2", "t-3"] == list(host.tables)
            assert "t-1" not in store.tables
            await host.returning.back(list(host.tables.values()))
            assert ["playing", "playing"] == [table.stage for table in host.tables.values()]

    run(test())


def test_an_order_that_needs_the_match_waits_for_it_alone(slow: None) -> None:
    store = full(30)

    async def test() -> None:
        async with hosting(KEPT, store=store) as host:
            told = await orders(host).carry_out(["state", "t-20"])
            assert (8, 1, False) == (told["version"], told["hand"], told["resuming"])
            assert 29 == len(host.returning)
            assert "t-30" in await orders(host).carry_out(["remove", ANA.public.hex()])
            assert "leave" in [entry["k"] for entry in store.tables["t-30"].entries]
            rows = await orders(host).carry_out(["tables"])
            assert 28 == sum(row["resuming"] for row in rows)
            metrics = {row["metric"]: row["value"] for row in await orders(host).carry_out(["metrics"])}
            assert (28, 29) == (metrics["tables_resuming"], metrics["tables playing"])  # without Ana that match is over

    run(test())


def test_a_table_that_came_back_while_an_order_waited_for_another_one_is_not_brought_back_again(slow: None) -> None:
    async def test() -> None:
        async with hosting(KEPT, store=full(4)) as host:
            first, second, third, _ = host.tables.values()
            await asyncio.gather(host.returning.back([second]), host.returning.back([first, second]))
            await host.returning.back([third])
            assert [False, False, False, True] == [table.pending is not None for table in host.tables.values()]

    run(test())


def test_the_health_of_a_host_says_how_many_matches_are_not_back(slow: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def test() -> None:
        async with hosting(KEPT, store=full(4)) as host:
            made = AdminSocket(tmp_path / "admin" / "s.sock", orders(host))
            await made.open()
            asked = argparse.Namespace(port=None, socket=made.path, json=False)
            assert 0 == await asyncio.to_thread(health, asked)
            await host.returning.back(list(host.tables.values()))
            assert 0 == await asyncio.to_thread(health, asked)
            await made.close()

    run(test())
    before, after = capsys.readouterr().out.splitlines()
    assert "4 tables, 4 playing" in before
    assert "4 still to be brought back" in before
    assert "brought back" not in after


def test_a_host_that_ends_before_its_matches_are_back_has_changed_nothing(slow: None) -> None:
    store = full(20)
    before = json.dumps(kept(store))

    async def test() -> None:
        for _ in range(2):
            async with hosting(KEPT, store=store) as host:
                assert 20 == len(host.returning)
            assert before == json.dumps(kept(store))
        async with hosting(KEPT, store=store) as host, sitting(host, "Ana", ANA, m="t-20") as ana:
            await ana.until(lambda p: p.view is not None)

    run(test())


def test_a_match_that_is_over_and_whose_table_is_wanted_otherwise_now_makes_room_before_it_is_back(slow: None) -> None:
    store = full(2, moves=None)
    for id in store.tables:
        store.results[id, 1] = ResultRecord(id, 1, ())

    async def test() -> None:
        async with hosting(TableSpec("high-card", "t-1", chairs=3), store=store) as host:
            assert [("t-2", "over", 2), ("t-1", "lobby", 3)] == [(t.id, t.stage, len(t.chairs)) for t in host.tables.values()]
            async with sitting(host, "Ana", ANA, m="t-2") as ana:
                await ana.until(lambda p: p.view is not None)
                assert "over" == ana.view["phase"]  # type: ignore[index]
            await soon(lambda: not len(host.returning))
            assert host.tables["t-1"].match is None

    run(test())


def test_a_host_that_begins_nothing_new_waits_for_the_matches_that_are_not_back(slow: None) -> None:
    async def test() -> None:
        async with hosting(KEPT, store=full(2)) as host:
            await orders(host).carry_out(["drain"])
            assert [False, False] == [table.resting for table in host.tables.values()]
            assert host.tables["t-1"].closing
            await host.returning.back(list(host.tables.values()))
            assert host.tables["t-1"].closing

    run(test())


def test_who_has_no_token_learns_nothing_of_a_match_that_is_not_back_and_calls_for_none(slow: None) -> None:
    async def test() -> None:
        async with hosting(KEPT, store=full(2)) as host, hostile(host) as raw:
            await raw.hello()
            for m, seat in (("t-2", 0), ("t-2", 9), ("t-3", 0)):
                await raw.say(protocol.Reclaim(m, seat, bytes(16)))
            assert ["token"] * 3 == [no.code for no in await raw.echo()]
            assert 2 == len(host.returning)

    run(test())


def test_a_seat_is_taken_over_with_its_token_though_its_match_was_not_back(slow: None) -> None:
    store, token = full(2), b"t" * limits.TOKEN
    stored = store.tables["t-2"]
    stored.table = replace(stored.table, chairs=(replace(stored.table.chairs[0], token=hashed(token)), *stored.table.chairs[1:]))

    async def test() -> None:
        async with hosting(KEPT, store=store) as host, visiting(host, "Ana") as phone:
            assert 0 == (await phone.reclaim("t-2", 0, token)).seat
            assert 8 == phone.view["q"]  # type: ignore[index]

    run(test())


def test_nobody_new_sits_down_at_a_match_that_was_not_back_when_they_asked(slow: None) -> None:
    async def test() -> None:
        async with hosting(KEPT, store=full(2)) as host, visiting(host, "Rui") as rui:
            with pytest.raises(Refusal) as refused:
                await rui.join("t-1")
            assert "started" == refused.value.code
            assert "playing" == host.tables["t-1"].stage

    run(test())


def test_entries_after_a_start_follow_those_that_were_kept() -> None:
    store = full(1)

    async def test() -> None:
        async with hosting(KEPT, store=store) as host:
            await host.returning.back(list(host.tables.values()))
            with pytest.raises(Refused, match="stale_match"):
                host.tables["t-1"].play(0, 7, 1, {}, host._turn())
        assert 8 == len(store.tables["t-1"].entries)
        assert all(isinstance(entry, dict) for entry in store.tables["t-1"].entries)
        with pytest.raises(ValueError, match="comes after 8"):
            await store.commit([EntryRecord("t-1", 1, 3, {})])

    run(test())
