"""`carteado replay`: tell a recorded match, and find out when it is not what it says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from carteado.cli import main
from carteado.core.loader import load
from carteado.core.match import Match
from carteado.net.retelling import newest


@pytest.fixture
def journal(toy: str, tmp_path: Path) -> Path:
    """Play a match of toy by hand and write its journal to a file."""
    match = Match(load("toy"), {}, [{"name": "Ana", "bot": None}, {"name": "Rui", "bot": "rule"}], table="t-1")
    for hand in range(2):
        match.deal(bytes([hand] * 32))
        while match.phase == "playing":
            ((seat, prompt),) = match.prompts.items()
            held = next(zone for zone in match.view(seat)["zones"] if zone["name"] == f"hand/{seat}")["cards"]
            match.act(seat, prompt.id, {"type": "throw", "cards": [held[0]]})
    path = tmp_path / "match.journal"
    path.write_bytes(match.journal.dump())
    return path


def test_a_match_is_told_hand_by_hand_with_its_points(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["replay", str(journal)])
    lines = capsys.readouterr().out.splitlines()
    assert "Toy 3, table t-1: Ana, Rui" == lines[0]
    assert ["Hand 1", "Hand 2"] == [line for line in lines if line.startswith("Hand")]
    assert 2 == lines.count("  Ana threw a card.")
    assert 2 == lines.count("  All have thrown.")
    assert lines[-1].startswith("All 6 entries, 2 hands, replay to its end with the recorded hashes")


def test_verify_says_one_line(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["replay", str(journal), "--verify"])
    assert 1 == capsys.readouterr().out.count("\n")


@pytest.mark.parametrize("mode", [["--verify"], []])
def test_a_match_whose_first_hand_is_not_over_says_that_there_is_nothing_to_check(
    journal: Path, mode: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    journal.write_text(journal.read_text().splitlines()[0] + "\n")
    assert 0 == main(["replay", str(journal), *mode])
    assert capsys.readouterr().out.endswith("No hand of this match is over, so there is nothing in the journal to check yet.\n")


def test_there_is_nothing_to_look_at_before_a_hand_is_over(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal.write_text(journal.read_text().splitlines()[0] + "\n")
    assert 1 == main(["look", str(journal)])
    assert "carteado look: No hand of this match is over, so there is nothing to look at yet.\n" == capsys.readouterr().err


def test_the_document_tells_places_and_the_last_hash(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["replay", str(journal), "--json"])
    fact = json.loads(capsys.readouterr().out)
    assert (True, 2, 6, "over") == (fact["verified"], fact["hands"], fact["entries"], fact["phase"])
    assert json.loads(journal.read_text().splitlines()[-1])["h"] == fact["chain"]
    assert [1, 2] == sorted(seat["place"] for seat in fact["seats"])


@pytest.mark.parametrize("mode", [["--verify"], ["--json"], []])
def test_a_changed_card_is_found_and_named(journal: Path, mode: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    lines = journal.read_text().splitlines()
    entry = json.loads(lines[2])
    entry["h"] = "0" * 16
    lines[2] = json.dumps(entry)
    journal.write_text("\n".join(lines) + "\n")
    assert 1 == main(["replay", str(journal), *mode])
    assert "carteado replay: entry 2 (action) replays to hash" in capsys.readouterr().err


def test_a_file_that_is_no_journal_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("milk\n")
    assert 1 == main(["replay", str(path)])
    assert "carteado replay: line 1 of the journal is not a JSON object\n" == capsys.readouterr().err


def test_a_running_match_without_its_seed_cannot_be_verified(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    lines[1].pop("seed")
    journal.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert 1 == main(["replay", str(journal), "--verify"])
    assert "this hand's seed is not opened" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("before", "after", "added"),
    [
        ([], [1, 2], [1, 2]),
        ([1, 2], [1, 2], []),
        ([1, 2], [1, 2, 3], [3]),
        ([1, 2, 3], [2, 3, 4], [4]),
        ([1, 2, 3], [4, 5, 6], [4, 5, 6]),
        ([1, 1], [1, 1, 1], [1]),
    ],
)
def test_what_was_added_to_a_log_is_found(before: list[int], after: list[int], added: list[int]) -> None:
    assert added == newest(before, after)
