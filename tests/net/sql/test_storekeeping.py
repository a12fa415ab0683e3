"""`carteado store`: check, backup, restore, export, and what they refuse."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from pathlib import Path
from random import Random

import pytest

from carteado.cli import main
from carteado.core.bots import player
from carteado.core.journal import Journal
from carteado.core.loader import load
from carteado.core.match import Match
from carteado.core.replay import replay
from carteado.net.store import BanRecord, BookingRecord, EntryRecord, Finish, MatchRecord, Record, ResultRecord

from ..rooms import hosting, soon, visiting
from . import postgres
from .records import ANA, RUI, SEED, table
from .test_store import HOST, keep, opened, using

BAN = BanRecord("key", RUI.hex(), "Rui", "rude", "operator", 5, None)
Said = Callable[..., tuple[int, str]]


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Said:
    """Run `carteado store` and return its status and what it said."""
    monkeypatch.setenv("CARTEADO_HOME", str(tmp_path / "home"))

    def run(*words: object) -> tuple[int, str]:
        status = main(["store", *map(str, words)])
        out, err = capsys.readouterr()
        return status, (out + err).strip()

    return run


@cache
def played(id: str = "t-1", hands: int = 2, moves: int = 5) -> Match:
    """Return a match of an installed game: some hands, and some moves of the next."""
    game = load("dez-degraus")
    made = Match(game, {}, [{"name": "Ana"}, {"name": "Rui"}], id)
    thinking, rng = player(game, "rule"), Random(1)
    while True:
        if made.phase == "dealing":
            made.deal(SEED)
        if made.hand > hands and not moves:
            return made
        moves -= made.hand > hands
        seat, prompt = next(iter(made.prompts.items()))
        made.act(seat, prompt.id, thinking.choose(made.view(seat), rng))


def records(made: Match) -> list[Record]:
    """Return what a host keeps of a match."""
    lines = [EntryRecord(made.id, 1, n, entry) for n, entry in enumerate(made.journal.entries)]
    return [table(made.id, 1), MatchRecord(made.id, 1, made.journal.header), *lines]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Give a store with a match that runs, a booking, and a ban."""
    path = tmp_path / "home" / "carteado.db"
    booking = BookingRecord("opening/a", "opening", ((f"player/{ANA.hex()}", 1000), ("opening", -1000)))
    keep(str(path), [*records(played()), booking, BAN])
    return path


@pytest.fixture
def torn(store: Path) -> Path:
    """Give the same store with another table, and a damaged page among the entries of its match."""
    long = [EntryRecord("t-2", 1, n, {"n": n + 1, "k": "x" * 200}) for n in range(300)]
    header = {**played().journal.header, "game": "high-card", "version": "1"}
    keep(str(store), [table("t-2", 1), MatchRecord("t-2", 1, header), *long])
    pages = store.read_bytes()
    page = pages.index(b"x" * 200, len(pages) * 3 // 4) // 4096 * 4096
    store.write_bytes(pages[:page] + b"\xa5" * 3000 + pages[page + 3000 :])
    return store


def test_a_damaged_page_costs_the_match_whose_entries_lie_on_it(said: Said, torn: Path, tmp_path: Path) -> None:
    status, text = said("check")
    assert (1, True, True) == (status, "match 1 of table t-2 of host" in text, "2 matches (1 replayed)" in text)
    status, text = said("export", tmp_path / "out")
    assert "match 1 of table t-2 is not exported: database disk image is malformed" in text
    assert (1, 1) == (status, len(list((tmp_path / "out").glob("*.jsonl"))))


def test_a_table_with_a_damaged_page_stands_still_and_says_why(torn: Path) -> None:
    async def test() -> None:
        async with hosting(store=opened(str(torn), HOST)) as host, visiting(host) as ana:
            await soon(lambda: not len(host.returning))
            assert "What was kept of it cannot be read." == host.tables["t-2"].why
            assert "broken" == {row.m: row.stage for row in (await ana.tables()).tables}["t-2"]

    asyncio.run(test())


def damage(path: Path, statement: str) -> None:
    """Change a store behind everybody's back."""
    file = sqlite3.connect(path)
    file.execute(statement)
    file.commit()
    file.close()


def test_a_store_that_is_whole_is_said_to_be(said: Said, store: Path) -> None:
    assert (0, f"{store}: 1 table, 1 match (1 replayed), 1 booking, 1 ban; everything is as it should be.") == said("check")


def test_a_check_says_what_it_has_only_read(said: Said, store: Path) -> None:
    damage(store, "UPDATE matches SET ended = 1")
    status, text = said("check")
    assert (0, True) == (status, text.endswith("as it should be; 1 match not running was read, not replayed (--all)."))
    assert "(1 replayed)" in said("check", "--all")[1]
    assert said("check", "--all")[1].endswith("as it should be.")


def test_a_check_speaks_json(said: Said, store: Path) -> None:
    status, text = said("check", "--json")
    counts = {"tables": 1, "matches": 1, "replayed": 1, "read": 0, "bookings": 1, "bans": 1}
    expected = {"store": str(store), **counts, "damaged": [], "held": [], "whole": True}
    assert (0, expected) == (status, json.loads(text))


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("UPDATE entries SET line = replace(line, '\"h\":\"', '\"h\":\"0') WHERE n = 4", "match 1 of table t-1 of host local: entry 4"),
        ("DELETE FROM entries WHERE n = 3", "match 1 of table t-1 of host local: entry 3 is missing"),
        ("UPDATE matches SET header = '{}'", "match 1 of table t-1 of host local: this is not a journal"),
        ("UPDATE tables SET record = '[]'", "table t-1 of host local: what was kept of its chairs is damaged"),
        ("UPDATE postings SET amount = 999 WHERE amount = 1000", "booking 1 sums to -1 instead of 0"),
        ("UPDATE accounts SET balance = 7 WHERE id = 'opening'", "account opening says 7, and its postings sum to -1000"),
        ("DELETE FROM postings", "booking 1 moves nothing"),
        ("INSERT INTO results VALUES (1, 0, 'ab', 'Ana', NULL, 1, 5, 30, NULL)", "match 1 gave ab 30 chips, and 0 were booked"),
        ("UPDATE matches SET version = '0', header = replace(header, '\"version\":\"', '\"version\":\"0.')", "is not installed"),
        ("UPDATE bans SET who = 'x'", "the ban of x since 5:"),
    ],
)
def test_a_check_names_what_is_wrong(said: Said, store: Path, statement: str, named: str) -> None:
    damage(store, statement)
    status, text = said("check")
    assert 1 == status
    assert named in text


