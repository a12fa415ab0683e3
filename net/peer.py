"""A player's side of the wire: connect, sit down, act, see; and come back by itself when the line is lost.

    peer = Peer(address, keys, "Ana")
    await peer.connect()
    await peer.join("t-1")
    async for change in peer.changes():
        ...  # peer.view and peer.table are always the newest; answer with peer.act(prompt, action)

Bots, the terminal and tests use the same class. It keeps one loop's tasks and no threads.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import zmq.asyncio

from . import limits, protocol
from .clock import Clock, SystemClock
from .codec import checked
from .codes import Pass
from .countdown import Countdown
from .errors import BadAddress, ConnectionOver, NetError, Refusal
from .evidence import keep
from .keys import Address, KeyPair
from .line import GONE, LIVE, SYNCING, Line, LineLost, Seek
from .picture import Change, Changes, Picture
from .program import APP
from .proofs import FAILED, Proofs
from .protocol import Heartbeat, HostMessage, Joined, Purse, Tables, Welcome
from .questions import Make, Questions
from .refusals import sentence
from .seen import Seen
from .terms import Terms
from .views import StateHead
from .wishes import Wishes
from .words import Assembly, GameWords, unpacked

__all__ = ["Answer", "Change", "Peer"]

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Answer:
    """The host's answer to a command: accepted as version `q`, or refused with a code (a message key) and its data."""

    accepted: bool
    q: int = 0
    code: str = ""
    data: Mapping[str, Any] = field(default_factory=dict)


