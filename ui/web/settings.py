"""How the gateway for browsers runs, and what it bounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

PORT: Final = 8737
"""Where the page is served unless somebody says otherwise."""
FRAME: Final = 8192
"""Bytes of a message from a browser; a longer one ends its connection."""
BURST, RATE = 40, 20.0
"""Messages that a browser may send at once, and how many a second for good; more ends its connection."""
CHAT, CHAT_RATE = 8, 0.8
"""Lines of chat at once and a second; as many as a host takes, which would otherwise ban the player, and in the end this machine."""
NEWCOMERS, NEWCOMER_RATE = 12, 0.2
"""Seats that one address may open at once and a second for good: a new token, another name or another join code each."""
STRIKES: Final = 10
"""Messages that cannot be read before a connection is ended."""
INFLIGHT: Final = 8
"""Questions of one browser that wait for the host at the same time."""
QUEUED: Final = 128
"""Small messages that may wait for a browser that reads slowly; views never queue, only the newest is sent."""
GREETING: Final = 10.0
"""Seconds until a new connection must have said something: a request, or the first message of a socket."""
PING: Final = 15.0
"""Seconds between two signs of life."""
SILENCE: Final = 40.0
"""Seconds without a word from a browser until its connection is given up."""
LINGER: Final = 5.0
"""Seconds that a seat stays connected to the host after its browser has gone: a page that is loaded anew comes back before."""
STOPPING: Final = 2
"""Seconds that open connections get when the gateway stops."""


@dataclass(frozen=True)
class Settings:
    """What is chosen about a gateway.

    lan: listen on every interface, else on this machine only. port: 0 takes any free one. names: further host names under which
    browsers may ask for the page. tls: certificate and key files. folder: where `web.key` lies, by default the data folder.
    sockets: open WebSockets of one address, connections: open connections of one address, all: connections of all together.
    """

    lan: bool = False
    port: int = PORT
    names: tuple[str, ...] = ()
    tls: tuple[Path, Path] | None = None
    folder: Path | None = None
    sockets: int = 16
    connections: int = 64
    all: int = 512
    ping: float = field(default=PING)
    linger: float = field(default=LINGER)
    greeting: float = field(default=GREETING)
    silence: float = field(default=SILENCE)
