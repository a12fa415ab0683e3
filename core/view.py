"""What one seat, or a watcher, may see: the only place where the state is redacted.

A view is whole, JSON-safe and holds message keys with typed arguments, never sentences. Everything in it follows from the declared
visibility of zones and facts; `layout` and `hints` of the game get the redacted view, so they cannot give anything away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .encoding import copied
from .errors import PluginFault
from .zones import HIDDEN, NONEMPTY, VISIBLE, Viewer, Zone, ZoneName, visible

if TYPE_CHECKING:
    from .match import Match

LOG_SHOWN = 30
Seen = dict[ZoneName, tuple[Zone, dict[str, Any] | None]]
"""Zones, and what one viewer sees of them."""


def view(match: Match, viewer: Viewer, captions: bool = True, own: bool = True) -> dict[str, Any]:
    """Return the whole view of a seat, or of a watcher (None).

    captions: whether to ask the game for layout and hints. own: whether the caller may keep and change the view; else parts of it are
    shared with other views of this version and with the match, to be encoded or looked at and nothing else.
    """
    table = match.table
    result: dict[str, Any] = {
        **_shared(match),
        "you": viewer,
        "zones": _zones(match, viewer),
        "mine": table._mine.get(viewer, {}) if viewer is not None else {},
        "prompts": [],
        "layout": {},
        "log": _log(match, viewer),
    }
    if viewer is not None and viewer in table._prompts:
        prompt = table._prompts[viewer]
        forms = [form.wire() for form in (match.forms(viewer) if own else match.offered(viewer))]
        result["prompts"] = [{"id": prompt.id, "stage": prompt.stage, "forms": forms, "hints": []}]
    if viewer is not None and viewer in table._sealed:
        result["sealed"] = table._sealed[viewer]
    if own:
        try:
            result = copied(result)
        except (TypeError, ValueError, OverflowError, RecursionError) as error:
            raise PluginFault(match.game.name, "options", f"a form holds what cannot be sent: {error}") from error
    if captions:
        _caption(match, result, own)
    return result


def _shared(match: Match) -> dict[str, Any]:
    """Return what all views of this version have in common; made once, and nothing in it is the match's own."""
    q = match.q
    if match._shared is None or match._shared["q"] != q:
        table = match.table
        match._shared = {
            "table": {"id": match.id, "options": _copy(match, "options", match.options)},
            "game": match.game.name,
            "version": match.game.version,
            "title": match.game.title or match.game.name,
            "q": q,
            "phase": match.phase,
            "hand": {"number": table.hand, "dealer": table.dealer, "start": table.start},
            "seats": [_seat(match, seat) for seat in table.players],
            "vars": copied(table._vars),
            "facts": _copy(match, "facts", table.kept_facts),
            "result": _copy(match, "result", match.result),
            "end": _copy(match, "end", match.end),
        }
    return match._shared


def _copy(match: Match, name: str, value: Any) -> Any:
    """Return a copy of what is replaced seldom and never changed."""
    known = match._copies.get(name)
    if known is None or known[0] is not value:
        known = match._copies[name] = value, copied(value)
    return known[1]


def _zones(match: Match, viewer: Viewer) -> list[dict[str, Any]]:
    """Return what the viewer sees of each zone; of one that has not changed, what was made for this viewer before."""
    table = match.table
    before, now, shown = match._zones.get(viewer, {}), Seen(), []
    for name, zone in table._zones.items():
        seen = before.get(name)
        if seen is None or seen[0] is not zone:
            seen = zone, zone_view(zone, viewer, table.team(zone.owner))
        now[name] = seen
        if seen[1] is not None:
            shown.append(seen[1])
    match._zones[viewer] = now
    return shown


def _caption(match: Match, result: dict[str, Any], own: bool) -> None:
    """Add the game's captions and hints; a plugin that fails here costs its captions, not the table, and is kept in `match.faults`."""
    try:
        keep = copied if own else _as_it_is
        result["layout"] = keep(match.rules.layout(result))
        for prompt in result["prompts"]:
            prompt["hints"] = keep([{"text": hint["text"], "action": hint.get("action")} for hint in match.rules.hints(result)])
    except PluginFault as fault:
        match.note(fault)
    except Exception as error:
        match.note(PluginFault(match.game.name, "layout or hints", f"{type(error).__name__}: {error}"))


def _as_it_is(value: Any) -> Any:
    return value


def _seat(match: Match, seat: int) -> dict[str, Any]:
    table = match.table
    place = _place(match, seat)
    if seat in match.gone:
        state = "left"
    elif any(seat in group for group in match.finished):
        state = "finished"
    else:
        state = "in" if seat in table.seats else "out"
    return {
        "seat": seat,
        "name": match.seats[seat]["name"],
        "bot": match.seats[seat]["bot"],
        "state": state,
        "left": seat in match.left,
        "points": table.points(seat),
        "place": place,
        "asked": table.asked(seat),
        "sealed": seat in table._prompts and table._prompts[seat].sealed,
        "ready": seat in table._sealed,
    }


def _place(match: Match, seat: int) -> int | None:
    place = 1
    for group in match.end["places"] if match.end else match.finished:
        if seat in group:
            return place
        place += len(group)
    return None


def zone_view(zone: Zone, viewer: Viewer, team: frozenset[int]) -> dict[str, Any] | None:
    """Return what a viewer may see of a zone, None if not even that it is there."""
    level = zone.level(viewer, team)
    if level == HIDDEN:
        return None
    shown: dict[str, Any] = {"name": zone.name, "kind": zone.kind, "owner": zone.owner, "see": list(zone.see)}
    shown["n"] = len(zone.cards) if level != NONEMPTY else None
    if level == VISIBLE and zone.marks is None:
        shown["cards"] = list(zone.cards)
    elif level == NONEMPTY:
        shown["cards"] = None
        shown["any"] = any(zone.cards)
    elif zone.marks is None:
        shown["cards"] = None if all(zone.cards) else [face and "?" for face in zone.cards]
    else:
        cards = [face if not face or visible(mark, level, viewer) else "?" for face, mark in zip(zone.cards, zone.marks, strict=True)]
        shown["cards"] = cards if any(face != "?" for face in cards) else None
    shown["facts"] = dict(zone.facts)
    return shown


def _log(match: Match, viewer: Viewer) -> list[Any]:
    shown = [
        message
        for message, only, but in match.table._log[-2 * LOG_SHOWN :]
        if (only is None or only == viewer) and (but is None or but != viewer)
    ]
    return shown[-LOG_SHOWN:]
