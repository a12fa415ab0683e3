"""The tables of the store. `migrations` makes them; docs/store.md tells each column.

What only the host itself reads (a table's chairs, an entry of a journal) is one text of JSON, so that a field more needs no
migration. What people ask for (who played, which place, how many chips) has columns. Times are whole seconds since 1970, UTC,
and nothing but lists for people and the end of a ban depends on them.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Float, ForeignKey, Index, Integer, LargeBinary, MetaData, String, Table, Text, false

REVISION = "0002"
"""The newest migration: what a database must be at before this program uses it."""

metadata = MetaData()
_serial = BigInteger().with_variant(Integer, "sqlite")  # SQLite counts up only what is called INTEGER

hosts = Table(
    "hosts", metadata,
    Column("id", String(64), primary_key=True),  # `local` in a file; on a server the fingerprint of the host's key
    Column("name", String(64), nullable=False, server_default=""),
    Column("batch", BigInteger, nullable=False, server_default="0"),  # number of its last kept batch: none is kept twice
    Column("seen", BigInteger, nullable=False),
)  # fmt: skip

matches = Table(
    "matches", metadata,
    Column("id", _serial, primary_key=True),
    Column("host", String(64), ForeignKey("hosts.id"), nullable=False),
    Column("name", String(24), nullable=False),  # the table's id at its host; free again when that table is closed
    Column("number", Integer, nullable=False),
    Column("game", String(24), nullable=False),
    Column("version", String(40), nullable=False),
    Column("header", Text, nullable=False),
    Column("began", BigInteger, nullable=False),
    Column("ended", BigInteger),  # when its result was kept; NULL while it runs, and for ever if its table was closed before
    Column("archived", Boolean, nullable=False, server_default=false()),  # its entries were taken out of the database
    Index("matches_by_table", "host", "name", "id"),
    Index("matches_by_end", "ended"),
    sqlite_autoincrement=True,
)  # fmt: skip

tables = Table(
    "tables", metadata,
    Column("host", String(64), ForeignKey("hosts.id"), primary_key=True),
    Column("name", String(24), primary_key=True),
    Column("game", String(24), nullable=False),
    Column("version", String(40), nullable=False),
    Column("record", Text, nullable=False),  # a TableRecord
    Column("match", _serial, ForeignKey("matches.id")),  # the one that is on, or was last
)  # fmt: skip

entries = Table(
    "entries", metadata,
    Column("match", _serial, ForeignKey("matches.id"), primary_key=True, autoincrement=False),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("line", Text, nullable=False),  # as it stands in an exported journal
    sqlite_with_rowid=False,
)  # fmt: skip

answers = Table(
    "answers", metadata,
    Column("serial", _serial, primary_key=True),
    Column("host", String(64), nullable=False),
    Column("name", String(24), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("id", LargeBinary(16), nullable=False),
    Column("q", Integer, nullable=False),
    Index("answers_by_table", "host", "name", "serial"),
    sqlite_autoincrement=True,
)  # fmt: skip

players = Table(
    "players", metadata,
    Column("key", String(64), primary_key=True),  # the public key, hex
    Column("name", String(24), nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),
)  # fmt: skip

results = Table(
    "results", metadata,
    Column("match", _serial, ForeignKey("matches.id"), primary_key=True, autoincrement=False),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("player", String(64)),  # NULL for a computer player of the house
    Column("name", String(24), nullable=False),
    Column("bot", String(24)),
    Column("place", Integer),
    Column("points", BigInteger, nullable=False),
    Column("chips", BigInteger, nullable=False),
    Column("gone", String(24)),  # how the player left, if it did
    Index("results_by_player", "player"),
)  # fmt: skip

accounts = Table(
    "accounts", metadata,
    Column("id", String(80), primary_key=True),  # `player/<key>`, `house`, `opening`
    Column("balance", BigInteger, nullable=False, server_default="0"),  # the sum of its postings, kept in the same transaction
    Column("opened", BigInteger, nullable=False),
)  # fmt: skip

bookings = Table(
    "bookings", metadata,
    Column("id", _serial, primary_key=True),
    Column("ref", String(120), nullable=False, unique=True),  # says what is booked, so that it is booked once
    Column("kind", String(24), nullable=False),
    Column("match", _serial, ForeignKey("matches.id")),
    Column("host", String(64), nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("memo", Text, nullable=False, server_default="{}"),
    sqlite_autoincrement=True,
)  # fmt: skip

postings = Table(
    "postings", metadata,
    Column("booking", _serial, ForeignKey("bookings.id"), primary_key=True, autoincrement=False),
    Column("line", Integer, primary_key=True, autoincrement=False),
    Column("account", String(80), ForeignKey("accounts.id"), nullable=False),
    Column("amount", BigInteger, nullable=False),
    Index("postings_by_account", "account"),
)  # fmt: skip

ratings = Table(
    "ratings", metadata,
    Column("player", String(64), primary_key=True),
    Column("game", String(24), primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("matches", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
)  # fmt: skip

bans = Table(
    "bans", metadata,
    Column("host", String(64), ForeignKey("hosts.id"), primary_key=True),
    Column("kind", String(8), primary_key=True),  # `key` or `address`
    Column("who", String(64), primary_key=True),
    Column("name", String(24), nullable=False, server_default=""),
    Column("why", Text, nullable=False),
    Column("by", String(24), nullable=False),
    Column("since", BigInteger, nullable=False),
    Column("until", BigInteger),  # NULL: for ever
)  # fmt: skip
