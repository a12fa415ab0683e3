"""Write the package of a new game: something small that can be played at once, to be changed step by step."""

from __future__ import annotations

import keyword
import re
import shutil
import subprocess
import sys
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from ..errors import CarteadoError
from ..loader import installed

TEMPLATE = (
    ("pyproject.toml.txt", "pyproject.toml"),
    ("readme.txt", "README.md"),
    ("game.py.txt", "{package}/__init__.py"),
    ("rules.en.txt", "{package}/rules.en.md"),
    ("test_game.py.txt", "tests/test_{module}.py"),
)


class CannotWrite(CarteadoError):
    """Report in one sentence why the package was not written."""

    wrong_use = True


def write(name: str, where: Path) -> list[Path]:
    """Write the package of a game called `name` into the new folder `where/name`; return the files.

    Raises: CannotWrite for a name that cannot be a game's, is taken, or whose folder exists.
    """
    if not re.fullmatch(r"[a-z][a-z0-9-]{0,23}", name) or name.endswith("-") or keyword.iskeyword(name):
        raise CannotWrite(f"{name!r} cannot be a game's name: use 1 to 24 of a-z, 0-9 and '-', beginning with a letter.")
    if any(listed.name == name for listed in installed()):
        raise CannotWrite(f"A game {name!r} is installed already.")
    folder = where / name
    if folder.exists():
        raise CannotWrite(f"{folder} exists already.")
    module = name.replace("-", "_")
    title = name.replace("-", " ").title()
    values = {
        "@name@": name, "@module@": module, "@package@": f"carteado_{module}", "@title@": title, "@Class@": title.replace(" ", ""),
    }  # fmt: skip
    written = []
    for source, target in TEMPLATE:
        text = (files(__package__) / "template" / source).read_text(encoding="utf-8")
        for mark, value in values.items():
            text = text.replace(mark, value)
        path = folder / target.format(package=values["@package@"], module=module)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        written.append(path)
    return written


def called(program: str) -> str:
    """Return how a program of this Python's environment is called here: by its name alone where that finds it, and no other's."""
    beside = Path(sys.executable).with_name(program)
    found = shutil.which(program)
    if found is not None and Path(found).parent == beside.parent:
        return program
    return str(beside) if program == "carteado" else f"{sys.executable} -m {program}"


def has(module: str) -> bool:
    """Tell whether this Python can import a module."""
    return find_spec(module) is not None


def install(folder: Path) -> bool:
    """Install a written package into this Python's environment, to be edited where it stands; tell whether that went well."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--editable", str(folder)]
    if has("setuptools") and (has("wheel") or has("setuptools.command.bdist_wheel")):
        command.append("--no-build-isolation")
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode:
        print(done.stderr.strip(), file=sys.stderr)
    return done.returncode == 0
