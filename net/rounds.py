"""What goes on at a table by itself: links that are waited for, time that runs out, seats that are played on for others."""

from __future__ import annotations

from abc import abstractmethod
from collections import deque
from collections.abc import Callable
from typing import Any

from carteado.core.match import OVER, Commit, Match

from . import protocol
from .chairs import Chair
from .dealing import Dealing
from .face import BETWEEN, Face
from .seating import Tick
from .sessions import Session


class Rounds(Face):
    """A table between what its people do. dealing: where the seeds come from. past: the newest commits, for who has missed some."""

    dealing: Dealing
    past: deque[Commit]

    @abstractmethod
    def _guarded(self, step: Callable[[Match], Commit], tick: Tick) -> Commit:
        """Take one step of the match."""

    @abstractmethod
    def _after(self, commit: Commit, tick: Tick, moved: int | None = None) -> None:
        """Keep and show what was committed, and see what follows from it."""

    @abstractmethod
    def _deal(self, tick: Tick) -> None:
        """Deal the next hand, as soon as it can be dealt."""

    def time_out(self, seat: int, prompt: int, action: dict[str, Any] | None, tick: Tick) -> None:
        """Let a seat's time run out: what the game does then, or this action. Raises: Refused as `act` does."""
        commit = self._guarded(lambda match: match.timeout(seat, prompt, action), tick)
        self._after(commit, tick, seat)

    def takeover(self, seat: int, level: str | None, tick: Tick) -> None:
        """Let a computer player of the house play a seat on, or (None) give it back. Raises: Refused with over or left."""
        self._after(self._guarded(lambda match: match.takeover(seat, level), tick), tick)

    def replace(self, seat: int, level: str, tick: Tick) -> None:
        """Put another computer player of the house where one plays. Raises: as `takeover`."""
        chair = self.chairs[seat]
        if chair.house:
            chair.bot = level
        elif chair.substitute is not None:
            chair.substitute = level
        self.takeover(seat, level, tick)
        tick.save(self.record())
        tick.changed(self.whole())

    def lost(self, seconds: float, tick: Tick) -> None:
        """Take in that the host was stopped, or waited for its store: that was nobody's time."""
        self.time.lost(seconds)
        for chair in self.chairs:
            chair.since = min(tick.now, chair.since + seconds)
        if self.time.clock is not None:
            tick.changed(self.whole())

    def _go_on(self, banks: tuple[int, ...], tick: Tick) -> None:
        """Set the clocks to what was kept of them, and know again who plays on for whom."""
        assert self.match is not None
        self.time.begin(tick.now, banks)
        self.time.follow(tick.now)
        if self.match.phase != OVER:
            for chair in self.chairs:
                if chair.person:
                    chair.substitute = self.match.seats[chair.seat]["bot"]

    def past_of(self, session: Session, number: int, q: int) -> protocol.Past:
        """Return the events after a version as a session may know them; none if it is too long ago."""
        missed = [commit for commit in self.past if commit.q > q] if number == self.number else []
        if not missed or missed[0].q != q + 1:
            return protocol.Past(self.id, number, q + 1, [])
        viewer = self.viewer(session)
        return protocol.Past(self.id, number, q + 1, [commit.events(viewer) for commit in missed])

    def _returned(self, chair: Chair, tick: Tick) -> None:
        self.time.returned(chair, tick)

    def _asked(self, tick: Tick) -> bool:
        """Ask everybody for a link of the next hand, once; return whether it can be dealt."""
        assert self.match is not None
        before = self.dealing.asks(self.match)
        whole = self.dealing.ready(self.match, self.chairs, tick.now)
        asks = self.dealing.asks(self.match)
        if before is None and asks is not None:
            tick.tell(self.whole(), asks)
        if not whole and self.deal_at != self.dealing.until:
            self.deal_at = self.dealing.until
            tick.alarm(self.whole(), self.deal_at - tick.now)
            tick.changed(self.whole())
        return whole

    def promise(self, session: Session, number: int, anchor: bytes, tick: Tick) -> None:
        """Take the anchor of the session's own seat. Raises: Refused with not_in_match, stale_match, copied."""
        self.dealing.promise(self.chairs, self._own(session).seat, number, anchor)
        if self.match is not None and self.match.hand == 0 and self.stage == BETWEEN:
            self._deal(tick)

    def link(self, session: Session, opened: protocol.OpenLink, tick: Tick) -> None:
        """Take a link of the session's own seat; deal when it was the last. Raises: Refused with not_in_match, late_link, wrong_link."""
        self.dealing.link(self._own(session).seat, opened.match, opened.hand, opened.value)
        assert self.match is not None
        if self.stage == BETWEEN and self.dealing.ready(self.match, self.chairs, tick.now):
            self._deal(tick)
