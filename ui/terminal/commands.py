"""The commands of the players' side: play and join. Nothing heavy is imported before one of them runs."""

from __future__ import annotations

from typing import Any

from carteado.core.hookspecs import hookimpl


@hookimpl
def register_commands(commands: Any) -> None:
    """Add this area's commands."""
