"""Golden files: recorded matches replay, and counted trees of legal actions count the same."""

from __future__ import annotations

from collections.abc import Iterator

from .. import golden
from ..faults import Fault
from ..registry import NothingToCheck, check
from ..trial import Trial


@check("the recorded matches beside the game replay, and its counted trees of legal actions count the same")
def golden_files_hold(trial: Trial) -> Iterator[Fault]:
    where = trial.golden or golden.folder(trial.game)
    if not (where / "trees.jsonl").exists():
        raise NothingToCheck(f"there is no {where}; `carteado golden {trial.game.name} --update` records it")
    for name, what in golden.compare(trial.game, where):
        yield Fault(
            f"golden/{name}: {what}",
            lines=[f"if the rules are meant to have changed: raise the game's version, then carteado golden {trial.game.name} --update"],
        )
