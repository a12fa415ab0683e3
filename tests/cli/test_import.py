"""The commands `import` and `export`: records of other programs played through the hooks, and a match written as records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from carteado.cli import main

RECORDS = Path(__file__).parents[1] / "data" / "skat" / "games-iss.txt"


def test_every_record_has_a_line_and_the_counts_come_last(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "skat", str(RECORDS)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 29
    assert lines[-1] == "26 agrees, 2 excused"


def test_json_holds_counts_and_verdicts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "skat", str(RECORDS), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["counts"] == {"agrees": 26, "excused": 2}
    assert {one["name"] for one in found["records"] if one["verdict"] == "excused"} == {"18358", "10330141"}


def test_journals_are_written_that_replay_and_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "skat", str(RECORDS), "--out", str(tmp_path)]) == 0
    journal = tmp_path / "4947663.jsonl"
    capsys.readouterr()
    assert main(["replay", str(journal), "--verify"]) == 0
    capsys.readouterr()
    assert main(["export", str(journal)]) == 0
    line = capsys.readouterr().out
    assert "R[d:1 loss v:-48 m:-1 bidok p:43 t:4 " in line
    again = tmp_path / "again.txt"
    again.write_text(line)
    assert main(["import", "skat", str(again)]) == 0


def test_a_record_that_breaks_the_rules_fails_the_import(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "wrong.txt"
    line = next(line for line in RECORDS.read_text().splitlines() if "ID[4947663]" in line)
    wrong.write_text(line.replace("v:-48", "v:-24") + "\n" + line.replace("0 SA 1 CA", "0 SA 1 C9", 1) + "\n(;broken;)\n")
    assert main(["import", "skat", str(wrong)]) == 1
    assert capsys.readouterr().out.splitlines()[-1] in ("1 differs, 1 refused", "1 agrees, 1 differs, 1 refused", "1 differs, 2 refused")


def test_a_game_without_records_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    assert main(["import", "cascata", str(empty)]) != 0
    assert "knows no records" in capsys.readouterr().err
