"""A store that keeps everything in memory: for tests, for benches, and for a table that ends with its evening."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from . import limits
from .store import (
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
    StoredTable,
    TableRecord,
)


class MemoryStore:
    """Keep tables and journals as long as this object lives; a second host can load them from it.

    names: of players by key. results: of matches by table and number. bookings: by ref. rankings, played: of matches, oldest first.
    banned: by kind and who.
    """

    def __init__(self) -> None:
        self.tables: dict[str, StoredTable] = {}
        self.names: dict[bytes, str] = {}
        self.results: dict[tuple[str, int], ResultRecord] = {}
        self.bookings: dict[str, BookingRecord] = {}
        self.rankings: list[RankingRecord] = []
        self.played: list[tuple[ResultRecord, str]] = []
        self.banned: dict[tuple[str, str], BanRecord] = {}
        self.commits = 0

    async def commit(self, batch: Sequence[Record]) -> None:
        """Keep a batch."""
        self._take(batch)

    @property
    def commit_at_once(self) -> Callable[[Sequence[Record]], None] | None:
        """What keeps a batch: memory takes no time."""
        return self._take

    async def load(self) -> list[StoredTable]:
        """Return every table."""
        for name, stored in self.tables.items():
            stored.over = (name, stored.table.number) in self.results
        return list(self.tables.values())

    async def whole(self, table: str) -> StoredTable | None:
        """Return a table."""
        return self.tables.get(table)

    async def bans(self) -> list[BanRecord]:
        """Return the bans."""
        return list(self.banned.values())

    async def close(self) -> None:
        """Let go of nothing: what was kept can be loaded again."""

    def _take(self, batch: Sequence[Record]) -> None:
        self.commits += 1
        for record in batch:
            self._keep(record)

    def _keep(self, record: Record) -> None:
        match record:
            case TableRecord():
                if known := self.tables.get(record.id):
                    known.table = record
                else:
                    self.tables[record.id] = StoredTable(record)
            case MatchRecord():
                stored = self.tables[record.table]
                stored.header, stored.entries = record.header, []
            case EntryRecord():
                entries = self.tables[record.table].entries
                if record.index != len(entries):
                    raise ValueError(f"entry {record.index} of {record.table} comes after {len(entries)} entries")
                entries.append(record.entry)
            case AnswerRecord():
                answers = self.tables[record.table].answers
                answers.append(record)
                del answers[: -limits.ANSWERS * limits.SEATS]
            case ClosedRecord():
                self.tables.pop(record.table, None)
            case PlayerRecord():
                self.names[record.key] = record.name
            case ResultRecord():
                self.results[record.table, record.number] = record
                header = self.tables[record.table].header
                self.played.append((record, str(header["game"]) if header else ""))
            case BookingRecord():
                self.bookings.setdefault(record.ref, record)
            case RankingRecord():
                self.rankings.append(record)
            case BanRecord():
                self.banned[record.kind, record.who] = record
            case LiftedRecord():
                self.banned.pop((record.kind, record.who), None)
