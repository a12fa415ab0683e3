"""Old journals leave the database as files; nothing that is still needed does."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from carteado.core.journal import Journal
from carteado.net.sql.archiving import DAY, Archive
from carteado.net.sql.store import opened
from carteado.net.store import ClosedRecord, Finish, MatchRecord, Record, ResultRecord

from .records import ANA, begun, entries, match, table
from .test_store import HOST, keep, rows
from .test_storekeeping import Said, said

__all__ = ["said"]
OVER = ResultRecord("t-1", 1, (Finish(0, ANA, "Ana", None, 1, 1, 0),))


def two() -> list[list[Record]]:
    """Return a match that is over and the next one at its table."""
    second = match(moves=2)
    return [[*begun(match()), OVER], [table(number=2), MatchRecord("t-1", 2, second.journal.header), *entries(second, 2)]]


def later(monkeypatch: pytest.MonkeyPatch, days: float) -> None:
    """Let so many days pass."""
    now = time.time() + days * DAY
    monkeypatch.setattr(time, "time", lambda: now)


def archived(url: str, folder: Path, days: int = 90) -> None:
    """Let a host look once."""

    async def work() -> None:
        store = opened(url, HOST, archive=Archive(folder, days))
        await store.load()
        await store.commit([])
        await store.close()

    asyncio.run(work())


def test_a_match_that_was_over_long_ago_becomes_a_file_and_its_result_stays(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    keep(url, *two())
    later(monkeypatch, 91)
    archived(url, tmp_path / "out")
    (file,) = (tmp_path / "out").iterdir()
    assert ("t-1-1-1.jsonl", 0o600) == (file.name, file.stat().st_mode & 0o777)
    assert match().journal.dump() == file.read_bytes()
    assert Journal.load(file.read_bytes()).entries == match().journal.entries
    counted = "SELECT m.id, count(e.n), m.archived FROM matches m LEFT JOIN entries e ON e.match = m.id GROUP BY m.id, m.archived"
    assert [(1, 0, 1), (2, 3, 0)] == sorted((key, count, int(gone)) for key, count, gone in rows(url, counted))
    assert [(1,)] == rows(url, "SELECT match FROM results")
    assert [match(moves=2).journal.entries] == [kept.entries for kept in keep(url)]


def test_a_match_that_was_over_a_short_while_ago_stays(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(url, *two())
    later(monkeypatch, 89)
    archived(url, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_the_match_of_a_table_is_never_taken_out_however_old(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(url, [*begun(match()), OVER])
    later(monkeypatch, 1000)
    archived(url, tmp_path / "out")
    assert not (tmp_path / "out").exists()
    assert [match().journal.entries] == [kept.entries for kept in keep(url)]


def test_what_a_closed_table_left_unfinished_is_taken_out_too(url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(url, begun(match(moves=3)), [ClosedRecord("t-1")])
    later(monkeypatch, 91)
    archived(url, tmp_path / "out")
    assert ["t-1-1-1.jsonl"] == [file.name for file in (tmp_path / "out").iterdir()]


def test_a_folder_that_cannot_be_written_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = str(tmp_path / "store.db")
    keep(url, *two())
    (tmp_path / "out").write_text("in the way")
    later(monkeypatch, 91)
    archived(url, tmp_path / "out")
    assert [(match().q,)] == rows(url, "SELECT count(*) FROM entries WHERE match = 1")


def test_the_command_archives_beside_a_running_host(said: Said, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "store.db"
    keep(str(place), *two())
    later(monkeypatch, 2)
    running = opened(str(place), HOST)
    assert (0, f"1 match of {place} is in {tmp_path / 'out'} now.") == said("--store", place, "archive", tmp_path / "out", "--days", 1)
    asyncio.run(running.commit([table("t-2")]))
    asyncio.run(running.close())
    assert 0 == said("--store", place, "export", tmp_path / "all")[0]
    assert ["t-1-2-2.jsonl"] == [file.name for file in (tmp_path / "all").iterdir()]
