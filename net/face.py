"""What everybody may know of a table besides the cards, and what each may do there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carteado.core.leaving import price
from carteado.core.match import DEALING, OVER

from . import protocol
from .clock import Clock
from .seating import Seating
from .sessions import Session
from .terms import Clocks, Leaving

if TYPE_CHECKING:
    from .timekeeping import Timekeeper

LOBBY, PLAYING, BETWEEN, PAUSED, ENDED, BROKEN = "lobby", "playing", "between", "paused", "over", "broken"
STAGES = (LOBBY, PLAYING, BETWEEN, PAUSED, ENDED, BROKEN)


class Face(Seating):
    """A table as it is told. deal_at: when the next hand is dealt, None while that waits for nothing. time: its clocks."""

    deal_at: float | None
    time: Timekeeper
    _clock: Clock

    @property
    def stage(self) -> str:
        """The stage: `lobby | playing | between | paused | over | broken`."""
        if self.why:
            return BROKEN
        if self.pending is not None:
            return ENDED if self.pending.over else PAUSED if self.paused else PLAYING
        if self.match is None:
            return LOBBY
        if self.match.phase == OVER:
            return ENDED
        if self.paused:
            return PAUSED
        return BETWEEN if self.match.phase == DEALING else PLAYING

    def told(self, epoch: bytes, session: Session | None) -> protocol.Table:
        """Return the `table` message for one session, or (None) for everybody."""
        now = self._clock.now()
        deal_ms = max(0, int((self.deal_at - now) * 1000)) if self.deal_at is not None and self.stage == BETWEEN else None
        return protocol.Table(
            self.id, epoch, self.number if self.match or self.pending else 0, self.stage, self.game.name, self.game.version, self.options,
            [chair.told(now, self.time.grace(chair, now)) for chair in self.chairs], session.seat if session else None,
            self.may(session) if session else [], self.watchers(), deal_ms, self.why[:500], self.house_names,
            self.time.terms, self.time.told(now), int(self.time.slept * 1000), self._leaving(session),
        )  # fmt: skip

    def clocks(self) -> Clocks | None:
        """Return the clocks as they are now, None at a table without."""
        return self.time.told(self._clock.now())

    def row(self) -> protocol.TableRow:
        """Return this table's line in the list of tables."""
        free = sum(1 for chair in self.chairs if chair.free) if self.resting else 0
        return protocol.TableRow(self.id, self.game.name, self.stage, len(self.chairs), free, len(self.watchers()))

    def may(self, session: Session) -> list[str]:
        """Return the kinds of message that make sense from this session now."""
        if session.key == self.opener and (self.resting or not any(c.person and c.key != session.key for c in self.chairs)):
            return ["close", *self._may(session)]
        return self._may(session)

    def _may(self, session: Session) -> list[str]:
        if session.seat is None:
            return ["leave", *(["join"] if self.resting and any(chair.free for chair in self.chairs) else [])]
        stage, kinds = self.stage, ["leave", "say"]
        if stage in (LOBBY, BETWEEN, ENDED):
            kinds.append("ready")
        if not self._allows(session.key):
            return kinds
        if stage in (LOBBY, ENDED) and any(chair.free for chair in self.chairs):
            kinds.append("fill")
        if stage in (LOBBY, ENDED) and self._enough():
            kinds.append("start" if stage == LOBBY else "rematch")
        if stage in (PLAYING, BETWEEN, PAUSED):
            kinds.append("pause")
        return kinds

    def _leaving(self, session: Session | None) -> Leaving | None:
        if session is None or session.seat is None or self.match is None or self.chairs[session.seat].fresh:
            return None
        cost = price(self.match, session.seat)
        return Leaving(*cost) if cost is not None else None

    def _enough(self) -> bool:
        return self.game.check_players(len(self._taken()), self.options)
