"""The client on a terminal: one full-screen control that shows the painted grid and hands keys and mouse to the controls."""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.filters import Condition
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout
from prompt_toolkit.layout.controls import UIContent, UIControl
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType
from prompt_toolkit.output import ColorDepth, Output
from prompt_toolkit.output.vt100 import Vt100_Output

from . import theme
from .boxes import Box, paint_box
from .controls import Controls
from .crash import write_report
from .follow import Follower, words_of
from .glyphs import takes_all
from .grid import Grid
from .guide import Guide
from .local import Local, Notice
from .memory import HandMemory
from .pointer import Pointer
from .session import Session
from .signals import on_signals
from .surface import Surface
from .table import game_title, paint
from .tools import Tools
from .tricks import HELD, Tricks
from .words import LANGUAGES, Words, next_language

_NAMED = [
    *(
        "tab",
        "s-tab",
        "up",
        "down",
        "left",
        "right",
        "s-left",
        "s-right",
        "c-left",
        "c-right",
        "home",
        "end",
        "pageup",
        "pagedown",
    ),
    *("backspace", "delete", "enter", "c-a", "c-e", "c-f", "c-u", "c-w", "c-p", "c-c"),
    *(f"f{number}" for number in range(1, 13)),
]
_MOUSE = {
    MouseEventType.MOUSE_DOWN: "down",
    MouseEventType.MOUSE_UP: "up",
    MouseEventType.MOUSE_MOVE: "move",
    MouseEventType.SCROLL_UP: "scroll_up",
    MouseEventType.SCROLL_DOWN: "scroll_down",
}


@dataclass(frozen=True)
class Looks:
    """How the client looks and sounds. `theme` and `depth` of None are chosen from the surroundings."""

    lang: str = "en"
    ascii: bool = False
    theme: str | None = None
    depth: ColorDepth | None = None
    mouse: bool = True
    quiet: bool = False
    confirm: bool = True
    pause: int = HELD
    """Seconds that a finished trick stays at least."""
    guided: bool = False
    """Whether the first hand is explained."""
    keep: Callable[[str], None] | None = None
    """Told of another language that was chosen."""


class Keyboard(UIControl):
    """What has the keyboard; all that is seen is the surface's."""

    def create_content(self, width: int, height: int) -> UIContent:
        """Return nothing."""
        return UIContent()

    def is_focusable(self) -> bool:
        """Say that keys come here."""
        return True


