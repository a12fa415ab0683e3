"""A database of an earlier program is brought up to date, and the match that runs in it goes on."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect

from carteado.core.replay import replay
from carteado.net.errors import StoreFailure
from carteado.net.settings import TableSpec
from carteado.net.sql import schema, upgrade
from carteado.net.sql.store import SqlStore, opened

from ..highcard import GAMES
from ..rooms import hosting, run, visiting
from .records import ANA, begun, match
from .test_store import HOST, keep, rows, using

FIRST = Path(__file__).with_name("first.sql")
"""A whole store as the first program that had one has written it, with a match under way."""
NEXT = '''
revision = "9001"
down_revision = "{before}"

from alembic import op
import sqlalchemy as sa

def upgrade():
    op.add_column("players", sa.Column("motto", sa.String(40), nullable=False, server_default="none"))
    with op.batch_alter_table("tables") as tables:
        tables.alter_column("version", type_=sa.String(80), existing_nullable=False)
    {more}
'''


@pytest.fixture
def later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Be a later program: one with a migration more. Return its file."""
    folder = tmp_path / "migrations"
    shutil.copytree(Path(schema.__file__).with_name("migrations"), folder)
    step = folder / "versions" / "v9001_later.py"
    step.write_text(NEXT.format(before=schema.REVISION, more="pass"))
    monkeypatch.setattr(upgrade, "SCRIPTS", str(folder))
    monkeypatch.setattr(upgrade, "REVISION", "9001")
    return step


def test_the_migrations_make_the_schema_that_the_program_uses(url: str) -> None:
    async def work(store: SqlStore) -> None:
        differences = await store.read(lambda connection: compare_metadata(MigrationContext.configure(connection), schema.metadata))
        assert [] == differences

    using(url, work)


def test_a_store_of_the_first_program_is_read_and_its_match_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    old = sqlite3.connect(path)
    old.executescript(FIRST.read_text(encoding="utf-8"))
    old.close()

    async def test() -> None:
        store = opened(str(path), HOST)
        async with hosting(TableSpec("high-card", chairs=2), store=store) as host:
            at = host.tables["t-1"]
            await host.returning.back([at])
            assert ("playing", 4) == (at.stage, at.head[1])
            assert [ANA, b"R" * 32] == [chair.key for chair in at.chairs]
            async with visiting(host) as rui:
                await rui.join("t-1", "watch")
                assert rui.view is not None
                assert 4 == rui.view["q"]

    run(test())


def test_a_migration_keeps_a_running_match(url: str, later: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upgrade, "REVISION", schema.REVISION)
    made = match(moves=4)
    keep_at(url, schema.REVISION, later)
    keep(url, begun(made))
    monkeypatch.setattr(upgrade, "REVISION", "9001")
    (kept,) = keep(url)
    assert made.journal.entries == kept.entries
    assert kept.header is not None
    assert 5 == replay(made.journal, GAMES["high-card"]).q
    assert [("9001",)] == rows(url, "SELECT version_num FROM alembic_version")
    assert [] == rows(url, "SELECT motto FROM players")


def keep_at(url: str, revision: str, later: Path) -> None:
    """Make a store as the present program does: the later migration is not there yet."""
    hidden = later.with_suffix(".hidden")
    later.rename(hidden)
    keep(url)
    hidden.rename(later)


def test_a_migration_that_fails_changes_nothing(url: str, later: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upgrade, "REVISION", schema.REVISION)
    keep_at(url, schema.REVISION, later)
    made = match(moves=4)
    keep(url, begun(made))
    later.write_text(NEXT.format(before=schema.REVISION, more="op.execute('SELECT nothing FROM nowhere')"))
    monkeypatch.setattr(upgrade, "REVISION", "9001")
    with pytest.raises(StoreFailure):
        opened(url, HOST)
    monkeypatch.setattr(upgrade, "REVISION", schema.REVISION)
    (kept,) = keep(url)
    assert made.journal.entries == kept.entries

    async def work(store: SqlStore) -> None:
        names = await store.read(lambda connection: [column["name"] for column in inspect(connection).get_columns("players")])
        assert ["key", "name", "since", "seen"] == names

    using(url, work)

