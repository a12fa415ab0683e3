"""What a host must not forget, and the seam to whatever keeps it.

A host commits all that happened in one tick of its loop as one batch, and shows nothing of it to anybody before `commit` has
returned: durable before visible. After a start it loads every table and goes on where the last host stopped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True)
class ChairRecord:
    """Keep who sits on a chair; of the reclaim token only the SHA-256 is kept."""

    key: bytes | None
    name: str
    bot: str | None
    house: bool
    token: bytes | None
    left: bool
    fresh: bool


@dataclass(frozen=True)
class TableRecord:
    """Keep a table as it is now; replaces what was kept under this id."""

    id: str
    game: str
    version: str
    options: Mapping[str, Any]
    house: tuple[str, ...]
    policy: str
    opener: bytes | None
    number: int
    paused: bool
    places: int
    chairs: tuple[ChairRecord, ...]


@dataclass(frozen=True)
class MatchRecord:
    """Keep the header of a table's match number `number`."""

    table: str
    number: int
    header: Mapping[str, Any]


@dataclass(frozen=True)
class EntryRecord:
    """Keep entry `index` of a match's journal."""

    table: str
    number: int
    index: int
    entry: Mapping[str, Any]


@dataclass(frozen=True)
class AnswerRecord:
    """Keep that a seat's message with this id was accepted, and the version that came of it."""

    table: str
    seat: int
    id: bytes
    q: int


@dataclass(frozen=True)
class ClosedRecord:
    """Forget a table."""

    table: str


Record = TableRecord | MatchRecord | EntryRecord | AnswerRecord | ClosedRecord


@dataclass
class StoredTable:
    """Give back what was kept of one table; `answers` are the newest accepted ids, oldest first."""

    table: TableRecord
    header: Mapping[str, Any] | None = None
    entries: list[Mapping[str, Any]] = field(default_factory=list)
    answers: list[AnswerRecord] = field(default_factory=list)


class Store(Protocol):
    """Keep tables and journals."""

    async def commit(self, batch: Sequence[Record]) -> None:
        """Keep all of a batch or nothing. Raises: StoreFailure."""

    async def load(self) -> list[StoredTable]:
        """Return every table that was kept. Raises: StoreFailure."""

    async def close(self) -> None:
        """Let go of files and connections."""
