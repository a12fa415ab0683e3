"""The tables of a host in plain lines: a number sits down, `w` and a number watches, `o` opens another table."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from carteado.net.errors import Refusal
from carteado.net.protocol import GameRow, TableRow
from carteado.net.table_ids import is_private, read_private

from .choices import PRIVATE, option_said, value_said
from .hall import Hosting, refusal_said, table_said
from .words import Words

Write = Callable[[str], None]
Read = Callable[[], Awaitable[str | None]]
"""Gives the next line that was typed, None when there will be no more."""


class HallLines:
    """Choose a table of a host by lines."""

    def __init__(self, peer: Hosting, words: Words, read: Read, write: Write) -> None:
        self._peer, self._words = peer, words
        self._read, self._write = read, write

    async def choose(self) -> bool:
        """Ask until a table was joined; False when the person leaves. Raises: ConnectionOver."""
        while True:
            told = await self._peer.tables()
            titles = {game.name: game.title or game.name for game in told.games}
            self._write(self._words("ui.hall"))
            for number, row in enumerate(told.tables, 1):
                self._write(f"{number}. {self._said(row, titles)}")
            if not told.tables:
                self._write(self._words("ui.hall.none"))
            self._write(self._words("ui.line.hall"))
            typed = await self._read()
            first, *rest = (typed or "").split() or [""]
            if typed is None or first.lower() == "q":
                return False
            try:
                if first.lower() == "o" and await self._open(told.games, rest):
                    return True
                if first.isdecimal() and 1 <= int(first) <= len(told.tables):
                    await self._peer.join(told.tables[int(first) - 1].m)
                    return True
                if first.lower() == "w" and rest and rest[0].isdecimal() and 1 <= int(rest[0]) <= len(told.tables):
                    await self._peer.join(told.tables[int(rest[0]) - 1].m, "watch")
                    return True
                watching = first.lower() == "w"
                name = read_private(" ".join(rest) if watching else typed)
                if name is not None:
                    await self._peer.join(name, "watch" if watching else "seat")
                    return True
            except Refusal as refusal:
                self._write(self._words.speak(refusal_said(self._words, refusal)))

    def _said(self, row: TableRow, titles: Mapping[str, str]) -> str:
        hidden = f", {self._words('ui.hall.hidden')}" if is_private(row.m) else ""
        return f"{self._words.safe(titles.get(row.game, row.game))} ({row.m}): {table_said(self._words, row)}{hidden}"

    async def _open(self, games: Sequence[GameRow], rest: list[str]) -> bool:
        game = await self._number(self._words("ui.hall.open"), [self._words.safe(game.title or game.name) for game in games], rest[:1])
        if game is None:
            return False
        low, high = games[game].seats
        counts = list(range(max(2, low), high + 1))
        chairs = await self._number(self._words("ui.home.how_many"), [self._words("ui.home.people", n=count) for count in counts], rest[1:])
        if chairs is None:
            return False
        said = [value_said(self._words, PRIVATE, value) for value in (False, True)]
        private = await self._number(option_said(self._words, PRIVATE), said, rest[2:], usual=0)
        if private is None:
            return False
        await self._peer.join(await self._peer.open(games[game].name, chairs=counts[chairs], private=private == 1))
        return True

    async def _number(self, title: str, said: Sequence[str], given: Sequence[str], usual: int | None = None) -> int | None:
        """Return which of some things is meant, the usual one where nothing is typed, None for none of them."""
        typed: str | None = given[0] if given else None
        if typed is None:
            self._write(title)
            for number, one in enumerate(said, 1):
                self._write(f"{number}. {one}")
            typed = await self._read()
        if typed is not None and not typed.strip():
            return usual
        number = int(typed) if typed is not None and typed.strip().isdecimal() else 0
        return number - 1 if 1 <= number <= len(said) else None


async def next_line(lines: asyncio.Queue[Any]) -> str | None:
    """Return the next line of a queue that standard input fills; None for its end or a signal."""
    item = await lines.get()
    return item if isinstance(item, str) else None
