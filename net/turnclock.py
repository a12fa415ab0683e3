"""A turn clock: who has how much time left. It only counts; what a time-out does is the game's affair.

Time is the host's monotonic seconds, given with each call, so that the same calls always give the same answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .terms import Clocks, ClockTerms

LATE = 0.5
"""Seconds more that an answer may take on its way."""
RESTARTED = 15.0
"""Seconds that everybody gets when the host had to start again."""


@dataclass
class Asked:
    """A prompt that waits for its answer, and since when."""

    prompt: int
    since: float


class TurnClock:
    """The clocks of one match.

    held: since when they all stand still, None while they run.
    """

    def __init__(self, terms: ClockTerms, seats: int, banks: Sequence[int] = (), now: float = 0.0) -> None:
        """Begin a match; or go on with what was left in the banks (ms), and a little more for the restart."""
        self.terms = terms
        self.held: float | None = now
        kept = len(banks) == seats
        self._bank = [banks[seat] / 1000 + RESTARTED if kept else float(terms.bank) for seat in range(seats)]
        self._asked: dict[int, Asked] = {}

    def follow(self, prompts: Mapping[int, int], now: float, moved: int | None = None) -> None:
        """Take in which prompts (by seat) are open; `moved`: whose answer has just been taken."""
        at = self._at(now)
        for seat, asked in list(self._asked.items()):
            if prompts.get(seat) != asked.prompt:
                beyond = at - asked.since - self.terms.move
                self._bank[seat] = max(0.0, self._bank[seat] - max(0.0, beyond)) + (self.terms.add if seat == moved else 0)
                del self._asked[seat]
        for seat, prompt in prompts.items():
            if seat not in self._asked:
                self._asked[seat] = Asked(prompt, at)

    def hold(self, now: float) -> None:
        """Let all clocks stand still."""
        if self.held is None:
            self.held = now

    def run(self, now: float) -> None:
        """Let them run again."""
        if self.held is not None:
            self.skip(now - self.held)
            self.held = None

    def skip(self, seconds: float) -> None:
        """Forget that so many seconds have gone by since the present prompts were opened."""
        for asked in self._asked.values():
            asked.since += seconds

    def left(self, seat: int, now: float) -> float:
        """Return the seconds until a seat that is asked runs out of time; negative when it has."""
        return self.terms.move + self._bank[seat] - (self._at(now) - self._asked[seat].since)

    def over(self, now: float) -> list[tuple[int, int]]:
        """Return seat and prompt of everybody whose time is over, the way of an answer included."""
        if self.held is not None:
            return []
        return [(seat, asked.prompt) for seat, asked in sorted(self._asked.items()) if self.left(seat, now) <= -LATE]

    def next(self, now: float) -> float | None:
        """Return the seconds until somebody's time is over, None if nobody's runs."""
        if self.held is not None or not self._asked:
            return None
        return max(0.0, min(self.left(seat, now) for seat in self._asked) + LATE)

    def told(self, now: float) -> Clocks:
        """Return what everybody is told."""
        at, seats = self._at(now), range(len(self._bank))
        used = {seat: at - asked.since for seat, asked in self._asked.items()}
        move = [_ms(self.terms.move - used[seat]) if seat in used else None for seat in seats]
        bank = [_ms(self._bank[seat] - max(0.0, used.get(seat, 0.0) - self.terms.move)) for seat in seats]
        return Clocks(move, bank, self.held is None)

    def banks(self, now: float) -> tuple[int, ...]:
        """Return what is left in the banks, in ms, to be kept."""
        return tuple(self.told(now).bank)

    def _at(self, now: float) -> float:
        return now if self.held is None else self.held


def _ms(seconds: float) -> int:
    return max(0, round(seconds * 1000))
