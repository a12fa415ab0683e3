"""The page of recorded matches: the newest ones to choose from, or a file, whose path is completed by Tab."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from carteado.core.errors import CarteadoError
from carteado.net import recordings
from carteado.net.recordings import Recording

from .boxes import Box, Entry
from .grid import Line, width
from .menus import keyed
from .words import Words

MOST = 9
"""Matches on the list, a digit each."""
NAMES = 8
"""Names that are shown when Tab could mean several."""


class RecordedPage:
    """The list of recorded matches, and the line for a file's path."""

    def __init__(
        self, words: Callable[[], Words], show: Callable[[Box], None], look: Callable[[Path], None], back: Callable[[], None],
        title: Callable[[str], str], failed: Callable[[str], None],
    ) -> None:  # fmt: skip
        """`look` opens a journal; `title` tells what a game is called; `failed` is told in a sentence what went wrong."""
        self._words, self._show, self._look, self._back = words, show, look, back
        self._title, self._failed = title, failed

    def page(self) -> None:
        """Open the list."""
        words = self._words()
        found: Sequence[Recording] = ()
        places = [str(recordings.store()), *map(str, recordings.folders())]
        trouble = ""
        try:
            found = recordings.newest(MOST)
        except CarteadoError as fault:
            trouble = str(fault)
        if found:
            places = list(dict.fromkeys(str(one.where) for one in found))
        key = "ui.home.look.from" if found else "ui.home.look.none"
        body: list[Line] = [[(words(key, places=words.listed([_short(place) for place in places])), "dim")]]
        room = max((width(self._title(one.game)) for one in found), default=0)
        rows = [(self._said(one, room), self._taker(one)) for one in found]
        rows.append(([(words("ui.home.look.other"), "")], self.ask))
        box = Box("recorded", words("ui.home.look"), body, keyed(rows), foot=words("ui.foot.menu"), closed=self._back, sticky=True)
        self._show(box)
        if trouble:
            self._failed(trouble)

    def ask(self) -> None:
        """Ask for the path of a file."""
        words = self._words()
        entry = Entry(limit=4096)
        box = Box(
            "file", words("ui.home.file"), entry=entry, submit=lambda text: self._look(Path(text).expanduser()),
            foot=words("ui.foot.file"), closed=self.page, sticky=True,
        )  # fmt: skip

        def complete() -> None:
            text, names = completed(entry.text)
            entry.text, entry.caret = text[: entry.limit], len(text[: entry.limit])
            shown = [*names[:NAMES], *([words.glyphs.more] if len(names) > NAMES else [])]
            box.body = [[(words.safe("  ".join(shown)), "dim")]] if shown else []

        box.complete = complete
        self._show(box)

    def _said(self, one: Recording, room: int) -> Line:
        words = self._words()
        title = words.safe(self._title(one.game))
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.when))
        names = words.listed([words.safe(name) for name in one.players])
        return [(f"{when}  ", "dim"), (title + " " * (room - width(title) + 2), ""), (names, "name")]

    def _taker(self, one: Recording) -> Callable[[], None]:
        def take() -> None:
            try:
                path = recordings.file_of(one)
            except CarteadoError as fault:
                self.page()
                self._failed(str(fault))
            else:
                self._look(path)

        return take


def completed(text: str) -> tuple[str, list[str]]:
    """Return a path as far as only one way leads on, and the names it could go on with if there are several."""
    begun = text.rpartition("/")[2]
    lead = text[: len(text) - len(begun)]
    try:
        found = list(Path(lead).expanduser().iterdir())
    except OSError:
        return text, []  # there is no such folder, or it is nobody's business
    names = sorted(
        path.name + ("/" if path.is_dir() else "") for path in found
        if path.name.startswith(begun) and (begun.startswith(".") or not path.name.startswith("."))
    )  # fmt: skip
    if not names:
        return text, []
    common = os.path.commonprefix(names)  # noqa: RUF071 - letter by letter is what is wanted
    return lead + common, names if len(names) > 1 else []


def _short(place: str) -> str:
    """Return a place with the home folder written as ~."""
    home = str(Path.home())
    return "~" + place[len(home) :] if place == home or place.startswith(home + os.sep) else place
