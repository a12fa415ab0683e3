"""A grid as a prompt_toolkit window that costs only what has changed.

prompt_toolkit copies every cell of every frame into a new screen, asks each cell where its line ends, compares all of them with the
last frame, and gives each a mouse handler: a few milliseconds whatever has happened. Here a row that looks as before is the very same
object as in the last frame, and says so; a row is made of cells once, when it changes. What is sent to the terminal stays
prompt_toolkit's own business.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, ItemsView
from typing import Any

from prompt_toolkit.application import get_app
from prompt_toolkit.data_structures import Point
from prompt_toolkit.layout import Window
from prompt_toolkit.layout.controls import UIControl
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import _CHAR_CACHE, Char, Screen, WritePosition
from prompt_toolkit.mouse_events import MouseEvent

from . import theme
from .grid import Grid

Paint = Callable[[int, int], Grid]
Handler = Callable[[MouseEvent], Any]

_BLANK = Char()


class Row(dict[int, Char]):
    """The cells of one line, never changed once they are there.

    `still` is set while two frames in a row share it: then it says that nothing in it is used, and the comparison, which asks that
    first, has nothing to compare.
    """

    __slots__ = ("ends", "still")

    def __init__(self, chars: list[str], styles: list[str]) -> None:
        super().__init__((x, _cell(char, style)) for x, (char, style) in enumerate(zip(chars, styles, strict=True)))
        last = next((x for x in range(len(chars) - 1, -1, -1) if chars[x] != " "), 0)
        self.ends: dict[int, Char] = {x: self[x] for x in range(last, len(chars)) if x == last or styles[x]}
        self.still = False

    def __missing__(self, x: int) -> Char:
        """Return a blank for a cell outside."""
        return _BLANK

    def items(self) -> ItemsView[int, Char]:  # type: ignore[override]
        """Return what the line can end with: the last sign and the blanks behind it that may have a ground; nothing else is asked for."""
        return {}.items() if self.still else self.ends.items()


def _cell(char: str, style: str) -> Char:
    return _CHAR_CACHE[char, theme.classes(style)]


class Surface(Window):
    """A window that shows a grid."""

    def __init__(self, content: UIControl, paint: Paint, point: Handler) -> None:
        """`content` has the keyboard; `paint` gives the grid for a size, `point` takes mouse events, at cells."""
        super().__init__(content)
        self._paint = paint
        self._rows: list[Row] = []
        self._grid: Grid | None = None
        self._screen: Screen | None = None
        everywhere: defaultdict[int, Handler] = defaultdict(lambda: point)
        self._handlers: defaultdict[int, defaultdict[int, Handler]] = defaultdict(lambda: everywhere)

    def write_to_screen(
        self, screen: Screen, mouse_handlers: MouseHandlers, write_position: WritePosition, parent_style: str, erase_bg: bool,
        z_index: int | None,
    ) -> None:  # fmt: skip
        """Put the rows of the grid into the screen; those that look as in the frame before stay the same objects."""
        wide, high = write_position.width, write_position.height
        grid = self._paint(wide, high)
        before = self._grid
        # What the renderer compares with is the screen that was written last; after a resize or a clearing it is another, or none.
        renderer = get_app().renderer
        same = self._screen is not None and renderer.last_rendered_screen is self._screen
        rows: list[Row] = []
        for y in range(high):
            row = self._rows[y] if before is not None and y < len(self._rows) else None
            if row is None or before is None or grid.chars[y] != before.chars[y] or grid.styles[y] != before.styles[y]:
                if row is not None:
                    row.still = False
                row = Row(grid.chars[y], grid.styles[y])
            else:
                row.still = same
            rows.append(row)
            screen.data_buffer[write_position.ypos + y] = row  # type: ignore[assignment]
        for row in self._rows[high:]:
            row.still = False
        self._rows, self._grid, self._screen = rows, grid, screen
        screen.width, screen.height = max(screen.width, wide), max(screen.height, high)
        if grid.caret is not None:
            screen.set_cursor_position(self, Point(*grid.caret))
            screen.show_cursor = True
        screen.visible_windows_to_write_positions[self] = write_position
        mouse_handlers.mouse_handlers = self._handlers
