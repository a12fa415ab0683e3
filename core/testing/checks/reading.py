"""Hooks that only read: they leave the table, and what they are given, as they were."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from ...errors import CarteadoError
from ...match import PLAYING, Match
from ..faults import Fault
from ..question import Question
from ..recording import Moment
from ..registry import check
from ..swaps import branch
from ..trial import Trial, blamed
from ..watching import Witness, monitored


@check("hooks other than deal, turn and leave leave the state alone, and no hook changes what it is given in place")
def reading_hooks_only_read(trial: Trial) -> Iterator[Fault]:
    for belongs, fault in trial.troubles():
        if belongs == "reading_hooks_only_read":
            yield fault
    for moment in trial.moments(playing=False):
        match = branch(moment.match)
        witness = Witness(match)
        with monitored(match.rules, witness.before, witness.after):
            for call in calls(trial, moment, match):
                try:
                    call()
                except CarteadoError as error:
                    if blamed("", error) == "reading_hooks_only_read":
                        yield Fault(str(error), getattr(error, "hook", None), moment.case, moment.step)
        for hook, what in dict.fromkeys(witness.found):
            yield Fault(f"The hook {hook} {what}.", hook, moment.case, moment.step)


def calls(trial: Trial, moment: Moment, match: Match) -> Iterator[Callable[[], object]]:
    """Iterate over calls that together reach every reading hook."""
    rules, table = match.rules, match.table
    for viewer in moment.viewers:
        yield partial(match.view, viewer)
    for seat in moment.asked:
        yield partial(rules.timeout, table, seat)
        yield partial(_ask, trial, match, seat)
    if match.phase == PLAYING:
        yield partial(rules.scoring, table)
    yield partial(rules.settle, table, [[seat] for seat in table.players])
    yield partial(_observe, match)


def _observe(match: Match) -> None:
    match.rules.observe(match.view(None), [])


def _ask(trial: Trial, match: Match, seat: int) -> None:
    question = Question(match, seat)
    rng = trial.rng("reading", match.q, seat)
    for _, action in question.advice(rng):
        question.accepts(action)


@check("an action that is tried and taken back, or refused, leaves no trace; nor does one that is replayed")
def drafts_leave_no_trace(trial: Trial) -> Iterator[Fault]:
    for moment in trial.moments():
        if moment.seat is None or moment.action is None:
            continue
        match = branch(moment.match)
        before = match.digest()
        if not Question(match, moment.seat).accepts(moment.action):
            continue
        if match.digest() != before:
            yield Fault(
                "turn changes something that taking the action back does not restore.", "turn", moment.case, moment.step, moment.seat,
                lines=["lists and dicts from table.get, kept and facts are read only: build a new one and table.set it"],
            )  # fmt: skip
