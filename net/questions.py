"""What a client has asked and not been answered: said again with the same id until there is an answer."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import limits
from .clock import Clock
from .errors import NetError, Refusal
from .protocol import Ack, PeerKind, kind_of

Make = Callable[[bytes], PeerKind]
"""Make a message from an id; made anew each time it is said, so that it carries the host's present epoch."""


_LONGEST = 10_000
"""Milliseconds that a host may ask for between two commands; a client does not wait longer for it."""


@dataclass
class _Waiting:
    make: Make
    kind: str
    answer: asyncio.Future[Any]
    due: float = 0.0
    tries: int = 0


class Questions:
    """Every open question, by its id; those whose kind has no id on the wire are answered by kind, the oldest first."""

    def __init__(self, clock: Clock, say: Callable[[PeerKind], bool]) -> None:
        self._clock = clock
        self._say = say
        self._open: dict[bytes, _Waiting] = {}

    def __contains__(self, kind: str) -> bool:
        return any(waiting.kind == kind for waiting in self._open.values())

    async def ask(self, make: Make, now: bool) -> Any:
        """Say a message (now, or when the line is there) and wait for its answer. Raises: what it was answered with."""
        id = os.urandom(limits.ID)
        message = make(id)
        waiting = _Waiting(make, kind_of(message), asyncio.get_running_loop().create_future())
        self._open[id] = waiting
        try:
            if now:
                self._send(id, waiting, message)
            return await waiting.answer
        finally:
            del self._open[id]

    def again(self, overdue: bool = False) -> None:
        """Say everything again that is not answered, or only what has been waiting for too long."""
        now = self._clock.now()
        for id, waiting in list(self._open.items()):
            if not waiting.answer.done() and (not overdue or now >= waiting.due):
                self._send(id, waiting)

    def acked(self, ack: Ack) -> None:
        """Take the answer to the message with this id; a command that came too fast is said again later."""
        waiting = self._open.get(ack.id)
        if waiting is not None and ack.no is not None and ack.no.code == "too_fast" and waiting.kind == "cmd":
            wait = ack.no.data.get("ms")
            waiting.due = self._clock.now() + (wait / 1000 if isinstance(wait, int) and 0 <= wait <= _LONGEST else 1.0)
            return
        if waiting is not None and not waiting.answer.done():
            waiting.answer.set_result(ack)

    def settle(self, kinds: tuple[str, ...], result: Any) -> None:
        """Answer the oldest question of some kinds."""
        for waiting in self._open.values():
            if waiting.kind in kinds and not waiting.answer.done():
                waiting.answer.set_result(result)
                return

    def refuse(self, kind: str, refusal: Refusal) -> None:
        """Refuse every question of a kind: the refusal names no single one."""
        for waiting in self._open.values():
            if waiting.kind == kind and not waiting.answer.done():
                waiting.answer.set_exception(refusal)

    def end(self, error: NetError) -> None:
        """Tell everybody who waits that there will be no answer."""
        for waiting in self._open.values():
            if not waiting.answer.done():
                waiting.answer.set_exception(error)

    def _send(self, id: bytes, waiting: _Waiting, message: PeerKind | None = None) -> None:
        waiting.due = self._clock.now() + limits.RESEND[min(waiting.tries, len(limits.RESEND) - 1)]
        waiting.tries += 1
        self._say(message or waiting.make(id))
