"""Who may not connect for a while, by key or by address, and why."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final, TypeVar

from .clock import Clock

ROOM: Final = 10_000
Who = TypeVar("Who", bound=Hashable)


@dataclass(frozen=True)
class Ban:
    """One ban. who: `key` or `address`. until: when it ends, in the host's monotonic seconds; None: never by itself."""

    kind: str
    who: str
    why: str
    until: float | None


class Bans:
    """The bans of a host. An address is banned for those only who have no seat."""

    def __init__(self, clock: Clock, seconds: float = 600.0, keys_to_address: int = 3) -> None:
        self._clock = clock
        self._seconds = seconds
        self._many = keys_to_address
        self._keys: dict[bytes, tuple[str, float | None]] = {}
        self._addresses: dict[str, tuple[str, float | None]] = {}
        self._lately: dict[str, deque[float]] = {}

    def ban(self, key: bytes, why: str, seconds: float | None = None, address: str = "", forever: bool = False) -> None:
        """Ban a key. So many bans of keys of one address within the time of a ban ban the address too."""
        span = self._seconds if seconds is None else seconds
        now = self._clock.now()
        _put(self._keys, key, (why, None if forever else now + span))
        if not address or not self._many:
            return
        times = self._lately.setdefault(address, deque(maxlen=self._many))
        times.append(now)
        if len(times) == self._many and now - times[0] <= self._seconds:
            self.ban_address(address, why)
        while len(self._lately) > ROOM:
            del self._lately[next(iter(self._lately))]

    def ban_address(self, address: str, why: str, seconds: float | None = None, forever: bool = False) -> None:
        """Ban an address."""
        span = self._seconds if seconds is None else seconds
        _put(self._addresses, address, (why, None if forever else self._clock.now() + span))

    def lift(self, who: bytes | str) -> bool:
        """End a ban of a key (bytes) or an address. Return whether there was one."""
        if isinstance(who, bytes):
            return self._keys.pop(who, None) is not None
        self._lately.pop(who, None)
        return self._addresses.pop(who, None) is not None

    def key(self, key: bytes) -> bool:
        """Tell whether a key is banned now."""
        return self._holds(self._keys, key)

    def address(self, address: str) -> bool:
        """Tell whether an address is banned now."""
        return self._holds(self._addresses, address)

    def rows(self) -> list[Ban]:
        """Return the bans that hold now, for the console."""
        now = self._clock.now()
        listed = [Ban("key", key.hex(), why, until) for key, (why, until) in self._keys.items()]
        listed += [Ban("address", address, why, until) for address, (why, until) in self._addresses.items()]
        return [ban for ban in listed if ban.until is None or ban.until > now]

    def _holds(self, bans: dict[Who, tuple[str, float | None]], who: Who) -> bool:
        if not bans or who not in bans:
            return False
        until = bans[who][1]
        if until is not None and until <= self._clock.now():
            del bans[who]
            return False
        return True


def _put(bans: dict[Who, tuple[str, float | None]], who: Who, ban: tuple[str, float | None]) -> None:
    bans.pop(who, None)
    bans[who] = ban
    while len(bans) > ROOM:
        del bans[next(iter(bans))]
