"""What this program calls itself, and its first table, on the wire."""

from __future__ import annotations

from importlib.metadata import version
from typing import Final

from . import limits

APP: Final = f"carteado {version('carteado')}"[: limits.APP]
"""The program and its version, as hosts and peers introduce themselves."""

FIRST_TABLE: Final = "t-1"
"""The id of the table that a host opens first, unless it is told another."""
