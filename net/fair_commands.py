"""The command `verify`. Nothing heavy is imported before it runs."""

from __future__ import annotations

import argparse
from typing import Any

from carteado.core.hookspecs import hookimpl


@hookimpl
def register_commands(commands: Any) -> None:
    """Add the command."""
    commands.add("verify", "check that a recorded match was dealt fairly and not changed since", _verify, _run)


def _verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a journal (`-` reads standard input)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _run(given: argparse.Namespace) -> int:
    from .verifying import verify

    return verify(given.file, given.json)
