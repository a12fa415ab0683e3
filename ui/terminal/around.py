"""A trick with the players around it: the next player to the left, the reader below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .cards import Look, Size, paint_card, plain_row
from .grid import Line, width
from .scene import Rect, Scene, Zone, zone_hit
from .seats import Seat, badges, clockwise, holding, in_order, seat_name
from .text import cut_line, squeezed, wrap

_SPOTS: dict[int, Sequence[tuple[float, int]]] = {
    # for each number of other players, from the left round to the right: where the card lies (0 left .. 1 right, row 0 top)
    1: ((0.5, 0),),
    2: ((0.0, 0), (1.0, 0)),
    3: ((0.0, 1), (0.5, 0), (1.0, 1)),
    4: ((0.0, 1), (0.25, 0), (0.75, 0), (1.0, 1)),
    5: ((0.0, 1), (0.0, 0), (0.5, 0), (1.0, 0), (1.0, 1)),
}


def can_surround(view: Mapping[str, Any]) -> bool:
    """Tell whether there are few enough seats to set them around a trick."""
    return 2 <= len(view["seats"]) <= 6


def trick_height(view: Mapping[str, Any], size: Size) -> int:
    """Return how many lines the trick with the players around it takes."""
    rows = max(row for _, row in _SPOTS[len(view["seats"]) - 1])
    return size.high + (size.high - 1) + (rows * (size.high - 1 if rows else 0)) + (0 if rows else 1)


def paint_trick(scene: Scene, zone: Zone, rect: Rect, size: Size) -> None:
    """Draw a trick with the players around it: the next player to the left, the reader below."""
    seats = clockwise(scene.view)
    others, below = (seats[:-1], seats[-1])
    spots = _SPOTS[len(others)]
    text_room = min(26, max(14, (rect.wide - 5 * size.wide) // 2))
    left = rect.x + text_room + 2
    span = max(2 * size.wide + 4, min(rect.wide - 2 * text_room - 4 - size.wide, 4 * (size.wide + 3)))
    bottom = rect.y + trick_height(scene.view, size) - size.high
    for seat, (across, row) in zip(others, spots, strict=True):
        x = left + round(across * span)
        y = rect.y + row * (size.high - 1)
        _paint_place(scene, zone, seat["seat"], x, y, size)
        text = seat_block(scene, seat, text_room)
        if across == 0.0:
            _paint_block(scene, seat, text, rect.x + 2, y, text_room)
        elif across == 1.0 or len(others) == 1:
            _paint_block(scene, seat, text, x + size.wide + 2, y, text_room)
        else:
            # Beside a card at the top there is room as far as the next card or the edge; below it the cards at the sides begin.
            beside_room = rect.right - x - size.wide - 1 if len(others) == 3 else size.wide + 4
            head = seat_block(scene, seat, beside_room)[: max(1, size.high - 1)]
            _paint_block(scene, seat, head, x + size.wide + 1, y, beside_room)
    x = left + round(span / 2)
    _paint_place(scene, zone, below["seat"], x, bottom, size)
    if scene.view.get("you") is None or below.get("asked") or badges(scene, below):
        # With cards at the sides one row higher, the first line beside the reader's card would run into them.
        down = 1 if spots[-1][1] else 0
        block = seat_block(scene, below, text_room)[: size.high - down]
        _paint_block(scene, below, block, x + size.wide + 2, bottom + down, text_room)


def seat_block(scene: Scene, seat: Seat, room: int) -> list[Line]:
    """Return a seat as a few short lines: name, badges, cards in hand."""
    turn = scene.glyphs.turn if seat.get("asked") else " "
    style = "seat turn" if seat.get("asked") else "seat"
    points = f" {seat['points']}"
    name = seat_name(scene, seat, room - 1 - width(points))
    lines: list[Line] = [[(turn, "turn mark"), (name, style), (points, "points")]]
    lines.extend([(" ", ""), *line] for line in wrap(badges(scene, seat), room - 1) if line)
    zone = holding(scene, seat["seat"])
    if zone is not None and seat["seat"] != scene.view.get("you"):
        known = zone["cards"]
        if known and any(face != "?" for face in known):
            row = squeezed(plain_row(in_order(scene, known), scene.words), room - 1)
            lines.append([(" ", ""), *cut_line(row, room - 1, scene.glyphs.more)])
        elif zone["n"] is not None:
            backs = scene.glyphs.back * min(zone["n"], room - 5)
            lines.append([(" ", ""), (backs, "back"), (f" {zone['n']}", "count")])
    return lines


def _paint_block(scene: Scene, seat: Seat, lines: Sequence[Line], x: int, y: int, room: int) -> None:
    for row, line in enumerate(lines):
        scene.grid.spans(x, y + row, cut_line(line, room, scene.glyphs.more), hit=f"seat:{seat['seat']}")


def trick_place(view: Mapping[str, Any], zone: Zone, seat: int) -> int | None:
    """Return the place of a trick that belongs to a seat: its number, unless the facts name the seats of the places."""
    seats = zone["facts"].get("seats")
    if isinstance(seats, list):
        return seats.index(seat) if seat in seats else None
    return seat if seat < len(zone["cards"] or ()) else None


def _paint_place(scene: Scene, zone: Zone, seat: int, x: int, y: int, size: Size) -> None:
    held = scene.local.tricks.held
    cards = zone["cards"] or []
    if held is not None and held.zone == zone["name"]:
        cards, zone = held.cards, {**zone, "facts": {**zone["facts"], **held.facts}}
    place = trick_place(scene.view, zone, seat)
    face = cards[place] if place is not None and place < len(cards) else ""
    hit = zone_hit(zone["name"])
    winner = zone["facts"].get("winner") == seat
    mine = seat == scene.view.get("you")
    look = Look(
        legal=mine and not face and scene.legal(zone["name"]), winner=winner, focus=mine and scene.local.focus == hit
    )
    paint_card(scene.grid, x, y, face, scene.words, size, look, hit)
