"""A store in a file, when the disk is full, when it may not be written, is locked, damaged, or the current fails."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import sqlite3
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from carteado.net.errors import StoreFailure
from carteado.net.sql import engine
from carteado.net.sql.store import SqlStore, opened
from carteado.net.store import AnswerRecord, EntryRecord, Record

from .records import begun, entries, everything, match, table
from .test_store import HOST, keep, using


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give the path of a store that holds the beginning of a match."""
    place = tmp_path / "store.db"
    keep(str(place), begun(match(moves=3)))
    return place


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "BUSY", 0.05)


async def fails(store: SqlStore, batch: list[Record], code: str, why: str) -> None:
    """Try to keep a batch, which cannot be kept now."""
    with pytest.raises(StoreFailure, match=why) as failed:
        await store.commit(batch)
    assert code == failed.value.code


async def pragma(store: SqlStore, text: str) -> tuple[int, ...]:
    """Set something about the connection that writes; it holds until the connection is made anew, which every failure does."""

    def ask() -> tuple[int, ...]:
        connection = store._connected().connection.driver_connection
        assert isinstance(connection, sqlite3.Connection)
        return connection.execute(f"PRAGMA {text}").fetchone() or ()

    return await store._write(ask)


def rest(moves: int = 8) -> list[Record]:
    """Return the records of what came after the beginning."""
    return entries(match(moves=moves), first=4)


def whole(path: Path, moves: int = 8) -> None:
    """See that the match is there from beginning to end, every line once."""
    (kept,) = keep(str(path))
    assert match(moves=moves).journal.entries == kept.entries
    assert "" == kept.fault


def test_a_full_disk_keeps_nothing_of_a_batch_and_all_of_it_once_there_is_room(path: Path) -> None:
    async def work(store: SqlStore) -> None:
        await store.load()
        (pages,) = await pragma(store, "page_count")
        await pragma(store, f"max_page_count = {pages}")
        much: list[Record] = [AnswerRecord("t-1", 0, bytes(16), n) for n in range(900)]
        await fails(store, [*rest(), *much], "full", "the disk is full")
        assert 4 == len((await everything(store))[0].entries)
        await store.commit([*rest(), *much])

    using(str(path), work)
    whole(path)


def test_a_store_that_can_only_be_read_says_so(path: Path) -> None:
    async def work(store: SqlStore) -> None:
        await store.load()
        await pragma(store, "query_only = ON")
        await fails(store, rest(), "readonly", "it can only be read")
        await store.commit(rest())

    using(str(path), work)
    whole(path)


def test_a_store_that_another_program_has_locked_says_so_and_goes_on_when_it_lets_go(path: Path) -> None:
    async def work(store: SqlStore) -> None:
        await store.load()
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        await fails(store, rest(), "locked", "another program has locked it")
        other.close()
        await store.commit(rest())

    using(str(path), work)
    whole(path)


def test_a_folder_that_has_gone_says_so_and_nothing_is_written_elsewhere(path: Path) -> None:
    async def work(store: SqlStore) -> None:
        await store.load()
        store._drop()  # as after any failure
        path.parent.rename(path.parent.with_name("away"))
        await fails(store, rest(), "io", "its file was taken away")
        path.parent.with_name("away").rename(path.parent)
        await store.commit(rest())

    using(str(path), work)
    whole(path)


def test_a_file_that_is_taken_away_under_a_host_says_so_and_goes_on_when_it_is_back(path: Path) -> None:
    async def work(store: SqlStore) -> None:
        await store.load()
        path.rename(path.with_name("away.db"))
        for _ in range(2):
            await fails(store, rest(), "io", "its file was taken away")
        path.with_name("away.db").rename(path)
        await store.commit(rest())

    using(str(path), work)
    whole(path)


def test_another_file_in_the_place_of_the_store_is_never_written_to(path: Path) -> None:
    other = path.with_name("other.db")
    keep(str(other), [table("t-7")])

    async def work(store: SqlStore) -> None:
        await store.load()
        other.rename(path)
        for _ in range(2):
            await fails(store, rest(), "io", "another file is in its place")

    using(str(path), work)
    assert ["t-7"] == [kept.table.id for kept in keep(str(path))]


def test_a_file_that_is_no_database_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    place = tmp_path / "store.db"
    place.write_bytes(b"this is a letter, not a store\n" * 400)
    with pytest.raises(StoreFailure, match="it is no store, or damaged from its first byte on"):
        opened(str(place), HOST)
    assert b"this is a letter, not a store\n" * 400 == place.read_bytes()


def test_somebody_elses_database_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "store.db"
    other = sqlite3.connect(place)
    other.execute("CREATE TABLE matches (x)")
    other.close()
    with pytest.raises(StoreFailure, match="is not a store of carteado"):
        opened(str(place), HOST)


def test_a_store_of_a_newer_program_is_refused(path: Path) -> None:
    other = sqlite3.connect(path)
    other.execute("UPDATE alembic_version SET version_num = '9999'")
    other.commit()
    other.close()
    with pytest.raises(StoreFailure, match="was written by a newer carteado"):
        opened(str(path), HOST)


def test_an_empty_file_is_a_new_store(tmp_path: Path) -> None:
    place = tmp_path / "store.db"
    place.touch()
    assert [] == keep(str(place))


# Files


def test_a_store_is_readable_by_its_owner_alone(path: Path) -> None:
    async def work(store: SqlStore) -> None:
        await store.commit([table("t-2")])
        found = {file.name: file.stat().st_mode & 0o777 for file in path.parent.iterdir()}
        assert dict.fromkeys(["store.db", "store.db-shm", "store.db-wal", "store.db.lock"], 0o600) == found

    old = os.umask(0)
    try:
        path.chmod(0o644)
        using(str(path), work)
    finally:
        os.umask(old)


