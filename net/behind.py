"""Messages that wait for what is not there yet: a match that is being brought back, games that are being loaded.

Only the peers that have asked for it wait, and what a peer says meanwhile is carried out after that, in order.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from . import limits
from .feed import Turn
from .protocol import PeerMessage
from .sessions import Session


@dataclass
class Queue:
    """What one peer has said since it waits; cause: for what."""

    cause: Hashable
    said: deque[PeerMessage] = field(default_factory=deque)


class Behind:
    """Keep messages until what they need is there.

    missing: tells what a message needs that is not there yet, None for nothing. handle: carries a message out. refused: how often
    something was refused or dropped, by code.
    """

    def __init__(
        self, missing: Callable[[PeerMessage], Hashable | None], handle: Callable[[Session, PeerMessage, Turn], None],
        refused: Counter[str],
    ) -> None:  # fmt: skip
        self._missing = missing
        self._handle = handle
        self._refused = refused
        self._queues: dict[Session, Queue] = {}

    def takes(self, session: Session, message: PeerMessage) -> bool:
        """Take a message if it has to wait, or if one of the same peer does; what is beyond the limit is dropped, and said again."""
        queue = self._queues.get(session)
        if queue is None:
            cause = self._missing(message)
            if cause is None:
                return False
            queue = self._queues[session] = Queue(cause)
        if len(queue.said) >= limits.BEHIND:
            self._refused["behind"] += 1
        else:
            queue.said.append(message)
        return True

    def go_on(self, cause: Hashable, turn: Turn) -> None:
        """Carry out what has waited for this, which is there now or will never be."""
        for session in [session for session, queue in self._queues.items() if queue.cause == cause]:
            for message in self._queues.pop(session).said:
                self._handle(session, message, turn)
