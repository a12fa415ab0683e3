"""Finding the host: by the address people were told, or the one that runs on this machine."""

from __future__ import annotations

from pathlib import Path

from .errors import BadAddress, HostUnreachable
from .keys import Address, data_folder

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def here(folder: Path | None = None) -> Path:
    """Return the file in which a host on this machine says its address."""
    return (folder or data_folder()) / "host.address"


def find(text: str | None, folder: Path | None = None) -> Address:
    """Return the address of a host, with its key; without a text, of the host on this machine.

    Raises: HostUnreachable when no host has run on this machine, BadAddress for a text that is not a whole address.
    """
    path = here(folder)
    if text is None:
        if not path.exists():
            raise HostUnreachable("no host has been started on this machine; say the address of one")
        return Address.parse(path.read_text(encoding="ascii"))
    address = Address.parse(text)
    if address.key is None and path.exists():
        known = Address.parse(path.read_text(encoding="ascii"))
        if address.port == known.port and address.host in {known.host, *LOOPBACK}:
            return Address(address.host, address.port, known.key)
    if address.key is None:
        raise BadAddress(f"the address {address.place} is not whole: the host's key, behind the #, is missing")
    return address
