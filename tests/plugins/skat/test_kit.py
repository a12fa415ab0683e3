"""The conformance kit on Skat: tournament with three and four, duel, and every option away from its default."""

from __future__ import annotations

from carteado.core.testing import GameSuite
from carteado.plugins.skat import game as skat


class TestSkat(GameSuite):
    game = skat
