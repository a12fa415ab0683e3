"""The commands for whoever runs a host: admin, health, ledger, stats. Nothing heavy is imported before one of them runs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from carteado.core.hookspecs import hookimpl

from .arguments import count, game, port


@hookimpl
def register_commands(commands: Any) -> None:
    """Add the commands."""
    commands.add("admin", "give orders to the host on this machine, one or in a conversation", _admin, _run_admin)
    commands.add("health", "say whether the host on this machine is well", _where, _run_health)
    commands.add("ledger", "tell who has how many chips and why, or check that the books add up", _ledger, _run_ledger)
    commands.add("stats", "tell how players did in each game, with their ratings", _stats, _run_stats)


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


def _books(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--store", metavar="PLACE", help="where the host keeps its books (default: the file in the data folder)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _ledger(parser: argparse.ArgumentParser) -> None:
    _books(parser)
    actions = parser.add_subparsers(dest="what", metavar="WHAT")
    actions.add_parser("balances", help="tell what is in every purse (also without a word)")
    history = actions.add_parser("history", help="tell a player's newest bookings")
    history.add_argument("player", metavar="PLAYER", help="a name, or the beginning of a key")
    history.add_argument("--most", type=count, default=50, metavar="N", help="how many (default: %(default)s)")
    actions.add_parser("audit", help="check every booking, account and match; status 1 if something does not add up")


def _run_ledger(given: argparse.Namespace) -> int:
    from . import ledger
    from .store_commands import place

    where = place(given.store)
    if given.what == "history":
        return ledger.show_history(where, given.player, given.most, given.json)
    if given.what == "audit":
        return ledger.show_audit(where, given.json)
    return ledger.show_balances(where, given.json)


def _stats(parser: argparse.ArgumentParser) -> None:
    _books(parser)
    parser.add_argument("player", nargs="?", metavar="PLAYER", help="only this player: a name, or the beginning of a key")
    parser.add_argument("--game", type=game, metavar="GAME", help="only this game")


def _run_stats(given: argparse.Namespace) -> int:
    from . import ledger
    from .store_commands import place

    return ledger.show_stats(place(given.store), given.player, given.game, given.json)
