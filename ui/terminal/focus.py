"""Moving the focus: Tab goes from area to area, arrows go to the nearest thing in that direction."""

from __future__ import annotations

from .grid import Grid

AREAS = ("card:", "zone:", "place:", "do:")
"""What can have the focus, by the beginning of its hit id: hand, zones, places of zones, buttons."""


def stops(grid: Grid) -> dict[str, tuple[float, float]]:
    """Return what can have the focus on a painted screen, with the middle of each."""
    return {hit: spot for hit, spot in grid.centres().items() if hit.startswith(AREAS) and hit != "do:log"}


def area(hit: str) -> int:
    """Return the number of the area a thing belongs to; zones and their places are one."""
    return {"card": 0, "zone": 1, "place": 1, "do": 2}.get(hit.partition(":")[0], 0)


def next_area(grid: Grid, focus: str, step: int, hand: str) -> str:
    """Return the first thing of the next area that has any; `hand` is the hit of the hand as a whole, which is no stop."""
    found = stops(grid)
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


def neighbour(grid: Grid, focus: str, dx: int, dy: int, hand: str) -> str:
    """Return the nearest thing in a direction, the focus itself when there is none.

    From a card, left and right stay in the hand and go round its ends.
    """
    found = stops(grid)
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
