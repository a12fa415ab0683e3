"""What a client knows of its table: the newest view, who sits there, and whether host and FEED tell the same story."""

from __future__ import annotations

import asyncio
import hashlib
from collections import deque
from collections.abc import AsyncGenerator
from typing import Any

import msgspec

from carteado.core import events as core_events

from . import limits
from .protocol import Said, State, Table
from .views import StateHead

FROZEN = "frozen"
"""The stage that a client shows while the host cannot save."""
CANNOT_SAVE = "The host cannot save; every table waits until it can."
_REMEMBERED = 512
_WAITING = 256
_canonical = msgspec.msgpack.Encoder(order="deterministic")
_BEGIN = hashlib.sha256(core_events.START).digest()


class Change(msgspec.Struct, frozen=True):
    """Tell what has become different.

    kind: `view` (with the events that led to it; `gap` when some before them were missed), `table`, `line`, `words`, `say`
    (`said`), `proof` (the mark of fair deals is another one; `code` says why), `witness` (the host tells different stories: `code`
    says which part), `gone` (`code`).
    """

    kind: str
    events: list[dict[str, Any]] = []
    gap: bool = False
    said: Said | None = None
    code: str = ""


class Changes:
    """Pass changes on to whoever reads them, each at its own speed; a slow reader loses the oldest."""

    def __init__(self) -> None:
        self.readers: list[_Reader] = []

    def tell(self, *changes: Change) -> None:
        """Give changes to every reader."""
        if changes:
            for reader in self.readers:
                reader.queue.extend(changes)
                if reader.woken is not None and not reader.woken.done():
                    reader.woken.set_result(None)

    async def stream(self, over: bool) -> AsyncGenerator[Change, None]:
        """Give every change from now on, `gone` last; none if it is `over` already."""
        reader = _Reader()
        self.readers.append(reader)
        try:
            while not over:
                while reader.queue:
                    change = reader.queue.popleft()
                    yield change
                    if change.kind == "gone":
                        return
                reader.woken = asyncio.get_running_loop().create_future()
                await reader.woken
        finally:
            self.readers.remove(reader)


class _Reader:
    """What waits to be read, and who waits for it."""

    def __init__(self) -> None:
        self.queue: deque[Change] = deque(maxlen=_WAITING)
        self.woken: asyncio.Future[None] | None = None


class Picture:
    """Take in what a host says about one table, each version once, the newest only."""

    def __init__(self) -> None:
        self.view: dict[str, Any] | None = None
        self.table: Table | None = None
        self.number = 0
        self.q = 0
        self.behind = False
        self.frozen = False
        self._anew = True
        self._chain: bytes | None = None
        self._waiting: tuple[Table | None, Table | None] | None = None
        self._told: dict[tuple[int, int], bytes] = {}
        self._heard: dict[tuple[int, int], bytes] = {}

    def renew(self) -> None:
        """Take the next state whatever its version: after joining or coming back."""
        self._anew = True
        self._chain = None
        self.frozen = False

    def waiting(self) -> Table | None:
        """Return the table as it is while the host cannot save: nothing can be done, and it says so."""
        if self._waiting is None or self._waiting[0] is not self.table:
            still = msgspec.structs.replace(self.table, stage=FROZEN, may=[], why=CANNOT_SAVE) if self.table else None
            self._waiting = (self.table, still)
        return self._waiting[1]

    def state(self, state: State) -> list[Change]:
        """Take in a state from TABLE. Return what is different."""
        at, before = (state.match, state.q), (self.number, self.q)
        if not self._anew and at <= before:
            return []
        # Whoever comes after the deal and before the first move is shown its version without the events that led to it.
        begins = state.q == 1 and bool(state.events) and (self.view is None or state.match == before[0] + 1)
        follows = begins or (not self._anew and at == (before[0], before[1] + 1))
        changes = [Change("view", state.events if follows else [], gap=not follows and not self._anew)]
        changes += self._check(state, follows)
        self.view, (self.number, self.q) = state.view, at
        self._anew = self.behind = False
        return changes

    def witness(self, state: StateHead) -> list[Change]:
        """Take in a state from FEED and compare it with what TABLE told of the same version."""
        at = (state.match, state.q)
        self._heard[at] = state.h
        _bound(self._heard)
        if self._told.get(at, state.h) != state.h:
            return [Change("witness", code="feed")]
        return []

    def head(self, number: int, q: int, h: bytes) -> list[Change]:
        """Take in the newest version that the host names; `behind` tells afterwards whether this side lacks it."""
        at = (number, q)
        if number and at > (self.number, self.q):
            self.behind = True
        if self._told.get(at, h) != h:
            return [Change("witness", code="head")]
        return []

    def _check(self, state: State, follows: bool) -> list[Change]:
        at = (state.match, state.q)
        self._told[at] = state.h
        _bound(self._told)
        changes = []
        if self._heard.get(at, state.h) != state.h:
            changes.append(Change("witness", code="feed"))
        before = _BEGIN if state.q == 1 else self._chain
        if state.chain[: limits.CHAIN] != state.h:
            changes.append(Change("witness", code="chain"))
        elif follows and before is not None and chained(before, state.events) != state.chain:
            changes.append(Change("witness", code="events"))
        self._chain = state.chain
        return changes


def chained(before: bytes, events: list[dict[str, Any]]) -> bytes:
    """Return the public chain's next link; the same as the core's `chained_public`, at a fraction of its time."""
    public = [{key: value for key, value in event.items() if key != "mine"} if "mine" in event else event for event in events]
    return hashlib.sha256(before + _canonical.encode(public)).digest()


def _bound(known: dict[tuple[int, int], bytes]) -> None:
    while len(known) > _REMEMBERED:
        del known[next(iter(known))]

