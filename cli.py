"""The command `carteado`: arguments and wiring, nothing else.

Each area adds its commands through the hook `register_commands`, from a module that imports nothing heavy before a command
runs. A distribution can add more through the entry point group `carteado.program`; a broken one costs a sentence.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import pluggy

from carteado.core.errors import CarteadoError, Refused
from carteado.core.hookspecs import PROJECT, ProgramSpec

AREAS = (
    "carteado.ui.terminal.commands", "carteado.ui.web.commands", "carteado.net.commands", "carteado.net.plugin_commands",
    "carteado.net.operator_commands", "carteado.net.network_commands", "carteado.net.store_commands", "carteado.net.fair_commands",
    "carteado.core.commands",
)
PLUGINS = "carteado.program"

FAILURE, USAGE, INTERRUPTED = 1, 2, 130
"""Exit statuses besides 0: something went wrong; the arguments were wrong; stopped with Ctrl-C."""


class Parser(argparse.ArgumentParser):
    """An argument parser that answers a mistake with one sentence and exit status 2."""

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE, f"{self.prog}: {message} (`{self.prog} --help` says more)\n")


class Commands:
    """What `register_commands` is given: the place to add commands."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self._parser = parser
        self._parsers = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)

    def add(
        self,
        name: str,
        help: str,
        setup: Callable[[argparse.ArgumentParser], None],
        run: Callable[[argparse.Namespace], int],
    ) -> None:
        """Add a command: `setup` declares its arguments, `run` takes them parsed and returns the exit status."""
        parser = self._parsers.add_parser(name, help=help, description=help[:1].upper() + help[1:] + ".")
        setup(parser)
        parser.set_defaults(run=run, prog=parser.prog)

    def call(self, words: Sequence[str], **more: Any) -> int:
        """Run another command with these arguments, its name first; return its exit status. more: what words cannot say."""
        given = self._parser.parse_args(words)
        vars(given).update(more)
        status: int = given.run(given)
        return status


class Version(argparse.Action):
    """Print the installed version, looked up only when asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        from importlib.metadata import version

        print(f"carteado {version('carteado')}")
        parser.exit()


def program() -> tuple[pluggy.PluginManager, list[str]]:
    """Return the program-wide plugins, and a sentence for each that could not be loaded."""
    from importlib.metadata import entry_points

    plugins = pluggy.PluginManager(PROJECT)
    plugins.add_hookspecs(ProgramSpec)
    for area in reversed(AREAS):  # pluggy calls the last one first
        plugins.register(importlib.import_module(area), name=area)
    broken = []
    for entry in entry_points(group=PLUGINS):
        try:
            plugins.register(entry.load(), name=entry.name)
        except Exception as fault:  # noqa: BLE001 - one broken plugin never stops the program
            broken.append(f"plugin {entry.name!r} was left out: {type(fault).__name__}: {fault}")
    return plugins, broken


def arguments() -> tuple[argparse.ArgumentParser, list[str]]:
    """Return the parser of the whole command line, and a sentence for each plugin that was left out."""
    parser = Parser(
        prog="carteado",
        description="A card table for the local network. `carteado play` sits you down with computer players.",
    )
    parser.add_argument("--version", action=Version, nargs=0, help="print the version and exit")
    plugins, broken = program()
    plugins.hook.register_commands(commands=Commands(parser))
    return parser, broken


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; return its exit status. A failure is one sentence on stderr."""
    parser, broken = arguments()
    for sentence in broken:
        print(f"carteado: {sentence}", file=sys.stderr)
    words = sys.argv[1:] if argv is None else argv
    if not words and sys.stdin.isatty() and sys.stdout.isatty():
        words = ["menu"]
    given = parser.parse_args(words)
    try:
        status: int = given.run(given)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has enough, as in `carteado games | head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILURE
    except KeyboardInterrupt:
        return INTERRUPTED
    except (CarteadoError, OSError) as fault:
        sentence, wrong_use = explain(fault)
        print(f"{given.prog}: {sentence}", file=sys.stderr)
        return USAGE if wrong_use else FAILURE
    return status


def explain(fault: CarteadoError | OSError) -> tuple[str, bool]:
    """Return an expected failure as one English sentence, and whether other arguments would have helped."""
    from carteado.core.bots import UnknownLevel
    from carteado.net.names import shown
    from carteado.net.texts import refusal

    if isinstance(fault, Refused):
        return shown(refusal(fault)), True
    if isinstance(fault, OSError) and fault.strerror:
        return f"{fault.filename}: {fault.strerror}" if fault.filename else fault.strerror, False
    return shown(" ".join(str(fault).split())), isinstance(fault, UnknownLevel) or getattr(fault, "wrong_use", False)


if __name__ == "__main__":
    sys.exit(main())
