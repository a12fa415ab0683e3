"""The same match in another process: `python -m carteado.core.testing.apart` reads jobs from standard input and answers with portraits.

A portrait says, for one state, what the game decides: a digest of the state, parts of all views, the order of fields in forms, advice.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ..errors import CarteadoError
from ..game import Game
from ..journal import Journal
from ..match import Match
from ..replay import replay, step

Portrait = dict[str, Any]


def where(game: Game) -> dict[str, str]:
    """Say where another process finds a game: module, file, and the name there of the object or its class."""
    kind = type(game)
    module = sys.modules[kind.__module__]
    names = [name for name, value in vars(module).items() if value is game]
    return {"module": kind.__module__, "file": inspect.getfile(kind), "name": names[0] if names else kind.__qualname__}


def find(place: dict[str, str]) -> Game:
    """Return the game that `where` described. Raises: ImportError, AttributeError."""
    try:
        module = importlib.import_module(place["module"])
    except ImportError:
        # A test module is imported under a name from the root of its repository, which need not be on the path.
        sys.path.append(str(Path(place["file"]).parents[place["module"].count(".")]))
        module = importlib.import_module(place["module"])
    found: Any = module
    for part in place["name"].split("."):
        found = getattr(found, part)
    game: Game = found() if isinstance(found, type) else found
    return game


def portraits(game: Game, jobs: Sequence[dict[str, Any]]) -> list[list[Portrait]]:
    """Return for each job (`journal` as text, `steps` to look at) the portraits at its steps; it ends early when the replay goes astray."""
    return [_portraits(game, job) for job in jobs]


def _portraits(game: Game, job: dict[str, Any]) -> list[Portrait]:
    journal = Journal.load(job["journal"].encode())
    found: list[Portrait] = []
    match = replay(journal, game, 0, check=False)
    steps = set(job["steps"])
    for entry in journal.entries:
        try:
            step(match, entry, check=False)
        except CarteadoError as error:
            return [*found, {"the replay": str(error)}]
        if match.q in steps:
            found.append(portrait(match))
    return found


def portrait(match: Match) -> Portrait:
    """Return what follows from a state, by what it is, as data that survives JSON."""
    seen: Portrait = {"step": match.q, "the state": match.digest(), "the public chain": match.h.hex()}
    for viewer in (*match.table.players, None):
        try:
            view = match.view(viewer)
        except CarteadoError as error:
            seen[f"the view of {viewer}"] = str(error)
            continue
        seen[f"the view of {viewer}"] = {part: view[part] for part in ("layout", "vars", "mine", "log", "prompts")}
        if view["prompts"]:
            seen |= {f"{what} of seat {viewer}": shown for what, shown in _asked(match, view).items()}
    copy: Portrait = json.loads(json.dumps(seen, default=repr))
    return copy


def _asked(match: Match, view: dict[str, Any]) -> Portrait:
    """Return what the game says to a seat that is asked, and the order of the fields in its forms."""
    rng = random.Random(1)
    forms = view["prompts"][0]["forms"]
    seen: Portrait = {"the order of fields": [list(form["fields"]) for form in forms]}
    calls: dict[str, Callable[[], Any]] = {
        "suggest": partial(match.rules._read, "suggest", view=view, rng=rng),
        "timeout": partial(match.rules.timeout, match.table, view["you"]),
    }
    for form in forms:
        calls[f"sample({form['type']})"] = partial(match.rules._read, "sample", view=view, form=form, rng=rng)
    for name, call in calls.items():
        try:
            seen[name] = call()
        except CarteadoError as error:
            seen[name] = str(error)
    return seen


def elsewhere(game: Game, jobs: Sequence[dict[str, Any]], hash_seeds: Sequence[int]) -> dict[int, list[list[Portrait]] | str]:
    """Return the portraits made by other processes, by hash seed; a sentence where one failed."""
    asked = json.dumps({"path": sys.path, "game": where(game), "jobs": list(jobs)})
    running = {}
    for seed in hash_seeds:
        environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
        command = [sys.executable, "-m", __name__]
        running[seed] = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )
    answers: dict[int, list[list[Portrait]] | str] = {}
    for seed, process in running.items():
        out, err = process.communicate(asked)
        answers[seed] = json.loads(out) if process.returncode == 0 else err.strip().splitlines()[-1]
    return answers


def main() -> int:
    """Answer the jobs on standard input."""
    asked = json.load(sys.stdin)
    sys.path[:] = asked["path"]
    json.dump(portraits(find(asked["game"]), asked["jobs"]), sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
