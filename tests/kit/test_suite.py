"""Suites, exemptions, the pytest plugin and the way checks of other areas come in."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from carteado.core.testing import Case, Check, Effort, Fault, GameSuite, NothingToCheck, Trial, all_checks, registry
from carteado.core.testing.plugin import seeds
from carteado.core.testing.suite import EXEMPT, FAILED, PASSED, SKIPPED, judge, trial
from carteado.core.testing.trial import default_variants

from .sound import Sound
from .zoo import DefaultArgument

TINY = Effort(actions=1, matches=1, short=1)
KIT = Path(__file__).parent


def finds(*faults: Fault) -> Check:
    """Return a check that finds these faults in every game."""
    return Check("finds", "nothing is wrong", lambda trial: iter(faults))


def tried(**more: Any) -> Trial:
    """Return a trial of the sound game."""
    return trial(Sound, type("TestSound", (GameSuite,), more), TINY)


def test_a_check_without_faults_is_passed() -> None:
    assert judge(finds(), tried()).outcome == PASSED


def test_a_fault_names_hook_seat_step_and_seed_and_the_command_that_shows_it_again() -> None:
    fault = Fault("It is wrong.", "turn", Case(7, 3, {"long": True}), 12, 1, 2, ["because"])
    told = judge(finds(fault), tried(), "pytest x").text
    assert told.splitlines()[2:] == [
        "It is wrong.",
        '  at: hook turn, seat 1, seen by seat 2, after entry 12 of seed 7 (3 players, options {"long": true})',
        "  because",
        "  again: pytest x --carteado-seeds 7",
    ]


def test_a_watcher_is_named_as_one() -> None:
    assert "seen by a watcher" in Fault("It is wrong.", viewer=None).text()


def test_at_most_three_faults_of_different_kinds_are_told() -> None:
    many = [Fault(f"{number % 5} fails") for number in range(40)]
    assert judge(finds(*many), tried()).text.count("fails") == 3


def test_an_exemption_that_is_needed_gives_its_reason() -> None:
    verdict = judge(finds(Fault("It is wrong.")), tried(exempt={"finds": "so it is played"}))
    assert (verdict.outcome, verdict.text) == (EXEMPT, "so it is played")


def test_an_exemption_that_is_not_needed_fails() -> None:
    verdict = judge(finds(), tried(exempt={"finds": "so it is played"}))
    assert (verdict.outcome, "drop the exemption" in verdict.text) == (FAILED, True)


def test_nobody_is_exempt_from_loading() -> None:
    check = Check("loads", "it loads", lambda trial: iter([Fault("It does not.")]))
    assert judge(check, tried(exempt={"loads": "too hard"})).outcome == FAILED


def test_a_game_that_does_not_load_is_looked_at_no_further() -> None:
    assert judge(finds(Fault("It is wrong.")), trial(DefaultArgument, GameSuite, TINY)).outcome == SKIPPED


def test_a_check_with_nothing_to_look_at_is_skipped() -> None:
    def run(trial: Trial) -> Iterator[Fault]:
        raise NothingToCheck("no cards")
        yield

    assert judge(Check("finds", "nothing is wrong", run), tried()).text == "no cards"


def test_variants_of_a_game_that_names_none_are_the_defaults_and_each_other_value() -> None:
    assert default_variants(Sound()) == [{}, {"long": True}, {"penalty": "two"}]


def test_cases_with_neighbouring_seeds_differ_in_variant_and_players() -> None:
    cases = [tried().case(seed) for seed in range(9)]
    assert len({(case.players, str(case.options)) for case in cases}) == 9
    assert [case.players for case in cases[:3]] == [2, 3, 4]


def test_seeds_are_read_as_numbers_and_ranges() -> None:
    assert seeds("3, 7-9") == [3, 7, 8, 9]


# Checks of other areas


def point(name: str, value: str) -> EntryPoint:
    """Return an entry point that adds checks."""
    return EntryPoint(name, value, registry.GROUP)


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let `all_checks` find these entry points only; return the checks besides the core's."""

    def look(*points: EntryPoint) -> dict[str, Check]:
        monkeypatch.setattr(registry, "entry_points", lambda group: points)
        registry.all_checks.cache_clear()
        own = {check.name for check in registry.own_checks()}
        return {check.name: check for check in registry.all_checks() if check.name not in own}

    yield look
    registry.all_checks.cache_clear()


