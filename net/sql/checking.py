"""Whether what a store holds is whole: the database itself, every journal and its hashes, the books."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec
from sqlalchemy import Connection, func, select, text
from sqlalchemy.exc import DatabaseError

from carteado.core.errors import JournalMismatch, LoadFailure
from carteado.core.journal import Journal
from carteado.core.replay import replay

from ..bans import who
from ..inventory import load_house, load_version
from ..logs import many
from ..store import TableRecord
from . import schema
from .books import audit
from .loading import load_bans, read


@dataclass
class Report:
    """What a check has found. damaged: what is broken; held: matches that this machine cannot play; both a sentence each.

    read: matches whose journals can be read and were not replayed.
    """

    tables: int = 0
    matches: int = 0
    replayed: int = 0
    read: int = 0
    bookings: int = 0
    bans: int = 0
    damaged: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        """Everything that is wrong."""
        return self.damaged + self.held

    def sentence(self) -> str:
        """Return the result in one sentence."""
        matches = f"{many(self.matches, 'match', 'matches')} ({self.replayed} replayed)"
        found = ", ".join((many(self.tables, "table"), matches, many(self.bookings, "booking"), many(self.bans, "ban")))
        if not self.faults:
            rest = f"; {many(self.read, 'match', 'matches')} not running {'was' if self.read == 1 else 'were'} read, not replayed (--all)"
            return f"{found}; everything is as it should be{rest if self.read else ''}."
        return f"{found}; {len(self.damaged)} damaged, {len(self.held)} cannot be played here."

    def facts(self) -> dict[str, Any]:
        """Return the result as data."""
        return {**vars(self), "whole": not self.damaged}


def checked(connection: Connection, everything: bool) -> Report:
    """Check a store; `everything` replays matches that are over, too."""
    report = Report()
    parts: list[tuple[str, Callable[[], None]]] = [
        ("the database", lambda: report.damaged.extend(_database(connection))),
        ("the list of tables", lambda: _tables(connection, report)),
        ("the list of matches", lambda: _matches(connection, report, everything)),
        ("the books", lambda: _books(connection, report)),
        ("the bans", lambda: _bans(connection, report)),
    ]
    for what, look in parts:
        try:
            look()
        except (DatabaseError, UnicodeDecodeError) as error:
            report.damaged.append(_unreadable(what, error))
    return report


def _unreadable(what: str, error: DatabaseError | UnicodeDecodeError) -> str:
    return f"{what}: cannot be read: {error.orig if isinstance(error, DatabaseError) else 'damaged text'}"


def journal_of(connection: Connection, match: int) -> Journal:
    """Return a kept match's journal. Raises: ValueError for one that cannot be read, or was taken out of the database."""
    matches = schema.matches.c
    header, archived = connection.execute(select(matches.header, matches.archived).where(matches.id == match)).one()
    if archived:
        raise ValueError("its entries were archived")
    entries = schema.entries
    lines = connection.execute(select(entries.c.n, entries.c.line).where(entries.c.match == match).order_by(entries.c.n)).all()
    return read(header, [(n, line) for n, line in lines])


def _database(connection: Connection) -> list[str]:
    if connection.dialect.name != "sqlite":
        return []
    answers = [str(row[0]) for row in connection.execute(text("PRAGMA integrity_check(20)"))]
    faults = [f"the database is damaged: {answer}" for answer in answers if answer != "ok"]
    faults += [f"a row of {row[0]} refers to nothing in {row[2]}" for row in connection.execute(text("PRAGMA foreign_key_check"))]
    return faults


def _tables(connection: Connection, report: Report) -> None:
    for host, name, record in connection.execute(select(schema.tables.c.host, schema.tables.c.name, schema.tables.c.record)).all():
        report.tables += 1
        try:
            kept = msgspec.json.decode(record, type=TableRecord)
            if kept.id != name:
                raise ValueError
        except (msgspec.MsgspecError, UnicodeError, RecursionError, ValueError):
            report.damaged.append(f"table {name} of host {host}: what was kept of its chairs is damaged")


def _matches(connection: Connection, report: Report, everything: bool) -> None:
    matches, tables = schema.matches.c, schema.tables.c
    current = set(connection.scalars(select(tables.match).where(tables.match.is_not(None))))
    asked = select(matches.id, matches.host, matches.name, matches.number, matches.ended, matches.archived).order_by(matches.id)
    for key, host, name, number, ended, archived in connection.execute(asked).all():
        report.matches += 1
        if archived:
            continue
        what = f"match {number} of table {name} of host {host}"
        try:
            journal = journal_of(connection, key)
        except ValueError as error:
            report.damaged.append(f"{what}: {error}")
            continue
        except (DatabaseError, UnicodeDecodeError) as error:
            report.damaged.append(_unreadable(what, error))
            continue
        if (key in current and ended is None) or everything:
            _replayed(journal, what, report)
        else:
            report.read += 1


def _replayed(journal: Journal, what: str, report: Report) -> None:
    try:
        game = load_version(str(journal.header["game"]), str(journal.header["version"]))
        house = [load_house(str(name)) for name in journal.header.get("house", [])]
    except LoadFailure as failure:
        report.held.append(f"{what}: {failure}")
        return
    try:
        replay(journal, game, house=house)
        report.replayed += 1
    except JournalMismatch as error:
        report.damaged.append(f"{what}: {error}")


def _books(connection: Connection, report: Report) -> None:
    bookings = schema.bookings.c
    report.bookings = connection.scalar(select(func.count()).select_from(schema.bookings)) or 0
    report.damaged += audit(connection)
    for key, memo in connection.execute(select(bookings.id, bookings.memo)):
        try:
            json.loads(memo)
        except ValueError:
            report.damaged.append(f"the memo of booking {key} cannot be read")


def _bans(connection: Connection, report: Report) -> None:
    for ban in load_bans(connection):
        report.bans += 1
        try:
            who(ban)
        except (TypeError, ValueError) as error:
            report.damaged.append(f"the ban of {ban.who} since {ban.since}: {error}")
