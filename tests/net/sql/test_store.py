"""The SQL store keeps what the seam promises, on SQLite and on a real PostgreSQL server."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import text

from carteado.net import limits
from carteado.net.errors import StoreFailure
from carteado.net.sql import store as sql_store
from carteado.net.sql.store import SqlStore, opened
from carteado.net.store import (
    AnswerRecord,
    BanRecord,
    BookingRecord,
    ClosedRecord,
    EntryRecord,
    Finish,
    LiftedRecord,
    MatchRecord,
    PlayerRecord,
    Record,
    ResultRecord,
    StoredTable,
)

from .records import ANA, RUI, begun, entries, everything, match, table

HOST = "0000-0000-0000-0001"


def using(url: str, work: Callable[[SqlStore], Awaitable[Any]], host: str = HOST) -> Any:
    """Open a store, do something with it, and close it."""

    async def use() -> Any:
        store = opened(url, host)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(use())


def keep(url: str, *batches: list[Record], host: str = HOST) -> list[StoredTable]:
    """Keep batches in one run of a host, and return what the next run finds."""

    async def work(store: SqlStore) -> None:
        await store.load()
        for batch in batches:
            await store.commit(batch)

    using(url, work, host)
    found: list[StoredTable] = using(url, everything, host)
    return found


def rows(url: str, question: str) -> list[Any]:
    """Ask the database itself; nothing of a host's is taken for it."""

    async def work(store: SqlStore) -> list[Any]:
        return await store.read(lambda connection: [tuple(row) for row in connection.execute(text(question))])

    found: list[Any] = using(url, work)
    return found


def test_a_new_store_holds_no_table(url: str) -> None:
    assert [] == keep(url)


def test_a_table_comes_back_as_it_was_kept(url: str) -> None:
    record = table(terms={"clock": {"move": 20}}, banks=(3, 4))
    assert [StoredTable(record)] == keep(url, [record])


def test_of_a_table_the_newest_record_counts(url: str) -> None:
    assert [table(number=0, banks=(7,))] == [kept.table for kept in keep(url, [table(), table(banks=(5,))], [table(banks=(7,))])]


def test_a_journal_comes_back_line_for_line(url: str) -> None:
    made = match()
    (kept,) = keep(url, begun(made))
    assert made.journal.header == kept.header
    assert made.journal.entries == kept.entries
    assert ["h"] == list(kept.entries[0])[-1:]  # the chain covers the order of the fields


def test_entries_are_kept_where_the_last_run_stopped(url: str) -> None:
    made = match(moves=6)
    first, rest = begun(made)[:5], begun(made)[5:]
    keep(url, first)
    (kept,) = keep(url, rest)
    assert made.journal.entries == kept.entries


def test_a_second_match_at_a_table_is_the_one_that_is_loaded(url: str) -> None:
    first, second = match(), match(moves=2)
    (kept,) = keep(url, begun(first), [table(number=2), MatchRecord("t-1", 2, second.journal.header), *entries(second, 2)])
    assert second.journal.entries == kept.entries
    assert 2 == len(rows(url, "SELECT id FROM matches"))


def test_the_first_match_is_not_forgotten_when_its_table_is_closed(url: str) -> None:
    assert [] == keep(url, begun(match()), [ClosedRecord("t-1")])
    assert [("t-1", 1)] == rows(url, "SELECT name, number FROM matches")
    assert [] != rows(url, "SELECT n FROM entries")


def test_the_id_of_a_closed_table_can_be_used_again(url: str) -> None:
    second = match(moves=1)
    (kept,) = keep(url, [*begun(match()), ClosedRecord("t-1")], begun(second))
    assert second.journal.entries == kept.entries


@pytest.mark.parametrize("index", [0, 3, 9])
def test_an_entry_that_does_not_follow_is_refused_and_nothing_of_its_batch_is_kept(url: str, index: int) -> None:
    made = match(moves=1)

    async def work(store: SqlStore) -> None:
        await store.commit(begun(made))
        with pytest.raises(StoreFailure, match="comes after 2 entries"):
            await store.commit([table("t-2"), EntryRecord("t-1", 1, index, {"n": 1})])
        assert ["t-1"] == [kept.table.id for kept in await store.load()]

    using(url, work)


def test_accepted_ids_come_back_oldest_first(url: str) -> None:
    answers = [AnswerRecord("t-1", n % 2, bytes([n]) * 16, n) for n in range(9)]
    (kept,) = keep(url, [table(), *answers[:4]], list(answers[4:]))
    assert answers == kept.answers


def test_of_many_accepted_ids_only_the_newest_are_kept(url: str) -> None:
    most = limits.ANSWERS * limits.SEATS
    answers: list[Record] = [AnswerRecord("t-1", 0, n.to_bytes(16, "big"), n) for n in range(2 * most + 1)]
    (kept,) = keep(url, [table(), *answers])
    assert answers[-most:] == kept.answers
    assert [(most,)] == rows(url, "SELECT count(*) FROM answers")


