"""Sizes and speed: what travels stays small; how long things take is told, and asserted of nothing."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any

import msgpack

from ...errors import CarteadoError
from ...match import Match
from ..faults import Fault, named
from ..question import Question
from ..recording import again
from ..registry import check
from ..swaps import branch
from ..trial import Trial

VIEW = 65_536
"""Bytes of a view; the largest frame of a host is four times that."""
ACTION = 2_048
"""Bytes of an action; a peer's frame holds twice that."""
DEPTH = 16
"""How deep a view may be nested."""


@check("views and actions stay well below what a message may hold")
def messages_stay_small(trial: Trial) -> Iterator[Fault]:
    largest = 0
    for moment in trial.moments(playing=False):
        match = branch(moment.match)
        if moment.action is not None:
            size = len(msgpack.packb(moment.action))
            if size > ACTION:
                yield Fault(f"An action takes {size} bytes; keep it below {ACTION}.", "options", moment.case, moment.step, moment.seat)
        for viewer in moment.viewers:
            try:
                view = match.view(viewer)
            except CarteadoError:
                continue
            size = len(msgpack.packb(view))
            largest = max(largest, size)
            if size > VIEW:
                parts = sorted(view, key=lambda part: -len(msgpack.packb(view[part])))[:3]
                yield Fault(
                    f"The view of {named(viewer)} takes {size} bytes; keep it below {VIEW}.", "layout or options", moment.case, moment.step,
                    lines=[f"its largest parts are {', '.join(parts)}"],
                )  # fmt: skip
            deep = _depth(view)
            if deep > DEPTH:
                yield Fault(f"The view of {named(viewer)} is nested {deep} deep, more than {DEPTH}.", "layout", moment.case, moment.step)
    trial.figures["largest view"] = f"{largest / 1024:.1f} KiB"
    _measure(trial)


def _depth(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + max(map(_depth, value.values()), default=0)
    return 1 + max(map(_depth, value), default=0) if isinstance(value, list) else 0


def _measure(trial: Trial) -> None:
    """Put median times into the trial's figures."""
    times: dict[str, list[float]] = {}

    def timed(name: str, call: Callable[[], object]) -> None:
        begin = time.perf_counter()
        try:
            call()
        except CarteadoError:
            return
        times.setdefault(name, []).append(time.perf_counter() - begin)

    for moment in trial.moments():
        match = branch(moment.match)
        for seat in moment.asked[:1]:
            timed("view", partial(match.view, seat))
            timed("options", partial(match.forms, seat))
            timed("advice", partial(_first_advice, match, seat, trial.rng("speed")))
        timed("action", partial(again, match, moment))
    for name, taken in times.items():
        trial.figures[name] = f"{1000 * median(taken):.2f} ms"
    trial.figures["actions recorded"] = str(sum(recording.match.q for recording in trial.recordings))


def _first_advice(match: Match, seat: int, rng: random.Random) -> object:
    return next(Question(match, seat).advice(rng), None)
