"""Stream connections of a small server that all end when it does, quietly."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Conversations:
    """Hold every connection of a server: an instance is what `asyncio.start_server` is given. talk: leads one, until it returns."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._open: dict[asyncio.Future[None], asyncio.StreamWriter] = {}

    def __len__(self) -> int:
        """Return how many are open."""
        return len(self._open)

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Lead one conversation, and end its connection."""
        talking = asyncio.ensure_future(self._talk(reader, writer))  # the server's own task would report that it was cancelled
        self._open[talking] = writer
        try:
            await asyncio.wait({talking})
        finally:
            del self._open[talking]
            writer.close()
        if not talking.cancelled():
            talking.result()

    async def close(self) -> None:
        """End all conversations, also one that waits for an answer of its own, and wait until that is done."""
        for talking, writer in self._open.items():
            talking.cancel()
            writer.close()
        await asyncio.gather(*self._open, return_exceptions=True)
