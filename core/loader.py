"""Find and load games: entry points of the group `carteado.games`, each isolated, one sentence per failure."""

from __future__ import annotations

import re
from importlib.metadata import EntryPoint, entry_points
from inspect import signature
from typing import Any, NamedTuple

from .errors import CarteadoError, LoadFailure
from .game import API, FLOOR, Game
from .hookspecs import GameSpec
from .options import declared
from .rules import Rules

GROUP = "carteado.games"
OLDER = "carteado.games.older"
"""Entry points of older versions of games, named `name@version`: they play matches on that were begun with them, and no new ones."""
HOUSE = "carteado.house"
CAPABILITIES: frozenset[str] = frozenset()
"""What this host offers beyond the plugin interface; a game names what it `needs`."""
NEEDED = ("deal", "options", "turn", "scoring")


class Listed(NamedTuple):
    """An installed game, known from its entry point alone: nothing of it was imported."""

    name: str
    target: str
    distribution: str
    version: str


def installed() -> list[Listed]:
    """Return the installed games by name, without importing any."""
    return _listed(GROUP)


def _listed(group: str) -> list[Listed]:
    found = []
    for point in entry_points(group=group):
        dist = point.dist
        found.append(Listed(point.name, point.value, dist.name if dist else "?", dist.version if dist else "?"))
    return sorted(found)


def load(name: str) -> Game:
    """Import and check one installed game. Raises: LoadFailure in one sentence."""
    points = list({(point.value, point.dist.name if point.dist else ""): point for point in entry_points(group=GROUP, name=name)}.values())
    if not points:
        known = ", ".join(listed.name for listed in installed()) or "none"
        raise LoadFailure(f"There is no game {name!r}; installed: {known}.")
    if len(points) > 1:
        owners = " and ".join(sorted(point.dist.name if point.dist else "?" for point in points))
        raise LoadFailure(f"The game {name!r} is offered by {owners}; remove one of them.")
    return _import(points[0])


def load_older(name: str, version: str) -> Game:
    """Import and check an older version of a game, for a match that was begun with it. Raises: LoadFailure in one sentence."""
    wanted = f"{name}@{version}"
    points = list({point.value: point for point in entry_points(group=OLDER, name=wanted)}.values())
    if not points:
        raise LoadFailure(f"Version {version} of the game {name!r} is not installed.")
    if len(points) > 1:
        raise LoadFailure(f"The game {wanted!r} is offered by more than one package; remove one of them.")
    game = _imported(points[0])
    if (game.name, game.version) != (name, version):
        raise LoadFailure(f"The game installed as {wanted!r} calls itself {game.name!r} {game.version}.")
    return game


def house_rules() -> list[Listed]:
    """Return the installed house rules by name, without importing any."""
    return _listed(HOUSE)


def load_house(name: str) -> Any:
    """Import one installed house rule: an object with a `name` and wrappers around a game's hooks. Raises: LoadFailure."""
    points = list(entry_points(group=HOUSE, name=name))
    if not points:
        known = ", ".join(listed.name for listed in house_rules()) or "none"
        raise LoadFailure(f"There is no house rule {name!r}; installed: {known}.")
    try:
        target: Any = points[0].load()
        rule = target() if isinstance(target, type) else target
        fits = str(rule.name) == name
    except (Exception, SystemExit) as error:
        raise LoadFailure(f"The house rule {name!r} cannot be imported: {_said(error)}") from error
    if not fits:
        raise LoadFailure(f"The house rule installed as {name!r} calls itself {rule.name!r}.")
    return rule


def _import(point: EntryPoint) -> Game:
    game = _imported(point)
    if game.name != point.name:
        raise LoadFailure(f"The game installed as {point.name!r} calls itself {game.name!r}.")
    return game


def _imported(point: EntryPoint) -> Game:
    try:
        target: Any = point.load()
        game = target() if isinstance(target, type) else target
    except (Exception, SystemExit) as error:
        raise LoadFailure(f"The game {point.name!r} ({point.value}) cannot be imported: {_said(error)}") from error
    accept(game)
    return game  # type: ignore[no-any-return]


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def accept(game: Any) -> None:
    """Check that an object is a game this program can serve. Raises: LoadFailure in one sentence."""
    try:
        _facts(game)
        _hooks(game)
    except CarteadoError:
        raise
    except (Exception, SystemExit) as error:
        raise LoadFailure(f"The game {type(game).__name__!r} cannot be used: {_said(error)}") from error


def _facts(game: Any) -> None:
    if not isinstance(game, Game):
        raise LoadFailure(f"{game!r} is not a game: it does not derive from carteado.core.api.Game.")
    name = game.name
    if not re.fullmatch(r"[a-z0-9-]{1,24}", name):
        raise LoadFailure(f"{name!r} cannot be a game's name: use 1 to 24 of a-z, 0-9 and '-'.")
    if not FLOOR <= game.api <= API:
        raise LoadFailure(f"The game {name!r} was written for plugin interface {game.api}; this program serves {FLOOR} to {API}.")
    missing = [need for need in game.needs if need not in CAPABILITIES]
    if missing:
        raise LoadFailure(f"The game {name!r} needs {', '.join(missing)}, which this program does not offer.")
    low, high = game.seats
    if not 1 <= low <= high <= 10:
        raise LoadFailure(f"The game {name!r} says it seats {low} to {high} players; 1 to 10 are possible.")
    if game.score not in ("high", "low"):
        raise LoadFailure(f"The game {name!r} scores {game.score!r}; say 'high' or 'low'.")
    if not all(type(face) is str and face for face in game.deck.cards):
        raise LoadFailure(f"The game {name!r} has a deck with something else than faces in it.")
    for option in declared(game):
        option.wire()


def _hooks(game: Game) -> None:
    for hook in dir(GameSpec):
        function = getattr(type(game), hook, None)
        if not callable(function) or not hasattr(function, "carteado_impl"):
            continue
        odd = [a for a in signature(function).parameters.values() if a.kind is a.KEYWORD_ONLY or a.default is not a.empty]
        if odd:
            raise LoadFailure(
                f"The game {game.name!r} declares {hook} with default or keyword-only arguments, which would never be passed."
            )
    rules = Rules(game)
    absent = [hook for hook in NEEDED if not rules.has(hook)]
    if absent:
        raise LoadFailure(f"The game {game.name!r} has no {' and no '.join(absent)} hook (are they marked with @hookimpl?).")


def check_all() -> tuple[dict[str, Game], dict[str, str]]:
    """Load every installed game; return the good ones by name and a sentence for each that failed."""
    games: dict[str, Game] = {}
    failures: dict[str, str] = {}
    for listed in installed():
        if listed.name in games or listed.name in failures:
            continue
        try:
            games[listed.name] = load(listed.name)
        except LoadFailure as failure:
            failures[listed.name] = str(failure)
    return games, failures
