"""From what a player did to what is meant: one path for key, click, tap-tap and drop.

`aim` is pointing at a zone or place, `press` is naming a form, `enter` is saying yes. Each gives an outcome: an action to send, a blank
to ask for, a choice between forms, or a sentence why nothing happens. All pure; whether a move is allowed is for the game to say.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .filling import Filling, Fit, Form, Message, Picked, Spot, fit, forms_of, prompt_of

View = Mapping[str, Any]


@dataclass(frozen=True)
class Send:
    """An action is complete."""

    filling: Filling


@dataclass(frozen=True)
class Ask:
    """A blank is missing."""

    filling: Filling


@dataclass(frozen=True)
class Choose:
    """Several forms could be meant."""

    fillings: Sequence[Filling]


@dataclass(frozen=True)
class Say:
    """Nothing happens, and this is why."""

    message: Message
    bad: bool = True


Outcome = Send | Ask | Choose | Say


def aim(view: View, picked: Picked, spot: Spot, label: str) -> Outcome:
    """Find what pointing at a zone (called `label`) or place means, with these cards marked or dropped."""
    prompt = prompt_of(view)
    if prompt is None:
        return Say(_not_now(view))
    aimed = [one for form in forms_of(view) if (one := fit(prompt["id"], form, picked, spot)).aimed]
    if not aimed:
        return Say(["ui.nothing_there", {"zone": label}])
    return _best(aimed, sum(len(faces) for faces in picked.values()))


def press(view: View, form: Form, picked: Picked) -> Outcome:
    """Find what naming a form means; marked cards it has no use for are left alone."""
    prompt = prompt_of(view)
    if prompt is None:
        return Say(_not_now(view))
    if form.get("blocked"):
        return Say(form["blocked"])
    one = fit(prompt["id"], form, picked)
    if one.wrong is not None:
        return Say(one.wrong)
    return _go(one.filling)


def enter(view: View, picked: Picked, sure: bool) -> Outcome:
    """Find what saying yes means: the form the marked cards fit, the default form first.

    `sure` tells whether the cards were marked (or only have the focus, and may be left alone).
    """
    prompt = prompt_of(view)
    if prompt is None:
        return Say(_not_now(view))
    forms = forms_of(view)
    free = [form for form in forms if not form.get("blocked")]
    count = sum(len(faces) for faces in picked.values())
    if count:
        # A card that only has the focus goes where Enter leads by default, never into a form that was not meant.
        willing = free if sure or len(free) == 1 else [form for form in free if form.get("default")]
        fits = [fit(prompt["id"], form, picked) for form in willing]
        taking = [one for one in fits if one.used == count and one.wrong is None]
        if taking:
            return _one_of(taking)
        wrong = [one for one in fits if one.used and one.wrong is not None]
        if wrong and sure:
            return Say(_preferred(wrong).wrong or ["ui.choose", {}])
    default = [form for form in free if form.get("default")] or (free if len(free) == 1 else [])
    if default:
        return _go(fit(prompt["id"], default[0], {}).filling)
    if not free and forms:
        return Say(forms[0]["blocked"])
    return Say(["ui.choose", {}], bad=False)


def _not_now(view: View) -> Message:
    asked = [{"$player": seat["seat"]} for seat in view["seats"] if seat.get("asked")]
    if view["phase"] != "playing" or not asked:
        return ["ui.not_now", {}]
    return ["ui.prompt.wait", {"who": {"$list": asked}, "n": len(asked)}]


def _best(aimed: Sequence[Fit], count: int) -> Outcome:
    free = [one for one in aimed if not one.filling.form.get("blocked")]
    if not free:
        return Say(aimed[0].filling.form["blocked"])
    right = [one for one in free if one.wrong is None]
    taking = [one for one in right if one.used == count]
    if taking:
        return _one_of(taking)
    # Marked cards that a form has no use for do not stand in its way: a click on the stock draws.
    careless = [one for one in right if not one.used and one.filling.missing() is None]
    if careless:
        return _one_of(careless)
    wrong = [one for one in free if one.wrong is not None]
    if wrong:
        return Say(_preferred(wrong).wrong or ["ui.choose", {}])
    return _one_of(right)


def _one_of(fits: Sequence[Fit]) -> Outcome:
    """Take the form that is complete; the default one where several are; let the player choose where none stands out."""
    complete = [one for one in fits if one.complete]
    candidates = complete or list(fits)
    if len(candidates) > 1:
        default = [one for one in candidates if one.filling.form.get("default")]
        candidates = default or candidates
    if len(candidates) == 1:
        return _go(candidates[0].filling)
    return Choose([one.filling for one in candidates])


def _preferred(fits: Sequence[Fit]) -> Fit:
    default = [one for one in fits if one.filling.form.get("default")]
    return (default or list(fits))[0]


def _go(filling: Filling) -> Outcome:
    return Send(filling) if filling.missing() is None else Ask(filling)