def test_a_check_does_not_disturb_the_host_that_is_running(said: Said, store: Path) -> None:
    running = opened(str(store), HOST)
    assert 0 == said("check")[0]
    asyncio.run(running.commit([table("t-2")]))
    asyncio.run(running.close())


@pytest.mark.parametrize("damaged", [b"", b"carteado", bytes(5000)])
def test_what_is_no_store_is_not_checked(said: Said, tmp_path: Path, damaged: bytes) -> None:
    path = tmp_path / "x.db"
    path.write_bytes(damaged)
    status, text = said("--store", path, "check")
    assert 1 == status
    assert 1 == len(text.splitlines())
    assert damaged == path.read_bytes()


def test_a_store_that_is_not_there_is_not_made_by_looking(said: Said, tmp_path: Path) -> None:
    status, text = said("check")
    assert (1, True) == (status, "no such file or directory" in text)
    assert not (tmp_path / "home" / "carteado.db").exists()


def test_a_backup_is_a_store_with_everything_in_it_while_a_host_is_running(said: Said, store: Path, tmp_path: Path) -> None:
    running = opened(str(store), HOST)
    asyncio.run(running.commit([table("t-2")]))
    copy = tmp_path / "copy.db"
    assert (0, f"{store} is copied to {copy}.") == said("backup", copy)
    asyncio.run(running.close())
    assert 0o600 == copy.stat().st_mode & 0o777
    assert keep(str(store)) == keep(str(copy))
    assert ["t-1", "t-2"] == [kept.table.id for kept in keep(str(copy))]


