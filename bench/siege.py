"""What hostile peers cost the honest ones: a match of four beside five peers that send 10 000 hostile messages a second.

    python bench/siege.py [--seconds 20] [--rate 10000] [--peers 5] [--many-addresses]

The hostile peers have the program's own sockets, send garbage, oversized frames, commands, hellos, pings and questions, and take a fresh
key as soon as theirs is banned; with `--many-addresses` a host that never bans addresses has to bear all of those. They run in a
process of their own, as the host does; all share this machine, so what the host can do is what is left of it. Times are of a whole
question and answer through the host's loop. The last line is one JSON object; its `ratio` is the p99 over the quiet p99.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import time
from statistics import quantiles
from typing import Any

import zmq

from carteado.core.bots import player
from carteado.core.loader import load
from carteado.net import protocol, sockets
from carteado.net.bot import Bot
from carteado.net.codec import encode
from carteado.net.host import serve
from carteado.net.keys import Address, KeyPair
from carteado.net.meters import resident
from carteado.net.peer import Peer
from carteado.net.rates import DoorRules, Rates
from carteado.net.settings import HostConfig, TableSpec

GAME = "dez-degraus"
EACH = 0.25
"""Seconds between two questions of an honest peer: within what a host allows."""


async def host(ban_addresses: bool) -> None:
    """Run a host with the usual limits, but for those of newcomers; tell its address, then its figures for each line that comes in."""
    rates = Rates(new_keys=0, hellos_all=0, hellos=0)
    rules = DoorRules(rates=rates if ban_addresses else rates.changed({"banned_keys": 0, "unjoined": 0, "unjoined_all": 0}))
    config = HostConfig(port=0, keys=KeyPair.make(), tables=(TableSpec(GAME, chairs=4),), pace=0.0, hand_pause=0.0, door=rules)
    running = await serve(config)
    print(running.address, flush=True)
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        print(json.dumps({"mb": round(resident() / 2**20, 1), "cpu": time.process_time(), "refused": running.refused}), flush=True)
    await running.stop()


class Hostile:
    """One hostile peer, with one key after the other."""

    def __init__(self, context: Any, address: Address) -> None:
        self.keys_used = 0
        self._context, self._address = context, address
        self._socket: Any = None
        self._monitor: Any = None
        self.anew()

    def anew(self) -> None:
        """Come back with a fresh key."""
        if self._socket is not None:
            self._socket.disable_monitor()
            self._monitor.close(linger=0)
            self._socket.close(linger=0)
        assert self._address.key is not None
        self._socket = sockets.dealer_socket(self._context, KeyPair.make(), self._address.key)
        self._monitor = self._socket.get_monitor_socket(zmq.EVENT_DISCONNECTED | zmq.EVENT_HANDSHAKE_FAILED_AUTH)
        sockets.connect(self._socket, self._address)
        self.keys_used += 1
        self.send(encode(protocol.Hello((1, 1), "bench", f"M{os.urandom(2).hex()}")))
        self.send(encode(protocol.Join("t-1", "watch")))

    def send(self, frame: bytes) -> bool:
        """Send if that is possible now."""
        try:
            self._socket.send(frame, zmq.DONTWAIT)
        except zmq.Again:
            return False
        return True

    def look(self) -> None:
        """Throw away what was answered; take a fresh key if this one was thrown out."""
        while self._socket.poll(0):
            self._socket.recv_multipart()
        if self._monitor.poll(0):
            self.anew()


def hostile(text: str, peers: int, rate: int, seconds: float) -> None:
    """Send hostile messages at a rate; tell how many went out, and with how many keys."""
    address, context = Address.parse(text), zmq.Context()
    frames = [
        b"\xc1" * 800, b"\x81\xa1t\xa5admin", bytes(5000), encode(protocol.Ping(1)), encode(protocol.AskTables()),
        encode(protocol.Snap("t-1")),
        encode(protocol.Command(bytes(8), bytes(16), "t-1", 1, 1, {"type": "discard", "cards": ["R1"]})),
        encode(protocol.Hello((1, 1), "bench", "Mallory")),
    ]  # fmt: skip
    crowd = [Hostile(context, address) for _ in range(peers)]
    start, number, sent = time.monotonic(), 0, 0
    while (now := time.monotonic()) - start < seconds:
        due = int((now - start) * rate)
        for _ in range(min(due - number, 500)):
            number += 1
            sent += crowd[number % peers].send(frames[number % len(frames)])
        for one in crowd:
            one.look()
        time.sleep(0.002)
    print(json.dumps({"tried": number, "sent": sent, "keys": sum(one.keys_used for one in crowd)}), flush=True)
    os._exit(0)


async def asked(peers: list[Peer], seconds: float) -> list[float]:
    """Return how many milliseconds each question took."""
    took: list[float] = []

    async def ask(peer: Peer) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            began = time.perf_counter()
            await peer.tables()
            took.append((time.perf_counter() - began) * 1000)
            await asyncio.sleep(EACH)

    await asyncio.gather(*(ask(peer) for peer in peers))
    return took


def told(name: str, took: list[float]) -> float:
    """Print the figures of one round; return its p99."""
    cuts = quantiles(took, n=100)
    print(f"{name:<14} {len(took):>5} questions   p50 {cuts[49]:6.2f} ms   p99 {cuts[98]:6.2f} ms   max {max(took):6.2f} ms", flush=True)
    return cuts[98]


async def main(given: argparse.Namespace) -> None:
    """Play a match quietly, then under attack, and compare."""
    me = [sys.executable, "-P", __file__]
    many = ["--many-addresses"] if given.many_addresses else []
    running = subprocess.Popen([*me, "--role", "host", *many], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert running.stdin is not None
    assert running.stdout is not None
    address = running.stdout.readline().strip()

    def figures() -> dict[str, Any]:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write("\n")
        running.stdin.flush()
        found: dict[str, Any] = json.loads(running.stdout.readline())
        return found

    game, context = load(GAME), zmq.asyncio.Context()
    peers = [Peer(address, KeyPair.make(), f"P{number}", words=False, context=context) for number in range(4)]
    for peer in peers:
        await peer.connect()
        await peer.join("t-1")
    playing = [asyncio.create_task(Bot(peer, player(game, "naive"), pace=1.0).play(stay=True)) for peer in peers]
    await peers[0].start()
    await asked(peers, 2.0)  # games and words are loaded when they are first asked for
    before = figures()
    quiet = told("quiet", await asked(peers, given.seconds))
    between = figures()
    wanted = ["--peers", str(given.peers), "--rate", str(given.rate), "--seconds", str(given.seconds + 3)]
    attack = subprocess.Popen([*me, "--role", "hostile", "--address", address, *wanted], stdout=subprocess.PIPE, text=True)
    await asyncio.sleep(1.5)
    loud = told("under attack", await asked(peers, given.seconds))
    after = figures()
    assert attack.stdout is not None
    sent = json.loads(await asyncio.get_running_loop().run_in_executor(None, attack.stdout.readline))
    grown = {code: number - before["refused"].get(code, 0) for code, number in after["refused"].items()}
    print(f"hostile: {sent['tried']} messages wanted, {sent['sent']} taken by the line, {sent['keys']} keys")
    print(f"host: memory {between['mb']} -> {after['mb']} MB; processor {(after['cpu'] - between['cpu']) / given.seconds:.0%}; {grown}")
    print(f"p99 {loud:.2f} ms against {quiet:.2f} ms: {loud / quiet:.2f} times; allowed 2 times and 5 ms: {loud <= 2 * quiet + 5}")
    lines = [peer.line for peer in peers]
    print(f"lines: {lines}, version {peers[0].view['q'] if peers[0].view else 0}")
    result = {"quiet_p99_ms": quiet, "p99_ms": loud, "ratio": loud / quiet, "sent": sent["sent"], "keys": sent["keys"], "lines": lines}
    print(json.dumps({**result, "mb": after["mb"] - between["mb"], "bans": grown.get("ban", 0), "faults": grown.get("fault", 0)}))
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    for peer in peers:
        await peer.close()
    running.stdin.close()
    running.wait()
    context.destroy(linger=0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--rate", type=int, default=10_000)
    parser.add_argument("--peers", type=int, default=5)
    parser.add_argument("--many-addresses", action="store_true", help="the host bans keys, but no addresses")
    parser.add_argument("--role", choices=("main", "host", "hostile"), default="main", help=argparse.SUPPRESS)
    parser.add_argument("--address", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.role == "host":
        asyncio.run(host(not chosen.many_addresses))
    elif chosen.role == "hostile":
        hostile(chosen.address, chosen.peers, chosen.rate, chosen.seconds)
    else:
        asyncio.run(main(chosen))
