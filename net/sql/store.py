"""The store in SQL: one thread writes, one transaction a batch."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sqlalchemy import Connection, Engine, bindparam, select, text, update

from ..books import Standing
from ..configurable import CHIPS
from ..errors import StoreFailure
from ..store import BanRecord, Record, StoredTable
from . import books, schema
from .archiving import AT_ONCE, Archive, archive
from .engine import looking, reading, told, writing
from .keeping import Kept, Writing
from .loading import load, load_bans, whole
from .place import Lock, Place, identity, prepare
from .upgrade import bring

log = logging.getLogger(__name__)
T = TypeVar("T")

CLAIM = 3.0
"""Seconds that a host waits on a server for the tables of one that has just ended."""
EACH = 3600.0
"""Seconds between two looks for matches that are to be archived."""
_COUNT = (
    update(schema.hosts)
    .where((schema.hosts.c.id == bindparam("mine")) & (schema.hosts.c.batch == bindparam("before")))
    .values(batch=bindparam("batch"), seen=bindparam("seen"))
)
LOCAL = "local"
"""The host of a store in a file: whoever has the file."""


class SqlStore:
    """Keep tables, journals, players and books in a database. Open one with `opened`.

    host: whose tables these are; name: what people call it. place: where the database is. archive: where old journals go, if
    they do.
    """

    commit_at_once = None  # a disk takes its time

    def __init__(self, place: Place, host: str, name: str = "", archive: Archive | None = None) -> None:
        self.place = place
        self.name = name
        self.archive = archive
        self._archived = float("-inf")
        self.host = LOCAL if place.path is not None else host
        self._writer = ThreadPoolExecutor(1, "store")
        self._reader = ThreadPoolExecutor(1, "store reading")
        self._engine: Engine | None = None
        self._readers: Engine | None = None
        self._connection: Connection | None = None
        self._file: tuple[int, int] | None = None
        self._lock: Lock | None = None
        self._kept = Kept()
        self._batch = 0
        self._ready = False

    # The seam

    async def commit(self, batch: Sequence[Record]) -> None:
        """Keep all of a batch or nothing; the same batch again, after a failure, is kept once. Raises: StoreFailure."""
        await self._write(lambda: self._commit(list(batch)))
        if self.archive is not None and time.monotonic() - self._archived >= EACH:
            self._archived = time.monotonic()
            self._writer.submit(self._tidy, self.archive)

    async def load(self) -> list[StoredTable]:
        """Return every table of this host; where there is a match, without entries and answers. Raises: StoreFailure."""
        return await self._write(self._load)

    async def whole(self, table: str) -> StoredTable | None:
        """Return all that was kept of a table, None if nothing was. Raises: StoreFailure."""
        return await self.read(lambda connection: whole(connection, self.host, table))

    async def bans(self) -> list[BanRecord]:
        """Return the bans of this host. Raises: StoreFailure."""
        return await self.read(lambda connection: load_bans(connection, self.host))

    async def close(self) -> None:
        """Let what is being written be written, and let go of files and connections."""
        await self._write(self._close)
        self._writer.shutdown()
        self._reader.shutdown()

    async def read(self, question: Callable[[Connection], T]) -> T:
        """Return what a function reads from the database, in a thread and a transaction of its own. Raises: StoreFailure."""
        return await asyncio.get_running_loop().run_in_executor(self._reader, lambda: self._read(question))

    async def balances(self) -> Mapping[str, int]:
        """Return every account and what is in it. Raises: StoreFailure."""
        return await self.read(books.balances)

    async def standing(self, key: bytes, first: int = CHIPS) -> Standing:
        """Return how a player stands. Raises: StoreFailure."""
        return await self.read(lambda connection: books.standing(connection, key, first))

    # In the thread that writes

    async def _write(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._writer, work)

    def open(self) -> None:
        """Take the store for this host and bring its schema up to date; once, before anything else. Raises: StoreFailure."""
        self._writer.submit(self._open).result()

    def _open(self) -> None:
        if self.place.path is not None:
            prepare(self.place.path)
            self._lock = Lock(self.place.path)
        try:
            self._connected()
        except StoreFailure:
            self._close()
            raise
        self._ready = True

    def _connected(self) -> Connection:
        """Return the connection that writes; make it anew if the last one has failed."""
        self._still_there()
        if self._connection is not None:
            return self._connection
        if self._engine is None:
            self._engine = writing(self.place, f"carteado {os.getpid()} on {socket.gethostname()}"[:63])
        with told(self.place):
            connection = self._engine.connect()
        try:
            with told(self.place):
                if self.place.path is None:
                    self._claim(connection)
                with connection.begin():
                    bring(connection)
                    self._introduce(connection)
        except BaseException:
            connection.invalidate()
            connection.close()
            raise
        self._connection = connection
        if self.place.path is not None and self._file is None:
            self._file = identity(self.place.path)
        return connection

    def _still_there(self) -> None:
        """See that what is written is where people think it is, and is the same file as ever. Raises: StoreFailure."""
        if self.place.path is None or self._file is None:
            return
        now = identity(self.place.path)
        if now != self._file:
            self._drop()
            why = "its file was taken away" if now is None else "another file is in its place"
            raise StoreFailure(f"the store {self.place} cannot be used: {why}", "io")

    def _claim(self, connection: Connection) -> None:
        """Hold this host's tables for as long as the connection lasts. Raises: StoreFailure naming who has them."""
        key = int.from_bytes(hashlib.sha256(f"carteado/host/{self.host}".encode()).digest()[:8], "big", signed=True)
        until = time.monotonic() + CLAIM  # the server needs a moment to notice that a host was killed
        while not _locked(connection, key):
            if time.monotonic() > until:
                holder = _holder(connection, key) or "unknown"
                raise StoreFailure(f"the tables of this host's key are in use by another host ({holder})", "taken")
            time.sleep(0.1)

    def _introduce(self, connection: Connection) -> None:
        hosts = schema.hosts
        row = {"id": self.host, "name": self.name[:64], "seen": int(time.time())}
        Writing(connection, self.host, Kept()).put(hosts, [row], "name", "seen")
        batch = connection.scalar(select(hosts.c.batch).where(hosts.c.id == self.host))
        if not self._ready:
            self._batch = batch or 0

    def _commit(self, batch: list[Record]) -> None:
        kept, number, connection = self._kept.copy(), self._batch + 1, self._connected()
        try:
            with told(self.place), connection.begin():
                if self._counted(connection, number):
                    Writing(connection, self.host, kept).keep(batch)
                else:
                    Writing(connection, self.host, kept).follow(batch)
        except StoreFailure:
            self._drop()
            raise
        self._kept, self._batch = kept, number

    def _counted(self, connection: Connection, number: int) -> bool:
        """Count this batch. Return False if it is kept already: its commit went through, and the answer got lost.

        Raises: StoreFailure if somebody else has written for this host.
        """
        if connection.execute(_COUNT, {"mine": self.host, "before": number - 1, "batch": number, "seen": int(time.time())}).rowcount == 1:
            return True
        at = connection.scalar(select(schema.hosts.c.batch).where(schema.hosts.c.id == self.host))
        if at != number:
            raise StoreFailure(f"somebody else has written for this host: batch {at} where {number - 1} was expected")
        return False

    def _drop(self) -> None:
        """Let go of a connection after a failure: what it would say next cannot be trusted."""
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None

    def _tidy(self, to: Archive) -> None:
        """Archive a few matches, and come back for more: what is to be kept goes before."""
        if not self._ready:
            return
        try:
            connection = self._connected()
            with told(self.place), connection.begin():
                taken = archive(connection, to, self.host)
        except StoreFailure as failure:
            log.warning("old matches cannot be archived now: %s", failure)
            self._drop()
            return
        if taken == AT_ONCE:
            self._writer.submit(self._tidy, to)

    def _load(self) -> list[StoredTable]:
        with told(self.place), looking(self._connected()):
            assert self._connection is not None
            self._kept = Kept()
            return load(self._connection, self.host, self._kept)

    def _read(self, question: Callable[[Connection], T]) -> T:
        if self._readers is None:
            self._readers = reading(self.place)
        with told(self.place), self._readers.connect() as connection, looking(connection):
            return question(connection)

    def _close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        if self._lock is not None:
            self._lock.release()
            self._lock = None
        self._ready = False


def _locked(connection: Connection, key: int) -> bool:
    with connection.begin():
        return bool(connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": key}))


def _holder(connection: Connection, key: int) -> str | None:
    """Return how the connection that has a lock calls itself: program, process and machine."""
    asked = text(
        "SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE l.locktype = 'advisory' AND l.granted"
        " AND l.classid = CAST(:high AS bigint) AND l.objid = CAST(:low AS bigint)"
    )
    with connection.begin():
        found: str | None = connection.scalar(asked, {"high": (key >> 32) & 0xFFFFFFFF, "low": key & 0xFFFFFFFF})
    return found


def opened(place: str, host: str, name: str = "", archive: Archive | None = None) -> SqlStore:
    """Return an open store at a place as people write it, for the host of this id. Raises: StoreFailure."""
    store = SqlStore(Place.parse(place), host, name, archive)
    store.open()
    return store
