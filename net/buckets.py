"""Token buckets: how often something may happen, on average and at once."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass


@dataclass(frozen=True)
class Rate:
    """Allow so many a second on average, and `burst` at once; a rate of 0 allows everything."""

    per_second: float
    burst: float

    @classmethod
    def of(cls, count: float, seconds: float, burst: float | None = None) -> Rate:
        """Return the rate of `count` in so many seconds; all of them may come at once unless `burst` says otherwise."""
        return cls(count / seconds, count if burst is None else burst)

    @property
    def off(self) -> bool:
        """Whether everything is allowed."""
        return self.per_second <= 0


class Buckets:
    """One bucket for each key or address, all of one rate; those that were full again longest ago are forgotten first."""

    def __init__(self, rate: Rate, room: int = 4096) -> None:
        self.rate = rate
        self._room = room
        self._level: dict[Hashable, tuple[float, float]] = {}

    def __len__(self) -> int:
        return len(self._level)

    def take(self, of: Hashable, now: float, cost: float = 1.0) -> bool:
        """Take one token out of somebody's bucket. Return False, and take nothing, if it holds none."""
        if self.rate.off:
            return True
        level = self.level(of, now)
        if level < cost:
            return False
        self._level.pop(of, None)
        self._level[of] = (level - cost, now)
        if len(self._level) > self._room:
            del self._level[next(iter(self._level))]
        return True

    def level(self, of: Hashable, now: float) -> float:
        """Return how many tokens somebody's bucket holds."""
        level, then = self._level.get(of, (self.rate.burst, now))
        return min(self.rate.burst, level + max(0.0, now - then) * self.rate.per_second)

    def wait(self, of: Hashable, now: float) -> float:
        """Return the seconds until somebody's bucket holds a token."""
        missing = 1.0 - self.level(of, now)
        return missing / self.rate.per_second if missing > 0 and not self.rate.off else 0.0
