"""The bench of the page runs, and ends with one JSON object that holds its ratio."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from .tables import needs_chromium

pytestmark = [pytest.mark.long, needs_chromium]
BENCH = Path(__file__).resolve().parents[2] / "bench" / "web.py"


def test_the_bench_of_the_page_tells_bytes_and_times_beside_the_terminals(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, BENCH, "--moves", "2"],
        env=os.environ | {"CARTEADO_HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
        timeout=120,
        check=True,
    )
    numbers = json.loads(done.stdout.splitlines()[-1])
    assert 120 > numbers["load_kb"] > 20
    assert 20 > numbers["action_kb"] > 0.5
    assert numbers["ratio"] == pytest.approx(numbers["phone_ms"] / max(1, numbers["terminal_ms"]), rel=0.05)
