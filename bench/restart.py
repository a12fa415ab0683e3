"""How soon a host that has kept many running matches is there again, and how long its loop is kept from anything else.

    python bench/restart.py [--tables 100] [--entries 300] [--runs 3] [--json]

A store in a file is filled with so many tables, each with a running match of so many entries, a person and two computer players. Then a
host is started on it in a process of its own, alternately in two ways: as it is, and (`eager`) after everything was read and replayed
once in that process, as a host would have to that brings all matches back before it listens. The clock runs from the start of the
process until a peer's hello is answered, and until that peer, who has a chair at the last table, has its view. The host says when all
matches are back, and the longest time (wall clock, and CPU of its loop alone, which other programs do not lengthen) for which its loop
was not to be had until then. At last, in processes of their own, all installed games are loaded in a loop and beside it (`stock`).
Medians of all runs; the last line is one JSON object whose `ratio` is eager over lazy for the view; with `--json` it is the only one.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tables import say

from carteado.core.bots import player
from carteado.core.journal import Journal
from carteado.core.loader import load
from carteado.core.match import DEALING, OVER, Match
from carteado.core.replay import replay
from carteado.net.collector import calm_collector
from carteado.net.host import Host, serve
from carteado.net.keys import Address, KeyPair
from carteado.net.peer import Peer
from carteado.net.rates import DoorRules, Rates
from carteado.net.settings import HostConfig
from carteado.net.shelf import Shelf
from carteado.net.sql.place import Place
from carteado.net.sql.store import SqlStore
from carteado.net.store import ChairRecord, EntryRecord, MatchRecord, Record, TableRecord

NAMES = ("Ana", "Ada", "Bento")
NAP = 0.001
"""Seconds that the loop is asked to wake up after; what it is late by is what it was kept from."""


def running(game: Any, table: str, entries: int, seed: int) -> Match:
    """Return a match of random moves that goes on after so many entries."""
    rng, chooser = random.Random(seed), player(game, "random")
    match = Match(game, {}, [{"name": name, "bot": None if name == "Ana" else "rule"} for name in NAMES], table)
    while match.q < entries and match.phase != OVER:
        if match.phase == DEALING:
            match.deal(rng.randbytes(32), {"host": "system"})
        else:
            seat, prompt = next(iter(match.prompts.items()))
            match.act(seat, prompt.id, chooser.choose(match.view(seat, captions=False), rng))
    return match


def records(match: Match, key: bytes) -> list[Record]:
    """Return what a host keeps of a table with this match, a person of this key on the first chair."""
    chairs = [
        ChairRecord(key if seat == 0 else bytes([seat]) * 32, name, "rule" if seat else None, seat > 0, bytes(32) if not seat else None,
                    False, False)
        for seat, name in enumerate(NAMES)
    ]  # fmt: skip
    players = (key, None, None)
    kept = TableRecord(
        match.id, match.game.name, match.game.version, match.options, (), "seated", None, 1, False, 3, tuple(chairs), players=players,
        ref=match.id,
    )  # fmt: skip
    lines = [EntryRecord(match.id, 1, n, entry) for n, entry in enumerate(match.journal.entries)]
    return [kept, MatchRecord(match.id, 1, match.journal.header), *lines]


async def fill(file: Path, given: argparse.Namespace, key: bytes) -> None:
    """Fill a store; the last table is the one where the peer has its chair."""
    game, store = load(given.game), opened(file)
    for number in range(given.tables):
        last = number == given.tables - 1
        match = running(game, f"t-{number:03}", given.entries, number)
        await store.commit(records(match, key if last else number.to_bytes(32, "big")))
    await store.close()


def opened(file: Path) -> SqlStore:
    """Return an open store."""
    store = SqlStore(Place.parse(str(file)), "bench")
    store.open()
    return store


async def replayed(file: Path) -> list[Match]:
    """Bring everything back before anything else."""
    store = opened(file)
    kept = [await store.whole(each.table.id) for each in await store.load()]
    await store.close()
    return [
        replay(Journal(dict(each.header or {}), [dict(entry) for entry in each.entries]), load(each.table.game))
        for each in kept if each is not None
    ]  # fmt: skip


async def stalls(until: Callable[[], bool]) -> dict[str, float]:
    """Return by how many ms at most the loop was late, and how many of them it was itself at work, until something holds."""
    wall = cpu = 0.0
    while not until():
        began, worked = time.perf_counter(), time.thread_time()
        await asyncio.sleep(NAP)
        wall, cpu = max(wall, time.perf_counter() - began - NAP), max(cpu, time.thread_time() - worked)
    return {"stall_ms": wall * 1000, "stall_cpu_ms": cpu * 1000}


def host(pipe: Connection, file: Path, eager: bool) -> None:
    """Run a host; tell its address, then what came of bringing the matches back."""
    asyncio.run(_host(pipe, file, eager))


async def _host(pipe: Connection, file: Path, eager: bool) -> None:
    held = await replayed(file) if eager else []
    config = HostConfig(port=0, keys=KeyPair.make(), door=DoorRules(rates=Rates.none()), tables=())
    running: Host = await serve(config, opened(file))
    calm_collector()  # as the program does
    pipe.send(str(running.address))
    late = await stalls(lambda: not len(running.returning))
    pipe.send({**late, "held": len(held)})
    await asyncio.get_running_loop().run_in_executor(None, pipe.recv)
    await running.stop()


async def started(file: Path, keys: KeyPair, table: str, eager: bool) -> dict[str, float]:
    """Start a host; return the seconds until hello, view, and all matches, and how late its loop was."""
    near, far = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=host, args=(far, file, eager))
    loop, began = asyncio.get_running_loop(), time.perf_counter()
    process.start()
    try:
        peer = Peer(Address.parse(await loop.run_in_executor(None, near.recv)), keys, "Ana", words=False)
        await peer.connect()
        hello = time.perf_counter() - began
        await peer.join(table)
        await peer.until(lambda peer: peer.view is not None)
        view = time.perf_counter() - began
        told: dict[str, float] = await loop.run_in_executor(None, near.recv)
        everything = time.perf_counter() - began
        await peer.close()
        return {"hello_s": hello, "view_s": view, "all_s": everything, **told}
    finally:
        with suppress(OSError):
            near.send(True)
        await loop.run_in_executor(None, process.join, 20)
        if process.is_alive():
            process.kill()


def stocked(pipe: Connection, beside: bool) -> None:
    """Load all games, beside the loop or in it; tell by how many ms at most the loop was late."""
    pipe.send(asyncio.run(_stocked(beside)))


async def _stocked(beside: bool) -> dict[str, float]:
    shelf, watching = Shelf(None), asyncio.create_task(stalls(lambda: shelf.stocked))
    await asyncio.sleep(NAP)
    if not beside:
        shelf.rows()
        shelf.house()
    await shelf.stock()
    return await watching


def loaded(beside: bool) -> dict[str, float]:
    """Load all games in a fresh process."""
    near, far = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=stocked, args=(far, beside))
    process.start()
    told: dict[str, float] = near.recv()
    process.join()
    return told


def medians(runs: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the median of each figure; of how late the loop was, the worst."""
    return {
        name: round(max(run[name] for run in runs) if name.startswith("stall") else statistics.median(run[name] for run in runs), 3)
        for name in runs[0]
    }


