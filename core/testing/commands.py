"""The kit's command: `carteado golden`. Nothing heavy is imported before it runs."""

from __future__ import annotations

import argparse
from typing import Any

from ..hookspecs import hookimpl


@hookimpl
def register_commands(commands: Any) -> None:
    """Add the kit's commands."""
    commands.add("golden", "compare a game with its recorded matches and counted moves, or record them anew", _golden, _run_golden)


def _golden(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="an installed game")
    parser.add_argument("--update", action="store_true", help="record the matches and count the moves anew")


def _run_golden(given: argparse.Namespace) -> int:
    from ..loader import load
    from . import golden
    from .suite import trial

    game = load(given.game)
    where = golden.folder(game)
    if given.update:
        for path in golden.write(trial(game), where):
            print(path)
        return 0
    if not (where / "trees.jsonl").exists():
        print(f"Nothing is recorded in {where}; --update does it.")
        return 1
    differences = list(golden.compare(game, where))
    for name, what in differences:
        print(f"{name}: {what}")
    if not differences:
        print(f"{game.title} plays as recorded in {where}.")
    return 1 if differences else 0
