"""One browser's place at the host: a peer of its own, whatever sockets come and go.

It passes on what the host says and what the browser answers, and knows nothing of a game.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import msgspec

from carteado.net.errors import BadFrame, ConnectionOver, NetError, Refusal
from carteado.net.peer import Change, Peer
from carteado.net.table_ids import is_private
from carteado.net.words import GameWords

from . import messages
from .door import Bucket
from .outbox import Full, Outbox
from .settings import INFLIGHT

log = logging.getLogger(__name__)

ANSWERED = 64
"""Answers that are remembered for a browser that asks again with the same number."""
Keep = Callable[[GameWords], str]
"""Keep a game's words for whoever fetches them; return the name under which they are served."""


class Seat:
    """A peer of the host for one token, and the outbox of the browser that holds the token now.

    end: called when another browser takes over, with a code that says why.
    """

    def __init__(self, peer: Peer, keep: Keep, code: Callable[[str], str], chat: Bucket) -> None:
        """Take a peer that is connected already; `code` gives a table's four letters, `chat` is how much it may say."""
        self.peer = peer
        self.leaving: asyncio.TimerHandle | None = None
        self._keep = keep
        self._code = code
        self._chat = chat
        self._outbox: Outbox | None = None
        self._end: Callable[[str], None] | None = None
        self._answers: dict[int, Mapping[str, Any] | None] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._following = asyncio.create_task(self._follow())

    @property
    def over(self) -> bool:
        """Tell whether the host is gone for this peer."""
        return self.peer.line == "gone"

    def attach(self, outbox: Outbox, end: Callable[[str], None]) -> None:
        """Let a browser take the place; whichever had it before is told so. It is given all there is to see."""
        if self._end is not None:
            self._end("superseded")
        self._outbox, self._end = outbox, end
        if self.leaving is not None:
            self.leaving.cancel()
            self.leaving = None
        self.show()

    def detach(self, outbox: Outbox) -> bool:
        """Let go of a browser that is gone; tell whether nobody has the place now."""
        if self._outbox is outbox:
            self._outbox = self._end = None
        return self._outbox is None

    def show(self) -> None:
        """Send everything as it is now."""
        self._line()
        if self.peer.m is not None:
            self._words()
            self._renew("table", self._table)
            self._renew("state", self._state)
            self._proof()

    async def close(self) -> None:
        """Hang up; the host keeps the seat."""
        self._following.cancel()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(self._following, *self._tasks, return_exceptions=True)
        await self.peer.close()

    # What the browser says

    def take(self, message: messages.PageMessage) -> None:
        """Carry out what a browser asks."""
        match message:
            case messages.Ping(n):
                self._put({"t": "pong", "n": n})
            case messages.Snap():
                self.show()
            case messages.AskTables():
                self._spawn(self._tables())
            case messages.Join(n):
                self._ask(n, self._join(message))
            case messages.Open(n):
                self._ask(n, self._open(message))
            case messages.Act(n):
                self._ask(n, self._act(message))
            case messages.Wish(n):
                self._ask(n, self._wish(message))
            case messages.Words(n):
                self._ask(n, self._speak(message))

    def _ask(self, n: int, work: Coroutine[Any, Any, Mapping[str, Any]]) -> None:
        """Answer a numbered question once; a number that comes again gets the same answer, now or when it is known."""
        if n in self._answers or len(self._tasks) >= INFLIGHT:
            work.close()
            if n not in self._answers:
                self._put({"t": "answer", "n": n, "ok": False, "code": "slow"})
            elif (known := self._answers[n]) is not None:
                self._put(known)
            return
        self._answers[n] = None
        self._spawn(self._answered(n, work))

    async def _answered(self, n: int, work: Coroutine[Any, Any, Mapping[str, Any]]) -> None:
        answer: dict[str, Any] = {"t": "answer", "n": n, "ok": True}
        try:
            answer |= await work
        except Refusal as refusal:
            answer |= {"ok": False, "code": refusal.code, "data": refusal.data, "text": refusal.text}
        except (BadFrame, ConnectionOver) as error:
            answer |= {"ok": False, "code": "malformed" if isinstance(error, BadFrame) else "closed", "text": str(error)}
        self._answers[n] = answer
        while len(self._answers) > ANSWERED:
            del self._answers[next(iter(self._answers))]
        self._put(answer)

    async def _tables(self) -> None:
        try:
            told = await self.peer.tables()
        except Refusal as refusal:
            self._put({"t": "no", "code": refusal.code, "text": refusal.text})
            return
        except NetError as error:
            log.info("a browser's question for tables was not answered: %s", error)
            return
        titles = {game.name: game.title for game in told.games}
        rows = [{**msgspec.to_builtins(row), "title": titles.get(row.game, row.game)} for row in told.tables]
        codes = {row.m: self._code(row.m) for row in told.tables if not is_private(row.m)}
        self._put({"t": "tables", "tables": rows, "codes": codes, "games": msgspec.to_builtins(told.games), "house": told.house})

    async def _join(self, wanted: messages.Join) -> Mapping[str, Any]:
        joined = await self.peer.join(wanted.m, wanted.role)
        return {"m": joined.m, "seat": joined.seat}

    async def _open(self, wanted: messages.Open) -> Mapping[str, Any]:
        return {"m": await self.peer.open(wanted.game, wanted.options, wanted.chairs, wanted.house, private=wanted.private)}

    async def _act(self, act: messages.Act) -> Mapping[str, Any]:
        answer = await self.peer.act(act.prompt, act.d)
        return {"ok": answer.accepted, "code": answer.code, "data": answer.data}

    async def _wish(self, wish: messages.Wish) -> Mapping[str, Any]:
        peer = self.peer
        match wish.what:
            case "ready":
                await peer.ready(wish.on)
            case "start":
                await peer.start()
            case "fill":
                await peer.fill(wish.level)
            case "pause":
                await peer.pause(wish.on)
            case "rematch":
                await peer.rematch()
            case "leave":
                await peer.leave()
            case "say":
                if not self._chat.take():
                    raise Refusal("too_fast")
                await peer.say(wish.text)
        return {}

    async def _speak(self, wanted: messages.Words) -> Mapping[str, Any]:
        if wanted.game is not None or self.peer.table is not None:
            words = await self.peer.fetch_words(wanted.lang, wanted.game)
            if wanted.game is not None:
                return {"url": self._keep(words)}
        else:
            self.peer.lang = wanted.lang
        return {}

    # What the host says

    async def _follow(self) -> None:
        async for change in self.peer.changes():
            self._pass(change)

    def _pass(self, change: Change) -> None:
        match change.kind:
            case "view":
                self._renew("state", self._state, change.events)
            case "table":
                self._renew("table", self._table)
            case "line":
                self._line()
            case "words":
                self._words()
            case "say":
                self._put(change.said)
            case "proof":
                self._proof()
            case _:
                self._put({"t": change.kind, "code": change.code})

    def _state(self) -> dict[str, Any] | None:
        peer = self.peer
        if peer.view is None:
            return None
        return {"t": "state", "m": peer.m, "match": peer.match, "view": peer.view, "clk": peer.clocks()}

    def _table(self) -> Any:
        return self.peer.table if self.peer.m is not None else {"t": "left"}

    def _line(self) -> None:
        self._put({"t": "line", "state": self.peer.line, "code": self.peer.gone_code or self.peer.farewell})

    def _words(self) -> None:
        if self.peer.words is not None:
            self._put({"t": "words", "lang": self.peer.lang, "url": self._keep(self.peer.words)})

    def _proof(self) -> None:
        mark = self.peer.proof
        told = {"state": mark.state, "reason": mark.reason, "hand": mark.hand, "checked": mark.checked, "detail": mark.detail}
        self._put({"t": "proof", **told})

    def _put(self, message: Any) -> None:
        if self._outbox is None:
            return
        try:
            self._outbox.put(message)
        except Full:
            self._drop("slow")

    def _renew(self, name: str, make: Callable[[], Any], events: list[dict[str, Any]] | None = None) -> None:
        if self._outbox is not None:
            self._outbox.renew(name, make, events or ())

    def _drop(self, code: str) -> None:
        end, self._outbox, self._end = self._end, None, None
        if end is not None:
            end(code)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("a browser's question could not be carried out", exc_info=error)
