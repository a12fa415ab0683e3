"""What a table can choose before a match starts: kinds of table options, and checking what was chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from .encoding import short
from .errors import Refused


class TableOption(Protocol):
    """One named choice of a table, with a default."""

    name: str

    @property
    def default(self) -> Any:
        """Return the value used when the table says nothing."""

    def accept(self, value: Any) -> Any:
        """Return the value to use. Raises: Refused("bad_option") when it does not fit."""

    def wire(self) -> dict[str, Any]:
        """Return the option as data for a client's form; its label is the message key `option.<name>`."""


class _Option:
    kind = ""

    def __init__(self, name: str, default: Any) -> None:
        self.name = name
        self.default = default
        self.default = self.accept(default)

    def accept(self, value: Any) -> Any:
        raise TypeError(f"{type(self).__name__} does not say what it accepts")

    def wire(self) -> dict[str, Any]:
        return {"name": self.name, "kind": self.kind, "default": self.default, "label": [f"option.{self.name}", {}]}

    def refuse(self, value: Any) -> Refused:
        return Refused("bad_option", option=self.name, value=short(value, 40))


class Flag(_Option):
    """A yes or no."""

    kind = "flag"

    def accept(self, value: Any) -> bool:
        if value is True or value is False:
            return value
        if isinstance(value, str) and value.lower() in ("yes", "true", "on", "1"):
            return True
        if isinstance(value, str) and value.lower() in ("no", "false", "off", "0"):
            return False
        raise self.refuse(value)


class Whole(_Option):
    """A whole number from `low` to `high`."""

    kind = "whole"

    def __init__(self, name: str, default: int, low: int, high: int) -> None:
        self.low = low
        self.high = high
        super().__init__(name, default)

    def accept(self, value: Any) -> int:
        if isinstance(value, str):
            try:
                value = int(value)
            except ValueError:
                raise self.refuse(value) from None
        if type(value) is int and self.low <= value <= self.high:
            return value
        raise self.refuse(value)

    def wire(self) -> dict[str, Any]:
        return super().wire() | {"low": self.low, "high": self.high}


class OneOf(_Option):
    """One of some words (or numbers); each value's label is the message key `option.<name>.<value>`."""

    kind = "one_of"

    def __init__(self, name: str, default: str | int, values: Sequence[str | int]) -> None:
        self.values = tuple(values)
        super().__init__(name, default)

    def accept(self, value: Any) -> str | int:
        for known in self.values:
            if type(value) is type(known) and value == known:
                return known
            if isinstance(value, str) and value == str(known):
                return known
        raise self.refuse(value)

    def wire(self) -> dict[str, Any]:
        return super().wire() | {"of": list(self.values)}


class Several(_Option):
    """Any number of some words (or numbers), as a list in the declared order, none twice; a string is split at commas."""

    kind = "several"

    def __init__(self, name: str, default: Sequence[str | int], values: Sequence[str | int]) -> None:
        self.values = tuple(values)
        super().__init__(name, list(default))

    def accept(self, value: Any) -> list[str | int]:
        if isinstance(value, str):
            value = [part.strip() for part in value.split(",") if part.strip()]
        if not isinstance(value, (list, tuple)):
            raise self.refuse(value)
        chosen = []
        for item in value:
            fits = [known for known in self.values if str(known) == str(item)]
            if not fits or fits[0] in chosen:
                raise self.refuse(value)
            chosen.append(fits[0])
        return [known for known in self.values if known in chosen]

    def wire(self) -> dict[str, Any]:
        return super().wire() | {"of": list(self.values)}


CORE_OPTIONS: tuple[TableOption, ...] = (Whole("stake", 10, 0, 1_000_000), Flag("substitute", True))
"""Options that every table has: chips per place, and whether a computer player goes on for somebody who left."""


def declared(game: Any) -> tuple[TableOption, ...]:
    """Return all options of a game's table: the core's, then the game's own (which may replace one of the core's)."""
    own = {option.name for option in game.table_options}
    return tuple(option for option in CORE_OPTIONS if option.name not in own) + tuple(game.table_options)


def resolve(game: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return every option's value: what was given, checked, else the default.

    Raises: Refused("unknown_option" | "bad_option"), or what the game's own `check_options` refuses.
    """
    known = {option.name: option for option in declared(game)}
    for name in given:
        if name not in known:
            raise Refused("unknown_option", option=short(name, 40))
    values = {name: option.accept(given[name]) if name in given else option.default for name, option in known.items()}
    game.check_options(values)
    return values
