"""A table option that fixes the deal: for recorded games, teaching and the same cards at several tables."""

from __future__ import annotations

from typing import Any

from carteado.core.api import Refused

from .rules import DECK, Face

SHUFFLED = "shuffled"


def cards_of(deal: str) -> list[Face]:
    """Return the cards of a written deal, none when they are shuffled."""
    if deal == SHUFFLED:
        return []
    text = deal.replace(".", "")
    return [text[place : place + 2] for place in range(0, len(text), 2)]


class Deal:
    """`shuffled`, or the 32 cards of every deal: ten each for forehand, middlehand and rearhand, then the skat.

    Written one after the other, with or without dots between. Kept without, in 64 letters: a text on the wire may have no more.
    Everybody at the table can read it, so it is for games whose cards need not be secret.
    """

    kind = "one_of"

    def __init__(self, name: str) -> None:
        self.name = name
        self.default = SHUFFLED

    def accept(self, value: Any) -> str:
        """Return the deal. Raises: Refused("bad_option") unless it names every card once."""
        if value == SHUFFLED:
            return SHUFFLED
        if isinstance(value, str) and sorted(cards_of(value)) == sorted(DECK):
            return "".join(cards_of(value))
        raise Refused("bad_option", option=self.name, value=str(value)[:40])

    def wire(self) -> dict[str, Any]:
        """Return the option as data for a client's form."""
        return {"name": self.name, "kind": self.kind, "default": self.default, "label": [f"option.{self.name}", {}], "of": [SHUFFLED]}
