"""Messages of a socket, straight from the loop: no task, no future and no wake-up for each of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import zmq

_EVENTS, _POLLIN, _NOW = int(zmq.EVENTS), int(zmq.POLLIN), int(zmq.DONTWAIT)  # as enumerations they take longer than what they ask for
BURST = 64
"""Messages that a busy host takes before its loop looks after others."""


class Reader:
    """Hand every message of a socket to a function as soon as it is there.

    The descriptor of a ZeroMQ socket tells once that something has changed, and sending on the socket may take that in. So whoever
    sends on it calls `look` afterwards.
    """

    def __init__(self, socket: zmq.Socket[bytes], copy: bool = True, delay: float = 0.0, burst: int = BURST) -> None:
        """Read a socket.

        copy: whether frames are bytes, or else `zmq.Frame`. delay: for how many seconds messages may wait for more urgent ones.
        burst: how many messages are taken before the loop looks after others.
        """
        self._socket = socket
        self._copy = copy
        self._delay = delay
        self._burst = burst
        self._ended: asyncio.Future[None] | None = None
        self._take: Callable[[list[Any]], object] | None = None
        self._taken: Callable[[], object] | None = None
        self._looking = self._paused = False
        self._descriptor = -1

    async def run(self, take: Callable[[list[Any]], object], taken: Callable[[], object] | None = None) -> None:
        """Give the frames of each message to `take` until cancelled, and call `taken` after each handful. Raises: what they raise."""
        self._ended, self._take, self._taken = asyncio.get_running_loop().create_future(), take, taken
        self._descriptor = cast(int, self._socket.fd)
        self._listen()
        try:
            await self._ended
        finally:
            self._take = None
            self._listen()

    def look(self) -> None:
        """Look for messages in the loop's next round."""
        if not self._looking and self._take is not None:
            self._looking = True
            asyncio.get_running_loop().call_soon(self._drain)

    def pause(self) -> None:
        """Leave messages where they are, after the present one."""
        self._paused = True
        self._listen()

    def resume(self) -> None:
        """Go on after a pause."""
        if self._paused:
            self._paused = False
            self._listen()

    def _listen(self) -> None:
        """Watch the descriptor while messages are wanted: one that nobody looks after would wake the loop for ever."""
        if self._descriptor < 0:
            return
        if self._take is None or self._paused:
            asyncio.get_running_loop().remove_reader(self._descriptor)
        else:
            asyncio.get_running_loop().add_reader(self._descriptor, self._wait if self._delay else self._drain)
            self.look()

    def _receive(self) -> list[Any]:
        """Return the frames of the message that is there."""
        frame: Any = self._socket.recv(_NOW, False)
        frames = [frame]
        while frame.more:
            frame = self._socket.recv(_NOW, False)
            frames.append(frame)
        return [frame.bytes for frame in frames] if self._copy else frames

    def _ready(self) -> bool:
        return bool(int(self._socket.get(_EVENTS)) & _POLLIN)

    def _wait(self) -> None:
        """Take in what has changed, so that it is told no longer, and read later."""
        if self._ready() and not self._looking:
            self._looking = True
            asyncio.get_running_loop().call_later(self._delay, self._drain)

    def _drain(self) -> None:
        self._looking = False
        if self._take is None or self._ended is None or self._ended.done():
            return
        try:
            took = 0
            while took < self._burst and not self._paused and self._ready():
                self._take(self._receive())
                took += 1
            if took and self._taken is not None:
                self._taken()
        except Exception as error:  # noqa: BLE001 - it is raised where `run` is awaited
            self._ended.set_exception(error)
            return
        if took == self._burst:
            self.look()