def add_two(add: Any) -> None:
    """Add two checks."""
    add(finds())
    add(Check("also", "nothing is wrong", lambda trial: iter(())))


def add_taken(add: Any) -> None:
    """Add a check with a name of the core's."""
    add(Check("deals", "it deals", lambda trial: iter(())))


def test_an_entry_point_adds_checks(found: Any) -> None:
    assert list(found(point("more", f"{__name__}:add_two"))) == ["finds", "also"]


def test_checks_that_cannot_be_added_are_a_check_that_fails_and_says_why(found: Any) -> None:
    checks = found(point("screen", "no.such.module:add"))
    verdict = judge(checks["screen"], tried())
    assert (verdict.outcome, "no.such.module:add cannot be added: ModuleNotFoundError" in verdict.text) == (FAILED, True)


def test_a_name_that_is_taken_is_told(found: Any) -> None:
    checks = found(point("more", f"{__name__}:add_taken"))
    assert "has a name that is taken" in judge(checks["more_deals"], tried()).text


def test_the_installed_checks_are_the_cores_and_the_terminals() -> None:
    registry.all_checks.cache_clear()
    assert {check.name for check in all_checks()} - {check.name for check in registry.own_checks()} == {"terminal_shows_all"}


# pytest


def run_pytest(where: Path, *arguments: str) -> str:
    """Run pytest in a folder and return what it prints."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--import-mode=importlib", "-rA", *arguments]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    done = subprocess.run(command, cwd=where, env=environment, capture_output=True, text=True, timeout=300)
    return done.stdout + done.stderr


SUITE = """
from sound import Sound
from carteado.core.testing import GameSuite

class Silent(Sound):
    def words(self, lang):
        return {}

class TestSilent(GameSuite):
    game = Silent
    exempt = {"rules_are_written": "they are", "translations_are_whole": "one day", "words_exist": "it says nothing"}

    def test_of_its_own(self):
        assert True

class TestLoud(GameSuite):
    game = Silent
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with a game and a test file of its author."""
    (tmp_path / "sound.py").write_text((KIT / "sound.py").read_text())
    (tmp_path / "test_silent.py").write_text(SUITE)
    return tmp_path


@pytest.mark.slow
def test_every_check_of_a_suite_is_a_test_with_its_own_name(package: Path) -> None:
    told = run_pytest(package, "--carteado-seeds", "0", "-k", "written or whole or words_exist or of_its_own")
    assert "PASSED test_silent.py::TestSilent::test_of_its_own" in told
    assert "XFAIL test_silent.py::TestSilent::words_exist - it says nothing" in told
    assert "FAILED test_silent.py::TestSilent::rules_are_written" in told
    assert "is exempt from rules_are_written (they are), and would pass it: drop the exemption" in told
    assert "FAILED test_silent.py::TestLoud::words_exist" in told
    assert "again: pytest 'test_silent.py::TestLoud::words_exist' --carteado-seeds 0" in told


@pytest.mark.slow
def test_one_check_of_a_suite_can_be_run_by_its_name(package: Path) -> None:
    assert "1 passed" in run_pytest(package, "test_silent.py::TestLoud::deals", "--carteado-seeds", "0")


@pytest.mark.slow
def test_an_installed_game_is_checked_by_its_name_alone(tmp_path: Path) -> None:
    told = run_pytest(
        tmp_path, "--carteado-game", "dez-degraus", "-k", "loads or options_fit or messages_stay_small", "--carteado-seeds", "3"
    )
    assert "3 passed" in told
    assert "PASSED ::dez-degraus::loads" in told
    assert "dez-degraus: largest view" in told


@pytest.mark.slow
def test_a_game_that_is_not_installed_is_told(tmp_path: Path) -> None:
    assert "There is no game 'nowhere'" in run_pytest(tmp_path, "--carteado-game", "nowhere")
