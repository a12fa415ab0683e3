"""The command `plugins`: what is installed, how it went, and switching it off. Nothing heavy is imported before it runs."""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

from carteado.core.hookspecs import hookimpl


@hookimpl
def register_commands(commands: Any) -> None:
    """Add the command."""
    commands.add("plugins", "list the installed plugins, examine one, switch one on or off", _plugins, _run)


def _plugins(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the list as JSON")
    actions = parser.add_subparsers(dest="what", metavar="WHAT")
    for name, text in (
        ("doctor", "import a plugin in a process of its own, deal a hand, and say what is wrong"),
        ("enable", "offer a plugin again"),
        ("disable", "offer a plugin no more; running matches are not touched"),
    ):
        actions.add_parser(name, help=text, description=text).add_argument("name", metavar="NAME")


def _run(given: argparse.Namespace) -> int:
    if given.what == "doctor":
        from .doctor import examine

        return examine(given.name)
    from . import inventory

    if given.what is not None:
        inventory.switch(given.name, on=given.what == "enable")
        print(f"{given.name} is {'offered again' if given.what == 'enable' else 'switched off'}.")
        return 0
    rows = inventory.listing()
    if given.json:
        print(json.dumps(rows, ensure_ascii=False))
        return 0
    for row in rows:
        print(_line(row))
    return 0


def _line(row: dict[str, Any]) -> str:
    api = f"interface {row['api']}" if row["api"] is not None else "interface not known yet"
    owner = f"{row['from']} {row['version']}"
    line = f"{row['name']:<16} {row['kind']:<10} {owner:<28} {api:<23} {row['state']}"
    if row["failure"]:
        line += f"\n    {time.strftime('%Y-%m-%d %H:%M', time.localtime(row['when']))}: {row['failure']}"
    return line
