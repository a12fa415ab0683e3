"""One painter for each kind of zone. A kind that is not known is drawn as a plain list of its cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .cards import LARGE, SMALL, TINY, Look, Size, paint_card, plan_fan
from .grid import Line, line_width, width
from .scene import Rect, Scene, Zone, place_hit, zone_hit
from .text import cut, wrap

Measure = Callable[[Scene, Zone, int, int], tuple[int, int]]
"""(scene, zone, room wide, room high) -> the cells it takes (wide, high)."""
Paint = Callable[[Scene, Zone, Rect], None]


@dataclass(frozen=True)
class Painter:
    """How one kind of zone is measured and drawn."""

    measure: Measure
    paint: Paint


def painter_of(zone: Zone) -> Painter:
    """Return the painter of a zone's kind."""
    if zone["kind"] == "pyramid" and zone["cards"] is not None and pyramid_rows(zone) is None:
        return PAINTERS["grid"]
    return PAINTERS.get(zone["kind"], LIST)


def caption(scene: Scene, zone: Zone) -> str:
    """Return a zone's label with its number of cards."""
    label = scene.words.zone(scene.view, zone["name"])
    return label if zone["n"] is None else f"{label} {zone['n']}"


# pile: its top card, with label, number of cards and key beside it


def _pile_texts(scene: Scene, zone: Zone) -> list[str]:
    key = scene.zone_key(zone["name"])
    count = "" if zone["n"] is None else str(zone["n"])
    return [scene.words.zone(scene.view, zone["name"]), count, f"[{key}]" if key else ""]


def _measure_pile(scene: Scene, zone: Zone, wide: int, high: int) -> tuple[int, int]:
    texts = _pile_texts(scene, zone)
    return scene.size.wide + 1 + max(3, *(width(text) for text in texts)), scene.size.high


def _paint_pile(scene: Scene, zone: Zone, rect: Rect) -> None:
    name = zone["name"]
    hit = zone_hit(name)
    size = scene.size
    scene.grid.touch(rect.x, rect.y, rect.wide, size.high, hit)
    cards = zone["cards"]
    if cards:
        face = cards[-1] or "?"
    else:
        face = "?" if zone["n"] else ""
    look = Look(legal=scene.legal(name), focus=scene.local.focus == hit)
    paint_card(scene.grid, rect.x, rect.y, face, scene.words, size, look, hit)
    room = rect.wide - size.wide - 1
    for row, (text, style) in enumerate(zip(_pile_texts(scene, zone), ("label", "dim", "key"), strict=True)):
        scene.grid.put(rect.x + size.wide + 1, rect.y + row, cut(text, room, scene.glyphs.more), style, hit)


# row, and a fan that is not the reader's hand: cards side by side below their label


def _measure_row(scene: Scene, zone: Zone, wide: int, high: int) -> tuple[int, int]:
    count = len(zone["cards"]) if zone["cards"] is not None else zone["n"] or 0
    fan = plan_fan(max(1, count), wide, large=False)
    return max(fan.width, width(caption(scene, zone))), 1 + SMALL.high * max(1, fan.rows)


def _paint_row(scene: Scene, zone: Zone, rect: Rect) -> None:
    name = zone["name"]
    faces = zone["cards"] if zone["cards"] is not None else ["?"] * (zone["n"] or 0)
    scene.grid.touch(rect.x, rect.y, rect.wide, rect.high, zone_hit(name))
    focus = scene.local.focus == zone_hit(name)
    label = cut(caption(scene, zone), rect.wide, scene.glyphs.more)
    scene.grid.put(rect.x, rect.y, label, "label focus" if focus else "label", zone_hit(name))
    if not faces:
        look = Look(legal=scene.legal(name), focus=focus)
        paint_card(scene.grid, rect.x, rect.y + 1, "", scene.words, SMALL, look, zone_hit(name))
        return
    fan = plan_fan(len(faces), rect.wide, large=False)
    for place, face in enumerate(faces):
        row, column = divmod(place, fan.per_row)
        look = scene.look(zone, place) if zone["cards"] is not None else Look(legal=scene.legal(name))
        x, y = rect.x + column * fan.step, rect.y + 1 + row * SMALL.high
        paint_card(scene.grid, x, y, face, scene.words, SMALL, look, place_hit(name, place))


# grid: rows and columns of places, some of them empty


