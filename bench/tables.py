"""What two hundred tables cost beside one: the time from a command to its view, memory, and what idle tables take.

    python bench/tables.py [--tables 200] [--seconds 20] [--warm 5] [--idle 200] [--game dez-degraus] [--json]

A real host runs in a process of its own on one core, its store in memory, with so many tables: at each, one scripted person and two
computer players of the house, who move at the pace of people (0.8 s; the person after 0.5 to 1.5 s). The clock runs from a person's
command until the view that came of it is there. The same is measured with one table (which moves faster, until there are enough commands),
then with all of them. Idle tables are open tables where nobody sits. The last line is one JSON
object whose `ratio` is the p99 of all tables over the median of one; with `--json` it is the only one. `machine_late_ms` says how
late this process itself was woken at worst (p99): where that is more than a few, others use the machine and the ratio says little.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import statistics
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

import zmq.asyncio

from carteado.core.bots import player
from carteado.core.loader import load
from carteado.net.collector import calm_collector
from carteado.net.guard import more_files
from carteado.net.host import serve
from carteado.net.keys import Address, KeyPair
from carteado.net.meters import resident
from carteado.net.peer import Peer
from carteado.net.rates import DoorRules, Rates
from carteado.net.settings import HostConfig, TableSpec

TARGET = 10.0
ENOUGH = 40
"""Commands of the single table from which its median is taken."""
WARM, QUIET = 5.0, 3.0
"""Seconds until all tables are at play, which are not measured; seconds in which idle tables are."""
CLOCK = os.sysconf("SC_CLK_TCK")


def host(pipe: Connection, game: str, tables: int, idle: int, core: int) -> None:
    """Run a host on one core; tell its address, then CPU seconds and resident bytes as often as it is asked."""
    with suppress(AttributeError, OSError):
        os.sched_setaffinity(0, {core})
    more_files()
    asyncio.run(_host(pipe, game, tables, idle))


async def _host(pipe: Connection, game: str, tables: int, idle: int) -> None:
    specs = [TableSpec(game, id=f"t-{n}", chairs=3, bots=("rule", "rule")) for n in range(tables)]
    specs += [TableSpec(game, id=f"idle-{n}", chairs=3) for n in range(idle)]
    pace = 0.8 if tables > 1 else 0.05  # one table at people's pace would take minutes
    config = HostConfig(port=0, keys=KeyPair.make(), tables=tuple(specs), pace=pace, hand_pause=0.5, door=DoorRules(rates=Rates.none()))
    running = await serve(config)
    calm_collector()  # as the program does
    pipe.send(str(running.address))
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, pipe.recv):
        pipe.send((time.process_time(), resident(), running.meters.versions))
    await running.stop()


class Person:
    """A scripted person at a table. took: seconds from each command to its view."""

    def __init__(self, address: str, number: int, context: zmq.asyncio.Context, game: Any, rest: tuple[float, float]) -> None:
        self.took: list[float] = []
        self._peer = Peer(Address.parse(address), KeyPair.make(), f"P{number}", words=False, feed=False, context=context)
        self._table = f"t-{number}"
        self._rng = random.Random(number)
        self._player = player(game, "rule")
        self._rest = rest

    async def play(self) -> None:
        """Sit down and play match after match until cancelled."""
        peer = self._peer
        await peer.connect()
        try:
            await peer.join(self._table)
            await peer.ready()
            changes = peer.changes()
            while True:
                if peer.table is not None and peer.table.stage in ("between", "over"):
                    await peer.ready()
                if peer.view is not None and peer.view["prompts"]:
                    await self._move(peer.view)
                elif await anext(changes, None) is None:
                    return
        finally:
            await peer.close()

    async def _move(self, view: dict[str, Any]) -> None:
        await asyncio.sleep(self._rng.uniform(*self._rest))
        action = self._player.choose(view, self._rng)
        q, began = view["q"], time.perf_counter()
        answer = await self._peer.act(view["prompts"][0]["id"], action)
        await self._peer.until(lambda peer: peer.view is not None and (peer.view["q"] > q or not answer.accepted))
        self.took.append(time.perf_counter() - began)


async def measured(given: argparse.Namespace, tables: int, seconds: float, enough: int = 0, idle: int = 0) -> dict[str, Any]:
    """Let so many tables play; return latencies and what the host took."""
    near, far = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=host, args=(far, given.game, tables, idle, given.core))
    process.start()
    address = await asyncio.get_running_loop().run_in_executor(None, near.recv)
    context = zmq.asyncio.Context()
    context.max_sockets = 4 * tables + 64
    rest = (0.5, 1.5) if tables > 1 else (0.0, 0.2)
    game = load(given.game)
    people = [Person(address, number, context, game, rest) for number in range(tables)]
    tasks = [asyncio.create_task(person.play()) for person in people]
    try:
        await asyncio.sleep(given.warm)
        for person in people:
            person.took.clear()
        before, began = _asked(near), time.perf_counter()
        naps: list[float] = []
        while time.perf_counter() - began < seconds or sum(len(person.took) for person in people) < enough:
            slept = time.perf_counter()
            await asyncio.sleep(0.01)
            naps.append(time.perf_counter() - slept - 0.01)
        after, took = _asked(near), time.perf_counter() - began
        for task in tasks:
            if task.done():
                task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        context.destroy(linger=0)
        near.send(False)
        await asyncio.get_running_loop().run_in_executor(None, process.join, 20)
        if process.is_alive():
            process.kill()
    times = sorted(time for person in people for time in person.took)
    return {"ms": [round(time * 1000, 3) for time in times], "cpu": (after[0] - before[0]) / took, "rss": after[1],
            "versions": (after[2] - before[2]) / took, "late": share(sorted(naps), 0.99)}  # fmt: skip


def _asked(pipe: Connection) -> tuple[float, int, int]:
    pipe.send(True)
    told: tuple[float, int, int] = pipe.recv()
    return told


def share(times: Sequence[float], part: float) -> float:
    """Return the time below which this part of all lies."""
    return times[min(len(times) - 1, int(len(times) * part))]


def answered(figures: Mapping[str, Any], given: argparse.Namespace) -> None:
    """Raise SystemExit in words when nothing was measured."""
    if not figures["ms"]:
        raise SystemExit(f"Nobody's command was answered within {given.seconds} seconds; give it more (--seconds).")


async def bench(given: argparse.Namespace) -> dict[str, Any]:
    """Measure one table, all of them, and idle ones."""
    one = await measured(given, 1, 1.0, ENOUGH)
    answered(one, given)
    say(given, f"1 table:    {len(one['ms'])} commands, median {statistics.median(one['ms'])} ms, p99 {share(one['ms'], 0.99)} ms")
    many = await measured(given, given.tables, given.seconds)
    answered(many, given)
    median, slowest = statistics.median(many["ms"]), share(many["ms"], 0.99)
    say(given, f"{given.tables} tables: {len(many['ms'])} commands, median {median} ms, p99 {slowest} ms")
    say(given, f"            {many['versions']:.0f} versions/s, {many['cpu']:.2f} of a core, {many['rss'] / 1e6:.0f} MB")
    quiet = min(QUIET, given.seconds)
    none = await measured(given, 0, quiet)
    idle = await measured(given, 0, quiet, idle=given.idle)
    per_idle, per_table = (idle["rss"] - none["rss"]) / given.idle, (many["rss"] - one["rss"]) / max(1, given.tables - 1)
    say(given, f"{given.idle} idle:   {(idle['cpu'] - none['cpu']) * 100:.2f} % of a core more than without")
    say(given, f"memory:     {per_idle / 1024:.0f} KiB an idle table, {per_table / 1024:.0f} KiB one at play")
    return {
        "tables": given.tables, "game": given.game, "median_one_ms": statistics.median(one["ms"]),
        "p99_one_ms": share(one["ms"], 0.99), "median_all_ms": statistics.median(many["ms"]), "p99_all_ms": share(many["ms"], 0.99),
        "ratio": round(share(many["ms"], 0.99) / statistics.median(one["ms"]), 2), "target": TARGET,
        "versions_per_second": round(many["versions"]), "core": round(many["cpu"], 3), "resident_mb": round(many["rss"] / 1e6, 1),
        "kib_a_table": round(per_table / 1024), "kib_an_idle_table": round(per_idle / 1024),
        "machine_late_ms": round(max(one["late"], many["late"]) * 1000, 1), "idle_core": round(max(0.0, idle["cpu"] - none["cpu"]), 4),
    }  # fmt: skip


def say(given: argparse.Namespace, line: str) -> None:
    """Print a line for people."""
    if not given.json:
        print(line, flush=True)


def main() -> int:
    """Run the bench; return the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--warm", type=float, default=WARM)
    parser.add_argument("--idle", type=int, default=200)
    parser.add_argument("--game", default="dez-degraus")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(core=0)
    given = parser.parse_args()
    more_files()
    with suppress(AttributeError, OSError):  # the host has its core for itself and its workers
        given.core, *others = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, set(others) or {given.core})
    print(json.dumps(asyncio.run(bench(given))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
