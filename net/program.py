"""What this program calls itself on the wire."""

from __future__ import annotations

from importlib.metadata import version
from typing import Final

from . import limits

APP: Final = f"carteado {version('carteado')}"[: limits.APP]
"""The program and its version, as hosts and peers introduce themselves."""
