"""The bench of Skat's players runs, and ends with one JSON object."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).resolve().parents[3] / "bench" / "skat.py"

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("match rule passing --deals 2", {"a": "rule", "b": "passing", "deals": 2}),
        ("contracts seeing rule --deals 1", {"a": "seeing", "b": "rule", "deals": 1}),
        ("selfplay rule --deals 3", {"a": "rule"}),
        ("moves rule --deals 1", {"a": "rule"}),
    ],
)
def test_what_was_measured_is_told_in_the_last_line(arguments: str, told: dict[str, Any]) -> None:
    done = subprocess.run([sys.executable, BENCH, *arguments.split()], stdout=subprocess.PIPE, text=True, timeout=120, check=True)
    numbers = json.loads(done.stdout.splitlines()[-1])
    assert told == {key: numbers[key] for key in told}


def test_the_times_of_the_parts_are_told_in_units_of_this_machine() -> None:
    done = subprocess.run([sys.executable, BENCH, "speed", "--hands", "2"], stdout=subprocess.PIPE, text=True, timeout=120, check=True)
    times = json.loads(done.stdout.splitlines()[-1])
    assert {"a drawn world", "a world kept of six drawn", "a tree iteration", "a card by the maxims"} < set(times)
    assert times["a drawn world"] < times["a world kept of six drawn"]
