"""Stores for the tests: every test that asks for `url` runs on SQLite and on a real PostgreSQL server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from . import postgres


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """Give the URL of a running server."""
    with postgres.server() as url:
        if url is None:
            pytest.skip(f"no PostgreSQL here: install it, or name a server in {postgres.SERVER}")
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Give the place of an empty store, in a file or on a server."""
    if request.param == "sqlite":
        yield str(tmp_path / "store.db")
        return
    with postgres.database(request.getfixturevalue("postgresql")) as place:
        yield place
