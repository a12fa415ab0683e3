"""A chair: who sits on it, by which key, and what was answered there."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from . import limits
from .protocol import Ack
from .protocol import Chair as ShownChair
from .store import ChairRecord

if TYPE_CHECKING:
    from .sessions import Session

HERE, LAGGING, AWAY, BOT, EMPTY, LEFT = "here", "lagging", "away", "bot", "empty", "left"
LINES = (HERE, LAGGING, AWAY, BOT, EMPTY, LEFT)


class Answers:
    """The last 256 ids that were answered, with their answers: the same id gets the same answer."""

    def __init__(self) -> None:
        self._by_id: dict[bytes, Ack] = {}

    def get(self, id: bytes) -> Ack | None:
        """Return the answer that was given to an id."""
        return self._by_id.get(id)

    def put(self, answer: Ack) -> None:
        """Remember an answer."""
        self._by_id[answer.id] = answer
        while len(self._by_id) > limits.ANSWERS:
            del self._by_id[next(iter(self._by_id))]


@dataclass(eq=False)
class Chair:
    """One place at a table.

    key: the public key that owns it, None when it is empty (or its player left). house: played by this host's own computer
    player. token: SHA-256 of the reclaim token. fresh: sat down after the match that is still shown. since: when its line was
    lost. lost: whether that was without a word, so that it may be back in a moment. spent: seconds of the table's grace used up
    since its last move. substitute: who plays on for somebody who is away. anchor: of its player's chain, and for which match.
    """

    seat: int
    key: bytes | None = None
    name: str = ""
    bot: str | None = None
    house: bool = False
    token: bytes | None = None
    left: bool = False
    ready: bool = False
    fresh: bool = False
    session: Session | None = None
    since: float = 0.0
    lost: bool = False
    spent: float = 0.0
    anchor: tuple[int, bytes] | None = None
    substitute: str | None = None
    shown: str = EMPTY
    answers: Answers = field(default_factory=Answers)

    @property
    def free(self) -> bool:
        """Tell whether somebody can sit down here."""
        return self.key is None and not self.left

    @property
    def person(self) -> bool:
        """Tell whether a human being has this chair."""
        return self.key is not None and self.bot is None

    def sit(self, key: bytes, name: str, bot: str | None, house: bool = False) -> None:
        """Give the chair to a key."""
        self.key, self.name, self.bot, self.house = key, name, bot, house
        self.left = self.ready = False
        self.substitute, self.spent, self.anchor = None, 0.0, None
        self.answers = Answers()

    def clear(self) -> None:
        """Make the chair empty."""
        self.key = self.bot = self.token = self.session = None
        self.name = ""
        self.house = self.left = self.ready = self.fresh = False
        self.substitute, self.spent, self.anchor = None, 0.0, None
        self.answers = Answers()

    def give_token(self) -> bytes:
        """Return a new reclaim token; the old one is dead and only the new one's hash is kept."""
        token = secrets.token_bytes(limits.TOKEN)
        self.token = hashed(token)
        return token

    def opens(self, token: bytes) -> bool:
        """Tell, in constant time, whether this is the chair's token."""
        return self.token is not None and hmac.compare_digest(self.token, hashed(token))

    def quiet(self, now: float) -> float:
        """Return for how many seconds nothing was heard of its player."""
        return now - (self.session.heard if self.session is not None else self.since)

    def line(self, now: float) -> str:
        """Return how the line to its player is: `here | lagging | away | bot | empty | left`."""
        if self.left and self.key is None:
            return LEFT
        if self.key is None:
            return EMPTY
        if self.house:
            return BOT
        quiet = self.quiet(now)
        if quiet >= limits.AWAY or (self.session is None and not self.lost):
            return AWAY
        if quiet >= limits.LAGGING:
            return LAGGING
        return BOT if self.bot else HERE

    def told(self, now: float, grace: int | None = None) -> ShownChair:
        """Return what everybody may know of this chair; grace: for how many ms the table still waits for its player."""
        self.shown = self.line(now)
        quiet = self.quiet(now) if self.shown in (LAGGING, AWAY) else 0.0
        ms = int(max(0.0, quiet) * 1000)
        return ShownChair(self.seat, self.shown, self.name, self.bot, ms, self.ready, grace, self.substitute)

    def record(self) -> ChairRecord:
        """Return what must not be forgotten of this chair."""
        return ChairRecord(self.key, self.name, self.bot, self.house, self.token, self.left, self.fresh, self.ready)

    @classmethod
    def restored(cls, seat: int, record: ChairRecord, now: float) -> Chair:
        """Return a chair as it was kept; nobody is connected to it."""
        return cls(
            seat, record.key, record.name, record.bot, record.house, record.token, record.left, record.ready, record.fresh, since=now,
            lost=True,
        )  # fmt: skip


def hashed(token: bytes) -> bytes:
    """Return what is kept of a reclaim token."""
    return hashlib.sha256(b"carteado/token/1" + token).digest()
