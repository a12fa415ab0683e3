"""Everything the player can do now, as one list: buttons, key hints, help, palette and line mode are all made from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .filling import Form, forms_of, hinted, hints_of
from .local import Local, hand_zone
from .room import Room

View = Mapping[str, Any]


@dataclass(frozen=True)
class Offer:
    """One thing to do. `name` is `form:<type>` for a form of the game, else one of the client's own commands."""

    name: str
    key: str
    label: str
    blocked: str = ""
    ready: bool = False
    default: bool = False
    button: bool = False
    """Whether it is shown as a button (where there is room, if it is one of SPARE or a tool)."""
    form: Form | None = None
    second: str = ""
    """Another key for the same."""

    @property
    def hit(self) -> str:
        """Return the hit id of its button."""
        return f"do:{self.name}"


# name, letter, function key. A letter that a form of the game uses belongs to the form; the function key always works.
COMMANDS: Sequence[tuple[str, str, str]] = (
    ("hint", "i", "f4"),
    ("sort", "o", "f5"),
    ("trick", "l", "f3"),
    ("points", "p", "f2"),
    ("rules", "r", "f1"),
    ("chat", "t", "f6"),
    ("log", "g", "f7"),
    ("groups", "v", ""),
    ("guide", "e", "c-e"),
    ("fair", "", "c-f"),
    ("unmark", "u", ""),
    ("invite", "J", ""),
    ("mouse", "", "f8"),
    ("quiet", "", "f9"),
    ("careful", "", "f12"),
    ("lang", "L", "f11"),
    ("palette", ":", "c-p"),
    ("help", "?", "f10"),
    ("quit", "q", "c-c"),
)


@dataclass(frozen=True)
class Wish:
    """Something the table may be asked for, on a key.

    may: what the host calls it where it allows it, if not by its name. stages: the only ones it is offered in, if not in all.
    button: the table waits for it. ready: it is what to do now. default: Enter does it.
    """

    name: str
    key: str
    may: str = ""
    stages: Sequence[str] = ()
    button: bool = True
    ready: bool = False
    default: bool = False

    def open(self, room: Room) -> bool:
        """Tell whether the table may be asked for it now."""
        return (self.may or self.name) in room.may and (not self.stages or room.stage in self.stages)


WISHES: Sequence[Wish] = (
    Wish("ready", "y", default=True),
    Wish("start", "s", default=True),
    Wish("fill", "b"),
    Wish("pause", "z", stages=("playing", "between"), button=False),
    Wish("resume", "z", may="pause", stages=("paused",), ready=True),
    Wish("rematch", "n", default=True),
)

SPARE = ("hint", "sort", "points", "help")
"""The client's own commands that are shown as buttons where there is room."""

NOTHING = {"hint": "ui.line.no_hint", "trick": "ui.line.no_trick", "groups": "ui.line.no_groups"}
"""What is said when somebody asks for one of these and there is none."""


def offers(view: View | None, local: Local) -> list[Offer]:
    """List what can be done now: the game's forms first, then the table's, then the client's own commands."""
    found = form_offers(view, local)
    taken = {offer.key for offer in found}
    for wish in wishes(local.room):
        key = wish.key if wish.key not in taken else _free(wish.name, taken)
        label = local.words(f"ui.do.{wish.name}")
        found.append(Offer(wish.name, key, label, ready=wish.ready, default=wish.default, button=wish.button))
        taken.add(key)
    for name, key, second in local.tools:
        found.append(Offer(f"tool:{name}", key, local.words(f"ui.tool.{name}"), button=True, second=second))
        taken |= {key, second}
    for name, letter, second in COMMANDS:
        if not _usable(name, view, local):
            continue
        key = letter if letter and letter not in taken else second
        label = local.words(f"ui.do.{name}")
        found.append(Offer(name, key, label, button=name in SPARE, second=second if key != second else ""))
    return found


def wishes(room: Room | None) -> list[Wish]:
    """List what the table may be asked for now."""
    return [wish for wish in WISHES if room is not None and wish.open(room)]


def nothing_for(key: str) -> str:
    """Return the message key that says why a key of a command does nothing now, '' for a key that never does anything."""
    return next((NOTHING[name] for name, letter, second in COMMANDS if name in NOTHING and key in (letter, second)), "")


def form_offers(view: View | None, local: Local) -> list[Offer]:
    """List the game's forms with a key each: the game's own letter, or the first free one of the label."""
    forms = forms_of(view)
    taken = {_letter(form) for form in forms}
    seen: set[str] = set()
    found = []
    for form in forms:
        label = local.words.text(form["label"])
        key = _letter(form)
        if not key or key in seen:
            key = _free(label, taken | seen)
        seen.add(key)
        why = local.words.text(form["blocked"]) if form.get("blocked") else ""
        found.append(
            Offer(
                f"form:{form['type']}",
                key,
                label,
                blocked=why,
                ready=not why and hinted(view, form) is not None,
                default=bool(form.get("default")),
                button=True,
                form=form,
            )
        )
    return found


def is_tool(offer: Offer) -> bool:
    """Tell whether an offer is a bench's or a viewer's."""
    return offer.name.startswith("tool:")


def _usable(name: str, view: View | None, local: Local) -> bool:
    match name:
        case "hint":
            return bool(hints_of(view))
        case "sort":
            return view is not None and len(local.hand) > 1 and hand_zone(view) is not None
        case "trick":
            return local.tricks.last is not None
        case "points" | "log":
            return view is not None
        case "groups":
            return view is not None and any(zone["kind"] == "group" for zone in view["zones"])
        case "chat":
            return local.can_chat
        case "fair":
            return local.room is not None and local.room.proof is not None
        case "guide":
            return local.guide is not None and bool(local.guide.last)
        case "invite":
            return local.room is not None and (local.room.private or bool(local.room.web))
        case "unmark":
            return any(local.picked().values())
        case _:
            return True


def _letter(form: Form) -> str:
    key = str(form.get("key") or "")
    return key if len(key) == 1 and key.isascii() and key.islower() else ""


def _free(label: str, taken: Iterable[str]) -> str:
    used = set(taken)
    for char in label.lower() + "abcdefghijklmnopqrstuvwxyz":
        if char.isascii() and char.isalpha() and char not in used:
            return char
    return ""
