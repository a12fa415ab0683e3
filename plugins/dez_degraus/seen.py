"""What one seat sees, read from its view: the only thing that hints and computer players look at."""

from __future__ import annotations

from typing import Any

from .groups import Group
from .rules import LAST_PHASE, Face, Phase, phase


class Seen:
    """A view of this game, in the words of the rules.

    `cards` and `phases` are by seat; `playing` are the seats of this hand; `top` is the top discard, None if there is none.
    """

    def __init__(self, view: dict[str, Any]) -> None:
        facts = view["vars"]
        self.seat: int = view["you"]
        prompt = view["prompts"][0] if view["prompts"] else None
        self.stage: str | None = prompt["stage"] if prompt else None
        self.forms: dict[str, dict[str, Any]] = {form["type"]: form for form in prompt["forms"]} if prompt else {}
        self.phases: list[int] = facts["phases"]
        self.laid: list[int] = facts["laid"]
        self.skips: list[int] = facts["skips"]
        self.points = {seat["seat"]: seat["points"] for seat in view["seats"]}
        self.cards: dict[int, int] = {}
        self.groups: dict[str, Group] = {}
        self.hand: list[Face] = []
        discards: list[Face] = []
        for zone in view["zones"]:
            name = zone["name"]
            if name.startswith("hand/"):
                self.cards[zone["owner"]] = zone["n"]
                if zone["owner"] == self.seat:
                    self.hand = list(zone["cards"])
            elif zone["kind"] == "group":
                self.groups[name] = group_seen(zone)
            elif name == "discard":
                discards = zone["cards"] or []
        self.discards = discards
        self.playing = sorted(self.cards)

    @property
    def top(self) -> Face | None:
        """Return the top discard."""
        return self.discards[-1] if self.discards else None

    @property
    def has_laid(self) -> bool:
        """Tell whether this seat has laid its phase in this hand."""
        return self.seat in self.laid

    @property
    def number(self) -> int:
        """Return the number of this seat's phase."""
        return min(self.phases[self.seat], LAST_PHASE)

    @property
    def phase(self) -> Phase:
        """Return the groups of this seat's phase."""
        return phase(self.number)

    def open(self, form: str) -> bool:
        """Tell whether a form can be used now."""
        return form in self.forms and self.forms[form]["blocked"] is None

    def choices(self, form: str, field: str) -> list[Any]:
        """Return the values that a choice offers, none if there is no such field."""
        offered = self.forms.get(form, {}).get("fields", {}).get(field)
        return [item["value"] for item in offered["of"]] if offered else []

    @property
    def skippable(self) -> list[int]:
        """Return whom a skip discarded now would hit."""
        field = self.forms.get("discard", {}).get("fields", {}).get("seat")
        return [item["value"] for item in field["of"] if item["label"][0] == "dd.choice.skip"] if field else []

    def next(self, seat: int) -> int:
        """Return the next seat in play."""
        later = [other for other in self.playing if other > seat]
        return later[0] if later else self.playing[0]


def group_seen(zone: dict[str, Any]) -> Group:
    """Return a group zone of a view as a group of the rules."""
    return Group(zone["facts"]["kind"], zone["facts"]["of"], tuple(zone["cards"]))