@pytest.mark.parametrize("name", ["store.db", "store.db.lock"])
def test_a_store_is_never_opened_through_a_link(tmp_path: Path, name: str) -> None:
    aim = tmp_path / "aim"
    aim.write_text("precious")
    (tmp_path / name).symlink_to(aim)
    with pytest.raises(StoreFailure, match="it is a link"):
        opened(str(tmp_path / "store.db"), HOST)
    assert "precious" == aim.read_text()


def test_a_folder_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreFailure, match="cannot use the store"):
        opened(str(tmp_path), HOST)


@pytest.mark.parametrize("text", ["mysql://x/y", "sqlite://", "://", "postgresql+nothing://x/y"])
def test_what_is_no_place_for_a_store_is_said_in_a_sentence(text: str) -> None:
    with pytest.raises(StoreFailure):
        opened(text, HOST)


def test_a_password_is_not_in_what_people_read() -> None:
    with pytest.raises(StoreFailure) as failed:
        opened("postgresql+psycopg://ana:secret@127.0.0.1:1/carteado", HOST)
    assert "away" == failed.value.code
    assert "secret" not in str(failed.value)


# Power


@dataclass(frozen=True)
class Image:
    """The files as they were between two commits, and how many entries had been answered for by then."""

    database: bytes
    wal: bytes
    entries: int


def images(path: Path) -> list[Image]:
    """Keep a match entry by entry, and take the files after each commit; the log is put into the database on the way, twice."""
    log = path.with_name("store.db-wal")
    taken: list[Image] = []

    async def work(store: SqlStore) -> None:
        await store.load()
        for record in rest(8):
            assert isinstance(record, EntryRecord)
            await store.commit([record, AnswerRecord("t-1", 0, bytes([record.index]) * 16, record.index + 1)])
            taken.append(Image(path.read_bytes(), log.read_bytes(), record.index + 1))
            if record.index in (5, 7):
                # The log begins anew afterwards: over its old end, or in an empty file.
                await pragma(store, "wal_checkpoint(PASSIVE)" if record.index == 5 else "wal_checkpoint(TRUNCATE)")
                taken.append(Image(path.read_bytes(), log.read_bytes(), record.index + 1))

    using(str(path), work)
    return taken


def found(folder: Path, database: bytes, wal: bytes) -> int:
    """Start a host on such files; return how many entries it finds, all of them right and with exactly their answers."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    (folder / "store.db").write_bytes(database)
    (folder / "store.db-wal").write_bytes(wal)
    (kept,) = keep(str(folder / "store.db"))
    assert "" == kept.fault
    assert match(moves=8).journal.entries[: len(kept.entries)] == kept.entries
    assert [answer.q for answer in kept.answers] == list(range(5, len(kept.entries) + 1))
    return len(kept.entries)


@pytest.mark.slow
def test_wherever_a_power_cut_ends_a_commit_all_before_are_there_whole_and_none_by_half(path: Path) -> None:
    taken, rng = images(path), random.Random(1)
    assert match(moves=8).q == taken[-1].entries
    for before, now in pairwise(taken):
        first = next((n for n, (a, b) in enumerate(zip(before.wal, now.wal, strict=False)) if a != b), min(len(before.wal), len(now.wal)))
        for cut in {first, max(first, len(now.wal) - 1), *(rng.randint(first, len(now.wal)) for _ in range(3))}:
            # What the commit wrote ends at `cut`; behind it lies what was there before, blocks never written, or somebody else's.
            behind = rng.choice([before.wal[cut:], bytes(4120), rng.randbytes(2000)])
            count = found(path.parent / "cut", now.database, now.wal[:cut] + behind)
            assert before.entries <= count <= now.entries, (cut, len(behind))
        assert now.entries == found(path.parent / "cut", now.database, now.wal)


@pytest.mark.slow
def test_a_bit_that_flips_anywhere_costs_at_most_what_lies_there_and_never_a_traceback(path: Path) -> None:
    keep(str(path), begun(match("t-2", moves=5)))
    before = path.read_bytes()
    rng = random.Random(2)
    expected = {"t-1": match(moves=3).journal.entries, "t-2": match("t-2", moves=5).journal.entries}
    for _ in range(40):
        place = rng.randrange(len(before))
        path.write_bytes(before[:place] + bytes([before[place] ^ 1 << rng.randrange(8)]) + before[place + 1 :])
        try:
            found = keep(str(path))
        except StoreFailure:
            continue
        for kept in found:
            lines = expected.get(kept.table.id)
            assert kept.fault or lines is None or len(kept.entries) <= len(lines)
    path.write_bytes(before)
    assert 2 == len(keep(str(path)))


def test_a_jump_of_the_clock_on_the_wall_changes_the_dates_of_lists_and_nothing_else(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    jumps = iter([1e9, 2e9, 5.0, -3.0, 1e12, *([1.7e9] * 50)])
    monkeypatch.setattr(time, "time", lambda: next(jumps))

    async def work(store: SqlStore) -> None:
        await store.load()
        for record in rest():
            await store.commit([record])

    using(str(path), work)
    monkeypatch.undo()
    whole(path)


def test_closing_waits_for_what_is_being_written(path: Path) -> None:
    async def work() -> None:
        store = opened(str(path), HOST)
        await store.load()
        writing = asyncio.ensure_future(store.commit(rest()))
        await asyncio.sleep(0)
        await store.close()
        await writing

    asyncio.run(work())
    whole(path)
