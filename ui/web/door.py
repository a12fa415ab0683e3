"""Who may ask for the page at all: host names, origins, how much one address may do."""

from __future__ import annotations

import ipaddress
import re
import socket
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from . import settings

_HOST = re.compile(r"(?:\[(?P<six>[0-9a-f:.]+)\]|(?P<name>[a-z0-9._-]+))(?::[0-9]{1,5})?")


class Names:
    """The names under which browsers may ask for the page.

    An address typed as digits cannot be pointed elsewhere by a stranger's name server; a name can, so only known ones are served.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        own = socket.gethostname().lower()
        self._names = {"localhost", own, f"{own}.local", *(name.lower() for name in names)}

    def allows(self, host: str | None) -> bool:
        """Tell whether a `Host` header names this machine."""
        name = host_name(host)
        return name is not None and (is_address(name) or name in self._names)


def host_name(host: str | None) -> str | None:
    """Return the name in a `Host` header, without its port; None if it is anything but a name and a port."""
    found = _HOST.fullmatch((host or "").lower())
    return (found["six"] or found["name"]) if found else None


def is_address(name: str) -> bool:
    """Tell whether a name is an address in digits."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def same_origin(headers: Mapping[str, str]) -> bool:
    """Tell whether a page of this very host opens the socket, and not any other page in the player's browser."""
    origin, host = headers.get("origin", ""), headers.get("host", "")
    scheme, _, place = origin.partition("://")
    return scheme in ("http", "https") and bool(place) and place.lower() == host.lower()


class Bucket:
    """How fast one browser may talk: a bucket of messages that fills up again as time passes."""

    def __init__(self, clock: Callable[[], float], burst: int = settings.BURST, rate: float = settings.RATE) -> None:
        self._clock = clock
        self._burst, self._rate = burst, rate
        self._left = float(burst)
        self._at = clock()

    def take(self) -> bool:
        """Take one message out; False if there is none."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Turnstile:
    """How often each address may come with something new; who has not come for long is forgotten."""

    MOST = 4096

    def __init__(self, clock: Callable[[], float], burst: int = settings.NEWCOMERS, rate: float = settings.NEWCOMER_RATE) -> None:
        self._clock, self._burst, self._rate = clock, burst, rate
        self._buckets: dict[str, Bucket] = {}

    def pass_through(self, address: str) -> bool:
        """Let an address through once more; False if it has come too often."""
        bucket = self._buckets.pop(address, None) or Bucket(self._clock, self._burst, self._rate)
        self._buckets[address] = bucket
        while len(self._buckets) > self.MOST:
            del self._buckets[next(iter(self._buckets))]
        return bucket.take()


class Crowd:
    """How many things each address has open."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    def enter(self, address: str) -> bool:
        """Count one more; False if that is too many."""
        if self._open[address] >= self._most:
            return False
        self._open[address] += 1
        return True

    def leave(self, address: str) -> None:
        """Count one less."""
        self._open[address] -= 1
        if self._open[address] <= 0:
            del self._open[address]