def test_a_backup_overwrites_nothing(said: Said, store: Path, tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.write_text("precious")
    (tmp_path / "link").symlink_to(there)
    for target in (there, tmp_path / "link", store):
        status, text = said("backup", target)
        assert (1, True) == (status, "overwrites nothing" in text)
    assert "precious" == there.read_text()


def test_a_backup_comes_back_and_what_was_there_is_kept_beside(said: Said, store: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    said("backup", copy)
    before = keep(str(store))
    keep(str(store), [table("t-2")])
    status, text = said("restore", copy)
    assert (1, True) == (status, "--force replaces it" in text)
    assert 2 == len(keep(str(store)))
    status, text = said("restore", copy, "--force")
    assert (0, f"{copy} is in the place of {store}; what was there is {store}.before.") == (status, text)
    assert before == keep(str(store))
    assert 2 == len(keep(f"{store}.before"))


def test_a_backup_comes_back_where_there_is_nothing(said: Said, store: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    said("backup", copy)
    before = keep(str(store))
    store.unlink()
    assert 0 == said("restore", copy)[0]
    assert before == keep(str(store))
    assert 0o600 == store.stat().st_mode & 0o777


def test_a_damaged_store_can_be_replaced_and_its_bytes_are_kept(said: Said, store: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    said("backup", copy)
    before = keep(str(store))
    store.write_bytes(b"broken" * 1000)
    assert 0 == said("restore", copy, "--force")[0]
    assert before == keep(str(store))
    assert b"broken" * 1000 == Path(f"{store}.before").read_bytes()


def test_no_backup_is_restored_under_a_running_host(said: Said, store: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    said("backup", copy)
    running = opened(str(store), HOST)
    status, text = said("restore", copy, "--force")
    assert (1, True) == (status, "in use by another host" in text)
    asyncio.run(running.close())


def test_a_backup_that_was_cut_off_anywhere_is_refused_and_the_store_stays(said: Said, store: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    said("backup", copy)
    whole, before = copy.read_bytes(), keep(str(store))
    for length in (*range(0, len(whole), 8192 + 1), len(whole) - 1):
        copy.write_bytes(whole[:length])
        status, text = said("restore", copy, "--force")
        assert (1, 1) == (status, len(text.splitlines())), text
    assert before == keep(str(store))


def test_a_backup_with_a_damaged_match_is_refused(said: Said, store: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    said("backup", copy)
    damage(copy, "DELETE FROM entries WHERE n = 3")
    status, text = said("restore", copy, "--force")
    assert (1, True) == (status, "is damaged: match 1 of table t-1" in text)


@pytest.mark.parametrize("what", ["backup", "restore"])
def test_a_store_on_a_server_is_copied_with_the_servers_tools(said: Said, what: str, tmp_path: Path) -> None:
    status, text = said("--store", "postgresql+psycopg://nobody@127.0.0.1:1/x", what, tmp_path / "x")
    assert (1, True) == (status, "pg_dump" in text)


def test_a_running_match_is_exported_without_the_hand_that_is_being_played(said: Said, store: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert (0, f"1 match of {store} is in {folder}.") == said("export", folder)
    file = folder / "t-1-1-1.jsonl"
    assert ["bans.json", file.name] == sorted(each.name for each in folder.iterdir())
    assert ("t-1-1-1.jsonl", 0o600) == (file.name, file.stat().st_mode & 0o777)
    journal = Journal.load(file.read_bytes())
    assert 2 == replay(journal, load("dez-degraus")).hand
    assert played().journal.dump(open_seed=False) == file.read_bytes()


def test_a_match_that_is_over_is_exported_whole(said: Said, store: Path, tmp_path: Path) -> None:
    keep(str(store), [ResultRecord("t-1", 1, (Finish(0, ANA, "Ana", None, 1, 0, 0),))])
    said("export", tmp_path / "out")
    (file,) = (tmp_path / "out").glob("*.jsonl")
    assert played().journal.dump() == file.read_bytes()


def test_who_is_banned_is_exported_and_comes_back_with_a_backup(said: Said, store: Path, tmp_path: Path) -> None:
    assert 0 == said("export", tmp_path / "out")[0]
    assert [asdict(BAN)] == json.loads((tmp_path / "out" / "bans.json").read_text(encoding="utf-8"))
    assert 0 == said("backup", tmp_path / "copy.db")[0]
    damage(store, "DELETE FROM bans")
    assert 0 == said("restore", tmp_path / "copy.db", "--force")[0]
    assert [BAN] == using(str(store), lambda kept: kept.bans())


def test_only_one_table_is_exported_when_it_is_named(said: Said, store: Path, tmp_path: Path) -> None:
    keep(str(store), records(played("t-2", hands=0)))
    said("export", tmp_path / "out", "--table", "t-2")
    assert ["t-2-1-2.jsonl"] == [file.name for file in (tmp_path / "out").iterdir()]


def test_an_export_stays_in_its_folder_whatever_a_damaged_store_calls_a_table(said: Said, store: Path, tmp_path: Path) -> None:
    damage(store, "UPDATE matches SET name = '../../escaped/x'")
    assert 0 == said("export", tmp_path / "out")[0]
    assert ["______escaped_x-1-1.jsonl"] == [file.name for file in (tmp_path / "out").glob("*.jsonl")]


def test_an_export_replaces_a_link_and_never_follows_it(said: Said, store: Path, tmp_path: Path) -> None:
    aim, folder = tmp_path / "aim", tmp_path / "out"
    aim.write_text("precious")
    folder.mkdir()
    (folder / "t-1-1-1.jsonl").symlink_to(aim)
    assert 0 == said("export", folder)[0]
    assert "precious" == aim.read_text()
    assert not (folder / "t-1-1-1.jsonl").is_symlink()


def test_an_export_names_the_matches_that_are_damaged_and_writes_the_others(said: Said, store: Path, tmp_path: Path) -> None:
    keep(str(store), records(played("t-2", hands=0)))
    damage(store, "DELETE FROM entries WHERE n = 3 AND match = 1")
    status, text = said("export", tmp_path / "out")
    assert 1 == status
    assert "match 1 of table t-1 is not exported: entry 3 is missing" in text
    assert ["t-2-1-2.jsonl"] == [file.name for file in (tmp_path / "out").glob("*.jsonl")]


def test_a_store_on_a_server_is_checked_and_exported(said: Said, postgresql: str, tmp_path: Path) -> None:
    with postgres.database(postgresql) as url:
        keep(url, records(played()))
        status, text = said("--store", url, "check")
        assert (0, True) == (status, "1 table, 1 match (1 replayed)" in text)
        assert 0 == said("--store", url, "export", tmp_path / "out")[0]
        assert ["t-1-1-1.jsonl"] == [file.name for file in (tmp_path / "out").iterdir()]
