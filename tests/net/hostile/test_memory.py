"""T09: a message of endless frames, sent to a real host that something supervises: `carteado host` with a limit of memory."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import zmq
import zmq.asyncio

from carteado.net.admin import Line, find
from carteado.net.keys import Address, KeyPair
from carteado.net.orders import RESTART

from ..crash.load import Player, everybody_goes_on, players, truth
from ..rooms import Raw, run, soon

MALLORY = "127.0.0.2"
FRAME, FRAMES = bytes(60_000), 20_000
"""A message of more than a gigabyte: a host that may hold a seventh of that never sees its end."""
MEMORY = 160
PATIENT = [word for name in ("commands", "messages", "returns", "snaps", "snaps_all") for word in ("--limit", f"{name}=0")]
"""Honest players may play as fast as programs do."""


class Supervised:
    """A host that is started again whenever it ends with the status that asks for it. statuses: with which it has ended so far."""

    def __init__(self, home: Path, store: Path, port: int = 0) -> None:
        self.home = home
        self.port = port
        self.statuses: list[int] = []
        self.addresses: list[Address] = []
        self.log = home / "log"
        self._store = store
        self._process: asyncio.subprocess.Process | None = None

    async def run(self) -> None:
        """Start the host again and again."""
        while not self.statuses or self.statuses[-1] == RESTART:
            words = [
                "host", "dez-degraus", "--headless", "--bind", "127.0.0.1", "--port", str(self.port), "--players", "2", "--pace", "0",
                "--hand-pause", "0", "--store", str(self._store), "--memory", str(MEMORY), *PATIENT,
            ]  # fmt: skip
            with self.log.open("ab") as log:
                self._process = await asyncio.create_subprocess_exec(
                    sys.executable, "-m", "carteado.cli", *words, stdout=asyncio.subprocess.PIPE, stderr=log,
                    env=os.environ | {"CARTEADO_HOME": str(self.home)},
                )  # fmt: skip
            assert self._process.stdout is not None
            if line := (await self._process.stdout.readline()).decode().strip():
                self.addresses.append(Address.parse(line))
                self.port = self.addresses[-1].port
            self.statuses.append(await self._process.wait())

    async def ordered(self, *words: str) -> Any:
        """Return what the host answers its operator."""

        def ask() -> Any:
            with Line(find(self.port)) as line:
                return line.ask(list(words))

        return await asyncio.to_thread(ask)

    async def stop(self) -> None:
        """Tell the host to end."""
        if self._process is not None and self._process.returncode is None:
            self._process.terminate()
            await self._process.wait()


@asynccontextmanager
async def supervised(home: Path, store: Path) -> AsyncIterator[Supervised]:
    """Give a supervised host that listens."""
    host = Supervised(home, store)
    supervising = asyncio.create_task(host.run())
    try:
        await soon(lambda: host.addresses or supervising.done(), 30)
        yield host
    finally:
        await host.stop()
        await asyncio.wait_for(supervising, 30)


@asynccontextmanager
async def from_elsewhere(address: Address, keys: KeyPair | None = None) -> AsyncIterator[Raw]:
    """Connect a hostile peer from another address than the honest ones."""
    raw = Raw(address, keys)
    raw.socket.disconnect(raw.socket.getsockopt_string(zmq.LAST_ENDPOINT))
    raw.socket.connect(f"tcp://{MALLORY}:0;{address.host}:{address.port}")
    try:
        yield raw
    finally:
        raw.close()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts the bytes of a connection, and has all of 127.0.0.0/8")
def test_t09_a_message_without_end_costs_one_restart_and_its_sender_the_way_in_while_the_others_play_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARTEADO_HOME", str(tmp_path))
    store = tmp_path / "store.db"

    async def test() -> list[Player]:
        async with supervised(tmp_path, store) as host:
            async with players(host.addresses[0], {"t-1": (2, "random")}) as everybody:
                await everybody_goes_on(everybody)
                async with from_elsewhere(host.addresses[0]) as mallory:
                    await mallory.hello()
                    sending = asyncio.ensure_future(mallory.socket.send_multipart([FRAME] * FRAMES, copy=False))
                    await soon(lambda: len(host.addresses) == 2, 60)
                    assert [RESTART] == host.statuses
                    await everybody_goes_on(everybody)
                    sending.cancel()
                banned = await host.ordered("bans")
                assert {("address", MALLORY, "host", True)} <= {(ban["kind"], ban["who"], ban["by"], ban["kept"]) for ban in banned}
                async with from_elsewhere(host.addresses[0]) as again:
                    refused = again.socket.get_monitor_socket(zmq.EVENT_HANDSHAKE_FAILED_AUTH)
                    await asyncio.wait_for(refused.recv_multipart(), 10)
                    again.socket.disable_monitor()
                await everybody_goes_on(everybody)
                await everybody_goes_on(everybody)
                assert 2 == len(host.addresses)
                assert ["live", "live"] == [one.peer.line for one in everybody]
            return everybody

    everybody = run(test(), 150)
    found = truth(str(store), everybody)
    assert ([], [], []) == (found.lost, found.doubled, found.untrue)
    log = (tmp_path / "log").read_text(encoding="utf-8")
    assert f"may hold {MEMORY}; it ends, saved, to be started again" in log
    assert f"MB came from {MALLORY}, which is banned" in log
    assert log.count("\n") < 20, log  # R3
