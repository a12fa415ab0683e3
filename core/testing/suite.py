"""What a game's author writes: a class that names the game; and how a check is run on it, without pytest."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from ..game import Game
from .faults import Fault
from .registry import Check, NothingToCheck
from .trial import NORMAL, Effort, Trial, default_variants

MOST_FAULTS = 3
"""Faults of one check that are reported."""
REQUIRED = frozenset({"loads", "exemptions_are_known"})
"""Checks from which no game can be exempt."""
PASSED, FAILED, SKIPPED, EXEMPT = "passed", "failed", "skipped", "exempt"


class GameSuite:
    """The conformance kit for one game; derive a class whose name begins with `Test`.

    game: the class or an object; variants: table options to try (none: the game's own `variants`, else the defaults and each option's other
    values); exempt: check -> reason, besides the game's own `exempt`; bound: actions a match may last; golden: another folder
    for golden files.
    """

    game: ClassVar[type[Game] | Game | None] = None
    variants: ClassVar[Sequence[Mapping[str, Any]]] = ()
    exempt: ClassVar[Mapping[str, str]] = {}
    bound: ClassVar[int | None] = None
    golden: ClassVar[Path | None] = None


def trial(
    game: type[Game] | Game,
    suite: type[GameSuite] = GameSuite,
    effort: Effort = NORMAL,
    seeds: Sequence[int] | None = None,
    reproduce: str = "",
) -> Trial:
    """Return the trial of a game, with what its suite and the game itself say about it."""
    played = game() if isinstance(game, type) else game
    own = getattr(played, "variants", ())
    return Trial(
        played,
        list(suite.variants or own or default_variants(played)),
        effort,
        seeds,
        suite.bound or getattr(played, "bound", None) or Trial.bound,
        suite.golden,
        reproduce,
        {**getattr(played, "exempt", {}), **suite.exempt},
    )


@dataclass(frozen=True)
class Verdict:
    """How one check went: passed, failed, skipped or exempt, and the text that says why."""

    outcome: str
    text: str = ""


def judge(check: Check, trial: Trial, reproduce: str = "") -> Verdict:
    """Run one check on a game; an exemption must be needed."""
    if check.loaded and trial.failure is not None:
        return Verdict(SKIPPED, "the game does not load, see the check `loads`")
    try:
        faults = distinct(check, trial)
    except NothingToCheck as nothing:
        return Verdict(SKIPPED, str(nothing))
    reason = trial.exempt.get(check.name)
    if reason is not None and check.name not in REQUIRED:
        if faults:
            return Verdict(EXEMPT, reason)
        return Verdict(FAILED, f"{trial.game.name} is exempt from {check.name} ({reason}), and would pass it: drop the exemption.")
    if not faults:
        return Verdict(PASSED)
    head = f"{check.name}: it should hold that {check.claim}."
    return Verdict(FAILED, "\n\n".join([head, *(fault.text(reproduce) for fault in faults)]))


def distinct(check: Check, trial: Trial) -> list[Fault]:
    """Return the first faults a check finds, only one of each kind."""
    found: dict[tuple[Any, ...], Fault] = {}
    for fault in itertools.islice(check.run(trial), 50):
        found.setdefault((fault.hook, fault.what[:40]), fault)
        if len(found) == MOST_FAULTS:
            break
    return list(found.values())
