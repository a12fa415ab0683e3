"""What the terminal client costs beside what it stands on: the first frame, a step of a drag, and keys under a storm of updates.

    python bench/terminal.py [start|drag|storm] [--rounds 9] [--size 120x40] [--rate 2000] [--seconds 3] [--json]

start: from starting `carteado play` on a pseudo terminal to its first frame, and to the table, in wall time, in turns with a fresh
interpreter that imports prompt_toolkit and zmq and nothing else. The host runs in a process of its own meanwhile.
drag:  one step of a card being dragged over a table of that size (move, paint, prompt_toolkit's redraw, bytes to a sink), in processor
time, in turns with prompt_toolkit's redraw of a screen of that size full of blanks, none of which changes.
storm: so many updates a second are told to a client while keys are typed; a key is missed if what it does was not done.

The last line is one JSON object with all that was measured; its `ratio` is that of the first thing measured.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import pty
import random
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from fcntl import ioctl
from io import StringIO
from typing import Any

from prompt_toolkit.application import Application, create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.controls import UIContent, UIControl
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

from carteado.core.loader import load
from carteado.core.match import Match
from carteado.ui.terminal.app import Client, Looks
from carteado.ui.terminal.room import Chair, Room
from carteado.ui.terminal.scene import card_hit
from carteado.ui.terminal.session import Change
from carteado.ui.terminal.words import catalogue

GAME = "dez-degraus"
TARGETS = {"start": 2.0, "drag": 1.3}
PATIENCE = 60.0


# the first frame


def alone() -> float:
    """Return the seconds of a fresh interpreter that imports prompt_toolkit and zmq."""
    begun = time.monotonic()
    subprocess.run([sys.executable, "-c", "import prompt_toolkit, zmq"], check=True)
    return time.monotonic() - begun


def first_frames(home: str, columns: int, rows: int) -> tuple[float, float]:
    """Start `carteado play`; return the seconds until something is on the screen, and until the cards are."""
    handle, slave = pty.openpty()
    ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    surroundings = {**os.environ, "CARTEADO_HOME": home, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}
    begun = time.monotonic()
    program = subprocess.Popen(
        [sys.executable, "-m", "carteado.cli", "play", GAME, "--seed", "bench", "--lang", "en"],
        stdin=slave, stdout=slave, stderr=slave, env=surroundings, start_new_session=True,
    )  # fmt: skip
    os.close(slave)
    try:
        first, seen = 0.0, b""
        while b"Stock" not in seen:
            if not select.select([handle], [], [], PATIENCE)[0]:
                raise TimeoutError(f"no table came: {seen[-400:]!r}")
            seen += os.read(handle, 65_536)
            first = first or (time.monotonic() - begun if b"carteado" in seen else 0.0)
        return first, time.monotonic() - begun
    finally:
        program.send_signal(signal.SIGTERM)
        while select.select([handle], [], [], PATIENCE)[0]:
            try:
                if not os.read(handle, 65_536):
                    break
            except OSError:
                break
        program.wait(PATIENCE)
        os.close(handle)


def start(rounds: int, columns: int, rows: int) -> dict[str, Any]:
    """Measure the first frame."""
    bases, frames, tables = [], [], []
    with tempfile.TemporaryDirectory() as home:
        first_frames(home, columns, rows)  # makes the player's key and the compiled modules
        for _ in range(rounds):
            bases.append(alone())
            first, table = first_frames(home, columns, rows)
            frames.append(first)
            tables.append(table)
    return {
        "ratio": ratio(frames, bases), "table_ratio": ratio(tables, bases), "first_ms": ms(frames), "table_ms": ms(tables),
        "imports_ms": ms(bases), "target": TARGETS["start"],
    }  # fmt: skip


# a client on a real match


class AtMatch:
    """A session at the beginning of a real match, at which nothing is played."""

    line, line_reason, seconds = "live", "", None

    def __init__(self, game: str = GAME, players: int = 4) -> None:
        self._game = load(game)
        self.match = Match(self._game, seats=[{"name": f"P{seat}", "bot": None} for seat in range(players)], table="bench")
        self.match.deal(random.Random(3).randbytes(32))
        self.seat = min(self.match.prompts)
        self.view: Mapping[str, Any] | None = self.match.view(self.seat)
        self.queue: asyncio.Queue[Change | None] = asyncio.Queue()
        self.catalogues: Sequence[Mapping[str, Any]] = [self._game.words("en"), catalogue("carteado.core", "en")]
        self.looks: Mapping[str, Any] = self._game.deck.looks
        self.rules = ""
        chairs = [Chair(seat, f"P{seat}") for seat in range(players)]
        self.room: Room | None = Room("playing", chairs, frozenset({"leave"}), title=self._game.title)

    async def changes(self) -> AsyncIterator[Change]:
        """Yield what is put into the queue."""
        while (change := await self.queue.get()) is not None:
            yield change

    async def act(self, prompt: int, action: Mapping[str, Any]) -> list[Any] | None:
        """Refuse."""
        return ["ui.not_now", {}]

    async def ask(self, wish: str, **details: Any) -> list[Any] | None:
        """Refuse."""
        return ["ui.not_now", {}]

    async def speak(self, lang: str) -> list[Any] | None:
        """Refuse."""
        return ["ui.not_now", {}]

    async def close(self) -> None:
        """End the changes."""
        self.queue.put_nowait(None)


class Empty(UIControl):
    """A screen with nothing on it."""

    def create_content(self, width: int, height: int) -> UIContent:
        """Return lines of blanks."""

        def line(y: int) -> StyleAndTextTuples:
            return [("", " " * width)]

        return UIContent(line, line_count=height, show_cursor=False)


def sink(columns: int, rows: int) -> tuple[Vt100_Output, StringIO]:
    """Return an output of this size whose bytes go nowhere."""
    written = StringIO()
    return Vt100_Output(written, lambda: Size(rows=rows, columns=columns), enable_cpr=False), written


def spent(work: Callable[[], object]) -> float:
    """Return the processor seconds of some work."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def drag(rounds: int, columns: int, rows: int) -> dict[str, Any]:
    """Measure a step of a drag."""
    steps: list[float] = []
    empties: list[float] = []
    sent: list[int] = []

    async def run() -> None:
        output, written = sink(columns, rows)
        blank, _ = sink(columns, rows)
        with create_pipe_input() as pipe, create_app_session(input=pipe, output=output):
            client = Client(AtMatch(), Looks(depth=ColorDepth.DEPTH_24_BIT), input=pipe, output=output)
            task = asyncio.ensure_future(client.run())
            while not client.app.render_counter:
                await asyncio.sleep(0.002)
            found = client.controls.grid.find(card_hit(1))
            assert found is not None
            with create_pipe_input() as other:
                empty: Application[None] = Application(Layout(Window(Empty())), full_screen=True, input=other, output=blank)
                waiting = asyncio.ensure_future(empty.run_async())
                while not empty.render_counter:
                    await asyncio.sleep(0.002)
                client.pointed("down", found[0], found[1])

                def step(n: int) -> None:
                    client.pointed("move", 6 + n * 7 % (columns - 20), 3 + n % (rows - 14))
                    client.app._redraw()

                gc.collect()
                for n in range(rounds * 20):
                    written.seek(0)
                    written.truncate()
                    steps.append(spent(lambda n=n: step(n)))  # type: ignore[misc]
                    sent.append(len(written.getvalue().encode()))
                    empties.append(spent(empty._redraw))
                empty.exit()
                await waiting
            client.leave()
            await task

    asyncio.run(run())
    return {
        "ratio": ratio(steps, empties), "step_ms": ms(steps), "empty_ms": ms(empties), "bytes": round(statistics.median(sent)),
        "target": TARGETS["drag"],
    }  # fmt: skip


