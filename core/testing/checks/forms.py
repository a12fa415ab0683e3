"""Forms: never narrower than the rules, every offer real, and the game's own advice accepted."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from ...bots.sample import held
from ...errors import PluginFault, Refused
from ..faults import Fault, brief
from ..question import Action, Question, singles
from ..recording import Moment
from ..registry import check
from ..trial import Trial

Seen = dict[tuple[str, str, int], dict[str, Any]]


def questions(trial: Trial, most: int | None = None) -> Iterator[tuple[Moment, Question, random.Random]]:
    """Iterate over open prompts, each with randomness of its own; moments where `options` fails belong to other checks."""
    for moment in trial.moments(most):
        for seat in moment.asked:
            try:
                question = Question(moment.match, seat)
            except PluginFault:
                continue
            yield moment, question, trial.rng("question", moment.case.seed, moment.step, seat)


def _advised(question: Question, rng: random.Random) -> Iterator[tuple[str, Action]]:
    """Iterate over the game's advice; a hook that raises belongs to `runs_without_faults`."""
    try:
        yield from question.advice(rng)
    except PluginFault:
        return


@check("what suggest, hints, sample and the game's computer players choose is accepted")
def advice_is_legal(trial: Trial) -> Iterator[Fault]:
    for number, (moment, question, rng) in enumerate(questions(trial)):
        advice = list(_advised(question, rng))
        levels = list(trial.game.bots)
        for level in levels[number % len(levels) :][:1] if levels else []:
            advice.append((f"bots[{level!r}]", trial.game.bots[level]().choose(moment.match.view(question.seat), rng)))
        for hook, action in advice:
            try:
                refusal = question.refusal(action)
            except PluginFault:
                continue  # turn fails: see runs_without_faults
            if refusal is not None:
                yield Fault(
                    f"{brief(action)} is refused: {refusal}", hook, moment.case, moment.step, question.seat,
                    lines=[f"at stage {question.prompt.stage!r}"],
                )  # fmt: skip


@check("the forms of a prompt have different types and keys, at most one open default, and name zones that the seat's view shows")
def forms_are_clear(trial: Trial) -> Iterator[Fault]:
    for moment, question, _ in questions(trial):
        for what in _unclear(question):
            yield Fault(f"{what} (stage {question.prompt.stage!r})", "options", moment.case, moment.step, question.seat)


def _unclear(question: Question) -> Iterator[str]:
    forms = question.view["prompts"][0]["forms"]
    shown = {zone["name"] for zone in question.view["zones"]}
    if not forms:
        yield "There is no form at all."
    for part, what in (("type", "of the type"), ("key", "with the key")):
        values = [form[part] for form in forms if form[part] is not None]
        twice = next((value for value in values if values.count(value) > 1), None)
        if twice is not None:
            yield f"There are two forms {what} {twice!r}; only the first is ever used."
    defaults = [form["type"] for form in question.open_forms if form["default"]]
    if len(defaults) > 1:
        yield f"There are several open default forms: {', '.join(defaults)}."
    for form in forms:
        for name, field in form["fields"].items():
            for zone in [field["zone"]] if "zone" in field else field.get("zones", ()):
                if zone not in shown:
                    yield f"The field {name!r} of the form {form['type']!r} names the zone {zone!r}, which the seat's view does not show."
        if form["on"] is not None and form["on"] not in shown:
            yield f"The form {form['type']!r} is on the zone {form['on']!r}, which the seat's view does not show."


@check("every form that is not blocked can be filled, and every card and choice it offers occurs in a filling that is accepted")
def offers_are_real(trial: Trial) -> Iterator[Fault]:
    for moment, question, rng in questions(trial):
        advice = [action for _, action in _advised(question, rng)]
        for form in question.open_forms:
            good = [action for action in advice if action.get("type") == form["type"] and question.accepts(action)]
            good += [action for action in question.drawn(form, rng, 6) if question.accepts(action)]
            for name, value in _offers(question, form):
                found = next((action for action in good if _contains(form, action, name, value)), None)
                found = found or _search(trial, question, form, name, value, rng)
                if found is None:
                    yield _unreal(trial, moment, question, form, name, value)
                    break
                good.append(found)


def _offers(question: Question, form: dict[str, Any]) -> Iterator[tuple[str | None, Any]]:
    """Iterate over what a form offers: the form itself (None), then each card and each value of each field."""
    yield None, None
    for name, field in form["fields"].items():
        if field["kind"] == "pick":
            yield from ((name, face) for face in sorted(set(question.offered(field))))
        else:
            yield from ((name, value) for value in singles(field))


def _contains(form: dict[str, Any], action: Action, name: str | None, value: Any) -> bool:
    if name is None:
        return True
    given = action.get(name)
    if form["fields"][name]["kind"] == "pick":
        return given is not None and value in given
    return type(given) is type(value) and given == value


