"""The host that runs on this machine, and where it says its address."""

from __future__ import annotations

import asyncio
from pathlib import Path

from .errors import BadAddress
from .keys import Address, data_folder

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


def here(folder: Path | None = None) -> Path:
    """Return the file in which a host on this machine says its address."""
    return (folder or data_folder()) / "host.address"


def own_host(folder: Path | None = None) -> Address | None:
    """Return the address of the host on this machine, key and all, as it has written it; None if none has."""
    try:
        return Address.parse(here(folder).read_text(encoding="ascii"))
    except (FileNotFoundError, BadAddress, UnicodeError):
        return None


def gone(file: Path, address: Address) -> None:
    """Take back what a host that ends has written there, unless another host says its own address by now."""
    try:
        if file.read_text(encoding="ascii").strip() == str(address):
            file.unlink()
    except (FileNotFoundError, UnicodeError):
        return  # it was never written, or is nobody's address


async def elsewhere(lost: Address, seconds: float) -> Address:
    """Look for so many seconds where the host of a lost line is now; what that stands on is imported when it is first needed."""
    if lost.host in LOOPBACK:
        await asyncio.sleep(seconds)
        return lost
    from .choosing import elsewhere as look

    return await look(lost, seconds)
