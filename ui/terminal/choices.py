"""What a table is to be played with, as a form: one row an option, each shows its value, choosing it changes it.

It knows options only as data, as they travel (`{name, kind, default, label, ...}`), and says them in the words of their game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from carteado.net.terms import clock_terms

from .agreed import AWAY, CLOCKS, OFF, clock_said
from .boxes import Box, Entry
from .grid import Line
from .menus import keyed
from .words import Words

Option = Mapping[str, Any]
Row = tuple[Line, Callable[[], None]]

CLOCK, AWAY_IS, PRIVATE = "@clock", "@away", "@private"
"""The names under which a clock, what happens to who is away, and whether the table is in the list are chosen."""
HOUSE = "house"
"""The name under which house rules are chosen, as if they were one more option."""
_APART = (HOUSE, CLOCK, AWAY_IS, PRIVATE)
FEW = 3
"""Up to this many values are gone through one by one; more are chosen from a list."""


def value_said(words: Words, name: str, value: Any) -> str:
    """Return an option's value in a reader's words."""
    if name == PRIVATE and value:
        return words("ui.options.private.yes")
    if isinstance(value, bool):
        return words("ui.yes" if value else "ui.no")
    if isinstance(value, (list, tuple)):
        return words.listed([value_said(words, name, one) for one in value]) or words("ui.options.none")
    if name == CLOCK:
        return words.listed([words(key, **args) for key, args in clock_said(clock_terms(str(value)))]) or words("ui.options.off")
    key = f"ui.options.away.{value}" if name == AWAY_IS else f"option.{name}.{value}"
    return words(key) if words.has(key) else words.safe(str(value))


def option_said(words: Words, name: str) -> str:
    """Return what an option is called."""
    if name in _APART:
        return words(f"ui.options.{name.removeprefix('@')}")
    key = f"option.{name}"
    return words(key) if words.has(key) else words.safe(name)


class Choices:
    """The options of one table while they are being chosen; `values` has every one of them."""

    def __init__(
        self, options: Sequence[Option], words: Words, show: Callable[[Box], None], title: str, go: str, done: Callable[[], None],
        back: Callable[[], None], house: Sequence[str] = (), time: bool = False, hidden: bool = False,
    ) -> None:  # fmt: skip
        """`show` opens a box, `go` is the caption of the row that ends the form by `done`; `house` are the house rules to choose from.

        `time` lets a clock be chosen too, and what happens to whoever is away; `hidden`, that the table is in no list.
        """
        self.options = [*options]
        if time:
            self.options.append({"name": CLOCK, "kind": "one_of", "default": OFF, "of": list(CLOCKS)})
            self.options.append({"name": AWAY_IS, "kind": "one_of", "default": AWAY[0], "of": list(AWAY)})
        if house:
            self.options.append({"name": HOUSE, "kind": "several", "default": [], "of": list(house)})
        if hidden:
            self.options.append({"name": PRIVATE, "kind": "flag", "default": False})
        self.values: dict[str, Any] = {option["name"]: option["default"] for option in self.options}
        self._words, self._show, self._title, self._go = words, show, title, go
        self._done, self._back = done, back

    @property
    def chosen(self) -> dict[str, Any]:
        """The options that are not as they usually are, without house rules."""
        usual = {option["name"]: option["default"] for option in self.options}
        return {name: value for name, value in self.values.items() if name not in _APART and value != usual[name]}

    @property
    def house(self) -> list[str]:
        """The house rules, the first innermost."""
        return list(self.values.get(HOUSE, ()))

    @property
    def clock(self) -> str:
        """The clock, as the command line writes it."""
        return str(self.values.get(CLOCK, OFF))

    @property
    def away(self) -> str:
        """What happens to whoever is away."""
        return str(self.values.get(AWAY_IS, AWAY[0]))

    @property
    def private(self) -> bool:
        """Whether the table is to be found by those only who are told its name."""
        return bool(self.values.get(PRIVATE))

    def page(self, row: int = 0, wrong: str = "") -> None:
        """Open the form with the cursor on a row; `wrong` is said above it."""
        rows: list[Row] = [([(self._go, "strong")], self._done)]
        for number, option in enumerate(self.options, 1):
            rows.append((self._line(option), self._changer(option, number)))
        body: list[Line] = [[(wrong, "warn")]] if wrong else []
        box = Box("options", self._title, body, keyed(rows), row, foot=self._words("ui.foot.menu"), closed=self._back, sticky=True)
        self._show(box)

    def _line(self, option: Option) -> Line:
        name, value = option["name"], self.values[option["name"]]
        style = "dim" if value == option["default"] else "strong"
        return [(f"{option_said(self._words, name)}: ", ""), (value_said(self._words, name, value), style)]

    def _changer(self, option: Option, row: int) -> Callable[[], None]:
        kind, name = option["kind"], option["name"]
        if kind == "flag":
            return lambda: self._put(name, not self.values[name], row)
        if kind == "whole":
            return lambda: self._type(option, row)
        if kind == "one_of" and len(option["of"]) <= FEW:
            values = list(option["of"])
            return lambda: self._put(name, values[(values.index(self.values[name]) + 1) % len(values)], row)
        if kind == "one_of":
            return lambda: self._choose(option, row)
        if kind == "several":
            return lambda: self._tick(option, row)
        return lambda: self.page(row)

    def _put(self, name: str, value: Any, row: int) -> None:
        self.values[name] = value
        self.page(row)

    def _type(self, option: Option, row: int) -> None:
        words = self._words
        bounds = words("ui.ask.number.range", low=option["low"], high=option["high"])
        box = Box(
            "option", option_said(words, option["name"]), [[(bounds, "dim")]], entry=Entry(str(self.values[option["name"]]), limit=9),
            foot=words("ui.foot.entry"), closed=lambda: self.page(row), sticky=True,
        )  # fmt: skip
        assert box.entry is not None
        box.entry.caret = len(box.entry.text)

        def submit(text: str) -> None:
            number = int(text) if text.removeprefix("-").isdecimal() else None
            if number is None or not option["low"] <= number <= option["high"]:
                box.body[0] = [(bounds, "warn")]
                return
            self._put(option["name"], number, row)

        box.submit = submit
        self._show(box)

    def _choose(self, option: Option, row: int) -> None:
        name = option["name"]

        def put(value: Any) -> Callable[[], None]:
            return lambda: self._put(name, value, row)

        rows: list[Row] = [([(value_said(self._words, name, value), "")], put(value)) for value in option["of"]]
        self._list(option, rows, list(option["of"]).index(self.values[name]), row)

    def _tick(self, option: Option, row: int, cursor: int = 0) -> None:
        name, chosen = option["name"], list(self.values[option["name"]])

        def turn(value: Any, place: int) -> Callable[[], None]:
            def do() -> None:
                wanted = [one for one in option["of"] if (one in chosen) is not (one == value)]
                self.values[name] = wanted
                self._tick(option, row, place)

            return do

        tick = self._words.glyphs.tick
        rows: list[Row] = [([(self._words("ui.options.done"), "strong")], lambda: self.page(row))]
        for place, value in enumerate(option["of"], 1):
            mark = tick if value in chosen else " "
            rows.append(([(f"{mark} {value_said(self._words, name, value)}", "")], turn(value, place)))
        self._list(option, rows, cursor, row)

    def _list(self, option: Option, rows: Sequence[Row], cursor: int, row: int) -> None:
        title, foot = option_said(self._words, option["name"]), self._words("ui.foot.menu")
        self._show(Box("option", title, [], keyed(rows), cursor, foot=foot, closed=lambda: self.page(row), sticky=True))
