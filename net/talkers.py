"""Who has filled a host's memory: which address has sent how much lately, as the kernel counts the bytes of each connection.

ZeroMQ collects the frames of a message before anybody sees one, so only the connections themselves can tell. Linux alone counts them;
elsewhere nobody is ever accused.
"""

from __future__ import annotations

import logging
import os
import socket
import struct
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from .bans import HOST
from .keys import fingerprint
from .store import BanRecord

if TYPE_CHECKING:
    from .host import Host

log = logging.getLogger(__name__)

LATELY: Final = 12
"""Looks that are remembered; the guard takes them, a minute of them."""
SHARE: Final = 4
"""Who has sent less than the growth of the memory divided by this has not filled it: a byte takes up to two in memory."""
LEAST: Final = 4 << 20
"""Bytes that an honest program does not send in a minute, whatever it says."""
_RECEIVED = struct.Struct("=128xQ")  # of Linux's tcp_info: tcpi_bytes_received
_FILES = "/proc/self/fd"
Line = tuple[str, int, int]
"""One connection: address and port of the other end, port of this end."""


@dataclass(frozen=True)
class Talker:
    """An address that has sent a lot. bytes: how much lately. lines: how many connections to TABLE it has."""

    address: str
    bytes: int
    lines: int


def received(ports: Collection[int]) -> dict[Line, int]:
    """Return how many bytes each open TCP connection to these ports of this process has brought; {} where the system does not tell."""
    found: dict[Line, int] = {}
    try:
        handles = [int(name) for name in os.listdir(_FILES)]
    except OSError:
        return found
    for handle in handles:
        try:
            line = socket.socket(fileno=handle)
        except OSError:  # no socket, or closed meanwhile
            continue
        try:
            here = line.getsockname()
            if isinstance(here, tuple) and len(here) > 1 and here[1] in ports:
                address, port = line.getpeername()[:2]
                info = line.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _RECEIVED.size)
                found[address.removeprefix("::ffff:"), port, here[1]] = _RECEIVED.unpack(info)[0]
        except (OSError, AttributeError, struct.error):  # nobody at the other end, or a system that does not count
            pass
        finally:
            line.detach()  # it belongs to ZeroMQ
    return found


class Talkers:
    """Remember for a minute what each connection had brought. table: the port of TABLE; feed: that of FEED."""

    def __init__(self, table: int, feed: int, count: Callable[[Collection[int]], Mapping[Line, int]] = received) -> None:
        self._table = table
        self._ports = (table, feed)
        self._count = count
        self._looks: deque[tuple[int, Mapping[Line, int]]] = deque(maxlen=LATELY)

    def note(self, held: int) -> None:
        """Look at all connections; `held` are the bytes of memory that the host holds now."""
        self._looks.append((held, self._count(self._ports)))

    def loudest(self, held: int) -> Talker | None:
        """Return the address that has sent most lately, None if what it has sent does not explain how much more is held."""
        if not self._looks:
            return None
        before, counts = self._looks[0]
        now = self._count(self._ports)
        sent: Counter[str] = Counter()
        for line, count in now.items():
            sent[line[0]] += count - counts.get(line, 0)
        address, most = max(sent.items(), key=lambda one: one[1], default=("", 0))
        if most < LEAST or most < (held - before) / SHARE:
            return None
        return Talker(address, most, sum(line[0] == address and line[2] == self._table for line in now))


async def accuse(host: Host, talker: Talker | None) -> None:
    """Ban who has filled the host's memory, so that it holds when the host is started again.

    A key that has a seat gets in from any address, so it is banned too if it is certain whose connection that was: the only one from
    there, of the only key that ever came from there.
    """
    if talker is None:
        log.warning("nobody can be named who has sent that much; nobody is banned")
        return
    door, megabytes = host.config.door, talker.bytes >> 20
    if talker.address in door.gateways or not door.rates.ban_seconds:
        log.warning("%d MB came from %s, which is not banned", megabytes, talker.address)
        return
    keys = host.door.keys_of(talker.address)
    sure = len(keys) == talker.lines == 1
    names = {key: session.name for key in keys if (session := host.sessions.by_key.get(key)) is not None}
    players = ", ".join(f"{names.get(key, '')} {fingerprint(key)}".strip() for key in keys)
    log.warning("%d MB came from %s, which is banned%s", megabytes, talker.address, _told(players, sure))
    now, why = int(time.time()), f"sent {megabytes} MB that were no message"
    for kind, who, name in [("address", talker.address, ""), *(("key", key.hex(), names.get(key, "")) for key in keys if sure)]:
        await host.ban(BanRecord(kind, who, name, why, HOST, now, now + int(door.rates.ban_seconds)))


def _told(players: str, sure: bool) -> str:
    if not players:
        return ""
    return f", and so is {players}" if sure else f"; it may have been any of {players}"
