"""The conformance kit on Dez Degraus: every table option with every number of players."""

from __future__ import annotations

from carteado.core.testing import GameSuite
from carteado.plugins.dez_degraus import game as dez_degraus


class TestDezDegraus(GameSuite):
    game = dez_degraus
