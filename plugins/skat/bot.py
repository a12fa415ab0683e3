"""Play Skat by rule: bid what the cards are worth, put away and declare what wins most, follow the known maxims."""

from __future__ import annotations

import random
from typing import Any

from . import declaring, maxims
from .sight import Sight, sight

Action = dict[str, Any]


class Rule:
    """The player `rule`: decides from its seat's view alone."""

    def choose(self, view: dict[str, Any], rng: random.Random) -> Action:
        """Return an action for the view's prompt."""
        seen = sight(view)
        assert seen is not None
        return decide(seen, rng)


def decide(seen: Sight, rng: random.Random, doubt: float = 0.0) -> Action:
    """Decide what to do at the stage the seat is asked about. doubt: by how much chances are lower than they are judged, in the auction."""
    if seen.stage in ("bid", "answer", "take"):
        return speak(seen, doubt)
    if seen.stage == "skat":
        return declaring.before_the_skat(seen)
    if seen.stage == "declare":
        return declaring.after_the_skat(seen)
    if seen.stage == "agree":
        return {"type": "decline"}
    if seen.stage == "claim":
        return {"type": "accept" if maxims.claim_is_sound(seen) else "play_on"}
    return {"type": "play", "card": [maxims.choose(seen)]}


def speak(seen: Sight, doubt: float = 0.0) -> Action:
    """Bid, hold or pass by what the cards are worth."""
    if seen.computer is not None and seen.me == seen.computer:
        return {"type": "pass"}
    assert seen.me is not None
    limit = declaring.limit(tuple(sorted(seen.hand)), seen.me, seen.options["list"], doubt)
    wanted = seen.auction.bid if seen.stage == "answer" else seen.auction.lowest
    if wanted is None or wanted > limit:
        return {"type": "pass"}
    if seen.stage == "bid":
        return {"type": "bid", "value": wanted}
    return {"type": "hold" if seen.stage == "answer" else "take"}
