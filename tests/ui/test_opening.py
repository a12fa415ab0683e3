"""The first frame: there before anything heavy is imported, and gone without a trace whatever happens."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import pytest

from carteado.ui.terminal.opening import ALTERNATE, NORMAL, Opening, frame
from carteado.ui.terminal.words import LANGUAGES, own_catalogue


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_says_what_it_waits_for_in_the_readers_language(lang: str) -> None:
    assert own_catalogue(lang)["ui.opening"] in frame(lang, 80, 24)


def test_the_terminal_is_put_back_when_the_client_does_not_come_to_be() -> None:
    sent: list[str] = []
    with pytest.raises(OSError, match="no host"), Opening("en", write=sent.append):
        raise OSError("no host")
    assert sent[0].startswith(ALTERNATE)
    assert NORMAL == sent[-1]


def test_a_client_that_has_taken_over_keeps_the_terminal() -> None:
    sent: list[str] = []
    with Opening("en", write=sent.append) as opening:
        opening.over()
    assert 1 == len(sent)


def test_signals_end_it_and_are_as_before_afterwards() -> None:
    sent: list[str] = []
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit, match="143"), Opening("en", write=sent.append):
        os.kill(os.getpid(), signal.SIGTERM)
    assert (NORMAL, before) == (sent[-1], signal.getsignal(signal.SIGTERM))


def test_a_signal_while_the_frame_is_drawn_puts_the_terminal_back_too() -> None:
    sent: list[str] = []

    def write(text: str) -> None:
        sent.append(text)
        if text != NORMAL:
            os.kill(os.getpid(), signal.SIGTERM)

    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit, match="143"), Opening("en", write=write):
        pass
    assert (NORMAL, before) == (sent[-1], signal.getsignal(signal.SIGTERM))


def test_where_there_is_no_terminal_nothing_is_drawn() -> None:
    program = "from carteado.ui.terminal.opening import Opening\nwith Opening('en'): pass"
    assert "" == subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


def test_it_imports_neither_prompt_toolkit_nor_the_store_nor_discovery() -> None:
    program = "import sys, carteado.ui.terminal.opening, carteado.net.language, carteado.net.child\nprint(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert [] == [name for name in loaded if re.match(r"(prompt_toolkit|sqlalchemy|zeroconf|uvicorn|alembic)\b", name)]


def test_the_client_at_a_table_needs_no_computer_player_no_store_and_no_discovery() -> None:
    program = "import sys, carteado.ui.terminal.sitting, carteado.ui.terminal.app\nprint(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert [] == [name for name in loaded if re.match(r"(carteado\.core\.(bots|match)|sqlalchemy|zeroconf|uvicorn|alembic)\b", name)]
