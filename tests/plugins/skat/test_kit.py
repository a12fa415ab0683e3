"""The conformance kit on Skat: tournament with three and four, duel, and every option away from its default."""

from __future__ import annotations

from carteado.core.testing import GameSuite
from carteado.plugins.skat import game as skat


class TestSkat(GameSuite):
    game = skat
    bound = 400
    variants = (
        {"hands": 2},
        {"hands": 2, "list": "seeger", "levels": "table", "double_losses": False},
        {"hands": 2, "mode": "duel", "limit": 100},
        {"hands": 1, "null_below_bid": True, "commission": 0},
    )
