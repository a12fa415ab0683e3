"""The whole screen as a pure function: `paint(view, local, width, height) -> Grid`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .around import can_surround, paint_trick, trick_height
from .banner import clock_said
from .boxes import paint_box
from .cards import SMALL, Size
from .filling import NOTHING, reach
from .foot import lay_foot, paint_foot
from .grid import LEAST_HEIGHT, LEAST_WIDTH, Grid, Line, width
from .hand import hand_height, needs_label_line, paint_ghost, paint_hand, plan_hand
from .lobby import paint_home, paint_lobby
from .local import Local, hand_zone
from .offers import offers
from .panels import paint_log, paint_panels, paint_side, panel_heights
from .room import Proof
from .scene import LARGE_FROM, Rect, Scene, Zone, is_shown, ordered
from .seats import SHORT, flow_pieces, groups_of, paint_seats, seat_lines
from .text import cut_line, wrap_text
from .tools import Slider
from .words import Words
from .zones import painter_of

View = Mapping[str, Any]

WIDE_FROM = 100
"""The width from which log and panels stand beside the cards."""


def paint(view: View | None, local: Local, width: int, height: int) -> Grid:
    """Draw a view for one player on a screen of this size; nothing but the arguments is looked at or changed."""
    grid = Grid(width, height)
    if not grid.roomy:
        _paint_too_small(grid, local)
        return grid
    if local.home:
        paint_home(grid, local)
    elif view is None or (local.room is not None and local.room.stage == "lobby"):
        paint_lobby(grid, local)
    else:
        found = tuple(offers(view, local))
        scene = Scene(grid, view, local, reach(view, local.picked(), local.armed) if found else NOTHING, found)
        _paint_table(scene)
        paint_ghost(scene)
    for box in local.boxes:
        paint_box(grid, box, local.words.glyphs)
    return grid


def _paint_too_small(grid: Grid, local: Local) -> None:
    message = local.words("ui.too_small", wide=LEAST_WIDTH, high=LEAST_HEIGHT)
    for row, line in enumerate(wrap_text(message, grid.width)[: grid.height]):
        grid.spans(0, row, line)


def _paint_table(scene: Scene) -> None:
    grid = scene.grid
    wide = grid.width >= WIDE_FROM
    side = min(58, max(36, round(grid.width * 0.325))) if wide else 0
    main = grid.width - side
    paint_title(scene)
    foot = lay_foot(scene, grid.width, spare=grid.height >= 28)
    foot_top = grid.height - foot.height
    paint_foot(scene, foot_top, foot)
    own = hand_zone(scene.view)
    bottom = foot_top
    if own is not None:
        fan = plan_hand(scene, main, large=grid.height >= LARGE_FROM)
        label_line = needs_label_line(scene, fan, main) and grid.height >= 26
        high = hand_height(fan) + label_line
        bottom -= high
        paint_hand(scene, Rect(0, bottom, main, high), fan, label_line)
    top = 1
    if scene.local.slider is not None:
        paint_slider(scene, scene.local.slider, top)
        top += 1
    board = Rect(0, top, main, bottom - top)
    _paint_board(scene, board, log=not wide)
    if wide:
        paint_side(scene, Rect(main, top, side, foot_top - top))


def paint_slider(scene: Scene, slider: Slider, y: int) -> None:
    """Draw where one stands in a match, from the left to the right; the deals are marked, and a click goes there."""
    grid, glyphs = scene.grid, scene.glyphs
    label = f" {slider.place}/{slider.last}"
    x, wide = 1, grid.width - 2 - width(label)
    span = max(1, slider.last - 1)
    for column in range(wide):
        grid.put(x + column, y, glyphs.rule, "rule", f"slide:{1 + round(column * span / max(1, wide - 1))}")
    for place in slider.stops:
        column = round((place - 1) * (wide - 1) / span)
        grid.put(x + column, y, glyphs.side, "rule", f"slide:{place}")
    if slider.place:
        grid.put(x + round((slider.place - 1) * (wide - 1) / span), y, glyphs.live, "heading")
    grid.put(x + wide, y, label, "dim")


def game_title(view: View, local: Local) -> str:
    """Return the name of the game as people write it."""
    told = view.get("title") or (local.room.title if local.room is not None else "") or view["game"]
    return local.words.safe(str(told))


def paint_title(scene: Scene) -> None:
    """Draw the first line: game and hand on the left, clock and connection on the right."""
    view, words, glyphs, local = scene.view, scene.words, scene.glyphs, scene.local
    name = game_title(view, local)
    left: Line = [(name, "title")]
    for part in (view.get("layout") or {}).get("title") or [["ui.title.hand", {"n": view["hand"]["number"]}]]:
        if words.text(part) != name:
            left.append((f" {glyphs.dot} ", "title dim"))
            left.extend(words.line(part, "title"))
    link = local.link
    live = link.state == "live"
    # A bench or a recording, which have a slider, are connected to nobody.
    right = f"{glyphs.live if live else glyphs.lost} {words(f'ui.link.{link.state}')}" if local.slider is None else ""
    proof = local.room.proof if local.room is not None else None
    mark = _proof_mark(words, proof)
    clock = f"{clock_said(link.seconds)} " if link.seconds is not None else ""
    hurry = link.seconds is not None and link.seconds <= SHORT
    scene.grid.fill(0, 0, scene.grid.width, 1, " ", "title")
    room = scene.grid.width - width(right) - width(clock) - width(mark) - 4
    scene.grid.spans(1, 0, cut_line(left, room, glyphs.more), "title")
    x = scene.grid.width - width(right) - width(clock) - width(mark) - 1
    x = scene.grid.put(x, 0, mark, "title warn" if proof is not None and proof.state == "failed" else "title live", "do:fair")
    x = scene.grid.put(x, 0, clock, "title warn" if hurry else "title")
    scene.grid.put(x, 0, right, "title live" if live else "title warn")


def _proof_mark(words: Words, proof: Proof | None) -> str:
    """Return the mark of a deal that this client has proven, or of one that was not fair; '' while there is nothing to say."""
    if proof is None or proof.state == "unverified":
        return ""
    sign = words.glyphs.tick if proof.state == "verified" else words.glyphs.cross
    return f"{sign} {words(f'ui.fair.mark.{proof.state}')}  "


@dataclass(frozen=True)
class Parts:
    """The zones of a view by where they are drawn."""

    trick: Zone | None
    big: list[Zone]
    centre: list[Zone]


def _sort_zones(view: View) -> Parts:
    trick: Zone | None = None
    big: list[Zone] = []
    centre: list[Zone] = []
    own = hand_zone(view)
    for zone in ordered(view, list(view["zones"])):
        kind = zone["kind"]
        if kind == "group" or (own is not None and zone["name"] == own["name"]):
            continue
        if kind == "fan" and zone["owner"] is not None:
            continue
        if kind == "trick" and trick is None and can_surround(view):
            trick = zone
        elif kind in ("pyramid", "grid") and zone["cards"]:
            big.append(zone)
        elif is_shown(view, zone):
            centre.append(zone)
    return Parts(trick, big, centre)


def _paint_board(scene: Scene, rect: Rect, log: bool) -> None:
    parts = _sort_zones(scene.view)
    if parts.trick is not None:
        y = _paint_around(scene, rect, parts.trick, parts.centre + parts.big)
    elif parts.big:
        y = _paint_beside(scene, rect, parts)
    else:
        y = _paint_stacked(scene, rect, parts.centre)
    if log:
        _paint_below(scene, Rect(rect.x + 1, y, rect.wide - 2, rect.bottom - y))


def _paint_below(scene: Scene, rect: Rect) -> None:
    """Draw the log of a narrow screen, and the game's panels where there is room for both."""
    panels = panel_heights(scene)
    spare = rect.high - panels
    if panels and spare >= 6:
        top = paint_panels(scene, Rect(rect.x, rect.bottom - panels, rect.wide, panels))
        rect = Rect(rect.x, rect.y, rect.wide, min(top, rect.bottom) - panels - rect.y)
    paint_log(scene, Rect(rect.x, rect.y, rect.wide, rect.high - (1 if rect.high > 5 else 0)))


