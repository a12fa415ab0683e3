"""An endless hook is cut off: the table is as before, the plugin and the hook are named, and nothing else is ever interrupted."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from typing import Any

import pytest

from carteado.core.api import FRENCH_32, Form, Game, Result, Table, hookimpl
from carteado.core.errors import PluginFault
from carteado.core.match import Match
from carteado.net import deadline
from carteado.net.deadline import within

pytestmark = [
    pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no interval timer"), pytest.mark.slow
]  # fmt: skip
SHORT = 0.2


class Stuck(Game):
    """Hangs in the hook it is told to hang in, in the worst way: swallowing every exception."""

    name, title, deck = "stuck", "Stuck", FRENCH_32
    where = ""

    def hang(self, hook: str) -> None:
        """Hang if this is the hook."""
        while self.where == hook:
            try:
                sum(range(1000))
            except Exception:  # noqa: BLE001 - a plugin that swallows everything is what is tested
                continue

    @hookimpl
    def deal(self, table: Table) -> None:
        """Lay the pack down and ask the first seat."""
        table.create("stock", "pile", cards=self.deck.cards)
        self.hang("deal")
        table.ask(table.start, "go")

    @hookimpl
    def options(self, table: Table, seat: int) -> list[Form]:
        """Offer one form."""
        self.hang("options")
        return [Form("go", default=True)]

    @hookimpl
    def turn(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        """Ask the next seat."""
        table.set("turns", 1)
        self.hang("turn")
        table.ask(table.next(seat), "go")

    @hookimpl
    def scoring(self, table: Table) -> Result | None:
        """Go on for ever."""
        self.hang("scoring")
        return None


@pytest.fixture
def match() -> Match:
    made = Match(Stuck(), {}, [{"name": "A"}, {"name": "B"}])
    made.deal(bytes(32))
    return made


@pytest.fixture
def stuck(match: Match, monkeypatch: pytest.MonkeyPatch) -> Any:
    return lambda hook: monkeypatch.setattr(match.game, "where", hook, raising=False)


@pytest.mark.parametrize("hook", ["options", "turn", "scoring"])
def test_an_action_that_hangs_in_a_hook_is_taken_back_and_the_hook_is_blamed(hook: str, match: Match, stuck: Any) -> None:
    seat, before = min(match.prompts), match.digest()
    prompt = match.prompts[seat].id
    stuck(hook)
    with pytest.raises(PluginFault) as caught, within(SHORT):
        match.act(seat, prompt, {"type": "go"})
    assert (caught.value.plugin, caught.value.hook, match.digest()) == ("stuck", hook, before)


def test_after_a_hook_was_cut_off_the_match_goes_on(match: Match, stuck: Any) -> None:
    seat = min(match.prompts)
    prompt = match.prompts[seat].id
    stuck("turn")
    with pytest.raises(PluginFault), within(SHORT):
        match.act(seat, prompt, {"type": "go"})
    stuck("")
    assert match.act(seat, prompt, {"type": "go"}).q == 2


def test_code_outside_of_hooks_is_never_interrupted() -> None:
    done = threading.Event()
    with within(0.01):
        done.wait(0.3)
    assert not done.is_set()


def test_the_timer_goes_off_when_there_is_nothing_to_watch_any_more() -> None:
    with within(0.01):
        assert signal.getitimer(signal.ITIMER_REAL) != (0.0, 0.0)
    given_up = time.monotonic() + 5
    while signal.getitimer(signal.ITIMER_REAL) != (0.0, 0.0):
        threading.Event().wait(0.01)
        assert time.monotonic() < given_up


def test_a_hook_around_the_block_is_not_blamed(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    seat = min(match.prompts)

    def limited(hook: str) -> None:
        if hook == "turn":
            with within(0.01):
                threading.Event().wait(0.1)

    monkeypatch.setattr(match.game, "hang", limited)
    assert match.act(seat, match.prompts[seat].id, {"type": "go"}).q == 2


def test_without_an_interval_timer_a_watchdog_bites_when_the_time_is_over() -> None:
    bitten = threading.Event()
    leave = deadline._watched(0.01, bitten.set)
    assert bitten.wait(5)
    leave()


def test_without_an_interval_timer_the_watchdog_leaves_a_quick_step_alone() -> None:
    bitten = threading.Event()
    deadline._watched(60, bitten.set)()
    assert not bitten.is_set()


def test_a_program_that_ends_right_after_a_step_is_not_killed_by_the_timer() -> None:
    program = """
import time
from carteado.net.deadline import within
class Late:
    def __del__(self, now=time.monotonic):
        end = now() + 0.5  # the interpreter takes its time to end
        while now() < end:
            pass
late = Late()
with within(0.1):
    pass
"""
    assert 0 == subprocess.run([sys.executable, "-c", program], check=False, timeout=30).returncode
