"""How long it takes from a command until every peer has the new view, beside a bare ROUTER fan-out of the same bytes.

    python bench/wire.py [--peers 4,100] [--actions 120] [--rounds 3] [--seed wire] [--rest 5] [--no-feed] [--anywhere] [--json]

A real host runs in a process of its own with its store in memory; all peers, with four seats and the rest watching, run in this
one, each with its own CURVE connection (and FEED, as every client has). A round plays some actions, then sends the very frames that
came of them through a bare pyzmq ROUTER in a third process to as many DEALERs with the same encryption. The clock runs from the
command until the last peer has its view (or its bytes), and before each command both have rested. Hosts and players have half of the
machine's cores each, as if they were two machines: left to itself, a scheduler often puts a player on the core where the host is at
work while another one idles (`--anywhere` shows that). The last line is one JSON object
whose `ratio` is the median over the bare median for the first number of peers; with `--json` it is the only one.
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
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

import zmq
import zmq.asyncio

from carteado.core.bots import player
from carteado.core.loader import load
from carteado.net import line, link
from carteado.net.child import ChildHost
from carteado.net.keys import KeyPair
from carteado.net.peer import Peer

TARGET = 3.0
GAME, SEATS, LEVEL = "dez-degraus", 4, "rule"
LIMITS = ("messages", "guests", "commands", "hellos", "hellos_all", "new_keys", "unjoined", "unjoined_all")
"""What nobody sends so often as a bench; they are counted all the same."""
COMMAND = 100
"""Bytes of a command on the wire, about."""
TOO_LONG = 20.0

Frames = list[bytes]


class Cores:
    """Which cores hosts and players run on; all of them for both where there is one only, or the system does not let itself be told.

    apart: whether they have cores of their own.
    """

    def __init__(self, apart: bool) -> None:
        known = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_setaffinity") else []
        half = len(known) // 2
        self.apart = apart and half > 0
        self._hosts, self._players = (known[half:], known[:half]) if self.apart else ([], [])

    @contextmanager
    def players(self) -> Iterator[None]:
        """Run this thread, and what it starts, on the players' cores."""
        yield from self._on(self._players)

    @contextmanager
    def hosts(self) -> Iterator[None]:
        """Run what is started here on the hosts' cores."""
        yield from self._on(self._hosts)

    def _on(self, cores: Sequence[int]) -> Iterator[None]:
        if not self.apart:
            yield
            return
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, cores)
        try:
            yield
        finally:
            os.sched_setaffinity(0, before)


class Finish:
    """Note when the last of some runners has come in."""

    def __init__(self, runners: int) -> None:
        self.runners = runners
        self.begin()

    def begin(self) -> None:
        """Wait for all of them again."""
        self._in: set[int] = set()
        self._all = asyncio.Event()
        self.at = 0.0

    def came(self, runner: int) -> None:
        """Note that one has come in."""
        self._in.add(runner)
        if len(self._in) == self.runners and not self._all.is_set():
            self.at = time.perf_counter()
            self._all.set()

    async def all_in(self) -> float:
        """Return the time at which the last one came in."""
        await asyncio.wait_for(self._all.wait(), TOO_LONG)
        return self.at


class Tapped(link.Link):
    """A connection that remembers the frame of the newest view."""

    newest: dict[bytes, bytes] = {}  # noqa: RUF012 - one wire, one tap

    async def read(self, take: link.Take) -> None:
        """Give every frame to `take`."""

        def tapped(frame: bytes) -> None:
            if b"\xa5state" in frame[:24]:
                self.newest[self._keys.public] = frame
            take(frame)

        await super().read(tapped)


