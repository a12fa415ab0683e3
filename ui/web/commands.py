"""The command `web`, and how a host opens the gateway beside itself. Nothing heavy is imported before one of them runs."""

from __future__ import annotations

import argparse
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from carteado.core.hookspecs import hookimpl
from carteado.net.arguments import add_web
from carteado.net.errors import NetError
from carteado.net.keys import Address


@hookimpl
def register_commands(commands: Any) -> None:
    """Add this area's commands."""
    commands.add("web", "serve the page for phones and browsers, for a host that runs without it", _web, _run_web)


def _web(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("address", nargs="?", metavar="ADDRESS", help="the host, as it was told (default: the one on this machine)")
    add_web(parser)


def _run_web(given: argparse.Namespace) -> int:
    import asyncio

    from carteado.net.choosing import at_terminal, choose

    host = choose(given.address, None, at_terminal())
    # The selector loop everywhere: ZeroMQ's sockets need it on Windows.
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        return runner.run(_serve(host, given))


async def _serve(address: Address, given: argparse.Namespace) -> int:
    from carteado.net.serving import told_to_stop

    async with opened(address, given) as urls:
        print(*urls, sep="\n", flush=True)
        await told_to_stop()
    return 0


@asynccontextmanager
async def opened(address: Address, given: argparse.Namespace) -> AsyncIterator[list[str]]:
    """Run a gateway in this loop for the host at an address; give the page's URLs, the likeliest first.

    `given` is what `add_web` reads, and `table` if there is one that the URLs are to lead to. Raises: PortTaken, BadKeyFile,
    NetError when the packages of the extra `web` are not installed.
    """
    try:
        from .gateway import Gateway
    except ModuleNotFoundError as missing:
        raise NetError(f"the page for browsers needs the package {missing.name}: pip install 'carteado[web]'") from None
    from .settings import PORT, Settings

    port = PORT if given.web_port is None else given.web_port
    settings = Settings(lan=given.lan, port=port, names=tuple(given.web_name), tls=tuple(given.web_tls) if given.web_tls else None)
    gateway = Gateway(address, settings)
    await gateway.start()
    try:
        yield gateway.urls(getattr(given, "web_table", None))
    finally:
        await gateway.stop()
