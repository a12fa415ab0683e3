"""The conformance kit on Cascata: every variant with every number of players."""

from __future__ import annotations

from carteado.core.testing import GameSuite
from carteado.plugins.cascata import game as cascata


class TestCascata(GameSuite):
    game = cascata
    variants = (
        {},
        {"free_from": "base", "hidden_rows": [1, 4], "hidden_cards": ["3.2"]},
        {"soft_steal": True, "row_multiplier": True, "running_score": False},
        {"lock_card": True, "games": 2},
        {"lock_card": True, "row_multiplier": True, "hidden_rows": "none"},
    )
