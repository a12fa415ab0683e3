"""The words of a game as files beside its code."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from carteado.core.api import Game


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Game]:
    """A game of a package with catalogues and rules in files, derived from a game without any."""
    package = tmp_path / "worded"
    (package / "locale").mkdir(parents=True)
    (package / "__init__.py").write_text("from carteado.core.api import Game\n\n\nclass Worded(Game):\n    name = 'worded'\n")
    for lang in ("en", "pt_PT"):
        (package / "locale" / f"{lang}.json").write_text(json.dumps({"lang": lang}))
    for lang in ("en", "pt"):
        (package / f"rules.{lang}.md").write_text(f"# {lang}")
    (tmp_path / "secret.json").write_text("{}")
    monkeypatch.syspath_prepend(str(tmp_path))
    import worded

    class Derived(worded.Worded):  # type: ignore[misc]
        """Something in a module that has no files beside it."""

    yield Derived()
    del sys.modules["worded"]


def test_catalogues_are_found_beside_the_code_and_plain_portuguese_is_that_of_portugal(game: Game) -> None:
    assert ["en", "pt_PT", "pt_PT", None] == [game.words(lang).get("lang") for lang in ("en", "pt", "pt_PT", "de")]


def test_a_rules_text_of_the_language_serves_all_its_countries(game: Game) -> None:
    assert ["# en", "# pt", "# pt", ""] == [game.rules(lang) for lang in ("en", "pt", "pt_BR", "de")]


@pytest.mark.parametrize("lang", ["../../secret", "..", "", "en.json", "EN", "e/n"])
def test_what_is_no_language_leads_to_no_file(game: Game, lang: str) -> None:
    assert ({}, "") == (game.words(lang), game.rules(lang))


def test_a_game_without_files_has_no_words() -> None:
    assert ({}, "") == (Game().words("en"), Game().rules("en"))
