"""The sockets of both sides, each with all its options in one place (docs/protocol.md, "Sockets")."""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache
from typing import Any

import zmq
import zmq.asyncio
from zmq.utils import z85

from . import limits
from .errors import NetError
from .keys import Address, KeyPair
from .zap import FEED, TABLE

Socket = zmq.asyncio.Socket
Plain = zmq.Socket[bytes]
"""A socket whose calls return at once; `reader.Reader` reads it."""


_NOW, _MORE = int(zmq.DONTWAIT), int(zmq.DONTWAIT) | int(zmq.SNDMORE)  # as enumerations they cost more than the sending


class PortTaken(NetError):
    """Report that a port cannot be listened on."""


@cache
def seed_routing_ids() -> None:
    """Seed C's `rand`, once per process.

    libzmq draws the first automatic routing id of a ROUTER from it and never seeds it, so that the ids would be the same in
    every process, and a peer that claims the next one could abort the host.
    """
    library = ctypes.cdll.LoadLibrary("ucrtbase") if sys.platform == "win32" else ctypes.CDLL(None)
    library.srand(ctypes.c_uint(int.from_bytes(os.urandom(4), "big")))


def _common(socket: Any) -> None:
    socket.heartbeat_ivl = 1000
    socket.heartbeat_timeout = 3000
    socket.heartbeat_ttl = 5000
    socket.handshake_ivl = 7000  # five round trips of a second each fit in
    socket.ipv6 = True


def _server(socket: Any, keys: KeyPair, domain: str) -> None:
    _common(socket)
    socket.curve_server = True
    socket.curve_secretkey = z85.encode(keys.secret)
    socket.zap_domain = domain.encode()
    socket.maxmsgsize = limits.PEER_CUT
    socket.backlog = 512
    socket.linger = 1000


def table_socket(context: zmq.asyncio.Context, keys: KeyPair) -> Socket:
    """Return the host's ROUTER for everything to and from seats."""
    seed_routing_ids()
    socket = context.socket(zmq.ROUTER)
    _server(socket, keys, TABLE)
    socket.router_mandatory = True
    socket.router_handover = False
    socket.rcvhwm = 64
    socket.sndhwm = 512
    return socket


def feed_socket(context: zmq.asyncio.Context, keys: KeyPair) -> Socket:
    """Return the host's PUB for what everybody may know: an XPUB, which tells every subscription, so that they can be counted."""
    socket = context.socket(zmq.XPUB)
    _server(socket, keys, FEED)
    socket.xpub_verboser = True
    socket.maxmsgsize = limits.FEED_CUT
    socket.sndhwm = 256
    socket.rcvhwm = 64
    return socket


def plain(socket: Socket) -> Plain:
    """Return a socket's other face, whose calls return at once. From now on it alone is used, but for closing."""
    return zmq.Socket.shadow(socket)


def _client(socket: Any, keys: KeyPair, host_key: bytes) -> None:
    _common(socket)
    socket.curve_serverkey = z85.encode(host_key)
    socket.curve_publickey = z85.encode(keys.public)
    socket.curve_secretkey = z85.encode(keys.secret)
    socket.maxmsgsize = limits.HOST_CUT
    socket.reconnect_ivl = 200
    socket.reconnect_ivl_max = 5000
    socket.rcvhwm = 1000
    socket.linger = 0


def dealer_socket(context: zmq.asyncio.Context, keys: KeyPair, host_key: bytes) -> Socket:
    """Return a client's DEALER; it never sets a routing id, and queues nothing before the connection stands."""
    socket = context.socket(zmq.DEALER)
    _client(socket, keys, host_key)
    socket.immediate = True
    socket.sndhwm = 16
    return socket


def sub_socket(context: zmq.asyncio.Context, keys: KeyPair, host_key: bytes) -> Socket:
    """Return a client's SUB, subscribed to nothing yet."""
    socket = context.socket(zmq.SUB)
    _client(socket, keys, host_key)
    return socket


def bind(socket: Socket | Plain, interface: str, port: int) -> int:
    """Listen on an interface (`*`: all) and a port (0: any free one); return the port.

    Raises: PortTaken.
    """
    place = f"[{interface}]" if ":" in interface else interface
    try:
        socket.bind(f"tcp://{place}:{port or '*'}")
    except zmq.ZMQError as error:
        raise PortTaken(f"cannot listen on {place}:{port}: {error.strerror}") from None
    endpoint = socket.getsockopt(zmq.LAST_ENDPOINT)
    assert isinstance(endpoint, bytes)
    return int(endpoint.decode().rstrip("\0").rpartition(":")[2])


def send_now(socket: Plain, *frames: bytes) -> None:
    """Send without waiting. Raises: zmq.Again when the queue is full, zmq.ZMQError when there is no way to the peer."""
    for frame in frames[:-1]:
        socket.send(frame, _MORE)
    socket.send(frames[-1], _NOW)


def connect(socket: Socket, address: Address) -> None:
    """Start connecting to an address; ZeroMQ goes on in the background."""
    socket.connect(f"tcp://{address.place}")
