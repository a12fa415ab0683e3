"""Boxes that open over the table: menus, pages of text, a line to type in. All three are one kind of box."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from .glyphs import Glyphs
from .grid import Grid, Line, line_width, width
from .text import cut_line, wrap

WIDEST = 78
NONE = -1
"""The cursor on no entry: what is typed is meant."""


@dataclass
class Item:
    """One entry of a menu: what it says, what choosing it does, and the key that chooses it at once."""

    label: Line
    do: Callable[[], None]
    key: str = ""
    blocked: bool = False
    find: str = ""
    """What typing in a palette is compared with; '' = the label."""

    def words(self) -> str:
        """Return the text a search looks at."""
        return self.find or "".join(text for text, _ in self.label)


@dataclass
class Entry:
    """A line of text being typed."""

    text: str = ""
    caret: int = 0
    limit: int = 300

    def insert(self, text: str) -> None:
        """Type a text at the caret; control characters are left out."""
        clean = "".join(char for char in text if char.isprintable())[: self.limit - len(self.text)]
        self.text = self.text[: self.caret] + clean + self.text[self.caret :]
        self.caret += len(clean)

    def edit(self, key: str) -> bool:
        """Apply an editing key; tell whether it was one."""
        before, after = self.text[: self.caret], self.text[self.caret :]
        match key:
            case "backspace":
                self.text, self.caret = before[:-1] + after, max(0, self.caret - 1)
            case "delete":
                self.text = before + after[1:]
            case "left":
                self.caret = max(0, self.caret - 1)
            case "right":
                self.caret = min(len(self.text), self.caret + 1)
            case "home" | "c-a":
                self.caret = 0
            case "end" | "c-e":
                self.caret = len(self.text)
            case "c-u":
                self.text, self.caret = after, 0
            case "c-w":
                kept = before.rstrip()
                kept = kept[: kept.rfind(" ") + 1]
                self.text, self.caret = kept + after, len(kept)
            case _:
                return False
        return True


@dataclass
class Box:
    """A box: a title, paragraphs, entries to choose from, perhaps a line to type in. `name` tells which box it is."""

    name: str
    title: str
    body: list[Line] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    cursor: int = 0
    scroll: int = 0
    """Lines scrolled from where the box opened."""
    at: int = 0
    """The paragraph with which it opens."""
    entry: Entry | None = None
    submit: Callable[[str], None] | None = None
    complete: Callable[[], None] | None = None
    """Called for Tab where something is typed."""
    filters: bool = False
    """Whether what is typed narrows the entries down (a palette)."""
    foot: str = ""
    closed: Callable[[], None] | None = None
    """Called when the player closes the box without choosing."""
    empty: bool = False
    """Whether nothing typed is an answer too."""
    through: bool = False
    """Whether a key or click that means nothing to the box closes it and then does what it does on the table."""
    sticky: bool = False
    """Whether a new view leaves the box open; a box about the open prompt is closed with it."""

    def shown(self) -> list[Item]:
        """Return the entries that match what was typed."""
        if not self.filters or self.entry is None or not self.entry.text.strip():
            return self.items
        wanted = self.entry.text.lower().replace(" ", "")
        ranked = [(rank, item) for item in self.items if (rank := _likeness(wanted, item.words().lower())) is not None]
        return [item for _, item in sorted(ranked, key=lambda pair: pair[0])]


def _likeness(wanted: str, text: str) -> tuple[int, int, int] | None:
    """Rank a fuzzy match: whole, then the letters close together in order; None when they do not occur."""
    found = text.replace(" ", "").find(wanted)
    if found >= 0:
        return (0, found, len(text))
    place, first = -1, -1
    for char in wanted:
        place = text.find(char, place + 1)
        if place < 0:
            return None
        first = place if first < 0 else first
    return (1, place - first, len(text))


@dataclass(frozen=True)
class Frame:
    """Where a box lies on a screen and what it shows: `lines` with the entry each belongs to, from `top` on; it opened at `start`."""

    x: int
    y: int
    width: int
    height: int
    lines: tuple[tuple[Line, int | None], ...]
    start: int
    top: int
    limit: int


def frame(box: Box, glyphs: Glyphs, screen_width: int, screen_height: int) -> Frame:
    """Lay a box out for a screen; `limit` is the furthest it can be scrolled."""
    items = box.shown()
    keyed = max((width(item.key) for item in items), default=0)
    room = min(WIDEST, screen_width - 6)
    widest = max(
        (
            width(box.title) + 4,
            width(box.foot) + 2,
            *(line_width(line) for line in box.body),
            *(line_width(item.label) + keyed + 4 for item in items),
        )
    )
    inner = max(20, min(room, max(widest, room if box.entry else 0)))
    lines: list[tuple[Line, int | None]] = []
    start = 0
    for number, paragraph in enumerate(box.body):
        if number == box.at:
            start = len(lines)
        lines.extend((line, None) for line in wrap(paragraph, inner))
    if box.entry is not None:
        lines.append(([], -1))
    if items and lines:
        lines.append(([], None))
    first_item = len(lines)
    cursor_line = first_item
    for place, item in enumerate(items):
        lead = f"{item.key:<{keyed}} " if keyed else ""
        rows = wrap(item.label, inner - 2 - width(lead))
        if place == box.cursor:
            cursor_line = len(lines)
        for number, row in enumerate(rows):
            begin = f"  {lead}" if number == 0 else " " * (2 + width(lead))
            lines.append(([(begin, ""), *row], place))
    height = min(len(lines), screen_height - 4)
    limit = max(0, len(lines) - height)
    top = max(0, min(start + box.scroll, limit))
    if items:
        # The chosen entry stays in sight, with what follows it if it is longer than a line.
        top = min(max(top, cursor_line - height + 1), max(cursor_line - 1, 0), limit)
    wide, high = inner + 4, height + 2
    return Frame(
        (screen_width - wide) // 2,
        max(0, (screen_height - high) // 2),
        wide,
        high,
        tuple(lines),
        start,
        top,
        limit,
    )


def paint_box(grid: Grid, box: Box, glyphs: Glyphs) -> None:
    """Draw a box over what is there; everything in it belongs to the hit `box` or to one of its entries."""
    laid = frame(box, glyphs, grid.width, grid.height)
    x, y, wide, high = laid.x, laid.y, laid.width, laid.height
    corners = glyphs.corners
    grid.fill(x - 1, y, wide + 2, high, " ", "box", "box")
    grid.put(x, y, corners[0] + glyphs.flat * (wide - 2) + corners[1], "box edge", "box")
    grid.put(x, y + high - 1, corners[2] + glyphs.flat * (wide - 2) + corners[3], "box edge", "box")
    for row in range(y + 1, y + high - 1):
        grid.put(x, row, glyphs.side, "box edge", "box")
        grid.put(x + wide - 1, row, glyphs.side, "box edge", "box")
    grid.spans(x + 2, y, cut_line([(f" {box.title} ", "box title")], wide - 4, glyphs.more), hit="box")
    if box.foot:
        foot = cut_line([(f" {box.foot} ", "box dim")], wide - 4, glyphs.more)
        grid.spans(x + 2, y + high - 1, foot, "box dim", "box")
    items = box.shown()
    for row in range(high - 2):
        line, place = laid.lines[laid.top + row]
        at = y + 1 + row
        if place == -1 and box.entry is not None:
            _paint_entry(grid, box.entry, x + 2, at, wide - 4)
            continue
        style, hit = "box", "box"
        if place is not None:
            hit = f"item:{place}"
            style = "box blocked" if items[place].blocked else "box"
            if place == box.cursor:
                style += " chosen"
            grid.fill(x + 1, at, wide - 2, 1, " ", style, hit)
        column = x + 2
        for text, own in line:
            column = grid.put(column, at, text, f"{style} {own}" if own else style, hit)
        if place is not None and place == box.cursor and (row == 0 or laid.lines[laid.top + row - 1][1] != place):
            grid.put(x + 2, at, glyphs.point, style, hit)
    if laid.top > 0:
        grid.put(x + wide - 3, y, glyphs.up, "box edge", "scroll:up")
    if laid.top < laid.limit:
        grid.put(x + wide - 3, y + high - 1, glyphs.down, "box edge", "scroll:down")


def _paint_entry(grid: Grid, entry: Entry, x: int, y: int, room: int) -> None:
    """Draw the line being typed so that the caret is in sight."""
    grid.fill(x, y, room, 1, " ", "entry", "box")
    start = 0
    while width(entry.text[start : entry.caret]) > room - 3:
        start += 1
    grid.put(x, y, "> ", "entry", "box")
    shown = ""
    for char in entry.text[start:]:
        if width(shown + char) > room - 2:
            break
        shown += char
    grid.put(x + 2, y, shown, "entry", "box")
    grid.caret = (x + 2 + width(entry.text[start : entry.caret]), y)
