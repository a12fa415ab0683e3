"""Look at one plugin in a process of its own: import it, check it, deal with it, and explain what is wrong.

python -m carteado.net.doctor NAME        (what `carteado plugins doctor NAME` runs, with a time limit)
"""

from __future__ import annotations

import subprocess
import sys
import traceback
from collections.abc import Iterator

from carteado.core import loader
from carteado.core.errors import CarteadoError, LoadFailure
from carteado.core.game import Game
from carteado.core.match import Match

LIMIT = 30.0
"""Seconds after which a plugin that does not come back is given up."""


def examine(name: str) -> int:
    """Run the examination in a child process, whatever the plugin does to it; return the exit status."""
    command = [sys.executable, "-m", __spec__.name if __spec__ else __name__, name]
    try:
        return subprocess.run(command, timeout=LIMIT, check=False).returncode
    except subprocess.TimeoutExpired:
        print(f"{name}: did not come back within {LIMIT:g} seconds; is there an endless loop at import or in `deal`?")
        return 1


def findings(name: str) -> Iterator[tuple[bool, str]]:
    """Yield what was looked at: whether it is well, and a sentence (or a traceback)."""
    if any(listed.name == name for listed in loader.house_rules()):
        yield from _house(name)
        return
    found = [listed for listed in loader.installed() if listed.name == name]
    for listed in found:
        yield True, f"{name} is {listed.target}, from {listed.distribution} {listed.version}"
    try:
        game = loader.load(name)
    except LoadFailure as failure:
        yield from _fault(str(failure), failure)
        return
    yield True, f"imported: {game.title or game.name} {game.version}, plugin interface {game.api}"
    yield from _deals(game)
    yield from _texts(game)


def _fault(sentence: str, error: BaseException) -> Iterator[tuple[bool, str]]:
    """Yield what is wrong, and the traceback of what has caused it."""
    yield False, sentence
    if error.__cause__ is not None:
        yield False, "".join(traceback.format_exception(error.__cause__)).rstrip()


def _deals(game: Game) -> Iterator[tuple[bool, str]]:
    low, high = game.seats
    for players in range(low, high + 1):
        try:
            match = Match(game, {}, [{"name": f"P{seat}"} for seat in range(players)])
            match.deal(bytes(32))
            for viewer in (None, *range(players)):
                match.view(viewer)
        except CarteadoError as error:
            yield from _fault(f"{players} players: {error}", error)
        else:
            for fault in match.faults:
                yield False, f"{players} players: {fault}"
            yield True, f"deals for {players} players"


def _texts(game: Game) -> Iterator[tuple[bool, str]]:
    yield bool(game.words("en")), "has English words" if game.words("en") else "has no English words: people will read keys"
    yield bool(game.rules("en")), "has rules to read" if game.rules("en") else "has no rules text"


def _house(name: str) -> Iterator[tuple[bool, str]]:
    try:
        rule = loader.load_house(name)
    except LoadFailure as failure:
        yield from _fault(str(failure), failure)
        return
    yield True, f"imported: the house rule {rule.name}"


def main() -> int:
    """Print the findings for the plugin named on the command line; return the exit status."""
    status = 0
    for well, sentence in findings(sys.argv[1]):
        print(f"{'ok  ' if well else 'BAD '}{sentence}", flush=True)
        status = status if well else 1
    return status


if __name__ == "__main__":
    sys.exit(main())
