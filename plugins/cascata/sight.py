"""Read a view of a Cascata table: what one seat, or a watcher, sees of it, as plain facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from . import rules
from .sheet import Laid

View = Mapping[str, Any]
HIDDEN = "?"


class Meld(NamedTuple):
    """A meld in front of a player."""

    name: str
    owner: int
    laid: Laid


class Sight(NamedTuple):
    """What a viewer sees.

    you: the viewer's seat, None for a watcher; stage: what it is asked (`take | meld`), None if nothing; pyramid: a face for each place,
    `?` face down, '' empty; hand: the viewer's own cards; counts: cards in each hand, by seat in play; known: cards that everybody saw go
    into a hand, by seat; stock: cards in the reserve; away: cards in hands that were put away; options: the table's.
    """

    you: int | None
    stage: str | None
    pyramid: list[str]
    covers: rules.Covers
    hand: list[str]
    counts: dict[int, int]
    known: list[list[str]]
    melds: list[Meld]
    stock: int
    locked: bool
    away: int
    options: Mapping[str, Any]

    @property
    def rows(self) -> int:
        """Return how many rows of the pyramid still hold cards."""
        return rules.rows_left(self.pyramid)

    @property
    def multiplied(self) -> bool:
        """Tell whether melds are multiplied by the rows left."""
        return bool(self.options["row_multiplier"])

    def of(self, seat: int) -> list[Laid]:
        """Return a seat's melds."""
        return [meld.laid for meld in self.melds if meld.owner == seat]


def sight(view: View) -> Sight:
    """Read a view."""
    you = view["you"]
    pyramid: list[str] = []
    covers: rules.Covers = ()
    hand: list[str] = []
    counts: dict[int, int] = {}
    melds: list[Meld] = []
    stock, locked, away = 0, False, 0
    for zone in view["zones"]:
        name, owner = zone["name"], zone["owner"]
        if name == "pyramid":
            covers = tuple(tuple(over) for over in zone["facts"]["covers"])
            pyramid = list(zone["cards"] or [HIDDEN] * zone["n"])
        elif name == "stock":
            stock, locked = zone["n"], zone["facts"]["locked"]
        elif zone["kind"] == "fan":
            counts[owner] = zone["n"]
            if owner == you:
                hand = list(zone["cards"] or ())
        elif zone["kind"] == "group":
            melds.append(Meld(name, owner, Laid(tuple(zone["cards"]), zone["facts"]["rows"])))
        elif name.startswith("away/"):
            away += zone["n"]
    prompts = view["prompts"]
    return Sight(
        you, prompts[0]["stage"] if prompts else None, pyramid, covers, hand, counts, view["vars"].get("known", []), melds, stock, locked,
        away, view["table"]["options"],
    )  # fmt: skip
