"""Draw one random action from the forms of a view."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from ..rules import Rules


def sample_action(rules: Rules, view: dict[str, Any], rng: random.Random) -> dict[str, Any] | None:
    """Return a random filling of a random form that is not blocked, by the game's `sample` or at random; None if none can be filled."""
    forms = [form for form in view["prompts"][0]["forms"] if form["blocked"] is None]
    rng.shuffle(forms)
    for form in forms:
        action = rules.sample(view, form, rng)
        if action is None:
            action = fill(view, form, rng)
        if action is not None:
            return action
    return None


def fill(view: dict[str, Any], form: dict[str, Any], rng: random.Random) -> dict[str, Any] | None:
    """Fill a form at random from what it offers, wherever the rules may set further limits; None when a field offers nothing."""
    action: dict[str, Any] = {"type": form["type"]}
    named: dict[str, list[str]] = {}
    for name, field in form["fields"].items():
        if field.get("optional") and rng.random() < 0.5:
            continue
        value = value_of(view, field, rng, named.get(field.get("zone", ""), ()))
        if value is not None:
            action[name] = value
            if field["kind"] == "pick":
                named[field["zone"]] = [*named.get(field["zone"], ()), *value]
        elif not field.get("optional"):
            return None
    return action


def value_of(view: dict[str, Any], field: dict[str, Any], rng: random.Random, named: Sequence[str] = ()) -> Any:
    """Return a random value for a field, None when it offers nothing (or needs knowledge of the game: groups).

    named: faces of the same zone that another field of the form names already.
    """
    kind = field["kind"]
    if kind == "pick":
        cards = held(view, field["zone"])
        for face in named:
            cards.remove(face)
        if field["cards"] is not None:
            cards = [face for face in cards if face in field["cards"]]
        low, high = field["n"]
        if len(cards) < low:
            return None
        return rng.sample(cards, rng.randint(low, min(high, len(cards))))
    if kind == "choice":
        return rng.choice(field["of"])["value"] if field["of"] else None
    if kind == "number":
        fitting = field["of"] if field["of"] is not None else range(field["low"], field["high"] + 1)
        return rng.choice(fitting) if fitting else None
    if kind == "place":
        return rng.choice(field["places"]) if field["places"] else None
    if kind == "target":
        return rng.choice(field["zones"]) if field["zones"] else None
    return None


def held(view: dict[str, Any], zone: str) -> list[str]:
    """Return the faces that a view shows in a zone."""
    for shown in view["zones"]:
        if shown["name"] == zone:
            return [face for face in shown["cards"] or [] if face not in ("", "?")]
    return []
