"""Computer players: *naive* and *rule*. Both get one seat's view and nothing else."""

from __future__ import annotations

import random
from typing import Any

from . import judge
from .advice import Action, discard_action, hit_action, lay_action
from .distance import distance, lay_out
from .groups import fits
from .rules import SKIP, WILD
from .seen import Seen


class Naive:
    """Take a discard only to complete the phase, add what fits where it fits first, throw the dearest useless card."""

    def choose(self, view: dict[str, Any], rng: random.Random) -> Action:
        """Return an action for the view's prompt."""
        seen = Seen(view)
        if seen.stage == "draw":
            completes = not seen.has_laid and seen.top is not None and distance([*seen.hand, seen.top], seen.phase) == 0
            return {"type": "take" if seen.open("take") and (completes or not seen.open("draw")) else "draw"}
        layout = lay_out(seen.hand, seen.phase) if seen.open("lay") else None
        if layout:
            return lay_action(layout)
        if seen.open("hit"):
            for face in sorted(seen.hand, key=lambda face: face == WILD):
                for zone, group in seen.groups.items():
                    if fits(group, face):
                        return hit_action(seen, zone, face, int(group.kind == "run" and group.high == 12))
        thrown = judge.throwaway(seen.hand, seen.phase, seen.has_laid)
        targets = seen.skippable
        action: Action = {"type": "discard", "cards": [thrown]}
        return action | {"seat": rng.choice(targets)} if thrown == SKIP and targets else action


class Rule:
    """Draw and discard by the exact distance to the phase, hit everything in the best order, skip the leader."""

    def choose(self, view: dict[str, Any], rng: random.Random) -> Action:
        """Return an action for the view's prompt."""
        seen = Seen(view)
        if seen.stage == "draw":
            take = seen.open("take") and (not seen.open("draw") or judge.worth_taking(seen))
            return {"type": "take" if take else "draw"}
        layout = judge.best_layout(seen) if seen.open("lay") else None
        if layout:
            return lay_action(layout)
        played = judge.best_hit(seen) if seen.open("hit") else None
        if played:
            zone, one = played
            return hit_action(seen, zone, one.face, one.low)
        return discard_action(seen, judge.best_throw(seen))
