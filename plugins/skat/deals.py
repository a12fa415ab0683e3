"""A table option that fixes the deal: for recorded games, teaching and the same cards at several tables."""

from __future__ import annotations

from typing import Any

from carteado.core.api import Refused

from .rules import DECK

SHUFFLED = "shuffled"


class Deal:
    """`shuffled`, or the 32 cards of every deal joined by dots: ten each for forehand, middlehand and rearhand, then the skat.

    Everybody at the table can read it, so it is for games whose cards need not be secret.
    """

    kind = "one_of"

    def __init__(self, name: str) -> None:
        self.name = name
        self.default = SHUFFLED

    def accept(self, value: Any) -> str:
        """Return the deal. Raises: Refused("bad_option") unless it names every card once."""
        if value == SHUFFLED or (isinstance(value, str) and sorted(value.split(".")) == sorted(DECK)):
            return str(value)
        raise Refused("bad_option", option=self.name, value=str(value)[:40])

    def wire(self) -> dict[str, Any]:
        """Return the option as data for a client's form."""
        return {"name": self.name, "kind": self.kind, "default": self.default, "label": [f"option.{self.name}", {}], "of": [SHUFFLED]}
