"""Forms seen from the player's side: what fits them, what is still missing, which action they make.

Pure functions over the forms of a view. They never decide whether a move is allowed (the game does); they only find out which form a
player means and which blanks are left.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

View = Mapping[str, Any]
Form = Mapping[str, Any]
Field = Mapping[str, Any]
Message = list[Any]
Picked = Mapping[str, Sequence[str]]
"""The marked cards: zone -> faces."""
Spot = tuple[str, int | None]
"""A zone, or one place of it."""

CARD_FIELDS = ("pick", "groups")


def prompt_of(view: View | None) -> Mapping[str, Any] | None:
    """Return the reader's open prompt, or None."""
    prompts = (view or {}).get("prompts") or []
    return prompts[0] if prompts else None


def forms_of(view: View | None) -> list[Form]:
    """Return the forms of the reader's open prompt."""
    prompt = prompt_of(view)
    return list(prompt["forms"]) if prompt else []


def stage_of(view: View | None) -> str:
    """Return the stage of the open prompt: what is to be decided now; '' without a prompt."""
    prompt = prompt_of(view)
    return str(prompt["stage"]) if prompt is not None else ""


def hints_of(view: View | None) -> list[Mapping[str, Any]]:
    """Return the game's hints for the open prompt."""
    prompt = prompt_of(view)
    return list(prompt.get("hints") or []) if prompt else []


def at_rest(view: View, why: Message) -> View:
    """Return the view of a table that stands still: no form can be used and nothing is proposed, and this is why."""
    prompts = view.get("prompts") or ()
    return {
        **view,
        "prompts": [{**prompt, "forms": [{**form, "blocked": why} for form in prompt["forms"]], "hints": []} for prompt in prompts],
    }


def hinted(view: View | None, form: Form) -> dict[str, Any] | None:
    """Return the action a hint proposes for this form, or None."""
    for hint in hints_of(view):
        action = hint.get("action")
        if action and action.get("type") == form["type"]:
            return dict(action)
    return None


@dataclass(frozen=True)
class Filling:
    """A form with some of its blanks filled in. `asked` are optional blanks the player is to fill all the same."""

    prompt: int
    form: Form
    values: Mapping[str, Any] = field(default_factory=dict)
    groups: tuple[tuple[str, ...], ...] = ()
    asked: tuple[str, ...] = ()

    def put(self, name: str, value: Any) -> Filling:
        """Return the filling with one more blank filled in."""
        asked = tuple(one for one in self.asked if one != name)
        return replace(self, values={**self.values, name: value}, groups=(), asked=asked)

    def add_group(self, name: str, faces: Sequence[str]) -> Filling:
        """Return the filling with one more group; the last group fills the blank in."""
        groups = (*self.groups, tuple(faces))
        if len(groups) == len(self.form["fields"][name]["like"]):
            return self.put(name, [list(group) for group in groups])
        return replace(self, groups=groups)

    def missing(self) -> str | None:
        """Return the name of the next blank to ask for, or None when the action can be sent."""
        fields: Mapping[str, Field] = self.form["fields"]
        for name, blank in fields.items():
            if name not in self.values and (name in self.asked or not blank.get("optional")):
                return name
        # Cards may be given in one of several ways (marked together, or group by group), each optional: one of them is meant.
        ways = [name for name, blank in fields.items() if blank["kind"] in CARD_FIELDS]
        if ways and not any(name in self.values for name in ways):
            grouped = [name for name in ways if fields[name]["kind"] == "groups"]
            return (grouped or ways)[0]
        return None

    def spent(self) -> Counter[str]:
        """Return the faces that are in groups already."""
        return Counter(face for group in self.groups for face in group)

    def action(self) -> dict[str, Any]:
        """Return the action."""
        return {"type": self.form["type"], **self.values}


@dataclass(frozen=True)
class Fit:
    """How well a form takes what was marked and pointed at: `wrong` says why not, `used` counts what it took."""

    filling: Filling
    used: int
    aimed: bool
    wrong: Message | None = None

    @property
    def complete(self) -> bool:
        """Tell whether nothing is missing."""
        return self.wrong is None and self.filling.missing() is None


def fit(prompt: int, form: Form, picked: Picked, spot: Spot | None = None) -> Fit:
    """Fill a form from the marked cards and the spot pointed at, as far as they go."""
    values: dict[str, Any] = {}
    used, aimed, wrong = 0, spot is not None and spot[0] == form.get("on"), None
    fields: Mapping[str, Field] = form["fields"]
    has_pick = any(blank["kind"] == "pick" for blank in fields.values())
    for name, blank in fields.items():
        kind = blank["kind"]
        if kind == "pick":
            faces = list(picked.get(blank["zone"], ()))
            if faces:
                wrong = wrong or _wrong_pick(form, blank, faces)
                values[name] = faces
                used += len(faces)
        elif kind == "groups":
            faces = list(picked.get(blank["zone"], ()))
            if faces and len(blank["like"]) == 1 and not has_pick:
                values[name] = [faces]
                used += len(faces)
        elif kind == "target":
            if spot is not None and spot[0] in blank["zones"]:
                values[name], aimed = spot[0], True
            elif len(blank["zones"]) == 1 and not blank.get("optional"):
                values[name] = blank["zones"][0]
        elif kind == "place":
            if spot is not None and spot[0] == blank["zone"] and spot[1] in blank["places"]:
                values[name], aimed = spot[1], True
            elif spot is not None and spot[0] == blank["zone"] and spot[1] is not None:
                wrong = wrong or ["ui.not_that_place", {"form": form["label"]}]
            elif len(blank["places"]) == 1 and not blank.get("optional"):
                values[name] = blank["places"][0]
        elif kind == "choice":
            if len(blank["of"]) == 1 and not blank.get("optional"):
                values[name] = blank["of"][0]["value"]
        elif kind == "number":
            numbers = numbers_of(blank)
            if len(numbers) == 1 and not blank.get("optional"):
                values[name] = numbers[0]
    return Fit(Filling(prompt, form, values), used, aimed, wrong)


