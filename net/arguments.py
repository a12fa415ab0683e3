"""Arguments that several commands share, and what people may write for them. Nothing heavy is imported before a value is read."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from .language import OWN, is_language, language

DEFAULT = "dez-degraus"
"""The game that is played when nobody says which."""
MOST = 10**9
"""The largest whole number that can be set."""


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


def name(text: str) -> str:
    """Read a player's name from the command line."""
    from .names import clean_name

    cleaned = clean_name(text)
    if cleaned is None:
        raise argparse.ArgumentTypeError(f"{text!r} cannot be a name: use 1 to 24 letters, digits and signs")
    return cleaned


def whole(text: str) -> int:
    """Read a whole number, 0 or more, from the command line."""
    if not text.isascii() or not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number")
    if int(text) > MOST:
        raise argparse.ArgumentTypeError(f"{text!r} is more than {MOST}")
    return int(text)


def count(text: str) -> int:
    """Read a whole number above zero from the command line."""
    if not text.isascii() or not text.isdecimal() or not text.strip("0"):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above zero")
    return whole(text)


def grace(text: str) -> int:
    """Read for how many seconds a table waits, from the command line."""
    from .terms import LONGEST

    if not text.isascii() or not text.isdecimal() or int(text) > LONGEST:
        raise argparse.ArgumentTypeError(f"{text!r} is no grace (0 to {LONGEST} seconds)")
    return int(text)


def names(text: str) -> tuple[str, ...]:
    """Read names separated by commas from the command line."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def seconds(text: str) -> float:
    """Read a time in seconds, 0 or more, from the command line."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < 1e6:
        raise argparse.ArgumentTypeError(f"{text!r} is no time in seconds")
    return value


