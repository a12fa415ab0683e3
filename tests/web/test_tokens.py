"""Tokens open seats and codes name tables; a code can be scanned from any terminal."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from carteado.ui.web import addresses, qr
from carteado.ui.web.tokens import LETTERS, Tokens


def test_a_token_opens_the_same_seat_after_a_restart(tmp_path: Path) -> None:
    first = Tokens(tmp_path)
    token = first.new()
    assert first.keys(token) == Tokens(tmp_path).keys(token)


def test_another_machine_makes_other_keys_of_the_same_token(tmp_path: Path) -> None:
    token = Tokens(tmp_path / "a").new()
    assert Tokens(tmp_path / "a").keys(token) != Tokens(tmp_path / "b").keys(token)


def test_no_token_lies_on_the_disk_and_the_secret_is_for_its_owner_alone(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path)
    token = tokens.new()
    tokens.keys(token)
    (path,) = tmp_path.iterdir()
    assert 0o600 == stat.S_IMODE(path.stat().st_mode)
    assert token not in path.read_text()
    assert tokens.keys(token).secret.hex() not in path.read_text()


@pytest.mark.parametrize("text", ["", "A" * 42, "A" * 44, "!" * 43, "ä" * 43, "A" * 42 + "="])
def test_what_is_no_token_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValueError, match="no token"):
        Tokens(tmp_path).keys(text)


def test_a_tables_code_has_four_letters_that_cannot_be_taken_for_another(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path)
    assert tokens.code("t-1") == Tokens(tmp_path).code("t-1")
    assert tokens.code("t-1") != tokens.code("t-2")
    assert 4 == len(tokens.code("t-1"))
    assert set(tokens.code("t-1")) <= set(LETTERS)
    assert not set("01IO") & set(LETTERS)


def test_an_address_of_a_house_in_capitals_makes_the_small_code() -> None:
    drawn = qr.lines(qr.capitals("http://192.168.1.23:8737/m/KAFU"))
    assert (17, {33}) == (len(drawn), {len(line) for line in drawn})


def test_the_code_has_a_quiet_zone_of_four_modules_on_every_side() -> None:
    rows = qr.matrix("HTTP://192.168.1.23:8737/M/KAFU")
    edge = range(qr.QUIET)
    assert not any(any(rows[n]) or any(rows[-1 - n]) for n in edge)
    assert not any(row[n] or row[-1 - n] for row in rows for n in edge)
    assert rows[qr.QUIET][qr.QUIET]


def test_the_code_is_black_on_white_whatever_the_terminals_theme() -> None:
    drawn = qr.drawn("HTTP://1.2.3.4/M/KAFU", ["KAFU"])
    assert all(line.startswith("\x1b[38;5;16;48;5;231m") and "\x1b[0m" in line for line in drawn.splitlines())
    assert 1 == sum(line.endswith("KAFU") for line in drawn.splitlines())


def test_half_blocks_show_the_same_modules_as_the_matrix() -> None:
    text = "HTTP://1.2.3.4/M/KAFU"
    rows, drawn = qr.matrix(text), qr.lines(text)
    upper = [[block in "▀█" for block in line] for line in drawn]
    lower = [[block in "▄█" for block in line] for line in drawn]
    shown = [row for pair in zip(upper, lower, strict=True) for row in pair]
    assert rows == shown[: len(rows)]


def test_the_addresses_for_others_are_never_those_of_this_machine_alone() -> None:
    assert not {"127.0.0.1", "::1"} & set(addresses.candidates())
    assert ("[fd00::2]:80", "10.0.0.7:80") == (addresses.place("fd00::2", 80), addresses.place("10.0.0.7", 80))
