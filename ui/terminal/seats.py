"""The players: one line each with badges and their groups, or set around a trick."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .banner import clock_said
from .cards import plain_row
from .grid import Line, line_width, width
from .local import orders_of
from .room import Chair
from .scene import Rect, Scene, Zone, ordered, zone_hit
from .text import cut, cut_line, squeezed
from .words import Words

Seat = Mapping[str, Any]
Piece = tuple[Line, str]
"""Some spans and the hit id they belong to."""

NAME_ROOM = 14
BADGE_ROOM = 24
SHORT = 10
"""Seconds from which a clock is shown as a warning."""


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
    clock: int | None = None
    for chair in scene.local.room.chairs if scene.local.room else ():
        if chair.seat == number and chair.line in ("lagging", "away"):
            notes.append(line_said(scene.words, chair))
        if chair.seat == number and seat.get("asked"):
            clock = chair.clock
    for note in notes:
        line.append((f" {note}" if line else note, "warn"))
    if clock is not None:
        line.append((f"{' ' if line else ''}{clock_said(clock)}", "warn" if clock <= SHORT else "badge"))
    return line


def line_said(words: Words, chair: Chair) -> str:
    """Return what is wrong with a player's connection, and for how long."""
    return words(f"ui.line.{chair.line}", n=chair.quiet) if chair.quiet else words(f"ui.line.{chair.line}.now")


def groups_of(scene: Scene, seat: int | None, short: bool = False) -> list[Piece]:
    """Return the groups a seat has on the table: `set of 3[9r 9b 9g]`, with a mark where a marked card may go."""
    zones = [zone for zone in scene.view["zones"] if zone["kind"] == "group" and zone["owner"] == seat]
    return [group_piece(scene, zone, short) for zone in ordered(scene.view, zones)]


def open_cards(scene: Scene, seat: int) -> list[Piece]:
    """Return the cards another seat holds, where they lie open: `[9r 10b W]`."""
    zone = holding(scene, seat)
    if zone is None or seat == scene.view.get("you") or not zone["cards"] or all(face == "?" for face in zone["cards"]):
        return []
    return [([("[", "group"), *plain_row(in_order(scene, zone["cards"]), scene.words), ("]", "group")], zone_hit(zone["name"]))]


def in_order(scene: Scene, faces: Sequence[str]) -> Sequence[str]:
    """Return open cards in the order the game sorts a hand in; as they lie when some of them are not known."""
    orders = orders_of(scene.view, scene.words)
    return sorted(faces, key=orders[0][1]) if orders and "?" not in faces else faces


def group_piece(scene: Scene, zone: Zone, short: bool = False) -> Piece:
    """Return one group as text; a `short` one shows only its first and its last card."""
    name = zone["name"]
    hit = zone_hit(name)
    focus = scene.local.focus == hit
    legal = scene.legal(name)
    edge = "group focus" if focus else "group legal" if legal else "group"
    label = scene.words.zone(scene.view, name)
    lead = scene.glyphs.focus if focus else ""
    line: Line = [(f"{lead}{label}{scene.glyphs.fits if legal else ''}[", edge)]
    cards = zone["cards"] or ["?"] * (zone["n"] or 0)
    if short and len(cards) > 3:
        line.extend(
            [*plain_row(cards[:1], scene.words), (f" {scene.glyphs.more} ", "dim"), *plain_row(cards[-1:], scene.words)]
        )
    else:
        line.extend(plain_row(cards, scene.words))
    line.append(("]", edge))
    return line, hit


def flow_pieces(
    scene: Scene, pieces: Sequence[Piece], room: int, gap: int = 1, then: int | None = None
) -> list[list[Piece]]:
    """Set pieces side by side, blanks between them, and go on below where the next does not fit.

    `then` is the room of the further lines if it differs from the first one's.
    """
    rows: list[list[Piece]] = []
    used = 0
    for line, hit in pieces:
        cells = line_width(line)
        if rows and used + gap + cells <= room:
            rows[-1].append((line, hit))
            used += gap + cells
            continue
        if rows or cells > room:
            if not rows and then is not None and then > room:
                rows.append([])
            room = then or room
        if cells > room:
            line = cut_line(squeezed(line, room), room, scene.glyphs.more + "]")
            cells = line_width(line)
        rows.append([(line, hit)])
        used = cells
    return rows


@dataclass(frozen=True)
class SeatRow:
    """One row of the list of seats: its head, and the groups beside or below it."""

    seat: int | None
    head: Line
    groups: list[Piece]


def seat_rows(scene: Scene, short: bool = False) -> list[SeatRow]:
    """Lay the seats out as rows, the reader last; with `short` groups where room is scarce."""
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
        rows.append(SeatRow(number, head, [*open_cards(scene, number), *groups_of(scene, number, short)]))
    free = groups_of(scene, None, short)
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


def seat_lines(scene: Scene, wide: int, high: int, beside: bool) -> list[list[Piece]]:
    """Return the list of seats as lines, in columns and with whole groups if that fits into `high` lines, else closer.

    The groups of a seat stand `beside` its name, or below it. No seat is ever left out for the groups of another.
    """
    for short in (False, True):
        rows = seat_rows(scene, short)
        for tight in (False, True):
            lines = _set_out(scene, rows, wide, beside, tight)
            if len(lines) <= high:
                return lines
    return [_one_line(scene, row, wide) for row in rows]


def _set_out(scene: Scene, rows: Sequence[SeatRow], wide: int, beside: bool, tight: bool) -> list[list[Piece]]:
    column = max((line_width(row.head) for row in rows), default=0)
    lines: list[list[Piece]] = []
    for row in rows:
        head = _fitted(scene, row.head, wide)
        used = line_width(head)
        at_side = (beside or tight) and wide - (used if tight else column) >= 24
        indent = 3 if tight or not at_side else column
        first = wide - (used if tight else column) if at_side else wide - indent
        flowed = flow_pieces(scene, row.groups, first, then=wide - indent)
        line: list[Piece] = [(head, f"seat:{row.seat}" if row.seat is not None else "")]
        if at_side and flowed:
            line.extend([([(" " * (0 if tight else column - used), "")], ""), *_spaced(flowed.pop(0))])
        lines.append(line)
        lines.extend([([(" " * indent, "")], ""), *_spaced(pieces)] for pieces in flowed)
    return lines


def _one_line(scene: Scene, row: SeatRow, wide: int) -> list[Piece]:
    """Return a seat as one line; the groups that do not fit are left out."""
    used = line_width(row.head)
    pieces: list[Piece] = [
        (_fitted(scene, row.head, wide), f"seat:{row.seat}" if row.seat is not None else "")
    ]
    for line, hit in row.groups:
        if used + line_width(line) > wide - 2:
            pieces.append(([(scene.glyphs.more, "dim")], ""))
            break
        pieces.extend([(line, hit), ([(" ", "")], "")])
        used += line_width(line) + 1
    return pieces


def _fitted(scene: Scene, head: Line, wide: int) -> Line:
    """Return the head of a row; where room is short its columns go before anything that is said."""
    if line_width(head) <= wide:
        return head
    *before, (last, style) = head
    bare: Line = [*before, (last.rstrip(), style)]
    if line_width(bare) <= wide:
        return bare
    close: Line = []
    for text, style in bare:
        after = close[-1][0] if close else ""
        close.append((re.sub(" +", " ", text.lstrip() if after.endswith(" ") else text), style))
    return cut_line([span for span in close if span[0]], wide, scene.glyphs.more)


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