def _paint_stacked(scene: Scene, rect: Rect, centre: list[Zone]) -> int:
    """Seats on top, the other zones below them in rows; return the first free row."""
    needed = _flow_zones(scene, Rect(rect.x + 3, 0, rect.wide - 4, rect.high), centre, draw=False)
    lines = seat_lines(scene, rect.wide, rect.high - needed, True)
    seats = min(len(lines), rect.high - needed)
    paint_seats(scene, Rect(rect.x, rect.y, rect.wide, seats), lines)
    y = rect.y + seats
    spare = rect.high - seats - needed
    if spare >= 1:
        y += 1
    y += _flow_zones(scene, Rect(rect.x + 3, y, rect.wide - 4, rect.bottom - y), centre)
    return y + (1 if spare >= 4 else 0)


def _paint_beside(scene: Scene, rect: Rect, parts: Parts) -> int:
    """The big zone on the left, seats and piles on its right (or above it where that is too narrow)."""
    first = parts.big[0]
    painter = painter_of(first)
    high = rect.high - (4 if rect.high > 20 else 0)
    wide, tall = painter.measure(scene, first, rect.wide - 26, high)
    rest = parts.big[1:] + parts.centre
    if rect.wide - wide < 25:
        lines = seat_lines(scene, rect.wide, max(len(scene.view["seats"]), rect.high - tall), True)
        seats = len(lines)
        paint_seats(scene, Rect(rect.x, rect.y, rect.wide, seats), lines)
        top = rect.y + seats
        wide, tall = painter.measure(scene, first, rect.wide - 14, rect.bottom - top)
        painter.paint(scene, first, Rect(rect.x + 1, top, wide, tall))
        left = rect.x + wide + 3
        used = _flow_zones(scene, Rect(left, top, rect.right - left, rect.bottom - top), rest)
        return top + max(tall, used)
    spare = max(0, min(2, rect.high - tall - 6))
    painter.paint(scene, first, Rect(rect.x + 1, rect.y + spare, wide, tall))
    left = rect.x + wide + 3
    needed = _flow_zones(scene, Rect(left + 1, 0, rect.right - left - 1, rect.high), rest, draw=False)
    lines = seat_lines(scene, rect.right - left, rect.high - needed, False)
    seats = max(0, min(len(lines), rect.high - needed))
    paint_seats(scene, Rect(left, rect.y, rect.right - left, seats), lines)
    y = rect.y + seats + (1 if rect.high - seats - needed >= 1 else 0)
    used = _flow_zones(scene, Rect(left + 1, y, rect.right - left - 1, rect.bottom - y), rest)
    return max(rect.y + spare + tall, y + used) + 1


