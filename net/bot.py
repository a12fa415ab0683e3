"""Computer players: ordinary peers with a player from `core.bots` in the chair, in their own process or in the host's."""

from __future__ import annotations

import asyncio
import logging
import os
import random
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

from carteado.core.bots import Player, player
from carteado.core.game import Game

from .clock import Clock, SystemClock
from .errors import ConnectionOver, NetError, Refusal
from .inventory import load
from .keys import Address, KeyPair
from .line import LIVE
from .peer import Peer
from .thinker import Thinker
from .workers import Workers, searches

log = logging.getLogger(__name__)

MOST_REFUSALS = 1000
"""Refused actions in a row after which a player is thought to be broken; random players are refused often."""
# Refused not for what was chosen but for when: to be tried again only when the view or the table is another one.
_WAIT = frozenset({"stale", "not_asked", "not_playing", "stale_match", "paused", "over", "broken", "not_in_match"})
_AGAIN = 1.0


class BotFault(NetError):
    """Report that a computer player cannot find an accepted action."""


class Bot:
    """Play one seat through a peer that has joined a table.

    pace: seconds from seeing the prompt to the move, thinking included. executor: where the player thinks; None: here.
    workers: where a player of this `level` thinks instead, when it searches.
    """

    def __init__(
        self, peer: Peer, player: Player, pace: float = 0.0, rng: random.Random | None = None, clock: Clock | None = None,
        executor: Executor | None = None, workers: Workers | None = None, level: str = "",
    ) -> None:  # fmt: skip
        self.peer = peer
        self.player = player
        self._pace = pace
        self._rng = rng or random.Random(os.urandom(16))
        self._clock = clock or SystemClock()
        self._executor = executor
        self._workers = workers
        self._level = level

    async def play(self, stay: bool = False) -> dict[str, Any]:
        """Play until the match is over (or, with `stay`, match after match until the host is gone); return the last view.

        Raises: ConnectionOver if the connection ended before the match, BotFault.
        """
        refused = 0
        tried: tuple[object, object] = (None, None)
        changes = self.peer.changes()
        try:
            while True:
                view, table = self.peer.view, self.peer.table
                if view is not None and view["phase"] == "over" and not stay:
                    return view
                new = view is not tried[0] or table is not tried[1]
                if view is not None and view["prompts"] and self.peer.line == LIVE and new:
                    code = await self._move(view)
                    refused = refused + 1 if code and code not in _WAIT else 0
                    if refused > MOST_REFUSALS:
                        raise BotFault(f"{type(self.player).__name__} was refused {refused} times in a row, last with {code}")
                    tried = (view, table) if code in _WAIT else (None, None)
                elif (await anext(changes, None)) is None:
                    raise ConnectionOver(self.peer.gone_code)
        finally:
            await changes.aclose()

    async def _move(self, view: dict[str, Any]) -> str:
        """Think, wait, act. Return the refusal's code, '' when accepted."""
        began = self._clock.now()
        if self._workers is not None and searches(self.player):
            action = await self._workers.think(view["game"], self._level, view, self._rng.getrandbits(64))
        elif self._executor is None:
            action = self.player.choose(view, self._rng)
        else:
            loop = asyncio.get_running_loop()
            action = await loop.run_in_executor(self._executor, self.player.choose, view, self._rng)
        rest = self._pace - (self._clock.now() - began)
        if rest > 0:
            await self._clock.sleep(rest)
        return (await self.peer.act(view["prompts"][0]["id"], action)).code


async def play_as(
    address: Address | str, keys: KeyPair, level: str = "rule", m: str | None = None, name: str = "Bot", pace: float = 0.0,
    seed: int | None = None, stay: bool = False, game: Callable[[str], Game] = load, clock: Clock | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Connect, sit down (at table `m`, or the first with a free chair), play, and return the last view.

    Raises: HostUnreachable, Refusal, ConnectionOver, LoadFailure, UnknownLevel.
    """
    peer = Peer(address, keys, name, feats=(f"bot:{level}",), feed=False, words=False, clock=clock)
    thinker, workers = Thinker(), Workers()
    await peer.connect()
    try:
        await peer.join(m or await free_table(peer))
        assert peer.table is not None
        thinking = player(game(peer.table.game), level)
        rng = random.Random(seed) if seed is not None else None
        return await Bot(peer, thinking, pace, rng, clock, thinker, workers, level).play(stay)
    finally:
        await peer.close()
        thinker.shutdown()
        workers.shutdown()


async def free_table(peer: Peer) -> str:
    """Return the first table with a free chair. Raises: Refusal("no_table")."""
    for row in (await peer.tables()).tables:
        if row.free:
            return row.m
    raise Refusal("no_table", "No table of this host has a free chair.")
