"""Who may come in, how often they may speak, and when they are shown the door.

ZeroMQ asks `admit` once per connection. Every message passes `weigh` before it is decoded, what cannot be read is a `strike`, and
what was read passes `meet` before the dispatcher sees it. A seat's key always gets in, whatever else is full or closed, unless it is
banned.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from . import protocol
from .bans import Bans
from .buckets import Buckets
from .clock import Clock
from .codes import Meeting, nonce, stretch
from .keys import KeyPair
from .protocol import Ack, HostKind, No, PeerMessage, Why
from .rates import DoorRules
from .refusals import sentence
from .sessions import Session, Sessions
from .zap import FEED

log = logging.getLogger(__name__)

STRIKES: Final = frozenset({"frames", "oversized", "malformed", "unknown"})
"""Codes of what no honest program sends."""
WRONG: Final = 1.0
"""Seconds that the answer to a wrong proof takes."""
PENDING: Final = 10.0
"""Seconds in which a connection must say hello to be counted no longer as one that came and went."""
_KNOWN = 8192
_ALARM = 20
_ALL: Final = "all"


@dataclass(frozen=True)
class Answer:
    """What is answered instead of handing a message on, and after how many seconds."""

    message: HostKind
    delay: float = 0.0


@dataclass
class _Guest:
    """A key that was let in: from where and when, and the nonces of its last knock."""

    address: str
    since: float
    host_nonce: bytes = b""
    peer_nonce: bytes = b""


class Entrance:
    """The rules of one host's door. bans: who may not come in. private: whether its tables are shown to members only.

    unlisted: tells whether somebody names a table that the list told them nothing of.
    """

    def __init__(
        self, rules: DoorRules, keys: KeyPair, clock: Clock, refused: Counter[str], seated: Callable[[bytes], bool], sessions: Sessions,
    ) -> None:  # fmt: skip
        self.rules = rules
        self.bans = Bans(clock, rules.rates.ban_seconds, rules.rates.banned_keys)
        self.private = rules.code is not None or rules.closed
        self.unlisted: Callable[[Session, str], bool] = lambda session, table: False
        self.failures = 0
        self._secret = stretch(rules.code, keys.public) if rules.code is not None else b""
        self._own_key = keys.public
        self._clock = clock
        self._refused = refused
        self._seated = seated
        self._sessions = sessions
        self._members: dict[bytes, None] = {}
        self._guests: dict[bytes, _Guest] = {}
        self._buckets = {name: Buckets(rate) for name, rate in rules.rates.table().items()}

    # Connecting

    def admit(self, domain: str, address: str, key: bytes) -> str | None:
        """Return None to let a key connect to a socket (`table` or `feed`), else why not, in a few words."""
        address = address.removeprefix("::ffff:")  # how a socket for both kinds writes IPv4
        if self.bans.key(key):
            return "banned"
        if domain == FEED:
            session = self._sessions.by_key.get(key)
            return None if session is not None and session.table is not None else "join a table first"
        if not self._seated(key) and (reason := self._stranger(address, key)) is not None:
            return reason
        self._note(address, key)
        return None

    def _stranger(self, address: str, key: bytes) -> str | None:
        """Return why somebody without a seat is not let in."""
        if self.bans.address(address):
            return "banned"
        if self.rules.closed and key not in self.rules.allowed and key not in self._members:
            return "closed"
        if address in self.rules.gateways:
            return None
        rates = self.rules.rates
        if rates.unjoined or rates.unjoined_all:
            idle = self._idle(key)
            if rates.unjoined and idle.count(address) >= rates.unjoined:
                return "too many from this address"
            if rates.unjoined_all and len(idle) >= rates.unjoined_all:
                return "too many"
        if key not in self._guests and not self._take("new_keys", _ALL):
            return "too many new players"
        return None

    def _idle(self, but: bytes) -> list[str]:
        """Return the addresses of all keys but one that are connected, as far as is known, and sit nowhere."""
        idle = [self.address_of(session.key) for session in self._sessions if session.table is None and session.key != but]
        now = self._clock.now()
        for key, guest in reversed(self._guests.items()):  # the newest first
            if now - guest.since >= PENDING:
                break
            if key != but and key not in self._sessions.by_key:
                idle.append(guest.address)
        return idle

    def _note(self, address: str, key: bytes) -> None:
        self._guests.pop(key, None)
        self._guests[key] = _Guest(address, self._clock.now())
        while len(self._guests) > _KNOWN:
            del self._guests[next(iter(self._guests))]

    def address_of(self, key: bytes) -> str:
        """Return from where a key has connected last, '' if it never has."""
        guest = self._guests.get(key)
        return guest.address if guest is not None else ""

    def keys_of(self, address: str) -> list[bytes]:
        """Return the keys that have connected from an address last."""
        return [key for key, guest in self._guests.items() if guest.address == address]

    def _origin(self, key: bytes) -> bytes | str:
        """Return by what a stranger is counted: the address, but behind a gateway the key."""
        address = self.address_of(key)
        return key if address in self.rules.gateways else address

    # Messages

    def banned(self, key: bytes, joined: bool = False) -> bool:
        """Tell whether a key is banned, or the address that it came from while it has no seat; who is at a table stays there."""
        return self.bans.key(key) or (not joined and self.bans.address(self.address_of(key)) and not self._seated(key))

    def weigh(self, key: bytes, joined: bool) -> bool:
        """Tell, before anything is decoded, whether one more message of a key is looked at. Far too many end in a ban."""
        if self.banned(key, joined):
            return False
        if self._take("messages" if joined else "guests", key):
            return True
        self._refused["flood"] += 1
        if not self._take("flood", key):
            self.ban(key, "flood")
        return False

    def subscribe(self, key: bytes) -> bool:
        """Tell whether one more subscription of a key on FEED is borne; each takes memory, so too many end in a ban."""
        if self.bans.key(key):
            return False
        if self._take("subscriptions", key):
            return True
        self.ban(key, "subscriptions")
        return False

    def strike(self, key: bytes, code: str) -> bool:
        """Note that a key has sent what no honest program sends. Return True if that was once too often, and it is banned."""
        if code not in STRIKES or self._take("strikes", key):
            return False
        self.ban(key, "strikes")
        return True

    def ban(self, key: bytes, why: str) -> None:
        """Ban a key for a while, and its address when that has become a habit there."""
        address = self.address_of(key)
        log.warning("a player is banned (%s); address %s", why, address or "unknown")
        self._refused["ban"] += 1
        session = self._sessions.by_key.get(key)
        self.bans.ban(key, why, "" if address in self.rules.gateways else address, session.name if session is not None else "")

    def meet(self, session: Session, message: PeerMessage) -> Answer | None:
        """Return what is answered to a message instead of carrying it out, None if it is to be carried out."""
        match message:
            case protocol.Knock():
                return Answer(self._prove(session, message))
            case protocol.Prove():
                return self._proved(session, message)
            case protocol.Bye() | protocol.Ping():
                return None
        if self.private and not self.may_enter(session.key) and not isinstance(message, protocol.Reclaim):
            return self._no(message, "code_needed")
        name, of = self._bucket(session, message)
        if name and not self._take(name, of):
            wait = self._buckets[name].wait(of, self._clock.now())
            return self._no(message, "too_fast", ms=int(1000 * wait) + 1)
        return None

    def _bucket(self, session: Session, message: PeerMessage) -> tuple[str, Any]:
        key = session.key
        match message:
            case protocol.Command():
                return "commands", key
            case protocol.Say():
                if not self._take("chat_flood", key):
                    self.ban(key, "chat")
                return "chat", key
            case protocol.Snap() | protocol.AskPast():
                return self._own_first("snaps", key, "snaps_all")
            case protocol.Open():
                return "opens", key
            case protocol.Reclaim():
                return self._own_first("proofs", self._origin(key), "proofs_all")
            case protocol.Join() if self.unlisted(session, message.m):
                return self._own_first("unlisted", self._origin(key), "unlisted_all")
        return "", None

    def _own_first(self, name: str, of: Any, common: str) -> tuple[str, Any]:
        """Return the bucket that counts: the own one when it is empty, so that nobody uses up what is there for all."""
        if self._buckets[name].level(of, self._clock.now()) < 1 or self._take(common, _ALL):
            return name, of
        return common, _ALL

    def greet(self, key: bytes) -> No | None:
        """Return the refusal of a hello that comes too soon after others, None to welcome it."""
        tries: list[tuple[str, Any]]
        if self._seated(key):
            tries = [("returns", key)]
        else:
            tries = [("hellos", self._origin(key)), ("hellos_all", _ALL)]
        for name, of in tries:
            if not self._take(name, of):
                self._refused["too_fast"] += 1
                wait = self._buckets[name].wait(of, self._clock.now())
                return No("hello", "too_fast", sentence("too_fast"), {"ms": int(1000 * wait) + 1})
        return None

    # The join code

    def may_enter(self, key: bytes) -> bool:
        """Tell whether a key may see the tables of this host."""
        return not self.private or key in self._members or key in self.rules.allowed or self._seated(key)

    def _prove(self, session: Session, knock: protocol.Knock) -> HostKind:
        """Answer a knock: the host shows first that it knows the code."""
        guest = self._guests.get(session.key)
        if not self._secret or guest is None:
            return self._refuse("knock", "no_code")
        guest.peer_nonce, guest.host_nonce = knock.n, nonce()
        return protocol.Proof(guest.host_nonce, self._meeting(session.key, guest).proof(self._secret, "host"))

    def _proved(self, session: Session, prove: protocol.Prove) -> Answer:
        guest = self._guests.get(session.key)
        if not self._secret or guest is None or not guest.host_nonce:
            return Answer(self._refuse("prove", "no_code"))
        if not self._take("proofs", self._origin(session.key)) or not self._take("proofs_all", _ALL):
            return Answer(self._refuse("prove", "too_fast"))
        meeting = self._meeting(session.key, guest)
        guest.host_nonce = b""  # one try a knock
        if not meeting.proves(self._secret, "peer", prove.mac):
            self.failures += 1
            if self.failures % _ALARM == 0:
                log.warning("%d wrong join codes so far, the last from %s", self.failures, guest.address)
            return Answer(self._refuse("prove", "code"), WRONG)
        self._members[session.key] = None
        while len(self._members) > _KNOWN:
            del self._members[next(iter(self._members))]
        return Answer(protocol.Proven())

    def _meeting(self, key: bytes, guest: _Guest) -> Meeting:
        return Meeting(self._own_key, key, guest.peer_nonce, guest.host_nonce)

    # Small things

    def _take(self, name: str, of: Any) -> bool:
        return self._buckets[name].take(of, self._clock.now())

    def _refuse(self, re: str, code: str) -> No:
        self._refused[code] += 1
        return No(re, code, sentence(code))

    def _no(self, message: PeerMessage, code: str, **data: Any) -> Answer:
        self._refused[code] += 1
        id = getattr(message, "id", None)
        if id is not None:
            return Answer(Ack(id, no=Why(code, data)))
        return Answer(No(protocol.kind_of(message), code, sentence(code), data))
