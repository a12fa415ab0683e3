"""Captions of the table for clients: titles, the sentence that says what is wanted, badges, panels, labels, sort orders."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from carteado.core.api import C, L, P

from .groups import Group
from .rules import FACES, LAST_PHASE, RUN, SET, by_colour, by_number
from .seen import group_seen
from .texts import Message, phase_named

SORTS: list[dict[str, Any]] = [
    {"name": ["dd.sort.number", {}], "order": sorted(FACES, key=by_number)},
    {"name": ["dd.sort.colour", {}], "order": sorted(FACES, key=by_colour)},
]


def group_named(group: Group) -> Message:
    """Name a group on the table: `set of 9`, `run 3-7`, `red`."""
    if group.kind == RUN:
        return ["dd.label.run", {"low": group.low, "high": group.high}]
    if group.kind == SET:
        return ["dd.label.set", {"number": group.of}]
    return ["dd.label.colour", {"colour": [f"suit.{group.of}", {}]}]


def groups_shown(key: str, groups: Sequence[Group], **more: Any) -> Message:
    """Show one group or two, card by card: the message `key.1` with {a}, or `key.2` with {a} and {b}."""
    shown = {name: L([C(face) for face in group.cards]) for name, group in zip("ab", groups, strict=False)}
    return [f"{key}.{len(groups)}", {**more, **shown}]


def layout(view: dict[str, Any]) -> dict[str, Any]:
    """Return the captions for one viewer."""
    facts = view["vars"]
    phases = facts.get("phases") or view["facts"].get("phases") or [1] * len(view["seats"])
    zones = {zone["name"]: zone for zone in view["zones"]}
    groups = [zone for zone in view["zones"] if zone["kind"] == "group"]
    title: list[Message] = [["dd.title.hand", {"n": view["hand"]["number"]}]]
    if view["table"]["options"]["until_three"]:
        title.append(["dd.title.until_three", {}])
    labels: dict[str, Message] = {zone["name"]: group_named(group_seen(zone)) for zone in groups}
    labels |= {"stock": ["dd.zone.stock", {}], "discard": ["dd.zone.discard", {}]}
    labels |= {name: ["dd.zone.hand", {"who": P(zone["owner"])}] for name, zone in zones.items() if name[:5] == "hand/"}
    labels |= {name: ["dd.zone.aside", {}] for name in zones if name[:6] == "aside/"}
    return {
        "title": title,
        "prompt": _prompt(view, phases),
        "badges": [_badges(seat["seat"], phases, facts) for seat in view["seats"]],
        "panels": [_phase_panel(phases[view["you"]] if view["you"] is not None else 0), _points_panel(view["seats"], phases)],
        "labels": labels,
        "order": [*(zone["name"] for zone in groups), "stock", "discard"],
        "sorts": SORTS,
    }


def _prompt(view: dict[str, Any], phases: Sequence[int]) -> Message:
    if view["phase"] == "over":
        winners = [seat for group in view["end"]["places"][:1] for seat in group]
        return ["dd.prompt.over", {"who": L([P(seat) for seat in winners])}]
    if view["phase"] != "playing":
        return ["dd.prompt.dealing", {}]
    if not view["prompts"]:
        asked = [seat["seat"] for seat in view["seats"] if seat["asked"]]
        return ["dd.prompt.wait", {"who": P(asked[0])}] if asked else ["dd.prompt.dealing", {}]
    prompt = view["prompts"][0]
    forms = {form["type"]: form for form in prompt["forms"]}
    return _prompt_to_draw(forms) if prompt["stage"] == "draw" else _prompt_to_play(forms, phases[view["you"]])


def _prompt_to_draw(forms: dict[str, Any]) -> Message:
    if forms["take"]["blocked"]:
        return ["dd.prompt.draw.stock", {}]
    return ["dd.prompt.draw.discard", {}] if forms["draw"]["blocked"] else ["dd.prompt.draw", {}]


def _prompt_to_play(forms: dict[str, Any], number: int) -> Message:
    lay, hit = forms["lay"]["blocked"], forms["hit"]["blocked"]
    if lay is None:
        return ["dd.prompt.lay", {"phase": phase_named(number)}]
    if lay[0] == "phase_missing":
        return ["dd.prompt.far", lay[1]]
    return ["dd.prompt.hit", {}] if hit is None else ["dd.prompt.discard", {}]


def _badges(seat: int, phases: Sequence[int], facts: dict[str, Any]) -> list[Message]:
    """Return phase, laid, about to lose a turn; clients count the cards themselves."""
    if phases[seat] > LAST_PHASE:
        return [["dd.badge.finished", {}]]
    badges: list[Message] = [["dd.badge.phase", {"n": phases[seat]}]]
    if seat in facts.get("laid", ()):
        badges.append(["dd.badge.laid", {}])
    if seat in facts.get("skips", ()):
        badges.append(["dd.badge.skipped", {}])
    return badges


@cache
def _phase_panel(own: int) -> dict[str, Any]:
    lines: list[Message] = []
    for number in range(1, LAST_PHASE + 1):
        key = "dd.panel.phase.own" if number == own else "dd.panel.phase.done" if number < own else "dd.panel.phase"
        lines.append([key, {"n": number, "phase": phase_named(number)}])
    return {"title": ["dd.panel.phases", {}], "lines": lines}


def _points_panel(seats: Sequence[dict[str, Any]], phases: Sequence[int]) -> dict[str, Any]:
    lines: list[Message] = []
    for seat in seats:
        args: dict[str, Any] = {"who": P(seat["seat"]), "n": seat["points"]}
        if seat["place"] is not None:
            lines.append(["dd.panel.place", args | {"place": seat["place"]}])
        else:
            lines.append(["dd.panel.points.line", args | {"phase": min(phases[seat["seat"]], LAST_PHASE)}])
    return {"title": ["dd.panel.points", {}], "lines": lines}
