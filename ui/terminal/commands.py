"""The commands of the players' side: play and join. Nothing heavy is imported before one of them runs."""

from __future__ import annotations

import argparse
from typing import Any

from carteado.core.hookspecs import hookimpl
from carteado.net.arguments import add_place, add_player, add_table, table_arguments


@hookimpl
def register_commands(commands: Any) -> None:
    """Add this area's commands."""
    commands.add("play", "sit down with computer players on this machine", _play, _run_play)
    commands.add("join", "sit down at a table of a host", _join, _run_join)


def _play(parser: argparse.ArgumentParser) -> None:
    add_table(parser)
    add_player(parser)


def _run_play(given: argparse.Namespace) -> int:
    from carteado.net.child import ChildHost

    from .sitting import sit

    port = [] if given.port is not None else ["--port", "0"]
    with ChildHost([*table_arguments(given), *port, "--fill", "--bind", "127.0.0.1"]) as host:
        status = sit(host.address, given, ready=True)
        host.check()
        return status


def _join(parser: argparse.ArgumentParser) -> None:
    add_place(parser)
    parser.add_argument("--watch", action="store_true", help="watch, without a seat")
    parser.add_argument("--level", default="rule", help="how well computer players play that you ask for (default: %(default)s)")
    add_player(parser)


def _run_join(given: argparse.Namespace) -> int:
    from carteado.net.finding import find

    from .sitting import sit

    return sit(find(given.address), given, table=given.table, watch=given.watch)
