"""The examples are packages of their own: built from outside of the tree, found, played and tested where they are installed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ("crazy_eights", "hearts", "doubled")
pytestmark = pytest.mark.slow


def run(*command: object, cwd: Path, home: Path) -> str:
    """Run a command without anything of this environment and return what it printed on standard output."""
    ours = ("PYTHON", "PYTEST", "VIRTUAL_ENV")
    env = {name: value for name, value in os.environ.items() if not name.startswith(ours)} | {"CARTEADO_HOME": str(home)}
    done = subprocess.run([str(part) for part in command], cwd=cwd, env=env, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, f"{command} failed:\n{done.stdout}{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with copies of the examples, and in `venv` carteado and the examples installed from their own wheels."""
    folder = tmp_path_factory.mktemp("examples")
    shutil.copytree(ROOT, folder / "tree", ignore=shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__", "tests"))
    for name in EXAMPLES:
        shutil.copytree(ROOT / "examples" / name, folder / name, ignore=shutil.ignore_patterns("*.egg-info", "__pycache__", "build"))
    venv.create(folder / "venv")
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--python", folder / "venv" / "bin" / "python")
    run(*pip, "install", folder / "tree", "pytest", cwd=folder, home=folder)
    shutil.rmtree(folder / "tree")
    run(*pip, "install", *(folder / name for name in EXAMPLES), cwd=folder, home=folder)
    return folder


def test_the_games_are_listed_with_the_distribution_they_come_from(place: Path) -> None:
    rows = json.loads(run(place / "venv/bin/carteado", "plugins", "--json", cwd=place, home=place))
    owners = {row["name"]: (row["kind"], row["from"]) for row in rows}
    assert [owners[name] for name in ("crazy-eights", "hearts", "doubled")] == [
        ("game", "carteado-crazy-eights"),
        ("game", "carteado-hearts"),
        ("house rule", "carteado-doubled"),
    ]


@pytest.mark.parametrize(("game", "seats"), [("crazy-eights", "rule,random"), ("hearts", "rule,random,random,random")])
def test_computer_players_that_know_nothing_of_the_game_play_it(place: Path, game: str, seats: str) -> None:
    report = json.loads(run(place / "venv/bin/carteado", "arena", game, "--seats", seats, "--games", 4, "--json", cwd=place, home=place))
    assert (report["games"], report["players"][0]["rate"] >= 0.5) == (4, True)


def test_a_house_rule_doubles_the_points_of_a_game_it_does_not_know(place: Path) -> None:
    command = (
        place / "venv/bin/carteado",
        "arena",
        "crazy-eights",
        "--seats",
        "rule,rule",
        "--games",
        2,
        "--option",
        "target=10",
        "--json",
    )
    plain, doubled = (json.loads(run(*command, *extra, cwd=place, home=place)) for extra in ((), ("--house", "doubled")))
    assert [player["points"] * 2 for player in plain["players"]] == [player["points"] for player in doubled["players"]]


@pytest.mark.parametrize("name", ["crazy_eights", "hearts"])
def test_the_example_passes_its_own_tests_with_the_kit(place: Path, name: str) -> None:
    said = run(place / "venv/bin/python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", cwd=place / name, home=place)
    assert " passed" in said
