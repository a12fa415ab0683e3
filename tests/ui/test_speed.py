"""What a drag step costs, beside what prompt_toolkit costs anyway for a screen of that size; and keys while updates pour in."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = pytest.mark.slow

BENCH = Path(__file__).parents[2] / "bench" / "terminal.py"


def bench() -> ModuleType:
    """Return the bench as a module."""
    spec = importlib.util.spec_from_file_location("bench_of_the_terminal", BENCH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_drag_step_costs_at_most_what_it_may_beside_the_redraw_of_an_empty_screen() -> None:
    told = bench().drag(3, 120, 40)
    assert told["ratio"] < told["target"]
    assert told["bytes"] < 1000


def test_two_thousand_updates_a_second_never_cost_a_key() -> None:
    told = bench().storm(2000, 1.0, 120, 40)
    assert 0 == told["missed"]
    assert told["keys"] > 0
    assert told["updates"] > 1000
