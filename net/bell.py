"""The doorbell: a datagram asks who is at an address, and the host there shows its card.

It listens on UDP, on the same port number as TABLE. By it a typed address without a key works where no multicast does, and a list of
hosts shows who truly answers, from where, and how fast. A question is padded to 512 bytes and an answer is never longer than 1200,
and answers are rationed by address, so that nobody can be flooded with them in another's name.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, cast

import msgspec

from . import limits
from .buckets import Buckets, Rate
from .card import Card
from .clock import Clock
from .codec import Unreadable, unpack

log = logging.getLogger(__name__)

MAGIC: Final = b"carteado/bell/1\n"
NONCE: Final = 16
QUESTION: Final = 512
ANSWER: Final = 1200
AGAIN: Final = (0.0, 0.15, 0.45)
"""Seconds after which an unanswered question is asked again: datagrams get lost."""
PER_ADDRESS: Final = Rate(10, 10)
ALTOGETHER: Final = Rate(100, 100)

Place = tuple[str, int]


def answer_to(question: bytes, card: Card) -> bytes | None:
    """Return the answer to a question, None to what is none."""
    if len(question) != QUESTION or not question.startswith(MAGIC):
        return None
    nonce = question[len(MAGIC) : len(MAGIC) + NONCE]
    answer = MAGIC + nonce + msgspec.msgpack.encode(card)
    return answer if len(answer) <= ANSWER else MAGIC + nonce + msgspec.msgpack.encode(msgspec.structs.replace(card, games=[]))


def card_in(answer: bytes) -> tuple[bytes, Card] | None:
    """Return nonce and card of an answer, None for what is none."""
    start = len(MAGIC) + NONCE
    if len(answer) > ANSWER or not answer.startswith(MAGIC):
        return None
    try:
        raw = unpack(answer[start:], items=limits.ITEMS, text=limits.CHAT)
        return answer[len(MAGIC) : start], msgspec.convert(raw, Card, strict=True, builtin_types=(bytes,))
    except (Unreadable, msgspec.MsgspecError):
        return None


class Bell(asyncio.DatagramProtocol):
    """Answer at a host's door. answered, ignored: how many questions got an answer, and how much else came."""

    def __init__(self, card: Callable[[], Card], clock: Clock) -> None:
        self.answered = self.ignored = 0
        self._card = card
        self._clock = clock
        self._each = Buckets(PER_ADDRESS, room=1024)
        self._all = Buckets(ALTOGETHER)
        self._transport: asyncio.DatagramTransport | None = None

    async def open(self, bind: str, port: int) -> bool:
        """Listen. Return False if that is not possible; the host is then found by its whole address only."""
        loop = asyncio.get_running_loop()
        for family, interface in _families(bind):
            line = None
            try:
                line = socket.socket(family, socket.SOCK_DGRAM)
                if family == socket.AF_INET6:
                    line.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0 if bind == "*" else 1)
                line.bind((interface, port))
                await loop.create_datagram_endpoint(lambda: self, sock=line)
            except OSError as error:
                log.debug("no doorbell on %s: %s", interface, error)
                if line is not None:
                    line.close()
                continue
            return True
        return False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the socket."""
        self._transport = cast(asyncio.DatagramTransport, transport)

    def datagram_received(self, data: bytes, source: tuple[Any, ...]) -> None:
        """Answer a question, if its sender has not asked too often."""
        now, address = self._clock.now(), str(source[0]).removeprefix("::ffff:")
        answer = None
        if len(data) == QUESTION and self._each.take(address, now) and self._all.take("all", now):
            answer = answer_to(data, self._card())
        if answer is None or self._transport is None:
            self.ignored += 1
            return
        self.answered += 1
        with contextlib.suppress(OSError):
            self._transport.sendto(answer, source)

    def error_received(self, error: Exception) -> None:
        """Go on: whoever has asked is gone already."""

    def close(self) -> None:
        """Listen no longer."""
        if self._transport is not None:
            self._transport.close()


@dataclass(frozen=True)
class Answered:
    """An answer: the card, the address that it came from (with its interface for a link-local one), and after how many seconds."""

    card: Card
    host: str
    port: int
    seconds: float


class Ringer(asyncio.DatagramProtocol):
    """Ask at doors. One socket for each kind of address, any number of questions at once."""

    def __init__(self) -> None:
        self._waiting: dict[bytes, tuple[float, asyncio.Future[Answered]]] = {}
        self._lines: dict[int, asyncio.DatagramTransport] = {}

    async def open(self) -> None:
        """Get ready to ask; a machine without IPv6, or without IPv4, asks by the other."""
        loop = asyncio.get_running_loop()
        for family, interface in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")):
            with contextlib.suppress(OSError):
                line, _ = await loop.create_datagram_endpoint(lambda: self, local_addr=(interface, 0), family=family)
                self._lines[family] = line

    async def ring(self, host: str, port: int, seconds: float = 1.5) -> Answered | None:
        """Return who is at an address, None if nobody answers."""
        loop = asyncio.get_running_loop()
        nonce = os.urandom(NONCE)
        question = (MAGIC + nonce).ljust(QUESTION, b"\0")
        try:
            places = await loop.getaddrinfo(host, port, type=socket.SOCK_DGRAM)
        except (OSError, UnicodeError):
            return None
        waiting: asyncio.Future[Answered] = loop.create_future()
        self._waiting[nonce] = (loop.time(), waiting)
        try:
            async with asyncio.timeout(seconds):
                for delay in AGAIN:
                    await asyncio.wait({waiting}, timeout=delay)
                    if waiting.done():
                        break
                    for family, _, _, _, place in places:
                        if (line := self._lines.get(family)) is not None:
                            with contextlib.suppress(OSError):
                                line.sendto(question, place)
                return await waiting
        except TimeoutError:
            return None
        finally:
            del self._waiting[nonce]

    def datagram_received(self, data: bytes, source: tuple[Any, ...]) -> None:
        """Take an answer to an own question; nothing else is looked at."""
        told = card_in(data) if data[len(MAGIC) : len(MAGIC) + NONCE] in self._waiting else None
        if told is None:
            return
        nonce, card = told
        asked, waiting = self._waiting[nonce]
        if not waiting.done():
            waiting.set_result(Answered(card, _host(source), card.port, asyncio.get_running_loop().time() - asked))

    def error_received(self, error: Exception) -> None:
        """Wait on: there may be another way to the same host."""

    def close(self) -> None:
        """Ask no longer."""
        for line in self._lines.values():
            line.close()


async def ring(host: str, port: int, seconds: float = 1.5) -> Answered | None:
    """Return who is at an address, None if nobody answers."""
    ringer = Ringer()
    await ringer.open()
    try:
        return await ringer.ring(host, port, seconds)
    finally:
        ringer.close()


def _host(source: tuple[Any, ...]) -> str:
    """Return the sender of a datagram as an address that can be connected to."""
    host = str(source[0])
    plain = ipaddress.ip_address(host.partition("%")[0])
    if isinstance(plain, ipaddress.IPv6Address):
        if plain.ipv4_mapped is not None:
            return str(plain.ipv4_mapped)
        if plain.is_link_local and "%" not in host and len(source) == 4 and source[3]:
            with contextlib.suppress(OSError):
                return f"{host}%{socket.if_indextoname(source[3])}"
    return host


def _families(bind: str) -> list[tuple[int, str]]:
    """Return where to listen for a host that is bound to an interface, the first that works."""
    if bind == "*":
        return [(socket.AF_INET6, "::"), (socket.AF_INET, "0.0.0.0")]
    return [(socket.AF_INET6 if ":" in bind else socket.AF_INET, bind)]