class Real:
    """A host and peers that play."""

    def __init__(self, peers: Sequence[Peer], seed: str, rest: float) -> None:
        self.peers = peers
        self._rest = rest
        self.finish = Finish(len(peers))
        self.before = (0, 0)
        self._dice = random.Random(seed)
        self._chooser = player(load(GAME), LEVEL)
        self._watching = [asyncio.create_task(self._watch(index, peer)) for index, peer in enumerate(peers)]

    def at(self, peer: Peer) -> tuple[int, int]:
        """Return the version that a peer has."""
        return peer.match, peer.view["q"] if peer.view else 0

    async def _watch(self, index: int, peer: Peer) -> None:
        async for change in peer.changes():
            if change.kind == "view" and self.at(peer) > self.before:
                self.finish.came(index)

    async def act(self) -> tuple[float, Frames]:
        """Let whose turn it is act; return the seconds until everybody has seen it, and the frames that told them."""
        actor = await self._turn()
        view: dict[str, Any] = actor.view or {}
        action = self._chooser.choose(view, self._dice)
        self.before = self.at(actor)
        self.finish.begin()
        await asyncio.sleep(self._rest)
        begun = time.perf_counter()
        answer = await actor.act(view["prompts"][0]["id"], action)
        ended = await self.finish.all_in()
        frames = [Tapped.newest[peer.keys.public] for peer in self.peers]
        if not answer.accepted:
            raise RuntimeError(f"the bench's player was refused: {action} ({answer.code})")
        return ended - begun, frames

    async def _turn(self) -> Peer:
        """Wait until everybody has the same version and somebody is asked; begin another match after the last."""
        given_up = time.monotonic() + TOO_LONG
        while time.monotonic() < given_up:
            if len({self.at(peer) for peer in self.peers}) == 1 and self.peers[0].view:
                if self.peers[0].view["phase"] == "over":
                    await self.peers[0].rematch()
                for peer in self.peers[:SEATS]:
                    if peer.view and peer.view["prompts"]:
                        return peer
            await asyncio.sleep(0.001)
        raise TimeoutError("nobody is asked")

    async def close(self) -> None:
        """Hang up."""
        for task in self._watching:
            task.cancel()
        await asyncio.gather(*(peer.close() for peer in self.peers))


async def seated(address: Any, peers: int, feed: bool, context: zmq.asyncio.Context) -> list[Peer]:
    """Return connected peers, four of them in a running match."""
    joined = [Peer(address, KeyPair.make(), f"P{i}", feed=feed, words=False, context=context) for i in range(peers)]
    for index, peer in enumerate(joined):
        await peer.connect()
        await peer.join("t-1", "seat" if index < SEATS else "watch")
    for peer in joined[:SEATS]:
        await peer.ready()
    for peer in joined:
        await peer.until(lambda peer: peer.view is not None)
    return joined


def fan_out(told: Connection, peers: int) -> None:
    """Be the bare ROUTER: send frame i of the announced ones to all peers when command i comes. Runs in its own process."""
    public, secret = zmq.curve_keypair()
    context = zmq.Context()
    router = context.socket(zmq.ROUTER)
    router.curve_server, router.curve_secretkey = True, secret
    router.sndhwm = 512
    port = router.bind_to_random_port("tcp://127.0.0.1")
    told.send((port, public))
    routes = [router.recv_multipart()[0] for _ in range(peers)]
    while batch := told.recv():
        told.send(len(batch))
        for frames in batch:
            router.recv_multipart()
            for route, frame in zip(routes, frames, strict=True):
                router.send_multipart([route, frame])
    router.close(linger=0)
    context.term()


class Bare:
    """The bare ROUTER and as many DEALERs as there are peers."""

    def __init__(self, peers: int, context: zmq.asyncio.Context, cores: Cores) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._pipe, other = spawn.Pipe()
        self._process = spawn.Process(target=fan_out, args=(other, peers))
        with cores.hosts():
            self._process.start()
        port, key = self._pipe.recv()
        self.finish = Finish(peers)
        self._dealers = []
        for _ in range(peers):
            dealer = context.socket(zmq.DEALER)
            dealer.curve_publickey, dealer.curve_secretkey = zmq.curve_keypair()
            dealer.curve_serverkey = key
            dealer.linger = 0
            dealer.connect(f"tcp://127.0.0.1:{port}")
            self._dealers.append(dealer)
        self._receiving = [asyncio.create_task(self._receive(index)) for index in range(peers)]

    async def _receive(self, index: int) -> None:
        await self._dealers[index].send(b"here")
        while True:
            await self._dealers[index].recv_multipart()
            self.finish.came(index)

    async def run(self, batch: Sequence[Frames], rest: float) -> list[float]:
        """Return the seconds for each fan-out, with as many seconds of rest before each as the host had."""
        loop = asyncio.get_running_loop()
        await loop.run_in_executor(None, self._pipe.send, batch)
        await loop.run_in_executor(None, self._pipe.recv)
        times = []
        for number in range(len(batch)):
            self.finish.begin()
            await asyncio.sleep(rest)
            begun = time.perf_counter()
            await self._dealers[number % min(SEATS, len(self._dealers))].send(bytes(COMMAND))
            times.append(await self.finish.all_in() - begun)
        return times

    async def close(self) -> None:
        """End the other process."""
        self._pipe.send([])
        for task in self._receiving:
            task.cancel()
        for dealer in self._dealers:
            dealer.close()
        await asyncio.get_running_loop().run_in_executor(None, self._process.join)


