"""What time does at a table: clocks that run out, and people who are waited for until somebody plays on for them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from carteado.core.bots import player
from carteado.core.errors import CarteadoError, Refused
from carteado.core.match import OVER, Match

from . import limits
from .chairs import AWAY, Chair
from .deadline import within
from .face import BETWEEN, PLAYING
from .terms import BOT, GAME, WAIT, Clocks, Terms
from .turnclock import TurnClock

if TYPE_CHECKING:
    from .seating import Tick
    from .tables import Table


class Timekeeper:
    """Keep a table's clocks and count its grace.

    slept: seconds that the host itself was stopped during this match; nobody's time.
    """

    def __init__(self, table: Table, terms: Terms, now: float) -> None:
        self.terms = terms
        self.clock: TurnClock | None = None
        self.slept = 0.0
        self._table = table
        self._looked = now
        self._hopeless: set[int] = set()

    # The match

    def begin(self, now: float, banks: tuple[int, ...] = ()) -> None:
        """Set the clocks for a match, or go on with what was kept of them."""
        self.slept, self._looked = 0.0, now
        self._hopeless.clear()
        terms, match = self.terms.clock, self._table.match
        self.clock = TurnClock(terms, len(match.seats), banks, now) if terms is not None and terms.on and match is not None else None
        for chair in self._table.chairs:
            chair.spent = 0.0

    def follow(self, now: float, moved: int | None = None) -> None:
        """Take in the prompts of the match's present version; `moved`: who has just answered."""
        match = self._table.match
        if self.clock is not None and match is not None:
            self.clock.follow({seat: prompt.id for seat, prompt in match.prompts.items()}, now, moved)

    def told(self, now: float) -> Clocks | None:
        """Return the clocks as everybody may know them, None if there are none."""
        return self.clock.told(now) if self.clock is not None else None

    def banks(self, now: float) -> tuple[int, ...]:
        """Return what must not be forgotten of the clocks."""
        return self.clock.banks(now) if self.clock is not None else ()

    # People

    def grace(self, chair: Chair, now: float) -> int | None:
        """Return for how many ms the table still waits for somebody; None if it does not, or waits for as long as it takes."""
        if self.terms.away == WAIT or chair.substitute is not None or not self._awaited(chair) or chair.line(now) != AWAY:
            return None
        spent = chair.spent + (now - self._looked if self._counts(now) else 0.0)
        return max(0, round((self.terms.grace - spent) * 1000))

    def returned(self, chair: Chair, tick: Tick) -> None:
        """Give a seat back to its player."""
        match = self._table.match
        if chair.substitute is None or match is None:
            return
        chair.substitute = None
        if match.phase != OVER:
            self._table.takeover(chair.seat, chair.bot, tick)

    def lost(self, seconds: float) -> None:
        """Take in that the host itself was stopped: nobody's clock and nobody's grace counts that."""
        self.slept += seconds
        self._looked += seconds
        if self.clock is not None and self.clock.held is None:
            self.clock.skip(seconds)

    # Going on

    def look(self, tick: Tick) -> None:
        """Count the grace, once a second, and let go on what has waited long enough."""
        elapsed, self._looked = max(0.0, tick.now - self._looked), tick.now
        counts = self._counts(tick.now)
        for chair in list(self._table.chairs):
            line = chair.line(tick.now)
            if line != AWAY and chair.substitute is not None:
                self.returned(chair, tick)
            elif line == AWAY and counts and self._awaited(chair):
                chair.spent += elapsed
                if chair.spent >= self.terms.grace:
                    self._go_on(chair, tick)
        self.tend(tick)

    def tend(self, tick: Tick) -> None:
        """Let the clocks run while the match does and somebody is there; close what has run out, and see to the next in time."""
        if self.clock is None:
            return
        runs = self._table.stage == PLAYING and self._somebody(tick.now)
        if runs != (self.clock.held is None):
            (self.clock.run if runs else self.clock.hold)(tick.now)
            tick.changed(self._table)
        for seat, prompt in self.clock.over(tick.now):
            self._time_out(seat, prompt, tick)
        left = self.clock.next(tick.now)
        if left is not None and left <= limits.HEARTBEAT and not self._hopeless:
            tick.alarm(self._table, left)

    def _go_on(self, chair: Chair, tick: Tick) -> None:
        match = self._table.match
        assert match is not None
        if self.terms.away == BOT and chair.substitute is None:
            chair.substitute = self.terms.level
            self._table.takeover(chair.seat, self.terms.level, tick)
            tick.changed(self._table)
        elif self.terms.away == GAME and (prompt := match.prompts.get(chair.seat)) is not None:
            self._time_out(chair.seat, prompt.id, tick)

    def _time_out(self, seat: int, prompt: int, tick: Tick) -> None:
        """Close a prompt with the game's own way out, else with what a player finds who knows nothing of the game."""
        match = self._table.match
        asked = match.prompts.get(seat) if match is not None else None
        if match is None or asked is None or asked.id != prompt or prompt in self._hopeless:
            return
        try:
            self._table.time_out(seat, prompt, None, tick)
        except Refused:
            try:
                self._table.time_out(seat, prompt, _any_action(match, seat), tick)
            except (CarteadoError, RecursionError):
                self._hopeless.add(prompt)  # the fault is in the log; everybody can still answer, pause or leave

    def _counts(self, now: float) -> bool:
        return self._table.stage in (PLAYING, BETWEEN) and self._somebody(now)

    def _somebody(self, now: float) -> bool:
        return any(now - session.heard < limits.AWAY for session in self._table.audience)

    def _awaited(self, chair: Chair) -> bool:
        match = self._table.match
        if match is None or match.phase == OVER or chair.key is None or chair.house or chair.fresh:
            return False
        return chair.seat not in match.left and not any(chair.seat in group for group in match.finished)


def _any_action(match: Match, seat: int) -> dict[str, object]:
    with within():
        return dict(player(match.game, "random").choose(match.view(seat, captions=False), random.Random(match.q)))
