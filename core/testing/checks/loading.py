"""Loading: the plugin is a game this program can serve, and what it declares is there."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Iterator
from typing import Any

from ...errors import Refused
from ...game import Game
from ...hookspecs import GameSpec
from ...options import declared, resolve
from ..faults import Fault, difference, not_plain
from ..registry import all_checks, check
from ..trial import Trial

HOOKS = frozenset(name for name in vars(GameSpec) if not name.startswith("_"))


@check(
    "the game is accepted: a valid name, version of the interface, seats and score, and every hook with a signature that fits", loaded=False
)
def loads(trial: Trial) -> Iterator[Fault]:
    if trial.failure:
        yield Fault(trial.failure)
        return
    game = trial.game
    yield from _hooks_meant(type(game))
    if not game.title:
        yield Fault("The game has no title: people would choose it by its name alone.")
    if not set(game.levels) <= {*game.bots, "random", "rule", "rollout", "tree"}:
        yield Fault(f"levels names computer players that there are not: {sorted(set(game.levels) - set(game.bots))}.")


def _hooks_meant(game: type[Any]) -> Iterator[Fault]:
    """Yield methods that were meant as hooks and would never be called."""
    for name in dir(game):
        function = getattr(game, name, None)
        marked = hasattr(function, "carteado_impl")
        if name in HOOKS:
            if callable(function) and not marked:
                yield Fault(f"The method {name} has a hook's name and no @hookimpl, so it would never be called.", name)
            continue
        if not inspect.isfunction(function) or name.startswith("_") or hasattr(Game, name):
            continue
        near = difflib.get_close_matches(name, HOOKS, 1, 0.8)
        if near and (marked or _takes(function) == _takes(getattr(GameSpec, near[0]))):
            own = "" if marked else f" Hooks are marked with @hookimpl; a method of your own that takes the same could be called _{name}."
            yield Fault(f"There is no hook {name!r}; is it {near[0]!r}?{own}", name)


def _takes(function: Any) -> list[str]:
    return [name for name in inspect.signature(function).parameters if name != "self"]


@check("the table options have usable defaults, can be sent to a client, and every variant of this trial is accepted", loaded=False)
def options_fit(trial: Trial) -> Iterator[Fault]:
    game = trial.game
    names = [option.name for option in game.table_options]
    for name in names:
        if names.count(name) > 1:
            yield Fault(f"The table option {name!r} is declared twice.")
    for option in declared(game):
        wire = option.wire()
        bad = not_plain(wire, option.name)
        if bad:
            yield Fault(f"A table option cannot be sent to a client: {bad}.")
        elif difference(option.accept(option.default), option.default):
            yield Fault(f"The table option {option.name!r} does not accept its own default {option.default!r}.")
    yield from _variants(trial)


def _variants(trial: Trial) -> Iterator[Fault]:
    game, playable = trial.game, 0
    for variant in trial.variants:
        try:
            options: dict[str, Any] = resolve(game, variant)
        except Refused as refusal:
            yield Fault(f"The variant {dict(variant)!r} is refused: {refusal}.")
            continue
        counts = [players for players in range(game.seats[0], game.seats[1] + 1) if game.check_players(players, options)]
        playable += bool(counts)
        if not counts:
            yield Fault(f"The variant {dict(variant)!r} can be played by nobody: check_players refuses every number in {game.seats}.")
        refused = [players for players in (game.seats[0] - 1, game.seats[1] + 1) if game.check_players(players, options)]
        if refused:
            yield Fault(f"The variant {dict(variant)!r} is played by {refused[0]}, outside of seats = {game.seats}.")
    if not playable:
        yield Fault("There is no variant to try.")


@check("every exemption names a check and gives a reason", loaded=False)
def exemptions_are_known(trial: Trial) -> Iterator[Fault]:
    known = [check.name for check in all_checks()]
    for name, reason in trial.exempt.items():
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            yield Fault(f"There is no check {name!r} to be exempt from" + (f"; is it {near[0]!r}?" if near else "."))
        elif not str(reason).strip():
            yield Fault(f"The exemption from {name!r} gives no reason.")