class Client:
    """The terminal client of one session."""

    def __init__(
        self,
        session: Session,
        looks: Looks | None = None,
        *,
        input: Input | None = None,
        output: Output | None = None,
        clock: Callable[[], float] = time.monotonic,
        reports: Path | None = None,
        tools: Tools | None = None,
        memory: HandMemory | None = None,
    ) -> None:
        """Take a session that is at a table.

        `reports` is the folder for crash reports, `tools` a bench's or a viewer's, `memory` where orders of hands are kept.
        """
        self.looks = looks or Looks()
        self.lang = self.looks.lang
        self.session = session
        self._reports = reports
        self._utf8 = takes_all(output.encoding() if output is not None else getattr(sys.stdout, "encoding", None))
        self._tasks: set[asyncio.Task[None]] = set()
        self._alt = False
        self._status = 0
        self.local = Local(
            self._words(),
            mouse=self.looks.mouse,
            quiet=self.looks.quiet,
            can_chat=tools is None,
            confirm=self.looks.confirm,
            memory=memory,
            tricks=Tricks(self.looks.pause),
            guide=Guide() if self.looks.guided else None,
        )
        self.controls = Controls(session, self.local, self._spawn, self.leave, tools, self._next_language)
        self.pointer = Pointer(self.local, self.controls, clock)
        self.follower = Follower(session, self.local, self.controls, self._words, self._turn, self._alarm)
        chosen = theme.chosen_theme(self.looks.theme)
        depth = self.looks.depth or theme.colour_depth()
        self.app: Application[None] = Application(
            layout=Layout(Surface(Keyboard(), self.painted, self._mouse)),
            style=theme.MONOCHROME if depth is ColorDepth.DEPTH_1_BIT else theme.style(chosen),
            color_depth=depth,
            key_bindings=self._bindings(),
            mouse_support=Condition(lambda: self.local.mouse),
            full_screen=True,
            min_redraw_interval=1 / 60,
            input=input,
            output=output,
        )
        self.app.ttimeoutlen = 0.05
        self.app.timeoutlen = 0.05
        _less_motion(self.app.output)

    async def run(self) -> int:
        """Show the table until the player leaves or a signal comes; return the exit status."""
        self.follower.begin()
        loop = asyncio.get_running_loop()
        before = loop.get_exception_handler()
        loop.set_exception_handler(self._failed)
        with on_signals(loop, lambda number: self.leave(128 + number)):
            try:
                self._spawn(self._feed())
                self._spawn(self._clock())
                gc.collect()
                gc.freeze()
                await self.app.run_async(handle_sigint=False, set_exception_handler=False)
            finally:
                gc.unfreeze()
                loop.set_exception_handler(before)
                for task in list(self._tasks):
                    task.cancel()
                await asyncio.gather(*self._tasks, return_exceptions=True)
                self.app.output.clear_title()
                self.app.output.flush()
        return self._status

    def leave(self, status: int = 0) -> None:
        """End the program; the terminal is put back as it was."""
        self._status = status
        if self.app.is_running and not self.app.is_done:
            self.app.exit()

    def painted(self, width: int, height: int) -> Grid:
        """Return the screen; a fault while painting gives the crash box alone instead of a broken terminal."""
        try:
            grid = paint(self.session.view, self.local, width, height)
        except Exception as error:  # noqa: BLE001 - reported to a file and shown; the player keeps the terminal
            self._crashed(error)
            grid = Grid(width, height)
            self.local.boxes = [box for box in self.local.boxes if box.name == "crash"]
            paint_box(grid, self.local.boxes[0], self.local.words.glyphs)
        self.controls.grid = grid
        return grid

    def pointed(self, kind: str, column: int, row: int) -> bool:
        """Take a mouse event; tell whether the screen changed."""
        return self.pointer.handle(kind, column, row, self.controls.grid)

    def _mouse(self, event: MouseEvent) -> Any:
        """Hand a mouse event on; what changed nothing costs no frame."""
        changed = self.pointed(_MOUSE[event.event_type], event.position.x, event.position.y)
        return None if changed else NotImplemented

    def _words(self) -> Words:
        return words_of(self.session, self.lang, self.looks.ascii, self._utf8)

    def _next_language(self) -> None:
        """Go on to the next language; names and what people said stay as they are."""
        self._spawn(self._speak(next_language(self.lang)))

    async def _speak(self, lang: str) -> None:
        local = self.local
        why = await self.session.speak(lang)
        if why is None:
            self.lang = lang
            local.words = self._words()
            local.see(self.session.view)
            if self.looks.keep is not None:
                self.looks.keep(lang)
            if self.controls.tools is not None:
                self.controls.tools.spoke()
        local.notice = Notice(["ui.speaks", {"language": LANGUAGES[lang]}] if why is None else list(why), bad=why is not None)

    # keys

    def _bindings(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("escape", eager=True)
        def _(event: KeyPressEvent) -> None:
            # Alt with an arrow comes as Escape and the arrow; only a lone Escape has just itself as data.
            if event.data == "\x1b":
                self.controls.key("escape")
            else:
                self._alt = True

        for name in _NAMED:

            @keys.add(name)
            def _(event: KeyPressEvent, name: str = name) -> None:
                alt, self._alt = self._alt, False
                self.controls.key(f"a-{name}" if alt else name)

        @keys.add(Keys.BracketedPaste)
        def _(event: KeyPressEvent) -> None:
            self.controls.paste(event.data)

        @keys.add("c-l")
        def _(event: KeyPressEvent) -> None:
            event.app.renderer.clear()

        @keys.add("c-z")
        def _(event: KeyPressEvent) -> None:
            event.app.suspend_to_background()

        @keys.add(Keys.Any)
        def _(event: KeyPressEvent) -> None:
            self._alt = False
            if len(event.data) == 1 and event.data.isprintable():
                self.controls.key(event.data)

        return keys

    # what runs beside

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._crashed(error)
        self.app.invalidate()

    async def _feed(self) -> None:
        async for change in self.session.changes():
            self.follower.changed(change)
            self.app.invalidate()

    async def _clock(self) -> None:
        while True:
            await asyncio.sleep(1)
            if self.follower.tick():
                self.app.invalidate()

    def _turn(self, begins: bool) -> None:
        """Ring once and say so in the title when the turn begins."""
        words, output = self.local.words, self.app.output
        title = game_title(self.session.view, self.local) if self.session.view is not None else "carteado"
        output.set_title(words("ui.title.turn", title=title) if begins else title)
        if begins and not self.local.quiet:
            output.bell()
        output.flush()

    def _alarm(self) -> None:
        """Ring when the time runs short."""
        if not self.local.quiet:
            self.app.output.bell()
            self.app.output.flush()

    # ends

    def _failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        self._crashed(error if isinstance(error, BaseException) else RuntimeError(str(context.get("message"))))

    def _crashed(self, error: BaseException) -> None:
        """Write a report and show where it is; the player may go on."""
        words = self.local.words
        if any(box.name == "crash" for box in self.local.boxes):
            return
        where = write_report(error, self._reports)
        body = [
            [(words("ui.crash.what", error=words.safe(f"{type(error).__name__}: {error}")[:300]), "")],
            [(words("ui.crash.report", path=str(where)), "dim")],
        ]
        self.controls.open_box(Box("crash", words("ui.crash"), body, foot=words("ui.crash.foot"), sticky=True))
        self.app.invalidate()


def _less_motion(output: Output) -> None:
    """Ask the terminal for motion only while a button is pressed: hovering means nothing here and would cost bytes over ssh."""
    if not isinstance(output, Vt100_Output):
        return

    def enable() -> None:
        output.write_raw("\x1b[?1000h\x1b[?1002h\x1b[?1006h")

    def disable() -> None:
        output.write_raw("\x1b[?1006l\x1b[?1002l\x1b[?1000l")

    output.enable_mouse_support = enable  # type: ignore[method-assign]
    output.disable_mouse_support = disable  # type: ignore[method-assign]


async def run(
    session: Session,
    looks: Looks | None = None,
    reports: Path | None = None,
    tools: Tools | None = None,
    memory: HandMemory | None = None,
) -> int:
    """Play a session on this terminal and return the exit status."""
    client = Client(session, looks, reports=reports, tools=tools, memory=memory)
    try:
        return await client.run()
    finally:
        await session.close()
