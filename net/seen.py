"""What a client sees of a host: everything here is the newest that the host has told."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from typing import Any, Self

from . import protocol
from .clock import Clock
from .countdown import Countdown, Missing
from .errors import ConnectionOver
from .keys import Address
from .line import GONE, Line
from .picture import Change, Changes, Picture
from .proofs import Mark, Proofs
from .terms import Clocks


class Seen:
    """What one peer has been told. gone_code: why it is gone for good."""

    gone_code: str
    _changes: Changes
    _clock: Clock
    _countdown: Countdown
    _line: Line
    _picture: Picture
    _proofs: Proofs

    @property
    def address(self) -> Address:
        """Where the host is; another address of the same key once it was found there."""
        return self._line.address

    @property
    def line(self) -> str:
        """How the connection is: `connecting | syncing | live | lost | gone`."""
        return self._line.state

    @property
    def reason(self) -> str:
        """Why the last connection was lost, in a few words."""
        return self._line.reason

    @property
    def view(self) -> dict[str, Any] | None:
        """The newest view of the table's match."""
        return self._picture.view

    @property
    def table(self) -> protocol.Table | None:
        """Who sits at the table, its stage, and what this player may do; the stage is `frozen` while the host cannot save."""
        return self._picture.table if not self._picture.frozen else self._picture.waiting()

    def clocks(self) -> Clocks | None:
        """Return what everybody's clock has left now, None at a table without clocks."""
        return self._countdown.clocks(self._clock.now())

    @property
    def proof(self) -> Mark:
        """Whether the newest hand that could be proven was dealt fairly: `verified | unverified | failed`, and why."""
        return self._proofs.mark

    @property
    def evidence(self) -> Mapping[str, Any] | None:
        """What was seen of a hand whose proof failed, None while none has."""
        return self._proofs.evidence

    def missing(self) -> list[Missing]:
        """Return who is lagging or away now, for how long, and how long the table still waits for them."""
        return self._countdown.missing(self._clock.now())

    @property
    def match(self) -> int:
        """The number of the match that the view shows."""
        return self._picture.number

    def changes(self) -> AsyncGenerator[Change, None]:
        """Give every change from now on; ends after `gone`. A reader that is slow loses the oldest, never the newest."""
        return self._changes.stream(self.line == GONE)

    async def until(self, wanted: Callable[[Self], bool]) -> None:
        """Wait until something holds of this peer. Raises: ConnectionOver if it is gone before."""
        if wanted(self):
            return
        async for _ in self.changes():
            if wanted(self):
                return
        if not wanted(self):
            raise ConnectionOver(self.gone_code)
