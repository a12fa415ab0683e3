"""What comes in at a host: every message is judged before it waits for a turn, and who must go is shown the door."""

from __future__ import annotations

import contextlib
import logging
from collections import Counter
from collections.abc import Callable, Coroutine, Hashable
from typing import Any

import zmq

from . import limits, protocol
from .behind import Behind
from .clock import Clock
from .codec import Unreadable, encode, read_peer
from .cutting import cut
from .dispatch import Dispatcher
from .entrance import Entrance
from .feed import Turn
from .protocol import Gone, Hello, No, Ping, Pong
from .refusals import sentence
from .saving import Saver
from .sessions import Session, Sessions
from .turns import Turns
from .zap import user_key

log = logging.getLogger(__name__)

_HEAD = bytes(limits.CHAIN)
_FRAMES = 2  # routing id and body
_OF_THE_HOST = (protocol.AskTables, protocol.AskWords, protocol.Open)
"""Questions that have nothing to do with the table where somebody sits: failing at one leaves the table as it is."""


class Reception:
    """Take in what peers say on both sockets.

    send: sends a frame to a session. reply: answers a route that may have none. spawn: lets something go on by itself. missing: tells
    what a message needs that is not there yet, None for nothing; it waits in `behind` then.
    """

    def __init__(
        self, door: Entrance, sessions: Sessions, dispatcher: Dispatcher, turns: Turns, saver: Saver, clock: Clock, refused: Counter[str],
        send: Callable[[Session, bytes], None], reply: Callable[[bytes, protocol.HostKind], None],
        spawn: Callable[[Coroutine[Any, Any, None]], None], missing: Callable[[protocol.PeerMessage], Hashable | None],
    ) -> None:  # fmt: skip
        self._door = door
        self._sessions = sessions
        self._dispatcher = dispatcher
        self._turns = turns
        self._saver = saver
        self._clock = clock
        self._refused = refused
        self._send = send
        self._reply = reply
        self._spawn = spawn
        self.behind = Behind(missing, self._handle, refused)

    def take(self, frames: list[Any]) -> None:
        """Judge one message: frames, size, form, session. What passes waits for the next turn; pings are answered at once."""
        route, body = frames[0].bytes, frames[-1]
        key = user_key(body.get("User-Id"))
        session = self._sessions.by_route.get(route)
        joined = session is not None and session.table is not None
        limit = limits.PEER_FRAME if joined else limits.GUEST_FRAME
        if not self._door.weigh(key, joined):
            if self._door.banned(key, joined):
                self._throw_out(key, body)
            return
        try:
            if len(frames) != _FRAMES:
                raise Unreadable("frames")
            if len(body) > limit:
                raise Unreadable("oversized")
            message = read_peer(body.bytes, limit)
        except Unreadable as error:
            self._refused[error.code] += 1
            if self._door.strike(key, error.code):
                self._throw_out(key, body)
            if error.code == "unknown" or error.kind:
                self._reply(route, No(error.kind or "?", error.code, sentence(error.code)))
            return
        if isinstance(message, Hello) and self._saver.frozen:
            self._refused["frozen"] += 1  # it says so again
        elif isinstance(message, Hello) and (late := self._door.greet(key)) is not None:
            self._reply(route, late)
        elif isinstance(message, Hello):
            self._turns.post(lambda turn: self._dispatcher.hello(route, key, message, turn))
        elif session is None or session.key != key:
            self._refused["hello_first"] += 1
            self._reply(route, No(protocol.kind_of(message), "hello_first", sentence("hello_first")))
        elif isinstance(message, Ping):
            self._pong(session, message)
        elif self._saver.frozen:
            session.heard = self._clock.now()
            self._refused["frozen"] += 1  # as long as it is not answered, it is asked again
        elif (answer := self._door.meet(session, message)) is not None:
            session.heard = self._clock.now()
            if answer.delay:
                self._spawn(self._say_later(route, answer.message, answer.delay))
            else:
                self._reply(route, answer.message)
        else:
            session.heard = self._clock.now()
            self._turns.post(lambda turn: self._handle(session, message, turn))

    def subscribed(self, frames: list[Any]) -> None:
        """Count what peers want to hear of on FEED; what libzmq takes back for those who are gone is nobody's."""
        with contextlib.suppress(zmq.ZMQError):
            if not self._door.subscribe(user_key(frames[0].get("User-Id"))):
                cut(frames[0])

    def kick(self, key: bytes) -> bool:
        """End a player's connection; the seat stays the player's, as after any lost line. Return whether it was connected."""
        session = self._sessions.by_key.get(key)
        if session is not None:
            self._reply(session.route, Gone("banned" if self._door.banned(key) else "kicked"))
            self._turns.post(lambda turn: self._dispatcher.part(session, turn))
        return session is not None

    def tell_frozen(self) -> None:
        """Tell everybody at once that the host waits for its store, or goes on."""
        for session in self._sessions:
            self._send(session, self._head(session, 0))

    def _pong(self, session: Session, ping: Ping) -> None:
        """Answer a ping from what was shown last, without waiting for a turn that may be waiting for the disk."""
        session.heard = self._clock.now()
        self._send(session, self._head(session, ping.n))
        if not session.streaming and not self._saver.frozen:
            self._turns.post(lambda turn: turn.snap(session))

    def _head(self, session: Session, n: int) -> bytes:
        number, q, h = session.table.head if session.table is not None else (0, 0, _HEAD)
        return encode(Pong(n, number, q, h, int(self._clock.now() * 1000), self._saver.frozen))

    def _throw_out(self, key: bytes, body: Any) -> None:
        """Tell a banned player so, once, and cut the connection if it goes on speaking there."""
        if self.kick(key):
            self._sessions.close(self._sessions.by_key[key])
        else:
            cut(body)

    async def _say_later(self, route: bytes, message: protocol.HostKind, delay: float) -> None:
        await self._clock.sleep(delay)
        self._reply(route, message)

    def _handle(self, session: Session, message: protocol.PeerMessage, turn: Turn) -> None:
        if self._sessions.by_route.get(session.route) is not session:
            return  # it ended while its message waited
        if self.behind.takes(session, message):
            return
        try:
            self._dispatcher.handle(session, message, turn)
        except Exception as error:
            log.exception("a message of kind %s could not be carried out", protocol.kind_of(message))
            self._dispatcher.fault(session, message, turn)
            if session.table is not None and not isinstance(message, _OF_THE_HOST):
                session.table.stop(f"the host failed: {type(error).__name__}", turn)
