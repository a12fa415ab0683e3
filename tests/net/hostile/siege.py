"""A host under attack: an honest match goes on while a test is hostile, and afterwards the rules for all cases are checked.

R1 the host lives. R2 what was not decoded is not answered. R3 each refusal has a code and a counter, and costs at most a line of log.
R4 the others notice nothing. R5 the honest match goes on, with equal `q` and `h` at every viewer. R6 memory stays bounded. R7 nothing
hidden is in any byte that the hostile peers got, nor in the log.

A test says `async with besieged() as siege:` and is hostile inside.
"""

from __future__ import annotations

import logging
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from carteado.core.api import Deck
from carteado.net import protocol
from carteado.net.host import Host
from carteado.net.keys import KeyPair
from carteado.net.peer import Peer
from carteado.net.rates import DoorRules, Rates
from carteado.net.settings import TableSpec

from ..highcard import HighCard
from ..rooms import Raw, Steady, hosting, on_turn, sitting, soon, visiting

RULES = DoorRules(rates=Rates(commands=0, hellos=0, hellos_all=0, new_keys=0, unjoined=0))
"""The limits under siege: all that a person meets, but honest peers may play as fast as tests do, and hostile ones come often."""
MEGABYTES = 20
IN_QUIET = {protocol.Pong, protocol.Table, protocol.Tables, protocol.Ack}
"""What an honest peer is sent while nobody plays: answers to what it asks itself, and who comes and goes."""
IN_PLAY = IN_QUIET | {protocol.State, protocol.Gone}
"""What it is sent besides when somebody plays, or takes its own seat over."""


class Marked(HighCard):
    """High Card with faces that occur nowhere else in a frame, each only once in the pack."""

    name = "marked"
    deck = Deck([f"R~{number:03d}~" for number in range(20)], HighCard.deck.suits)

    def words(self, lang: str) -> dict[str, Any]:
        return {}


class Lines(logging.Handler):
    """Keep what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one line, and the error in it."""
        self.lines.append(f"{record.name} {record.getMessage()} {record.exc_info[1] if record.exc_info else ''}")


