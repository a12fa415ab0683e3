"""All ways to fill in a form, when they are few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice, product
from typing import Any

from .sample import held

View = dict[str, Any]


def fillings(view: View, form: dict[str, Any], limit: int = 200) -> list[dict[str, Any]] | None:
    """Return every filling of a form as an action, equal faces taken for one; None when there are more than `limit`, or groups to build.

    Optional fields are tried left out and filled in. Fillings may be wider than the rules, as forms are.
    """
    names = list(form["fields"])
    columns: list[list[Any]] = []
    for name in names:
        values = values_of(view, form["fields"][name], limit)
        if values is None:
            return None
        columns.append(values)
    size = 1
    for column in columns:
        size *= len(column)
    if size > limit:
        return None
    return [
        {"type": form["type"], **{name: value for name, value in zip(names, row, strict=True) if value is not None}}
        for row in product(*columns)
    ]


def values_of(view: View, field: dict[str, Any], limit: int) -> list[Any] | None:
    """Return every value of a field (None stands for left out), or None when there are more than `limit`, or groups to build."""
    kind = field["kind"]
    values: list[Any]
    if kind == "pick":
        cards = [face for face in held(view, field["zone"]) if field["cards"] is None or face in field["cards"]]
        values = list(islice(picks(cards, *field["n"]), limit + 1))
    elif kind == "choice":
        values = [item["value"] for item in field["of"]]
    elif kind == "number":
        values = list(field["of"]) if field["of"] is not None else list(range(field["low"], field["high"] + 1))
    elif kind in ("place", "target"):
        values = list(field["places" if kind == "place" else "zones"])
    elif field.get("optional"):
        values = []
    else:
        return None
    if len(values) > limit:
        return None
    return [None, *values] if field.get("optional") else values


def picks(cards: list[str], low: int, high: int) -> Iterator[list[str]]:
    """Iterate over the different multisets of `low` to `high` faces out of `cards`."""
    counts = sorted(Counter(cards).items())

    def choose(start: int, left: int) -> Iterator[list[str]]:
        if left == 0:
            yield []
            return
        for i in range(start, len(counts)):
            face, most = counts[i]
            for take in range(min(most, left), 0, -1):
                for rest in choose(i + 1, left - take):
                    yield [face] * take + rest

    for n in range(low, min(high, len(cards)) + 1):
        yield from choose(0, n)
