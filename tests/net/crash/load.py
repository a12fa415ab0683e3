"""Players that never stop, what they were told, and whether all of it is true after the host was killed."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from carteado.core.bots import player
from carteado.core.game import Game
from carteado.core.journal import Journal
from carteado.core.loader import load
from carteado.core.replay import replay, step
from carteado.net import protocol
from carteado.net.keys import Address, KeyPair
from carteado.net.peer import Peer
from carteado.net.protocol import HostMessage

from ..highcard import GAMES

PROGRAM = Path(__file__).with_name("programs.py")
_RULES: dict[str, Game] = {"high-card": GAMES["high-card"], "dez-degraus": load("dez-degraus")}
Shown = tuple[str, int, int, bytes]


@dataclass
class Acknowledged:
    """One action that the host said it had accepted."""

    table: str
    match: int
    seat: int
    prompt: int
    q: int
    action: dict[str, Any]


class Witness(Peer):
    """A peer that remembers every version it was shown, and how its hosts took leave."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.shown: set[Shown] = set()
        self.farewells: list[str] = []

    def take(self, message: HostMessage) -> None:
        """Note a state, then do what every peer does with it."""
        if isinstance(message, protocol.State):
            self.shown.add((message.m, message.match, message.q, message.chain))
        if isinstance(message, protocol.Gone):
            self.farewells.append(message.code)
        super().take(message)


@dataclass(eq=False)
class Player:
    """Somebody who plays match after match at one table. acked: what the host said it had accepted; refused: codes of the rest."""

    peer: Witness
    table: str
    level: str
    rng: random.Random
    acked: list[Acknowledged] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    task: asyncio.Task[None] | None = None

    async def sit(self) -> None:
        """Sit down, and say that everything can begin."""
        await self.peer.connect()
        await self.peer.join(self.table)
        await self.peer.ready()
        self.task = asyncio.create_task(self._play())

    async def _play(self) -> None:
        answered: set[tuple[int, int]] = set()
        asked_again = 0
        changes = self.peer.changes()
        while True:
            view, table = self.peer.view, self.peer.table
            match, seat = self.peer.match, self.peer.seat
            if view is None or table is None or table.match != match or seat is None:
                await anext(changes)
            elif view["phase"] == "over":
                if table.stage == "over" and not table.chairs[seat].ready and asked_again < match:
                    asked_again = match
                    await self.peer.ready()
                else:
                    await anext(changes)
            elif not view["prompts"] or (match, view["prompts"][0]["id"]) in answered or table.stage != "playing":
                await anext(changes)
            else:
                answered |= await self._answer(view, match, seat)

    async def _answer(self, view: dict[str, Any], match: int, seat: int) -> set[tuple[int, int]]:
        prompt = view["prompts"][0]["id"]
        action = player(_RULES[view["game"]], self.level).choose(view, self.rng)
        answer = await self.peer.act(prompt, action)
        if answer.accepted:
            self.acked.append(Acknowledged(self.table, match, seat, prompt, answer.q, dict(action)))
            return {(match, prompt)}
        self.refused[answer.code] += 1
        return set()

    async def stop(self) -> None:
        """Stand up without a word."""
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)
        await self.peer.close()


class Box:
    """A host in a process of its own, killed and started again on the same port."""

    def __init__(self, folder: Path, store: str, tables: list[dict[str, Any]]) -> None:
        self.told: dict[str, Any] = {"store": store, "key": str(folder / "host.key"), "port": 0, "tables": tables}
        self.process: asyncio.subprocess.Process | None = None
        self.errors = (folder / "errors").open("ab")
        self.kills = 0

    async def start(self, wait: bool = True, **more: Any) -> Address | None:
        """Start the host; wait until it listens."""
        assert self.process is None
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, str(PROGRAM), json.dumps({**self.told, **more}), stdout=asyncio.subprocess.PIPE, stderr=self.errors
        )
        return await self.listening() if wait else None

    async def listening(self) -> Address:
        """Return where the host listens, once it does."""
        assert self.process is not None
        assert self.process.stdout is not None
        line = (await asyncio.wait_for(self.process.stdout.readline(), 60)).decode()
        assert line, "the host ended before it listened"
        address = Address.parse(line)
        self.told["port"] = address.port
        return address

    async def kill(self) -> None:
        """End it as a power cut would, whatever it is doing."""
        assert self.process is not None
        if self.process.returncode is None:
            self.process.kill()
        await self.dead()

    async def dead(self) -> int:
        """Wait until it has ended; return its status."""
        assert self.process is not None
        status = await asyncio.wait_for(self.process.wait(), 60)
        self.kills += 1
        self.process = None
        return status


@asynccontextmanager
async def boxed(folder: Path, store: str, tables: list[dict[str, Any]]) -> AsyncIterator[Box]:
    """Give a host that does not outlive the test."""
    box = Box(folder, store, tables)
    try:
        yield box
    finally:
        if box.process is not None:
            await box.kill()
        box.errors.close()


@asynccontextmanager
async def players(address: Address, seats: dict[str, tuple[int, str]], seed: int = 1) -> AsyncIterator[list[Player]]:
    """Let so many players of a level sit down at each table; `dez-degraus` at 3, `random` for instance."""
    found = [
        Player(Witness(address, KeyPair.make(), f"P{n} {table}", words=False), table, level, random.Random(seed * 1000 + n))
        for table, (count, level) in seats.items()
        for n in range(count)
    ]
    try:
        for one in found:
            await one.sit()
        yield found
    finally:
        for one in found:
            await one.stop()


