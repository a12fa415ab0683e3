"""Connections to a store, and what their errors mean in one sentence."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, NullPool, create_engine, event
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from ..errors import StoreFailure
from .place import Place, present

BUSY = 1.0
"""Seconds that a connection waits for another one that writes; a host that is told to end must be done in two."""
CONNECT = 5
"""Seconds to reach a server."""

_SQLITE = {
    "SQLITE_FULL": ("full", "the disk is full"),
    "SQLITE_READONLY": ("readonly", "it can only be read"),
    "SQLITE_PERM": ("readonly", "it may not be written"),
    "SQLITE_BUSY": ("locked", "another program has locked it"),
    "SQLITE_LOCKED": ("locked", "another program has locked it"),
    "SQLITE_CORRUPT": ("damaged", "it is damaged"),
    "SQLITE_NOTADB": ("damaged", "it is no store, or damaged from its first byte on"),
    "SQLITE_IOERR": ("io", "the disk does not read or write"),
    "SQLITE_CANTOPEN": ("io", "its file cannot be opened"),
}


def writing(place: Place, name: str = "carteado") -> Engine:
    """Return an engine for the one connection that writes; `name` is what a server lists it as."""
    if place.path is None:
        return _server(place, name)
    path = place.path

    def connect() -> sqlite3.Connection:
        # mode=rw: a file that was taken away is not made anew, empty.
        connection = sqlite3.connect(_uri(path, "rw"), uri=True, timeout=BUSY, isolation_level=None, cached_statements=256)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    return _begun(create_engine("sqlite://", creator=connect, poolclass=NullPool), "BEGIN IMMEDIATE")


def reading(place: Place) -> Engine:
    """Return an engine that only reads, also while a host writes. Raises: StoreFailure."""
    if place.path is None:
        return _server(place, "carteado reading", isolation_level="REPEATABLE READ")  # one moment of it, as in a file
    present(place.path)
    path = place.path
    return _begun(create_engine("sqlite://", creator=lambda: read_only(path), poolclass=NullPool), "BEGIN")


def read_only(path: Path) -> sqlite3.Connection:
    """Return a connection to a store's file that cannot change it."""
    return sqlite3.connect(_uri(path, "ro"), uri=True, timeout=BUSY, isolation_level=None)


def _uri(path: Path, mode: str) -> str:
    return f"file:{quote(str(path.absolute()))}?mode={mode}"


def _begun(engine: Engine, statement: str) -> Engine:
    """Let transactions begin when they are begun, schema changes included; the driver alone would begin them later, or not at all."""

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(statement)

    return engine


def _server(place: Place, name: str, **more: Any) -> Engine:
    try:
        return create_engine(place.url, poolclass=NullPool, connect_args={"connect_timeout": CONNECT, "application_name": name}, **more)
    except ImportError:
        why = "PostgreSQL needs the package psycopg: install carteado with the extra postgresql (pip install '.[postgresql]')"
        raise StoreFailure(why, "refused") from None


@contextmanager
def looking(connection: Connection) -> Iterator[None]:
    """Read in one transaction, and never commit: nothing was written, and a database in which a damaged page was met refuses that."""
    transaction = connection.begin()
    try:
        yield
    finally:
        transaction.rollback()


@contextmanager
def told(place: Place) -> Iterator[None]:
    """Turn what the database raises in the block into one sentence. Raises: StoreFailure."""
    try:
        yield
    except DBAPIError as error:
        raise failure(place, error.orig or error) from error
    except sqlite3.Error as error:
        raise failure(place, error) from error
    except UnicodeDecodeError as error:
        raise StoreFailure(f"the store {place} cannot be used: it is damaged", "damaged") from error
    except SQLAlchemyError as error:
        raise StoreFailure(f"the store {place} cannot be used: {_line(error)}", "other") from error


def failure(place: Place, error: BaseException) -> StoreFailure:
    """Return what an error of the database means."""
    code, why = meaning(error)
    state = getattr(error, "sqlstate", None)
    if place.path is None and (state is None or state.startswith(("08", "57P"))):
        code = "away"
    return StoreFailure(f"the store {place} cannot be used: {why}", code)


def meaning(error: BaseException) -> tuple[str, str]:
    """Return the code of an error of the database, and why it happened, for people."""
    name = getattr(error, "sqlite_errorname", "")
    for known, told in _SQLITE.items():
        if name == known or name.startswith(f"{known}_"):
            return told
    state = getattr(error, "sqlstate", None)
    return {"53100": "full", "25006": "readonly", "55P03": "locked"}.get(state or "", "other"), _line(error)


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__
