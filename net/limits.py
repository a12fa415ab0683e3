"""Every bound of the wire in one place; both sides check them and `welcome` tells the peers' share of them."""

from __future__ import annotations

from typing import Final

PROTO: Final = (1, 1)
"""Oldest and newest protocol version that this program speaks."""

# Frames, in bytes.
GUEST_FRAME: Final = 1024
"""What a peer may send before it has joined a table."""
PEER_FRAME: Final = 4096
"""What a peer that has joined may send."""
PEER_CUT: Final = 65_536
"""ZMQ_MAXMSGSIZE of the host's sockets: beyond it the connection is cut before anything is read."""
FEED_CUT: Final = 1024
"""ZMQ_MAXMSGSIZE of FEED, where peers say nothing but what they want to hear of."""
HOST_FRAME: Final = 262_144
"""The largest state a host sends."""
HOST_CUT: Final = 1_048_576
"""ZMQ_MAXMSGSIZE of a client's sockets."""
WORDS_PART: Final = 49_152
"""Bytes of a game's words in one frame."""
WORDS_TOTAL: Final = 2_097_152
"""Bytes of a game's words altogether, in one language."""

# Text, in characters unless said otherwise.
NAME: Final = 24
NAME_BYTES: Final = 64
CHAT: Final = 300
APP: Final = 40
KEY: Final = 48
"""A field name, a code, a form's type, a level."""
VALUE: Final = 64
"""A string inside an action or an option."""
TABLE: Final = 24
GAME: Final = 40

# Containers sent by peers.
ITEMS: Final = 64
FIELDS: Final = 16
OPTIONS: Final = 32
FEATS: Final = 16
INT: Final = 2**31 - 1
"""Largest absolute value of a whole number inside an action."""

# Containers and numbers sent by hosts.
HOST_INT: Final = 2**53 - 1
EVENTS: Final = 1024
PAST: Final = 64
"""Versions whose events a table remembers, for who has missed some."""

SEATS: Final = 10
TABLES: Final = 256
OWN_TABLES: Final = 16
"""Tables of a host that one player has opened and that are still there."""
HOUSE: Final = 8
"""House rules at one table."""
WATCHERS: Final = 500
URLS: Final = 8
"""URLs of a host's page that it names."""
SESSIONS: Final = 1024
ANSWERS: Final = 256
"""How many command ids a host remembers with their answers, per seat."""
INBOX: Final = 1024
"""Messages that wait for the loop's next tick; beyond it the host stops reading, and ZeroMQ holds the peers back."""
BEHIND: Final = 64
"""Messages of one peer that wait with one whose table is being brought back after a start."""

ID: Final = 16
EPOCH: Final = 8
CHAIN: Final = 8
LINK: Final = 32
TOKEN: Final = 16
NONCE: Final = 16
HASH: Final = 16

# Seconds.
PING: Final = 2.0
"""A client pings after so much silence of its own."""
SILENCE: Final = 7.0
"""A client that hears nothing for so long (three pings missed) makes a new connection."""
LAGGING: Final = 6.0
AWAY: Final = 15.0
FORGET: Final = 60.0
"""A host forgets a session (never the seat) that was silent for so long."""
VACANT: Final = 60.0
"""While no match is going on, a chair is free again when its player was not connected for so long."""
DESERTED: Final = 60.0
"""A table that a peer has opened is closed when nobody was there for so long."""
UNATTENDED: Final = 3600.0
"""A table that a peer has opened makes room on a full host when nobody was there for so long, whoever has chairs."""
HEARTBEAT: Final = 1.0
GAP: Final = 5.0
"""A host whose own timer is late by more was stopped meanwhile (sleep, debugger, disk): nobody's clock counts that."""
ANSWER: Final = 5.0
"""How long a client waits for the answer to a question."""
GREETING: Final = 10.0
"""How long a client waits for its first answer when the connection stands: a handshake is five journeys there and back."""
RESEND: Final = (1.0, 2.0, 4.0)
AT_ONCE: Final = 0.05
"""How long a client waits before its first try to come back; the next ones wait as `BACKOFF` says."""
BACKOFF: Final = (0.5, 8.0)
JITTER: Final = 0.3
ANCHOR_TIME: Final = 2.0
"""How long a host waits, when a match begins, for the anchors of those who have just sat down."""
LINK_TIME: Final = 5.0
"""How long a host waits for the links of the seats before it deals without those that are missing."""
SEEK: Final = 0.65
"""From so long a pause between two tries on, a client that can looks for the host's key at other addresses meanwhile."""
RETRY: Final = 600.0
"""How long a client tries to come back to a lost host."""


def told() -> dict[str, int]:
    """Return the limits that `welcome` tells a peer."""
    return {
        "guest_frame": GUEST_FRAME,
        "peer_frame": PEER_FRAME,
        "host_frame": HOST_FRAME,
        "name": NAME,
        "chat": CHAT,
        "items": ITEMS,
        "fields": FIELDS,
        "seats": SEATS,
    }
