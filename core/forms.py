"""Forms: what a seat may do now, as data that any client can offer and the core can check.

A form has a type and named fields; an action is `{"type": ..., field: value}`. Forms may be wider than the rules (the game's `turn`
decides), never narrower, and every card and choice they offer occurs in at least one accepted filling.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .encoding import short
from .errors import DesignFault, Refused
from .zones import VISIBLE, Zone

if TYPE_CHECKING:
    from .table import Table

Message = list[Any]
Value = bool | int | str
MOST_CARDS = 64


class Unoffered(Refused):
    """Refuse what the seat sees and the form does not offer (cards held, places, zones); carries the action: the game may say why."""

    def __init__(self, data: dict[str, Any], action: dict[str, Any]) -> None:
        super().__init__("not_offered", **data)
        self.action = action


class Field:
    """One blank of a form; `optional` fields may be left out."""

    kind = ""
    __slots__ = ("optional",)

    def __init__(self, optional: bool = False) -> None:
        self.optional = optional

    def check(self, name: str, value: Any, table: Table, seat: int) -> Any:
        """Return the value to use. Raises: Refused with bad_field, wrong_count, not_held or not_offered."""
        raise DesignFault(f"{type(self).__name__} cannot check a value")

    def unoffered(self, value: Any) -> dict[str, Any] | None:
        """Return the data of a refusal when a sensible value is not among those offered, None when it is."""
        return None

    def wire(self) -> dict[str, Any]:
        """Return the field as data for clients."""
        return {"kind": self.kind, "optional": True} if self.optional else {"kind": self.kind}


def _faces(name: str, value: Any) -> list[str]:
    if not isinstance(value, (list, tuple)) or len(value) > MOST_CARDS:
        raise Refused("bad_field", field=name)
    for face in value:
        if type(face) is not str or not face:
            raise Refused("bad_field", field=name)
    return list(value)


def _open(zone: Zone, table: Table, seat: int) -> bool:
    """Tell whether a seat sees all cards of a zone."""
    return zone.marks is None and zone.level(seat, table.team(zone.owner)) == VISIBLE


def _held(faces: list[str], zone: str, table: Table, seat: int) -> None:
    place = table.zone(zone)
    team = table.team(place.owner)
    cards: Sequence[str] = place.cards
    if place.marks is not None:
        cards = [face for i, face in enumerate(cards) if place.sees(i, seat, team)]
    elif place.level(seat, team) != VISIBLE:
        raise DesignFault(f"a form for seat {seat} picks from {zone!r}, which that seat cannot see")
    for face in faces:
        if face not in cards or (len(faces) > 1 and faces.count(face) > cards.count(face)):
            raise Refused("not_held", card={"$card": short(face, 8)})


class Pick(Field):
    """Some cards from a zone the seat sees: `n` of them (a number or `(fewest, most)`), out of `cards` (None: any there). Value: faces."""

    kind = "pick"
    __slots__ = ("cards", "high", "low", "zone")

    def __init__(self, zone: str, n: int | tuple[int, int] = 1, cards: Sequence[str] | None = None, optional: bool = False) -> None:
        self.zone = zone
        self.low, self.high = (n, n) if isinstance(n, int) else n
        self.cards = cards
        self.optional = optional

    def check(self, name: str, value: Any, table: Table, seat: int) -> list[str]:
        faces = _faces(name, value)
        if not self.low <= len(faces) <= self.high:
            raise Refused("wrong_count", n=self.low, most=self.high)
        _held(faces, self.zone, table, seat)
        return faces

    def unoffered(self, value: list[str]) -> dict[str, Any] | None:
        """Return the data of a refusal when the form does not offer one of these held faces."""
        if self.cards is not None:
            for face in value:
                if face not in self.cards:
                    return {"card": {"$card": face}}
        return None

    def wire(self) -> dict[str, Any]:
        cards = None if self.cards is None else sorted(set(self.cards))
        return super().wire() | {"zone": self.zone, "n": [self.low, self.high], "cards": cards}


class Choice(Field):
    """One of some values, each with a label message (default: the key `choice.<value>`). Value: that value."""

    kind = "choice"
    __slots__ = ("of",)

    def __init__(self, of: Sequence[Value | tuple[Value, Message]], optional: bool = False) -> None:
        self.of = of
        self.optional = optional

    def check(self, name: str, value: Any, table: Table, seat: int) -> Value:
        for item in self.of:
            known = item[0] if isinstance(item, tuple) else item
            if type(known) is type(value) and known == value:
                return known
        if type(value) not in (bool, int, str):
            raise Refused("bad_field", field=name)
        raise Refused("not_offered", value=short(value))

    def wire(self) -> dict[str, Any]:
        pairs = [item if isinstance(item, tuple) else (item, [f"choice.{item}", {}]) for item in self.of]
        return super().wire() | {"of": [{"value": value, "label": label} for value, label in pairs]}


class Number(Field):
    """A whole number from `low` to `high`, or out of the rising list `of`. Value: int."""

    kind = "number"
    __slots__ = ("high", "low", "of")

    def __init__(self, low: int, high: int, of: Sequence[int] | None = None, optional: bool = False) -> None:
        self.low = low
        self.high = high
        self.of = of
        self.optional = optional

    def check(self, name: str, value: Any, table: Table, seat: int) -> int:
        if type(value) is not int:
            raise Refused("bad_field", field=name)
        if not self.low <= value <= self.high or (self.of is not None and value not in self.of):
            raise Refused("not_offered", value=short(value))
        return value

    def wire(self) -> dict[str, Any]:
        return super().wire() | {"low": self.low, "high": self.high, "of": None if self.of is None else list(self.of)}


class Groups(Field):
    """Several groups of cards from one zone, one for each message in `like`. Value: a list of lists of faces."""

    kind = "groups"
    __slots__ = ("like", "zone")

    def __init__(self, zone: str, like: Sequence[Message], optional: bool = False) -> None:
        self.zone = zone
        self.like = like
        self.optional = optional

    def check(self, name: str, value: Any, table: Table, seat: int) -> list[list[str]]:
        if not isinstance(value, (list, tuple)):
            raise Refused("bad_field", field=name)
        if len(value) != len(self.like):
            raise Refused("wrong_count", n=len(self.like), most=len(self.like))
        groups = [_faces(name, group) for group in value]
        if not all(groups):
            raise Refused("bad_field", field=name)
        _held([face for group in groups for face in group], self.zone, table, seat)
        return groups

    def wire(self) -> dict[str, Any]:
        return super().wire() | {"zone": self.zone, "like": list(self.like)}


class Place(Field):
    """One place of a slotted zone (pyramid, grid), out of `places`. Value: the place's number."""

    kind = "place"
    __slots__ = ("places", "zone")

    def __init__(self, zone: str, places: Sequence[int], optional: bool = False) -> None:
        self.zone = zone
        self.places = places
        self.optional = optional

    def check(self, name: str, value: Any, table: Table, seat: int) -> int:
        if type(value) is not int:
            raise Refused("bad_field", field=name)
        if value not in self.places:
            zone = table.zone(self.zone)
            if not 0 <= value < len(zone.cards) or not zone.sees(value, seat, table.team(zone.owner)):
                raise Refused("not_offered", value=short(value))
        return value

    def unoffered(self, value: int) -> dict[str, Any] | None:
        """Return the data of a refusal when the form does not offer this place."""
        return None if value in self.places else {"value": short(value)}

    def wire(self) -> dict[str, Any]:
        return super().wire() | {"zone": self.zone, "places": list(self.places)}