class Peer(Wishes, Seen):
    """One player's (or watcher's) connection to a host, kept up over any number of lost lines.

    view: the newest view, None before the first hand. table: who sits there and what may be done. m, seat, token: what `join`
    gave. words: the game's, once joined; asked for in `lang`. gone_code: why it is gone for good. farewell: why the host has closed,
    until it is there again. A hand whose proof fails is written into the folder `evidence`, if one is given.
    """

    def __init__(
        self, address: Address | str, keys: KeyPair, name: str, lang: str = "en", feats: tuple[str, ...] = (), feed: bool = True,
        words: bool = True, clock: Clock | None = None, context: zmq.asyncio.Context | None = None, rng: random.Random | None = None,
        seek: Seek | None = None, evidence: Path | None = None,
    ) -> None:  # fmt: skip
        self.keys = keys
        self.name = name
        self.lang = lang
        self.welcome: Welcome | None = None
        self.m: str | None = None
        self.seat: int | None = None
        self.token: bytes | None = None
        self.words: GameWords | None = None
        self.gone_code = ""
        self.farewell = ""
        self._feed = feed
        self._want_words = words
        self._clock = clock or SystemClock()
        self._context = context
        self._own_context: zmq.asyncio.Context | None = None
        self._picture = Picture()
        self._countdown = Countdown()
        self._proofs = Proofs(check=feed)
        self._evidence = evidence
        self._role = "seat"
        self._line = Line(
            Address.parse(address) if isinstance(address, str) else address, keys,
            protocol.Hello(limits.PROTO, APP, name, ["fair", *feats]), self._clock, rng or random.Random(), self, seek,
        )  # fmt: skip
        self._questions = Questions(self._clock, self._line.send)
        self._life: asyncio.Task[None] | None = None
        self._first: asyncio.Future[Welcome] | None = None
        self._pass: Pass | None = None
        self._changes = Changes()
        self._assembly = Assembly()
        self._known_words: dict[tuple[str, str], GameWords] = {}
        self._snapped = float("-inf")

    # What a client does

    async def connect(self) -> Welcome:
        """Connect and say hello. Raises: HostUnreachable, Refusal (the host does not want us), BadAddress."""
        if self.address.key is None:
            raise BadAddress(f"the address {self.address} does not say the host's key (the part behind #)")
        if self._context is None:
            self._context = self._own_context = zmq.asyncio.Context()
        loop = asyncio.get_running_loop()
        if self.address.code is not None:
            self._pass = await loop.run_in_executor(None, Pass, self.address.code, self.address.key, self.keys.public)
        self._first = loop.create_future()
        self._life = asyncio.create_task(self._line.live(self._context))
        self._life.add_done_callback(self._lived)
        try:
            return await asyncio.shield(self._first)
        except (NetError, asyncio.CancelledError):
            self._first.cancel()  # nobody will ask it again
            await self.close()
            raise

    async def tables(self) -> Tables:
        """Ask which tables and games there are."""
        answer: Tables = await self._ask(lambda _: protocol.AskTables())
        return answer

    async def purse(self) -> Purse:
        """Ask for the own chips, and how this player did in every game. Raises: Refusal."""
        answer: Purse = await self._ask(lambda _: protocol.AskPurse())
        return answer

    async def open(
        self, game: str, options: Mapping[str, Any] | None = None, chairs: int | None = None, house: Sequence[str] = (),
        terms: Terms | None = None, private: bool = False,
    ) -> str:  # fmt: skip
        """Open a table with these house rules and these terms about time, in no list if `private`; return its id. Raises: Refusal."""
        ack = await self._command(lambda id: protocol.Open(id, game, dict(options or {}), chairs, list(house), terms, private))
        return str(ack.m)

    async def join(self, m: str, role: str = "seat", seat: int | None = None) -> Joined:
        """Sit down, come back to the own seat, or watch (role `watch`). Raises: Refusal."""
        return await self._enter(m, lambda _: protocol.Join(m, role, seat), role)

    async def reclaim(self, m: str, seat: int, token: bytes) -> Joined:
        """Take a seat over to this player's key with its token. Raises: Refusal."""
        return await self._enter(m, lambda _: protocol.Reclaim(m, seat, token), "seat")

    async def fetch_words(self, lang: str | None = None, game: str | None = None) -> GameWords:
        """Get a game's words (the table's game, in the own language), from what is known if the host says that it still holds."""
        game = game or (self.table.game if self.table else "")
        lang = lang or self.lang
        known = self._known_words.get((game, lang))
        got = await self._ask(lambda _: protocol.AskWords(game, lang, known.hash if known else None))
        words = known if got is None and known is not None else unpacked(game, lang, *got)
        self._known_words[game, lang] = words
        if self.table is not None and game == self.table.game:
            self.words, self.lang = words, lang
            self._changes.tell(Change("words"))
        return words

    async def act(self, prompt: int, action: Mapping[str, Any]) -> Answer:
        """Answer a prompt. Sent again with the same id until the host answers; the view is at least as new as the answer.

        Raises: BadFrame for an action that no host could accept, ConnectionOver.
        """
        m, match = self._here(), self.match
        make: Make = lambda id: protocol.Command(self._epoch(), id, m, match, prompt, dict(action))  # noqa: E731
        checked(make(bytes(limits.ID)))
        ack = await self._ask(make)
        if ack.no is not None:
            return Answer(False, ack.q, ack.no.code, ack.no.data)
        return Answer(True, ack.q)

    def _away(self) -> None:
        self.m = self.seat = self.token = None
        self._picture, self._countdown = Picture(), Countdown()
        self._changes.tell(Change("table"))

    def resync(self) -> None:
        """Ask for the whole view again, for instance because it could not be shown; at most once a second."""
        now = self._clock.now()
        if self.m is not None and now - self._snapped >= 1.0:
            self._snapped = now
            self._line.send(protocol.Snap(self.m))

    async def close(self) -> None:
        """End the connection; the seat is kept."""
        if self.line == LIVE:
            self._line.send(protocol.Bye())
        if self._life is not None:
            self._life.cancel()
            await asyncio.gather(self._life, return_exceptions=True)
        if self.line != GONE:
            self._line.end("closed", ConnectionOver("closed"))
        if self._own_context is not None:
            await asyncio.get_running_loop().run_in_executor(None, self._own_context.term)
            self._own_context = None

    # Asking

    def _epoch(self) -> bytes:
        return self.welcome.e if self.welcome is not None else bytes(limits.EPOCH)

    async def _ask(self, make: Make) -> Any:
        if self.line == GONE:
            raise ConnectionOver(self.gone_code)
        return await self._questions.ask(make, now=self.line in (SYNCING, LIVE))

    async def _enter(self, m: str, make: Make, role: str) -> Joined:
        joined: Joined = await self._ask(make)
        self._role = role
        await self.until(lambda peer: peer.m == m and peer.table is not None and (peer.view is not None or not peer._shows()))
        if self._want_words:
            await self.fetch_words()
        return joined

    def _shows(self) -> bool:
        return self.table is not None and self.table.match > 0 and self.table.stage != "broken"

    # What the line tells

    def welcomed(self, welcome: Welcome) -> None:
        """Take the host's welcome; come back to the table, and say again what is not answered."""
        self.welcome = welcome
        if welcome.private and self._pass is not None:
            self._line.send(protocol.Knock(self._pass.knock()))
        else:
            self._admitted(welcome)

    def _admitted(self, welcome: Welcome) -> None:
        if self._first is not None and not self._first.done():
            self._first.set_result(welcome)
        if self.m is not None:
            self._picture.renew()
            self._line.send(protocol.Join(self.m, self._role))
        self._questions.again()

    def take(self, message: HostMessage) -> None:
        """Take in a message from TABLE."""
        match message:
            case protocol.State():
                if message.m == self.m and message.e == self._epoch():
                    if message.clk is not None:
                        self._countdown.tell(message.clk, self._clock.now())
                    if self._proofs.state(message, self.seat, message.e):
                        self._judged()
                    if (missed := self._proofs.wants()) is not None:
                        self._line.send(missed)
                    self._changes.tell(*self._picture.state(message))
                    self._line.position = self._picture.q
            case protocol.Ack():
                if message.no is not None and message.no.code == "stale_epoch":
                    raise LineLost("the host has started again")
                self._questions.acked(message)
            case protocol.Table():
                if message.m == self.m:
                    self._picture.table = message
                    self._countdown.seat(message, self._clock.now())
                    self.seat = message.you
                    self._promise(message)
                    self._changes.tell(Change("table"))
            case protocol.Pong():
                self._freeze(message.frozen)
                self._changes.tell(*self._picture.head(message.match, message.q, message.h))
                if self._picture.behind:
                    self.resync()
            case protocol.Joined():
                self._joined(message)
            case protocol.Fair():
                self._fair(message)
            case protocol.Past():
                if self._proofs.past(message):
                    self._judged()
            case protocol.Purse():
                self._questions.settle(("purse",), message)
            case protocol.Tables():
                self._questions.settle(("tables",), message)
            case protocol.Words():
                self._worded(message)
            case protocol.Said():
                self._changes.tell(Change("say", said=message))
            case protocol.No():
                self._refused(message)
            case protocol.Proof():
                mac = self._pass.answer(message.n, message.mac) if self._pass is not None else None
                if mac is None:
                    raise Refusal("code", sentence("code"))
                self._line.send(protocol.Prove(mac))
            case protocol.Proven():
                if self.welcome is not None:
                    self._admitted(self.welcome)
            case protocol.Gone():
                if message.resume:
                    self.farewell = message.code
                    raise LineLost(sentence(message.code) or message.code, closing=True)
                raise ConnectionOver(message.code)

    def witness(self, message: StateHead | Heartbeat | None) -> None:
        """Compare what FEED says with what TABLE said; what cannot be read there speaks against the host."""
        if message is None:
            self._changes.tell(Change("witness", code="malformed"))
        elif message.e != self._epoch():
            return
        elif isinstance(message, StateHead):
            if message.m == self.m:
                self._changes.tell(*self._picture.witness(message))
        else:
            self._freeze(message.frozen)
            if self.m in message.m:
                # FEED can overtake TABLE: whether a version is truly missing shows at the next beat.
                self._changes.tell(*self._picture.head(*message.m[self.m]))

    def beat(self) -> None:
        """Say again what is overdue, and ask for what was missed."""
        self._questions.again(overdue=True)
        if self._picture.behind:
            self.resync()

    def turned(self, state: str) -> None:
        """Pass on that the line's state is another one."""
        if state == LIVE:
            self.farewell = ""
        self._changes.tell(Change("line"))

    def over(self, code: str, error: NetError) -> None:
        """Be gone for good: whoever waits is told why."""
        self.gone_code = code
        if self._first is not None and not self._first.done():
            self._first.set_exception(error)
        self._questions.end(error)
        self._changes.tell(Change("gone", code=code))

    # Taking in

    def _freeze(self, frozen: bool) -> None:
        if frozen != self._picture.frozen:
            self._picture.frozen = frozen
            self._changes.tell(Change("table"))

    def _lived(self, life: asyncio.Task[None]) -> None:
        """Do not let anybody wait for a line that has failed in a way nobody foresaw."""
        if not life.cancelled() and (error := life.exception()) is not None:
            log.critical("the line to %s has failed", self.address.place, exc_info=error)
            self._line.end("fault", NetError(f"the line failed: {error!r}"))

    def _joined(self, joined: Joined) -> None:
        if joined.m != self.m:
            self._picture = Picture()
        self._picture.renew()
        self.m, self.seat = joined.m, joined.seat
        if joined.token is not None:
            self.token = joined.token
        if self._feed and self.welcome is not None:
            self._line.listen(self.welcome.feed, joined.m)
        self._questions.settle(("join", "reclaim"), joined)

    def _promise(self, table: protocol.Table) -> None:
        """Publish the anchor of this player's chain, as soon as there is a match that it can be for."""
        anchor = self._proofs.promise(table)
        if anchor is not None and not self._line.send(anchor):
            self._proofs.unsaid(anchor.match)

    def _fair(self, fair: protocol.Fair) -> None:
        answer = self._proofs.asked(fair, self.seat, self._epoch())
        if answer is not None:
            self._line.send(answer)
        if self._proofs.aborted(fair):
            self._judged()

    def _judged(self) -> None:
        """Pass on another mark of fair deals; keep what was seen when it is a bad one."""
        if self.proof.state == FAILED and self.evidence is not None and self._evidence is not None:
            keep(self.evidence, self._evidence)
        self._changes.tell(Change("proof", code=self.proof.reason))

    def _worded(self, words: protocol.Words) -> None:
        if words.parts == 0:
            self._questions.settle(("words",), None)
            return
        body = self._assembly.add(words)
        if body is not None:
            self._questions.settle(("words",), (words.hash, body))

    def _refused(self, no: protocol.No) -> None:
        if no.code == "hello_first":
            raise LineLost("the host does not know this connection")
        if no.re == "join" and "join" not in self._questions:
            if no.code == "too_fast":
                raise LineLost(no.text, closing=True)
            raise ConnectionOver(no.code)  # coming back: the seat, or the table, is not there any more
        if no.re in ("knock", "prove"):
            raise Refusal(no.code, no.text, no.data)
        self._questions.refuse(no.re, Refusal(no.code, no.text, no.data))
