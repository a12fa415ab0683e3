"""The commands of the players' side: play and join. Nothing heavy is imported before one of them runs."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from carteado.core.hookspecs import hookimpl
from carteado.net.arguments import add_options, add_place, add_player, add_table, add_web, count, game, table_arguments, web_arguments
from carteado.net.store_commands import MEMORY, add_store, store_arguments


@hookimpl
def register_commands(commands: Any) -> None:
    """Add this area's commands."""
    commands.add("menu", "choose what to do from a menu (what `carteado` alone does)", _menu, partial(_run_menu, call=commands.call))
    commands.add("play", "sit down with computer players on this machine", _play, _run_play)
    commands.add("join", "sit down at a table of a host", _join, _run_join)
    commands.add("look", "look at a recorded match step by step (what `replay` does on a terminal)", _look, _run_look)
    commands.add("dev", "play a game you are writing: all cards open, every seat yours, step back, load the code anew", _dev, _run_dev)


def _menu(parser: argparse.ArgumentParser) -> None:
    """Take no arguments: everything is chosen in the menu."""


def _run_menu(given: argparse.Namespace, call: Callable[[Sequence[str]], int]) -> int:
    from carteado.net.language import language

    from .opening import Opening, need_terminal

    need_terminal()
    with Opening(language(None), key="ui.home.motto") as opening:
        from .home import run_menu

        return run_menu(call, opening.over)


def _play(parser: argparse.ArgumentParser) -> None:
    add_table(parser)
    parser.add_argument("--guided", action="store_true", help="be told what to do, the first hand long")
    add_store(parser, otherwise=MEMORY)
    parser.set_defaults(store=MEMORY)
    add_player(parser)
    add_web(parser)


def _run_play(given: argparse.Namespace) -> int:
    from carteado.net.child import ChildHost
    from carteado.net.language import language

    from .opening import Opening

    if given.web:
        return _play_in_browser(given)
    port = [] if given.port is not None else ["--port", "0"]
    with ChildHost([*table_arguments(given), *store_arguments(given), *port, "--fill", "--bind", "127.0.0.1"]) as host:
        with Opening(language(given.lang), not given.line) as opening:
            from carteado.net.parts import readers
            from carteado.net.program import FIRST_TABLE

            from . import app, sitting  # noqa: F401 - imported, and made, while the host gets ready

            readers()
            # Asked for by its id: to list its tables the host would have to load every game.
            status = sitting.sit(
                host.address, given, FIRST_TABLE, ready=True, guided=given.guided, begun=opening.over, alive=host.alive,
                fleeting=given.store == MEMORY,
            )  # fmt: skip
        host.check()
    if host.troubles is not None:
        print(f"carteado: the host had something to complain of, see {host.troubles}", file=sys.stderr)
    return status


def _play_in_browser(given: argparse.Namespace) -> int:
    """Set the table for a browser instead of this terminal, until it is told to stop."""
    from carteado.net.child import ChildHost
    from carteado.net.gateways import gateway

    table = [*table_arguments(given), *store_arguments(given)]
    with ChildHost([*table, "--port", "0", "--fill", "--bind", "127.0.0.1", *web_arguments(given)]) as host:
        print(gateway().invitation(host.urls, given.lan), "Ctrl-C ends the table.", sep="\n", flush=True)
        with contextlib.suppress(KeyboardInterrupt):  # which is how it is meant to end
            host.wait()
            host.check()
    return 0


def _join(parser: argparse.ArgumentParser) -> None:
    add_place(parser)
    parser.add_argument("--watch", action="store_true", help="watch, without a seat")
    parser.add_argument("--choose", action="store_true", help="see the host's tables first: sit down, watch, or open another one")
    parser.add_argument("--level", default="rule", help="how well computer players play that you ask for (default: %(default)s)")
    parser.add_argument("--hosting", metavar="GAME", help=argparse.SUPPRESS)  # the host there ends with this program
    parser.add_argument("--fleeting", action="store_true", help=argparse.SUPPRESS)  # and keeps nothing
    parser.set_defaults(alive=None)
    add_player(parser)


def _run_join(given: argparse.Namespace) -> int:
    from carteado.net.choosing import at_terminal, choose
    from carteado.net.language import language

    from .opening import Opening
    from .sitting import sit

    address = choose(given.address, given.code, at_terminal(given.accept_new_key))
    with Opening(language(given.lang), not given.line, key="ui.lobby.connecting") as opening:
        return sit(
            address, given, table=given.table, watch=given.watch, choose=given.choose, begun=opening.over, alive=given.alive,
            fleeting=given.fleeting, hosting=given.hosting,
        )  # fmt: skip


def _look(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="a journal")
    add_player(parser)


def _run_look(given: argparse.Namespace) -> int:
    from .sitting import at_recording

    return at_recording(given)


def _computer(text: str) -> tuple[int, str]:
    """Read who plays a seat by itself, `seat=level`, from the command line."""
    seat, equals, level = text.partition("=")
    if not (equals and seat.isascii() and seat.isdecimal() and level):
        raise argparse.ArgumentTypeError(f"{text!r} is no computer player; write it as seat=level, as 1=rule")
    return int(seat), level


def _dev(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", type=game, metavar="GAME", help="an installed game")
    parser.add_argument("--players", type=count, metavar="N", help="chairs at the table (default: the fewest, at least two)")
    parser.add_argument("--seed", default="dev", help="any text; the same text deals the same cards (default: %(default)s)")
    parser.add_argument(
        "--computer", action="append", type=_computer, default=[], metavar="SEAT=LEVEL", help="let a seat play by itself (repeatable)"
    )
    add_options(parser)
    add_player(parser)


def _run_dev(given: argparse.Namespace) -> int:
    from .sitting import at_bench

    return at_bench(given)
