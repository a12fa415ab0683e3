"""The menu that `carteado` alone opens: play, join, host, rules, settings. What is chosen becomes a command."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from carteado.core.game import Game
from carteado.core.options import declared
from carteado.net import inventory, preferences
from carteado.net.finding import here
from carteado.net.listing import value as value_written

from .agreed import AWAY, OFF
from .boxes import Box
from .choices import Choices
from .controls import Controls
from .finder import Finder, Searching, on_network
from .grid import Line
from .idle import Menu, NoTable
from .local import Notice
from .menus import keyed
from .recorded import RecordedPage
from .rules import rules_page
from .settings import SPEEDS, SettingsPage
from .words import Words

Row = tuple[Line, Callable[[], None]]


class HomeSession(NoTable):
    """The menu's session."""

    line = "live"
    line_reason = ""


class Home(Menu):
    """The menu. When it is over, `choice` is the command to run: its words, [] to draw the menu anew, None to leave."""

    def __init__(
        self, games: Callable[[], Mapping[str, Game]], leave: Callable[[], None], page: str = "", row: int = 0, told: str = "",
        search: Searching | None = None, greet: bool = False,
    ) -> None:  # fmt: skip
        """`games` gives those that can be played, once somebody wants to know; `leave` ends the client.

        `page` (`settings`) is opened first, at a `row`; what the last command said is `told`; `search` looks for hosts on the network;
        `greet` asks for the name first, of somebody who has not said it yet.
        """
        super().__init__()
        self._load = games
        self._loaded: Mapping[str, Game] | None = None
        self.choice: list[str] | None = None
        self._leave = leave
        self._page = page
        self.row = row
        """The row of the settings that was changed last."""
        self._told = told
        self._search = search
        self._greet = greet
        self._settings = SettingsPage(
            lambda: self.words, lambda: self._lang, self.show, self._next_language, self._anew, lambda: self.menu()
        )
        self._finder: Finder | None = None
        self._form: tuple[str, Choices] | None = None

    @property
    def games(self) -> Mapping[str, Game]:
        """The games that can be played here; they are imported when they are first asked for."""
        if self._loaded is None:
            self._loaded = self._load()
        return self._loaded

    # a bench or a viewer for the client

    def attach(self, controls: Controls) -> None:
        """Take the controls and open the menu."""
        super().attach(controls)
        if self._page == "settings":
            self.settings(self.row)
        elif self._greet and "name" not in preferences.read():
            self._settings.ask_name(self.menu)
        else:
            self.menu()
        if self._told:
            self._failed(self._told)

    def spoke(self) -> None:
        """Show the settings in the new language."""
        self.settings(1)

    # pages

    def menu(self) -> None:
        """Open the first page."""
        words = self.words
        self._open("home", words("ui.home"), [
            (self._line("ui.home.play"), lambda: self._games("ui.home.play", self._players)),
            (self._line("ui.home.learn"), lambda: self._games("ui.home.learn", self._learn)),
            (self._line("ui.home.join"), self._join),
            (self._line("ui.home.host"), lambda: self._games("ui.home.host", self._chairs)),
            (self._line("ui.home.rules"), lambda: self._games("ui.home.rules", self._rules)),
            (self._line("ui.home.look"), self._look),
            (self._line("ui.home.settings"), lambda: self.settings()),
            (self._line("ui.do.quit"), self._leave),
        ], back=self.menu)  # fmt: skip
        box = self.controls.local.boxes[-1]
        box.items[-1].key, box.foot = "q", words("ui.foot.home")

    def _games(self, title: str, then: Callable[[Game], None]) -> None:
        kept = preferences.read().get("game")
        games = sorted(self.games.values(), key=lambda game: game.title or game.name)

        def take(game: Game) -> Callable[[], None]:
            return lambda: then(game)

        rows: list[Row] = [(self.game_line(game), take(game)) for game in games]
        cursor = next((place for place, game in enumerate(games) if game.name == kept), 0)
        body: list[Line] = [] if games else [[(self.words("ui.home.no_games"), "warn")]]
        self._open("games", self.words(title), rows, back=self.menu, cursor=cursor, body=body)

    def _players(self, game: Game) -> None:
        self._count(game, lambda count: self._level(game, count))

    def _count(self, game: Game, then: Callable[[int], None]) -> None:
        low, high = game.seats
        kept = preferences.read().get("players", 3)

        def take(count: int) -> Callable[[], None]:
            return lambda: then(count)

        counts = range(max(2, low), high + 1)
        if len(counts) < 2:
            then(high)
            return
        rows: list[Row] = [(self._line("ui.home.people", n=count), take(count)) for count in counts]
        cursor = counts.index(kept) if kept in counts else 0
        self._open("players", self.words("ui.home.how_many"), rows, back=self.menu, cursor=cursor)

    def _level(self, game: Game, count: int) -> None:
        from carteado.core.bots import levels  # the menu itself needs no computer players

        known = list(game.levels) or levels(game)
        words = self._table_words(game)
        kept = preferences.read().get("level", "rule")

        def take(level: str) -> Callable[[], None]:
            return lambda: self._play(game, count, level)

        rows: list[Row] = []
        for level in known:
            rows.append(([(words.level(level), "")], take(level)))
        usual = kept if kept in known else "rule" if "rule" in known else known[0]
        more = self._line("ui.options")
        rows.append((more, lambda: self._options(game, "ui.options.begin", lambda: self._play(game, count, usual))))
        cursor = known.index(usual)
        self._open("level", self.words("ui.home.how_good"), rows, back=self.menu, cursor=cursor)

    def _table_words(self, game: Game) -> Words:
        """Return the words that a table of a game will have."""
        catalogues = [game.words(self._lang), game.words("en"), *self.controls.session.catalogues]
        return self.words.beside(catalogues, game.deck.looks, self._lang)

    def _options(self, game: Game, go: str, done: Callable[[], None]) -> None:
        """Let the table's options be chosen; they hold for this game until the menu ends."""
        words = self._table_words(game)
        rules = [listed.name for listed in inventory.house_rules()]
        wire = [option.wire() for option in declared(game)]
        time = go == "ui.options.open"  # computer players need no clock, and never go away
        title = words.safe(game.title or game.name)
        self._form = (game.name, Choices(wire, words, self.show, title, words(go), done, self.menu, rules, time))
        self._form[1].page()

    def _chosen_options(self, game: Game) -> list[str]:
        """Return what was chosen for a game's table, as arguments of a command."""
        name, form = self._form or ("", None)
        if form is None or name != game.name:
            return []
        given = [word for key, value in form.chosen.items() for word in ("--option", f"{key}={value_written(value)}")]
        given += [word for rule in form.house for word in ("--house", rule)]
        if form.clock != OFF:
            given += ["--clock", form.clock]
        return given + (["--away", form.away] if form.away != AWAY[0] else [])

    def _play(self, game: Game, count: int, level: str) -> None:
        preferences.keep(game=game.name, players=count, level=level)
        self._choose("play", game.name, "--players", str(count), "--level", level, *_pace(), *self._chosen_options(game))

    def _learn(self, game: Game) -> None:
        preferences.keep(game=game.name)
        self._choose("play", game.name, "--guided", *_pace())

    def _chairs(self, game: Game) -> None:
        def take(count: int) -> None:
            def begin() -> None:
                self._choose("host", game.name, "--players", str(count), *self._chosen_options(game))

            preferences.keep(game=game.name, players=count)
            self._options(game, "ui.options.open", begin)

        self._count(game, take)

    def _rules(self, game: Game) -> None:
        lang = self._lang
        box = rules_page(self.controls.local, game.rules(lang) or game.rules("en"))
        box.title = self.words.safe(game.title or game.name)
        box.closed = self.menu
        self.controls.open_box(box)

    def _join(self) -> None:
        if self._finder is None:
            self._finder = Finder(
                lambda: self.words, self.show, self.controls.spawn, self._choose, self.menu, self._title, here().exists(), self._search
            )
        self._finder.page()

    def _title(self, name: str) -> str:
        """Return what a game is called, as far as it is known here."""
        game = self.games.get(name)
        return (game.title or game.name) if game is not None else name

    def _look(self) -> None:
        RecordedPage(
            lambda: self.words, self.show, lambda path: self._choose("look", str(path)), self.menu, self._title, self._failed
        ).page()

    def settings(self, row: int = 0) -> None:
        """Open the settings with the cursor on a row."""
        self._settings.page(row)

    def _next_language(self) -> None:
        self.controls.next_language()

    def _anew(self, row: int) -> None:
        """Draw the menu anew, on a row of the settings: the looks are others now."""
        self.row = row
        self.choice = []
        self._leave()

    # making pages

    @property
    def _lang(self) -> str:
        """The language of the menu."""
        session = self.controls.session
        return session.lang if isinstance(session, HomeSession) else "en"

    def _line(self, key: str, **args: Any) -> Line:
        return [(self.words(key, **args), "")]

    def _open(
        self, name: str, title: str, rows: Sequence[Row], back: Callable[[], None], cursor: int = 0, body: Sequence[Line] = ()
    ) -> None:
        box = Box(name, title, list(body), keyed(rows), foot=self.words("ui.foot.menu"), closed=back, sticky=True)
        box.cursor = cursor
        self.show(box)

    def _failed(self, told: str) -> None:
        self.controls.local.notice = Notice(["ui.told", {"text": told}], bad=True)

    def _choose(self, *words: str) -> None:
        self.choice = list(words)
        self._leave()


