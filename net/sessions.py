"""Who is connected: one session per key, and how its line is."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from . import limits
from .chairs import Answers

if TYPE_CHECKING:
    from .tables import Table

_STALLS, _STALL_TIME = 3, 60.0


@dataclass(eq=False)
class Session:
    """One connection that has said hello.

    route: where ZeroMQ sends to, never an identity and never shown. key: the public key that every message of this connection
    proves. table, seat: where it sits or (seat None) watches. streaming: False after a send found its queue full, until it
    is heard of again. fair: whether it knows of anchors and links.
    """

    route: bytes
    key: bytes = field(repr=False)
    name: str
    heard: float
    bot: str | None = None
    fair: bool = False
    table: Table | None = None
    seat: int | None = None
    streaming: bool = True
    stalls: deque[float] = field(default_factory=lambda: deque(maxlen=_STALLS))

    def stall(self, now: float) -> bool:
        """Note that its queue was full. Return True if that happens so often that it should be told."""
        self.streaming = False
        self.stalls.append(now)
        return len(self.stalls) == _STALLS and now - self.stalls[0] <= _STALL_TIME


class Sessions:
    """All sessions, by route and by key; the newest hello of a key owns it."""

    def __init__(self) -> None:
        self.by_route: dict[bytes, Session] = {}
        self.by_key: dict[bytes, Session] = {}
        self.answers = KeyAnswers()

    def __len__(self) -> int:
        return len(self.by_route)

    def __iter__(self) -> Iterator[Session]:
        return iter(list(self.by_route.values()))

    def open(self, session: Session) -> Session | None:
        """Add a session. Return the one of the same key on another route, which is over now."""
        old = self.by_key.get(session.key)
        if old is not None:
            self.close(old)
        self.by_route[session.route] = session
        self.by_key[session.key] = session
        return old if old is not None and old.route != session.route else None

    def close(self, session: Session) -> None:
        """Forget a session (the seat is the table's affair)."""
        if self.by_route.get(session.route) is session:
            del self.by_route[session.route]
        if self.by_key.get(session.key) is session:
            del self.by_key[session.key]

    def silent(self, now: float) -> list[Session]:
        """Return the sessions to be forgotten because nothing was heard for too long."""
        return [session for session in self if now - session.heard > limits.FORGET]


class KeyAnswers:
    """The answers given to people who sit nowhere, for the keys that asked last."""

    def __init__(self) -> None:
        self._by_key: dict[bytes, Answers] = {}

    def of(self, key: bytes) -> Answers:
        """Return the answers given to a key."""
        answers = self._by_key.pop(key, None) or Answers()
        self._by_key[key] = answers
        while len(self._by_key) > limits.SESSIONS:
            del self._by_key[next(iter(self._by_key))]
        return answers
