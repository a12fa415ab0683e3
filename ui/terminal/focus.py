"""Moving the focus: Tab goes from area to area, arrows go to the nearest thing in that direction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .filling import forms_of
from .grid import Grid
from .scene import place_of

View = Mapping[str, Any]

AREAS = ("card:", "zone:", "place:", "do:")
"""What can have the focus, by the beginning of its hit id: hand, zones, places of zones, buttons."""


class Usable:
    """The zones and places of a view that some form can be pointed at now, or takes cards from: only they are worth a stop."""

    def __init__(self, view: View | None) -> None:
        self.zones: set[str] = set()
        self.places: set[tuple[str, int]] = set()
        self.picked: set[str] = set()
        for form in forms_of(view):
            if form.get("blocked"):
                continue
            self.zones.add(str(form.get("on") or ""))
            for blank in form["fields"].values():
                if blank["kind"] == "target":
                    self.zones.update(blank["zones"])
                elif blank["kind"] == "place":
                    self.places.update((blank["zone"], place) for place in blank["places"])
                elif blank["kind"] in ("pick", "groups"):
                    self.picked.add(blank["zone"])

    def __contains__(self, hit: str) -> bool:
        """Tell whether a hit is worth a stop: cards of the hand and buttons always are."""
        if hit.startswith("zone:"):
            return hit[5:] in self.zones
        if hit.startswith("place:"):
            zone, _ = spot = place_of(hit)
            return zone in self.picked or (spot in self.places if any(name == zone for name, _ in self.places) else zone in self.zones)
        return True


def stops(grid: Grid, view: View | None) -> dict[str, tuple[float, float]]:
    """Return what can have the focus on a painted screen, with the middle of each."""
    usable = Usable(view)
    return {hit: spot for hit, spot in grid.centres().items() if hit.startswith(AREAS) and hit != "do:log" and hit in usable}


def area(hit: str) -> int:
    """Return the number of the area a thing belongs to; zones and their places are one."""
    return {"card": 0, "zone": 1, "place": 1, "do": 2}.get(hit.partition(":")[0], 0)


def next_area(grid: Grid, view: View | None, focus: str, step: int, hand: str) -> str:
    """Return the first thing of the next area that has any; `hand` is the hit of the hand as a whole, which is no stop."""
    found = stops(grid, view)
    found.pop(hand, None)
    areas = sorted({area(hit) for hit in found})
    if not areas:
        return ""
    if focus not in found:
        wanted = areas[0] if step > 0 else areas[-1]
    else:
        wanted = areas[(areas.index(area(focus)) + step) % len(areas)]
    members = [hit for hit in found if area(hit) == wanted]
    return min(members, key=lambda hit: (round(found[hit][1]), found[hit][0]))


def neighbour(grid: Grid, view: View | None, focus: str, dx: int, dy: int, hand: str) -> str:
    """Return the nearest thing in a direction, the focus itself when there is none.

    From a card, left and right stay in the hand and go round its ends.
    """
    found = stops(grid, view)
    found.pop(hand, None)
    if not found:
        return ""
    if focus not in found:
        cards = sorted((hit for hit in found if hit.startswith("card:")), key=lambda hit: int(hit[5:]))
        return (cards or sorted(found, key=lambda hit: (found[hit][1], found[hit][0])))[0]
    if dx and focus.startswith("card:"):
        cards = sorted((hit for hit in found if hit.startswith("card:")), key=lambda hit: int(hit[5:]))
        return cards[(cards.index(focus) + dx) % len(cards)]
    x, y = found[focus]
    best, least = focus, float("inf")
    for hit, (left, top) in found.items():
        ahead = (left - x) * dx + (top - y) * dy * 2
        aside = abs((top - y) * 2 if dx else left - x)
        # Cells are about twice as high as wide; what lies mostly to the side is not in that direction.
        if hit == focus or ahead <= 0.5 or (dx and aside > ahead * 2):
            continue
        far = ahead + aside * (1.5 if dx else 0.75)
        if far < least:
            best, least = hit, far
    return best
