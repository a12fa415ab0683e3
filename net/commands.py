"""The commands of the host's side: host, bot, games, replay, import, export, arena. Nothing heavy is imported before one of them runs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from carteado.core.hookspecs import hookimpl

from .arguments import (
    add_house,
    add_language,
    add_options,
    add_place,
    add_player,
    add_table,
    add_web,
    count,
    game,
    names,
    player_arguments,
    seconds,
    whole,
)
from .configurable import add_operation, arguments_of, configurable
from .door_arguments import add_door
from .store_commands import MEMORY, add_archive, add_store


@hookimpl
def register_commands(commands: Any) -> None:
    """Add this area's commands."""
    commands.add("host", "open a table that others on the network can join", _host, partial(_run_host, call=commands.call))
    commands.add("bot", "let a computer player sit down at a table", _bot, _run_bot)
    commands.add("games", "list the installed games, or tell all about one", _games, _run_games)
    commands.add("replay", "look at a recorded match step by step, tell it, or check it", _replay, partial(_run_replay, call=commands.call))
    commands.add("import", "play games recorded by other programs, and compare", _import, _run_import)
    commands.add("export", "write a match as records that other programs read", _export, _run_export)
    commands.add("arena", "let computer players play against each other", _arena, _run_arena)


def _host(parser: argparse.ArgumentParser) -> None:
    add_table(parser)
    parser.add_argument("--bots", type=whole, default=0, metavar="N", help="chairs for computer players (default: none)")
    parser.add_argument("--bind", default="*", metavar="IP", help="the interface to listen on (default: all)")
    parser.add_argument("--headless", action="store_true", help="only host, with no screen and no seat of your own")
    parser.add_argument("--fill", action="store_true", help=argparse.SUPPRESS)  # computer players on all chairs but one
    parser.add_argument("--until-eof", action="store_true", help=argparse.SUPPRESS)
    add_player(parser)
    add_store(parser)
    add_archive(parser)
    add_door(parser)
    add_web(parser)
    add_operation(parser)
    configurable(parser)


def _run_host(given: argparse.Namespace, call: Callable[..., int]) -> int:
    from .configuration import configuration

    whole = configuration(given).given if "check_config" not in given else given
    if getattr(whole, "headless", True):
        from .serving import host

        return host(given)
    from .child import ChildHost
    from .codes import host_code

    with ChildHost(arguments_of(given)) as child:
        code = [host_code()] if whole.code or whole.new_code else []
        if whole.web and sys.stdin.isatty():
            from .gateways import gateway

            print(gateway().invitation(child.urls, whole.lan), "Enter: sit down yourself", sep="\n", flush=True)
            sys.stdin.readline()
        fleeting = ["--fleeting"] if whole.store == MEMORY else []
        words = ["join", str(child.address), *code, "--hosting", whole.game, *fleeting, *player_arguments(whole)]
        status = call(words, alive=child.alive)
        child.check()
    if child.troubles is not None:
        print(f"carteado: the host had something to complain of, see {child.troubles}", file=sys.stderr)
    return status


def _bot(parser: argparse.ArgumentParser) -> None:
    add_place(parser)
    parser.add_argument("--level", default="rule", help="how well it plays (default: %(default)s)")
    parser.add_argument("--name", default="Bot", help="its name (default: %(default)s)")
    parser.add_argument("--pace", type=seconds, default=0.8, metavar="S", help="seconds for a move (default: %(default)s)")
    parser.add_argument("--seed", type=int, metavar="S", help="same seed, same choices")
    parser.add_argument("--stay", action="store_true", help="play match after match until the host is gone")


def _run_bot(given: argparse.Namespace) -> int:
    from .serving import bot

    return bot(given)


def _games(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", nargs="?", type=game, metavar="GAME", help="tell players, options, computer players and rules of this game")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    add_language(parser)


def _run_games(given: argparse.Namespace) -> int:
    from .language import language
    from .listing import games

    return games(given.game, language(given.lang), given.json)


def _replay(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a journal (`-` reads standard input)")
    parser.add_argument("--verify", action="store_true", help="only check that every hash replays")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument("--text", action="store_true", help="print what happened, on a terminal too")
    add_language(parser)


def _run_replay(given: argparse.Namespace, call: Callable[[Sequence[str]], int]) -> int:
    if sys.stdin.isatty() and sys.stdout.isatty() and given.file != "-" and not (given.verify or given.json or given.text):
        return call(["look", given.file, *(["--lang", given.lang] if given.lang else [])])
    from .language import language
    from .retelling import replay

    return replay(given.file, language(given.lang), given.verify, given.json)


def _import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", type=game, metavar="GAME", help="what was played")
    parser.add_argument("file", metavar="FILE", help="the records (`-` reads standard input)")
    parser.add_argument("--out", metavar="DIR", help="write a journal of each finished game into this folder, for `carteado replay`")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def _run_import(given: argparse.Namespace) -> int:
    from .importing import import_records

    return import_records(given.game, given.file, given.out, given.json)


def _export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a journal (`-` reads standard input)")


def _run_export(given: argparse.Namespace) -> int:
    from .importing import export_records

    return export_records(given.file)


def _arena(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", type=game, metavar="GAME", help="what is played")
    parser.add_argument("--seats", type=names, required=True, metavar="LEVEL,LEVEL", help="the players, as rule,naive")
    parser.add_argument("--games", type=count, default=100, metavar="N", help="matches to play (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="same seed, same matches (default: %(default)s)")
    parser.add_argument("--jobs", type=count, metavar="N", help="processes (default: one for each core)")
    parser.add_argument("--duplicate", action="store_true", help="play each deal with the players in every rotation")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    add_options(parser)
    add_house(parser)


def _run_arena(given: argparse.Namespace) -> int:
    from .scoreboard import arena

    house, options = tuple(given.house), dict(given.option)
    return arena(given.game, given.seats, options, given.seed, given.games, given.jobs, given.json, house, given.duplicate)