async def bench(given: argparse.Namespace) -> dict[str, Any]:
    """Measure all of it."""
    keys = KeyPair.make()
    with tempfile.TemporaryDirectory() as folder:
        file, last = Path(folder) / "store.db", f"t-{given.tables - 1:03}"
        await fill(file, given, keys.public)
        runs: dict[bool, list[dict[str, float]]] = {False: [], True: []}
        for number in range(2 * given.runs):
            copy, eager = Path(folder) / f"{number}.db", number % 2 == 1
            copy.write_bytes(file.read_bytes())
            runs[eager].append(await started(copy, keys, last, eager))
    lazy, eager_ = medians(runs[False]), medians(runs[True])
    games = {beside: medians([loaded(beside) for _ in range(given.runs)]) for beside in (False, True)}
    say(given, f"{given.tables} matches of {given.entries} entries:")
    for name, figures in (("lazy", lazy), ("eager", eager_)):
        say(given, f"  {name:5}  hello {figures['hello_s']:.2f} s, view {figures['view_s']:.2f} s, all back {figures['all_s']:.1f} s")
    say(given, f"  the loop was late by {lazy['stall_ms']:.1f} ms at most, itself at work for {lazy['stall_cpu_ms']:.1f} ms of them")
    say(given, f"games loaded in the loop: it is late by {games[False]['stall_ms']:.0f} ms; beside it: {games[True]['stall_ms']:.0f} ms")
    return {
        "tables": given.tables, "entries": given.entries, "lazy": lazy, "eager": eager_, "games_in_loop": games[False],
        "games_beside": games[True], "games_ratio": round(games[False]["stall_ms"] / max(0.001, games[True]["stall_ms"]), 1),
        "hello_ratio": round(eager_["hello_s"] / lazy["hello_s"], 2), "ratio": round(eager_["view_s"] / lazy["view_s"], 2),
    }  # fmt: skip


def main() -> int:
    """Run the bench; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--entries", type=int, default=300)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--game", default="dez-degraus")
    parser.add_argument("--json", action="store_true")
    print(json.dumps(asyncio.run(bench(parser.parse_args()))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
