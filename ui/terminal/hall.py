"""The tables of a host: see them, sit down, watch, open another one. From a table one comes back here."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol

from carteado.core.words import Message
from carteado.net.errors import ConnectionOver, Refusal
from carteado.net.protocol import GameRow, Purse, TableRow, Tables
from carteado.net.table_ids import is_private, read_private
from carteado.net.terms import Terms
from carteado.net.words import GameWords

from .agreed import terms_of
from .boxes import WIDEST, Box, Entry
from .choices import Choices
from .grid import Line, line_width, width
from .idle import Menu, NoTable
from .local import Notice
from .menus import keyed
from .session import Change
from .text import cut
from .words import Words

KEYS, SHORT = 6, 6
"""Cells that a box's frame and the keys before its entries take, with those behind an id; cells that an id has always."""
EVERY = 2.0
"""Seconds after which the list is asked for again."""


class Hosting(Protocol):
    """What the hall needs of a peer."""

    gone_code: str

    @property
    def line(self) -> str:
        """How the connection is."""

    async def tables(self) -> Tables:
        """Ask which tables and games there are."""

    async def open(
        self, game: str, options: Mapping[str, Any] | None = None, chairs: int | None = None, house: Sequence[str] = (),
        terms: Terms | None = None, private: bool = False,
    ) -> str:  # fmt: skip
        """Open a table and return its id."""

    async def purse(self) -> Purse:
        """Ask for the own chips."""

    async def join(self, m: str, role: str = "seat", seat: int | None = None) -> Any:
        """Sit down or watch."""

    async def fetch_words(self, lang: str | None = None, game: str | None = None) -> GameWords:
        """Get a game's words."""


def table_said(words: Words, row: TableRow) -> str:
    """Return how far a table is and how many of its chairs are free."""
    stage = words(f"ui.stage.{row.stage}") if words.has(f"ui.stage.{row.stage}") else row.stage
    free = words("ui.hall.free", n=row.free, chairs=row.chairs) if row.free else words("ui.hall.full", chairs=row.chairs)
    return f"{stage}, {free}"


def refusal_said(words: Words, refusal: Refusal) -> Message:
    """Return why a host does not want to: its code where there are words for it, else its own sentence."""
    return [refusal.code, dict(refusal.data)] if words.has(refusal.code) else ["ui.told", {"text": refusal.text}]


class HallSession(NoTable):
    """A session with a host, at none of its tables."""

    def __init__(self, peer: Hosting, lang: str) -> None:
        super().__init__(lang)
        self.peer = peer

    @property
    def line(self) -> str:
        """How the connection is."""
        return self.peer.line

    @property
    def line_reason(self) -> str:
        """Why it is gone."""
        return self.peer.gone_code