def clock(text: str) -> str:
    """Read a turn clock from the command line."""
    from .terms import clock_terms

    try:
        clock_terms(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def house(text: str) -> str:
    """Read the name of an installed house rule from the command line."""
    from carteado.core.loader import house_rules

    known = sorted({listed.name for listed in house_rules()})
    if text not in known:
        raise argparse.ArgumentTypeError(f"there is no house rule {text!r}; installed: {', '.join(known) or 'none'}")
    return text


def port(text: str) -> int:
    """Read a port from the command line; 0 takes any free one."""
    if not text.isascii() or not text.isdecimal() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port (0 to 65535)")
    return int(text)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add `--option name=value`, to be given any number of times."""
    parser.add_argument("--option", action="append", type=option, default=[], metavar="NAME=VALUE", help="set a table option (repeatable)")


def add_house(parser: argparse.ArgumentParser) -> None:
    """Add `--house`, to be given any number of times."""
    parser.add_argument("--house", action="append", type=house, default=[], metavar="RULE", help="a house rule to play with (repeatable)")


def add_language(parser: argparse.ArgumentParser) -> None:
    """Add `--lang`."""
    help = f"the language of the texts: {', '.join(OWN)}, or another one that a game speaks (default: the surroundings')"
    parser.add_argument("--lang", metavar="LANG", action=_Language, help=help)


class _Language(argparse.Action):
    """Take a language, and say so when the program has no texts in it."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, option: str | None = None) -> None:
        if not is_language(values):
            raise argparse.ArgumentError(self, f"{values!r} is no language; the program's own are {', '.join(OWN)}")
        if (found := language(values, {})) not in OWN:
            say = f"the program has no texts in {found}, only in {', '.join(OWN)}; a game's own are shown if it has them"
            print(f"{parser.prog}: {say}", file=sys.stderr)
        setattr(namespace, self.dest, values)


def add_player(parser: argparse.ArgumentParser) -> None:
    """Add what a person who plays can choose; `player_arguments` gives it back."""
    parser.add_argument("--name", type=name, help="your name at the table (default: your login)")
    parser.add_argument("--line", action="store_true", help="plain lines instead of a full screen, for screen readers and pipes")
    parser.add_argument("--ascii", action="store_true", help="letters instead of suit signs and box lines")
    parser.add_argument("--theme", choices=("dark", "light"), help="colours for a dark or a light terminal")
    parser.add_argument("--no-mouse", action="store_true", help="leave the mouse to the terminal")
    parser.add_argument("--quiet", action="store_true", help="do not ring when it is your turn")
    add_language(parser)


def player_arguments(given: argparse.Namespace) -> list[str]:
    """Return what `add_player` read, as arguments for another command."""
    words = [word for key in ("name", "theme", "lang") if (value := getattr(given, key)) for word in (f"--{key}", value)]
    return words + [f"--{key.replace('_', '-')}" for key in ("line", "ascii", "no_mouse", "quiet") if getattr(given, key)]


def add_table(parser: argparse.ArgumentParser) -> None:
    """Add what can be chosen about a table and its host; `table_arguments` gives it back."""
    parser.add_argument("game", nargs="?", default=DEFAULT, type=game, metavar="GAME", help="what is played (default: %(default)s)")
    parser.add_argument("--players", type=count, metavar="N", help="chairs at the table")
    parser.add_argument("--level", default="rule", help="how well computer players play (default: %(default)s)")
    parser.add_argument("--seed", help="any text; the same text deals the same cards")
    parser.add_argument("--port", type=port, metavar="N", help="where the host listens; 0 takes a free port")
    parser.add_argument("--pace", type=seconds, metavar="S", help="seconds that a computer player's move takes")
    parser.add_argument("--hand-pause", type=seconds, metavar="S", help="seconds between hands if not everybody is ready before")
    told = "turn clock in seconds: 45 a move, 45+120 with a reserve, match:600+5 for the match (default: off)"
    parser.add_argument("--clock", type=clock, metavar="TERMS", help=told)
    parser.add_argument("--grace", type=grace, metavar="S", help="seconds to wait for somebody who is away (default: 120)")
    then = "what happens then: go on waiting, a computer player of --level plays on, or the game's own way out (default: bot)"
    parser.add_argument("--away", choices=("wait", "bot", "game"), help=then)
    add_options(parser)
    add_house(parser)


def table_arguments(given: argparse.Namespace) -> list[str]:
    """Return what `add_table` read, as arguments for `host`."""
    words = [given.game, "--level", given.level]
    for key in ("players", "seed", "port", "pace", "hand_pause", "clock", "grace", "away"):
        if getattr(given, key) is not None:
            words += [f"--{key.replace('_', '-')}", str(getattr(given, key))]
    words += [word for rule in given.house for word in ("--house", rule)]
    return words + [word for key, value in given.option for word in ("--option", f"{key}={value}")]


def add_place(parser: argparse.ArgumentParser) -> None:
    """Add where to sit down."""
    parser.add_argument("address", nargs="?", metavar="HOST", help="its address, or its name (default: a list of what is found)")
    parser.add_argument("code", nargs="?", metavar="CODE", help="the join code of a private host")
    parser.add_argument("--accept-new-key", action="store_true", help="trust the host's key even if it had another one before")
    parser.add_argument("--table", metavar="ID", help="which table, as a private one is called (default: the first with a free chair)")


def add_web(parser: argparse.ArgumentParser, choose: bool = True) -> None:
    """Add how the page for phones and browsers is served; with `choose` also whether; `web_arguments` gives it back."""
    group = parser.add_argument_group("the page for phones and browsers")
    if choose:
        group.add_argument("--web", action="store_true", help="serve a page where phones and browsers can sit down")
    group.add_argument("--lan", action="store_true", help="serve the page to the whole network, not to this machine alone")
    group.add_argument("--web-port", type=port, metavar="N", help="where the page is served (default: 8737); 0 takes a free port")
    group.add_argument("--web-name", action="append", default=[], metavar="NAME", help="a name that the page is served under (repeatable)")
    group.add_argument("--web-tls", nargs=2, type=Path, metavar=("CERT", "KEY"), help="serve the page by https, with these files")


def web_arguments(given: argparse.Namespace) -> list[str]:
    """Return what `add_web` read, as arguments for `host`."""
    words = [f"--{name}" for name in ("web", "lan") if getattr(given, name)]
    if given.web_port is not None:
        words += ["--web-port", str(given.web_port)]
    words += [word for name in given.web_name for word in ("--web-name", name)]
    return words + (["--web-tls", *map(str, given.web_tls)] if given.web_tls else [])
