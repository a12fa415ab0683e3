"""Who may not connect for a while, by key or by address, and why.

A host bans by itself whom it cannot bear, for some minutes, and forgets that when it ends. The bans of its operator, and that of an
address that has filled its memory, are kept in the store and hold when it is started again.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

from .clock import Clock
from .store import BanRecord

ROOM: Final = 10_000
"""Bans of the host itself that are remembered at once; those that are kept are never pushed out by them."""
HOST: Final = "host"
"""By whom the host's own bans are."""
_KEY = 32  # bytes
Who = bytes | str
"""A public key, or an address."""


@dataclass(frozen=True)
class Ban:
    """One ban. until: when it ends, in the host's monotonic seconds; None: never by itself. name: of the player, if it is known.

    by: `operator` or `host`. since: in seconds since 1970. kept: whether it holds when the host is started again.
    """

    who: Who
    why: str
    until: float | None
    name: str = ""
    by: str = HOST
    since: int = 0
    kept: bool = False

    @property
    def kind(self) -> str:
        """`key` or `address`."""
        return "key" if isinstance(self.who, bytes) else "address"

    @property
    def text(self) -> str:
        """Who is banned, as people write it."""
        return self.who.hex() if isinstance(self.who, bytes) else self.who


def plain_address(text: str) -> str:
    """Return an address as connections have it, however people write it. Raises: ValueError if it is none."""
    found = ip_address(text)
    return str(getattr(found, "ipv4_mapped", None) or found)


def who(record: BanRecord) -> Who:
    """Return whom a kept ban is of. Raises: ValueError if that is neither a key nor an address."""
    if record.kind == "address":
        return plain_address(record.who)
    if record.kind != "key" or len(key := bytes.fromhex(record.who)) != _KEY:
        raise ValueError(f"{record.who!r} is no key")
    return key


class Bans:
    """The bans of a host. An address is banned for those only who have no seat. wall: tells seconds since 1970."""

    def __init__(self, clock: Clock, seconds: float = 600.0, keys_to_address: int = 3, wall: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._seconds = seconds
        self._many = keys_to_address
        self._wall = wall
        self._kept: dict[Who, Ban] = {}
        self._passing: dict[Who, Ban] = {}
        self._lately: dict[str, deque[float]] = {}

    def ban(self, key: bytes, why: str, address: str = "", name: str = "") -> None:
        """Ban a key for a while. So many bans of keys of one address within that time ban the address too."""
        now = self._clock.now()
        self._pass(key, why, name)
        if not address or not self._many:
            return
        times = self._lately.setdefault(address, deque(maxlen=self._many))
        times.append(now)
        if len(times) == self._many and now - times[0] <= self._seconds:
            self._pass(address, why)
        while len(self._lately) > ROOM:
            del self._lately[next(iter(self._lately))]

    def keep(self, record: BanRecord) -> None:
        """Let a ban hold that is in the store, or is about to be, in the place of an earlier one of the same who. Raises: ValueError.

        It lasts no longer than it was meant to, though the clock on the wall says that it has not begun.
        """
        until = None if record.until is None else self._clock.now() + record.until - max(record.since, self._wall())
        banned = who(record)
        self._kept[banned] = Ban(banned, record.why, until, record.name, record.by, record.since, kept=True)

    def lift(self, who: Who) -> bool:
        """End the bans of a key (bytes) or an address. Return whether there was one."""
        if isinstance(who, str):
            self._lately.pop(who, None)
        kept, passing = self._kept.pop(who, None), self._passing.pop(who, None)
        return kept is not None or passing is not None

    def key(self, key: bytes) -> bool:
        """Tell whether a key is banned now."""
        return self._holds(key)

    def address(self, address: str) -> bool:
        """Tell whether an address is banned now."""
        return self._holds(address)

    def rows(self) -> list[Ban]:
        """Return the bans that hold now, for the console; of two of the same who, the one that is kept."""
        now = self._clock.now()
        holding = (ban for ban in (*self._passing.values(), *self._kept.values()) if ban.until is None or ban.until > now)
        return list({ban.who: ban for ban in holding}.values())

    def _pass(self, who: Who, why: str, name: str = "") -> None:
        self._passing.pop(who, None)
        self._passing[who] = Ban(who, why, self._clock.now() + self._seconds, name, since=int(self._wall()))
        while len(self._passing) > ROOM:
            del self._passing[next(iter(self._passing))]

    def _holds(self, who: Who) -> bool:
        for bans in (self._kept, self._passing):
            if bans and (ban := bans.get(who)) is not None:
                if ban.until is None or ban.until > self._clock.now():
                    return True
                del bans[who]
        return False