def _paint_around(scene: Scene, rect: Rect, trick: Zone, others: list[Zone]) -> int:
    """Players around the trick, then the other zones, then groups; return the first free row."""
    size = _trick_size(scene, rect)
    y = rect.y + (1 if rect.high > 22 else 0)
    paint_trick(scene, trick, Rect(rect.x, y, rect.wide, trick_height(scene.view, size)), size)
    y += trick_height(scene.view, size) + (1 if rect.high > 16 else 0)
    y += _flow_zones(scene, Rect(rect.x + 3, y, rect.wide - 4, rect.bottom - y), others)
    for seat in scene.view["seats"]:
        for pieces in flow_pieces(scene, groups_of(scene, seat["seat"]), rect.wide - 16):
            if y >= rect.bottom:
                return y
            x = scene.grid.put(rect.x + 3, y, scene.words.player(seat["seat"])[:12] + " ", "seat")
            for line, hit in pieces:
                x = scene.grid.spans(x, y, line, hit=hit) + 1
            y += 1
    return y + (1 if rect.bottom - y >= 5 else 0)


def _trick_size(scene: Scene, rect: Rect) -> Size:
    return scene.size if trick_height(scene.view, scene.size) + 6 <= rect.high else SMALL


def _flow_zones(scene: Scene, rect: Rect, zones: list[Zone], draw: bool = True) -> int:
    """Set zones side by side in rows and return the lines they take."""
    x, y, tall = rect.x, rect.y, 0
    for zone in zones:
        painter = painter_of(zone)
        wide, high = painter.measure(scene, zone, rect.wide, rect.high)
        if x > rect.x and x + wide > rect.right:
            x, y, tall = rect.x, y + tall, 0
        if draw and y + high <= rect.bottom:
            painter.paint(scene, zone, Rect(x, y, wide, high))
        x += wide + 4
        tall = max(tall, high)
    return y + tall - rect.y