def _pace() -> list[str]:
    """Return how fast computer players are to play, as arguments of a command; none for what is usual."""
    speed = str(preferences.read().get("speed", "normal"))
    return ["--pace", str(SPEEDS[speed])] if speed in SPEEDS and speed != "normal" else []


def run_menu(call: Callable[[Sequence[str]], int], begun: Callable[[], None] = lambda: None) -> int:
    """Show the menu, run what is chosen with `call`, and show it again; return the exit status.

    What a command reports as its failure is told in the menu. `begun` is called when the menu is about to be shown.
    """
    from carteado.core.errors import CarteadoError
    from carteado.net.language import language

    from .app import Client
    from .sitting import kept_looks

    games = cache(lambda: inventory.check_all()[0])
    page, row, told = "", 0, ""
    begun()
    while True:
        session = HomeSession(language(None))

        async def show(session: HomeSession, page: str, row: int, told: str) -> tuple[int, Home]:
            home = Home(games, lambda: client.leave(), page, row, told, on_network, greet=True)
            client = Client(session, kept_looks(session.lang), tools=home)
            try:
                return await client.run(), home
            finally:
                await session.close()

        status, home = asyncio.run(show(session, page, row, told))
        choice = home.choice
        page, row, told = "settings" if choice == [] else "", home.row, ""
        if choice is None:
            return status
        if choice:
            try:
                call(choice)
            except (CarteadoError, OSError) as fault:
                told = " ".join(str(fault).split())
