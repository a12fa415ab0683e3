"""The games of a host: which there are, loaded soon after the start, described for clients, and loaded anew when told so."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from carteado.core.bots import levels
from carteado.core.errors import LoadFailure, Refused
from carteado.core.game import Game
from carteado.core.options import declared

from . import limits, protocol
from .inventory import house_rules, installed, load, load_house, load_older
from .thinker import EndlessThought, Thinker
from .words import pack

log = logging.getLogger(__name__)

OLDER = "@"
"""Between a game's name and its version, where an older version is named: `skat@1`."""


class Shelf:
    """The games of a host: given ones, else installed ones, loaded by `stock`, or when first asked for.

    An older version is only for matches that were begun with it; it is given as `name@version`. stocked: whether all that load are there.
    """

    def __init__(self, games: Mapping[str, Game] | None) -> None:
        self._games = dict(games or {})
        self._only = games is not None
        self._packed: dict[tuple[str, str], tuple[bytes, bytes]] = {}
        self._failed: set[str] = set()
        self._names: list[str] = []
        self._house: list[str] | None = None
        self.stocked = self._only

    async def stock(self) -> None:
        """Load all games in a thread, so that the loop goes on meanwhile."""
        if self.stocked:
            return
        thread = Thinker()
        try:
            names, house = await thread.think(lambda: (_installed(), _house()))
            self._names, self._house = names, house
            for name in names:
                if name not in self._games and name not in self._failed:
                    try:
                        game = await thread.think(load, name)
                    except (LoadFailure, EndlessThought) as failure:
                        self._fail(name, failure)
                    else:
                        self._games.setdefault(name, game)
        except OSError as error:
            log.warning("not all games could be loaded now, the others will be when they are asked for: %s", error)
        finally:
            thread.shutdown()
            self.stocked = True

    def missing(self, message: protocol.PeerMessage) -> bool:
        """Tell whether a message needs games that are still being loaded."""
        if self.stocked or not isinstance(message, protocol.AskTables | protocol.AskWords | protocol.Open):
            return False
        return isinstance(message, protocol.AskTables) or (message.game not in self._games and message.game not in self._failed)

    def names(self) -> list[str]:
        """Return the names of all games: what was installed when first asked for."""
        if not self._names:
            mine = (name for name in self._games if OLDER not in name)
            self._names = sorted(mine) if self._only else _installed()
        return self._names

    def house(self) -> list[str]:
        """Return the names of all house rules: what was installed when first asked for."""
        if self._house is None:
            self._house = _house()
        return self._house

    def take(self, name: str, version: str | None = None) -> Game:
        """Return a game, the installed version of it or that one. Raises: Refused("no_game")."""
        if version is not None:
            return self._of(name, version)
        game = self._games.get(name)
        if game is None and not self._only and name in self.names() and name not in self._failed:
            try:
                game = self._games[name] = load(name)
            except LoadFailure as failure:
                self._fail(name, failure)
        if game is None:
            raise Refused("no_game", game=name)
        return game

    def _fail(self, name: str, failure: Exception) -> None:
        if name not in self._failed:
            log.warning("%s", failure)
            self._failed.add(name)

    def _of(self, name: str, version: str) -> Game:
        older = f"{name}{OLDER}{version}"
        try:
            if (game := self.take(name)).version == version:
                return game
        except Refused:
            if self._only:
                raise
        if older not in self._games and not self._only:
            try:
                self._games[older] = load_older(name, version)
            except LoadFailure as failure:
                log.warning("%s", failure)
        if older not in self._games:
            raise Refused("no_game", game=older)
        return self._games[older]

    def around(self, names: Sequence[str]) -> list[Any]:
        """Return house rules. Raises: Refused("no_house_rule")."""
        try:
            return [load_house(name) for name in names]
        except LoadFailure:
            raise Refused("no_house_rule", names=", ".join(names)[:60]) from None

    def renew(self, renew: Callable[[str, Game | None], tuple[Game | None, str]]) -> dict[str, str]:
        """Look what is installed now, and load what was loaded anew; return a word about each game."""
        if self._only:
            return dict.fromkeys(self.names(), "given")
        self._names, self._house, self._failed = [], None, set()
        self._packed.clear()
        loaded, told = {name: game for name, game in self._games.items() if OLDER not in name}, {}
        for name in self.names():
            game, told[name] = renew(name, loaded.get(name))
            if game is not None:
                self._games[name] = game
        for name in loaded.keys() - set(self.names()):
            del self._games[name]
            told[name] = "not installed any more"
        return told

    def rows(self) -> list[protocol.GameRow]:
        """Describe every game that loads."""
        rows = []
        for name in self.names():
            try:
                game = self.take(name)
            except Refused:
                continue
            options = [option.wire() for option in declared(game)]
            rows.append(protocol.GameRow(name, game.title or name, game.version, game.seats, options))
        return rows

    def words(self, name: str, lang: str) -> tuple[bytes, bytes]:
        """Return hash and encoded words of a game in a language. Raises: Refused("no_game")."""
        key = (name, lang)
        if key not in self._packed:
            game = self.take(name)
            if len(self._packed) >= limits.TABLES:
                self._packed.clear()
            self._packed[key] = pack(game, lang, levels(game))
        return self._packed[key]


def _installed() -> list[str]:
    return sorted({listed.name for listed in installed()})


def _house() -> list[str]:
    return sorted({listed.name for listed in house_rules()})