class Hall(Menu):
    """The list of tables. When it is over, `joined` tells whether the peer is at a table now."""

    def __init__(self, session: HallSession, leave: Callable[[], None], told: Message | None = None) -> None:
        """`leave` ends the client; `told` is what is to be said first."""
        super().__init__()
        self._session = session
        self._peer = session.peer
        self._leave = leave
        self._told = told
        self._tables = Tables([], [])
        self._titles: dict[str, str] = {}
        self._purse: int | None = None
        self.joined = False

    def begin(self) -> None:
        """Show the list and keep it fresh; called once the client runs."""
        self._list()
        if self._told is not None:
            self._say(self._told)
        self.controls.spawn(self._follow())

    def spoke(self) -> None:
        """Show the list in the new language."""
        self._list()

    async def _follow(self) -> None:
        with contextlib.suppress(Refusal, ConnectionOver):  # a host without books; one that is gone is told of below
            self._purse = (await self._peer.purse()).chips
        while await self.refresh():
            await asyncio.sleep(EVERY)

    async def refresh(self) -> bool:
        """Ask for the tables; False when the host is gone for good."""
        empty = not self._tables.tables
        try:
            self._tables = await self._peer.tables()
        except ConnectionOver:
            self._session.tell(Change("gone"))
            return False
        except Refusal as refusal:
            self._refused(refusal)
            self._session.tell(Change("line"))
            return True
        self._titles = {row.name: row.title or row.name for row in self._tables.games}
        self._renew(empty)
        self._session.tell(Change("line"))
        return True

    # the list

    def _say(self, message: Message) -> None:
        self.controls.local.notice = Notice(list(message), bad=True)

    def _refused(self, refusal: Refusal) -> None:
        """Say why the host does not want to."""
        self._say(refusal_said(self.words, refusal))

    def _list(self, cursor: int = 0) -> None:
        words = self.words
        rows = [(self._row(row), self._taker(row)) for row in self._tables.tables]
        rows.append(([(words("ui.hall.open"), "")], self._games))
        rows.append(([(words("ui.hall.private"), "")], self._name))
        rows.append(([(words("ui.do.quit"), "")], self._leave))
        body: list[Line] = [] if self._tables.tables else [[(words("ui.hall.none"), "dim")]]
        if self._purse is not None:
            body.append([(words("ui.purse", n=self._purse), "dim")])
        box = Box("hall", words("ui.hall"), body, keyed(rows), cursor, foot=words("ui.foot.home"), closed=self._list, sticky=True)
        for item, name in zip(box.items, [*(row.m for row in self._tables.tables), "open", "private", "quit"], strict=True):
            item.find = name
        for item, key in zip(box.items[-3:], "opq", strict=True):
            item.key = key
        self.show(box)

    def _renew(self, first: bool) -> None:
        """Bring the list up to date where it is open, the cursor staying with its table; on the `first` it is on the first."""
        box = self.controls.local.boxes[-1] if self.controls.local.boxes else None
        if box is None or box.name != "hall":
            return
        name = box.items[box.cursor].find
        self._list()
        items = self.controls.local.boxes[-1].items
        kept = [place for place, item in enumerate(items) if item.find == name and not first]
        self.controls.local.boxes[-1].cursor = kept[0] if kept else 0

    def _row(self, row: TableRow) -> Line:
        """Return a table as a line; ids are set in one column, and cut where the rest of a line leaves no room for them."""
        rows = self._tables.tables
        spare = min(WIDEST, self.controls.grid.width - 6) - KEYS - max(line_width(self._told_of(one)) for one in rows)
        room = min(max(len(one.m) for one in rows), max(SHORT, spare))
        return [(f"{cut(row.m, room, self.words.glyphs.more):<{room}}  ", "dim"), *self._told_of(row)]

    def _told_of(self, row: TableRow) -> Line:
        """Return the game of a table, how far it is, its chairs and who watches."""
        words = self.words
        title = words.safe(self._titles.get(row.game, row.game))
        room = max((width(words.safe(one)) for one in self._titles.values()), default=0)
        name = title + " " * (room - width(title) + 2)
        line: Line = [(name, "name"), (table_said(words, row), "live" if row.free else "")]
        if row.watchers:
            line.append((f", {words('ui.lobby.watchers', n=row.watchers)}", "dim"))
        if is_private(row.m):
            line.append((f", {words('ui.hall.hidden')}", "dim"))
        return line

    def _name(self) -> None:
        """Ask for the name of a private table, which is in nobody's list but its own people's."""
        words = self.words

        def submit(text: str) -> None:
            id = read_private(text)
            if id is None:
                self._list()
                self._say(["no_table", {}])
                return
            self.show(self._ways(words("ui.hall.private"), [[(id, "name")]], id))

        title, foot = words("ui.hall.name"), words("ui.foot.entry")
        self.show(Box("name", title, entry=Entry(limit=40), submit=submit, foot=foot, closed=self._list, sticky=True))

    def _ways(self, title: str, body: list[Line], m: str) -> Box:
        """Return the question whether to sit down at a table or to watch."""
        rows = [
            ([(self.words("ui.hall.sit"), "")], self._enterer(m, "seat")),
            ([(self.words("ui.hall.watch"), "")], self._enterer(m, "watch")),
        ]
        return Box("table", title, body, keyed(rows), foot=self.words("ui.foot.menu"), closed=self._list, sticky=True)

    def _taker(self, row: TableRow) -> Callable[[], None]:
        title = self.words.safe(self._titles.get(row.game, row.game))
        return lambda: self.show(self._ways(title, [self._row(row)], row.m))

    def _enterer(self, m: str, role: str) -> Callable[[], None]:
        return lambda: self._try(lambda: self._enter(m, role))

    async def _enter(self, m: str, role: str) -> None:
        await self._peer.join(m, role)
        self.joined = True
        self._leave()

    def _try(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do something that the host may refuse; then the list is there again, and why."""

        async def run() -> None:
            try:
                await work()
            except ConnectionOver:
                self._session.tell(Change("gone"))
            except Refusal as refusal:
                self._list()
                self._refused(refusal)

        self.controls.spawn(run())

    # another table

    def _games(self) -> None:
        def take(game: GameRow) -> Callable[[], None]:
            return lambda: self._count(game)

        rows: list[tuple[Line, Callable[[], None]]] = []
        for game in self._tables.games:
            rows.append((self.game_line(game), take(game)))
        body: list[Line] = [] if rows else [[(self.words("ui.home.no_games"), "warn")]]
        box = Box("games", self.words("ui.hall.open"), body, keyed(rows), foot=self.words("ui.foot.menu"), closed=self._list, sticky=True)
        self.show(box)

    def _count(self, game: GameRow) -> None:
        low, high = game.seats
        counts = range(max(2, low), high + 1)

        def take(count: int) -> Callable[[], None]:
            return lambda: self._try(lambda: self._options(game, count))

        if len(counts) < 2:
            take(high)()
            return
        rows = [([(self.words("ui.home.people", n=count), "")], take(count)) for count in counts]
        cursor = max(0, min(len(rows) - 1, 4 - counts[0]))
        title, foot = self.words("ui.home.how_many"), self.words("ui.foot.menu")
        self.show(Box("players", title, [], keyed(rows), cursor, foot=foot, closed=self._games, sticky=True))

    async def _options(self, game: GameRow, count: int) -> None:
        told = await self._peer.fetch_words(self._session.lang, game.name)
        own = self.words
        words = own.beside([told.catalogue, *self._session.catalogues], told.looks, self._session.lang)

        def done() -> None:
            self._try(lambda: self._open(game.name, count, choices))

        title, go = words.safe(game.title or game.name), words("ui.options.open")
        back, house = lambda: self._count(game), self._tables.house
        choices = Choices(game.options, words, self.show, title, go, done, back, house, time=True, hidden=True)
        choices.page()

    async def _open(self, game: str, count: int, choices: Choices) -> None:
        terms = terms_of(choices.clock, choices.away)
        await self._enter(await self._peer.open(game, choices.chosen, count, choices.house, terms, choices.private), "seat")
