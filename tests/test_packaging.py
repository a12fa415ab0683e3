"""The wheel installs and runs where the repository is not."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
AREAS = ("core", "net", "plugins", "ui")
NOT_SOURCE = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__")


def packages() -> Iterator[str]:
    """Yield the published name of every folder of the areas that holds a module."""
    for area in AREAS:
        for folder in (ROOT / area, *(ROOT / area).rglob("*/")):
            if any(folder.glob("*.py")):
                yield ".".join(("carteado", *folder.relative_to(ROOT).parts))


def run(*command: object, cwd: Path, **settings: str) -> str:
    """Run a command away from the repository's own environment and return what it printed."""
    ours = ("PYTHON", "PYTEST", "VIRTUAL_ENV")
    env = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env=env | settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, f"{command} failed:\n{done.stdout}"
    return done.stdout


def test_every_package_of_the_areas_is_listed_for_the_wheel() -> None:
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]
    assert sorted({"carteado", *packages()}) == sorted(listed)


def for_people(path: Path) -> bool:
    """Tell whether a file is for translators or developers: the program reads the .json beside a .po, and no notes."""
    return path.suffix == ".po" or (path.suffix == ".md" and not path.name.startswith("rules."))


@pytest.mark.slow
def test_the_wheel_runs_in_an_empty_environment_outside_of_the_repository(tmp_path: Path) -> None:
    tree, away = tmp_path / "tree", tmp_path / "away"
    shutil.copytree(ROOT, tree, ignore=NOT_SOURCE)
    away.mkdir()
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    run(*pip, "wheel", "--no-deps", "--wheel-dir", tmp_path, tree, cwd=tmp_path)
    (wheel,) = tmp_path.glob("carteado-*.whl")

    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {"carteado"} == {top for name in names if not (top := name.split("/")[0]).endswith(".dist-info")}
    wanted = {"cli.py"} | {
        path.relative_to(tree).as_posix()
        for area in AREAS
        for path in (tree / area).rglob("*")
        if path.is_file() and not for_people(path)
    }
    assert {f"carteado/{name}" for name in wanted} == {name for name in names if name.startswith("carteado/")}

    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv", cwd=away)
    python = tmp_path / "venv" / "bin" / "python"
    run(*pip, "--python", python, "install", wheel, cwd=away)
    shutil.rmtree(tree)
    assert "dez-degraus" in run(python.with_name("carteado"), "games", cwd=away)
    assert "dez-degraus" in run(python, "-m", "carteado.cli", "games", cwd=away)
    opening = "import asyncio; from carteado.net.sql.store import opened; asyncio.run(opened('store.db', 'host').close())"
    run(python, "-c", opening, cwd=away)
    assert "everything is as it should be" in run(python.with_name("carteado"), "store", "--store", "store.db", "check", cwd=away)
