"""Stream connections of a small server that all end when it does, quietly."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


class Conversations:
    """Hold every connection of a server: an instance is what `asyncio.start_server` is given. talk: leads one, until it returns."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._open: dict[asyncio.Task[None] | None, asyncio.StreamWriter] = {}

    def __len__(self) -> int:
        """Return how many are open."""
        return len(self._open)

    async def __call__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Lead one conversation, and end its connection."""
        task = asyncio.current_task()
        self._open[task] = writer
        try:
            await self._talk(reader, writer)
        finally:
            self._open.pop(task, None)
            writer.close()

    async def close(self) -> None:
        """End all connections and wait until those who talk have noticed."""
        for writer in self._open.values():
            writer.close()  # a reader hears the end of its stream; a cancelled one would be reported as an error
        await asyncio.gather(*(task for task in list(self._open) if task is not None), return_exceptions=True)
