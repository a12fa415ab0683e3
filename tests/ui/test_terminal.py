"""The client on a real (pseudo) terminal: the bytes it sends make the right screen, and it leaves the terminal as it found it."""

from __future__ import annotations

import asyncio
import io
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fcntl import ioctl
from pathlib import Path
from typing import Any

import pyte
import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output

from carteado.ui.terminal.app import Client, Looks
from carteado.ui.terminal.table import paint

from .harness import Recorded
from .tables import TABLES

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
COLUMNS, ROWS = 80, 24
MODES = re.compile(r"\x1b\[\?(\d+)([hl])")
PATIENCE = 60.0
"""Seconds after which a screen that does not come is a failure; never waited for otherwise."""

PROGRAM = """
import asyncio, sys
from tests.ui.harness import Recorded
from tests.ui.tables import TABLES
from carteado.ui.terminal.app import Looks, run
make, words, looks = TABLES["steps"]
session = Recorded(make(), words, looks)
status = asyncio.run(run(session, Looks(confirm=False)))
print("played", session.acts, session.closed)
sys.exit(status)
"""


FAULTS = """
import asyncio, sys
from carteado.ui.terminal import app, table
from tests.ui.harness import Recorded
from tests.ui.tables import TABLES
make, words, looks = TABLES["steps"]

class Failing(Recorded):
    async def changes(self):
        async for change in super().changes():
            raise ZeroDivisionError("a task has failed")
            yield change

    async def act(self, prompt, action):
        self.show(self.view)

session = Failing(make(), words, looks)
if "{kind}" == "painting":
    painted = app.paint
    app.paint = lambda view, local, *size: 1 / 0 if local.hand.marked[0] else painted(view, local, *size)
sys.exit(asyncio.run(app.run(session, app.Looks(confirm=False))))
"""


class Terminal:
    """A program on a pseudo terminal, with a terminal emulator that reads what it writes."""

    def __init__(self, program: subprocess.Popen[bytes], handle: int) -> None:
        self.program = program
        self.sent = ""
        self._handle = handle
        self._screen = pyte.Screen(COLUMNS, ROWS)
        self._stream = pyte.ByteStream(self._screen)

    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self._screen.display)

    def type(self, keys: str) -> None:
        os.write(self._handle, keys.encode())

    def wait_for(self, wanted: str) -> None:
        """Read until a text is on the screen."""
        end = time.monotonic() + PATIENCE
        while wanted not in self.text():
            assert time.monotonic() < end, f"{wanted!r} never came:\n{self.text()}"
            self.read(0.2)

    def read(self, seconds: float) -> bool:
        """Take in what the program wrote; tell whether it still writes."""
        if not select.select([self._handle], [], [], seconds)[0]:
            return True
        try:
            block = os.read(self._handle, 65_536)
        except OSError:  # the other side is closed
            return False
        # pyte does not know DEC private modes with several parameters; prompt_toolkit sends one each.
        self.sent += block.decode("utf-8", "replace")
        self._stream.feed(block)
        return bool(block)

    def ends(self) -> int:
        """Read to the end and return the exit status."""
        end = time.monotonic() + PATIENCE
        while self.read(0.2) and self.program.poll() is None:
            assert time.monotonic() < end, "the program does not end"
        while select.select([self._handle], [], [], 0)[0] and self.read(0):
            pass
        return self.program.wait(PATIENCE)

    def modes(self) -> dict[int, str]:
        """Return the last state of each private mode: `h` on, `l` off."""
        return {int(number): state for number, state in MODES.findall(self.sent)}


