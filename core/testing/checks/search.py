"""Search: a world made of a view fits the view, and the game's own search state allows what the rules allow."""

from __future__ import annotations

import random
from collections.abc import Iterator

from ...bots.fillings import fillings
from ...bots.state import key, search_state
from ...bots.world import determinise, rebuild
from ...errors import CarteadoError
from ..faults import Fault, brief, difference
from ..question import Question
from ..registry import NothingToCheck, check
from ..trial import Trial
from .forms import questions

ALIKE = ("zones", "vars", "mine", "facts", "hand", "you")
SEARCHING = ("rollout", "tree")
MOST = 400


@check("a world that a seat must reckon with, made of its view, shows the seat that view again")
def worlds_fit_the_view(trial: Trial) -> Iterator[Fault]:
    if not _searches(trial):
        raise NothingToCheck("the game claims no player that searches (levels), and has no determinise hook")
    for moment, question, rng in questions(trial):
        try:
            match = rebuild(question.match.rules, determinise(question.match.rules, question.view, rng), rng)
            view = match.view(question.seat, captions=False)
        except CarteadoError as error:
            yield Fault(f"No world can be made of the view: {error}", "determinise", moment.case, moment.step, question.seat)
            continue
        if match.table.all_cards() != sorted(trial.game.pack(match.options)):
            yield Fault("The world does not hold the cards of the pack.", "determinise", moment.case, moment.step, question.seat)
            continue
        for part in ALIKE:
            found = difference(question.view[part], view[part], part)
            if found:
                what = f"The world shows the seat another {found[0]}: {brief(found[2], 60)} instead of {brief(found[1], 60)}."
                yield Fault(what, "determinise", moment.case, moment.step, question.seat)
                break
        else:
            found = difference(question.view["prompts"][0]["forms"], view["prompts"][0]["forms"], "forms")
            if found:
                yield Fault(f"In the world the seat is offered another {found[0]}.", "determinise", moment.case, moment.step, question.seat)


def _searches(trial: Trial) -> bool:
    generic = [level for level in trial.game.levels if level in SEARCHING and level not in trial.game.bots]
    return bool(generic) or has_hook(trial, "determinise")


def has_hook(trial: Trial, hook: str) -> bool:
    """Tell whether the game implements an optional hook."""
    return hasattr(getattr(type(trial.game), hook, None), "carteado_impl")


@check("such a world can be played on: it has legal actions and no hook fails in it")
def worlds_can_be_played(trial: Trial) -> Iterator[Fault]:
    if not _searches(trial):
        raise NothingToCheck("the game claims no player that searches (levels), and has no determinise hook")
    for moment, question, rng in questions(trial):
        try:
            what = _stuck(question, rng)
        except CarteadoError as error:
            what = str(error)
        if what:
            yield Fault(f"In a world made of the view: {what}", "determinise or search_state", moment.case, moment.step, question.seat)


def _stuck(question: Question, rng: random.Random) -> str:
    """Play a few random actions in a world; return what stops it, if anything does."""
    state = search_state(question.match.rules, question.view, rng)
    for number in range(6):
        if state.over():
            break
        legal = state.legal()
        if not legal:
            return f"seat {state.mover()} has no legal action after {number} actions"
        state.apply(rng.choice(legal), rng)
    return ""


@check("the game's own search state allows exactly what the rules allow, copies itself, and comes to an end")
def search_state_agrees(trial: Trial) -> Iterator[Fault]:
    if not has_hook(trial, "search_state"):
        raise NothingToCheck("the game has no search_state hook")
    for moment, question, rng in questions(trial):
        if question.match.table._sealed:
            continue  # worlds of half-answered sealed questions are not made
        try:
            yield from (Fault(what, "search_state", moment.case, moment.step, question.seat) for what in _wrong(question, rng))
        except CarteadoError as error:
            yield Fault(str(error), "search_state", moment.case, moment.step, question.seat)


def _wrong(question: Question, rng: random.Random) -> Iterator[str]:
    state = search_state(question.match.rules, question.view, rng)
    own = {key(action): action for action in state.legal()}
    for action in own.values():
        refusal = question.refusal(action)
        if refusal is not None:
            yield f"legal() offers {brief(action)}, which is refused: {refusal}"
            return
    counted = [fillings(question.view, form, 200) for form in question.open_forms]
    if None not in counted and state.mover() == question.seat:
        missing = [action for actions in counted for action in actions or () if question.accepts(action) and key(action) not in own]
        if missing:
            yield f"legal() misses {brief(missing[0])}"
            return
    before = [key(action) for action in state.legal()]
    other = state.clone()
    for _ in range(MOST):
        if other.over():
            break
        other.apply(rng.choice(other.legal()), rng)
    if not other.over():
        yield f"random play is not over after {MOST} actions"
    elif len(other.returns()) != len(question.view["seats"]):
        yield f"returns() gives {len(other.returns())} values for {len(question.view['seats'])} seats"
    if [key(action) for action in state.legal()] != before:
        yield "playing on in a clone changes the state it was cloned from"
