"""How each kind of record is written; all of a batch in one transaction."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, delete, insert, select, update
from sqlalchemy import Table as SqlTable
from sqlalchemy.dialects import postgresql, sqlite

from .. import limits
from ..errors import StoreFailure
from ..ratings import NEW, Rating, rated
from ..store import (
    AnswerRecord,
    BanRecord,
    BookingRecord,
    ClosedRecord,
    EntryRecord,
    LiftedRecord,
    MatchRecord,
    PlayerRecord,
    RankingRecord,
    Record,
    ResultRecord,
    TableRecord,
)
from . import schema

MANY_ANSWERS = 2 * limits.ANSWERS * limits.SEATS
"""Answers of one table that are there before the oldest are thrown away."""
# Made once: making a statement costs more than carrying it out.
_ENTRY = insert(schema.entries)
_ANSWER = insert(schema.answers)


@dataclass
class Running:
    """Say which match of a table is on: its row, its number, and how many entries were kept."""

    row: int
    number: int
    entries: int


@dataclass
class Kept:
    """What the writer knows of the host's tables, so that it need not ask the database."""

    matches: dict[str, Running] = field(default_factory=dict)
    answers: dict[str, int] = field(default_factory=dict)

    def copy(self) -> Kept:
        """Return a copy to work on: it counts once the transaction is through."""
        return Kept({name: Running(**vars(running)) for name, running in self.matches.items()}, dict(self.answers))


@dataclass
class Writing:
    """One transaction of one host."""

    connection: Connection
    host: str
    kept: Kept
    now: int = field(default_factory=lambda: int(time.time()))

    def keep(self, batch: Sequence[Record]) -> None:
        """Write a batch, neighbours of one kind together. Raises: StoreFailure for one that cannot be right."""
        for kind, records in groupby(batch, type):
            _WRITERS[kind](self, list(records))

    def follow(self, batch: Sequence[Record]) -> None:
        """Learn what an earlier transaction has written of this same batch, whose end the writer was not told."""
        matches = schema.matches.c
        for record in batch:
            if isinstance(record, MatchRecord):
                here = (matches.host == self.host) & (matches.name == record.table)
                row = self.connection.scalar(select(matches.id).where(here).order_by(matches.id.desc()).limit(1))
                self.kept.matches[record.table] = Running(row or 0, record.number, 0)
            elif isinstance(record, EntryRecord):
                self.running(record.table, record.number).entries += 1
            elif isinstance(record, ClosedRecord):
                self.kept.matches.pop(record.table, None)

    def running(self, table: str | None, number: int) -> Running:
        """Return the match of a table. Raises: StoreFailure if another one is on there."""
        running = self.kept.matches.get(table or "")
        if running is None or running.number != number:
            raise StoreFailure(f"table {table} has no match {number} that could be written")
        return running

    def put(self, table: SqlTable, rows: Sequence[dict[str, Any]], *changed: str) -> None:
        """Insert rows; where one with that primary key is there, change these columns of it (none: leave it)."""
        dialect = postgresql if self.connection.dialect.name == "postgresql" else sqlite
        statement = dialect.insert(table)
        keys = [column.name for column in table.primary_key]
        if changed:
            statement = statement.on_conflict_do_update(index_elements=keys, set_={name: statement.excluded[name] for name in changed})
        else:
            statement = statement.on_conflict_do_nothing(index_elements=keys)
        self.connection.execute(statement, list(rows))


def line(entry: Any) -> str:
    """Return a line of a journal: a header or an entry."""
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":"))


def _tables(writing: Writing, records: list[TableRecord]) -> None:
    newest = {record.id: record for record in records}
    rows = [
        {
            "host": writing.host, "name": record.id, "game": record.game, "version": record.version,
            "record": msgspec.json.encode(record).decode(),
        }
        for record in newest.values()
    ]  # fmt: skip
    writing.put(schema.tables, rows, "game", "version", "record")


def _matches(writing: Writing, records: list[MatchRecord]) -> None:
    for record in records:
        row = {
            "host": writing.host, "name": record.table, "number": record.number, "game": record.header["game"],
            "version": record.header["version"], "header": line(record.header), "began": writing.now,
        }  # fmt: skip
        key = writing.connection.execute(insert(schema.matches).values(row)).inserted_primary_key
        assert key is not None
        here = (schema.tables.c.host == writing.host) & (schema.tables.c.name == record.table)
        if writing.connection.execute(update(schema.tables).where(here).values(match=key[0])).rowcount != 1:
            raise StoreFailure(f"there is no table {record.table} for match {record.number}")
        writing.kept.matches[record.table] = Running(key[0], record.number, 0)


def _entries(writing: Writing, records: list[EntryRecord]) -> None:
    rows = []
    for record in records:
        running = writing.running(record.table, record.number)
        if record.index != running.entries:
            raise StoreFailure(f"entry {record.index} of {record.table} comes after {running.entries} entries")
        running.entries += 1
        rows.append({"match": running.row, "n": running.entries, "line": line(record.entry)})
    writing.connection.execute(_ENTRY, rows)


def _answers(writing: Writing, records: list[AnswerRecord]) -> None:
    rows = [{"host": writing.host, "name": record.table, "seat": record.seat, "id": record.id, "q": record.q} for record in records]
    writing.connection.execute(_ANSWER, rows)
    for record in records:
        writing.kept.answers[record.table] = count = writing.kept.answers.get(record.table, 0) + 1
        if count > MANY_ANSWERS:
            forget_answers(writing, record.table)