def numbers_of(blank: Field) -> Sequence[int]:
    """Return the numbers a number blank takes."""
    return blank["of"] if blank.get("of") is not None else range(blank["low"], blank["high"] + 1)


def _wrong_pick(form: Form, blank: Field, faces: Sequence[str]) -> Message | None:
    low, high = blank["n"]
    allowed = blank.get("cards")
    if allowed is not None:
        for face in faces:
            if face not in allowed:
                return ["ui.not_for", {"card": {"$card": face}, "form": form["label"]}]
    if not low <= len(faces) <= high:
        return _count_message("ui.mark_for", low, high, form)
    return None


def _count_message(key: str, low: int, high: int, form: Form) -> Message:
    if low == high:
        return [f"{key}.exact", {"n": low, "form": form["label"]}]
    return [f"{key}.range", {"n": high, "low": low, "high": high, "form": form["label"]}]


def wanted(filling: Filling, name: str, keys: str = "ui.ask") -> Message:
    """Return the sentence that asks for one blank; `keys` is what its message keys begin with."""
    form, blank = filling.form, filling.form["fields"][name]
    kind = blank["kind"]
    if kind == "pick":
        return _count_message(f"{keys}.pick", blank["n"][0], blank["n"][1], form)
    if kind == "groups":
        like = blank["like"]
        number = len(filling.groups)
        return [f"{keys}.group", {"i": number + 1, "of": len(like), "like": like[number], "form": form["label"]}]
    return [f"ui.ask.{kind}", {"form": form["label"]}]


def missed(view: View | None, filling: Filling) -> Form | None:
    """Return the form that could lay a whole combination now and that a player gives up by this action; None if there is none.

    It is one that the game itself proposes to fill in with groups of cards, while the action only takes cards from the hand.
    """
    blanks = filling.form["fields"].values()
    if any(blank["kind"] == "groups" for blank in blanks) or not any(blank["kind"] == "pick" for blank in blanks):
        return None
    for form in forms_of(view):
        groups = [name for name, blank in form["fields"].items() if blank["kind"] == "groups"]
        proposal = hinted(view, form) if groups and not form.get("blocked") else None
        if proposal is not None and proposal.get(groups[0]):
            return form
    return None


@dataclass(frozen=True)
class Reach:
    """What can be used now, given what is marked: for marking cards, zones and places on the screen."""

    cards: Mapping[str, frozenset[str]]
    zones: frozenset[str]
    places: frozenset[tuple[str, int]]


NOTHING = Reach({}, frozenset(), frozenset())


def reach(view: View, picked: Picked, armed: Filling | None = None) -> Reach:
    """Find which cards, zones and places the forms take.

    Cards are named only where a form takes some cards and refuses others, so that a mark always tells something.
    """
    forms = [armed.form] if armed else [form for form in forms_of(view) if not form.get("blocked")]
    if not forms:
        return NOTHING
    some_marked = any(picked.values())
    cards: dict[str, set[str]] = {}
    open_zones: set[str] = set()
    zones: set[str] = set()
    places: set[tuple[str, int]] = set()
    for form in forms:
        takes, needs = False, False
        for blank in form["fields"].values():
            if blank["kind"] == "pick":
                zone, allowed = blank["zone"], blank.get("cards")
                marked = picked.get(zone, ())
                takes = takes or (bool(marked) and (allowed is None or all(face in allowed for face in marked)))
                needs = needs or not blank.get("optional")
                if allowed is not None:
                    cards.setdefault(zone, set()).update(allowed)
                else:
                    open_zones.add(zone)
        if (some_marked and needs and not takes) or (not some_marked and needs and len(forms) > 1 and not armed):
            continue
        if form.get("on"):
            zones.add(form["on"])
        for blank in form["fields"].values():
            if blank["kind"] == "target":
                zones.update(blank["zones"])
            elif blank["kind"] == "place":
                places.update((blank["zone"], place) for place in blank["places"])
    told = {
        zone: frozenset(faces)
        for zone, faces in cards.items()
        if not _whole(view, zone, faces) and (zone not in open_zones or armed is None)
    }
    return Reach(told, frozenset(zones), frozenset(places))


def _whole(view: View, name: str, allowed: Collection[str]) -> bool:
    for zone in view["zones"]:
        if zone["name"] == name:
            return all(face in allowed for face in zone["cards"] or ())
    return False