class Siege:
    """Honest Ana and Rui in a match, Eva who watches, and any number of hostile peers."""

    def __init__(self, host: Host, ana: Peer, rui: Peer, eva: Peer, stack: AsyncExitStack) -> None:
        self.host = host
        self.ana, self.rui, self.eva = ana, rui, eva
        self.raws: list[Raw] = []
        self.log = Lines()
        self.lines_allowed = 3
        self.megabytes = MEGABYTES
        self.quiet = True
        """Whether nobody plays during the attack."""
        self.checked = False
        self.heard: list[tuple[str, type[Any]]] = []
        """What the honest peers were sent during the attack."""
        self._stack = stack
        self._before: dict[str, Any] = {}

    @property
    def table(self) -> Any:
        """The honest table."""
        return self.host.tables["t-1"]

    def raw(self, keys: KeyPair | None = None) -> Raw:
        """Return a hostile peer: the program's own sockets, and any bytes on them."""
        one = Raw(self.host, keys)
        self._stack.callback(one.close)
        self.raws.append(one)
        return one

    async def guest(self, name: str = "Mallory") -> Raw:
        """Return a hostile peer that has said hello."""
        one = self.raw()
        await one.hello(name)
        return one

    async def watcher(self, name: str = "Mallory") -> Raw:
        """Return a hostile peer that watches the honest table."""
        one = await self.guest(name)
        await one.join("t-1", "watch")
        await one.echo()
        return one

    async def neighbour(self, name: str = "Mallory") -> Raw:
        """Return a hostile peer with a seat at another table of the same host."""
        one = await self.guest(name)
        await one.join("t-2")
        await one.echo()
        return one

    def state(self) -> Any:
        """Return everything of the honest table that nobody but its players may change."""
        chairs = [(chair.key, chair.name, chair.token, chair.ready, chair.bot) for chair in self.table.chairs]
        return chairs, self.table.stage, self.table.match.digest(), self.table.match.q

    def lines(self) -> list[tuple[str, str]]:
        """Return how the lines to everybody at the honest table are, as Ana sees it."""
        assert self.ana.table is not None
        return [(chair.line, chair.name) for chair in self.ana.table.chairs]

    @property
    def mover(self) -> Peer:
        """The honest player who is asked something now."""
        mover = on_turn(self.ana, self.rui)
        assert mover is not None
        return mover

    def hidden(self) -> set[str]:
        """Return the faces that nobody but its owner may know now."""
        return {face for peer in (self.ana, self.rui) for face in hand(peer)}

    def _listen(self, peer: Peer) -> None:
        """Note from now on what kinds of messages an honest peer is sent."""
        take = peer.take

        def tap(message: protocol.HostMessage) -> None:
            self.heard.append((peer.name, type(message)))
            take(message)

        peer.take = tap  # type: ignore[method-assign]

    async def begin(self) -> None:
        """Remember how everything was."""
        for peer in (self.ana, self.rui, self.eva):
            self._listen(peer)
        logging.getLogger().addHandler(self.log)
        self._before = {
            "state": self.state(),
            "hidden": self.hidden(),
            "refused": self.host.refused.copy(),
            "lines": self.lines(),
        }
        self.count_memory()

    def count_memory(self) -> None:
        """Count memory from now on: what a hostile program has taken before is its own, though it lives in this process too."""
        self._before["memory"] = resident()

    def refused(self, code: str) -> int:
        """Return how often a code was refused or dropped since the beginning."""
        return int(self.host.refused[code] - self._before["refused"][code])

    async def check(self, quiet: bool = True) -> None:
        """Check R1 and R3 to R7; R2 is each test's own. quiet: nobody has played meanwhile."""
        logging.getLogger().removeHandler(self.log)
        assert self.host.failed is None  # R1
        await self.ana.tables()
        assert 0 == self.host.refused["fault"]
        assert len(self.log.lines) <= self.lines_allowed, self.log.lines  # R3
        assert ["live"] * 3 == [peer.line for peer in (self.ana, self.rui, self.eva)]  # R4
        assert {kind for _, kind in self.heard} <= (IN_QUIET if quiet else IN_PLAY)
        if quiet:
            assert self._before["state"] == self.state()
            assert self._before["lines"] == self.lines()
        still = self._before["hidden"] & self.hidden()  # R7
        for face in still:
            assert not any(face.encode() in frame for raw in self.raws for frame in raw.frames)
            assert not any(face in line for line in self.log.lines)
        for token in (chair.token for chair in self.table.chairs if chair.token):
            assert not any(token in frame for raw in self.raws for frame in raw.frames)
        assert resident() - self._before["memory"] < self.megabytes  # R6
        await self.play()  # R5

    async def play(self) -> None:
        """Play the honest match to its end; everybody must have seen the same."""
        dice = random.Random(1)
        while self.table.stage == "playing" or (self.table.stage == "between"):
            await soon(lambda: on_turn(self.ana, self.rui) or self.table.stage == "over")
            mover = on_turn(self.ana, self.rui)
            if mover is None or mover.view is None:
                break
            answer = await mover.act(asked(mover), Steady().choose(mover.view, dice))
            assert answer.accepted, answer
        await soon(lambda: all(peer.view and peer.view["phase"] == "over" for peer in (self.ana, self.rui, self.eva)))
        assert 1 == len({(peer._picture.q, peer._picture._chain) for peer in (self.ana, self.rui, self.eva)})


def hand(peer: Peer) -> list[str]:
    """Return the faces in a player's own hand."""
    assert peer.view is not None
    return next(list(zone["cards"] or []) for zone in peer.view["zones"] if zone["name"] == f"hand/{peer.seat}")


def asked(peer: Peer) -> int:
    """Return the id of what a player is asked now."""
    assert peer.view is not None
    return int(peer.view["prompts"][0]["id"])


def resident() -> float:
    """Return the megabytes that this process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 2**20


@asynccontextmanager
async def besieged(door: DoorRules = RULES, **more: Any) -> AsyncIterator[Siege]:
    """Start a host with an honest match that stands at its first move; check the rules at the end."""
    tables = (TableSpec("marked", chairs=2, options={"hands": 1}), TableSpec("high-card", "t-2", chairs=6))
    async with (
        hosting(*tables, games={"marked": Marked(), "high-card": HighCard()}, door=door, **more) as host,
        sitting(host, "Ana") as ana,
        sitting(host, "Rui") as rui,
        visiting(host, "Eva") as eva,
        AsyncExitStack() as raws,
    ):
        await eva.join("t-1", "watch")
        await ana.start()
        await soon(lambda: on_turn(ana, rui) and eva.view)
        siege = Siege(host, ana, rui, eva, raws)
        await siege.begin()
        yield siege
        if not siege.checked:
            await siege.check(siege.quiet)


def codes(messages: list[Any]) -> list[str]:
    """Return with which codes messages refuse."""
    found = []
    for message in messages:
        if isinstance(message, protocol.Ack) and message.no is not None:
            found.append(message.no.code)
        elif isinstance(message, (protocol.No, protocol.Gone)):
            found.append(message.code)
    return found