async def everybody_goes_on(everybody: list[Player], seconds: float = 60.0) -> None:
    """Wait until each player has had one more action accepted by the host that runs now."""
    before = {one: len(one.acked) for one in everybody}
    until = asyncio.get_running_loop().time() + seconds
    while waiting := [one for one in everybody if len(one.acked) == before[one]]:
        for one in everybody:
            assert one.task is not None
            if one.task.done():
                one.task.result()
        assert asyncio.get_running_loop().time() < until, "\n".join(map(told, waiting))
        await asyncio.sleep(0.01)


def told(one: Player) -> str:
    """Say how somebody is who does not go on."""
    table, view = one.peer.table, one.peer.view or {}
    at = f"{table.stage} {[(chair.name, chair.line, chair.ready) for chair in table.chairs]}" if table else "no table"
    asked = [prompt["stage"] for prompt in view.get("prompts", [])]
    line = f"{one.peer.name}: {one.peer.line} ({one.peer.reason}), match {one.peer.match} q {view.get('q')}"
    return f"{line}, asked {asked}, {at}, {one.refused}"


@dataclass
class Truth:
    """What the store says against what the players were told."""

    acknowledged: int = 0
    lost: list[Acknowledged] = field(default_factory=list)
    doubled: list[Any] = field(default_factory=list)
    shown: int = 0
    untrue: list[Shown] = field(default_factory=list)
    entries: int = 0


def truth(store: str, everybody: list[Player]) -> Truth:
    """Compare: every accepted action is there, at its version and once; every version that was shown has its public chain."""
    found = Truth()
    journals = dict(_journals(store))
    chains: dict[tuple[str, int, int], bytes] = {}
    for (table, number), journal in journals.items():
        answered = Counter((entry["seat"], entry["prompt"]) for entry in journal.entries if entry["k"] == "action")
        found.doubled += [(table, number, *key) for key, times in answered.items() if times > 1]
        found.entries += len(journal.entries)
        match = replay(journal, _RULES[journal.header["game"]], upto=0)
        for entry in journal.entries:
            commit = step(match, entry)
            chains[table, number, commit.q] = match.public
    for one in everybody:
        found.acknowledged += len(one.acked)
        found.doubled += [key for key, times in Counter((each.match, each.q) for each in one.acked).items() if times > 1]
        for each in one.acked:
            entries = journals[each.table, each.match].entries
            entry = entries[each.q - 1] if each.q <= len(entries) else {}
            if (entry.get("k"), entry.get("seat"), entry.get("prompt"), entry.get("do")) != ("action", each.seat, each.prompt, each.action):
                found.lost.append(each)
        found.shown += len(one.peer.shown)
        found.untrue += [shown for shown in one.peer.shown if chains.get(shown[:3]) != shown[3]]
    return found


def _journals(store: str) -> list[tuple[tuple[str, int], Journal]]:
    if "://" in store:
        import psycopg

        with psycopg.connect(store.replace("postgresql+psycopg://", "postgresql://")) as server:
            matches = server.execute("SELECT id, name, number, header FROM matches").fetchall()
            lines = server.execute("SELECT match, line FROM entries ORDER BY match, n").fetchall()
    else:
        file = sqlite3.connect(store)
        matches = file.execute("SELECT id, name, number, header FROM matches").fetchall()
        lines = file.execute("SELECT match, line FROM entries ORDER BY match, n").fetchall()
        file.close()
    by_match: dict[int, list[str]] = {}
    for key, line in lines:
        by_match.setdefault(key, []).append(line)
    return [
        ((name, number), Journal.load("".join(f"{line}\n" for line in (header, *by_match.get(key, []))).encode()))
        for key, name, number, header in matches
    ]


async def survive(folder: Path, store: str, kills: int, seed: int) -> tuple[Truth, dict[str, Any]]:
    """Kill a host again and again while people play on it; return what was true, and figures for people."""
    rng = random.Random(seed)
    tables = [
        {"game": "high-card", "id": "t-1", "chairs": 3, "options": {"hands": 20}},
        {"game": "high-card", "id": "t-2", "chairs": 3, "options": {"hands": 3}, "bots": ["random"]},
        {"game": "dez-degraus", "id": "t-3", "chairs": 2},
    ]
    async with boxed(folder, store, tables) as box:
        address = await box.start()
        assert address is not None
        async with players(address, {"t-1": (3, "random"), "t-2": (2, "random"), "t-3": (2, "rule")}, seed) as everybody:
            await everybody_goes_on(everybody)
            for _ in range(kills):
                if rng.random() < 0.2:  # while it starts, perhaps before it listens
                    await asyncio.sleep(rng.uniform(0.0, 1.2))
                else:
                    await asyncio.sleep(rng.uniform(0.0, 0.5))
                early = rng.random() < 0.2
                await box.kill()
                await box.start(wait=not early)
            if box.process is not None and early:
                await box.listening()
            await everybody_goes_on(everybody)
            await everybody_goes_on(everybody)
            refused = sum((one.refused for one in everybody), Counter())
            seen = {one.peer.line for one in everybody}
            try:
                assert seen == {"live"}, seen
            finally:
                await box.kill()
            found = truth(store, everybody)
            return found, {"kills": box.kills - 1, "refused": dict(refused), "matches": max(one.peer.match for one in everybody)}
