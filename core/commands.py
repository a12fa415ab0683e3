"""The commands for game authors: new, golden. Nothing heavy is imported before one of them runs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from .hookspecs import hookimpl


@hookimpl
def register_commands(commands: Any) -> None:
    """Add the commands for authors."""
    commands.add("new", "write the package of a new game, ready to be played and changed", _new, _run_new)
    commands.add("golden", "compare a game with its recorded matches and counted moves, or record them anew", _golden, _run_golden)


def _new(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="the game's name: a-z, 0-9 and '-'")
    parser.add_argument("--in", dest="where", type=Path, default=Path(), metavar="FOLDER", help="where to write it (default: here)")
    parser.add_argument("--no-install", action="store_true", help="only write the package; install it yourself")


def _run_new(given: argparse.Namespace) -> int:
    from .testing import scaffold

    for path in scaffold.write(given.name, given.where):
        print(path)
    folder = given.where / given.name
    play = f"`{scaffold.called('carteado')} play {given.name}`"
    install = f"`{scaffold.called('pip')} install -e {folder}`"
    if given.no_install:
        print(f"Install it with {install}, then {play}.")
        return 0
    if not scaffold.install(folder):
        print(f"It could not be installed; try {install}, then {play}.")
        return 1
    print(f"Installed as it stands there: {play} plays it.")
    try_it = f"`{scaffold.called('pytest')} {folder}`"
    if scaffold.has("pytest"):
        print(f"{try_it} tries it hard.")
    else:
        print(f"To try it hard: `{scaffold.called('pip')} install pytest`, then {try_it}.")
    return 0


def _golden(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="an installed game")
    parser.add_argument("--update", action="store_true", help="record the matches and count the moves anew")


def _run_golden(given: argparse.Namespace) -> int:
    from .loader import load
    from .testing import golden
    from .testing.suite import trial

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
