"""The commands about the network: find, key; and what `host` can be told about its door. Nothing heavy is imported before one runs."""

from __future__ import annotations

import argparse
from typing import Any

from carteado.core.hookspecs import hookimpl

from .arguments import seconds


@hookimpl
def register_commands(commands: Any) -> None:
    """Add this area's commands."""
    commands.add("find", "list the hosts on this network", _find, _run_find)
    commands.add("key", "show your keys as others see them: the player's and, if there is one, the host's", _key, _run_key)


def _find(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--seconds", type=seconds, default=2.0, metavar="S", help="how long to look (default: %(default)s)")


def _run_find(given: argparse.Namespace) -> int:
    from .looking import find

    return find(given.seconds, given.json)


def _key(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _run_key(given: argparse.Namespace) -> int:
    from .looking import keys

    return keys(given.json)
