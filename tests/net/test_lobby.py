"""The tables of a host over the wire: listed, opened, joined, watched, filled, played again, closed; and how many there may be."""

from __future__ import annotations

import asyncio

import pytest

from carteado.core.bots import levels
from carteado.net import limits, protocol
from carteado.net.errors import NoRoom, Refusal
from carteado.net.keys import KeyPair
from carteado.net.memory import MemoryStore
from carteado.net.peer import Peer
from carteado.net.settings import TableSpec

from .highcard import GAMES
from .rooms import hostile, hosting, new_id, run, sitting, soon, visiting
from .test_purse import play

TWO = TableSpec("high-card", chairs=2, options={"hands": 1})


def test_a_table_is_opened_played_twice_with_the_house_and_closed() -> None:
    async def test() -> None:
        store = MemoryStore()
        async with hosting(TWO, store=store) as host, visiting(host, "Ana") as ana, visiting(host, "Rui") as rui:
            m = await ana.open("high-card", {"hands": 1, "stake": 5}, chairs=3)
            await ana.join(m)
            (row,) = [row for row in (await rui.tables()).tables if row.m == m]
            assert ("high-card", "lobby", 3, 2) == (row.game, row.stage, row.chairs, row.free)
            await rui.join(m, role="watch")
            await ana.fill(levels(GAMES["high-card"])[0])
            await ana.start()
            await play(ana)
            await ana.rematch()
            await ana.until(lambda p: p.view is not None and p.view["phase"] != "over")
            await play(ana)
            assert 2 == len([booking for booking in store.bookings.values() if booking.kind == "match"])
            assert ana.table is not None
            assert "close" in ana.table.may
            await ana.close_table()
            assert (None, None, "live") == (ana.m, ana.table, ana.line)
            await soon(lambda: rui.line == "gone")
            assert "closed" == rui.gone_code
            assert ["t-1"] == [row.m for row in (await ana.tables()).tables]
            assert ["t-1"] == list(store.tables)

    run(test())


def test_only_the_opener_closes_a_table_and_not_while_others_play() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, visiting(host, "Ana") as ana, visiting(host, "Rui") as rui:
            m = await ana.open("high-card", chairs=2)
            await ana.join(m)
            await rui.join(m)
            with pytest.raises(Refusal) as refused:
                await rui.close_table()
            assert "not_allowed" == refused.value.code
            await ana.start()
            with pytest.raises(Refusal) as refused:
                await ana.close_table()
            assert "running" == refused.value.code
            await rui.leave()
            await ana.close_table()
            assert m not in host.tables

    run(test())


def test_a_table_of_the_house_is_closed_by_no_player() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, sitting(host, "Ana") as ana:
            assert ana.table is not None
            assert "close" not in ana.table.may
            with pytest.raises(Refusal) as refused:
                await ana.close_table()
            assert "not_allowed" == refused.value.code

    run(test())


def test_more_computer_players_than_chairs_are_refused_with_a_sentence_when_the_host_starts() -> None:
    async def test() -> None:
        with pytest.raises(NoRoom, match="table t-1: 3 computer players have no room on 2 chairs"):
            async with hosting(TableSpec("high-card", chairs=2, bots=("random",) * 3)):
                raise AssertionError("it has started")

    run(test())


def test_one_player_cannot_take_all_room_for_tables() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, visiting(host, "Ana") as ana, visiting(host, "Rui") as rui:
            for _ in range(limits.OWN_TABLES):
                await ana.open("high-card")
            with pytest.raises(Refusal) as refused:
                await ana.open("high-card")
            assert "too_many_own" == refused.value.code
            await rui.open("high-card")

    run(test())


def test_a_full_host_lists_every_table_in_one_answer_and_refuses_another() -> None:
    async def test() -> None:
        tables = [TableSpec("high-card", id=f"t-{n}", chairs=2) for n in range(limits.TABLES)]
        async with hosting(*tables) as host, visiting(host, "Ana") as ana:
            assert [spec.id for spec in tables] == [row.m for row in (await ana.tables()).tables]
            with pytest.raises(Refusal) as refused:
                await ana.open("high-card")
            assert "too_many_tables" == refused.value.code

    run(test())


def test_a_full_host_closes_the_table_that_was_left_alone_by_who_has_opened_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "TABLES", 5)
    monkeypatch.setattr(limits, "UNATTENDED", 0.2)

    async def begun(peer: Peer) -> str:
        m = await peer.open("high-card", {"hands": 1}, chairs=2)
        await peer.join(m)
        await peer.fill("random")
        await peer.start()
        return m

    async def test() -> None:
        ana, bea = KeyPair.make(), KeyPair.make()
        async with hosting(TWO) as host, visiting(host, "Rui") as rui:
            async with visiting(host, "Bea", bea) as peer:
                left = [await begun(peer)]
            async with visiting(host, "Ana", ana) as peer:
                left += [await begun(peer)]
            async with visiting(host, "Ana", ana) as peer:
                left += [await begun(peer)]
                attended = await rui.open("high-card")
                await rui.join(attended)
                assert [*left, attended] == [m for m in host.tables if m != "t-1"]
                await asyncio.sleep(0.3)
                first = await rui.open("high-card")  # Ana's older one goes: she has opened two, and is at the other
                assert [left[0], left[2], attended, first] == [m for m in host.tables if m != "t-1"]
            second = await rui.open("high-card")
            assert [left[2], attended, first, second] == [m for m in host.tables if m != "t-1"]
            monkeypatch.setattr(limits, "UNATTENDED", 3600.0)
            with pytest.raises(Refusal) as refused:
                await rui.open("high-card")
            assert "too_many_tables" == refused.value.code

    run(test())


@pytest.mark.slow
def test_many_tables_play_at_once_and_each_match_is_booked() -> None:
    async def test() -> None:
        store, many = MemoryStore(), 20
        tables = [TableSpec("high-card", id=f"t-{n}", chairs=3, options={"hands": 1}, bots=("random", "random")) for n in range(many)]

        async def evening(m: str) -> None:
            async with sitting(host, "Ana", m=m) as ana:
                await ana.ready()
                await play(ana)

        async with hosting(*tables, store=store) as host:
            await asyncio.gather(*(evening(spec.id or "") for spec in tables))
            assert many == len(store.results)
            assert 0 == sum(host._dispatcher.purses.balances.values())
            assert 0 == len(host._bots)

    run(test(), 60)


def test_who_starts_a_match_from_the_last_of_three_chairs_with_an_empty_one_before_it_plays_on_another_number() -> None:
    async def test() -> None:
        store, rui = MemoryStore(), KeyPair.make()
        async with hosting(TableSpec("high-card", chairs=3), store=store) as host, sitting(host, "Ana") as ana, hostile(host, rui) as raw:
            await raw.hello("Rui")
            await raw.say(protocol.Join("t-1", "seat", 2))
            assert 2 == (await raw.hear(protocol.Joined)).seat
            start = protocol.Start(new_id(), "t-1")
            await raw.say(start)
            assert protocol.Ack(start.id, 1) == await raw.hear(protocol.Ack)
            await ana.until(lambda p: p.view is not None)
            assert ("playing", 1) == (host.tables["t-1"].stage, host.tables["t-1"].chair_of(rui.public).seat)  # type: ignore[union-attr]
            await raw.say(start)
            assert protocol.Ack(start.id, 1) == await raw.hear(protocol.Ack)
            assert [(1, start.id)] == [(answer.seat, answer.id) for answer in store.tables["t-1"].answers]

    run(test())
