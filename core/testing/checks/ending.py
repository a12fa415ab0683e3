"""The end: everybody is placed, chips come from the players, and better points make better places as the game declares."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ..faults import Fault
from ..registry import check
from ..trial import Trial


@check("at the end every seat has one place, and the chips do not sum to more than zero")
def everybody_is_placed(trial: Trial) -> Iterator[Fault]:
    for belongs, fault in trial.troubles():
        if belongs == "everybody_is_placed":
            yield fault
    for recording in trial.recordings:
        end = recording.match.end
        if end is None:
            continue
        placed = sorted(seat for group in end["places"] for seat in group)
        if placed != list(range(recording.case.players)):
            yield Fault(f"The places {end['places']} do not name every seat once.", "scoring", recording.case, recording.match.q)
        if sum(end["chips"]) > 0:
            what = f"The chips {end['chips']} sum to {sum(end['chips'])}: the house would pay that."
            yield Fault(what, "settle", recording.case, recording.match.q)


@check("whether high or low points are better is declared as the places at the end show it")
def score_is_as_declared(trial: Trial) -> Iterator[Fault]:
    fits, fails, example = 0, 0, None
    for recording in trial.recordings:
        match = recording.match
        places = match.end["places"] if match.end else []
        for ahead, behind in combinations(places, 2):
            for better, worse in ((one, two) for one in ahead for two in behind):
                gap = match.table.points(better) - match.table.points(worse)
                if gap:
                    right = (gap > 0) == (trial.game.score == "high")
                    fits, fails = fits + right, fails + (not right)
                    example = example if right else recording
    if fails > fits and example is not None:
        totals = [example.match.table.points(seat) for seat in example.match.table.players]
        yield Fault(
            f"The game says score = {trial.game.score!r}, but of {fits + fails} pairs of players {fails} end the other way round.",
            "scoring", example.case, lines=[f"for example points {totals}, places {example.match.end and example.match.end['places']}"],
        )  # fmt: skip
