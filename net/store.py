"""What a host must not forget, and the seam to whatever keeps it.

A host commits all that happened in one tick of its loop as one batch, and shows nothing of it to anybody before `commit` has
returned: durable before visible. After a start it loads every table and goes on where the last host stopped.

Whatever follows from an entry (a booking, a result, a rating) goes into the same tick as the entry, `tick.save(BookingRecord(...))`
beside `tick.save(EntryRecord(...))`: both are kept or none. A new kind of record is a frozen dataclass here, one function of
`net/sql/keeping.py` that writes it, and one case of `net/memory.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
    ready: bool = False


@dataclass(frozen=True)
class TableRecord:
    """Keep a table as it is now; replaces what was kept under this id.

    banks: what the clocks had left, in ms by seat. players: whose seat of the match each is, None for computer players; ref: the
    match's own name in the books.
    """

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
    terms: Mapping[str, Any] = field(default_factory=dict)
    banks: tuple[int, ...] = ()
    players: tuple[bytes | None, ...] = ()
    ref: str = ""


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


@dataclass(frozen=True)
class PlayerRecord:
    """Keep a player's name, and that it was here."""

    key: bytes
    name: str


@dataclass(frozen=True)
class Finish:
    """Say how a match ended for one seat. player: the key of who sat there, None for a computer player of the house."""

    seat: int
    player: bytes | None
    name: str
    bot: str | None
    place: int | None
    points: int
    chips: int
    gone: str | None = None


@dataclass(frozen=True)
class ResultRecord:
    """Keep that a table's match number `number` is over, and how it ended for every seat."""

    table: str
    number: int
    finishes: tuple[Finish, ...]


@dataclass(frozen=True)
class BookingRecord:
    """Keep one booking of the ledger: postings `(account, amount)` that sum to zero.

    ref: what it is for, in one word that no other booking has; a second one of the same ref changes nothing. table, number: the
    match that it settles, if any.
    """

    ref: str
    kind: str
    postings: tuple[tuple[str, int], ...]
    table: str | None = None
    number: int = 0
    memo: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class RankingRecord:
    """Keep how a match of a game went, for ratings: groups that share a place, best first, of teams, of players.

    A player is the key in hex, or `bot/LEVEL`. The ratings before are read where they are written, so that two hosts of one
    database never overwrite each other's.
    """

    game: str
    groups: tuple[tuple[tuple[str, ...], ...], ...]


@dataclass(frozen=True)
class BanRecord:
    """Keep that somebody may not connect to this host; replaces what was kept of the same who.

    kind: `key` (who: its hex) or `address`. name: of the player, if it is known. by: `operator` or `host`. since, until: seconds since
    1970; until None: for ever.
    """

    kind: str
    who: str
    name: str
    why: str
    by: str
    since: int
    until: int | None


@dataclass(frozen=True)
class LiftedRecord:
    """Forget a ban."""

    kind: str
    who: str


Record = (
    TableRecord | MatchRecord | EntryRecord | AnswerRecord | ClosedRecord | PlayerRecord | ResultRecord | BookingRecord | RankingRecord
    | BanRecord | LiftedRecord
)  # fmt: skip


@dataclass
class StoredTable:
    """Give back what was kept of one table; `answers` are the newest accepted ids, oldest first.

    header: of the match that is on, or was last; None before the first. entries, answers: left out where a host only lists its tables.
    over: whether the match is over and its result kept. fault: why what was kept cannot be read, or ""; the table's id is taken
    all the same, and nothing of it is changed.
    """

    table: TableRecord
    header: Mapping[str, Any] | None = None
    entries: list[Mapping[str, Any]] = field(default_factory=list)
    answers: list[AnswerRecord] = field(default_factory=list)
    over: bool = False
    fault: str = ""


class Store(Protocol):
    """Keep tables and journals."""

    @property
    def commit_at_once(self) -> Callable[[Sequence[Record]], None] | None:
        """What keeps a batch in no time, without waiting for the loop; None for a store that needs time."""

    async def commit(self, batch: Sequence[Record]) -> None:
        """Keep all of a batch or nothing. Raises: StoreFailure."""

    async def load(self) -> list[StoredTable]:
        """Return every table that was kept; where there is a match, without its entries and the table's answers. Raises: StoreFailure."""

    async def whole(self, table: str) -> StoredTable | None:
        """Return all that was kept of a table, None if nothing was. Raises: StoreFailure."""

    async def bans(self) -> list[BanRecord]:
        """Return the bans that were kept; some may be over. Raises: StoreFailure."""

    async def close(self) -> None:
        """Let go of files and connections."""
