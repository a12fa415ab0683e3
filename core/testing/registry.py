"""The checks there are: the core's own, and those that need a screen or a socket, found by an entry point.

A distribution adds checks through the entry point group `carteado.checks`: the entry names a callable that takes one argument, `add`,
and calls it with each `Check`. Core imports none of them by name.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from .faults import Fault

if TYPE_CHECKING:
    from .trial import Trial

GROUP = "carteado.checks"
MODULES = (
    "loading", "matches", "missing", "forms", "reading", "refusals", "secrets", "journals", "outside", "ending", "house", "texts", "search",
    "recorded", "sizes",
)  # fmt: skip

Run = Callable[["Trial"], Iterable[Fault]]
Add = Callable[["Check"], None]


class NothingToCheck(Exception):
    """Say why a check has nothing to look at in this game; it is skipped."""


@dataclass(frozen=True)
class Check:
    """One thing every game must hold.

    name: its test id and what an exemption names; claim: a sentence that is true of a game that passes; run: yields what is wrong;
    loaded: whether it needs a game that loads.
    """

    name: str
    claim: str
    run: Run
    loaded: bool = True


_OWN: dict[str, Check] = {}


def check(claim: str, loaded: bool = True) -> Callable[[Run], Run]:
    """Make a function that yields faults one of the core's checks, under its own name."""

    def register(run: Run) -> Run:
        name = run.__name__
        if name in _OWN and _OWN[name].run.__module__ != run.__module__:
            raise ValueError(f"there are two checks {name!r}")
        _OWN[name] = Check(name, claim, run, loaded)
        return run

    return register


def own_checks() -> list[Check]:
    """Return the core's own checks, in a fixed order."""
    for module in MODULES:
        importlib.import_module(f"{__package__}.checks.{module}")
    order = {f"{__package__}.checks.{module}": i for i, module in enumerate(MODULES)}
    return sorted(_OWN.values(), key=lambda check: order[check.run.__module__])


@cache
def all_checks() -> tuple[Check, ...]:
    """Return the core's checks and those that entry points add; one that cannot be added is a check that fails and says why."""
    found = {check.name: check for check in own_checks()}
    for point in entry_points(group=GROUP):
        for extra in _from(point):
            if extra.name in found:
                extra = _broken(f"{point.name}_{extra.name}", f"The check {extra.name!r} of {point.value} has a name that is taken.")
            found[extra.name] = extra
    return tuple(found.values())


def _from(point: EntryPoint) -> list[Check]:
    added: list[Check] = []
    try:
        point.load()(added.append)
    except Exception as error:  # noqa: BLE001 - whatever goes wrong there becomes a failing check with its name
        return [_broken(point.name, f"The checks of {point.value} cannot be added: {type(error).__name__}: {error}")]
    return added


def _broken(name: str, sentence: str) -> Check:
    def run(trial: Trial) -> Iterator[Fault]:
        yield Fault(sentence)

    return Check(name, "The checks of other areas can be added", run, loaded=False)
