"""Bring a database to the schema of this program; its tables and running matches stay."""

from __future__ import annotations

from sqlalchemy import Connection, inspect, text

from ..errors import StoreFailure
from .schema import REVISION

SCRIPTS = "carteado.net.sql:migrations"
_ONE_AT_A_TIME = 0x63617274  # any number that all hosts share


def revision(connection: Connection) -> str | None:
    """Return the migration that a database is at, None for an empty one. Raises: StoreFailure for somebody else's database."""
    names = set(inspect(connection).get_table_names())
    if "alembic_version" not in names:
        if names & {"tables", "matches", "entries"}:
            raise StoreFailure("this database is not a store of carteado: it has tables, and no version", "refused")
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def bring(connection: Connection) -> None:
    """Run the migrations that are missing, in the transaction that the connection is in.

    Raises: StoreFailure for a database that a newer program has made.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _ONE_AT_A_TIME})
    at = revision(connection)
    if at == REVISION:
        return
    # Imported only here: most starts find the database as it should be.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", SCRIPTS)
    config.set_main_option("path_separator", "os")
    if at is not None and at not in {each.revision for each in ScriptDirectory.from_config(config).walk_revisions()}:
        raise StoreFailure(f"the store was written by a newer carteado (schema {at}; this one knows {REVISION}): upgrade it", "refused")
    command.upgrade(config, "head")
