"""`carteado games`: what can be played here, and all about one game."""

from __future__ import annotations

import json
from typing import Any

import pytest

from carteado.cli import main


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, str]:
    """Run `carteado games` and return what it printed."""
    assert 0 == main(["games", *arguments])
    return capsys.readouterr()


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """Run `carteado games ... --json` and return the document."""
    result: dict[str, Any] = json.loads(printed(capsys, *arguments, "--json")[0])
    return result


@pytest.mark.usefixtures("toy")
def test_the_list_names_each_game_with_its_players_and_where_it_comes_from(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [" ".join(line.split()) for line in printed(capsys)[0].splitlines()]
    assert "toy Toy, 2 to 3 players, from toys 1.5" in lines


@pytest.mark.usefixtures("toy")
def test_a_game_that_cannot_be_loaded_is_named_and_the_others_stay(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = printed(capsys)
    assert "toy" in out
    assert "The game 'broken' (no_such_module:Game) cannot be imported" in err


@pytest.mark.usefixtures("toy")
def test_the_list_is_one_document_with_games_and_failures(capsys: pytest.CaptureFixture[str]) -> None:
    listed = document(capsys)
    assert {"name": "toy", "title": "Toy", "version": "3", "seats": [2, 3], "from": "toys 1.5"} in listed["games"]
    assert "no_such_module" in listed["failures"]["broken"]


@pytest.mark.usefixtures("toy")
def test_one_game_is_told_with_options_levels_and_rules(capsys: pytest.CaptureFixture[str]) -> None:
    page = " ".join(printed(capsys, "toy")[0].split())
    assert "Toy (toy, version 3)" in page
    assert "2 to 3 players, 9 cards, many points are good" in page
    assert "computer players: random, rule, " in page
    assert "generous=no Points count double (yes or no)" in page
    assert "stake=10 Chips per place (0 to 1000000)" in page
    assert "Throw the lowest card." in page


@pytest.mark.usefixtures("toy")
def test_the_document_of_one_game_holds_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    fact = document(capsys, "toy")
    assert ["stake", "substitute", "generous"] == [option["name"] for option in fact["options"]]
    assert {"random", "rule", "stubborn"} <= set(fact["levels"])
    assert fact["rules"].startswith("# Toy")