def _search(trial: Trial, question: Question, form: dict[str, Any], name: str | None, value: Any, rng: random.Random) -> Action | None:
    own = getattr(trial.game, "fill", None)
    if own is not None and name is not None:
        action: Action | None = own(question.view, form, name, value)
        if action is not None and _contains(form, action, name, value) and question.accepts(action):
            return action
    fixed = {} if name is None else {name: value}
    tries = question.fillings(form, rng, trial.effort.fillings, **fixed)
    found = next((action for action in tries if question.accepts(action)), None)
    if found is None:
        more = question.drawn(form, rng, trial.effort.fillings // 4)
        found = next((action for action in more if _contains(form, action, name, value) and question.accepts(action)), None)
    return found


def _unreal(trial: Trial, moment: Moment, question: Question, form: dict[str, Any], name: str | None, value: Any) -> Fault:
    offer = f"the form {form['type']!r}" if name is None else f"{value!r} in field {name!r} of the form {form['type']!r}"
    lines = [f"at stage {question.prompt.stage!r}"]
    first = next(question.fillings(form, random.Random(0), 1, **({} if name is None else {name: value})), None)
    if first is not None:
        refusal = _refusal(question, first)
        lines.append(f"for example {brief(first)} is refused: {refusal}")
    lines.append("offer only what can be used, block the form, or help the kit with `sample` or a method fill(view, form, field, value)")
    return Fault(f"{offer} is offered, and no accepted filling was found", "options", moment.case, moment.step, question.seat, lines=lines)


def _refusal(question: Question, action: Action) -> Refused | PluginFault | None:
    try:
        return question.refusal(action)
    except PluginFault as fault:
        return fault


@check("no form is narrower than the rules: what turn accepts, the forms accept")
def forms_are_not_narrow(trial: Trial) -> Iterator[Fault]:
    seen = _seen(trial)
    for moment, question, rng in questions(trial):
        for source, base, action in _candidates(question, seen, rng):
            refusal = question.form_refusal(action)
            if refusal is None or refusal.code not in ("not_offered", "blocked"):
                continue
            outcome = question.by_the_rules(action)
            if outcome is None or (base is not None and outcome == question.by_the_rules(base)):
                continue  # refused as it should be; or turn does not look at the field at all
            yield Fault(
                f"turn accepts {brief(action)}, the forms refuse it: {refusal}", "options", moment.case, moment.step, question.seat,
                lines=[
                    f"{source}, at stage {question.prompt.stage!r}",
                    "offer it, or let turn refuse it too: turn alone decides, forms may only be wider",
                ],
            )  # fmt: skip
            break


def _seen(trial: Trial) -> Seen:
    """Return the open forms of all moments by stage, type and seat, with every value that a choice or target ever offered."""
    seen: Seen = {}
    for _, question, _ in questions(trial, 10 * trial.effort.moments):
        for form in question.open_forms:
            known = seen.setdefault((question.prompt.stage, form["type"], question.seat), {**form, "fields": {}})
            for name, field in form["fields"].items():
                values = known["fields"].setdefault(name, {"field": field, "values": []})["values"]
                values += [value for value in singles(field) if value not in values]
    return seen


def _candidates(question: Question, seen: Seen, rng: random.Random) -> Iterator[tuple[str, Action | None, Action]]:
    """Iterate over actions that the rules may allow and the forms may not: where each is from, what it was made of, the action."""
    yield from ((source, None, action) for source, action in _advised(question, rng))
    for form in question.open_forms:
        base = next((action for action in question.drawn(form, rng, 10) if question.accepts(action)), None)
        if base is not None:
            known = seen.get((question.prompt.stage, form["type"], question.seat), {"fields": {}})["fields"]
            for name, field in form["fields"].items():
                if field.get("optional") and question.accepts({key: value for key, value in base.items() if key != name}):
                    continue  # not needed here, so turn may not even look at it
                ever = known.get(name, {"values": []})["values"]
                for value in _unoffered(question, field, ever, base.get(name), rng):
                    yield f"field {name!r} of the open form {form['type']!r}", base, {**base, name: value}
    for form in question.view["prompts"][0]["forms"]:
        known = seen.get((question.prompt.stage, form["type"], question.seat), {})
        if form["blocked"] is not None and known:
            fields = {name: _anything(entry) for name, entry in known["fields"].items()}
            for action in question.fillings({"type": form["type"], "fields": fields}, rng, 40):
                yield f"the form {form['type']!r} is blocked now, and open at other times", None, action


def _unoffered(question: Question, field: dict[str, Any], ever: list[Any], given: Any, rng: random.Random) -> list[Any]:
    """Return values that a field does not offer, although other moments or the zone suggest them."""
    kind = field["kind"]
    if kind == "pick":
        offered = question.offered(field)
        strange = sorted({face for face in held(question.view, field["zone"]) if face not in offered})
        rest = list(given or [])[1:] if given else []
        return [[face, *rest] for face in strange]
    if kind == "number":
        low, high, of = field["low"], field["high"], field["of"]
        return [] if of is None else [value for value in range(low, min(high, low + 40) + 1) if value not in of]
    if kind == "place":
        filled = _filled(question.view, field["zone"])
        return [place for place in filled if place not in field["places"]][:40]
    return [value for value in ever if value not in singles(field)]


def _filled(view: dict[str, Any], zone: str) -> list[int]:
    return [i for shown in view["zones"] if shown["name"] == zone for i, face in enumerate(shown["cards"] or []) if face]


def _anything(entry: dict[str, Any]) -> dict[str, Any]:
    """Return a field that offers whatever it offered at any time; a pick offers all that the seat holds."""
    field: dict[str, Any] = entry["field"]
    kind = field["kind"]
    if kind == "pick":
        return {**field, "cards": None}
    if kind == "choice":
        return {**field, "of": [{"value": value} for value in entry["values"]]}
    if kind == "number":
        return {**field, "of": entry["values"]}
    return {**field, "places" if kind == "place" else "zones": entry["values"]} if kind in ("place", "target") else field
