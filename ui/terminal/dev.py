"""A game on its author's bench, on this screen: act for any seat, step through the journal, load the code anew."""

from __future__ import annotations

import asyncio
import json
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from carteado.core.errors import CarteadoError, PluginFault, Refused
from carteado.core.words import Message
from carteado.net.dev import Reloaded, Workshop
from carteado.net.timeline import state_of
from carteado.net.workers import Workers

from .boxes import Box, Entry, Item
from .grid import Line
from .inprocess import InProcess
from .local import Notice
from .menus import keyed
from .session import Change
from .tools import Tool

RULE = "rule"
"""The computer player that makes a single move: every game has it, and it answers at once."""

TOOLS: Sequence[Tool] = (
    ("back", "[", ""),
    ("forth", "]", ""),
    ("seat", "S", ""),
    ("journal", "J", ""),
    ("reload", "R", ""),
    ("state", "E", ""),
    ("whole", "O", ""),
    ("computer", "B", ""),
    ("advise", "A", ""),
    ("anew", "N", ""),
    ("hand_back", "{", ""),
    ("hand_forth", "}", ""),
)


class DevSession(InProcess):
    """The author's place at the bench: any seat of the match, and the bench's tools."""

    def __init__(self, shop: Workshop, lang: str = "en", pace: float = 0.0) -> None:
        """`pace` is how many seconds a computer player's move takes to see."""
        super().__init__(shop, lang, seat=0)
        self.shop = shop
        self._pace = pace
        self._moving: asyncio.Task[None] | None = None
        self._workers = Workers(most=1)

    # the session

    def dressed(self, view: dict[str, Any]) -> dict[str, Any]:
        """Return the view with the seat that one acts for in its title."""
        layout = dict(view.get("layout") or {})
        title = layout.get("title") or [["ui.title.hand", {"n": view["hand"]["number"]}]]
        where: Message = ["ui.dev.watching", {}] if self.seat is None else ["ui.dev.seat", {"who": {"$player": self.seat}}]
        return {**view, "layout": {**layout, "title": [*title, where, ["ui.dev.whole" if self.whole else "ui.dev.own", {}]]}}

    @property
    def may(self) -> frozenset[str]:
        """What can be asked for: the next hand, when one is to be dealt."""
        return frozenset({"ready"}) if self.shop.match.phase == "dealing" else frozenset()

    async def begin(self) -> None:
        """Deal the first hand. Raises: PluginFault."""
        self._moved(self.shop.deal().events(self.seat))

    async def act(self, prompt: int, action: Mapping[str, Any]) -> Message | None:
        """Act for the seat one looks from."""
        if self.seat is None:
            return ["ui.not_now", {}]
        return self._act(self.seat, prompt, action)

    async def ask(self, wish: str, **details: Any) -> Message | None:
        """Deal the next hand; with code that has changed since, load it first."""
        if wish != "ready":
            return ["ui.not_now", {}]
        if self.shop.changed():
            self._reload()
        return self._done(self.shop.deal)

    async def close(self) -> None:
        """Stop the computer players and end the changes."""
        if self._moving is not None:
            self._moving.cancel()
        self._workers.shutdown()
        await super().close()

    def _act(self, seat: int, prompt: int, action: Mapping[str, Any]) -> Message | None:
        return self._done(lambda: self.shop.act(seat, prompt, action))

    def _done(self, work: Callable[[], Any]) -> Message | None:
        """Do something to the match that gives its commit, and follow it; return why it was refused or has failed, if it was."""
        try:
            commit = work()
        except Refused as refused:
            return [refused.code, dict(refused.data)]
        except PluginFault as fault:
            return self._fault(fault)
        self._moved(commit.events(self.seat))
        return None

    def _moved(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Go to the seat that is asked now, and let computer players move."""
        for fault in self.shop.match.faults:
            self._fault(fault)
        self.shop.match.faults.clear()
        self._follow()
        self.tell(Change("view", events))
        self.tell(Change("table"))
        if self.shop.waiting() is not None and (self._moving is None or self._moving.done()):
            self._moving = asyncio.get_running_loop().create_task(self._computers())

    def _follow(self) -> None:
        """Look from a seat that is asked, if the one looked from is not."""
        asked = [seat for seat in self.shop.match.prompts if self.shop.level(seat) is None]
        if asked and self.seat is not None and self.seat not in asked:
            self.seat = asked[0]

    async def _computers(self) -> None:
        while (seat := self.shop.waiting()) is not None:
            await asyncio.sleep(self._pace)
            if seat != self.shop.waiting():
                continue
            thinker = self.shop.searching(seat)
            why = self._advised(seat, None) if thinker is None else await self._thought(seat, thinker)
            if why is not None:
                self.shop.play_by(seat, None)
                self._notice(why)

    def _advised(self, seat: int, level: str | None) -> Message | None:
        """Let a computer player make a seat's move; what it raises is shown, for it is the author's code."""
        try:
            action = self.shop.choose(seat, level)
        except Exception as error:  # noqa: BLE001 - shown to the author with its traceback
            return self._fault(error)
        return self._act(seat, self.shop.match.prompts[seat].id, action)

    async def _thought(self, seat: int, level: str) -> Message | None:
        """Let a computer player that searches make a move: it thinks in a process of its own, and keys go on working.

        What it thought of is left alone when the match has gone somewhere else meanwhile.
        """
        shop, place, match = self.shop, self.shop.place, self.shop.match
        try:
            action = await self._workers.think(shop.game.name, level, match.view(seat), place)
        except Exception as error:  # noqa: BLE001 - shown to the author with its traceback
            return self._fault(error)
        if (shop.place, shop.match) != (place, match) or seat not in match.prompts:
            return None
        return self._act(seat, match.prompts[seat].id, action)

    # the tools

    @property
    def tools(self) -> Sequence[Tool]:
        """What the bench adds to the table."""
        return TOOLS

    def slide(self, place: int) -> None:
        """Stand after the first `place` entries, for a seat that is asked there."""
        super().slide(place)
        self._follow()

    def do(self, name: str) -> None:
        """Do one of the bench's things."""
        match name:
            case _ if self.walk(name):
                pass
            case "advise":
                self._advise()
            case "anew":
                self._notice(self._done(self.shop.deal_anew))
            case "reload":
                self._reload()
            case "journal":
                self._open(self._journal_box())
            case "state":
                self._open(self._state_page())
            case "computer":
                self._open(self._computer_box())

    def _advise(self) -> None:
        asked = list(self.shop.match.prompts)
        if not asked:
            self._notice(["ui.not_now", {}])
            return
        seat = self.seat if self.seat in asked else asked[0]
        level = self.shop.level(seat) or RULE
        thinker = self.shop.searching(seat, level)
        if thinker is None or self._controls is None:
            self._notice(self._advised(seat, level))
            return

        async def move(thinker: str = thinker) -> None:
            self._notice(await self._thought(seat, thinker))

        self._controls.spawn(move())

    def _reload(self) -> None:
        self._workers.shutdown()  # the next thought is one of the new code
        told = self.shop.reload()
        self._follow()
        self.tell(Change("words"))
        self.tell(Change("view"))
        self._open(self._reload_page(told))

    # pages

    def _words(self) -> Any:
        assert self._controls is not None
        return self._controls.local.words

    def _open(self, box: Box) -> None:
        if self._controls is not None:
            self._controls.open_box(box)

    def _notice(self, why: Message | None) -> None:
        if why is not None and self._controls is not None:
            self._controls.local.notice = Notice(list(why), bad=True)

    def _fault(self, error: BaseException) -> Message:
        """Show a fault of the game with its traceback; return it as a message."""
        words = self._words()
        text = "".join(traceback.format_exception(error.__cause__ or error)).rstrip()
        body: list[Line] = [[(words.safe(str(error)), "warn")], []]
        body += [[(words.safe(line), "")] for line in text.splitlines()]
        self._open(Box("fault", words("ui.dev.fault"), body, scroll=10_000, foot=words("ui.foot.page"), sticky=True))
        return ["ui.told", {"text": str(error)}]

    def _reload_page(self, told: Reloaded) -> Box:
        words = self._words()
        if told.failed:
            body: list[Line] = [[(words.safe(told.why), "warn")], [], [(words("ui.dev.reload.kept"), "")]]
        elif told.same == told.of:
            body = [[(words("ui.dev.reload.same", n=told.of), "live")]]
        else:
            body = [[(words("ui.dev.reload.differs", same=told.same, n=told.of), "warn")], [], [(words.safe(told.why), "")]]
            if told.different:
                body += [[], [(words("ui.dev.reload.state"), "heading")], *([(words.safe(line), "")] for line in told.different)]
        return Box("reload", words("ui.tool.reload"), body, foot=words("ui.foot.page"), sticky=True)

    def _journal_box(self) -> Box:
        """Return all entries to go to, and the branches to go on with."""
        words, shop = self._words(), self.shop
        items = []
        for entry in shop.entries:
            items.append(Item([(f"{entry['n']:>4} ", "dim"), (words.safe(entry_said(entry)), "")], self._to(entry["n"])))
        for number, branch in enumerate(shop.branches):
            label = words("ui.dev.branch", n=len(branch.entries), parted=branch.parted)
            items.append(Item([(label, "heading")], self._onto(number)))
        box = Box("journal", words("ui.tool.journal"), items=items, entry=Entry(), filters=True, foot=words("ui.foot.menu"), sticky=True)
        box.cursor = max(0, shop.place - 1)
        return box

    def _to(self, place: int) -> Any:
        return lambda: self.slide(place)

    def _onto(self, branch: int) -> Any:
        def go() -> None:
            try:
                self.shop.switch(branch)
            except CarteadoError as error:  # the branch was played with other code
                self._notice(["ui.told", {"text": str(error)}])
            self.slide(self.shop.place)

        return go

    def _state_page(self) -> Box:
        """Return the whole state as lines."""
        words = self._words()
        body: list[Line] = []
        for key, value in state_of(self.shop.match).items():
            if isinstance(value, Mapping):
                body.append([(words.safe(str(key)), "heading")])
                for name, one in value.items():
                    told = _zone_said(one) if key == "zones" else _shown(one)
                    body.append([(f"  {words.safe(str(name))}: ", "name"), (words.safe(told), "")])
            else:
                body.append([(words.safe(f"{key}: "), "name"), (words.safe(_shown(value)), "")])
        return Box("state", words("ui.tool.state"), body, foot=words("ui.foot.page"), sticky=True)

    def _computer_box(self) -> Box:
        """Return the levels of computer players for the seat one looks from."""
        words, seat = self._words(), self.seat if self.seat is not None else 0

        def take(level: str | None) -> Any:
            def do() -> None:
                self.shop.play_by(seat, level)
                self._moved(())

            return do

        rows: list[tuple[Line, Any]] = [([(words("ui.dev.myself"), "")], take(None))]
        for level in self.shop.levels:
            rows.append(([(words.level(level), "")], take(level)))
        return Box("computer", words("ui.dev.plays", who={"$player": seat}), items=keyed(rows), foot=words("ui.foot.menu"), sticky=True)


def entry_said(entry: Mapping[str, Any]) -> str:
    """Return a journal entry in one line, as its author thinks of it."""
    if entry["k"] == "hand":
        return f"hand {entry['hand']}"
    what = _shown(entry.get("do", entry.get("level", "")))
    return f"{entry['k']} seat {entry.get('seat', '')} {what}".rstrip()


def _zone_said(zone: Mapping[str, Any]) -> str:
    facts = f"  {_shown(zone['facts'])}" if zone["facts"] else ""
    return f"{zone['cards']}{facts}"


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
