"""Captions of the table for clients: titles, the sentence that says what is wanted, badges, panels, labels, sort orders."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
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
    """Return the captions for one viewer; messages that stay as they were are made once."""
    facts, you = view["vars"], view["you"]
    phases = facts.get("phases") or view["facts"].get("phases") or [1] * len(view["seats"])
    zones = view["zones"]
    groups = tuple([(zone["name"], group_seen(zone)) for zone in zones if zone["kind"] == "group"])
    title: list[Message] = [["dd.title.hand", {"n": view["hand"]["number"]}]]
    if view["table"]["options"]["until_three"]:
        title.append(["dd.title.until_three", {}])
    points = tuple([(seat["seat"], seat["points"], seat["place"], phases[seat["seat"]]) for seat in view["seats"]])
    return {
        "title": title,
        "prompt": _prompt(view, phases),
        "badges": [[*badges] for badges in _badges(tuple(phases), tuple(facts.get("laid", ())), tuple(facts.get("skips", ())))],
        "panels": [
            {"title": ["dd.panel.phases", {}], "lines": [*_phase_lines(phases[you] if you is not None else 0)]},
            {"title": ["dd.panel.points", {}], "lines": [*_points_lines(points)]},
        ],
        "labels": {**_labels(groups, tuple([(zone["name"], zone["owner"]) for zone in zones if zone["kind"] != "group"]))},
        "order": [*(name for name, _ in groups), "stock", "discard"],
        "sorts": SORTS,
    }


@lru_cache(256)
def _labels(groups: Sequence[tuple[str, Group]], others: Sequence[tuple[str, int | None]]) -> dict[str, Message]:
    labels: dict[str, Message] = {name: group_named(group) for name, group in groups}
    labels |= {"stock": ["dd.zone.stock", {}], "discard": ["dd.zone.discard", {}]}
    labels |= {name: ["dd.zone.hand", {"who": P(owner)}] for name, owner in others if name[:5] == "hand/" and owner is not None}
    return labels | {name: ["dd.zone.aside", {}] for name, _ in others if name[:6] == "aside/"}


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


@lru_cache(256)
def _badges(phases: Sequence[int], laid: Sequence[int], skips: Sequence[int]) -> list[list[Message]]:
    """Return for each seat its phase, laid, about to lose a turn; clients count the cards themselves."""
    shown: list[list[Message]] = []
    for seat, phase in enumerate(phases):
        if phase > LAST_PHASE:
            shown.append([["dd.badge.finished", {}]])
            continue
        badges: list[Message] = [["dd.badge.phase", {"n": phase}]]
        if seat in laid:
            badges.append(["dd.badge.laid", {}])
        if seat in skips:
            badges.append(["dd.badge.skipped", {}])
        shown.append(badges)
    return shown


@cache
def _phase_lines(own: int) -> list[Message]:
    lines: list[Message] = []
    for number in range(1, LAST_PHASE + 1):
        key = "dd.panel.phase.own" if number == own else "dd.panel.phase.done" if number < own else "dd.panel.phase"
        lines.append([key, {"n": number, "phase": phase_named(number)}])
    return lines


@lru_cache(256)
def _points_lines(seats: Sequence[tuple[int, int, int | None, int]]) -> list[Message]:
    """Return the points, and place or phase, of each `(seat, points, place, phase)`."""
    lines: list[Message] = []
    for seat, points, place, phase in seats:
        args: dict[str, Any] = {"who": P(seat), "n": points}
        if place is not None:
            lines.append(["dd.panel.place", args | {"place": place}])
        else:
            lines.append(["dd.panel.points.line", args | {"phase": min(phase, LAST_PHASE)}])
    return lines
