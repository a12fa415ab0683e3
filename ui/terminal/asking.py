"""What a player asks of the table besides moves: to begin, computer players, to say something, to leave."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from . import menus
from .boxes import Box, Item
from .local import Local, Notice
from .play import Spawn
from .session import Session, Staffed


class Asking:
    """One player's wishes: they go through the session, and why one is not granted is told."""

    def __init__(self, session: Session, local: Local, spawn: Spawn, leave: Callable[[], None], open_box: Callable[[Box], None]) -> None:
        """`spawn` starts a coroutine in the background, `leave` ends the program."""
        self._session, self._local = session, local
        self._spawn, self._leave, self._open = spawn, leave, open_box

    def wish(self, name: str, **details: Any) -> None:
        """Ask the table for something that is not a move: ready, start, fill..."""
        self._spawn(self._wished(name, details))

    async def _wished(self, name: str, details: Mapping[str, Any]) -> None:
        why = await self._session.ask(name, **details)
        if why is not None:
            self._local.notice = Notice(list(why), bad=True)

    def say(self, text: str) -> None:
        """Say a line to everybody at the table."""
        self._local.boxes = [box for box in self._local.boxes if box.name != "chat"]
        self.wish("say", text=text)

    def is_free(self, seat: int) -> bool:
        """Tell whether a computer player may be put on a chair."""
        room = self._local.room
        return room is not None and "fill" in room.may and any(chair.seat == seat and chair.line == "empty" for chair in room.chairs)

    def fill(self, seat: int | None = None) -> None:
        """Ask how well computer players are to play, and put one on a free chair, or on all of them."""
        session, chair = self._session, {} if seat is None else {"seat": seat}
        if isinstance(session, Staffed) and len(session.levels) > 1:
            self._open(menus.fill_box(self._local, session.levels, session.level, lambda level: self.wish("fill", level=level, **chair)))
        else:
            self.wish("fill", **chair)

    def quit(self, alone: bool) -> None:
        """Ask whether to go, and whether the seat is kept; who is `alone` just goes, and so does who asks twice, or has nothing to lose."""
        room = self._local.room
        nothing = self._local.fleeting and room is not None and room.stage == "over" and not menus.host_ends(self._local)
        if alone or nothing or (self._local.boxes and self._local.boxes[-1].name == "quit"):
            self._leave()
            return
        seated = room is not None and "leave" in room.may
        self._open(menus.quit_box(self._local, self._leave, self._leave_table if seated else None, lambda: None))

    def _leave_table(self) -> None:
        async def go() -> None:
            why = await self._session.ask("leave")
            if why is None:
                self._leave()
            else:
                self._local.notice = Notice(list(why), bad=True)

        self._spawn(go())

    def gone(self, reason: str = "") -> None:
        """Say that the connection is gone for good, and why."""
        words = self._local.words
        reason = reason or self._session.line_reason
        body = [words.line([reason, {}])] if reason else []
        items = [
            Item([(words("ui.gone.leave"), "")], self._leave, key="1"),
            Item([(words("ui.gone.look"), "")], lambda: None, key="2"),
        ]
        self._open(Box("gone", words("ui.gone"), body, items, foot=words("ui.foot.menu"), sticky=True))
