"""One open prompt: what the seat sees, what it may fill in, and what form and rules say to an action. Nothing here changes the match."""

from __future__ import annotations

import copy
import itertools
import random
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from ..bots.fillings import picks
from ..bots.sample import fill, held
from ..encoding import digest
from ..errors import PluginFault, Refused
from ..forms import Form, check
from ..match import Match
from .swaps import branch

Action = dict[str, Any]
SOME = 300
"""Values of one field that are tried in combination with the others."""


class Question:
    """The prompt of one seat at one moment of a match."""

    def __init__(self, match: Match, seat: int) -> None:
        self.match = match
        self.seat = seat
        self.prompt = match.prompts[seat]
        self.view = match.view(seat, captions=False)

    @cached_property
    def forms(self) -> Sequence[Form]:
        """The forms as the game gave them."""
        return self.match.forms(self.seat)

    @property
    def open_forms(self) -> list[dict[str, Any]]:
        """The forms on the wire that are not blocked."""
        return [form for form in self.view["prompts"][0]["forms"] if form["blocked"] is None]

    def refusal(self, action: Any) -> Refused | None:
        """Return why the action is not accepted, as its sender is told; None if it is. Raises: PluginFault."""
        try:
            self.match.try_act(self.seat, self.prompt.id, copy.deepcopy(action))
        except Refused as refusal:
            return refusal
        return None

    def form_refusal(self, action: Any) -> Refused | None:
        """Return why the forms do not take the action; None if they do."""
        try:
            check(self.forms, copy.deepcopy(action), self.match.table, self.seat)
        except Refused as refusal:
            return refusal
        return None

    def by_the_rules(self, action: Action) -> str | None:
        """Return a digest of the state that `turn` alone makes of the action, whatever the forms say; None if it refuses or fails."""
        match = branch(self.match)
        table = match.table
        table.begin()
        try:
            table.answering = table._prompts.pop(self.seat).stage
            match.rules.turn(table, self.seat, copy.deepcopy(action))
        except (Refused, PluginFault):
            return None
        return digest(table.state())

    def accepts(self, action: Any) -> bool:
        """Tell whether the action is not refused; one that makes a hook fail is not (`runs_without_faults` reports it)."""
        try:
            return self.refusal(action) is None
        except PluginFault:
            return True

    def advice(self, rng: random.Random) -> Iterator[tuple[str, Action]]:
        """Iterate over what the game itself says one could do: hook and action. Raises: PluginFault."""
        rules = self.match.rules
        view = self.match.view(self.seat)
        suggested = rules._read("suggest", view=view, rng=rng)
        if suggested is not None:
            yield "suggest", suggested
        for hint in rules.hints(view):
            if hint.get("action") is not None:
                yield "hints", hint["action"]
        for form in self.open_forms:
            for _ in range(3):
                drawn = rules._read("sample", view=view, form=form, rng=rng)
                if drawn is not None:
                    yield "sample", drawn

    def drawn(self, form: dict[str, Any], rng: random.Random, count: int) -> Iterator[Action]:
        """Iterate over random fillings of a form: the game's own, and generic ones."""
        for _ in range(count):
            action = self.match.rules._read("sample", view=self.view, form=form, rng=rng)
            if action is None:
                action = fill(self.view, form, rng)
            if action is not None:
                yield action

    def fillings(self, form: dict[str, Any], rng: random.Random, most: int, **fixed: Any) -> Iterator[Action]:
        """Iterate over fillings of a form, all if they are at most `most`, else as many at random.

        fixed: a field with the value it must have, or for a pick the card it must contain.
        """
        names = list(form["fields"])
        columns = []
        for name in names:
            field = form["fields"][name]
            values = self.values(field, rng) if name not in fixed else self._with(field, fixed[name], rng)
            columns.append([None, *values] if field.get("optional") and name not in fixed else values)
        size = 1
        for column in columns:
            size *= len(column)
        rows: Iterator[tuple[Any, ...]]
        if size <= most:
            rows = itertools.product(*columns)
        else:
            rows = (tuple(rng.choice(column) for column in columns) for _ in range(most))
        for row in rows:
            yield {"type": form["type"], **{name: value for name, value in zip(names, row, strict=True) if value is not None}}

    def values(self, field: dict[str, Any], rng: random.Random) -> list[Any]:
        """Return values of a field, at most some; none for groups."""
        kind = field["kind"]
        if kind == "pick":
            return some(picks(self.offered(field), *field["n"]), rng)
        return singles(field)

    def offered(self, field: dict[str, Any]) -> list[str]:
        """Return the cards that a pick offers and the seat sees there."""
        return [face for face in held(self.view, field["zone"]) if field["cards"] is None or face in field["cards"]]

    def _with(self, field: dict[str, Any], value: Any, rng: random.Random) -> list[Any]:
        if field["kind"] != "pick":
            return [value]
        rest = self.offered(field)
        rest.remove(value)
        low, high = field["n"]
        return [[value, *others] for others in some(picks(rest, max(low - 1, 0), high - 1), rng)]


def some(values: Iterator[Any], rng: random.Random) -> list[Any]:
    """Return the first values and, when there are many more, a fair sample of the next ones."""
    kept = list(itertools.islice(values, SOME))
    for number, value in enumerate(itertools.islice(values, 10 * SOME), SOME + 1):
        place = rng.randrange(number)
        if place < SOME:
            kept[place] = value
    return kept


def singles(field: dict[str, Any]) -> list[Any]:
    """Return the values that a choice, number, place or target offers (of a wide number its ends and some between); none for others."""
    kind = field["kind"]
    if kind == "choice":
        return [item["value"] for item in field["of"]]
    if kind == "number":
        if field["of"] is not None:
            return list(field["of"])
        low, high = field["low"], field["high"]
        few = high - low < 64
        return list(range(low, high + 1)) if few else sorted({low, low + 1, high - 1, high, *range(low, high, (high - low) // 8)})
    return list(field["places"] if kind == "place" else field["zones"]) if kind in ("place", "target") else []