class Target(Field):
    """One of some zones, to click or to drop upon. Value: the zone's name."""

    kind = "target"
    __slots__ = ("zones",)

    def __init__(self, zones: Sequence[str], optional: bool = False) -> None:
        self.zones = zones
        self.optional = optional

    def check(self, name: str, value: Any, table: Table, seat: int) -> str:
        if type(value) is not str:
            raise Refused("bad_field", field=name)
        if value not in self.zones and not (table.has(value) and _open(table.zone(value), table, seat)):
            raise Refused("not_offered", value=short(value))
        return value

    def unoffered(self, value: str) -> dict[str, Any] | None:
        """Return the data of a refusal when the form does not offer this zone."""
        return None if value in self.zones else {"value": short(value)}

    def wire(self) -> dict[str, Any]:
        return super().wire() | {"zones": list(self.zones)}


FIELD_KINDS: dict[str, type[Field]] = {cls.kind: cls for cls in (Pick, Choice, Number, Groups, Place, Target)}


class Form:
    """One thing a seat may do.

    type: the action's type; fields: by keyword, in the order a client asks for them; key: the letter a client offers; on: the zone that,
    clicked or dropped upon, means this form; label: its caption (default: the key `form.<type>`); blocked: a message saying why it can't
    be used now; default: what Enter does, and what a seat that ran out of time does.
    """

    __slots__ = ("blocked", "default", "fields", "key", "label", "on", "type")

    def __init__(
        self,
        type: str,
        *,
        key: str | None = None,
        on: str | None = None,
        label: Message | None = None,
        blocked: Message | None = None,
        default: bool = False,
        **fields: Field,
    ) -> None:
        self.type = type
        self.fields = fields
        self.key = key
        self.on = on
        self.label = label
        self.blocked = blocked
        self.default = default

    def wire(self) -> dict[str, Any]:
        """Return the form as data for clients."""
        return {
            "type": self.type,
            "label": self.label or [f"form.{self.type}", {}],
            "key": self.key,
            "on": self.on,
            "blocked": self.blocked,
            "default": self.default,
            "fields": {name: field.wire() for name, field in self.fields.items()},
        }


def check(forms: Sequence[Form], action: Any, table: Table, seat: int) -> dict[str, Any]:
    """Return the action, checked against the forms and copied.

    Raises: Refused with unknown_action, blocked, bad_field, wrong_count, not_held or not_offered. Codes depend only on what the
    seat sees: the forms offered to it and its own cards.
    """
    if type(action) is not dict:
        raise Refused("unknown_action", type="")
    wanted = action.get("type")
    for form in forms:
        if form.type == wanted:
            break
    else:
        raise Refused("unknown_action", type=short(wanted))
    if form.blocked is not None:
        raise Refused("blocked", why=form.blocked)
    fields = form.fields
    result: dict[str, Any] = {"type": form.type}
    unoffered = None
    for name, field in fields.items():
        value = action.get(name)
        if value is not None:
            result[name] = value = field.check(name, value, table, seat)
            if unoffered is None:
                unoffered = field.unoffered(value)
        elif not field.optional:
            raise Refused("missing_field", field=name)
    if len(action) > len(result):
        for name in action:
            if name != "type" and name not in fields:
                raise Refused("bad_field", field=short(name))
    if len(fields) > 1:
        _together(fields, result, table, seat)
    if unoffered is not None:
        raise Unoffered(unoffered, result)
    return result


def _together(fields: Mapping[str, Field], action: dict[str, Any], table: Table, seat: int) -> None:
    """Refuse an action whose fields together name more of a face than lie in the zone that they pick from."""
    named: dict[str, list[str]] = {}
    for name, field in fields.items():
        if name in action and isinstance(field, (Pick, Groups)):
            faces = action[name] if isinstance(field, Pick) else [face for group in action[name] for face in group]
            if field.zone in named:
                faces = named[field.zone] + faces
                _held(faces, field.zone, table, seat)
            named[field.zone] = faces
