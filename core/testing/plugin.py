"""The pytest plugin: every check a test of its own, for suites in test files and for installed games.

Options: `--carteado-game NAME` (again for more games), `--carteado-thorough`, `--carteado-seeds 0-9` or `3,17`.
"""

from __future__ import annotations

import inspect
from collections.abc import Generator, Iterator
from typing import Any

import pytest

from ..errors import LoadFailure
from ..game import Game
from ..loader import load
from .registry import Check, all_checks
from .suite import EXEMPT, FAILED, SKIPPED, GameSuite, judge, trial
from .trial import NORMAL, THOROUGH, Trial

FIGURES = "carteado figures"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the kit's options."""
    group = parser.getgroup("carteado", "conformance of card games")
    group.addoption("--carteado-game", action="append", default=[], metavar="NAME", help="check this installed game (repeatable)")
    group.addoption("--carteado-thorough", action="store_true", help="try much more: more matches, moments and hidden worlds")
    group.addoption("--carteado-seeds", metavar="SEEDS", type=seeds, help="play these matches only: 3,17 or 0-9")


def seeds(text: str) -> list[int]:
    """Read seeds, `3,17` or `0-9`. Raises: ValueError."""
    found: list[int] = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        found += range(int(first), int(last if dash else first) + 1)
    return found


def pytest_configure(config: pytest.Config) -> None:
    """Check the named games alone when no path is given."""
    if config.getoption("--carteado-game") and config.args_source is not pytest.Config.ArgsSource.ARGS:
        config.args = []


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Add the named games to what the session collects."""
    report = yield
    if isinstance(collector, pytest.Session):
        report.result = [
            *report.result,
            *(Installed.from_parent(collector, name=name) for name in collector.config.getoption("--carteado-game")),
        ]
    return report


def pytest_pycollect_makeitem(collector: pytest.Module | pytest.Class, name: str, obj: object) -> Any:
    """Collect a suite's checks besides its own test methods."""
    if inspect.isclass(obj) and issubclass(obj, GameSuite) and obj.game is not None and collector.classnamefilter(name):
        return Suite.from_parent(collector, name=name, obj=obj)
    return None


def _trial(config: pytest.Config, game: type[Game] | Game, suite: type[GameSuite]) -> Trial:
    effort = THOROUGH if config.getoption("--carteado-thorough") else NORMAL
    return trial(game, suite, effort, config.getoption("--carteado-seeds"))


class Installed(pytest.Collector):
    """An installed game, named on the command line."""

    def collect(self) -> Iterator[pytest.Item]:
        """Collect its checks."""
        try:
            game = load(self.name)
        except LoadFailure as failure:
            raise self.CollectError(str(failure)) from failure
        checked = _trial(self.config, game, GameSuite)
        for check in all_checks():
            again = f"pytest --carteado-game {self.name} -k {check.name}"
            yield CheckItem.from_parent(self, name=check.name, check=check, trial=checked, again=again)


class Suite(pytest.Class):
    """A class derived from GameSuite."""

    def collect(self) -> Iterator[pytest.Item | pytest.Collector]:
        """Collect the class's own tests, then the checks."""
        yield from super().collect()
        suite: type[GameSuite] = self.obj
        assert suite.game is not None
        checked = _trial(self.config, suite.game, suite)
        for check in all_checks():
            again = f"pytest '{self.nodeid}::{check.name}'"
            yield CheckItem.from_parent(self, name=check.name, check=check, trial=checked, again=again)


class CheckFailed(Exception):
    """Carry what a check found to the report."""


class CheckItem(pytest.Item):
    """One check of one game."""

    def __init__(self, *, check: Check, trial: Trial, again: str, **more: Any) -> None:
        super().__init__(**more)
        self.check = check
        self.trial = trial
        self.again = again

    def runtest(self) -> None:
        """Run the check; an exemption that is needed is an expected failure."""
        verdict = judge(self.check, self.trial, self.again)
        if self.trial.figures:
            self.user_properties.append((FIGURES, {"game": self.trial.game.name, **self.trial.figures}))
            self.trial.figures.clear()
        if verdict.outcome == FAILED:
            raise CheckFailed(verdict.text)
        if verdict.outcome == SKIPPED:
            pytest.skip(verdict.text)
        if verdict.outcome == EXEMPT:
            pytest.xfail(verdict.text)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show what the check found, without a traceback of the kit."""
        return str(excinfo.value) if isinstance(excinfo.value, CheckFailed) else super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        """Say where the game is."""
        return inspect.getfile(type(self.trial.game)), None, f"{self.trial.game.name}: {self.check.name}"


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Tell how long things take, game by game."""
    told = [
        value
        for reports in terminalreporter.stats.values()
        for report in reports
        for name, value in (report.user_properties if getattr(report, "when", "") == "call" else ())
        if name == FIGURES
    ]
    if told:
        terminalreporter.section("carteado: figures")
    for figures in told:
        terminalreporter.line(f"{figures['game']}: " + ", ".join(f"{name} {value}" for name, value in figures.items() if name != "game"))
