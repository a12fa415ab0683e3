"""Who may connect: the handler of ZeroMQ's authentication requests (ZAP, RFC 27), and the rule it asks.

libzmq asks once per connection, before a single byte of a message is read. The answer carries the public key as `User-Id`, which
then stands on every message of that connection: this is the identity of a peer, never its routing id. The handler does no I/O
and lets no error out, because a dead handler would stop all joins for ever.
"""

from __future__ import annotations

import logging
from collections import Counter
from functools import lru_cache
from typing import Protocol

import zmq
import zmq.asyncio
from zmq.utils import z85

log = logging.getLogger(__name__)

ENDPOINT = "inproc://zeromq.zap.01"
TABLE, FEED = "table", "feed"
_VERSION = b"1.0"
_PARTS = 7  # version, request id, domain, address, identity, mechanism, client key


class Admission(Protocol):
    """Decide who may connect."""

    def admit(self, domain: str, address: str, key: bytes) -> str | None:
        """Return None to let a public key connect to a socket (`table` or `feed`), else why not, in a few words."""


class ZapHandler:
    """Answer authentication requests of one context; bind before any other socket does."""

    def __init__(self, context: zmq.asyncio.Context, admission: Admission, refused: Counter[str]) -> None:
        self._socket: zmq.asyncio.Socket = context.socket(zmq.REP)
        self._socket.linger = 0
        self._socket.bind(ENDPOINT)
        self._admission = admission
        self._refused = refused

    async def run(self) -> None:
        """Answer until cancelled."""
        while True:
            request = await self._socket.recv_multipart()
            try:
                reply = self.answer(request)
            except Exception:
                log.exception("an authentication request could not be judged and was refused")
                reply = _reply(request, b"500", b"the host cannot judge this now")
            await self._socket.send_multipart(reply)

    def answer(self, request: list[bytes]) -> list[bytes]:
        """Return the reply to one request: 200 with the key as User-Id, or 400 with the reason."""
        if len(request) != _PARTS or request[0] != _VERSION or request[5] != b"CURVE":
            self._refused["zap_mechanism"] += 1
            return _reply(request, b"400", b"CURVE only")
        key = request[6]
        reason = self._admission.admit(request[2].decode(), request[3].decode(), key)
        if reason is not None:
            self._refused["zap_refused"] += 1
            return _reply(request, b"400", reason.encode())
        return _reply(request, b"200", b"", z85.encode(key))

    def close(self) -> None:
        """Close the socket."""
        self._socket.close()


@lru_cache(4096)
def user_key(user_id: str) -> bytes:
    """Return the public key that a message's `User-Id` stands for."""
    return z85.decode(user_id)


def _reply(request: list[bytes], status: bytes, text: bytes, user: bytes = b"") -> list[bytes]:
    return [_VERSION, request[1] if len(request) > 1 else b"", status, text, user, b""]
