"""Hints for a person, and random legal fillings of forms."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from carteado.core.api import C

from . import judge
from .captions import group_named, groups_shown
from .distance import Layout, layouts
from .groups import Group, fits, hit
from .phases import match
from .rules import RUN, SKIP, WILD, Face, RuleBroken
from .seen import Seen
from .texts import phase_named

Action = dict[str, Any]


def hints(view: dict[str, Any]) -> list[dict[str, Any]]:
    """Return hints for the seat of a view, best first."""
    seen = Seen(view)
    if seen.stage == "draw":
        return [_hint_to_draw(seen)]
    if seen.stage != "play":
        return []
    found = []
    layout = judge.best_layout(seen) if seen.open("lay") else None
    if layout:
        found.append(_hint_to_lay(seen, layout))
    elif not seen.has_laid:
        found.append({"text": seen.forms["lay"]["blocked"], "action": None, "weight": 3.0})
    played = judge.best_hit(seen) if seen.open("hit") else None
    if played:
        zone, one = played
        text = ["dd.hint.hit", {"card": C(one.face), "group": group_named(seen.groups[zone])}]
        found.append({"text": text, "action": hit_action(seen, zone, one.face, one.low), "weight": 2.0})
    thrown = judge.best_throw(seen)
    found.append({"text": ["dd.hint.discard", {"card": C(thrown)}], "action": discard_action(seen, thrown), "weight": 1.0})
    return found


def _hint_to_draw(seen: Seen) -> dict[str, Any]:
    if seen.open("take") and (judge.worth_taking(seen) or not seen.open("draw")):
        key = "dd.hint.take.fits" if seen.has_laid else "dd.hint.take"
        return {"text": [key, {"card": C(str(seen.top))}], "action": {"type": "take"}, "weight": 1.0}
    return {"text": ["dd.hint.draw", {}], "action": {"type": "draw"}, "weight": 1.0}


def _hint_to_lay(seen: Seen, layout: Layout) -> dict[str, Any]:
    groups = match(seen.phase, layout.groups, layout.low)
    text = groups_shown("dd.hint.lay", groups, phase=phase_named(seen.number))
    return {"text": text, "action": lay_action(layout), "weight": 3.0}


# Actions


def lay_action(layout: Layout) -> Action:
    """Return the action that lays the phase in this way."""
    action: Action = {"type": "lay", "groups": [list(group) for group in layout.groups]}
    if layout.low is not None and WILD in layout.groups[-1]:
        action["low"] = layout.low
    return action


def hit_action(seen: Seen, zone: str, face: Face, low: int | None) -> Action:
    """Return the action that adds one card to a group."""
    action: Action = {"type": "hit", "cards": [face], "group": zone}
    if face == WILD and seen.groups[zone].kind == RUN:
        action["low"] = low or 0
    return action


def discard_action(seen: Seen, face: Face) -> Action:
    """Return the action that discards a card; a skip hits whom it hurts most."""
    action: Action = {"type": "discard", "cards": [face]}
    target = judge.victim(seen) if face == SKIP else None
    return action if target is None else action | {"seat": target}


# Random fillings


def sample(view: dict[str, Any], form: dict[str, Any], rng: random.Random) -> Action | None:
    """Return a random legal filling of a form, None for forms without fields."""
    seen = Seen(view)
    if form["type"] == "lay":
        return _sample_lay(seen, rng)
    if form["type"] == "hit":
        return _sample_hit(seen, form, rng)
    return _sample_discard(seen, rng) if form["type"] == "discard" else None


def _sample_lay(seen: Seen, rng: random.Random) -> Action:
    layout = rng.choice(list(layouts(seen.hand, seen.phase)))
    groups = match(seen.phase, layout.groups, layout.low)
    rest = list(seen.hand)
    for group in groups:
        for face in group.cards:
            rest.remove(face)
    for face in rng.sample(rest, rng.randint(0, min(2, len(rest)))):
        taking = [index for index, group in enumerate(groups) if fits(group, face)]
        if taking:
            index = rng.choice(taking)
            groups[index] = hit(groups[index], [face])
    if rng.random() < 0.3:
        return {"type": "lay", "cards": [face for group in groups for face in group.cards]}
    action: Action = {"type": "lay", "groups": [list(group.cards) for group in groups]}
    runs = [group for group in groups if group.kind == RUN]
    if runs and WILD in runs[0].cards:
        action["low"] = _leading_wilds(runs[0])
    return action


def _leading_wilds(run: Group) -> int:
    return next(place for place, face in enumerate(run.cards) if face != WILD)


def _sample_hit(seen: Seen, form: dict[str, Any], rng: random.Random) -> Action:
    fields = form["fields"]
    zones = list(fields["group"]["zones"])
    offered = [face for face in seen.hand if face in fields["cards"]["cards"]]
    several = rng.sample(offered, rng.randint(1, min(3, len(offered))))
    ends = [None, *seen.choices("hit", "low")]
    for cards, zone, low in ((several, rng.choice(zones), rng.choice(ends)), (several, rng.choice(zones), None)):
        if _accepted(seen.groups[zone], cards, low):
            return {"type": "hit", "cards": cards, "group": zone} | ({} if low is None else {"low": low})
    pairs = [(face, zone) for face in sorted(set(offered)) for zone in zones if fits(seen.groups[zone], face)]
    face, zone = rng.choice(pairs)
    return {"type": "hit", "cards": [face], "group": zone}


def _accepted(group: Group, cards: Sequence[Face], low: int | None) -> bool:
    try:
        hit(group, cards, low)
    except RuleBroken:
        return False
    return True


def _sample_discard(seen: Seen, rng: random.Random) -> Action:
    face = rng.choice(seen.hand)
    action: Action = {"type": "discard", "cards": [face]}
    targets = seen.choices("discard", "seat")
    return action | {"seat": rng.choice(targets)} if face == SKIP and targets else action
