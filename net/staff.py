"""The computer players of the house: they sit in the host's process, see exactly their seat's view, and act through the same door.

Nothing of theirs goes over a socket, and a view is made for them only when they are asked something: hundreds of tables with computer
players cost little more than the moves themselves. Thinking happens in a thread, or in a worker process for players that search and
wherever many tables are busy, so that no thought delays a table.
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from carteado.core.bots import Player, player
from carteado.core.errors import Refused

from .bot import MOST_REFUSALS
from .clock import Clock
from .deadline import within
from .tables import PLAYING
from .thinker import Thinker
from .workers import Workers, searches

if TYPE_CHECKING:
    from .feed import Turn
    from .tables import Table

log = logging.getLogger(__name__)

CROWD = 8
"""So many players of the house that think at once share a thread; beyond it they are sent to worker processes."""
_AGAIN = 1.0
"""Seconds until a player that failed is asked again."""
PATIENCE = 3
"""Failures at one question after which a simpler player takes the chair; when that one fails as often, the table stops."""
SIMPLEST = "random"

Work = Callable[["Turn"], None]
Asked = tuple[str, int, int, int]
"""A question to the house: table, number of the match, seat, prompt."""


class HouseBots:
    """Play every chair of the house.

    tables: those of the host. post: takes what is to be done in the host's next turn. pace: seconds that a move takes to be seen,
    thinking included. refused: how often each code was refused. apart: whether games can be loaded in other processes.
    """

    def __init__(
        self, tables: Mapping[str, Table], pace: float, clock: Clock, post: Callable[[Work], None], refused: Counter[str], apart: bool
    ) -> None:  # fmt: skip
        self._tables = tables
        self._pace = pace
        self._clock = clock
        self._post = post
        self._refused = refused
        self._apart = apart
        self._thinker = Thinker()
        self._workers = Workers()
        self._players: dict[tuple[int, str], tuple[Any, Player]] = {}
        self._tasks: dict[Asked, asyncio.Task[None]] = {}

    def __len__(self) -> int:
        """Return how many questions are being thought about."""
        return len(self._tasks)

    def look(self, table: Table) -> None:
        """Begin to answer what the house is asked at a table and does not think about yet."""
        if table.match is None or table.stage != PLAYING:
            return
        for seat, prompt in table.match.prompts.items():
            asked = (table.id, table.number, seat, prompt.id)
            if asked not in self._tasks and table.level(seat) is not None:
                task = self._tasks[asked] = asyncio.create_task(self._answer(table, asked))
                task.add_done_callback(lambda _, asked=asked: self._tasks.pop(asked, None))  # type: ignore[misc]

    async def stop(self) -> None:
        """Send all of them home."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._thinker.shutdown()
        self._workers.shutdown()

    async def _answer(self, table: Table, asked: Asked) -> None:
        """Answer one question; try another action when the rules refuse, the same player again when it fails, then a simpler one."""
        failures, refusals, rng = 0, 0, random.Random(os.urandom(16))
        while (level := self._open(table, asked)) is not None:
            began = self._clock.now()
            try:
                action = await self._think(table, asked[2], level, rng)
            except Exception:
                log.exception("the computer player %s of %s at table %s failed", level, table.game.name, table.id)
                failures += 1
            else:
                if (rest := self._pace - (self._clock.now() - began)) > 0:
                    await self._clock.sleep(rest)
                code = await self._act(table, asked, action)
                if not code:
                    return
                refusals += 1
                if refusals < MOST_REFUSALS:
                    continue
                log.error("the computer player %s at table %s was refused %d times, last with %s", level, table.id, refusals, code)
                failures, refusals = failures + 1, 0
            if failures >= PATIENCE:
                self._post(lambda turn, level=level: self._give_up(table, asked, level, turn))  # type: ignore[misc]
                failures = 0
            await self._clock.sleep(_AGAIN)

    def _give_up(self, table: Table, asked: Asked, level: str, turn: Turn) -> None:
        """Put the simplest player on a chair whose player only fails, for everybody to see; when it was that one, stop the table."""
        if self._open(table, asked) != level:
            return
        if level == SIMPLEST:
            table.stop(f"the computer player {level} of {table.game.name} finds no move", turn)
        else:
            log.error("the computer player %s at table %s gives its chair to %s", level, table.id, SIMPLEST)
            table.replace(asked[2], SIMPLEST, turn)

    def _open(self, table: Table, asked: Asked) -> str | None:
        """Return the level that still has to answer, None when the question is closed or the table waits."""
        id, number, seat, prompt = asked
        if self._tables.get(id) is not table or table.number != number or table.match is None or table.stage != PLAYING:
            return None
        still = table.match.prompts.get(seat)
        return table.level(seat) if still is not None and still.id == prompt else None

    async def _think(self, table: Table, seat: int, level: str, rng: random.Random) -> dict[str, Any]:
        assert table.match is not None
        thinking = self._player(table, level)
        with within():
            view = table.match.view(seat)
        if self._apart and (searches(thinking) or len(self._tasks) > CROWD):
            return await self._workers.think(table.game.name, level, view, rng.getrandbits(64))
        return await self._thinker.think(thinking.choose, view, rng)

    def _player(self, table: Table, level: str) -> Player:
        key = (id(table.game), level)
        if key not in self._players:
            self._players[key] = (table.game, player(table.game, level))  # the game is held, so that its id stays its own
        return self._players[key][1]

    async def _act(self, table: Table, asked: Asked, action: dict[str, Any]) -> str:
        """Act in the host's next turn; return the refusal's code, '' when accepted."""
        done: asyncio.Future[str] = asyncio.get_running_loop().create_future()

        def act(turn: Turn) -> None:
            code = ""
            try:
                if self._open(table, asked) is not None:
                    table.play(asked[2], asked[1], asked[3], action, turn)
            except Refused as refusal:
                code = refusal.code
                self._refused[code] += 1
            except Exception as error:
                log.exception("a move of the house at table %s could not be carried out", table.id)
                table.stop(f"the host failed: {type(error).__name__}", turn)
            finally:
                if not done.done():
                    done.set_result(code)

        self._post(act)
        return await done
