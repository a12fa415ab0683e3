"""Golden files: written, compared, and different as soon as the rules are."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pytest

from carteado.core.api import Form, Table
from carteado.core.commands import register_commands
from carteado.core.errors import CarteadoError
from carteado.core.testing import Effort, GameSuite, NothingToCheck, all_checks, golden
from carteado.core.testing.recording import new_match
from carteado.core.testing.suite import FAILED, PASSED, SKIPPED, judge, trial

from .sound import Sound

pytestmark = pytest.mark.slow

TINY = Effort(actions=1, matches=1, short=1)
GOLDEN = next(check for check in all_checks() if check.name == "golden_files_hold")


class OtherDeal(Sound):
    """Deals five cards."""

    def set_out(self, table: Table) -> None:
        super().set_out(table)
        for seat in table.seats:
            table.move("stock", f"hand/{seat}", n=1)


class OtherForms(Sound):
    """Offers a pass besides the draw; recorded matches still replay."""

    def forms(self, table: Table, seat: int) -> list[Form]:
        forms = super().forms(table, seat)
        return forms if table.asked(seat) == "swap" or forms[-1].type == "pass" else [*forms, Form("pass", key="s")]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Golden files of the sound game."""
    where = tmp_path_factory.mktemp("golden") / "golden"
    golden.write(trial(Sound, GameSuite, TINY), where)
    return where


def suite(where: Path) -> type[GameSuite]:
    """Return a suite that keeps its golden files in a folder."""
    return type("TestSomething", (GameSuite,), {"golden": where})


def test_there_is_a_match_for_every_variant_and_a_line_of_the_trees_for_each(written: Path) -> None:
    shown = trial(Sound, GameSuite, TINY)
    assert len(list(written.glob("play-*.jsonl"))) == max(golden.MATCHES, len(shown.variants))
    assert len((written / "trees.jsonl").read_text().splitlines()) == max(golden.MATCHES, len(shown.variants))


def test_the_same_game_plays_as_recorded(written: Path) -> None:
    assert judge(GOLDEN, trial(Sound, suite(written), TINY)).outcome == PASSED


def test_writing_again_writes_the_same_bytes(written: Path, tmp_path: Path) -> None:
    again = tmp_path / "golden"
    golden.write(trial(Sound, GameSuite, TINY), again)
    assert {path.name: path.read_bytes() for path in again.iterdir()} == {path.name: path.read_bytes() for path in written.iterdir()}


def test_another_deal_is_found_in_the_recorded_matches(written: Path) -> None:
    found = dict(golden.compare(OtherDeal(), written))
    assert "hash" in found["play-0.jsonl"]


def test_more_legal_actions_are_found_in_the_trees_only(written: Path) -> None:
    assert {name.partition(",")[0] for name, _ in golden.compare(OtherForms(), written)} == {"trees.jsonl"}


def test_the_check_fails_and_tells_the_command_that_records_anew(written: Path) -> None:
    verdict = judge(GOLDEN, trial(OtherDeal, suite(written), TINY))
    assert (verdict.outcome, "carteado golden sound --update" in verdict.text) == (FAILED, True)


def test_without_golden_files_the_check_has_nothing_to_look_at(tmp_path: Path) -> None:
    assert judge(GOLDEN, trial(Sound, suite(tmp_path), TINY)).outcome == SKIPPED


def test_a_match_that_cannot_be_played_is_not_recorded(tmp_path: Path) -> None:
    class Fails(Sound):
        def draw(self, table: Table, seat: int, action: dict[str, Any]) -> None:
            raise ZeroDivisionError

    with pytest.raises(CarteadoError, match="ZeroDivisionError"):
        golden.write(trial(Fails, GameSuite, TINY), tmp_path / "golden")


def test_legal_actions_are_counted_with_equal_faces_taken_for_one() -> None:
    case = golden.cases(trial(Sound, GameSuite, TINY))[0]
    match = new_match(Sound(), case)
    match.deal(bytes(32))
    actions, uncounted = golden.legal(match)
    assert (len(actions), uncounted) == (2 * 4 * 4, 0)


class Commands:
    """Take what `register_commands` adds."""

    def __init__(self) -> None:
        self.added: dict[str, tuple[Any, Any]] = {}

    def add(self, name: str, help: str, setup: Any, run: Any) -> None:
        self.added[name] = (setup, run)


def golden_command(*arguments: str) -> int:
    """Run `carteado golden` as the command line would."""
    commands = Commands()
    register_commands(commands)
    setup, run = commands.added["golden"]
    parser = argparse.ArgumentParser()
    setup(parser)
    status: int = run(parser.parse_args(arguments))
    return status


def test_the_command_records_then_compares(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(golden, "folder", lambda game: tmp_path / "golden")
    monkeypatch.setattr("carteado.core.loader.load", lambda name: Sound())
    assert golden_command("sound") == 1
    assert golden_command("sound", "--update") == 0
    assert golden_command("sound") == 0
    assert "plays as recorded" in capsys.readouterr().out
    (tmp_path / "golden" / "play-0.jsonl").write_bytes(b"{}\n")
    assert golden_command("sound") == 1
    assert "play-0.jsonl: this is not a journal" in capsys.readouterr().out


def test_nothing_to_check_says_why() -> None:
    assert str(NothingToCheck("no such hook")) == "no such hook"
