"""The messages on the wire: one msgpack map each, tagged by `t`, typed and bounded.

All that peers and hosts say to each other stands here under one name; what either side says is written down in a module of its own.
docs/protocol.md describes every kind and field; a test compares it with this module. `codec` reads and writes them.
"""

from __future__ import annotations

from .said_by_hosts import *  # noqa: F403 - all that hosts say
from .said_by_hosts import HostKind
from .said_by_peers import *  # noqa: F403 - all that peers say
from .said_by_peers import PeerKind


def kind_of(message: PeerKind | HostKind | type[PeerKind | HostKind]) -> str:
    """Return the tag of a message, or of a class of messages."""
    return str(message.__struct_config__.tag)
