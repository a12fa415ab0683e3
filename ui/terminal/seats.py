"""The players: one line each with badges and their groups, or set around a trick."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .cards import Look, Size, paint_card, plain_row
from .grid import Line, line_width, width
from .scene import Rect, Scene, Zone, ordered, zone_hit
from .text import cut, cut_line, wrap

Seat = Mapping[str, Any]
Piece = tuple[Line, str]
"""Some spans and the hit id they belong to."""

NAME_ROOM = 14
BADGE_ROOM = 24


def seat_name(scene: Scene, seat: Seat, room: int) -> str:
    """Return a name as the reader sees it, with the sign of a computer player."""
    name = scene.words("ui.you") if seat["seat"] == scene.view.get("you") else scene.words.player(seat["seat"])
    if not seat.get("bot"):
        return cut(name, room, scene.glyphs.more)
    sign = f" {scene.glyphs.bot}"
    return cut(name, room - width(sign), scene.glyphs.more) + sign


def holding(scene: Scene, seat: int) -> Zone | None:
    """Return the fan a seat holds."""
    return next((zone for zone in scene.view["zones"] if zone["kind"] == "fan" and zone["owner"] == seat), None)


def badges(scene: Scene, seat: Seat) -> Line:
    """Return a seat's badges: the game's, then a state that keeps it from playing, then trouble with its connection."""
    lists = (scene.view.get("layout") or {}).get("badges") or []
    number = seat["seat"]
    line: Line = []
    for message in lists[number] if number < len(lists) else ():
        if line:
            line.append((" ", ""))
        line.extend(scene.words.line(message, "badge"))
    notes = []
    if seat.get("place") is not None:
        notes.append(scene.words("ui.place", n=seat["place"]))
    elif seat["state"] in ("out", "left"):
        notes.append(scene.words(f"ui.state.{seat['state']}"))
    for chair in scene.local.room.chairs if scene.local.room else ():
        if chair.seat == number and chair.line in ("lagging", "away"):
            notes.append(scene.words(f"ui.line.{chair.line}", n=chair.quiet))
    for note in notes:
        line.append((f" {note}" if line else note, "warn"))
    return line


def groups_of(scene: Scene, seat: int | None) -> list[Piece]:
    """Return the groups a seat has on the table: `set of 3[9r 9b 9g]`, with a mark where a marked card may go."""
    zones = [zone for zone in scene.view["zones"] if zone["kind"] == "group" and zone["owner"] == seat]
    return [group_piece(scene, zone) for zone in ordered(scene.view, zones)]


def group_piece(scene: Scene, zone: Zone) -> Piece:
    """Return one group as text."""
    name = zone["name"]
    hit = zone_hit(name)
    focus = scene.local.focus == hit
    legal = scene.legal(name)
    edge = "group focus" if focus else "group legal" if legal else "group"
    label = scene.words.zone(scene.view, name)
    lead = scene.glyphs.focus if focus else ""
    line: Line = [(f"{lead}{label}{scene.glyphs.fits if legal else ''}[", edge)]
    line.extend(plain_row(zone["cards"] or ["?"] * (zone["n"] or 0), scene.words))
    line.append(("]", edge))
    return line, hit


def flow_pieces(scene: Scene, pieces: Sequence[Piece], room: int, gap: int = 1) -> list[list[Piece]]:
    """Set pieces side by side, blanks between them, and go on below where the next does not fit."""
    rows: list[list[Piece]] = []
    used = 0
    for line, hit in pieces:
        cells = line_width(line)
        if rows and used + gap + cells <= room:
            rows[-1].append((line, hit))
            used += gap + cells
        else:
            if cells > room:
                line, cells = cut_line(line, room, scene.glyphs.more + "]"), room
            rows.append([(line, hit)])
            used = cells
    return rows


@dataclass(frozen=True)
class SeatRow:
    """One row of the list of seats: its head, and the groups beside or below it."""

    seat: int | None
    head: Line
    groups: list[Piece]


def seat_rows(scene: Scene) -> list[SeatRow]:
    """Lay the seats out as rows, the reader last."""
    view = scene.view
    seats: Sequence[Seat] = view["seats"]
    if not seats:
        return []
    name_room = min(NAME_ROOM, max(width(seat_name(scene, seat, NAME_ROOM)) for seat in seats))
    notes = {seat["seat"]: badges(scene, seat) for seat in seats}
    badge_room = min(BADGE_ROOM, max(line_width(line) for line in notes.values()))
    counts = {seat["seat"]: _count(scene, seat["seat"]) for seat in seats}
    count_room = max(width(text) for text in counts.values())
    points = {seat["seat"]: str(seat["points"]) for seat in seats}
    point_room = max(width(text) for text in points.values())
    rows = []
    for seat in clockwise(view):
        number = seat["seat"]
        style = "seat"
        if seat.get("asked"):
            style = "seat turn"
        elif seat["state"] != "in":
            style = "seat out"
        head: Line = [
            (scene.glyphs.turn if seat.get("asked") else " ", "turn mark"),
            (_padded(seat_name(scene, seat, name_room), name_room + 1), style),
        ]
        note = cut_line(notes[number], badge_room, scene.glyphs.more)
        if badge_room:
            head.extend([*note, (" " * (badge_room + 1 - line_width(note)), "")])
        if count_room:
            head.append((_padded(counts[number], count_room + 1), "count"))
        head.append((f"{points[number]:>{point_room}} ", "points"))
        rows.append(SeatRow(number, head, groups_of(scene, number)))
    free = groups_of(scene, None)
    if free:
        rows.append(SeatRow(None, [(" ", "")], free))
    return rows


def clockwise(view: Mapping[str, Any]) -> list[Seat]:
    """Return the seats in turn order, so that the reader comes last: the player after the reader is the first."""
    seats = list(view["seats"])
    first = (view["you"] + 1) if view.get("you") is not None else 0
    return [seats[(first + step) % len(seats)] for step in range(len(seats))]


def paint_seats(scene: Scene, rect: Rect, lines: Sequence[Sequence[Piece]]) -> None:
    """Draw the list of seats; what does not fit into the rectangle is left out from below."""
    for number, pieces in enumerate(lines[: rect.high]):
        x = rect.x
        for line, hit in pieces:
            x = scene.grid.spans(x, rect.y + number, line, hit=hit)


def seat_lines(scene: Scene, wide: int, beside: bool) -> list[list[Piece]]:
    """Return the list of seats as lines; the groups of a seat stand `beside` its name, or below it."""
    rows = seat_rows(scene)
    head_room = max((line_width(row.head) for row in rows), default=0)
    beside = beside and wide - head_room >= 24
    lines: list[list[Piece]] = []
    for row in rows:
        hit = f"seat:{row.seat}" if row.seat is not None else ""
        head: Piece = (cut_line(row.head, wide, scene.glyphs.more), hit)
        indent = head_room if beside else 3
        flowed = flow_pieces(scene, row.groups, wide - indent)
        if beside and flowed:
            gap: Piece = ([(" " * (head_room - line_width(row.head)), "")], "")
            lines.append([head, gap, *_spaced(flowed[0])])
            flowed = flowed[1:]
        else:
            lines.append([head])
        lines.extend([([(" " * indent, "")], ""), *_spaced(pieces)] for pieces in flowed)
    return lines


def _spaced(pieces: Sequence[Piece]) -> list[Piece]:
    spaced: list[Piece] = []
    for piece in pieces:
        if spaced:
            spaced.append(([(" ", "")], ""))
        spaced.append(piece)
    return spaced


def _count(scene: Scene, seat: int) -> str:
    zone = holding(scene, seat)
    return "" if zone is None or zone["n"] is None else f"{scene.glyphs.count}{zone['n']}"


def _padded(text: str, room: int) -> str:
    return text + " " * (room - width(text))


# around a trick

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
            beside_room = max(6, round(span * 0.5) - size.wide - 2) if len(others) == 3 else size.wide + 4
            head = text[: max(1, size.high - 1)]
            _paint_block(scene, seat, head, x + size.wide + 1, y, beside_room)
    x = left + round(span / 2)
    _paint_place(scene, zone, below["seat"], x, bottom, size)
    if scene.view.get("you") is None or below.get("asked") or badges(scene, below):
        _paint_block(
            scene, below, seat_block(scene, below, text_room)[: size.high], x + size.wide + 2, bottom, text_room
        )


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
            lines.append([(" ", ""), *cut_line(plain_row(known, scene.words), room - 1, scene.glyphs.more)])
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
    cards = zone["cards"] or []
    place = trick_place(scene.view, zone, seat)
    face = cards[place] if place is not None and place < len(cards) else ""
    hit = zone_hit(zone["name"])
    winner = zone["facts"].get("winner") == seat
    mine = seat == scene.view.get("you")
    look = Look(
        legal=mine and not face and scene.legal(zone["name"]), winner=winner, focus=mine and scene.local.focus == hit
    )
    paint_card(scene.grid, x, y, face, scene.words, size, look, hit)