# keys under a storm


def storm(rate: int, seconds: float, columns: int, rows: int) -> dict[str, Any]:
    """Measure whether keys are missed while views pour in."""
    told: dict[str, Any] = {}

    async def run() -> None:
        output, _ = sink(columns, rows)
        with create_pipe_input() as pipe, create_app_session(input=pipe, output=output):
            session = AtMatch()
            client = Client(session, Looks(depth=ColorDepth.DEPTH_24_BIT), input=pipe, output=output)
            task = asyncio.ensure_future(client.run())
            while not client.app.render_counter:
                await asyncio.sleep(0.002)
            before, begun = client.app.render_counter, time.monotonic()
            typed = missed = updates = 0
            delays = []
            while (now := time.monotonic()) - begun < seconds:
                due = int((now - begun) * rate)
                for _ in range(due - updates):
                    assert session.view is not None
                    session.view = {**session.view, "q": updates}
                    session.queue.put_nowait(Change("view"))
                    updates += 1
                if typed <= (now - begun) * 20:
                    marked, at = client.local.hand.marked[typed % 9], time.monotonic()
                    pipe.send_text(str(typed % 9 + 1))
                    while client.local.hand.marked[typed % 9] is marked and time.monotonic() - at < PATIENCE:
                        await asyncio.sleep(0)
                    delays.append(time.monotonic() - at)
                    missed += client.local.hand.marked[typed % 9] is marked
                    typed += 1
                await asyncio.sleep(0.001)
            frames = client.app.render_counter - before
            told.update(updates=updates, keys=typed, missed=missed, frames=frames, key_ms=ms(delays))
            client.leave()
            await task

    asyncio.run(run())
    return told | {"rate": rate, "seconds": seconds}


def ratio(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """Return the median of one over the median of the other."""
    return round(statistics.median(ours) / statistics.median(theirs), 2)


def ms(times: Sequence[float]) -> float:
    """Return the median in milliseconds."""
    return round(statistics.median(times) * 1000, 2)


def main() -> int:
    """Measure what was asked for, print it, and return the exit status."""
    parser = argparse.ArgumentParser(description="Measure the terminal client beside what it stands on.")
    parser.add_argument("what", nargs="*", choices=("start", "drag", "storm", []), help="what to measure (default: all)")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--size", default="120x40")
    parser.add_argument("--rate", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    columns, rows = (int(part) for part in given.size.split("x"))
    wanted = given.what or ["start", "drag", "storm"]
    found: dict[str, dict[str, Any]] = {}
    for name in wanted:
        if name == "start":
            found[name] = start(given.rounds, columns, rows)
            said = "the first frame comes after {ratio} times the imports ({first_ms} ms; at most {target}), the table after {table_ratio}"
        elif name == "drag":
            found[name] = drag(given.rounds, columns, rows)
            said = "a drag step costs {ratio} empty redraws ({step_ms} ms, {bytes} bytes); at most {target} are wanted"
        else:
            found[name] = storm(given.rate, given.seconds, columns, rows)
            said = "of {keys} keys under {updates} updates {missed} were missed; one took {key_ms} ms, {frames} frames were drawn"
        if not given.json:
            print(said.format(**found[name]))
    print(json.dumps({"bench": "terminal", "ratio": found[wanted[0]].get("ratio"), "size": given.size, **found}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
