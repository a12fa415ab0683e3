"""What happens on this screen when the table changes: new views, the turn coming round, the end of a hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from . import pages
from .controls import Controls
from .filling import prompt_of
from .local import Link, Local, Notice
from .seats import SHORT
from .session import Change, Counting, Session
from .words import Words, own_catalogue, words_for

View = Mapping[str, Any]

SHUTDOWN = "shutdown"
"""Why a host is gone that has closed, and may be opened again."""


class Follower:
    """Bring the local state up to date with the session, and call when the reader's turn begins."""

    def __init__(
        self,
        session: Session,
        local: Local,
        controls: Controls,
        words: Callable[[], Words],
        turn: Callable[[bool], None],
        alarm: Callable[[], None],
    ) -> None:
        """`words` makes the reader's words anew from what the session has; `turn` is told when a turn begins (True) or ends.

        `alarm` is called when the reader's time begins to run short.
        """
        self._alarm = alarm
        self._session = session
        self._local = local
        self._controls = controls
        self._words = words
        self._turn = turn
        self._prompt: int | None = None
        self._passed = False
        self._hand: Any = None
        self._over = False

    def begin(self) -> None:
        """Take over what is there already."""
        view = self._session.view
        self._hand = _result_hand(view)
        self._over = False
        self._table()
        self._see(view)

    def changed(self, change: Change) -> None:
        """Take over one change."""
        local = self._local
        match change.kind:
            case "view":
                local.tricks.hear(change.events)
                self._passed = self._passed or self._others_asked(change)
                self._see(self._session.view)
            case "words":
                local.words = self._words()
                local.see(self._session.view)
            case "say":
                local.chat.append((local.words.safe(change.who), local.words.safe(change.text)))
                del local.chat[:-100]
                # A narrow screen has no room for a chat that stays.
                local.notice = Notice(["ui.said", {"name": change.who, "text": change.text}])
            case "gone":
                self._controls.asking.gone()
            case "witness":
                local.distrusted = True
        self._table()

    def tick(self) -> bool:
        """Bring clocks up to date; tell whether one is running."""
        before = (self._local.link, self._local.room)
        self._table()
        left = self._local.link.seconds
        if left is not None and left <= SHORT < (before[0].seconds or 0) and prompt_of(self._session.view) is not None:
            self._alarm()
        return self._local.tricks.tick() or before != (self._local.link, self._local.room)

    def _table(self) -> None:
        local, session = self._local, self._session
        local.link = Link(session.line, session.seconds, session.line_reason == SHUTDOWN)
        before, local.room = local.room, session.room
        if before is not None and local.room is not None and before.stage != local.room.stage:
            self._forget_refusal()
        local.disarm(session.view)
        tools = self._controls.tools
        if tools is not None:
            local.tools, local.slider = tools.tools, tools.slider
        for box in local.boxes:
            if box.name == "hand_over":  # the host says only after the view who may be ready
                box.foot = pages.hand_over_foot(local)

    def _see(self, view: View | None) -> None:
        local = self._local
        local.see(view)
        prompt = prompt_of(view)
        number = prompt["id"] if prompt else None
        if number != self._prompt:
            # Of many views only the newest is shown: others may have had their turns since the last one.
            fresh = self._prompt is None or self._passed
            # What was begun for a prompt that is closed now is not to be finished for the next one.
            local.boxes = [box for box in local.boxes if box.sticky]
            local.drag = None
            if number is not None:
                self._forget_refusal()
            if number is None or fresh:
                self._turn(number is not None)
            self._prompt, self._passed = number, False
        if view is not None:
            self._endings(view)
        if local.guide is not None and local.guide.follow(view, local.words) and all(box.name != "guide" for box in local.boxes):
            self._controls.next_lesson()

    def _forget_refusal(self) -> None:
        """Take a refusal off the screen: it was about another question, or about how the table stood then."""
        if self._local.notice is not None and self._local.notice.bad:
            self._local.notice = None

    async def _count(self, books: Counting) -> None:
        """Ask for the purse, and tell it on the page of the end if that is still open."""
        self._local.purse = await books.count()
        view = self._session.view
        if view is not None and self._local.purse is not None and any(box.name == "match_over" for box in self._local.boxes):
            self._controls.open_box(pages.match_over_page(view, self._local))

    def _others_asked(self, change: Change) -> bool:
        you = (self._session.view or {}).get("you")
        return any(event.get("k") == "ask" and you not in event.get("seats", ()) for event in change.events)

    def _endings(self, view: View) -> None:
        """Open the score sheet when a hand ends and the places when the match ends, once each."""
        local = self._local
        if view.get("end") and not self._over:
            self._over = True
            self._hand = _result_hand(view)
            local.purse = None
            self._controls.open_box(pages.match_over_page(view, local))
            if isinstance(self._session, Counting):
                self._controls.spawn(self._count(self._session))
        elif _result_hand(view) != self._hand:
            self._hand = _result_hand(view)
            if view.get("result"):
                self._controls.open_box(pages.hand_over_page(view, local))
        if not view.get("end"):
            self._over = False
        if view["phase"] == "playing":
            local.boxes = [box for box in local.boxes if box.name != "hand_over"]


def _result_hand(view: View | None) -> Any:
    return ((view or {}).get("result") or {}).get("hand")


def words_of(session: Session, lang: str, ascii: bool, utf8: bool) -> Words:
    """Return the reader's words: the session's catalogues first, then this client's own."""
    return words_for([*session.catalogues, own_catalogue(lang)], session.looks, ascii=ascii, utf8=utf8)
