"""The benches run, and end with one JSON object that holds their ratio."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"

pytestmark = pytest.mark.slow


def last_line(home: Path, script: str, *arguments: str) -> tuple[dict[str, Any], list[str]]:
    """Run a bench; return its last line as data, and all its lines."""
    done = subprocess.run(
        [sys.executable, BENCH / script, *arguments],
        env=os.environ | {"CARTEADO_HOME": str(home)},
        stdout=subprocess.PIPE,
        text=True,
        timeout=120,
        check=True,
    )
    lines = done.stdout.splitlines()
    result: dict[str, Any] = json.loads(lines[-1])
    return result, lines


def test_the_bench_of_the_rules_tells_an_action_in_bare_hook_calls(tmp_path: Path) -> None:
    numbers, lines = last_line(tmp_path, "rules.py", "--actions", "300", "--rounds", "2", "--json")
    assert len(lines) == 1
    assert numbers["actions"] == 300
    assert numbers["ratio"] == pytest.approx(numbers["action_us"] / numbers["bare_us"], rel=0.5)
    assert numbers["actions_per_second"] == pytest.approx(1e6 / numbers["action_us"], rel=0.01)


def test_the_bench_of_the_wire_tells_medians_beside_the_bare_fan_out(tmp_path: Path) -> None:
    numbers, lines = last_line(tmp_path, "wire.py", "--peers", "4,6", "--actions", "8", "--rounds", "2")
    assert len(lines) > 2
    assert [run["peers"] for run in numbers["runs"]] == [4, 6]
    assert [run["actions"] for run in numbers["runs"]] == [16, 16]
    assert numbers["ratio"] == numbers["runs"][0]["ratio"]
    for run in numbers["runs"]:
        assert run["median_ms"] <= run["p99_ms"]
        assert run["bare_median_ms"] <= run["bare_p99_ms"]
        assert run["ratio"] == pytest.approx(run["median_ms"] / run["bare_median_ms"], rel=0.05)


@pytest.mark.long
def test_the_bench_of_a_siege_tells_what_honest_peers_wait_for_and_nothing_is_lost(tmp_path: Path) -> None:
    numbers, lines = last_line(tmp_path, "siege.py", "--seconds", "2", "--rate", "2000", "--peers", "3", "--many-addresses")
    assert len(lines) > 4
    assert ["live"] * 4 == numbers["lines"]
    assert numbers["bans"] > 3
    assert 0 == numbers["faults"]
    assert numbers["mb"] < 20


def test_the_bench_of_the_terminal_tells_its_costs_beside_what_it_stands_on(tmp_path: Path) -> None:
    numbers, lines = last_line(tmp_path, "terminal.py", "--rounds", "1", "--seconds", "0.5", "--rate", "500")
    assert len(lines) == 4
    assert numbers["ratio"] == numbers["start"]["ratio"]
    assert numbers["start"]["first_ms"] < numbers["start"]["table_ms"]
    assert numbers["drag"]["bytes"] > 0
    assert numbers["storm"]["missed"] == 0


@pytest.mark.long
def test_the_bench_of_many_tables_tells_their_slowest_commands_in_those_of_one(tmp_path: Path) -> None:
    numbers, lines = last_line(tmp_path, "tables.py", "--tables", "3", "--seconds", "5", "--warm", "1", "--idle", "3", "--json")
    assert len(lines) == 1
    assert numbers["tables"] == 3
    assert numbers["ratio"] == pytest.approx(numbers["p99_all_ms"] / numbers["median_one_ms"], abs=0.01)
    assert numbers["p99_all_ms"] >= numbers["median_all_ms"] > 0


@pytest.mark.slow
def test_the_bench_of_a_restart_tells_how_much_sooner_a_view_is_there_than_if_all_came_first(tmp_path: Path) -> None:
    numbers, lines = last_line(tmp_path, "restart.py", "--tables", "3", "--entries", "20", "--runs", "1", "--json")
    assert len(lines) == 1
    assert numbers["ratio"] == pytest.approx(numbers["eager"]["view_s"] / numbers["lazy"]["view_s"], abs=0.01)
    assert (numbers["lazy"]["held"], numbers["eager"]["held"]) == (0, 3)
    assert numbers["lazy"]["all_s"] >= numbers["lazy"]["hello_s"] > 0
    assert numbers["games_beside"]["stall_ms"] > 0
