"""A session over the network: what a peer knows, in the client's terms."""

from __future__ import annotations

import math
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from typing import Any

from carteado.core.words import Catalogue, Message
from carteado.net import protocol
from carteado.net.countdown import Missing
from carteado.net.errors import ConnectionOver, Refusal
from carteado.net.known import words as key_words
from carteado.net.names import shown
from carteado.net.peer import Peer
from carteado.net.protocol import Table
from carteado.net.table_ids import is_private
from carteado.net.terms import Clocks, Leaving

from .agreed import terms_said
from .filling import at_rest
from .room import STANDING, Chair, Price, Proof, Room
from .session import Change
from .words import catalogue, own_catalogue


class NetworkSession:
    """One seat (or a watcher's place) at a host's table; the peer has joined already."""

    def __init__(self, peer: Peer, level: str = "rule", clock: Callable[[], float] = time.monotonic) -> None:
        """Take a peer that sits at a table; `level` is how well the computer players this person asks for play."""
        self._peer = peer
        self._level = level
        self._clock = clock
        self._table: Table | None = None
        self._since = clock()
        self._rest: tuple[Mapping[str, Any], str, Mapping[str, Any]] | None = None

    @property
    def peer(self) -> Peer:
        """The connection."""
        return self._peer

    @property
    def view(self) -> Mapping[str, Any] | None:
        """The newest view, None before the first hand; while the table stands still its forms say so and cannot be used."""
        view, table = self._peer.view, self._peer.table
        if view is None or table is None or table.stage not in STANDING:
            return view
        if self._rest is None or self._rest[0] is not view or self._rest[1] != table.stage:
            self._rest = view, table.stage, at_rest(view, [f"ui.prompt.{table.stage}", {}])
        return self._rest[2]

    @property
    def room(self) -> Room | None:
        """The table around the hands."""
        table = self._peer.table
        if table is None:
            return None
        if table is not self._table:
            self._table, self._since = table, self._clock()
        passed = self._clock() - self._since
        deal_in = None if table.deal_ms is None else max(0, math.ceil(table.deal_ms / 1000 - passed))
        clocks, mark = self._peer.clocks(), self._peer.proof
        missing = {one.seat: one for one in self._peer.missing()}
        stage, may, view = table.stage, frozenset(table.may), self._peer.view
        if stage == "between" and view is not None and view["phase"] == "playing":
            stage, may = "playing", may - {"ready"}  # the cards are here, and what the table says of them is about to come
        return Room(
            stage=stage,
            chairs=[_chair(chair, missing.get(chair.seat), clocks) for chair in table.chairs],
            may=may,
            title=self.title,
            game=table.game,
            id=table.m,
            address=self._peer.address.told + (f" --table {table.m}" if is_private(table.m) else ""),
            key=key_words(self._peer.address.key) if self._peer.address.key is not None else "",
            web=[_page(url, table.m) for url in self._peer.welcome.host.web] if self._peer.welcome is not None else (),
            deal_in=deal_in,
            watchers=len(table.watchers),
            options=list(table.options.items()),
            house=table.house,
            leaving=_price(table.leaving),
            running=clocks is None or clocks.run,
            terms=terms_said(table.terms),
            proof=Proof(mark.state, mark.reason, mark.hand, mark.checked, mark.detail) if table.match else None,
            why=table.why,
        )

    @property
    def title(self) -> str:
        """The name of the game."""
        words, table = self._peer.words, self._peer.table
        return words.title if words is not None and words.title else table.game if table is not None else ""

    @property
    def line(self) -> str:
        """The connection: `connecting | syncing | live | lost | gone`."""
        return self._peer.line

    @property
    def line_reason(self) -> str:
        """Why the connection is gone, or why the host has closed, as a message key; '' if nobody said."""
        return self._peer.gone_code or self._peer.farewell

    @property
    def seconds(self) -> int | None:
        """The seconds left on the reader's clock: of the move, then of the match; None while nothing runs out."""
        own = self._own()
        return own.clock if own is not None else None

    @property
    def catalogues(self) -> Sequence[Catalogue]:
        """The texts of the game and of the core."""
        words = self._peer.words
        core = catalogue("carteado.core", self._peer.lang)
        return [words.catalogue, core] if words is not None else [core]

    @property
    def looks(self) -> Mapping[str, Any]:
        """How the cards of the deck look."""
        return self._peer.words.looks if self._peer.words is not None else {}

    @property
    def rules(self) -> str:
        """The rules of the game in Markdown."""
        return self._peer.words.rules if self._peer.words is not None else ""

    async def changes(self) -> AsyncIterator[Change]:
        """Yield what changes, until the session ends."""
        async for change in self._peer.changes():
            if change.kind == "say" and change.said is not None:
                yield Change("say", who=shown(change.said.name), text=shown(change.said.text))
            else:
                yield Change(change.kind, change.events)

    async def act(self, prompt: int, action: Mapping[str, Any]) -> Message | None:
        """Send an action; return None when it was accepted, else why not."""
        try:
            answer = await self._peer.act(prompt, action)
        except ConnectionOver as over:
            return self._why(over.code, str(over), {})
        except Refusal as refusal:
            return self._why(refusal.code, refusal.text, refusal.data)
        return None if answer.accepted else self._why(answer.code, "", answer.data)

    async def ask(self, wish: str, **details: Any) -> Message | None:
        """Ask the table for `ready | start | fill | pause | resume | rematch | leave | say`; return None, or why not."""
        try:
            await self._wish(wish, details)
        except ConnectionOver as over:
            return self._why(over.code, str(over), {})
        except Refusal as refusal:
            return self._why(refusal.code, refusal.text, refusal.data)
        return None

    async def speak(self, lang: str) -> Message | None:
        """Change the language of the game's and the core's texts; return None, or why not."""
        if self._peer.table is None:
            self._peer.lang = lang
            return None
        try:
            await self._peer.fetch_words(lang)
        except ConnectionOver as over:
            return self._why(over.code, str(over), {})
        except Refusal as refusal:
            return self._why(refusal.code, refusal.text, refusal.data)
        return None

    @property
    def levels(self) -> Sequence[str]:
        """The computer players that the host has for this game, weakest first."""
        return self._peer.words.levels if self._peer.words is not None else ()

    @property
    def level(self) -> str:
        """The one that this player asks for."""
        return self._level

    async def count(self) -> int | None:
        """Return how many chips are in this player's purse, None where the host keeps no books."""
        try:
            return (await self._peer.purse()).chips
        except (ConnectionOver, Refusal):
            return None

    async def close(self) -> None:
        """Hang up; the seat is kept."""
        await self._peer.close()

    async def _wish(self, wish: str, details: Mapping[str, Any]) -> None:
        peer = self._peer
        match wish:
            case "ready":
                own = self._own()
                await said_ready(peer, not (own is not None and own.ready))
            case "start":
                await peer.start()
            case "fill":
                await peer.fill(details.get("level", self._level), details.get("seat"))
            case "pause" | "resume":
                await peer.pause(wish == "pause")
            case "rematch":
                await peer.rematch()
            case "leave":
                await peer.leave()
            case "say":
                await peer.say(str(details["text"]))
            case _:
                raise ValueError(f"a table cannot be asked for {wish!r}")

    def _own(self) -> Chair | None:
        """Return the reader's chair."""
        room = self.room
        return next((chair for chair in room.chairs if chair.seat == self._peer.seat), None) if room is not None else None

    def _why(self, code: str, text: str, data: Mapping[str, Any]) -> Message:
        """Return a refusal as a message: the code where the client has words for it, else the host's own sentence."""
        known = any(code in texts for texts in (*self.catalogues, own_catalogue(self._peer.lang)))
        return [code, dict(data)] if known or not text else ["ui.told", {"text": text}]


