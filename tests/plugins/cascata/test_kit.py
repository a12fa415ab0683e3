"""The conformance kit on Cascata: every variant with every number of players."""

from __future__ import annotations

from carteado.core.testing import GameSuite
from carteado.plugins.cascata import game as cascata


class TestCascata(GameSuite):
    game = cascata
