"""Playing: every variant deals, matches run to their end without faults, somebody can always act, no card is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from ...errors import CarteadoError, PluginFault
from ...match import PLAYING
from ..faults import Case, Fault, brief
from ..question import Question
from ..recording import Moment, hand_seed, new_match
from ..registry import check
from ..swaps import branch
from ..trial import Trial, blamed, raised_at


def _of(trial: Trial, name: str) -> Iterator[Fault]:
    for belongs, fault in trial.troubles():
        if belongs == name:
            yield fault


@check("every variant deals its first hand for every number of seats it can be played with, from several seeds")
def deals(trial: Trial) -> Iterator[Fault]:
    for number, (variant, players) in enumerate(trial.combinations):
        for again in range(3):
            case = Case(number + again * len(trial.combinations), players, variant)
            try:
                match = new_match(trial.game, case)
                match.deal(hand_seed(case, 1))
            except CarteadoError as error:
                if blamed("deal", error) == "deals":
                    yield Fault(str(error), "deal", case, lines=raised_at(error.__cause__ or error))
                break
            if match.phase == PLAYING and not set(match.prompts) <= set(match.table.seats):
                yield Fault("deal asks a seat that is not in play", "deal", case)
    yield from _of(trial, "deals")


@check("matches by players that mix the game's advice with random choices end within the bound")
def matches_end(trial: Trial) -> Iterator[Fault]:
    for recording in trial.recordings:
        if not recording.ended and recording.trouble is None and recording.match.q >= trial.bound:
            yield Fault(
                f"The match is not over after {trial.bound} actions ({recording.deals} hands). Is there a way to go on for ever?",
                "scoring", recording.case, recording.match.q, lines=["a game that lasts longer sets `bound`"],
            )  # fmt: skip


@check("whoever is asked can fill in some form so that it is accepted")
def no_dead_ends(trial: Trial) -> Iterator[Fault]:
    for fault in _of(trial, "no_dead_ends"):
        yield Fault(
            fault.what, "options", fault.case, fault.step, fault.seat,
            lines=["offer something that is always possible (a pass), or ask somebody else, or let scoring end the hand"],
        )  # fmt: skip


@check("no hook raises anything but a refusal, and no hook returns nonsense")
def runs_without_faults(trial: Trial) -> Iterator[Fault]:
    yield from _of(trial, "runs_without_faults")
    for moment in trial.moments(playing=False):
        match = branch(moment.match)
        for viewer in moment.viewers:
            try:
                match.view(viewer)
            except CarteadoError as error:
                if blamed("options", error) == "runs_without_faults":
                    yield Fault(str(error), "options", moment.case, moment.step, viewer, lines=raised_at(error.__cause__ or error))
            for fault in match.faults:
                if blamed(fault.hook, fault) == "runs_without_faults":
                    yield Fault(fault.why, fault.hook, moment.case, moment.step, None, viewer, raised_at(fault.__cause__ or fault))
            match.faults.clear()
        yield from _fillings(trial, moment)


def _fillings(trial: Trial, moment: Moment) -> Iterator[Fault]:
    """Try what the forms offer: turn may refuse it, and must not fail."""
    for seat in moment.asked:
        rng = trial.rng("fillings", moment.case.seed, moment.step, seat)
        try:
            question = Question(moment.match, seat)
        except PluginFault:
            continue
        for form in question.open_forms:
            for action in question.fillings(form, rng, 12):
                try:
                    question.refusal(action)
                except PluginFault as fault:
                    if blamed(fault.hook, fault) == "runs_without_faults":
                        what, lines = f"{brief(action)} makes it fail: {fault.why}", raised_at(fault.__cause__ or fault)
                        yield Fault(what, fault.hook, moment.case, moment.step, seat, lines=lines)


@check("all zones together hold exactly the cards of the pack, after every deal and every action")
def cards_are_kept(trial: Trial) -> Iterator[Fault]:
    yield from _of(trial, "cards_are_kept")
    for moment in trial.moments(playing=False):
        pack = Counter(trial.game.pack(moment.match.options))
        held = Counter(moment.match.table.all_cards())
        if held != pack:
            yield Fault(f"missing: {_listed(pack - held)}; too many: {_listed(held - pack)}", "deal or turn", moment.case, moment.step)


def _listed(cards: Counter[Any]) -> str:
    return " ".join(sorted(cards.elements())) or "none"
