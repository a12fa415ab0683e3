"""What the table holds of this game: names of zones and stages, and how its facts are read."""

from __future__ import annotations

from typing import Any

from carteado.core.api import Table

from .groups import Group

STOCK, DISCARD = "stock", "discard"
DRAW, PLAY = "draw", "play"
OUT, BLOCKED = "out", "blocked"


def phases_of(table: Table) -> list[int]:
    """Return the phase each seat has to lay, LAST_PHASE + 1 for those who have finished."""
    kept: list[int] = table.kept("phases") or [1] * len(table.players)
    return kept


def group_of(zone: Any) -> Group:
    """Return a group zone of the table as a group of the rules."""
    return Group(zone.facts["kind"], zone.facts["of"], zone.cards)


def skippable(table: Table, seat: int) -> list[int]:
    """Return who can be skipped: the others who have no pending skip and have had a turn since their last one."""
    spared = {seat, *table.get("skips"), *table.get("served")}
    others = [table.next(seat)] if table.option("next_only") else table.around(table.next(seat))
    return [other for other in others if other not in spared]
