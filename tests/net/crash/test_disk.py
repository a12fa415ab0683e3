"""A real host whose disk is full or locked: the tables wait and say so, and go on by themselves with everything they were told."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from ..rooms import run, soon
from .load import Box, Player, boxed, everybody_goes_on, players, truth

TABLE = {"game": "high-card", "id": "t-1", "chairs": 2, "options": {"hands": 40}}
STORE = "store.db"
Work = Callable[[Box, list[Player]], Awaitable[Any]]
Trouble = Callable[[Box, Path, list[Player]], AbstractAsyncContextManager[None]]


def playing(tmp_path: Path, work: Work, disk: Path | None = None) -> None:
    """Do something to a host on which two people play, then compare what they were told with what it has kept (on this disk)."""

    async def test() -> None:
        store = str((disk or tmp_path) / STORE)
        async with boxed(tmp_path, store, [TABLE]) as box:
            address = await box.start()
            assert address is not None
            async with players(address, {"t-1": (2, "random")}) as everybody:
                await everybody_goes_on(everybody)
                await work(box, everybody)
                if box.process is not None:
                    await box.kill()
                found = truth(store, everybody)
                assert ([], [], []) == (found.lost, found.doubled, found.untrue)
                assert found.acknowledged > 2

    run(test(), 120)


async def frozen(everybody: list[Player], yes: bool) -> None:
    """Wait until everybody is shown that the host cannot save, or that it can again."""
    await soon(lambda: all(one.peer.table and (one.peer.table.stage == "frozen") == yes for one in everybody), 30)


@asynccontextmanager
async def full(box: Box, store: Path, everybody: list[Player]) -> AsyncIterator[None]:
    """Leave the host's files no room to grow; give when everybody has noticed, and make room again if the host still lives then."""
    import resource

    assert box.process is not None
    process = box.process
    before = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (store.with_name(f"{store.name}-wal").stat().st_size, before[1]))
    await frozen(everybody, True)
    yield
    if process.returncode is None:
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, before)


@asynccontextmanager
async def locked(box: Box, store: Path, everybody: list[Player]) -> AsyncIterator[None]:
    """Let another program hold the store; give when everybody has noticed, and let go of it in the end."""
    other = sqlite3.connect(store, isolation_level=None, timeout=20)
    other.execute("BEGIN IMMEDIATE")
    try:
        await frozen(everybody, True)
        yield
    finally:
        other.close()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Give a disk of a few megabytes of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder], capture_output=True, text=True, check=False)
    if mounted.returncode:
        pytest.skip(f"no disk can be mounted here: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


@asynccontextmanager
async def filled(store: Path, everybody: list[Player]) -> AsyncIterator[None]:
    """Leave no room at all on the store's disk; give when everybody has noticed, and make room again in the end."""
    rest = store.with_name("rest")
    with rest.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(4096))
    try:
        await frozen(everybody, True)
        yield
    finally:
        rest.unlink()


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="limits of another process can be set on Linux only")


@pytest.mark.slow
@on_linux
def test_a_host_whose_disk_is_full_waits_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    async def work(box: Box, everybody: list[Player]) -> None:
        async with full(box, tmp_path / STORE, everybody):
            held = [(one.peer.view or {})["q"] for one in everybody]
            acked = [len(one.acked) for one in everybody]
            await asyncio.sleep(0.3)
            assert held == [(one.peer.view or {})["q"] for one in everybody]
            assert acked == [len(one.acked) for one in everybody]
        await frozen(everybody, False)
        await everybody_goes_on(everybody)

    playing(tmp_path, work)


@pytest.mark.slow
def test_a_host_whose_store_is_locked_by_another_program_goes_on_when_that_lets_go(tmp_path: Path) -> None:
    async def work(box: Box, everybody: list[Player]) -> None:
        async with locked(box, tmp_path / STORE, everybody):
            pass
        await frozen(everybody, False)
        await everybody_goes_on(everybody)

    playing(tmp_path, work)


@pytest.mark.slow
@pytest.mark.parametrize("trouble", [pytest.param(full, marks=on_linux), locked], ids=["full", "locked"])
def test_a_host_that_is_killed_while_its_disk_is_full_or_its_store_locked_has_lost_nothing_that_it_had_answered(
    tmp_path: Path, trouble: Trouble
) -> None:
    async def work(box: Box, everybody: list[Player]) -> None:
        async with trouble(box, tmp_path / STORE, everybody):
            await box.kill()
        await box.start()
        await everybody_goes_on(everybody)

    playing(tmp_path, work)


@pytest.mark.slow
@on_linux
def test_a_host_that_is_killed_when_nothing_fits_on_its_disk_any_more_starts_once_there_is_room_and_has_lost_nothing(
    tmp_path: Path, disk: Path
) -> None:
    async def work(box: Box, everybody: list[Player]) -> None:
        async with filled(disk / STORE, everybody):
            await box.kill()
            await box.start(wait=False)
            assert 1 == await box.dead()
            assert "the disk is full" in (tmp_path / "errors").read_text(encoding="utf-8").splitlines()[-1]
        await box.start()
        await everybody_goes_on(everybody)

    playing(tmp_path, work, disk)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_host_that_is_told_to_end_under_load_ends_in_good_order_and_the_next_one_goes_on(tmp_path: Path) -> None:
    async def work(box: Box, everybody: list[Player]) -> None:
        assert box.process is not None
        box.process.send_signal(signal.SIGTERM)
        assert 0 == await box.dead()
        assert {"lost"} == {one.peer.line for one in everybody}
        assert [["shutdown"]] * len(everybody) == [one.peer.farewells for one in everybody]
        await box.start()
        await everybody_goes_on(everybody)

    playing(tmp_path, work)
