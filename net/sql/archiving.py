"""Journals of matches that were over long ago are taken out of the database, as files; their results stay."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, delete, select, update

from ..errors import StoreFailure
from ..keys import write_private
from . import schema
from .checking import journal_of

DAY = 86_400
AT_ONCE = 20
"""Matches that are taken out in one transaction, so that a host never waits for long."""


@dataclass(frozen=True)
class Archive:
    """Say where journals go when their matches have been over for so many days."""

    folder: Path
    days: int


def file_of(name: object, number: int, match: int) -> str:
    """Return the name of a match's journal, whatever stands in a damaged store."""
    safe = "".join(sign if sign.isascii() and (sign.isalnum() or sign == "-") else "_" for sign in str(name))[:24]
    return f"{safe or '_'}-{number}-{match}.jsonl"


def write(file: Path, data: bytes) -> None:
    """Write a journal that only its owner may read; one of the same name is replaced, never followed. Raises: StoreFailure."""
    try:
        write_private(file, data, replace=True)
    except OSError as error:
        raise StoreFailure(f"cannot write {file}: {(error.strerror or str(error)).lower()}", "io") from None


def make(folder: Path) -> None:
    """Make a folder for journals if there is none. Raises: StoreFailure."""
    try:
        folder.mkdir(parents=True, mode=0o700, exist_ok=True)
    except OSError as error:
        raise StoreFailure(f"cannot make the folder {folder}: {(error.strerror or str(error)).lower()}", "io") from None


def archive(connection: Connection, to: Archive, host: str | None = None) -> int:
    """Take out some matches (of one host, or of all) that were over long ago, or left unfinished by a table that was closed.

    Return how many. A journal is on the disk before its entries are taken out. One that is damaged stays where it is. The connection
    is in a transaction. Raises: StoreFailure.
    """
    matches, tables = schema.matches.c, schema.tables.c
    before = int(time.time()) - to.days * DAY
    past = (matches.ended < before) | (matches.ended.is_(None) & (matches.began < before))
    here = select(tables.match).where(tables.match.is_not(None))
    old = select(matches.id, matches.name, matches.number).where(past & ~matches.archived & matches.id.not_in(here)).order_by(matches.id)
    if host is not None:
        old = old.where(matches.host == host)
    taken: list[int] = []
    for key, name, number in connection.execute(old).all():
        try:
            journal = journal_of(connection, key)
        except ValueError:
            continue
        if not taken:
            make(to.folder)
        write(to.folder / file_of(name, number, key), journal.dump())
        taken.append(key)
        if len(taken) == AT_ONCE:
            break
    if taken:
        connection.execute(delete(schema.entries).where(schema.entries.c.match.in_(taken)))
        connection.execute(update(schema.matches).where(matches.id.in_(taken)).values(archived=True))
    return len(taken)
