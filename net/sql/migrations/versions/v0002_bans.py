"""Keep whom a host does not let in."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table of bans."""
    op.create_table(
        "bans",
        sa.Column("host", sa.String(64), sa.ForeignKey("hosts.id"), primary_key=True),
        sa.Column("kind", sa.String(8), primary_key=True),
        sa.Column("who", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(24), nullable=False, server_default=""),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("by", sa.String(24), nullable=False),
        sa.Column("since", sa.BigInteger, nullable=False),
        sa.Column("until", sa.BigInteger),
    )
