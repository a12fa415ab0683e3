"""The package that `carteado new` writes: it can be imported, played, and passes the kit at once."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from carteado.cli import main
from carteado.core.testing import scaffold


@pytest.mark.slow
def test_the_written_package_passes_its_own_tests(tmp_path: Path) -> None:
    scaffold.write("lucky-five", tmp_path)
    folder = tmp_path / "lucky-five"
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTEST_ADDOPTS": ""}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", "--rootdir", str(folder)],
        cwd=folder, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", ["", "Whist", "9lives", "a b", "x" * 25, "-a", "a-", "class", "../etc", "é"])
def test_a_name_that_no_game_can_have_is_refused_and_nothing_is_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(scaffold.CannotWrite):
        scaffold.write(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_game_that_is_installed_is_not_written_again(tmp_path: Path) -> None:
    with pytest.raises(scaffold.CannotWrite, match="installed already"):
        scaffold.write("dez-degraus", tmp_path)


def test_a_folder_that_exists_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "whist").mkdir()
    with pytest.raises(scaffold.CannotWrite, match="exists already"):
        scaffold.write("whist", tmp_path)


@pytest.mark.parametrize("missing", [{"setuptools"}, {"wheel", "setuptools.command.bdist_wheel"}, set()])
def test_pip_fetches_what_builds_a_package_when_this_python_cannot(
    missing: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = []

    def run(command: list[str], **more: object) -> subprocess.CompletedProcess[str]:
        commands.append(command)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(scaffold, "find_spec", lambda name: None if name in missing else name)
    monkeypatch.setattr(scaffold.subprocess, "run", run)
    assert scaffold.install(tmp_path)
    assert ("--no-build-isolation" in commands[0]) is (not missing)


@pytest.fixture
def python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment with `carteado` in it, where a written package is installed at once."""
    python = tmp_path / "env" / "bin" / "python"
    python.parent.mkdir(parents=True)
    for name in ("python", "carteado", "pytest"):
        python.with_name(name).write_text("#!/bin/sh\n")
        python.with_name(name).chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    monkeypatch.setattr(scaffold, "install", lambda folder: True)
    return python


def test_who_has_no_pytest_is_told_how_to_get_it(
    python: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(scaffold, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", "")
    assert main(["new", "whist", "--in", str(tmp_path)]) == 0
    *_, play, test = capsys.readouterr().out.splitlines()
    assert play == f"Installed as it stands there: `{python.with_name('carteado')} play whist` plays it."
    assert test == f"To try it hard: `{python} -m pip install pytest`, then `{python} -m pytest {tmp_path / 'whist'}`."


def test_who_has_the_programs_on_the_path_is_told_their_names(
    python: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(scaffold, "find_spec", lambda name: name)
    monkeypatch.setenv("PATH", str(python.parent))
    assert main(["new", "whist", "--in", str(tmp_path)]) == 0
    *_, play, test = capsys.readouterr().out.splitlines()
    assert play == "Installed as it stands there: `carteado play whist` plays it."
    assert test == f"`pytest {tmp_path / 'whist'}` tries it hard."
