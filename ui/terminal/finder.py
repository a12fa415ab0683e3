"""Finding a host from the menu: this machine's, those on the network as they answer, or one by its address."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Protocol

from carteado.net.keys import fingerprint
from carteado.net.known import ChangedKey, KnownHosts
from carteado.net.known import words as spoken_key

from .boxes import Box, Entry, Item
from .grid import Line
from .menus import MENU_KEYS
from .words import Words

Choose = Callable[..., None]
Spawn = Callable[[Coroutine[Any, Any, None]], None]


class Known(Protocol):
    """The hosts that this machine has met, with their keys."""

    def check(self, id: str, name: str, address: Any) -> Any:
        """Return the pin of a host, None for one never met. Raises: ChangedKey."""

    def pin(self, id: str, name: str, address: Any) -> Any:
        """Remember a host with its key."""


class Search(Protocol):
    """A running search."""

    trouble: str

    def hosts(self) -> Sequence[Any]:
        """Return what was found so far."""

    async def changed(self) -> None:
        """Wait until that changes."""


MET = 20
"""Places of known hosts that are asked too."""
HERE, TYPED = "here", "address"
Searching = Callable[[], AbstractAsyncContextManager[Search]]


@asynccontextmanager
async def on_network() -> AsyncIterator[Search]:
    """Search on the network; what that needs is imported beside the loop, so that keys go on working."""
    await asyncio.get_running_loop().run_in_executor(None, _import_discovery)
    from carteado.net.discovery import searching
    from carteado.net.finding import own_host

    own = own_host()
    async with searching([*([own] if own is not None else []), *KnownHosts().places()[:MET]]) as search:
        yield search


class Finder:
    """The page of hosts; it stays up to date while it is open."""

    def __init__(
        self, words: Callable[[], Words], show: Callable[[Box], None], spawn: Spawn, choose: Choose, back: Callable[[], None],
        title: Callable[[str], str], here: bool, search: Searching | None, known: Known | None = None,
    ) -> None:  # fmt: skip
        """`title` tells what a game is called, `here` whether a host runs on this machine.

        `known` are the hosts that were met before (by default those of this machine).
        """
        self._known: Known = known if known is not None else KnownHosts()
        self._words, self._show, self._spawn = words, show, spawn
        self._choose, self._back = choose, back
        self._title, self._here, self._search = title, here, search
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
            while True:
                first, before = not self._hosts, [str(where(host)) for host in self._hosts]
                found = {str(where(host)): host for host in running.hosts()}
                # Who was there keeps the number: a list must not change under somebody's finger.
                stayed = [name for name in before if name in found]
                self._hosts = [found[name] for name in (*stayed, *(name for name in found if name not in stayed))]
                self._trouble = running.trouble
                self.renew(first)
                await running.changed()

    def renew(self, first: bool = False) -> None:
        """Bring the page up to date if it is the one that is open; the cursor stays where it was, on the `first` hosts it comes to them."""
        if self._open is not None:
            self._draw("" if first else self._open.items[self._open.cursor].find)

    def _draw(self, name: str = "") -> None:
        words = self._words()
        items = [
            Item(self._line(host), self._taker(host), MENU_KEYS[number] if number < 10 else "", find=str(where(host)))
            for number, host in enumerate(self._hosts)
        ]
        if self._here:
            items.append(Item([(words("ui.home.here"), "")], self._take("join", "here", "--choose"), "h", find=HERE))
        items.append(Item([(words("ui.home.address"), "")], self._ask_address, "a", find=TYPED))
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
        games = [words.safe(self._title(game)) for game in card.games]
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

    # who it is, before one connects

    def _taker(self, host: Any) -> Callable[[], None]:
        def take() -> None:
            self._open = None
            card = host.card
            try:
                pin = self._known.check(card.id, card.called, where(host))
            except ChangedKey as changed:
                self._warn(host, self._words()("ui.find.changed", name=card.called), str(changed))
                return
            if host.conflict and pin is None:
                self._warn(host, self._words()("ui.find.conflict.long", name=card.called))
            elif card.private:
                self._ask_code(host)
            elif pin is None:
                self._meet(host)
            else:
                self._choose("join", str(where(host)), "--choose")

        return take

    def _warn(self, host: Any, *said: str) -> None:
        """Say why this host is not connected to; its join code would still tell the right one."""
        words = self._words()
        body: list[Line] = [[(words.safe(text), "warn" if not number else "dim")] for number, text in enumerate(said)]
        items = [
            Item([(words("ui.find.back"), "")], self.page, "1"),
            Item([(words("ui.find.with_code"), "")], lambda: self._ask_code(host), "2"),
        ]
        self._show(Box("warn", words.safe(host.card.called), body, items, foot=words("ui.foot.menu"), closed=self.page, sticky=True))

    def _meet(self, host: Any) -> None:
        """Show the key of a host that was never met, in words that its owner sees too."""
        words, card = self._words(), host.card
        body: list[Line] = [
            [(words("ui.find.new", name=card.called), "")],
            [(spoken_key(where(host).key), "strong"), (f"  ({fingerprint(where(host).key)})", "dim")],
            [(words("ui.find.compare"), "dim")],
        ]

        def trust() -> None:
            self._known.pin(card.id, card.called, where(host))
            self._choose("join", str(where(host)), "--choose")

        items = [Item([(words("ui.find.trust"), "")], trust, "1"), Item([(words("ui.find.back"), "")], self.page, "2")]
        self._show(Box("meet", words.safe(card.called), body, items, foot=words("ui.foot.menu"), closed=self.page, sticky=True))

    def _ask_code(self, host: Any) -> None:
        """Ask for the join code; nothing, for somebody who has a seat there already."""
        words = self._words()

        def join(text: str) -> None:
            self._choose("join", str(where(host)), *([text] if text else []), "--choose")

        self._entry("code", words("ui.find.code", name=host.card.called), join, empty=True)

    def _ask_address(self) -> None:
        self._open = None
        self._entry("ask", self._words()("ui.home.address"), lambda text: self._choose("join", *_typed(text)))

    def _entry(self, name: str, title: str, submit: Callable[[str], None], empty: bool = False) -> None:
        foot = self._words()("ui.foot.entry")
        self._show(Box(name, title, entry=Entry(limit=200), submit=submit, empty=empty, foot=foot, closed=self.page, sticky=True))


def _typed(text: str) -> list[str]:
    """Return what was typed as arguments of `join`: an address, a join code behind it, `--table` with a name; or the whole command."""
    # The line breaks of what was copied from a screen are lost, and no blank is in their place.
    place, _, table = text.strip().removeprefix("carteado join").replace("'", "").partition("--table")
    return [*place.strip().split(None, 1), *(["--table", table.strip()] if table.strip() else ["--choose"])]


def where(host: Any) -> Any:
    """Return the nearest address of a host with the key that it shows; this page compares it before it is used."""
    return host.addresses[0]


def _import_discovery() -> None:
    import carteado.net.discovery  # noqa: F401 - and what it needs, before the search begins

    try:
        import zeroconf.asyncio  # noqa: F401
    except ImportError:
        return  # the search itself says so
