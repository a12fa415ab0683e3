"""The command `store`: whether a store is whole, copies of it, and its matches as journals."""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from sqlalchemy import Connection, func, select
from sqlalchemy.exc import DatabaseError

from .errors import StoreFailure
from .logs import many
from .sql import archiving, schema
from .sql.archiving import Archive, file_of, make, write
from .sql.checking import checked, journal_of
from .sql.engine import looking, meaning, read_only, reading, told, writing
from .sql.loading import load_bans
from .sql.place import PRIVATE, Lock, Place, prepare, present
from .sql.upgrade import revision

_PAGES = 256
"""Pages of a database that are copied at once, so that a host that writes meanwhile never waits for long."""
BANS = "bans.json"
"""The file of an export that says who is banned."""
_HAND = '"k":"hand"'
"""What stands in the line of an entry that deals a hand."""
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)


def check(where: str, everything: bool, as_json: bool) -> int:
    """Print what is wrong with a store, a line each; return 0 if nothing is. Raises: StoreFailure if it cannot be read at all."""
    with _reading(where) as (place, connection):
        report = checked(connection, everything)
    if as_json:
        print(json.dumps({"store": str(place), **report.facts()}, ensure_ascii=False))
    else:
        for fault in report.faults:
            print(fault)
        print(f"{place}: {report.sentence()}")
    return 1 if report.faults else 0


def backup(where: str, file: Path) -> int:
    """Copy a store to a new file while a host may be writing it. Raises: StoreFailure."""
    place = _file(where)
    assert place.path is not None
    present(place.path)
    _fresh(file)
    part = file.with_name(f".{file.name}.part")
    try:
        os.close(os.open(part, _NEW, PRIVATE))
        try:
            _copy(place.path, part, file)
            _synced(part)
            os.link(part, file)
        finally:
            part.unlink()
    except FileExistsError as error:
        raise StoreFailure(f"{error.filename2 or error.filename} is there already; a backup overwrites nothing") from None
    except OSError as error:
        raise StoreFailure(f"cannot write the backup {file}: {(error.strerror or str(error)).lower()}") from None
    print(f"{place} is copied to {file}.")
    return 0


def restore(where: str, file: Path, force: bool) -> int:
    """Put a backup in the place of the store. Raises: StoreFailure; the store is as it was then."""
    path = _file(where).path
    assert path is not None
    with _reading(str(file)) as (_, connection):
        report = checked(connection, everything=False)
    if report.damaged:
        raise StoreFailure(f"the backup {file} is damaged: {report.damaged[0]}")
    there = path.is_symlink() or path.exists()
    if there and not force:
        raise StoreFailure(f"there is a store at {path} already; --force replaces it and keeps the old one beside it")
    prepare(path)
    lock = Lock(path)
    part = path.with_name(f".{path.name}.part")
    try:
        part.unlink(missing_ok=True)
        os.close(os.open(part, _NEW, PRIVATE))
        _copy(file, part, path)
        _synced(part)
        if there:
            _put_away(path)
        os.replace(part, path)
        _sync_folder(path.parent)
    except OSError as error:
        raise StoreFailure(f"cannot restore to {path}: {(error.strerror or str(error)).lower()}") from None
    finally:
        part.unlink(missing_ok=True)
        if not there and not path.stat().st_size:
            path.unlink()  # nothing has come into the place that was made ready
        lock.release()
    print(f"{file} is in the place of {path}" + (f"; what was there is {_before(path)}." if there else "."))
    for fault in report.faults:
        print(fault)
    return 0


def export(where: str, folder: Path, table: str | None) -> int:
    """Write every match's journal into a folder, the running hands left out, and who is banned. Raises: StoreFailure."""
    make(folder)
    written, skipped = 0, 0
    with _reading(where) as (place, connection):
        matches = schema.matches.c
        asked = select(matches.id, matches.name, matches.number, matches.ended).where(~matches.archived).order_by(matches.id)
        for key, name, number, ended in connection.execute(asked).all():
            if table is not None and name != table:
                continue
            try:
                journal = journal_of(connection, key)
            except (ValueError, DatabaseError) as error:
                why = error.orig if isinstance(error, DatabaseError) else error
                print(f"match {number} of table {name} is not exported: {why}")
                skipped += 1
                continue
            write(folder / file_of(name, number, key), journal.dump(open_seed=ended is not None))
            written += 1
        bans = load_bans(connection)
        if table is None and bans:
            write(folder / BANS, json.dumps([asdict(ban) for ban in bans], ensure_ascii=False, indent=1).encode())
    print(f"{many(written, 'match', 'matches')} of {place} {'is' if written == 1 else 'are'} in {folder}.")
    return 1 if skipped else 0


