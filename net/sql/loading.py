"""What a host finds in its store when it starts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, RowMapping, Select, func, select
from sqlalchemy.exc import DatabaseError

from carteado.core.errors import JournalMismatch
from carteado.core.journal import Journal

from .. import limits
from ..store import AnswerRecord, BanRecord, StoredTable, TableRecord
from . import schema
from .engine import meaning
from .keeping import Kept, Running


def load(connection: Connection, host: str, kept: Kept) -> list[StoredTable]:
    """Return every table of a host, without what is only needed to play on there (`whole`).

    One that cannot be read says so in `fault`, and keeps nobody else from being loaded.
    """
    try:
        return [_listed(connection, row, kept) for row in connection.execute(_found(host)).mappings().all()]
    except (DatabaseError, UnicodeDecodeError) as error:
        if not _damaged(connection, error):
            raise
    names = connection.scalars(select(schema.tables.c.name).where(schema.tables.c.host == host).order_by(schema.tables.c.name)).all()
    return [_one(connection, host, name, kept) for name in names]


def whole(connection: Connection, host: str, name: str) -> StoredTable | None:
    """Return all that was kept of a table, None if nothing was."""
    try:
        row = connection.execute(_found(host, name)).mappings().one_or_none()
        if row is None:
            return None
        stored = _listed(connection, row, Kept())
        if row["match"] is not None and not stored.fault:
            stored.answers = _answers(connection, row)
            stored.entries = list(_journal(connection, row).entries)
        return stored
    except (DatabaseError, UnicodeDecodeError) as error:
        if not _damaged(connection, error):
            raise
        return _unread(name)
    except ValueError as error:
        stored.fault = f"its journal is damaged: {error}"
        return stored


def load_bans(connection: Connection, host: str | None = None) -> list[BanRecord]:
    """Return the bans of a host, or of all, oldest first."""
    bans = schema.bans.c
    asked = select(bans.kind, bans.who, bans.name, bans.why, bans.by, bans.since, bans.until).order_by(bans.since, bans.who)
    return [BanRecord(*row) for row in connection.execute(asked if host is None else asked.where(bans.host == host))]


def _found(host: str, name: str | None = None) -> Select[Any]:
    """Return the question for tables, each with its match, how many entries that has, and how many answers are kept."""
    tables, matches, entries, answers = schema.tables.c, schema.matches.c, schema.entries.c, schema.answers.c
    newest = select(func.max(entries.n)).where(entries.match == tables.match).scalar_subquery()
    count = select(func.count()).where((answers.host == tables.host) & (answers.name == tables.name)).scalar_subquery()
    asked = select(
        tables.host, tables.name, tables.game, tables.version, tables.record, tables.match, matches.header, matches.number,
        matches.ended, newest.label("entries"), count.label("answers"),
    )  # fmt: skip
    here = tables.host == host if name is None else (tables.host == host) & (tables.name == name)
    return asked.select_from(schema.tables.outerjoin(schema.matches, matches.id == tables.match)).where(here).order_by(tables.name)


def _damaged(connection: Connection, error: DatabaseError | UnicodeDecodeError) -> bool:
    """Tell whether an error is about what is read, in a file, and not about reading it now."""
    busy = isinstance(error, DatabaseError) and error.orig is not None and meaning(error.orig)[0] == "locked"
    return connection.dialect.name == "sqlite" and not busy


def _one(connection: Connection, host: str, name: str, kept: Kept) -> StoredTable:
    """Return one table; pages of a file that are damaged cost the tables that lie on them."""
    try:
        return _listed(connection, connection.execute(_found(host, name)).mappings().one(), kept)
    except (DatabaseError, UnicodeDecodeError) as error:
        if not _damaged(connection, error):
            raise
        return _unread(str(name))


def _unread(name: str, game: str = "", version: str = "", fault: str = "what was kept of it cannot be read") -> StoredTable:
    return StoredTable(TableRecord(name, game, version, {}, (), "", None, 0, False, 0, ()), fault=fault)


def _listed(connection: Connection, row: RowMapping, kept: Kept) -> StoredTable:
    """Return a table as it can be listed; where no match was begun, with its answers."""
    name = row["name"]
    try:
        record = msgspec.json.decode(row["record"], type=TableRecord)
        if record.id != name:
            raise ValueError
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return _unread(name, row["game"], row["version"], "what was kept of its chairs is damaged")
    stored = StoredTable(record, over=row["ended"] is not None)
    kept.answers[name] = row["answers"]
    if row["match"] is None:
        stored.answers = _answers(connection, row)
        return stored
    kept.matches[name] = Running(row["match"], record.number, row["entries"] or 0)
    try:
        if row["header"] is None or row["number"] != record.number:
            raise ValueError(f"match {record.number} is not there")
        stored.header = read(row["header"], []).header
    except ValueError as error:
        stored.fault = f"its journal is damaged: {error}"
    return stored


def _journal(connection: Connection, row: RowMapping) -> Journal:
    entries = schema.entries.c
    lines = connection.execute(select(entries.n, entries.line).where(entries.match == row["match"]).order_by(entries.n)).all()
    return read(row["header"], [(n, line) for n, line in lines])


def read(header: str, lines: Sequence[tuple[int, str]]) -> Journal:
    """Return a kept journal: its header, and entries with their numbers. Raises: ValueError for one that is damaged."""
    for number, (n, _) in enumerate(lines, 1):
        if n != number:
            raise ValueError(f"entry {number} is missing")
    try:
        return Journal.load("".join(f"{line}\n" for line in (header, *(line for _, line in lines))).encode())
    except (JournalMismatch, UnicodeError) as error:
        raise ValueError(str(error)) from None


def _answers(connection: Connection, row: RowMapping) -> list[AnswerRecord]:
    """Return the newest answers of a table, oldest first."""
    if not row["answers"]:
        return []
    answers = schema.answers
    here = (answers.c.host == row["host"]) & (answers.c.name == row["name"])
    newest = select(answers).where(here).order_by(answers.c.serial.desc()).limit(limits.ANSWERS * limits.SEATS)
    found = connection.execute(newest).mappings().all()
    return [AnswerRecord(row["name"], one["seat"], bytes(one["id"]), one["q"]) for one in reversed(found)]
