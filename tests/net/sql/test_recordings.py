"""The newest recorded matches of this machine: those of the store, and journals in files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from carteado.core.journal import Journal
from carteado.net import recordings
from carteado.net.errors import StoreFailure
from carteado.net.store_commands import FILE

from .test_store import keep
from .test_storekeeping import played, records


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder, with a store in it that holds two matches; the current folder is another one."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("CARTEADO_HOME", str(tmp_path))
    keep(str(tmp_path / FILE), [*records(played()), *records(played("t-2"))])
    return tmp_path


def test_matches_in_the_store_are_found_and_written_to_a_file_when_they_are_wanted(home: Path) -> None:
    found = recordings.newest(9)
    assert [("dez-degraus", ["Ana", "Rui"], home / FILE)] * 2 == [(one.game, list(one.players), one.where) for one in found]
    file = recordings.file_of(found[0])
    assert home / "matches" == file.parent
    journal = Journal.load(file.read_bytes())
    assert "t-2" == journal.header["table"]
    assert 2 == sum(entry["k"] == "hand" for entry in journal.entries)


def test_a_match_whose_first_hand_is_being_played_is_not_on_the_list(home: Path) -> None:
    (home / FILE).unlink()
    keep(str(home / FILE), records(played("t-3", hands=0)))
    assert [] == recordings.newest(9)


def test_a_match_that_was_archived_is_found_as_a_file_and_no_more_are_told_than_wanted(home: Path) -> None:
    file = recordings.file_of(recordings.newest(1)[0])
    (home / "archive").mkdir()
    archived = file.rename(home / "archive" / file.name)
    os.utime(archived, (2**33, 2**33))
    assert [archived] == [one.path for one in recordings.newest(1)]
    assert archived == recordings.file_of(recordings.newest(1)[0])
    assert 3 == len(recordings.newest(9))


def test_a_store_that_cannot_be_read_is_told_of(home: Path) -> None:
    (home / FILE).write_bytes(b"milk" * 999)
    with pytest.raises(StoreFailure):
        recordings.newest(9)
