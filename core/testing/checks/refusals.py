"""Actions that cannot be: malformed, foreign, stale, repeated. All are refused with a code, and nothing changes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ...errors import CarteadoError, PluginFault, Refused
from ...match import Match
from ..faults import Fault, brief, not_plain
from ..question import Question
from ..recording import Moment, again
from ..registry import check
from ..swaps import branch
from ..trial import Trial, raised_at
from .forms import questions

CODE = re.compile(r"[a-z][a-z0-9_.]*")
NONSENSE: tuple[Any, ...] = (None, True, -1, 2**62, "", "?", "\x00" * 40, [], [[]], [None], [[["W"]]], {}, {"$card": "W"}, ["?"] * 65)


@check("malformed, foreign, stale and repeated actions are refused with a code, and the state stays as it was")
def nonsense_is_refused(trial: Trial) -> Iterator[Fault]:
    for moment, question, _ in questions(trial, trial.effort.moments // 2):
        match = branch(moment.match)
        before = match.digest()
        for what, seat, prompt, action in _nonsense(moment, question, match):
            try:
                match.act(seat, prompt, action)
            except Refused as refusal:
                yield from _refusal(moment, seat, what, refusal)
            except CarteadoError as error:
                lines = raised_at(error.__cause__ or error)
                yield Fault(f"{what} {brief(action)} makes the table fail: {error}", "turn", moment.case, moment.step, seat, lines=lines)
                match = branch(moment.match)
            else:
                yield Fault(f"{what} {brief(action)} is accepted.", "turn", moment.case, moment.step, seat)
                match = branch(moment.match)
            if match.digest() != before:
                yield Fault(f"{what} {brief(action)} changes the state although it is refused.", "turn", moment.case, moment.step, seat)
                match = branch(moment.match)


def _nonsense(moment: Moment, question: Question, match: Match) -> Iterator[tuple[str, int, Any, Any]]:
    seat, prompt = question.seat, question.prompt.id
    good = moment.action if seat == moment.seat and moment.action else None
    for value in (*NONSENSE, {"type": None}, {"type": "no such thing"}, {"type": ["x"]}, {"type": "x" * 5_000}):
        yield "The malformed action", seat, prompt, value
    for form in question.view["prompts"][0]["forms"]:
        if form["fields"] and not any(field.get("optional") for field in form["fields"].values()):
            yield "An action without its fields", seat, prompt, {"type": form["type"]}
        for name in form["fields"]:
            for value in NONSENSE:
                if value is not None and value != []:
                    yield "The malformed action", seat, prompt, {**(good or {}), "type": form["type"], name: value}
    for face in _foreign(match, seat):
        for form in question.open_forms:
            for name, field in form["fields"].items():
                if field["kind"] == "pick":
                    low = max(field["n"][0], 1)
                    yield "A card that the seat does not hold:", seat, prompt, {**(good or {}), "type": form["type"], name: [face] * low}
    if good is not None:
        for number in (0, -1, prompt + 1_000, "1", None, True):
            yield f"An answer to the prompt {number!r}:", seat, number, good
        if prompt > 1:
            yield "An answer to an old prompt:", seat, prompt - 1, good
        for other in match.table.players:
            if other != seat and match.prompts.get(other) is None:
                yield "An answer by a seat that is not asked:", other, prompt, good
        yield "An action with an unknown field:", seat, prompt, {**good, "no such field": 1}


def _foreign(match: Match, seat: int) -> list[str]:
    """Return a few faces of the pack that the seat sees nowhere."""
    table = match.table
    seen = {face for zone in table.zones() for i, face in enumerate(zone.cards) if face and zone.sees(i, seat, table.team(zone.owner))}
    return sorted({*table.all_cards()} - seen)[:3]


def _refusal(moment: Moment, seat: int, what: str, refusal: Refused) -> Iterator[Fault]:
    if not CODE.fullmatch(refusal.code):
        yield Fault(f"The code {refusal.code!r} is no message key: write a-z, 0-9, _ and dots.", "turn", moment.case, moment.step, seat)
    bad = not_plain(_listed(refusal.data), "data")
    if bad:
        yield Fault(f"The refusal {refusal.code} carries what cannot be sent: {bad}.", "turn", moment.case, moment.step, seat)


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


@check("what turn refuses of a form's fillings, it refuses with a code that can be sent, and the state stays as it was")
def rules_refuse_cleanly(trial: Trial) -> Iterator[Fault]:
    for moment, question, rng in questions(trial):
        before = moment.match.digest()
        for form in question.open_forms:
            for action in question.fillings(form, rng, 12):
                try:
                    refusal = question.refusal(action)
                except PluginFault:
                    continue  # see runs_without_faults
                if refusal is None:
                    continue
                yield from _refusal(moment, question.seat, "", refusal)
                if moment.match.digest() != before:
                    yield Fault(
                        f"{brief(action)} is refused ({refusal}), and yet something changed.",
                        "turn", moment.case, moment.step, question.seat,
                        lines=["lists and dicts from table.get, kept and facts are read only: build a new one and table.set it"],
                    )  # fmt: skip
                    return


@check("an answer given twice is taken once: the second time it is stale")
def repeats_are_stale(trial: Trial) -> Iterator[Fault]:
    for moment in trial.moments():
        match = branch(moment.match)
        if moment.seat is None or again(match, moment) is None:
            continue
        prompt = moment.match.prompts[moment.seat].id
        before = match.digest()
        try:
            match.act(moment.seat, prompt, moment.action)
        except Refused as refusal:
            if match.digest() != before or refusal.code not in ("stale", "over", "not_playing"):
                yield Fault(f"The repeated action is refused with {refusal}.", "turn", moment.case, moment.step, moment.seat)
        else:
            yield Fault("The repeated action is taken again.", "turn", moment.case, moment.step, moment.seat)