async def said_ready(peer: Peer, on: bool = True) -> None:
    """Say that this player is ready; that what was waited for has begun meanwhile is no failure. Raises: Refusal."""
    try:
        await peer.ready(on)
    except Refusal as refusal:
        if refusal.code != "running":
            raise


def _chair(chair: protocol.Chair, missing: Missing | None, clocks: Clocks | None) -> Chair:
    """Return a chair as the client shows it, with its clock and how long it is waited for."""
    seat = chair.seat
    move = clocks.move[seat] if clocks is not None and seat < len(clocks.move) else None
    bank = clocks.bank[seat] if clocks is not None and seat < len(clocks.bank) else None
    return Chair(
        seat,
        shown(chair.name),
        chair.bot,
        chair.line,
        chair.ready,
        round(missing.quiet) if missing is not None else 0,
        math.ceil(missing.left) if missing is not None and missing.left is not None else None,
        chair.substitute,
        _seconds(move),
        _seconds(bank),
    )


def _page(url: str, m: str) -> str:
    """Return where browsers find a table: a host tells of its first one, and of no private one."""
    return f"{url.partition('/m/')[0].rstrip('/')}/m/{m}" if is_private(m) else url


def _seconds(milliseconds: int | None) -> int | None:
    return None if milliseconds is None else math.ceil(milliseconds / 1000)


def _price(leaving: Leaving | None) -> Price | None:
    return None if leaving is None else Price(leaving.how, -leaving.chips, leaving.substitute)
