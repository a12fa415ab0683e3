"""Computers on a network of their own: network namespaces, joined by a bridge and veth links, all made and removed by a test.

    with network("ana", "rui") as net:
        net["ana"].run(["carteado", "find"])      # 10.77.0.1 and fd77::1
        net["rui"].link_down()

It needs the right to make namespaces (root, or CAP_NET_ADMIN and CAP_SYS_ADMIN); `permitted` says why it may not.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, Protocol, TypeVar

import pytest

T = TypeVar("T")
NET4, NET6 = "10.77.0", "fd77:"
_SECONDS = 20.0


class Do(Protocol):
    """Run a coroutine to its end on a machine's loop."""

    def __call__(self, work: Coroutine[Any, Any, Any], seconds: float = ...) -> Any:
        """Return what it returns. Raises: what it raises; TimeoutError."""


def ip(*words: str) -> str:
    """Run `ip` and return what it says. Raises: CalledProcessError."""
    done = subprocess.run(["ip", *words], check=True, capture_output=True, text=True, timeout=_SECONDS)
    return done.stdout


@cache
def permitted() -> str:
    """Return '' where namespaces can be made, else why they cannot, in a few words."""
    if sys.platform != "linux" or shutil.which("ip") is None:
        return "needs Linux and iproute2"
    name = f"ct-try-{os.getpid()}"
    try:
        ip("netns", "add", name)
        ip("-n", name, "link", "add", "name", "sw", "type", "bridge")
        ip("-n", name, "link", "add", "name", "left", "type", "veth", "peer", "name", "right")
    except (subprocess.SubprocessError, OSError) as error:
        told = getattr(error, "stderr", "") or str(error)
        return f"network namespaces cannot be made here: {told.strip()[:120]}"
    finally:
        subprocess.run(["ip", "netns", "delete", name], check=False, capture_output=True, timeout=_SECONDS)
    return ""


needs_namespaces = pytest.mark.skipif(bool(permitted()), reason=permitted() or "namespaces can be made")
"""Mark for tests that cross a real network; the reason shows where that is not possible."""


