"""The list of plugins: nothing is imported, outcomes are remembered, plugins can be switched off."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from carteado.core.errors import LoadFailure
from carteado.core.loader import Listed
from carteado.net import inventory


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CARTEADO_HOME", str(tmp_path))
    return tmp_path


def row(name: str) -> dict[str, object]:
    return next(row for row in inventory.listing() if row["name"] == name)


def test_a_game_that_was_never_loaded_is_listed_as_such() -> None:
    assert (row("dez-degraus")["state"], row("dez-degraus")["api"]) == ("not loaded yet", None)


def test_loading_a_game_is_remembered_with_its_interface() -> None:
    inventory.load("dez-degraus")
    assert (row("dez-degraus")["state"], row("dez-degraus")["api"]) == ("ok", 1)


def test_listing_imports_no_plugin(home: Path) -> None:
    code = "import sys; from carteado.net import inventory; inventory.listing(); print('carteado.plugins.dez_degraus' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_a_game_switched_off_is_not_loaded_and_says_how_to_get_it_back() -> None:
    inventory.switch("dez-degraus", on=False)
    with pytest.raises(LoadFailure, match="carteado plugins enable dez-degraus"):
        inventory.load("dez-degraus")


def test_a_game_switched_off_is_missing_from_the_games_offered() -> None:
    inventory.switch("dez-degraus", on=False)
    games, failures = inventory.check_all()
    assert ("dez-degraus" in games, "dez-degraus" in failures) == (False, False)


def test_a_game_can_be_switched_on_again() -> None:
    inventory.switch("dez-degraus", on=False)
    inventory.switch("dez-degraus", on=True)
    assert inventory.load("dez-degraus").name == "dez-degraus"


def test_what_is_not_installed_cannot_be_switched() -> None:
    with pytest.raises(LoadFailure, match="no plugin 'whist'"):
        inventory.switch("whist", on=False)


def test_a_failure_is_remembered_with_its_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> None:
        raise LoadFailure("The game 'whist' cannot be imported: no.")

    monkeypatch.setattr(inventory.loader, "load", broken)
    monkeypatch.setattr(inventory, "installed", lambda: [Listed("whist", "whist:game", "whist-dist", "2")])
    with pytest.raises(LoadFailure):
        inventory.load("whist")
    assert (row("whist")["state"], row("whist")["failure"]) == ("failed", "The game 'whist' cannot be imported: no.")


def test_a_damaged_memory_is_begun_anew(home: Path) -> None:
    inventory.memory().write_text("{not json", encoding="utf-8")
    inventory.load("dez-degraus")
    assert json.loads(inventory.memory().read_text(encoding="utf-8"))["dez-degraus"]["api"] == 1
