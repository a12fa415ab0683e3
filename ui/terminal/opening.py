"""What is on the screen while the program is still getting ready: one frame, drawn without anything that takes long to import."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from importlib.resources import files
from types import FrameType, TracebackType

from carteado.core.errors import CarteadoError

from .glyphs import takes_all

ALTERNATE, NORMAL = "\x1b[?1049h\x1b[2J\x1b[H\x1b[?25l", "\x1b[?25h\x1b[?1049l"
SIGNALS = ("SIGTERM", "SIGHUP")


class NoTerminal(CarteadoError):
    """Report that there is no terminal to draw on."""

    wrong_use = True


def need_terminal() -> None:
    """Make sure that there is a screen to draw on. Raises: NoTerminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise NoTerminal("this needs a terminal; `carteado play --line` plays in plain lines, `carteado --help` lists the commands")


class Opening:
    """A frame on the terminal until the client takes over; whatever comes between, the terminal is put back.

    It draws nothing where there is no terminal. `over` tells that the client has taken over and puts the terminal back itself.
    """

    def __init__(self, lang: str, wanted: bool = True, write: Callable[[str], None] | None = None, key: str = "ui.opening") -> None:
        """`key` is that of the text to show, `wanted` tells whether there is to be a screen at all."""
        self._lang, self._key = lang, key
        # An old Windows console would show the escape sequences themselves; the client sends none of its own there.
        self._shown = wanted and (write is not None or (os.name != "nt" and sys.stdout.isatty() and sys.stdin.isatty()))
        self._write = write or _to_terminal
        self._before: list[tuple[int, object]] = []

    def __enter__(self) -> Opening:
        """Draw the frame."""
        if self._shown:
            for name in SIGNALS:
                number = getattr(signal, name, None)
                if number is not None:
                    self._before.append((number, signal.signal(number, _end)))
            try:
                self._write(ALTERNATE + frame(self._lang, *_size(), self._key))
            except BaseException:  # a signal may come while the frame is drawn, and who is not in yet is not let out
                self.__exit__(*sys.exc_info())
                raise
        return self

    def over(self) -> None:
        """Leave the terminal to the client."""
        self._shown = False
        for number, handler in self._before:
            signal.signal(number, handler)  # type: ignore[arg-type]
        self._before.clear()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Put the terminal back, unless the client has taken over."""
        if self._shown:
            self._write(NORMAL)
        self.over()


def frame(lang: str, columns: int, rows: int, key: str = "ui.opening") -> str:
    """Return the frame as text with cursor movements: the name of the program, and that it is about to begin."""
    told = _text(lang, key)
    if not takes_all(sys.stdout.encoding):
        told = told.encode("ascii", "ignore").decode()
    row, column = max(2, rows // 2), max(1, (columns - len(told)) // 2)
    return f"\x1b[1;2Hcarteado\x1b[{row};{column}H{told[: columns - 2]}"


def _text(lang: str, key: str) -> str:
    """Return one of the client's own texts, English where the language has none."""
    for name in (lang, "en"):
        source = files("carteado.ui") / "locale" / f"{name}.json"
        if source.is_file():
            return str(json.loads(source.read_text(encoding="utf-8"))[key])
    raise LookupError(key)


def _size() -> tuple[int, int]:
    try:
        size = os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError):
        return 80, 24
    return size.columns, size.lines


def _to_terminal(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _end(number: int, frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
