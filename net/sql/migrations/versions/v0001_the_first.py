"""Make the first schema. A step is never changed once it has left the house: it must do tomorrow what it did today."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make every table."""
    serial = sa.BigInteger().with_variant(sa.Integer, "sqlite")
    op.create_table(
        "hosts",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(64), nullable=False, server_default=""),
        sa.Column("batch", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("seen", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "matches",
        sa.Column("id", serial, primary_key=True),
        sa.Column("host", sa.String(64), sa.ForeignKey("hosts.id"), nullable=False),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("game", sa.String(24), nullable=False),
        sa.Column("version", sa.String(40), nullable=False),
        sa.Column("header", sa.Text, nullable=False),
        sa.Column("began", sa.BigInteger, nullable=False),
        sa.Column("ended", sa.BigInteger),
        sa.Column("archived", sa.Boolean, nullable=False, server_default=sa.false()),
        sqlite_autoincrement=True,
    )
    op.create_index("matches_by_table", "matches", ["host", "name", "id"])
    op.create_index("matches_by_end", "matches", ["ended"])
    op.create_table(
        "tables",
        sa.Column("host", sa.String(64), sa.ForeignKey("hosts.id"), primary_key=True),
        sa.Column("name", sa.String(24), primary_key=True),
        sa.Column("game", sa.String(24), nullable=False),
        sa.Column("version", sa.String(40), nullable=False),
        sa.Column("record", sa.Text, nullable=False),
        sa.Column("match", serial, sa.ForeignKey("matches.id")),
    )
    op.create_table(
        "entries",
        sa.Column("match", serial, sa.ForeignKey("matches.id"), primary_key=True, autoincrement=False),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("line", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "answers",
        sa.Column("serial", serial, primary_key=True),
        sa.Column("host", sa.String(64), nullable=False),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("id", sa.LargeBinary(16), nullable=False),
        sa.Column("q", sa.Integer, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("answers_by_table", "answers", ["host", "name", "serial"])
    op.create_table(
        "players",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "results",
        sa.Column("match", serial, sa.ForeignKey("matches.id"), primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("player", sa.String(64)),
        sa.Column("name", sa.String(24), nullable=False),
        sa.Column("bot", sa.String(24)),
        sa.Column("place", sa.Integer),
        sa.Column("points", sa.BigInteger, nullable=False),
        sa.Column("chips", sa.BigInteger, nullable=False),
        sa.Column("gone", sa.String(24)),
    )
    op.create_index("results_by_player", "results", ["player"])
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(80), primary_key=True),
        sa.Column("balance", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("opened", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "bookings",
        sa.Column("id", serial, primary_key=True),
        sa.Column("ref", sa.String(120), nullable=False, unique=True),
        sa.Column("kind", sa.String(24), nullable=False),
        sa.Column("match", serial, sa.ForeignKey("matches.id")),
        sa.Column("host", sa.String(64), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("memo", sa.Text, nullable=False, server_default="{}"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "postings",
        sa.Column("booking", serial, sa.ForeignKey("bookings.id"), primary_key=True, autoincrement=False),
        sa.Column("line", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("account", sa.String(80), sa.ForeignKey("accounts.id"), nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
    )
    op.create_index("postings_by_account", "postings", ["account"])
    op.create_table(
        "ratings",
        sa.Column("player", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(24), primary_key=True),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