def _columns(zone: Zone) -> int:
    count = len(zone["cards"] or ())
    columns = zone["facts"].get("columns", zone["facts"].get("cols"))
    if isinstance(columns, int) and columns > 0:
        return columns
    rows = zone["facts"].get("rows")
    if isinstance(rows, int) and rows > 0:
        return max(1, -(-count // rows))
    return max(1, min(count, 8))


def _grid_plan(scene: Scene, zone: Zone, wide: int, high: int) -> tuple[Size, int, int]:
    """Return card size, columns and rows that fit into the room."""
    columns = min(_columns(zone), max(1, (wide + 1) // 6))
    rows = -(-len(zone["cards"] or ()) // columns)
    return (SMALL if 1 + rows * SMALL.high <= high else TINY), columns, rows


def _measure_grid(scene: Scene, zone: Zone, wide: int, high: int) -> tuple[int, int]:
    size, columns, rows = _grid_plan(scene, zone, wide, high)
    return max(columns * 6 - 1, width(caption(scene, zone))), 1 + rows * size.high


def _paint_grid(scene: Scene, zone: Zone, rect: Rect) -> None:
    name = zone["name"]
    size, columns, _ = _grid_plan(scene, zone, rect.wide, rect.high)
    label = cut(caption(scene, zone), rect.wide, scene.glyphs.more)
    scene.grid.put(rect.x, rect.y, label, "label", zone_hit(name))
    for place, face in enumerate(zone["cards"] or ()):
        row, column = divmod(place, columns)
        x, y = rect.x + column * 6, rect.y + 1 + row * size.high
        paint_card(scene.grid, x, y, face, scene.words, size, scene.look(zone, place), place_hit(name, place))


# pyramid: rows that overlap, the free cards on top


def pyramid_rows(zone: Zone) -> list[int] | None:
    """Return how many places each row has, or None when the facts do not describe a pyramid."""
    facts = zone["facts"]
    count = len(zone["cards"] or ())
    sizes = facts.get("sizes")
    if isinstance(sizes, list) and all(isinstance(size, int) and size > 0 for size in sizes) and sum(sizes) == count:
        return sizes
    rows = facts.get("rows")
    if not isinstance(rows, int) or rows < 1:
        return None
    first, rest = divmod(count - rows * (rows - 1) // 2, rows)
    if rest or first < 1:
        return None
    return [first + row for row in range(rows)]


def _pyramid_size(zone: Zone, wide: int, high: int) -> tuple[Size, int, int]:
    """Return card size, step to the right and step down that fit into the room."""
    sizes = pyramid_rows(zone) or [1]
    for size, across, down in ((LARGE, 8, 3), (SMALL, 6, 2)):
        if across * (max(sizes) - 1) + size.wide <= wide and down * (len(sizes) - 1) + size.high <= high:
            return size, across, down
    return TINY, 5, 1


def _measure_pyramid(scene: Scene, zone: Zone, wide: int, high: int) -> tuple[int, int]:
    sizes = pyramid_rows(zone) or [1]
    size, across, down = _pyramid_size(zone, wide, high)
    return across * (max(sizes) - 1) + size.wide, down * (len(sizes) - 1) + size.high


def _paint_pyramid(scene: Scene, zone: Zone, rect: Rect) -> None:
    name, cards = zone["name"], zone["cards"]
    sizes = pyramid_rows(zone) or [len(cards)]
    size, across, down = _pyramid_size(zone, rect.wide, rect.high)
    longest = max(sizes)
    spots = []
    place = 0
    for row, count in enumerate(sizes):
        indent = (longest - count) * across // 2
        for column in range(count):
            spots.append((place, rect.x + indent + column * across, rect.y + row * down))
            place += 1
    covers = zone["facts"].get("covers") or []
    # What covers another card is drawn over it: the places are drawn from the covered ones to the covering ones.
    downward = any(other > place for place, over in enumerate(covers) for other in over)
    for place, x, y in spots if downward else reversed(spots):
        look = scene.look(zone, place)
        if cards[place]:
            paint_card(scene.grid, x, y, cards[place], scene.words, size, look, place_hit(name, place))
        elif look.legal:
            paint_card(scene.grid, x, y, "", scene.words, size, look, place_hit(name, place))


# anything else: a plain list


def _list_line(scene: Scene, zone: Zone) -> Line:
    line: Line = [(caption(scene, zone), "label")]
    for face in zone["cards"] or ():
        line.append((" ", ""))
        line.append((scene.glyphs.back, "back") if face == "?" else scene.words.token(face) if face else (".", "dim"))
    return line


def _measure_list(scene: Scene, zone: Zone, wide: int, high: int) -> tuple[int, int]:
    lines = wrap(_list_line(scene, zone), wide)
    return max(line_width(line) for line in lines), len(lines)


def _paint_list(scene: Scene, zone: Zone, rect: Rect) -> None:
    hit = zone_hit(zone["name"])
    focus = "focus" if scene.local.focus == hit else ""
    for row, line in enumerate(wrap(_list_line(scene, zone), rect.wide)[: rect.high]):
        scene.grid.spans(rect.x, rect.y + row, line, focus, hit)


LIST = Painter(_measure_list, _paint_list)
PAINTERS: dict[str, Painter] = {
    "pile": Painter(_measure_pile, _paint_pile),
    "row": Painter(_measure_row, _paint_row),
    "fan": Painter(_measure_row, _paint_row),
    "grid": Painter(_measure_grid, _paint_grid),
    "pyramid": Painter(_measure_pyramid, _paint_pyramid),
    "group": LIST,
}
