"""Cards, drawn: small (5x3) and large (7x5), alone or as a fan."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .glyphs import Glyphs
from .grid import Grid, width
from .words import Words

HAND_KEYS = "1234567890-=!@#$%^&*()_+"
"""The keys of the cards in the hand, from the left."""


@dataclass(frozen=True)
class Size:
    """The cells a card takes."""

    wide: int
    high: int


SMALL, LARGE = Size(5, 3), Size(7, 5)
TINY = Size(5, 1)
"""A card without its border, for pyramids and grids on low screens."""


@dataclass(frozen=True)
class Look:
    """How a card is marked. `gone` is a card that is being dragged or waits for the host's answer."""

    legal: bool = False
    marked: bool = False
    focus: bool = False
    fresh: bool = False
    gone: bool = False
    winner: bool = False


PLAIN = Look()


def paint_card(
    grid: Grid, x: int, y: int, face: str, words: Words, size: Size = SMALL, look: Look = PLAIN, hit: str | None = ""
) -> None:
    """Draw a card with its top left corner at (x, y). `?` is a face-down card, '' an empty place."""
    glyphs = words.glyphs
    if size is TINY:
        _paint_tiny(grid, x, y, face, words, look, hit)
        return
    if not face:
        _paint_gap(grid, x, y, size, glyphs, look, hit)
        return
    colour = words.colour(face) if face != "?" else ""
    style = "card"
    for name in ("gone", "marked", "legal", "fresh"):
        if getattr(look, name):
            style += f" {name}"
    body = f"{style} {colour}" if colour else style
    edge = style + " edge" + (" focus" if look.focus else "")
    inner = size.wide - 2
    bottom = (glyphs.legal if look.legal or look.winner else glyphs.flat) * inner
    if look.marked:
        middle = inner // 2
        bottom = bottom[:middle] + glyphs.raised + bottom[middle + 1 :]
    # A card that is on its way has the broken border of an empty place.
    corners, flat, side = glyphs.corners, glyphs.flat, glyphs.side
    if look.gone:
        corners, flat, side = glyphs.gap_corners, glyphs.gap_flat, glyphs.gap_side
        bottom = flat * inner
    grid.put(x, y, corners[0] + flat * inner + corners[1], edge, hit)
    for row, text in enumerate(_inside(face, words, size), 1):
        grid.put(x, y + row, side, edge, hit)
        grid.put(x + 1, y + row, text, "back" if face == "?" else body, hit)
        grid.put(x + size.wide - 1, y + row, side, edge, hit)
    grid.put(x, y + size.high - 1, corners[2] + bottom + corners[3], edge, hit)
    if look.focus:
        grid.put(x, y + size.high // 2, glyphs.focus, "focus mark", hit)


def _paint_tiny(grid: Grid, x: int, y: int, face: str, words: Words, look: Look, hit: str | None) -> None:
    """Draw a card as its sign alone: in brackets when it may be used, with a mark before it when it is marked."""
    glyphs = words.glyphs
    token = (
        glyphs.back * 3 if face == "?" else _right(words.token(face)[0], 3) if face else _centred(glyphs.gap_flat, 3)
    )
    left, right = ("[", "]") if look.legal or look.winner else (" ", " ")
    if look.marked:
        left = right = glyphs.raised
    if look.focus:
        left = glyphs.focus
    edge = "card edge legal" if look.legal else "card edge focus" if look.focus else "card edge"
    grid.put(x, y, left, edge, hit)
    grid.put(x + 1, y, token, "back" if face in ("?", "") else f"card {words.colour(face)}".strip(), hit)
    grid.put(x + 4, y, right, edge, hit)


def _inside(face: str, words: Words, size: Size) -> list[str]:
    inner = size.wide - 2
    if face == "?":
        return [words.glyphs.back * inner] * (size.high - 2)
    token = words.token(face)[0]
    if size is SMALL:
        return [_centred(token, inner) if words.special(face) else _right(token, inner)]
    sign = words.sign(face)
    if words.special(face):
        return [" " * inner, _centred(sign or token, inner), " " * inner]
    return [_left(token, inner), _centred(sign, inner), _right(token, inner)]


def _left(text: str, room: int) -> str:
    return text + " " * (room - width(text)) if width(text) <= room else text[:room]


def _right(text: str, room: int) -> str:
    return " " * (room - width(text)) + text if width(text) <= room else text[:room]


def _centred(text: str, room: int) -> str:
    gap = room - width(text)
    return " " * ((gap + 1) // 2) + text + " " * (gap // 2) if gap >= 0 else text[:room]


def _paint_gap(grid: Grid, x: int, y: int, size: Size, glyphs: Glyphs, look: Look, hit: str | None) -> None:
    inner = size.wide - 2
    corners = glyphs.gap_corners
    flat = glyphs.legal if look.legal else glyphs.gap_flat
    style = "gap focus" if look.focus else "gap"
    grid.put(x, y, corners[0] + glyphs.gap_flat * inner + corners[1], style, hit)
    for row in range(1, size.high - 1):
        grid.put(x, y + row, glyphs.gap_side + " " * inner + glyphs.gap_side, style, hit)
    grid.put(x, y + size.high - 1, corners[2] + flat * inner + corners[3], style, hit)
    if look.focus:
        grid.put(x, y + size.high // 2, glyphs.focus, "focus mark", hit)


@dataclass(frozen=True)
class Fan:
    """How a number of cards is set out: cards a row, the step from one card to the next, and their size."""

    size: Size
    step: int
    per_row: int
    rows: int

    @property
    def width(self) -> int:
        """Return the cells of the longest row."""
        return self.step * (self.per_row - 1) + self.size.wide if self.per_row else 0


def plan_fan(count: int, room: int, large: bool) -> Fan:
    """Choose size, overlap and rows so that `count` cards fit into `room` cells; a card never hides another's sign."""
    options = [(LARGE, 8), (LARGE, 7)] if large else []
    for size, step in [*options, (SMALL, 6), (SMALL, 5), (SMALL, 4)]:
        if step * (count - 1) + size.wide <= room:
            return Fan(size, step, count, 1)
    most = max(1, (room - SMALL.wide) // 4 + 1)
    rows = -(-count // most)
    return Fan(SMALL, 4, -(-count // rows), rows)


def plain_row(faces: Sequence[str], words: Words) -> list[tuple[str, str]]:
    """Return cards as short texts with a blank between them."""
    spans: list[tuple[str, str]] = []
    for face in faces:
        if spans:
            spans.append((" ", ""))
        spans.append((words.glyphs.back, "back") if face == "?" else words.token(face) if face else (".", "dim"))
    return spans
