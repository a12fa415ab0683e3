"""The command `web`: the page for a host that runs without it. Nothing heavy is imported before it runs."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from carteado.core.hookspecs import hookimpl
from carteado.net.arguments import add_web

if TYPE_CHECKING:
    from carteado.net.keys import Address


@hookimpl
def register_commands(commands: Any) -> None:
    """Add this area's commands."""
    commands.add("web", "serve the page for phones and browsers, for a host that runs without it", _web, _run_web)


def _web(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("address", nargs="?", metavar="ADDRESS", help="the host, as it was told (default: the one on this machine)")
    add_web(parser, choose=False)


def _run_web(given: argparse.Namespace) -> int:
    import asyncio

    from carteado.net.choosing import at_terminal, choose

    host = choose(given.address, None, at_terminal())
    # The selector loop everywhere: ZeroMQ's sockets need it on Windows.
    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        return runner.run(_serve(host, given))


async def _serve(address: Address, given: argparse.Namespace) -> int:
    import asyncio

    from carteado.ui.terminal.signals import on_signals

    from .beside import invitation, opened

    told = asyncio.Event()
    async with opened(address, given) as urls:
        print(invitation(urls, given.lan), flush=True)
        with on_signals(asyncio.get_running_loop(), lambda _: told.set()):
            await told.wait()
    return 0