@contextmanager
def terminal(program: str = PROGRAM, arguments: Sequence[str] = (), **environ: str) -> Iterator[Terminal]:
    """Run the client (or another program, or the command with arguments) on a pseudo terminal."""
    master, slave = pty.openpty()
    ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    surroundings = {**os.environ, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8", **environ}
    run = ["-m", "carteado.cli", *arguments] if arguments else ["-c", program]
    running = subprocess.Popen(
        [sys.executable, *run],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=ROOT,
        env=surroundings,
        start_new_session=True,
        preexec_fn=lambda: ioctl(0, termios.TIOCSCTTY, 0),  # type: ignore[arg-type,return-value]
    )
    os.close(slave)
    try:
        yield Terminal(running, master)
    finally:
        if running.poll() is None:
            running.kill()
        running.wait()
        os.close(master)


def is_restored(modes: dict[int, str]) -> bool:
    """Tell whether alternate screen, mouse and bracketed paste are off and the cursor is visible."""
    return (
        all(modes.get(mode, "l") == "l" for mode in (1049, 1000, 1002, 1003, 1006, 2004)) and modes.get(25, "h") == "h"
    )


@pytest.mark.slow
def test_a_card_is_dragged_and_one_is_played_by_key_on_a_real_terminal() -> None:
    with terminal() as one:
        one.wait_for("? Help")  # the last line: the screen is whole
        lines = one.text().split("\n")
        row = next(number for number, line in enumerate(lines) if "2●│" in line) + 1
        pile = next(number for number, line in enumerate(lines) if "4■│ 9" in line) + 1
        x, to_x = lines[row - 1].index("2●") + 1, lines[pile - 1].index("4■") + 1
        one.type(f"\x1b[<0;{x};{row}M")
        for step in range(1, 5):
            one.type(f"\x1b[<32;{x + (to_x - x) * step // 4};{row + (pile - row) * step // 4}M")
        one.wait_for("│ 2●│ 9")
        one.type(f"\x1b[<0;{to_x};{pile}m")
        one.wait_for("│ 4■│ 9")
        one.type("2d")
        one.type("q")
        one.wait_for("your seat is kept")
        one.type("2")
        assert 0 == one.ends()
        assert "{'type': 'discard', 'cards': ['R2']}" in one.sent
        assert "{'type': 'discard', 'cards': ['Y6']}" in one.sent
        assert is_restored(one.modes()), one.modes()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=lambda number: number.name)
def test_every_signal_leaves_the_terminal_as_it_was(number: signal.Signals) -> None:
    with terminal() as one:
        one.wait_for("Discards")
        assert "h" == one.modes()[1049]
        assert "h" == one.modes()[1002]
        one.program.send_signal(number)
        assert 128 + number == one.ends()
        assert is_restored(one.modes()), one.modes()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["task", "painting"])
def test_a_crash_shows_the_games_own_box_writes_a_report_and_leaves_the_terminal_as_it_was(kind: str, tmp_path: Path) -> None:
    with terminal(FAULTS.replace("{kind}", kind), XDG_STATE_HOME=str(tmp_path), HOME=str(tmp_path)) as one:
        one.wait_for("? Help")
        one.type("1" if kind == "painting" else "1d")
        one.wait_for("Something went wrong")
        assert "ZeroDivisionError" in one.text()
        assert "Press ENTER" not in one.text()
        one.type("\x03\x03")
        one.ends()
        assert is_restored(one.modes()), one.modes()
    reports = list(tmp_path.rglob("crash-*.txt"))
    assert 1 == len(reports)
    assert "ZeroDivisionError" in reports[0].read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("when", ["shuffled", "[c] Draw"])
def test_a_signal_to_the_whole_program_restores_the_terminal_while_it_starts_and_while_one_plays(when: str, tmp_path: Path) -> None:
    arguments = ["play", "dez-degraus", "--seed", "4", "--lang", "en"]
    with terminal(arguments=arguments, CARTEADO_HOME=str(tmp_path)) as one:
        one.wait_for(when)
        one.program.send_signal(signal.SIGTERM)
        assert 128 + signal.SIGTERM == one.ends()
        assert is_restored(one.modes()), one.modes()


@pytest.mark.slow
def test_a_host_that_dies_is_told_in_words_and_the_terminal_is_restored(tmp_path: Path) -> None:
    arguments = ["play", "dez-degraus", "--seed", "4", "--lang", "en"]
    with terminal(arguments=arguments, CARTEADO_HOME=str(tmp_path)) as one:
        one.wait_for("[c] Draw")
        children = Path(f"/proc/{one.program.pid}/task/{one.program.pid}/children").read_text(encoding="ascii").split()
        for child in children:
            os.kill(int(child), signal.SIGKILL)
        one.wait_for("The program that held the table has ended.")
        one.type("1")
        assert 1 == one.ends()
        assert is_restored(one.modes()), one.modes()


