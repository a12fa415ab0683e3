"""Under which addresses others can reach this machine, the likeliest first."""

from __future__ import annotations

import ipaddress
import socket

_PROBES = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET, "10.255.255.255"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses of documentation and private networks: only the routing table is asked, nothing is sent."""


def candidates() -> list[str]:
    """Return this machine's addresses: the one that leads outside first, then what its name says; never loopback."""
    found: dict[str, None] = {}
    for family, target in _PROBES:
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((target, 9))
                found[str(probe.getsockname()[0])] = None
        except OSError:
            continue
    try:
        infos = socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_DGRAM)
    except OSError:
        infos = []
    for info in infos:
        found[str(info[4][0])] = None
    usable = [address for address in found if _usable(address)]
    return sorted(usable, key=lambda address: ":" in address)  # typed by hand, the short one is better


def _usable(address: str) -> bool:
    try:
        known = ipaddress.ip_address(address)
    except ValueError:  # a link-local address with its interface
        return False
    return not (known.is_loopback or known.is_link_local or known.is_unspecified)


def place(address: str, port: int) -> str:
    """Return address and port as a URL has them."""
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
