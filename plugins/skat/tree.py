"""Play by tree search while many cards are left, by solved worlds from seven cards a hand on; plain Python, no extra."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from .bot import decide
from .rules import legal_cards
from .sight import sight
from .strong import Strong, different
from .treesearch import EXACT, Search

Action = dict[str, Any]


class Tree:
    """The player `tree`; `stop` ends a search early."""

    searches = True

    def __init__(self, iterations: int = 1200, worlds: int = 8, nodes: int = 24_000, stop: Callable[[], bool] | None = None) -> None:
        self.iterations = iterations
        self.stop = stop
        self.endgame = Strong(worlds, nodes, fast_search=False)

    def choose(self, view: dict[str, Any], rng: random.Random) -> Action:
        """Return an action for the view's prompt."""
        seen = sight(view)
        assert seen is not None
        if seen.stage != "play":
            return decide(seen, rng)
        assert seen.contract is not None
        if seen.contract.null or len(seen.hand) <= EXACT:
            self.endgame.stop = self.stop
            return {"type": "play", "card": [self.endgame.card_in(seen, None, rng)]}
        legal = different(seen, sorted(legal_cards(seen.hand, seen.trick[0] if seen.trick else None, seen.contract.kind)))
        if len(legal) == 1:
            return {"type": "play", "card": legal}
        return {"type": "play", "card": [Search(seen, rng).run(self.iterations, self.stop)]}