def test_the_result_of_a_match_is_kept_once(url: str) -> None:
    result = ResultRecord("t-1", 1, (Finish(0, ANA, "Ana", None, 1, 7, 30), Finish(1, None, "Bot", "rule", 2, 3, -30, "left")))
    (kept,) = keep(url, [*begun(match()), result], [result])
    assert kept.over
    expected = [(0, ANA.hex(), "Ana", None, 1, 7, 30, None), (1, None, "Bot", "rule", 2, 3, -30, "left")]
    assert expected == rows(url, "SELECT seat, player, name, bot, place, points, chips, gone FROM results ORDER BY seat")


def test_a_booking_moves_chips_once_however_often_it_is_kept(url: str) -> None:
    booking = BookingRecord("match/1", "match", ((f"player/{ANA.hex()}", 30), ("house", -30)), "t-1", 1, {"stake": 10})
    keep(url, begun(match()), [booking, booking], [booking])
    assert [("house", -30), (f"player/{ANA.hex()}", 30)] == rows(url, "SELECT id, balance FROM accounts ORDER BY id")
    assert [(2, 0)] == rows(url, "SELECT count(*), sum(amount) FROM postings")


@pytest.mark.parametrize("postings", [(), (("house", 1),), (("house", 5), ("opening", -4))])
def test_a_booking_that_does_not_sum_to_zero_is_refused_with_its_whole_batch(url: str, postings: Any) -> None:
    async def work(store: SqlStore) -> None:
        with pytest.raises(StoreFailure, match="does not sum to zero"):
            await store.commit([table(), BookingRecord("x", "match", postings)])
        assert [] == await store.load()

    using(url, work)


def test_a_player_has_the_name_that_was_used_last(url: str) -> None:
    keep(url, [PlayerRecord(ANA, "Ana"), PlayerRecord(RUI, "Rui")], [PlayerRecord(ANA, "Anna")])
    assert [("Anna",), ("Rui",)] == rows(url, "SELECT name FROM players ORDER BY name")


def test_a_batch_whose_commit_went_through_unheard_is_not_kept_twice(url: str) -> None:
    """The connection breaks after the database has committed and before it could say so; the host tries again."""
    made = match(moves=3)

    async def work(store: SqlStore) -> None:
        await store.commit(begun(made)[:3])
        store._batch -= 1
        store._kept.matches.clear()
        await store.commit(begun(made)[:3])
        await store.commit(begun(made)[3:])

    using(url, work)
    (kept,) = keep(url)
    assert made.journal.entries == kept.entries
    assert 1 == len(rows(url, "SELECT id FROM matches"))


def test_a_host_that_wrote_behind_the_back_of_another_stops_it(url: str) -> None:
    async def work(store: SqlStore) -> None:
        await store.commit([table()])
        store._batch -= 2
        with pytest.raises(StoreFailure, match="somebody else has written for this host"):
            await store.commit([table("t-2")])

    using(url, work)
    assert ["t-1"] == [kept.table.id for kept in keep(url)]


def test_a_second_host_of_the_same_tables_is_refused_with_the_process_that_has_them(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sql_store, "CLAIM", 0.2)

    async def work(store: SqlStore) -> None:
        with pytest.raises(StoreFailure, match=f"in use by another host.*{os.getpid()}") as refused:
            opened(url, HOST)
        assert "taken" == refused.value.code

    using(url, work)
    assert [] == keep(url)  # and free again as soon as that one is closed


def test_a_table_whose_record_is_damaged_is_told_of_and_costs_no_other(url: str) -> None:
    async def work(store: SqlStore) -> None:
        await store.commit([table("t-1"), table("t-2")])
        await store._write(lambda: _sql(store, "UPDATE tables SET record = '{' WHERE name = 't-1'"))

    using(url, work)
    one, two = keep(url)
    assert ("t-1", "high-card", "what was kept of its chairs is damaged") == (one.table.id, one.table.game, one.fault)
    assert StoredTable(table("t-2")) == two


@pytest.mark.parametrize(
    ("damage", "fault"),
    [
        ("DELETE FROM entries WHERE n = 2", "its journal is damaged: entry 2 is missing"),
        ("UPDATE entries SET line = '[' WHERE n = 1", "its journal is damaged: line 2 of the journal is not a JSON object"),
        ("UPDATE matches SET header = '7'", "its journal is damaged: line 1 of the journal is not a JSON object"),
        ("UPDATE entries SET line = '{\"n\":1,\"k\":\"hand\",\"h\":1e400}' WHERE n = 1", "its journal is damaged: line 2"),
        ("UPDATE entries SET line = '{\"n\":1}' WHERE n = 1", "its journal is damaged: entry 1 of the journal is damaged or out of order"),
        ("UPDATE entries SET line = replace(line, '}', ',\"x\":99999999999999999999}') WHERE n = 4", "its journal is damaged: line 5 of"),
        ("UPDATE matches SET number = 9", "its journal is damaged: match 1 is not there"),
    ],
)
def test_a_match_that_cannot_be_read_is_told_of(url: str, damage: str, fault: str) -> None:
    async def work(store: SqlStore) -> None:
        await store.commit(begun(match(moves=3)))
        await store._write(lambda: _sql(store, damage))

    using(url, work)
    (kept,) = keep(url)
    assert fault == kept.fault[: len(fault)]


