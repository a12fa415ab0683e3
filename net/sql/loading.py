"""What a host finds in its store when it starts."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from sqlalchemy import Connection, RowMapping, func, select
from sqlalchemy.exc import DatabaseError

from carteado.core.errors import JournalMismatch
from carteado.core.journal import Journal

from .. import limits
from ..store import AnswerRecord, BanRecord, StoredTable, TableRecord
from . import schema
from .keeping import Kept, Running


def load(connection: Connection, host: str, kept: Kept) -> list[StoredTable]:
    """Return every table of a host; one that cannot be read says so in `fault`, and keeps nobody else from being loaded."""
    tables = schema.tables
    names = connection.scalars(select(tables.c.name).where(tables.c.host == host).order_by(tables.c.name)).all()
    return [_one(connection, host, name, kept) for name in names]


def load_bans(connection: Connection, host: str | None = None) -> list[BanRecord]:
    """Return the bans of a host, or of all, oldest first."""
    bans = schema.bans.c
    asked = select(bans.kind, bans.who, bans.name, bans.why, bans.by, bans.since, bans.until).order_by(bans.since, bans.who)
    return [BanRecord(*row) for row in connection.execute(asked if host is None else asked.where(bans.host == host))]


def _one(connection: Connection, host: str, name: str, kept: Kept) -> StoredTable:
    """Return one table; pages of a file that are damaged cost the tables that lie on them."""
    tables = schema.tables
    try:
        row = connection.execute(select(tables).where((tables.c.host == host) & (tables.c.name == name))).mappings().one()
        return _loaded(connection, row, kept)
    except (DatabaseError, UnicodeDecodeError):
        if connection.dialect.name != "sqlite":
            raise
        return _unread(str(name), "", "", "what was kept of it cannot be read")


def _unread(name: str, game: str, version: str, fault: str) -> StoredTable:
    return StoredTable(TableRecord(name, game, version, {}, (), "", None, 0, False, 0, ()), fault=fault)


def _loaded(connection: Connection, row: RowMapping, kept: Kept) -> StoredTable:
    name = row["name"]
    try:
        record = msgspec.json.decode(row["record"], type=TableRecord)
        if record.id != name:
            raise ValueError
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return _unread(name, row["game"], row["version"], "what was kept of its chairs is damaged")
    stored = StoredTable(record)
    stored.answers = _answers(connection, row, kept)
    if row["match"] is None:
        return stored
    match = schema.matches
    found = connection.execute(select(match.c.header, match.c.number, match.c.ended).where(match.c.id == row["match"])).one_or_none()
    entries = schema.entries
    lines = connection.execute(select(entries.c.n, entries.c.line).where(entries.c.match == row["match"]).order_by(entries.c.n)).all()
    kept.matches[name] = Running(row["match"], record.number, len(lines))
    try:
        if found is None or found.number != record.number:
            raise ValueError(f"match {record.number} is not there")
        stored.over = found.ended is not None
        journal = read(found.header, [(n, line) for n, line in lines])
        stored.header, stored.entries = journal.header, list(journal.entries)
    except ValueError as error:
        stored.fault = f"its journal is damaged: {error}"
    return stored


def read(header: str, lines: Sequence[tuple[int, str]]) -> Journal:
    """Return a kept journal: its header, and entries with their numbers. Raises: ValueError for one that is damaged."""
    for number, (n, _) in enumerate(lines, 1):
        if n != number:
            raise ValueError(f"entry {number} is missing")
    try:
        return Journal.load("".join(f"{line}\n" for line in (header, *(line for _, line in lines))).encode())
    except (JournalMismatch, UnicodeError) as error:
        raise ValueError(str(error)) from None


def _answers(connection: Connection, row: RowMapping, kept: Kept) -> list[AnswerRecord]:
    answers = schema.answers
    here = (answers.c.host == row["host"]) & (answers.c.name == row["name"])
    kept.answers[row["name"]] = connection.scalar(select(func.count()).where(here)) or 0
    newest = select(answers).where(here).order_by(answers.c.serial.desc()).limit(limits.ANSWERS * limits.SEATS)
    found = connection.execute(newest).mappings().all()
    return [AnswerRecord(row["name"], one["seat"], bytes(one["id"]), one["q"]) for one in reversed(found)]
