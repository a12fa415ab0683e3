"""A client without a terminal: a session that plays nothing, and a pilot that types, clicks and reads the screen."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output import DummyOutput

from carteado.ui.terminal.app import Client, Looks
from carteado.ui.terminal.local import Local
from carteado.ui.terminal.memory import HandMemory
from carteado.ui.terminal.room import Room
from carteado.ui.terminal.session import Change
from carteado.ui.terminal.tools import Tools
from carteado.ui.terminal.words import own_catalogue, words_for

CORE: Mapping[str, Any] = json.loads((files("carteado.core") / "locale" / "en.json").read_text(encoding="utf-8"))


class Recorded:
    """A session that shows given views and writes down what it is asked for."""

    def __init__(self, view: Any, words: Mapping[str, Any], looks: Mapping[str, Any], room: Room | None = None) -> None:
        self.view = view
        self.room = room
        self.line = "live"
        self.line_reason = ""
        self.seconds: int | None = None
        self.catalogues: Sequence[Mapping[str, Any]] = [words, CORE]
        self.looks = looks
        self.rules = "# Rules\n\nDraw, then **discard**.\n"
        self.acts: list[tuple[int, dict[str, Any]]] = []
        self.wishes: list[tuple[str, dict[str, Any]]] = []
        self.refuse: list[Any] = []
        """Messages to refuse the next actions with."""
        self.hold: asyncio.Event | None = None
        """While set to an event, answers wait for it."""
        self.closed = False
        self.spoken: list[str] = []
        self._changes: asyncio.Queue[Change | None] = asyncio.Queue()

    async def changes(self) -> AsyncIterator[Change]:
        while (change := await self._changes.get()) is not None:
            yield change

    async def act(self, prompt: int, action: Mapping[str, Any]) -> Any:
        self.acts.append((prompt, dict(action)))
        if self.hold is not None:
            await self.hold.wait()
        return self.refuse.pop(0) if self.refuse else None

    async def ask(self, wish: str, **details: Any) -> Any:
        self.wishes.append((wish, details))
        return self.refuse.pop(0) if self.refuse else None

    async def speak(self, lang: str) -> Any:
        self.spoken.append(lang)
        return self.refuse.pop(0) if self.refuse else None

    async def close(self) -> None:
        self.closed = True

    def show(self, view: Any, events: Sequence[Mapping[str, Any]] = ()) -> None:
        """Let a new view come."""
        self.view = view
        self._changes.put_nowait(Change("view", events))

    def tell(self, change: Change) -> None:
        """Let something else change."""
        self._changes.put_nowait(change)


def local_for(view: Any, words: Mapping[str, Any], looks: Mapping[str, Any], ascii: bool = False) -> Local:
    """Return the state of a screen that has just seen a view."""
    local = Local(words_for([words, CORE, own_catalogue("en")], looks, ascii=ascii))
    local.see(view)
    return local


class SizedDummy(DummyOutput):
    """An output that shows nothing, in a size of our choice, and counts bells and titles."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.bells = 0
        self.titles: list[str] = []

    def get_size(self) -> Size:
        return Size(rows=self.rows, columns=self.columns)

    def get_rows_below_cursor_position(self) -> int:
        return self.rows

    def bell(self) -> None:
        self.bells += 1

    def set_title(self, title: str) -> None:
        self.titles.append(title)


class Pilot:
    """A running client with hands and eyes."""

    def __init__(self, client: Client, session: Recorded, pipe: PipeInput, output: SizedDummy) -> None:
        self.client, self.session, self.output = client, session, output
        self.watch: Callable[[str, tuple[int, int] | None], None] | None = None
        """Told after each key and mouse event what it was, and where the pointer is."""
        self._pipe = pipe

    async def settle(self) -> None:
        """Wait for the next painted frame, or for the end of the client."""
        app = self.client.app
        count = app.render_counter
        app.invalidate()
        while app.is_running and (app.render_counter == count or app.invalidated):
            await asyncio.sleep(0.002)

    async def keys(self, text: str) -> None:
        """Type, and wait until it shows. A lone Escape at the end is recognised by nothing coming after it."""
        self._pipe.send_text(text)
        if text.endswith("\x1b"):
            await asyncio.sleep(0.08)
        await self.settle()
        await self.settle()
        if self.watch is not None:
            self.watch(f"key {text!r}", None)

    async def shows(self, text: str) -> None:
        """Wait until a text is on the screen; some frames are enough, or it never comes."""
        for _ in range(40):
            if text in self.text():
                return
            await self.settle()
        raise AssertionError(f"{text!r} never came:\n{self.text()}")

    async def mouse(self, *events: tuple[str, int, int]) -> None:
        """Send mouse events (`down | move | up`, x, y) as a terminal would."""
        codes = {"down": (0, "M"), "move": (32, "M"), "up": (0, "m"), "wheel_up": (64, "M"), "wheel_down": (65, "M")}
        for kind, x, y in events:
            code, end = codes[kind]
            self._pipe.send_text(f"\x1b[<{code};{x + 1};{y + 1}{end}")
            if self.watch is not None:
                await self.settle()
                self.watch(f"mouse {kind}", (x, y))
        await self.settle()
        await self.settle()

    def spot(self, hit: str) -> tuple[int, int]:
        """Return a cell in the middle of what has a hit id."""
        found = self.client.controls.grid.find(hit)
        assert found is not None, f"{hit} is not on the screen:\n{self.text()}"
        left, top, right, bottom = found
        x, y = (left + right) // 2, (top + bottom) // 2
        return (x, y) if self.client.controls.grid.hit(x, y) == hit else (left, top)

    async def click(self, hit: str) -> None:
        """Click on something."""
        x, y = self.spot(hit)
        await self.mouse(("down", x, y), ("up", x, y))

    async def drag(self, source: str, target: str) -> None:
        """Drag something onto something else, in several steps."""
        (x, y), (to_x, to_y) = self.spot(source), self.spot(target)
        steps = [(x + (to_x - x) * part // 4, y + (to_y - y) * part // 4) for part in range(1, 5)]
        await self.mouse(("down", x, y), *(("move", *step) for step in steps), ("up", to_x, to_y))

    def text(self) -> str:
        """Return the last frame, as prompt_toolkit holds it."""
        screen = self.client.app.renderer.last_rendered_screen
        assert screen is not None
        lines = []
        for y in range(self.output.rows):
            row, line, x = screen.data_buffer[y], "", 0
            while x < self.output.columns:
                cell = row[x]
                line += cell.char
                x += cell.width or 1
            lines.append(line.rstrip())
        return "\n".join(lines)


@asynccontextmanager
async def pilot(
    session: Recorded,
    columns: int = 80,
    rows: int = 24,
    looks: Looks | None = None,
    reports: Path | None = None,
    clock: Callable[[], float] | None = None,
    tools: Tools | None = None,
    memory: HandMemory | None = None,
) -> AsyncIterator[Pilot]:
    """Run a client on a session, without a terminal."""
    output = SizedDummy(columns, rows)
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=output):
        kept: dict[str, Any] = {"tools": tools, "memory": memory}
        more = {"clock": clock} if clock else {}
        client = Client(session, looks or Looks(confirm=False), input=pipe, output=output, reports=reports, **kept, **more)
        client.app.min_redraw_interval = None  # frames come as fast as they are asked for: nobody looks
        task = asyncio.ensure_future(client.run())
        one = Pilot(client, session, pipe, output)
        while not client.app.is_running and not task.done():
            await asyncio.sleep(0.002)
        await one.settle()
        try:
            yield one
        finally:
            client.leave()
            await task