@pytest.mark.slow
def test_hovering_is_not_asked_for_and_the_mouse_can_be_given_back() -> None:
    with terminal() as one:
        one.wait_for("Discards")
        assert 1003 not in one.modes()
        one.type("\x1b[19~")  # F8
        one.wait_for("belongs to the terminal")
        assert "l" == one.modes()[1002]
        one.type("\x03\x03")
        assert 0 == one.ends()


@pytest.mark.slow
def test_no_color_sends_no_colour_and_shapes_still_tell_the_suits_apart() -> None:
    with terminal(NO_COLOR="1") as one:
        one.wait_for("Discards")
        one.type("\x03\x03")
        one.ends()
        assert re.search(r"\x1b\[[\d;]*(3[0-79]|4[0-79]|38|48)[;m]", one.sent) is None
        assert all(sign in one.sent for sign in "●◆■▲")


@pytest.mark.slow
def test_a_terminal_without_utf8_gets_ascii_by_itself() -> None:
    with terminal(PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C") as one:
        one.wait_for("Discards")
        assert one.text().isascii()
        one.type("\x03\x03")
        one.ends()


@pytest.mark.parametrize(
    "depth", [ColorDepth.DEPTH_1_BIT, ColorDepth.DEPTH_8_BIT, ColorDepth.DEPTH_24_BIT], ids=lambda depth: depth.name
)
@pytest.mark.parametrize("game", TABLES)
def test_the_bytes_make_the_painted_screen_in_a_terminal_emulator(game: str, depth: ColorDepth) -> None:
    make, words, looks = TABLES[game]
    session = Recorded(make(), words, looks)
    sent = io.BytesIO()
    stream = io.TextIOWrapper(sent, encoding="utf-8", write_through=True)
    output = Vt100_Output(stream, lambda: Size(rows=40, columns=120), enable_cpr=False)
    screen: Any = pyte.Screen(120, 40)

    async def run() -> None:
        with create_pipe_input() as pipe, create_app_session(input=pipe, output=output):
            client = Client(session, Looks(depth=depth), input=pipe, output=output)
            task = asyncio.ensure_future(client.run())
            while client.app.render_counter == 0:
                await asyncio.sleep(0.002)
            pipe.send_text("12")
            count = client.app.render_counter
            while client.app.render_counter == count or client.app.invalidated:
                await asyncio.sleep(0.002)
            pyte.ByteStream(screen).feed(sent.getvalue())
            shown = "\n".join(line.rstrip() for line in screen.display)
            assert paint(session.view, client.local, 120, 40).text() == shown
            client.leave()
            await task

    asyncio.run(run())


BUTTONS = (("[Esc] Give up", "\x1b"), ("[d] Draw", "d"), ("[f] End turn", "f"), ("[t] Take", "t"), ("▶ 1 ", "1"))
"""What can be pressed in a game of Cascata, the first that is on the screen: its text, and its key."""


def turn_of(one: Terminal) -> tuple[str, str] | None:
    """Return a button that is on the screen, None while others play."""
    text = one.text()
    found = [button for button in BUTTONS if button[0] in text]
    return (found[-1] if "▶ 1 " in text else found[0]) if found else None


@pytest.mark.long
@pytest.mark.parametrize("hand", ["mouse", "keyboard"])
def test_a_whole_match_of_the_real_program_is_played_on_a_real_terminal(hand: str, tmp_path: Path) -> None:
    arguments = ["play", "cascata", "--players", "2", "--level", "random", "--pace", "0.02", "--lang", "en", "--quiet"]
    with terminal(arguments=arguments, CARTEADO_HOME=str(tmp_path)) as one:
        one.wait_for("Reserve")
        end = time.monotonic() + 5 * PATIENCE
        while "The match is over" not in one.text():
            assert time.monotonic() < end, one.text()
            button, before = turn_of(one), one.text()
            if button is None:
                one.read(0.2)
                continue
            label, key = button
            if hand == "mouse":
                row, line = next((row, line) for row, line in enumerate(one.text().split("\n"), 1) if label in line)
                column = line.index(label) + 2
                one.type(f"\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m")
            else:
                one.type(key)
            answered = time.monotonic() + 5
            while one.text() == before and time.monotonic() < answered:
                one.read(0.2)
        assert "chips" in one.text()
        one.type("\x03\x03")
        assert 0 == one.ends()
        assert is_restored(one.modes()), one.modes()
