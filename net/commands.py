"""The commands of the host's side: host, bot, games, replay, arena. Nothing heavy is imported before one of them runs."""

from __future__ import annotations

import argparse
from typing import Any

from carteado.core.hookspecs import hookimpl


@hookimpl
def register_commands(commands: Any) -> None:
    """Add this area's commands."""
    commands.add("games", "list the installed games, or tell all about one", _games, _run_games)
    commands.add("replay", "show a recorded match, and check it", _replay, _run_replay)
    commands.add("arena", "let computer players play against each other", _arena, _run_arena)


def option(text: str) -> tuple[str, str]:
    """Read one table option, `name=value`, from the command line."""
    name, equals, value = text.partition("=")
    if not (name.strip() and equals):
        raise argparse.ArgumentTypeError(f"{text!r} is no option; write it as name=value")
    return name.strip(), value.strip()


def game(text: str) -> str:
    """Read the name of an installed game from the command line."""
    from carteado.core.loader import installed

    known = [listed.name for listed in installed()]
    if text not in known:
        raise argparse.ArgumentTypeError(f"there is no game {text!r}; installed: {', '.join(known) or 'none'}")
    return text


def count(text: str) -> int:
    """Read a whole number above zero from the command line."""
    if not text.isascii() or not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above zero")
    return int(text)


def names(text: str) -> tuple[str, ...]:
    """Read names separated by commas from the command line."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add `--option name=value`, to be given any number of times."""
    parser.add_argument(
        "--option", action="append", type=option, default=[], metavar="NAME=VALUE", help="set a table option (repeatable)"
    )


def add_language(parser: argparse.ArgumentParser) -> None:
    """Add `--lang`."""
    parser.add_argument("--lang", default="en", help="the language of the texts (default: %(default)s)")


def _games(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", type=game, metavar="GAME", help="tell players, options, computer players and rules of this game")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    add_language(parser)


def _run_games(given: argparse.Namespace) -> int:
    from .listing import games

    return games(given.game, given.lang, given.json)


def _replay(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a journal (`-` reads standard input)")
    parser.add_argument("--verify", action="store_true", help="only check that every hash replays")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    add_language(parser)


def _run_replay(given: argparse.Namespace) -> int:
    from .retelling import replay

    return replay(given.file, given.lang, given.verify, given.json)


def _arena(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", type=game, metavar="GAME", help="what is played")
    parser.add_argument("--seats", type=names, required=True, metavar="LEVEL,LEVEL", help="the players, as rule,naive")
    parser.add_argument("--games", type=count, default=100, metavar="N", help="matches to play (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="same seed, same matches (default: %(default)s)")
    parser.add_argument("--jobs", type=count, metavar="N", help="processes (default: one for each core)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    add_options(parser)


def _run_arena(given: argparse.Namespace) -> int:
    from .scoreboard import arena

    return arena(given.game, given.seats, dict(given.option), given.seed, given.games, given.jobs, given.json)
