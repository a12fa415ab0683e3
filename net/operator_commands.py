"""The commands for whoever runs a host: admin, health. Nothing heavy is imported before one of them runs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from carteado.core.hookspecs import hookimpl

from .arguments import port


@hookimpl
def register_commands(commands: Any) -> None:
    """Add the commands."""
    commands.add("admin", "give orders to the host on this machine, one or in a conversation", _admin, _run_admin)
    commands.add("health", "say whether the host on this machine is well", _where, _run_health)


def _where(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=port, metavar="N", help="the host that listens on this port (default: the only one)")
    parser.add_argument("--socket", type=Path, metavar="FILE", help="the host's socket")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _admin(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    parser.add_argument("order", nargs="*", metavar="ORDER", help="the order and what belongs to it (`help` lists them)")


def _run_admin(given: argparse.Namespace) -> int:
    from .console import admin

    return admin(given)


def _run_health(given: argparse.Namespace) -> int:
    from .console import health

    return health(given)
