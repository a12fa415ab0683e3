"""The conformance kit: what every game must hold, as a pytest plugin.

In a game's own tests::

    from carteado.core.testing import GameSuite

    class TestMyGame(GameSuite):
        game = MyGame
        variants = ({}, {"until_three": True})

For any installed game: `pytest --carteado-game NAME`. What each check means: docs/conformance.md. Checks of other areas come through the
entry point group `carteado.checks` (see `registry`).
"""

from __future__ import annotations

from .faults import Case, Fault
from .recording import Moment, Recording
from .registry import Check, NothingToCheck, all_checks
from .suite import GameSuite
from .trial import NORMAL, THOROUGH, Effort, Trial

__all__ = [
    "NORMAL",
    "THOROUGH",
    "Case",
    "Check",
    "Effort",
    "Fault",
    "GameSuite",
    "Moment",
    "NothingToCheck",
    "Recording",
    "Trial",
    "all_checks",
]
