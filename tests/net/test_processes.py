"""Host and players as processes of their own: a whole match of Dez Degraus, deaths and returns in the middle of it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from carteado.net.keys import KeyPair
from carteado.net.peer import Peer

from .rooms import run

PROGRAM = Path(__file__).with_name("programs.py")
MATCH = 120.0


class Program:
    """One process and the lines it has said."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.lines: list[str] = []

    @property
    def told(self) -> list[dict[str, Any]]:
        """The lines as data."""
        return [json.loads(line) for line in self.lines]

    async def line(self, seconds: float = MATCH) -> str:
        """Return the next line."""
        assert self.process.stdout is not None
        line = (await asyncio.wait_for(self.process.stdout.readline(), seconds)).decode().strip()
        if line:
            self.lines.append(line)
        return line

    async def until(self, key: str) -> dict[str, Any]:
        """Read until a line tells something, and return it."""
        while line := await self.line():
            told: dict[str, Any] = json.loads(line)
            if key in told:
                return told
        raise AssertionError(f"it ended without telling {key}: {await self.errors()}")

    async def errors(self) -> str:
        """Return what it said to standard error."""
        assert self.process.stderr is not None
        return (await self.process.stderr.read()).decode()[-2000:]

    async def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        await self.process.wait()

    def close(self) -> None:
        """End it if it still runs."""
        if self.process.returncode is None:
            self.process.kill()


def busy() -> float:
    """Return how many times slower than alone a process runs here now, because others want the processors too."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)) if hasattr(os, "getloadavg") else 1.0


async def start(*arguments: str) -> Program:
    """Start one of the programs."""
    pipe = asyncio.subprocess.PIPE
    return Program(await asyncio.create_subprocess_exec(sys.executable, str(PROGRAM), *arguments, stdout=pipe, stderr=pipe))


@asynccontextmanager
async def programs() -> AsyncIterator[list[Program]]:
    """Collect programs; none outlives the test."""
    started: list[Program] = []
    try:
        yield started
    finally:
        for program in started:
            program.close()
            await program.process.wait()


async def opened(started: list[Program], chairs: int, **more: Any) -> str:
    """Start a host with a table of Dez Degraus; return its address."""
    host = await start("host", json.dumps({"game": "dez-degraus", "chairs": chairs, **more}))
    started.append(host)
    address = await host.line(20.0)
    assert address.startswith("tcp://"), await host.errors()
    return address


@pytest.mark.slow
def test_four_processes_play_a_whole_match_and_a_killed_player_comes_back_to_its_seat_and_cards(tmp_path: Path) -> None:
    async def test() -> None:
        async with programs() as started:
            address = await opened(started, 3)
            players = []
            for number, (name, level, stop) in enumerate((("Ana", "rule", 0), ("Rui", "naive", 30), ("Eva", "rule", 0))):
                player = await start("player", address, str(tmp_path / f"{name}.key"), name, level, str(number), str(stop))
                players.append(player)
                started.append(player)
                assert number == (await player.until("joined"))["joined"]
            ana, rui, eva = players
            watcher = Peer(address, KeyPair.make(), "Ivo", words=False)
            await watcher.connect()
            await watcher.join("t-1", "watch")
            reading = [asyncio.create_task(program.until("over")) for program in (ana, eva)]
            stopped = await rui.until("stopped")
            assert stopped
            before = rui.told[-2]
            await rui.kill()
            await watcher.until(lambda p: p.table is not None and p.table.chairs[1].line == "away")
            assert watcher.view is not None
            held = watcher.view["q"]
            again = await start("player", address, str(tmp_path / "Rui.key"), "Rui", "naive", "9", "0")
            started.append(again)
            joined = await again.until("joined")
            assert (1, False) == (joined["joined"], joined["first"])
            after = await again.until("hand")
            assert (before["q"], before["hand"], before["stage"]) == (after["q"], after["hand"], after["stage"])
            assert held == after["q"]
            ends = [await again.until("over"), *await asyncio.gather(*reading)]
            await watcher.until(lambda p: p.view is not None and p.view["phase"] == "over")
            assert ends[0] == ends[1] == ends[2]
            assert watcher.view["q"] == ends[0]["q"]
            assert watcher.view["end"]["places"] == ends[0]["places"]
            assert not [line for line in ana.told + eva.told if "joined" in line][2:]  # they never had to come back
            await watcher.close()
            for program in (ana, eva, again):
                assert 0 == await program.process.wait()

    run(test(), MATCH + 30)


@pytest.mark.parametrize("with_player", [False, True])
def test_a_host_that_is_told_to_stop_says_good_bye_and_ends_with_status_0_within_2_seconds(tmp_path: Path, with_player: bool) -> None:
    async def test() -> None:
        async with programs() as started:
            address = await opened(started, 3, bots=["rule", "rule"])
            host = started[0]
            ana = Peer(address, KeyPair.make(), "Ana", words=False)
            if with_player:
                await ana.connect()
                await ana.join("t-1")
                await ana.start()
                await ana.until(lambda p: p.view is not None)
            began = time.monotonic()
            host.process.send_signal(signal.SIGTERM)
            assert 0 == await asyncio.wait_for(host.process.wait(), 10)
            assert time.monotonic() - began < 2.0 * busy()
            if with_player:
                await ana.until(lambda p: p.line == "lost")
                assert "The host is closing." == ana.reason
                await ana.close()
            assert "" == await host.errors()

    run(test())


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.slow
def test_a_second_signal_ends_a_host_at_once() -> None:
    async def test() -> None:
        async with programs() as started:
            await opened(started, 2)
            host = started[0]
            host.process.send_signal(signal.SIGINT)
            host.process.send_signal(signal.SIGINT)
            status = await asyncio.wait_for(host.process.wait(), 5)
            assert status in (0, 130)

    run(test())