class Machine:
    """One namespace with one network card `eth0`, at 10.77.0.N and fd77::N."""

    def __init__(self, name: str, space: str, number: int, bridge: str) -> None:
        self.name = name
        self.space = space
        self.address = f"{NET4}.{number}"
        self.address6 = f"{NET6}:{number}"
        self._port = f"p{number}"
        self._bridge = bridge

    def ip(self, *words: str) -> str:
        """Run `ip` on this machine."""
        return ip("-n", self.space, *words)

    def command(self, words: Sequence[str]) -> list[str]:
        """Return a command line that runs on this machine."""
        return ["ip", "netns", "exec", self.space, *words]

    def run(self, words: Sequence[str], timeout: float = 30.0, **more: Any) -> subprocess.CompletedProcess[str]:
        """Run a program on this machine to its end."""
        return subprocess.run(self.command(words), capture_output=True, text=True, timeout=timeout, check=False, **more)

    def start(self, words: Sequence[str], **more: Any) -> subprocess.Popen[str]:
        """Start a program on this machine, with pipes for what it says."""
        more = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, **more}
        return subprocess.Popen(self.command(words), **more)

    def inside(self, work: Callable[[], T]) -> T:
        """Call a function in a thread that lives on this machine: every socket it makes is one of this machine."""
        result: list[T] = []
        failure: list[BaseException] = []

        def enter() -> None:
            try:
                with open(f"/run/netns/{self.space}", "rb") as space:
                    if ctypes.CDLL(None, use_errno=True).setns(space.fileno(), 0x4000_0000) != 0:
                        raise OSError(ctypes.get_errno(), "setns")
                result.append(work())
            except BaseException as error:  # noqa: BLE001 - the test's own thread raises it again
                failure.append(error)

        thread = threading.Thread(target=enter, name=self.name)
        thread.start()
        thread.join()
        if failure:
            raise failure[0]
        return result[0]

    @contextmanager
    def loop(self) -> Iterator[Do]:
        """Run an event loop in a thread that lives on this machine; give a function that runs a coroutine there."""
        ready: threading.Event = threading.Event()
        loops: list[asyncio.AbstractEventLoop] = []

        async def live() -> None:
            loops.append(asyncio.get_running_loop())
            over.append(asyncio.Event())
            ready.set()
            await over[0].wait()

        over: list[asyncio.Event] = []
        thread = threading.Thread(target=lambda: self.inside(lambda: asyncio.run(live())), name=f"{self.name} loop")
        thread.start()
        try:
            assert ready.wait(_SECONDS)

            def do(work: Coroutine[Any, Any, Any], seconds: float = _SECONDS) -> Any:
                return asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, seconds), loops[0]).result(seconds + 5)

            yield do
        finally:
            loops[0].call_soon_threadsafe(over[0].set)
            thread.join(_SECONDS)

    def link_down(self) -> None:
        """Pull the cable: nothing tells the programs."""
        ip("-n", self._bridge, "link", "set", self._port, "down")

    def link_up(self) -> None:
        """Put the cable in again."""
        ip("-n", self._bridge, "link", "set", self._port, "up")

    def move(self, number: int) -> None:
        """Get other addresses, as from another access point; the old ones are gone at once."""
        self.ip("address", "flush", "dev", "eth0", "scope", "global")
        self.address, self.address6 = f"{NET4}.{number}", f"{NET6}:{number}"
        self.ip("address", "add", f"{self.address}/24", "dev", "eth0")
        self.ip("-6", "address", "add", f"{self.address6}/64", "dev", "eth0", "nodad")

    def add_card(self, name: str, address: str) -> None:
        """Add a network card that leads nowhere, as of a VPN or a container bridge, with an address like `172.17.0.1/16`."""
        self.ip("link", "add", name, "type", "bridge")
        self.ip("address", "add", address, "dev", name)
        self.ip("link", "set", name, "up")

    def only_ipv6(self) -> None:
        """Lose every IPv4 address."""
        self.ip("-4", "address", "flush", "dev", "eth0")

    def no_multicast(self) -> None:
        """Let no multicast packet reach this machine any more, as guest networks do; broadcasts and all else still do."""
        subprocess.run(
            ["ip", "netns", "exec", self._bridge, "bridge", "link", "set", "dev", self._port, "mcast_flood", "off"],
            check=True, timeout=_SECONDS,
        )  # fmt: skip


@contextmanager
def network(*names: str) -> Iterator[dict[str, Machine]]:
    """Make one machine for each name, all on one switch."""
    tag = f"ct{os.getpid() % 100_000}{os.urandom(2).hex()}"
    bridge, spaces = f"{tag}-sw", []
    machines: dict[str, Machine] = {}
    try:
        ip("netns", "add", bridge)
        spaces.append(bridge)
        ip("-n", bridge, "link", "add", "sw", "type", "bridge", "mcast_snooping", "0")
        ip("-n", bridge, "link", "set", "sw", "up")
        for number, name in enumerate(names, 1):
            space = f"{tag}-{number}"
            ip("netns", "add", space)
            spaces.append(space)
            ip("-n", bridge, "link", "add", f"p{number}", "type", "veth", "peer", "name", "eth0", "netns", space)
            ip("-n", bridge, "link", "set", f"p{number}", "master", "sw", "up")
            machine = machines[name] = Machine(name, space, number, bridge)
            # Addresses are usable at once: no time is lost on looking for twins of them.
            machine.run(["sysctl", "-qw", "net.ipv6.conf.all.accept_dad=0", "net.ipv6.conf.eth0.accept_dad=0"])
            machine.ip("link", "set", "lo", "up")
            machine.ip("address", "add", f"{machine.address}/24", "dev", "eth0")
            machine.ip("-6", "address", "add", f"{machine.address6}/64", "dev", "eth0", "nodad")
            machine.ip("link", "set", "eth0", "up")
        yield machines
    finally:
        for space in reversed(spaces):
            with contextlib.suppress(subprocess.SubprocessError):
                ip("netns", "delete", space)