def test_a_host_lists_its_tables_without_reading_what_was_played_there(url: str) -> None:
    answer = AnswerRecord("t-1", 0, bytes(16), 4)

    async def work(store: SqlStore) -> None:
        await store.commit([*begun(match(moves=3)), answer, table("t-2")])
        one, two = await store.load()
        assert (match(moves=3).journal.header, [], [], False) == (one.header, one.entries, one.answers, one.over)
        assert StoredTable(table("t-2")) == two
        assert (match(moves=3).journal.entries, [answer]) == ((full := await store.whole("t-1")).entries, full.answers)  # type: ignore[union-attr]
        assert await store.whole("t-9") is None
        await store.commit(entries(match(moves=5), first=4))  # the writer knows how many there are without having read them
        assert match(moves=5).journal.entries == (await store.whole("t-1")).entries  # type: ignore[union-attr]

    using(url, work)


def _sql(store: SqlStore, statement: str) -> None:
    connection = store._connected()
    with connection.begin():
        connection.exec_driver_sql(statement)


def test_two_hosts_of_one_database_have_their_own_tables_and_share_players_and_purses(postgresql: str) -> None:
    from . import postgres

    other = "0000-0000-0000-0002"
    with postgres.database(postgresql) as url:

        async def work() -> None:
            one, two = opened(url, HOST), opened(url, other)
            try:
                for number, store in enumerate((one, two, one, two)):
                    booking = BookingRecord(f"b/{number}", "match", ((f"player/{ANA.hex()}", 10), ("house", -10)))
                    ban = BanRecord("key", ANA.hex(), f"Ana {number}", "rude", "operator", number, None)
                    await store.commit([table(banks=(number,)), PlayerRecord(ANA, f"Ana {number}"), booking, ban])
                assert [["Ana 2"], ["Ana 3"]] == [[ban.name for ban in await store.bans()] for store in (one, two)]
                assert [(2,), (3,)] == [kept.table.banks for store in (one, two) for kept in await store.load()]
                for store in (one, two):
                    asked = "SELECT balance FROM accounts ORDER BY balance"
                    balances = await store.read(lambda connection, asked=asked: list(connection.scalars(text(asked))))  # type: ignore[misc]
                    assert [-40, 40] == balances
            finally:
                await one.close()
                await two.close()

        asyncio.run(work())


def test_hosts_that_book_at_the_same_time_lose_nothing(postgresql: str) -> None:
    from . import postgres

    with postgres.database(postgresql) as url:

        async def book(store: SqlStore, name: str) -> None:
            for number in range(40):
                accounts = ("house", "player/a", "player/b")
                lines = tuple((account, 1 if i else -2) for i, account in enumerate(accounts))
                await store.commit([BookingRecord(f"{name}/{number}", "match", lines if number % 2 else lines[::-1])])

        async def work() -> None:
            stores = [opened(url, f"host-{n}") for n in range(3)]
            try:
                await asyncio.gather(*(book(store, store.host) for store in stores))
                asked = "SELECT id, balance FROM accounts ORDER BY id"
                found = await stores[0].read(lambda connection: [tuple(row) for row in connection.execute(text(asked))])
                assert [("house", -240), ("player/a", 120), ("player/b", 120)] == found
            finally:
                await asyncio.gather(*(store.close() for store in stores))

        asyncio.run(work())


def test_a_server_that_went_away_is_found_again(postgresql: str) -> None:
    from . import postgres

    with postgres.database(postgresql) as url:

        async def work(store: SqlStore) -> None:
            made = match(moves=2)
            await store.commit(begun(made)[:3])
            killer = opened(url, "another")
            others = "FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()"
            await killer._write(lambda: _sql(killer, f"SELECT pg_terminate_backend(pid) {others}"))
            with pytest.raises(StoreFailure) as lost:
                await store.commit(begun(made)[3:])
            assert "away" == lost.value.code
            await store.commit(begun(made)[3:])
            assert made.journal.entries == (await everything(store))[0].entries
            await killer.close()

        using(url, work)


def test_a_ban_is_kept_until_it_is_lifted_and_the_newest_word_counts(url: str) -> None:
    def bans() -> list[BanRecord]:
        found: list[BanRecord] = using(url, lambda store: store.bans())
        return found

    first = BanRecord("key", ANA.hex(), "Ana", "rude", "operator", 5, None)
    again = BanRecord("key", ANA.hex(), "Ana", "worse", "operator", 6, 2**40)
    address = BanRecord("address", "fe80::1%eth0", "", "memory", "host", 7, 2**40)
    keep(url, [first], [again, address])
    assert [again, address] == bans()
    keep(url, [LiftedRecord("key", ANA.hex()), LiftedRecord("key", RUI.hex())])
    assert [address] == bans()


def test_bans_that_are_over_make_room_when_the_next_one_is_kept(url: str) -> None:
    for until, who, name in ((6, ANA, "Ana"), (None, RUI, "Rui")):
        keep(url, [BanRecord("key", who.hex(), name, "rude", "operator", 5, until)])
    assert [("Rui",)] == rows(url, "SELECT name FROM bans")
