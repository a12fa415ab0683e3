"""What every painter works with: the grid, the view, the local state, and what is in reach."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .cards import LARGE, SMALL, Look, Size
from .filling import Reach
from .glyphs import Glyphs
from .grid import Grid
from .local import Local
from .offers import Offer
from .words import Words

LARGE_FROM = 34
"""The height of the screen from which cards are drawn large."""

View = Mapping[str, Any]
Zone = Mapping[str, Any]


@dataclass(frozen=True)
class Rect:
    """A part of the screen."""

    x: int
    y: int
    wide: int
    high: int

    @property
    def right(self) -> int:
        """Return the x behind it."""
        return self.x + self.wide

    @property
    def bottom(self) -> int:
        """Return the y below it."""
        return self.y + self.high


@dataclass(frozen=True)
class Scene:
    """One painting of one view."""

    grid: Grid
    view: View
    local: Local
    reach: Reach
    offers: tuple[Offer, ...]

    @property
    def words(self) -> Words:
        """Return the reader's words."""
        return self.local.words

    @property
    def glyphs(self) -> Glyphs:
        """Return the signs to draw with."""
        return self.local.words.glyphs

    @property
    def size(self) -> Size:
        """Return the size cards are drawn in: large where the screen is high enough."""
        return LARGE if self.grid.height >= LARGE_FROM else SMALL

    def zone_key(self, name: str) -> str:
        """Return the key of the form that a zone stands for, '' when there is none."""
        for offer in self.offers:
            if offer.form is not None and offer.form.get("on") == name and not offer.blocked:
                return offer.key
        return ""

    def legal(self, zone: str, place: int | None = None) -> bool:
        """Tell whether a zone, or a place of it, can be used now; a zone whose places are named is used at these only."""
        if place is not None and any(name == zone for name, _ in self.reach.places):
            return (zone, place) in self.reach.places
        return zone in self.reach.zones

    def look(self, zone: Zone, place: int) -> Look:
        """Return how a card that lies in a place is marked."""
        name, face = zone["name"], zone["cards"][place]
        legal = self.legal(name, place) or (bool(face) and face in self.reach.cards.get(name, ()))
        marked = place in self.local.marks.get(name, ())
        focus = self.local.focus == place_hit(name, place)
        return Look(legal=legal, marked=marked, focus=focus, winner=zone["facts"].get("winner") == place)


def place_hit(zone: str, place: int) -> str:
    """Return the hit id of one place of a zone."""
    return f"place:{zone}:{place}"


def zone_hit(zone: str) -> str:
    """Return the hit id of a whole zone."""
    return f"zone:{zone}"


def card_hit(place: int) -> str:
    """Return the hit id of a card in the player's hand, by its place in the hand as it is shown."""
    return f"card:{place}"


def place_of(hit: str) -> tuple[str, int]:
    """Return the zone and the place that a place's hit id names."""
    zone, _, place = hit.partition(":")[2].rpartition(":")
    return zone, int(place)


def spot_of(hit: str) -> tuple[str, int | None]:
    """Return what the hit id of a zone or a place names."""
    return place_of(hit) if hit.startswith("place:") else (hit.partition(":")[2], None)


def zone_of(view: View, name: str) -> Zone | None:
    """Return a zone of a view by name."""
    for zone in view["zones"]:
        if zone["name"] == name:
            return zone  # type: ignore[no-any-return]
    return None


def ordered(view: View, zones: list[Zone]) -> list[Zone]:
    """Return zones in the order the game's layout names them, the others after these as they come."""
    order = (view.get("layout") or {}).get("order") or []
    places = {name: place for place, name in enumerate(order)}
    return sorted(zones, key=lambda zone: places.get(zone["name"], len(places)))


def is_shown(view: View, zone: Zone) -> bool:
    """Tell whether to draw a zone: a seat's own pile only when the game's layout names it, or has no layout."""
    layout = view.get("layout") or {}
    named = zone["name"] in (layout.get("order") or ()) or zone["name"] in (layout.get("labels") or {})
    return zone["owner"] is None or named or (bool(zone["n"]) and not layout.get("order"))