def forget_answers(writing: Writing, table: str) -> None:
    """Throw away all answers of a table but the newest."""
    answers, keep = schema.answers, limits.ANSWERS * limits.SEATS
    here = (answers.c.host == writing.host) & (answers.c.name == table)
    newest = select(answers.c.serial).where(here).order_by(answers.c.serial.desc()).offset(keep).limit(1)
    oldest = writing.connection.scalar(newest)
    if oldest is not None:
        writing.connection.execute(delete(answers).where(here & (answers.c.serial <= oldest)))
    writing.kept.answers[table] = min(keep, writing.kept.answers.get(table, 0))


def _closed(writing: Writing, records: list[ClosedRecord]) -> None:
    for record in records:
        for table in (schema.tables, schema.answers):
            writing.connection.execute(delete(table).where((table.c.host == writing.host) & (table.c.name == record.table)))
        writing.kept.matches.pop(record.table, None)
        writing.kept.answers.pop(record.table, None)


def _players(writing: Writing, records: list[PlayerRecord]) -> None:
    newest = {record.key: record.name for record in records}
    rows = [{"key": key.hex(), "name": name, "since": writing.now, "seen": writing.now} for key, name in sorted(newest.items())]
    writing.put(schema.players, rows, "name", "seen")


def _results(writing: Writing, records: list[ResultRecord]) -> None:
    for record in records:
        running = writing.running(record.table, record.number)
        rows = [
            {
                "match": running.row, "seat": finish.seat, "player": finish.player.hex() if finish.player else None,
                "name": finish.name, "bot": finish.bot, "place": finish.place, "points": finish.points, "chips": finish.chips,
                "gone": finish.gone,
            }
            for finish in record.finishes
        ]  # fmt: skip
        over = update(schema.matches).where((schema.matches.c.id == running.row) & schema.matches.c.ended.is_(None))
        if writing.connection.execute(over.values(ended=writing.now)).rowcount:
            writing.connection.execute(insert(schema.results), rows)


def _bookings(writing: Writing, records: list[BookingRecord]) -> None:
    for record in records:
        if sum(amount for _, amount in record.postings) or not record.postings:
            raise StoreFailure(f"the booking {record.ref} does not sum to zero")
        running = writing.running(record.table, record.number) if record.table is not None else None
        if writing.connection.scalar(select(schema.bookings.c.id).where(schema.bookings.c.ref == record.ref)) is not None:
            continue
        row = {
            "ref": record.ref, "kind": record.kind, "match": running.row if running else None, "host": writing.host,
            "at": writing.now, "memo": line(dict(record.memo)),
        }  # fmt: skip
        key = writing.connection.execute(insert(schema.bookings).values(row)).inserted_primary_key
        assert key is not None
        _post(writing, key[0], record.postings)


def _post(writing: Writing, booking: int, postings: Sequence[tuple[str, int]]) -> None:
    names = sorted({account for account, _ in postings})  # one order for all hosts, so that none waits for another in a circle
    writing.put(schema.accounts, [{"id": name, "balance": 0, "opened": writing.now} for name in names])
    rows = [{"booking": booking, "line": number, "account": name, "amount": amount} for number, (name, amount) in enumerate(postings)]
    writing.connection.execute(insert(schema.postings), rows)
    accounts = schema.accounts.c
    add = update(schema.accounts).where(accounts.id == bindparam("name")).values(balance=accounts.balance + bindparam("amount"))
    changes = [{"name": name, "amount": sum(amount for other, amount in postings if other == name)} for name in names]
    writing.connection.execute(add, changes)


def _rankings(writing: Writing, records: list[RankingRecord]) -> None:
    for record in records:
        if sum(map(len, record.groups)) < 2:
            continue  # one alone is not rated
        players = sorted({player for group in record.groups for team in group for player in team})
        ratings = schema.ratings
        mine = (ratings.c.game == record.game) & ratings.c.player.in_(players)
        asked = select(ratings.c.player, ratings.c.mu, ratings.c.sigma, ratings.c.matches).where(mine).order_by(ratings.c.player)
        new = {"game": record.game, **NEW._asdict(), "at": writing.now}
        writing.put(ratings, [{"player": player, **new} for player in players])  # so that there is something to be held
        known = {player: Rating(*numbers) for player, *numbers in writing.connection.execute(asked.with_for_update())}
        rows = [
            {"player": player, "game": record.game, "mu": new.mu, "sigma": new.sigma, "matches": new.matches, "at": writing.now}
            for player, new in sorted(rated(known, record.groups).items())
        ]
        writing.put(ratings, rows, "mu", "sigma", "matches", "at")


def _bans(writing: Writing, records: list[BanRecord]) -> None:
    bans = schema.bans
    writing.connection.execute(delete(bans).where((bans.c.host == writing.host) & (bans.c.until <= writing.now)))  # those that are over
    rows = [{"host": writing.host, **asdict(record)} for record in {(record.kind, record.who): record for record in records}.values()]
    writing.put(bans, rows, "name", "why", "by", "since", "until")


def _lifted(writing: Writing, records: list[LiftedRecord]) -> None:
    bans = schema.bans.c
    for record in records:
        one = (bans.host == writing.host) & (bans.kind == record.kind) & (bans.who == record.who)
        writing.connection.execute(delete(schema.bans).where(one))


_WRITERS: dict[type, Callable[[Writing, list[Any]], None]] = {
    TableRecord: _tables,
    MatchRecord: _matches,
    EntryRecord: _entries,
    AnswerRecord: _answers,
    ClosedRecord: _closed,
    PlayerRecord: _players,
    ResultRecord: _results,
    BookingRecord: _bookings,
    RankingRecord: _rankings,
    BanRecord: _bans,
    LiftedRecord: _lifted,
}
