"""The settings: what a person chooses once and for all; each row shows what it is now, and choosing it changes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from carteado.net import preferences
from carteado.net.identity import login_name
from carteado.net.names import clean_name

from .boxes import Box, Entry
from .grid import Line
from .menus import keyed
from .tricks import HELD
from .words import LANGUAGES, Words

THEMES = (None, "dark", "light")
SPEEDS: Mapping[str, float] = {"fast": 0.3, "normal": 0.8, "slow": 2.0}
"""How long a computer player's move takes, in seconds."""
LONG = 3600
PAUSES = (0, HELD, 5, LONG)
"""Seconds that a finished trick stays; the last means until a key."""

Row = tuple[Line, Callable[[], None]]


class SettingsPage:
    """The page of settings."""

    def __init__(
        self, words: Callable[[], Words], lang: Callable[[], str], show: Callable[[Box], None], next_language: Callable[[], None],
        anew: Callable[[int], None], back: Callable[[], None],
    ) -> None:  # fmt: skip
        """`show` opens a box; `anew` draws everything anew with other looks, on a row of this page."""
        self._words, self._lang, self._show = words, lang, show
        self._next_language, self._anew, self._back = next_language, anew, back

    def page(self, row: int = 0) -> None:
        """Open the settings with the cursor on a row."""
        kept, words = preferences.read(), self._words()
        lang, theme = self._lang(), kept.get("theme")
        quiet = kept.get("quiet", False)
        speed, pause = kept.get("speed", "normal"), kept.get("pause", HELD)
        stays = words("ui.set.pause.key") if pause >= LONG else words("ui.set.pause.seconds", n=pause)
        rows: list[Row] = [
            (self._said("ui.set.name", words.safe(kept.get("name") or login_name())), self.ask_name),
            (self._said("ui.do.lang", LANGUAGES.get(lang, lang)), self._next_language),
            (self._said("ui.set.theme", words(f"ui.set.theme.{theme or 'auto'}")), lambda: self._looks(2, theme=_after(THEMES, theme))),
            self._switch("ui.set.ascii", 3, "ascii", kept.get("ascii", False)),
            self._switch("ui.set.mouse", 4, "mouse", kept.get("mouse", True)),
            (self._said("ui.set.bell", self._yes(not quiet)), lambda: self._looks(5, quiet=not quiet)),
            self._switch("ui.set.confirm", 6, "confirm", kept.get("confirm", True)),
            (self._said("ui.set.pause", stays), lambda: self._keep(7, pause=_after(PAUSES, pause))),
            (self._said("ui.set.speed", words(f"ui.set.speed.{speed}")), lambda: self._keep(8, speed=_after(tuple(SPEEDS), speed))),
        ]
        foot = words("ui.foot.menu")
        self._show(Box("settings", words("ui.home.settings"), [], keyed(rows), row, foot=foot, closed=self._back, sticky=True))

    def ask_name(self, then: Callable[[], None] | None = None, wrong: bool = False) -> None:
        """Ask what the person is called; the login stands there already."""
        words, go = self._words(), then or self.page
        entry = Entry(preferences.read().get("name") or login_name(), limit=24)
        entry.caret = len(entry.text)

        def take(text: str) -> None:
            name = clean_name(text)
            if name is None:
                self.ask_name(then, wrong=True)
                return
            preferences.keep(name=name)
            go()

        body: list[Line] = [[(words("name"), "warn")]] if wrong else []
        self._show(
            Box("ask", words("ui.set.name"), body, entry=entry, submit=take, foot=words("ui.foot.entry"), closed=go, sticky=True)
        )

    def _keep(self, row: int, **chosen: Any) -> None:
        preferences.keep(**chosen)
        self.page(row)

    def _looks(self, row: int, **chosen: Any) -> None:
        """Keep a setting of the looks, and draw everything anew with it."""
        preferences.keep(**chosen)
        self._anew(row)

    def _said(self, key: str, value: str) -> Line:
        return [(f"{self._words()(key)}: ", ""), (value, "strong")]

    def _yes(self, on: bool) -> str:
        return self._words()("ui.yes" if on else "ui.no")

    def _switch(self, key: str, row: int, name: str, on: bool) -> Row:
        return self._said(key, self._yes(on)), lambda: self._looks(row, **{name: not on})


def _after(values: Sequence[Any], value: Any) -> Any:
    return values[(values.index(value) + 1) % len(values)] if value in values else values[0]
