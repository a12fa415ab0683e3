"""Ending a connection from the host's side, which ZeroMQ itself has no way to do."""

from __future__ import annotations

import os
import socket
from typing import Any

import zmq


def cut(frame: Any) -> bool:
    """Shut the TCP connection that a received frame came over, if it still stands; return whether it did.

    libzmq tells the descriptor that it has read the frame from. By now that may belong to another connection, so it is only shut
    if it leads to the address that the frame came from; at worst another connection from there has to come back.
    """
    try:
        line = socket.socket(fileno=os.dup(frame.get(zmq.SRCFD)))
    except (OSError, zmq.ZMQError):
        return False
    try:
        with line:
            if str(line.getpeername()[0]).removeprefix("::ffff:") != str(frame.get("Peer-Address")).removeprefix("::ffff:"):
                return False
            line.shutdown(socket.SHUT_RDWR)
    except OSError:
        return False
    return True
