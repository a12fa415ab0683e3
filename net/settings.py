"""What a host is told before it starts."""

from __future__ import annotations

import hashlib
import hmac
import os
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from carteado.core.fair import Chain

from .configurable import CHIPS
from .discovery import own_addresses
from .keys import PORT, KeyPair
from .program import FIRST_TABLE
from .rates import DoorRules
from .seating import SEATED
from .terms import Terms


@dataclass(frozen=True)
class TableSpec:
    """A table that a host opens when it starts: the game with its options and house rules, how many chairs, and who sits there.

    chairs: None for the game's usual number (at most 4).
    bots: levels of computer players that take the first chairs. policy: who may fill, start, pause and ask for a rematch,
    anybody `seated` or the `opener` (a public key). terms: its clock, and what happens to the seat of somebody who is away.
    """

    game: str
    id: str | None = FIRST_TABLE
    chairs: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    house: tuple[str, ...] = ()
    bots: tuple[str, ...] = ()
    policy: str = SEATED
    opener: bytes | None = None
    terms: Terms = field(default_factory=Terms)


@dataclass(frozen=True)
class HostConfig:
    """How a host runs.

    bind: the interface to listen on, `*` for all. port: 0 takes any free one; FEED listens on the next port, or on any free one.
    keys, key_file: the host's key pair, else its file, else `host.key` in the data folder. pace: seconds that a computer player's
    move takes to be seen, thinking included. hand_pause: seconds between two hands unless everybody is ready before; 0 deals at
    once. address_file: where the address with the key is written, for clients on this machine. seed: makes the deals
    reproducible, and known to whoever knows it. id: made once per host; without one, the key's fingerprint. announce: tell the network
    by mDNS that the host is here. door: who is let in, and how often they may speak.
    chips: what a new player has; covered: whether nobody sits down at a table that can cost more than the purse holds.
    """

    bind: str = "127.0.0.1"
    port: int = PORT
    name: str = "carteado"
    keys: KeyPair | None = None
    key_file: Path | None = None
    tables: tuple[TableSpec, ...] = ()
    pace: float = 0.8
    hand_pause: float = 30.0
    address_file: Path | None = None
    seed: bytes | None = field(default=None, repr=False)
    id: str | None = None
    announce: bool = False
    door: DoorRules = field(default_factory=DoorRules)
    chips: int = CHIPS
    covered: bool = True


class RandomSeeds:
    """Let every party of a match have its part in the seeds; or draw them from one given secret, which is said.

    key: secret of the host, from which its chains are made, so that they are the same after a restart.
    """

    def __init__(self, secret: bytes | None = None, key: bytes | None = None) -> None:
        self._secret = secret
        self._key = key or os.urandom(32)

    def draw(self, table: str, number: int, hand: int) -> tuple[bytes, Mapping[str, Any]]:
        """Return the seed of a hand and where it came from."""
        if self._secret is None:
            return os.urandom(32), {"host": "system"}
        text = f"{table}/{number}/{hand}".encode()
        return hashlib.sha256(b"carteado/fixed-seed/1" + self._secret + text).digest(), {"host": "fixed"}

    def chain(self, match: str, nonce: bytes, party: int) -> Chain | None:
        """Return the chain of the host (-1) or of a seat of the house for a match; None when the seeds are fixed."""
        if self._secret is not None:
            return None
        secret = hmac.digest(self._key, b"carteado/host-chain/1" + nonce + party.to_bytes(2, "big", signed=True) + match.encode(), "sha256")
        return Chain(secret, match)


def reachable(bind: str) -> str:
    """Return an address of this machine under which others can reach what is bound there; asks nobody, sends nothing."""
    if bind != "*":
        return bind
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a documentation address: only the routing table is asked
        except OSError:  # a network that leads nowhere else, as of a router that is not connected
            return next(iter(own_addresses()), "127.0.0.1")
        return str(probe.getsockname()[0])
