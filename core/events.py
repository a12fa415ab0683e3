"""Committed events, and what each viewer may know of them.

Inside, an event is a tuple that remembers who could see what when it happened. Outside it is a dict: the public part (what a watcher
sees), and under `mine` what this viewer sees beyond it. The public chain covers the public parts only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from .encoding import canonical
from .zones import FOLLOW, HIDDEN, LEN, VISIBLE, Mark, Seat, See, Viewer, level, visible

Event = tuple[Any, ...]
Teams = Sequence[frozenset[Seat]]
TICK: dict[str, Any] = {"k": "tick"}
START = b"carteado/public/1"


def project(event: Event, viewer: Viewer, teams: Teams = (), public: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return what a viewer may know of an event: the public part, and `mine` with what the viewer knows beyond it.

    public: the public part, if it is known already.
    """
    kind = event[0]
    show = _SHOWN[kind]
    if public is None:
        public = show(event, None, teams)
    if viewer is None or kind in _SAME or _no_secret(event, viewer, teams):
        return public
    own = show(event, viewer, teams)
    if own == public:
        return public
    if public == TICK:
        return {"k": "tick", "mine": own}
    return public | {"mine": {key: value for key, value in own.items() if public.get(key) != value}}


def chained(before: bytes, public: bytes) -> bytes:
    """Return the public chain's next link: SHA-256 of the last link and the canonical encoding of the public events."""
    return hashlib.sha256(before + public).digest()


def chained_public(before: bytes, events: Sequence[dict[str, Any]]) -> bytes:
    """Return the same link from received events, by leaving out what is `mine`; for clients."""
    public = [{key: value for key, value in event.items() if key != "mine"} for event in events]
    return chained(before, canonical(public))


def _level(owner: Seat | None, see: See, viewer: Viewer, teams: Teams) -> str:
    return level(owner, see, viewer, teams[owner] if teams and owner is not None else frozenset())


def _no_secret(event: Event, viewer: Viewer, teams: Teams) -> bool:
    """Tell, at a glance, whether a seat knows of an event what watchers know; False may still come to the same."""
    kind = event[0]
    if kind == "say":
        return event[2] is None
    if kind == "set":
        return event[3] is None
    if kind != "move" or teams or event[8] is not None:
        return False
    return _stranger(event[6], event[7], viewer) and _stranger(event[9], event[10], viewer)


def _stranger(owner: Seat | None, see: See, viewer: Viewer) -> bool:
    """Tell whether a seat knows of a zone, in a game without teams, what watchers know."""
    return see[3] == (see[0] if viewer == owner else see[2])


def _cards(faces: Sequence[str], marks: Sequence[Mark] | None, seen: str, viewer: Viewer) -> list[str] | None:
    if marks is None:
        return list(faces) if seen == VISIBLE and faces else None
    shown = [face if not face or visible(mark, seen, viewer) else "?" for face, mark in zip(faces, marks, strict=True)]
    return shown if any(face != "?" for face in shown) else None


def _move(event: Event, viewer: Viewer, teams: Teams) -> dict[str, Any]:
    _, src, dst, faces, places, to, a_owner, a_see, a_marks, b_owner, b_see, b_mark = event
    a, b = _level(a_owner, a_see, viewer, teams), _level(b_owner, b_see, viewer, teams)
    if a == HIDDEN and b == HIDDEN:
        return TICK
    result: dict[str, Any] = {"k": "move", "from": None if a == HIDDEN else src, "to": None if b == HIDDEN else dst}
    result["n"] = len(faces) if a in (LEN, VISIBLE) or b in (LEN, VISIBLE) else None
    cards = []
    for i, face in enumerate(faces):
        seen = visible(a_marks[i] if a_marks else FOLLOW, a, viewer) or visible(b_mark, b, viewer)
        cards.append(face if seen else "?")
    if any(face != "?" for face in cards):
        result["cards"] = cards
    if places is not None and a in (LEN, VISIBLE):
        result["places"] = list(places)
    if to is not None and b in (LEN, VISIBLE):
        result["place"] = to
    return result