def newest(where: str, most: int) -> list[tuple[int, float, str]]:
    """Return the newest matches with a hand to look at: key, seconds since 1970, the journal's first line. Raises: StoreFailure."""
    matches, entries = schema.matches.c, schema.entries.c
    when = func.coalesce(matches.ended, matches.began)
    hands = select(func.count()).where((entries.match == matches.id) & entries.line.contains(_HAND, autoescape=True)).scalar_subquery()
    there = ~matches.archived & (matches.ended.is_not(None) | (hands > 1))  # the last hand of a running match is left out
    with _reading(where) as (_, connection):
        asked = select(matches.id, when, matches.header).where(there).order_by(when.desc(), matches.id.desc()).limit(most)
        return [(key, seconds, header) for key, seconds, header in connection.execute(asked).all()]


def written(where: str, key: int, folder: Path) -> Path:
    """Write the journal of one match into a folder, a running hand left out; return its file. Raises: StoreFailure."""
    matches = schema.matches.c
    make(folder)
    with _reading(where) as (place, connection):
        name, number, ended = connection.execute(select(matches.name, matches.number, matches.ended).where(matches.id == key)).one()
        try:
            journal = journal_of(connection, key)
        except ValueError as error:
            raise StoreFailure(f"match {number} of table {name} in {place} cannot be read: {error}") from None
    file = folder / file_of(name, number, key)
    write(file, journal.dump(open_seed=ended is not None))
    return file


def archive(where: str, folder: Path, days: int) -> int:
    """Take the journals of matches that were over so many days ago out of the store, into a folder. Raises: StoreFailure."""
    with _reading(where) as (place, _):
        engine = writing(place, "carteado archive")
    count = 0
    with told(place), engine.connect() as connection:
        while True:
            with connection.begin():
                taken = archiving.archive(connection, Archive(folder, days))
            count += taken
            if not taken:
                break
    print(f"{many(count, 'match', 'matches')} of {place} {'is' if count == 1 else 'are'} in {folder} now.")
    return 0


@contextlib.contextmanager
def _reading(where: str) -> Iterator[tuple[Place, Connection]]:
    """Give a connection to a store that only reads. Raises: StoreFailure for what is none, or is of another version."""
    place = Place.parse(where)
    engine = reading(place)
    with told(place), engine.connect() as connection, looking(connection):
        at = revision(connection)
        if at is None:
            raise StoreFailure(f"{place} is not a store of carteado")
        if at != schema.REVISION:
            newer = "newer" if at > schema.REVISION else "older; start a host on it once, which brings it up to date"
            raise StoreFailure(f"{place} has schema {at}, and this program reads {schema.REVISION}: it is {newer}")
        yield place, connection


def _file(where: str) -> Place:
    place = Place.parse(where)
    if place.path is None:
        raise StoreFailure("a store on a PostgreSQL server is copied with its own tools: pg_dump and pg_restore")
    return place


def _copy(source: Path, target: Path, named: Path) -> None:
    """Copy a database as it is at one moment; `named` is what people call the target."""
    try:
        with contextlib.closing(read_only(source)) as one, contextlib.closing(sqlite3.connect(target)) as other:
            one.backup(other, pages=_PAGES, sleep=0.01)
            other.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        code, why = meaning(error)
        raise StoreFailure(f"cannot copy {source} to {named}: {why}", code) from error


def _put_away(path: Path) -> None:
    """Keep the store that is replaced as one whole file beside it, whatever state it is in."""
    before = _before(path)
    before.unlink(missing_ok=True)
    try:
        os.close(os.open(before, _NEW, PRIVATE))
        _copy(path, before, before)
    except StoreFailure as failure:
        if failure.code not in ("damaged", "io"):
            raise
        before.write_bytes(path.read_bytes())  # it cannot be read as a database any more: keep its bytes
    for rest in ("-wal", "-shm"):
        path.with_name(path.name + rest).unlink(missing_ok=True)


def _before(path: Path) -> Path:
    return path.with_name(f"{path.name}.before")


def _fresh(file: Path) -> None:
    if file.is_symlink() or file.exists():
        raise StoreFailure(f"{file} is there already; a backup overwrites nothing")


def _synced(file: Path) -> None:
    handle = os.open(file, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sync_folder(folder: Path) -> None:
    if os.name == "posix":
        _synced(folder)
