"""The world outside: a hook knows no clock, no chance but the table's, no file, no socket, no process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from ...errors import CarteadoError
from ..faults import Fault
from ..guard import Guard
from ..recording import Moment, again, hand_seed, new_match
from ..registry import check
from ..sources import uses
from ..swaps import branch
from ..trial import Trial
from ..watching import monitored
from .reading import calls


@check("hooks use no random, no clock, no file, no socket and no process: watched while they run")
def hooks_stay_inside(trial: Trial) -> Iterator[Fault]:
    for moment in trial.moments(playing=False):
        guard = Guard()
        _watch(trial, moment, guard)
        for hook, what in dict.fromkeys(guard.found):
            yield Fault(
                f"The hook {hook} {what}.", hook, moment.case, moment.step,
                lines=["chance comes from table.shuffle, below, pick or the given rng; files are read when the plugin is imported"],
            )  # fmt: skip


def _watch(trial: Trial, moment: Moment, guard: Guard) -> None:
    match = branch(moment.match)
    open_calls: list[Any] = []

    def before(hook: str, arguments: dict[str, Any]) -> None:
        watch = guard.around(hook)
        watch.__enter__()
        open_calls.append(watch)

    def after(hook: str, arguments: dict[str, Any], noted: None) -> None:
        open_calls.pop().__exit__(None, None, None)

    with monitored(match.rules, before, after):
        for call in calls(trial, moment, match):
            _call(call)
        _call(lambda: again(match, moment))
    fresh = new_match(trial.game, moment.case)
    with monitored(fresh.rules, before, after):
        _call(lambda: fresh.deal(hand_seed(moment.case, 1)))
    for name, bot in trial.game.bots.items():
        for seat in moment.asked[:1]:
            try:
                view = moment.match.view(seat)
            except CarteadoError:
                continue
            with guard.around(f"bots[{name!r}]"):
                bot().choose(view, trial.rng("outside", name))


def _call(call: Callable[[], object]) -> None:
    try:
        call()
    except CarteadoError:
        return  # other checks are about what fails


@check("the source of the game names no clock, no chance of its own, no file, no socket and no process")
def source_stays_inside(trial: Trial) -> Iterator[Fault]:
    for use in uses(trial.game):
        yield Fault(f"{Path(use.file).name}, line {use.line}: {use.what}", lines=[f"in {use.file}"])