def _create(event: Event, viewer: Viewer, teams: Teams) -> dict[str, Any]:
    _, name, kind, owner, see, faces, facts = event
    seen = _level(owner, see, viewer, teams)
    if seen == HIDDEN:
        return TICK
    result = {"k": "create", "zone": name, "kind": kind, "owner": owner, "facts": facts}
    if seen in (LEN, VISIBLE):
        result["n"] = len(faces)
    if seen == VISIBLE and faces:
        result["cards"] = list(faces)
    return result


def _show(event: Event, viewer: Viewer, teams: Teams) -> dict[str, Any]:
    _, zone, places, faces, marks, seats, owner, see = event
    seen = _level(owner, see, viewer, teams)
    if seen == HIDDEN:
        return TICK
    result: dict[str, Any] = {"k": "show", "zone": zone, "places": list(places), "seats": None if seats is None else list(seats)}
    cards = _cards(faces, marks, seen, viewer)
    return result if cards is None else result | {"cards": cards}


def _see(event: Event, viewer: Viewer, teams: Teams) -> dict[str, Any]:
    _, zone, faces, marks, owner, see = event
    seen = _level(owner, see, viewer, teams)
    if seen == HIDDEN:
        return TICK
    cards = _cards(faces, marks, seen, viewer)
    return {"k": "see", "zone": zone} | ({} if cards is None else {"cards": cards})


def _shuffle(event: Event, viewer: Viewer, teams: Teams) -> dict[str, Any]:
    _, zone, faces, owner, see = event
    seen = _level(owner, see, viewer, teams)
    if seen == HIDDEN:
        return TICK
    return {"k": "shuffle", "zone": zone} | ({"cards": list(faces)} if seen == VISIBLE else {})


def _mark(event: Event, viewer: Viewer, teams: Teams) -> dict[str, Any]:
    _, zone, facts, owner, see = event
    return TICK if _level(owner, see, viewer, teams) == HIDDEN else {"k": "mark", "zone": zone, "facts": facts}


def _drop(event: Event, viewer: Viewer, teams: Teams) -> dict[str, Any]:
    _, zone, owner, see = event
    return TICK if _level(owner, see, viewer, teams) == HIDDEN else {"k": "drop", "zone": zone}


def _set(event: Event, viewer: Viewer, teams: Teams) -> dict[str, Any]:
    _, key, value, seat = event
    if seat is None:
        return {"k": "set", "key": key, "value": value}
    return {"k": "set", "key": key, "value": value, "seat": seat} if viewer == seat else TICK


def _say(event: Event, viewer: Viewer, teams: Teams) -> dict[str, Any]:
    _, message, only, but = event
    if only is not None:
        return {"k": "say", "text": message} if viewer == only else TICK
    return {"k": "say", "text": message} | ({} if but is None else {"but": but})


def _plain(*names: str) -> Callable[[Event, Viewer, Teams], dict[str, Any]]:
    def shown(event: Event, viewer: Viewer, teams: Teams) -> dict[str, Any]:
        values = [list(value) if isinstance(value, tuple) else value for value in event[1:]]
        return {"k": event[0], **dict(zip(names, values, strict=True))}

    return shown


_SAME: dict[str, Callable[[Event, Viewer, Teams], dict[str, Any]]] = {
    "sit_out": _plain("seat"),
    "ask": _plain("seats", "stage", "sealed"),
    "close": _plain("seats"),
    "ready": _plain("seat"),
    "deal": _plain("hand", "dealer", "start", "seats"),
    "points": _plain("hand", "points"),
    "keep": _plain("facts"),
    "finish": _plain("seats"),
    "leave": _plain("seat", "how"),
    "takeover": _plain("seat", "level"),
    "end": _plain("places", "chips"),
    "links": _plain("hand", "match", "anchor", "anchors", "links", "missing", "renewed", "plan"),
    "opened": _plain("hand", "link", "words", "course"),
}
"""Kinds of which everybody knows everything."""
_SHOWN: dict[str, Callable[[Event, Viewer, Teams], dict[str, Any]]] = {
    "move": _move,
    "create": _create,
    "show": _show,
    "see": _see,
    "shuffle": _shuffle,
    "mark": _mark,
    "drop": _drop,
    "set": _set,
    "say": _say,
    **_SAME,
}
EVENT_KINDS: tuple[str, ...] = (*_SHOWN, "tick")
"""Every kind of event a client can receive."""
