"""The browser of the tests ends with them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from . import tables


@pytest.fixture(scope="session", autouse=True)
def _the_browser_ends() -> Iterator[None]:
    """Close the browser after the last test."""
    yield
    while tables.shared:
        tables.shared.pop().close()
