"""Every broken game of the zoo is caught by the check that should, and by no other than it must be; the sound game passes all."""

from __future__ import annotations

from typing import Any

import pytest

from carteado.core.testing import Effort, GameSuite, Trial, all_checks
from carteado.core.testing.suite import FAILED, judge, trial

from .sound import Sound
from .zoo import ANIMALS, Animal

pytestmark = pytest.mark.slow

SMALL = Effort(actions=160, matches=6, short=30, moments=18, worlds=4, fillings=60, prefixes=1, hash_seeds=(1, 2, 3))
# One other process may happen to order a set of four as this one does; three do not.
LESS = Effort(actions=80, matches=4, short=20, moments=10, worlds=3, fillings=40, prefixes=1, hash_seeds=(1,))
CHECKS = {check.name: check for check in all_checks()}
WITHOUT = {"golden_files_hold"}
"""Checks whose animals live elsewhere: in test_golden.py."""


# Painting every moment of every animal would take minutes; the screens have animals of their own.
CORE = {name: check for name, check in CHECKS.items() if check.run.__module__.startswith("carteado.core.")}


def tried(game: Any, effort: Effort = SMALL) -> Trial:
    """Return a small trial of a game."""
    return trial(game, GameSuite, effort)


def test_every_check_has_a_game_that_only_it_is_for() -> None:
    assert {animal.caught for animal in ANIMALS} | WITHOUT == set(CHECKS)


@pytest.mark.parametrize("animal", ANIMALS, ids=lambda animal: animal.__name__)
def test_a_broken_game_is_caught_by_the_check_that_should(animal: type[Animal]) -> None:
    assert judge(CHECKS[animal.caught], tried(animal)).outcome == FAILED


@pytest.mark.long
@pytest.mark.parametrize("animal", ANIMALS, ids=lambda animal: animal.__name__)
def test_a_broken_game_is_caught_by_no_other_check_than_must(animal: type[Animal]) -> None:
    shown = tried(animal, LESS)
    checks = CORE | {animal.caught: CHECKS[animal.caught]}
    failed = {name: verdict.text for name, check in checks.items() if (verdict := judge(check, shown)).outcome == FAILED}
    assert {name: text for name, text in failed.items() if name not in {animal.caught, *animal.also}} == {}


@pytest.mark.slow
def test_the_sound_game_passes_everything() -> None:
    shown = tried(Sound)
    assert {name: verdict.text for name, check in CHECKS.items() if (verdict := judge(check, shown)).outcome == FAILED} == {}
