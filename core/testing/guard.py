"""A guard around hook calls: whoever asks for the time, for chance, for files, sockets or the system inside a hook is noted."""

from __future__ import annotations

import os
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

AUDITED = ("open", "os.", "socket.", "subprocess.", "shutil.", "tempfile.", "urllib.", "http.", "glob.", "pathlib.", "time.sleep")
CLOCKS = ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time", "process_time_ns",
          "localtime", "gmtime", "sleep")  # fmt: skip
_active: Guard | None = None
_listening = False


class Guard:
    """Note what hooks do that they must not; `around` one hook call at a time."""

    def __init__(self) -> None:
        self.found: list[tuple[str, str]] = []
        self.hook = ""
        self.thread = threading.get_ident()

    def note(self, what: str) -> None:
        """Note one misdeed of the hook that is being called, with the line of code it came from."""
        frame: FrameType | None = sys._getframe(1)
        at = ""
        while frame is not None:
            name = frame.f_code.co_filename
            if name.startswith("<frozen importlib"):
                return  # a late import reads files, and may
            if not at and not _machinery(name):
                at = f" ({name}:{frame.f_lineno})"
            frame = frame.f_back
        if (self.hook, what + at) not in self.found:
            self.found.append((self.hook, what + at))

    @contextmanager
    def around(self, hook: str) -> Iterator[None]:
        """Watch over one call of a hook."""
        global _active
        _listen()
        self.hook, outer = hook, (_active, self.hook)
        state = random.getstate()
        restore = _patched(self)
        _active = self
        try:
            yield
        finally:
            _active = outer[0]
            for undo in restore:
                undo()
            if random.getstate() != state:
                self.found.append((hook, "draws from the random module"))
                random.setstate(state)
            self.hook = outer[1]


def _machinery(filename: str) -> bool:
    return "/core/" in filename.replace("\\", "/") or "pluggy" in filename or filename.startswith("<") or filename == random.__file__


def _listen() -> None:
    global _listening
    if not _listening:
        _listening = True
        sys.addaudithook(_audit)


def _audit(event: str, arguments: tuple[Any, ...]) -> None:
    guard = _active
    if guard is not None and event.startswith(AUDITED) and threading.get_ident() == guard.thread:
        first = arguments[0] if arguments else ""
        guard.note(f"uses {event} {first!r}" if isinstance(first, (str, bytes)) else f"uses {event}")


def _patched(guard: Guard) -> list[Callable[[], None]]:
    """Put noting stand-ins in place of clocks and sources of chance; return what undoes it."""
    undo: list[Callable[[], None]] = []

    def stand_in(owner: Any, name: str, what: str, only: Callable[..., bool] = lambda *_: True) -> None:
        original = getattr(owner, name)

        def noting(*arguments: Any, **more: Any) -> Any:
            if threading.get_ident() == guard.thread and only(*arguments, **more):
                guard.note(what)
            return original(*arguments, **more)

        setattr(owner, name, noting)
        undo.append(lambda: setattr(owner, name, original))

    for clock in CLOCKS:
        stand_in(time, clock, f"asks the clock: time.{clock}")
    stand_in(os, "urandom", "draws from os.urandom")
    stand_in(os, "getenv", "reads the environment")
    stand_in(random, "_urandom", "draws from the system's randomness")
    stand_in(random.Random, "seed", "makes a random.Random without a seed", lambda _, a=None, version=2: a is None)
    return undo
