"""What somebody at a table can wish for: each a message with an id, sent again until the host answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from . import protocol
from .errors import Refusal
from .questions import Make
from .refusals import sentence


class Wishes(ABC):
    """The wishes of one peer.

    m: the table that it is at, None at none.
    """

    m: str | None = None

    async def ready(self, on: bool = True) -> None:
        """Say that this player is ready for the start, the next hand, or another match. Raises: Refusal."""
        m = self._here()
        await self._command(lambda id: protocol.Ready(id, m, on))

    async def fill(self, level: str = "rule", seat: int | None = None) -> None:
        """Put computer players on a free chair, or on all. Raises: Refusal."""
        m = self._here()
        await self._command(lambda id: protocol.Fill(id, m, level, seat))

    async def start(self) -> None:
        """Start the match. Raises: Refusal."""
        m = self._here()
        await self._command(lambda id: protocol.Start(id, m))

    async def pause(self, on: bool = True) -> None:
        """Stop the table, or let it go on. Raises: Refusal."""
        m = self._here()
        await self._command(lambda id: protocol.Pause(id, m, on))

    async def rematch(self) -> None:
        """Start another match. Raises: Refusal."""
        m = self._here()
        await self._command(lambda id: protocol.Rematch(id, m))

    async def close_table(self) -> None:
        """Close the own table for good. Raises: Refusal with not_allowed; with running while others play there."""
        m = self._here()
        await self._command(lambda id: protocol.Close(id, m))
        self._away()

    async def say(self, text: str) -> None:
        """Say a line to the table. Raises: Refusal."""
        m = self._here()
        await self._command(lambda id: protocol.Say(id, m, text))

    async def leave(self) -> None:
        """Give the seat up for good, or stop watching. Raises: Refusal."""
        m = self._here()
        await self._command(lambda id: protocol.Leave(id, m))
        self._away()

    @abstractmethod
    def _away(self) -> None:
        """Forget the table that was left."""

    @abstractmethod
    async def _ask(self, make: Make) -> Any:
        """Return the answer to a message made with a new id. Raises: ConnectionOver."""

    def _here(self) -> str:
        if self.m is None:
            raise Refusal("not_in_match", sentence("not_in_match"))
        return self.m

    async def _command(self, make: Make) -> protocol.Ack:
        ack: protocol.Ack = await self._ask(make)
        if ack.no is not None:
            raise Refusal(ack.no.code, sentence(ack.no.code), ack.no.data)
        return ack
