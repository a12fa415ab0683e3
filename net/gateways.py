"""What a host opens beside itself for those who are no peers, found through the entry point group `carteado.gateways`.

A gateway is a peer of the host like any other; `net` knows none by name but the one that serves the page for browsers, `web`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from importlib.metadata import entry_points
from typing import Final, Protocol, cast

from .errors import NetError
from .keys import Address

GROUP: Final = "carteado.gateways"
WEB: Final = "web"
SAYS: Final = "web"
"""The word before the page's addresses on the second line of a host that was started by another program."""


class Gateway(Protocol):
    """What an entry point of the group leads to."""

    def opened(self, address: Address, given: argparse.Namespace) -> AbstractAsyncContextManager[Sequence[str]]:
        """Run beside the host at this address, in the running loop; give the URLs under which it is reached, the likeliest first."""

    def invitation(self, urls: Sequence[str], lan: bool) -> str:
        """Return what is shown to people so that they come: a few lines for a terminal."""


def gateway(name: str = WEB) -> Gateway:
    """Return an installed gateway. Raises: NetError."""
    for entry in entry_points(group=GROUP):
        if entry.name == name:
            return cast(Gateway, entry.load())
    raise NetError(f"nothing is installed that opens {name!r} beside a host")
