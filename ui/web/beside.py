"""What a host opens beside itself for browsers, and what it shows so that people come: the entry point `web` of `carteado.gateways`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from carteado.net.errors import NetError
from carteado.net.keys import Address

from .settings import PORT, Settings

_MISSING = "the page for browsers needs the package {}: install carteado with the extra web (pip install '.[web]')"


@asynccontextmanager
async def opened(address: Address, given: argparse.Namespace) -> AsyncIterator[list[str]]:
    """Run a gateway in this loop for the host at an address; give the page's URLs, the likeliest first.

    `given` is what `add_web` reads, and `web_table` if there is one table that the URLs are to lead to. Raises: PortTaken, BadKeyFile,
    NetError when the packages of the extra `web` are not installed, or a file for https cannot be read.
    """
    try:
        from .gateway import Gateway
    except ModuleNotFoundError as missing:
        raise NetError(_MISSING.format(missing.name)) from None
    port = PORT if given.web_port is None else given.web_port
    tls = (given.web_tls[0], given.web_tls[1]) if given.web_tls else None
    gateway = Gateway(address, Settings(lan=given.lan, port=port, names=tuple(given.web_name), tls=tls))
    try:
        try:
            await gateway.start()
        except OSError as error:  # certificate and key are read here
            tried = " and ".join(map(str, given.web_tls or ()))
            raise NetError(f"the page cannot be served by https with {tried}: {error.strerror}") from None
        yield gateway.urls(getattr(given, "web_table", None))
    finally:
        await gateway.stop()


def invitation(urls: Sequence[str], lan: bool) -> str:
    """Return what people are shown so that they come: the code to scan (for a network), the address to type, the code of the table."""
    first, *others = urls
    typed, _, code = first.partition("/m/")
    told = ["Phones and browsers:", "", typed]
    if code:
        told += ["", f"code of the table: {code}"]
    if others:
        told += ["", "or, if that does not open:", *(other.partition("/m/")[0] for other in others)]
    if not lan:
        return "\n".join(["Browsers on this machine (--lan lets in the network):", first])
    told += ["", "A phone that never arrives? Guest networks", "keep devices apart; firewalls close ports."]
    try:
        from .qr import capitals, drawn
    except ModuleNotFoundError as missing:
        raise NetError(_MISSING.format(missing.name)) from None
    if not (sys.stdout.encoding or "").lower().startswith("utf"):
        return "\n".join(line for line in told if line)
    return drawn(capitals(first), told)