async def measure(peers: int, actions: int, rounds: int, seed: str, feed: bool, rest: float, cores: Cores) -> dict[str, Any]:
    """Return the numbers for one number of peers."""
    context = zmq.asyncio.Context(io_threads=1)
    context.set(zmq.MAX_SOCKETS, 8 * peers + 64)
    arguments = [GAME, "--players", str(SEATS), "--bind", "127.0.0.1", "--port", "0", "--hand-pause", "0", "--seed", seed]
    arguments += ["--store", "memory", "--no-announce", "--no-admin"]
    for limit in LIMITS:
        arguments += ["--limit", f"{limit}=100000"]
    ours: list[float] = []
    bares: list[float] = []
    size = 0
    with cores.hosts():
        child = ChildHost(arguments)
    with child as host:
        real = Real(await seated(host.address, peers, feed, context), seed, rest)
        bare = Bare(peers, context, cores)
        try:
            for _ in range(10):  # warm up
                await real.act()
            for _ in range(rounds):
                batch = []
                for _ in range(actions):
                    seconds, frames = await real.act()
                    ours.append(seconds)
                    batch.append(frames)
                    size += sum(map(len, frames))
                bares += await bare.run(batch, rest)
        finally:
            await bare.close()
            await real.close()
    context.destroy(linger=0)
    return {
        "peers": peers,
        "apart": cores.apart,
        "actions": len(ours),
        "bytes": round(size / len(ours) / peers),
        "median_ms": milliseconds(ours, 50),
        "p99_ms": milliseconds(ours, 99),
        "bare_median_ms": milliseconds(bares, 50),
        "bare_p99_ms": milliseconds(bares, 99),
        "ratio": round(statistics.median(ours) / statistics.median(bares), 2),
    }


def milliseconds(times: Sequence[float], percent: int) -> float:
    """Return a percentile in milliseconds."""
    return round(statistics.quantiles(times, n=100, method="inclusive")[percent - 1] * 1000, 3)


def main() -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(description="Measure the way from a command to everybody's new view.")
    parser.add_argument("--peers", default="4,100", help="numbers of peers, at least 4 each (default: %(default)s)")
    parser.add_argument("--actions", type=int, default=120, help="actions a round (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", default="wire")
    parser.add_argument("--rest", type=float, default=5.0, help="ms of rest before each action and each fan-out (default: %(default)g)")
    parser.add_argument("--no-feed", action="store_true", help="peers that do not listen to FEED")
    parser.add_argument("--anywhere", action="store_true", help="let hosts and players run on any core, where the scheduler puts them")
    parser.add_argument("--json", action="store_true", help="print the JSON object alone")
    given = parser.parse_args()
    setattr(line, "Link", Tapped)  # noqa: B010 - the module does not export it
    cores, runs = Cores(not given.anywhere), []
    for peers in [int(text) for text in given.peers.split(",")]:
        with tempfile.TemporaryDirectory() as home:
            os.environ["CARTEADO_HOME"] = home
            with cores.players():
                run = asyncio.run(measure(peers, given.actions, given.rounds, given.seed, not given.no_feed, given.rest / 1000, cores))
        runs.append(run)
        if not given.json:
            print(f"{peers} peers, {run['actions']} actions, {run['bytes']} bytes a view")
            print(f"  command to everybody's view: median {run['median_ms']} ms, p99 {run['p99_ms']} ms")
            print(f"  bare ROUTER fan-out:         median {run['bare_median_ms']} ms, p99 {run['bare_p99_ms']} ms")
            print(f"  {run['ratio']} times the bare fan-out" + (f"; at most {TARGET:g} are wanted" if run is runs[0] else ""))
    print(json.dumps({"bench": "wire", "game": GAME, "runs": runs, "ratio": runs[0]["ratio"], "target": TARGET}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
