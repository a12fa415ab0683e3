"""Python's garbage collector in a program whose tables stay: it looks at what comes and goes, since all tables stand still meanwhile."""

from __future__ import annotations

import gc

_calmed = False


def calm_collector() -> None:
    """Let Python look for garbage in what is made from now on only, and in all of that seldom."""
    global _calmed
    _calmed = True
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 20, 100)


def spare() -> None:
    """Let it not look at what is there by now either, if it was calmed: a match was brought back, and stays."""
    if _calmed:
        gc.freeze()
