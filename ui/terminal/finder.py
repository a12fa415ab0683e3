"""Finding a host from the menu: this machine's, those on the network as they answer, or one by its address."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Protocol

from .boxes import Box, Entry, Item
from .grid import Line
from .menus import MENU_KEYS
from .words import Words

Choose = Callable[..., None]
Spawn = Callable[[Coroutine[Any, Any, None]], None]


class HostCard(Protocol):
    """What a host says of itself."""

    @property
    def called(self) -> str:
        """Its name."""

    @property
    def short(self) -> str:
        """The beginning of its id."""

    games: list[str]
    free: int
    private: bool


class Host(Protocol):
    """A host that was found."""

    @property
    def card(self) -> Any:
        """What it says of itself."""

    @property
    def address(self) -> Any:
        """Where it is, with its key."""

    answers: bool
    conflict: bool


class Search(Protocol):
    """A running search."""

    trouble: str

    def hosts(self) -> Sequence[Any]:
        """Return what was found so far."""

    async def changed(self) -> None:
        """Wait until that changes."""


Searching = Callable[[], AbstractAsyncContextManager[Search]]


@asynccontextmanager
async def on_network() -> AsyncIterator[Search]:
    """Search on the network; what that needs is imported beside the loop, so that keys go on working."""
    await asyncio.get_running_loop().run_in_executor(None, _import_discovery)
    from carteado.net.discovery import searching

    async with searching() as search:
        yield search


class Finder:
    """The page of hosts; it stays up to date while it is open."""

    def __init__(
        self, words: Callable[[], Words], show: Callable[[Box], None], spawn: Spawn, choose: Choose, back: Callable[[], None],
        titles: Mapping[str, str], here: bool, search: Searching | None,
    ) -> None:  # fmt: skip
        """`titles` are those of the games that are known here, `here` tells whether a host runs on this machine."""
        self._words, self._show, self._spawn = words, show, spawn
        self._choose, self._back = choose, back
        self._titles, self._here, self._search = titles, here, search
        self._hosts: Sequence[Any] = ()
        self._trouble = ""
        self._looking = False
        self._open: Box | None = None

    def page(self) -> None:
        """Open the page, and begin to look."""
        if self._search is not None and not self._looking:
            self._looking = True
            self._spawn(self._look(self._search))
        self._draw()

    async def _look(self, search: Searching) -> None:
        async with search() as running:
            self._trouble = running.trouble
            while True:
                first = not self._hosts
                self._hosts = running.hosts()
                self._trouble = running.trouble
                self.renew(first)
                await running.changed()

    def renew(self, first: bool = False) -> None:
        """Bring the page up to date if it is the one that is open; the cursor stays where it was, on the `first` hosts it comes to them."""
        if self._open is not None:
            self._draw("" if first else self._open.items[self._open.cursor].find)

    def _draw(self, name: str = "") -> None:
        words = self._words()
        items: list[Item] = []
        if self._here:
            items.append(Item([(words("ui.home.here"), "")], self._take("join", "here", "--choose"), find="here"))
        items += [Item(self._line(host), self._taker(host), find=str(host.address)) for host in self._hosts]
        items.append(Item([(words("ui.home.address"), "")], self._ask_address, find="address"))
        for number, item in enumerate(items):
            item.key = MENU_KEYS[number] if number < len(MENU_KEYS) else ""
        body: list[Line] = []
        if self._search is not None and not self._hosts:
            body = [[(words("ui.find.none" if self._trouble else "ui.find.looking"), "dim")]]
        box = Box("join", words("ui.home.join"), body, items, foot=words("ui.foot.menu"), closed=self._leave, sticky=True)
        box.cursor = next((place for place, item in enumerate(items) if item.find == name), 0)
        self._open = box
        self._show(box)

    def _leave(self) -> None:
        self._open = None
        self._back()

    def _take(self, *command: str) -> Callable[[], None]:
        def take() -> None:
            self._open = None
            self._choose(*command)

        return take

    def _line(self, host: Any) -> Line:
        """Return a host: its name, its games, its free chairs; what to beware of."""
        words, card = self._words(), host.card
        line: Line = [(words.safe(card.called), "name"), (f" ({card.short})", "dim")]
        games = [words.safe(self._titles.get(game, game)) for game in card.games]
        if games:
            line.append((f"  {words.listed(games)}", ""))
        if card.free:
            line.append((f", {words('ui.find.free', n=card.free)}", "live"))
        if card.private:
            line.append((f"  {words('ui.find.private')}", "dim"))
        if not host.answers:
            line.append((f"  {words('ui.find.silent')}", "warn"))
        if host.conflict:
            line.append((f"  {words('ui.find.conflict')}", "warn"))
        return line

    def _taker(self, host: Any) -> Callable[[], None]:
        return self._take("join", str(host.address), "--choose")

    def _ask_address(self) -> None:
        words = self._words()
        self._open = None
        box = Box(
            "ask", words("ui.home.address"), entry=Entry(limit=200), submit=lambda text: self._choose("join", text, "--choose"),
            foot=words("ui.foot.entry"), closed=self.page, sticky=True,
        )  # fmt: skip
        self._show(box)


def _import_discovery() -> None:
    import carteado.net.discovery  # noqa: F401 - and what it needs, before the search begins

    try:
        import zeroconf.asyncio  # noqa: F401
    except ImportError:
        return  # the search itself says so
