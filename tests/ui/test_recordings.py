"""docs/recordings/ has a whole game by keyboard, by mouse and with lines: CARTEADO_SCREENS=write plays them anew."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pyte
import pytest

from .recordings import MADE, saved


@pytest.mark.slow
@pytest.mark.parametrize("name", MADE)
def test_the_recordings_are_what_happens(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARTEADO_HOME", str(tmp_path))
    made = MADE[name]()
    if os.environ.get("CARTEADO_SCREENS"):
        saved(name).parent.mkdir(exist_ok=True)
        saved(name).write_text(made, encoding="utf-8")
    assert made == saved(name).read_text(encoding="utf-8"), "CARTEADO_SCREENS=write plays docs/recordings anew"


@pytest.mark.parametrize("name", [name for name in MADE if name.endswith(".cast")])
def test_a_recording_shows_the_end_of_the_match_in_a_terminal_emulator(name: str) -> None:
    header, *events = [json.loads(line) for line in saved(name).read_text(encoding="utf-8").splitlines()]
    screen = pyte.Screen(header["width"], header["height"])
    stream = pyte.Stream(screen)
    for _, kind, data in events:
        if kind == "o":
            stream.feed(data)
    shown = "\n".join(screen.display)
    assert "The match is over" in shown
    assert "chips" in shown
    assert [at for at, _, _ in events] == sorted(at for at, _, _ in events)


def test_the_transcript_is_a_whole_game_in_words() -> None:
    lines = saved("cascata-lines.txt").read_text(encoding="utf-8").splitlines()
    assert sum(line.startswith("> ") for line in lines) > 50
    assert any("chips" in line for line in lines)
    assert all(sign not in "".join(lines) for sign in "♠♥♦♣│")
