"""The screen as data: one character, one style and one hit id per cell.

Everything the client draws goes through a `Grid`. It needs no terminal, so screens are tested as text, and what a click means is
looked up in the same cells that were drawn.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from wcwidth import wcwidth

Span = tuple[str, str]
"""A piece of text and its style: class names separated by blanks, or ''."""
Line = list[Span]

BLANK = " "


def width(text: str) -> int:
    """Return how many cells a text takes."""
    return len(text) if _is_plain(text) else sum(max(0, wcwidth(char)) for char in text)


@lru_cache(8_192)
def _is_plain(text: str) -> bool:
    """Tell whether every character takes one cell."""
    return (text.isascii() and text.isprintable()) or all(wcwidth(char) == 1 for char in text)


def line_width(line: Iterable[Span]) -> int:
    """Return how many cells the spans of a line take."""
    cells = 0
    for text, _ in line:
        cells += width(text)
    return cells


LEAST_WIDTH, LEAST_HEIGHT = 60, 20
"""The smallest screen on which a table can be shown."""


class Grid:
    """A screen of `width` x `height` cells.

    A character that is two cells wide is held by its left cell; its right cell holds ''. Hit ids name what a cell belongs to, such
    as `card:hand/0:3` or `zone:discard`; '' means nothing.
    """

    __slots__ = ("_has_wide", "caret", "chars", "height", "hits", "styles", "width")

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self.chars = [[BLANK] * width for _ in range(height)]
        self.styles = [[""] * width for _ in range(height)]
        self.hits = [[""] * width for _ in range(height)]
        self.caret: tuple[int, int] | None = None
        self._has_wide = False

    @property
    def roomy(self) -> bool:
        """Whether a table can be shown on a screen of this size."""
        return self.width >= LEAST_WIDTH and self.height >= LEAST_HEIGHT

    def put(self, x: int, y: int, text: str, style: str | None = None, hit: str | None = None) -> int:
        """Write a text from (x, y) to the right and return the x behind it.

        What falls outside is left out; a wide character that would be halved becomes a blank. A style or hit id of None leaves
        what is there.
        """
        if not 0 <= y < self.height:
            return x + width(text)
        if _is_plain(text):
            end = x + len(text)
            left = x if x > 0 else 0
            right = end if end < self.width else self.width
            if left < right:
                if self._has_wide:
                    self._mend(left, right, y)
                self.chars[y][left:right] = text if right - left == end - x else text[left - x : right - x]
                if style is not None:
                    self.styles[y][left:right] = (style,) * (right - left)
                if hit is not None:
                    self.hits[y][left:right] = (hit,) * (right - left)
            return end
        self._has_wide = True
        start = x
        chars = self.chars[y]
        for char in text:
            cells = wcwidth(char)
            if cells <= 0:
                if cells == 0 and start < x <= self.width:
                    last = x - 1 if chars[x - 1] else x - 2
                    if last >= 0:
                        chars[last] += char
                continue
            if x >= 0 and x + cells <= self.width:
                self._mend(x, x + cells, y)
                chars[x] = char
                if cells == 2:
                    chars[x + 1] = ""
            elif cells == 2:
                for cell in (x, x + 1):
                    if 0 <= cell < self.width:
                        self._mend(cell, cell + 1, y)
                        chars[cell] = BLANK
            x += cells
        left, right = max(start, 0), min(x, self.width)
        if left < right:
            self._mark(left, right, y, style, hit)
        return x

    def spans(self, x: int, y: int, line: Iterable[Span], style: str = "", hit: str | None = None) -> int:
        """Write a line of spans; a span without a style takes the given one. Return the x behind it."""
        for text, own in line:
            x = self.put(x, y, text, own or style, hit)
        return x

    def fill(self, x: int, y: int, wide: int, high: int, char: str = BLANK, style: str = "", hit: str = "") -> None:
        """Cover a rectangle with one character."""
        for row in range(max(0, y), min(self.height, y + high)):
            self.put(x, row, char * wide, style, hit)

    def tint(self, x: int, y: int, wide: int, high: int, style: str) -> None:
        """Add a style to what is drawn in a rectangle."""
        for row in range(max(0, y), min(self.height, y + high)):
            styles = self.styles[row]
            for cell in range(max(0, x), min(self.width, x + wide)):
                styles[cell] = f"{styles[cell]} {style}" if styles[cell] else style

    def touch(self, x: int, y: int, wide: int, high: int, hit: str) -> None:
        """Let a rectangle belong to a hit id without drawing anything."""
        for row in range(max(0, y), min(self.height, y + high)):
            self.hits[row][max(0, x) : min(self.width, x + wide)] = [hit] * max(
                0, min(self.width, x + wide) - max(0, x)
            )

    def hit(self, x: int, y: int) -> str:
        """Return the hit id at a cell, '' outside."""
        return self.hits[y][x] if 0 <= x < self.width and 0 <= y < self.height else ""

    def find(self, hit: str) -> tuple[int, int, int, int] | None:
        """Return the rectangle (left, top, right, bottom; ends included) of all cells with a hit id, or None."""
        found: tuple[int, int, int, int] | None = None
        for y, row in enumerate(self.hits):
            if hit not in row:
                continue
            cells = [x for x, one in enumerate(row) if one == hit]
            if found is None:
                found = (cells[0], y, cells[-1], y)
            else:
                found = (min(found[0], cells[0]), found[1], max(found[2], cells[-1]), y)
        return found

    def centres(self) -> dict[str, tuple[float, float]]:
        """Return the middle of each hit id's cells."""
        sums: dict[str, list[int]] = {}
        for y, row in enumerate(self.hits):
            for x, hit in enumerate(row):
                if hit:
                    total = sums.setdefault(hit, [0, 0, 0])
                    total[0] += x
                    total[1] += y
                    total[2] += 1
        return {hit: (x / n, y / n) for hit, (x, y, n) in sums.items()}

    def text(self) -> str:
        """Return the screen as lines without trailing blanks."""
        return "\n".join("".join(row).rstrip() for row in self.chars)

    def _mark(self, left: int, right: int, y: int, style: str | None, hit: str | None) -> None:
        if style is not None:
            self.styles[y][left:right] = [style] * (right - left)
        if hit is not None:
            self.hits[y][left:right] = [hit] * (right - left)

    def _mend(self, left: int, right: int, y: int) -> None:
        """Blank the other half of a wide character that is about to be overwritten."""
        chars = self.chars[y]
        if not chars[left] and left > 0:
            chars[left - 1] = BLANK
        if right < self.width and not chars[right]:
            chars[right] = BLANK
