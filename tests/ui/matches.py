"""A session at a real match in the same process: the game decides, computer players fill the other seats."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Mapping
from typing import Any

from carteado.core.bots import player
from carteado.core.errors import Refused
from carteado.core.game import Game
from carteado.core.match import Match
from carteado.ui.terminal.room import Chair, Room
from carteado.ui.terminal.session import Change

from .harness import CORE


class AtMatch:
    """Seat 0 of a match; the other seats are played as soon as they are asked."""

    line = "live"
    line_reason = ""
    seconds: int | None = None

    def __init__(
        self, game: Game, players: int, seed: int, level: str = "rule", options: Mapping[str, Any] | None = None
    ) -> None:
        names = ["Rita", "Ana", "Bruno", "Carla", "Duda", "Eva"][:players]
        seats = [{"name": name, "bot": level if number else None} for number, name in enumerate(names)]
        self.match = Match(game, options=dict(options or {}), seats=seats, table="t-1")
        self._bots = {seat: player(game, level) for seat in range(1, players)}
        self._random = random.Random(seed)
        self._changes: asyncio.Queue[Change | None] = asyncio.Queue()
        self.catalogues = [game.words("en"), CORE]
        self.looks = game.deck.looks
        self.rules = game.rules("en")
        self.refusals: list[Any] = []
        self.acts: list[dict[str, Any]] = []
        """What was accepted."""
        self.wishes: list[str] = []
        self.deal()

    @property
    def view(self) -> dict[str, Any]:
        return self.match.view(0)

    @property
    def room(self) -> Room:
        stage = "over" if self.match.phase == "over" else "playing" if self.match.phase == "playing" else "between"
        may = frozenset({"ready", "leave"} if stage == "between" else {"leave"})
        return Room(
            stage, [Chair(seat["seat"], seat["name"]) for seat in self.view["seats"]], may, title=self.match.game.title
        )

    def deal(self) -> None:
        """Deal the next hand and let the others play up to the reader's turn."""
        self._tell(self.match.deal(self._random.randbytes(32)).events(0))
        self._others()

    async def changes(self) -> AsyncIterator[Change]:
        while (change := await self._changes.get()) is not None:
            yield change

    async def act(self, prompt: int, action: Mapping[str, Any]) -> Any:
        try:
            commit = self.match.act(0, prompt, dict(action))
        except Refused as refused:
            self.refusals.append((dict(action), refused.code))
            return refused.message
        self.acts.append(dict(action))
        self._tell(commit.events(0))
        self._others()
        return None

    async def ask(self, wish: str, **details: Any) -> Any:
        self.wishes.append(wish)
        if wish == "ready":
            self.deal()
        return None

    async def speak(self, lang: str) -> Any:
        self.catalogues = [self.match.game.words(lang), CORE]
        return None

    async def close(self) -> None:
        self._changes.put_nowait(None)

    def _others(self) -> None:
        while self.match.phase == "playing" and 0 not in self.match.prompts:
            for seat, prompt in list(self.match.prompts.items()):
                action = self._bots[seat].choose(self.match.view(seat), self._random)
                self._tell(self.match.act(seat, prompt.id, action).events(0))

    def _tell(self, events: list[dict[str, Any]]) -> None:
        self._changes.put_nowait(Change("view", events))
