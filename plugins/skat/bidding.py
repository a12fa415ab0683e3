"""Run the auction: who asks, who answers, which values may be bid.

Source: ISkO 3.3. Middlehand bids first and forehand answers; whoever is left is asked by rearhand; if both pass without
a bid, forehand may take the game at 18 or the deal is passed in. Positions: 0 forehand, 1 middlehand, 2 rearhand.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace

from .rules import BASES, NULL_VALUES, Contract

LADDER: tuple[int, ...] = tuple(
    sorted(
        {base * times for kind, base in BASES.items() if kind != "G" for times in range(2, 19)}
        | {BASES["G"] * times for times in range(2, 12)}
        | set(NULL_VALUES.values())
    )
)
"""Every value a game can have, in order: the only legal bids."""

LOWEST = LADDER[0]

FOREHAND, MIDDLEHAND, REARHAND = 0, 1, 2


def next_bid(value: int) -> int | None:
    """Give the lowest legal bid above a value (0 when nothing was bid); None above the top of the ladder."""
    index = bisect_right(LADDER, value)
    return LADDER[index] if index < len(LADDER) else None


def null_covers(contract: Contract, bid: int) -> bool:
    """Tell whether a Null is worth at least the bid; a game with trumps may always be declared."""
    return not contract.null or contract.base >= bid


@dataclass(frozen=True, slots=True)
class Auction:
    """Hold the state of one auction; `after` gives the next state.

    `stage`: `bid` (the asker names a value or passes), `answer` (the answerer holds or passes), `take` (forehand may
    take 18), `done`. `bid` is the highest value bid or held, 0 if none. `holder` is who it belongs to.
    """

    stage: str = "bid"
    bid: int = 0
    asker: int = MIDDLEHAND
    answerer: int = FOREHAND
    holder: int | None = None
    passed: tuple[int, ...] = ()

    @property
    def turn(self) -> int | None:
        """Give the position that must speak now, None when the auction is over."""
        if self.stage == "done":
            return None
        if self.stage == "bid":
            return self.asker
        return self.answerer if self.stage == "answer" else FOREHAND

    @property
    def declarer(self) -> int | None:
        """Give the position that plays alone; None while the auction runs and when the deal is passed in."""
        return self.holder if self.stage == "done" else None

    @property
    def lowest(self) -> int | None:
        """Give the lowest value that may be bid now; None when nobody may bid one."""
        if self.stage == "take":
            return LOWEST
        return next_bid(self.bid) if self.stage == "bid" else None

    def objection(self, position: int, word: int | str) -> tuple[str, dict[str, int]] | None:
        """Say why a word is not allowed now, as a code with its facts; None when it is fine.

        A word is a value, `y` (hold) or `p` (pass).
        """
        if position != self.turn:
            return "not_your_bid", {}
        if word == "p":
            return None
        if word == "y":
            return None if self.stage == "answer" else ("nothing_to_hold", {})
        if not isinstance(word, int) or self.stage == "answer":
            return "hold_or_pass", {"value": self.bid}
        if word not in LADDER:
            return "not_a_game_value", {"value": word}
        if self.stage == "take":
            return None if word == LOWEST else ("forehand_takes_18", {"value": LOWEST})
        if word <= self.bid:
            return "bid_too_low", {"value": word, "bid": self.bid}
        return None

    def after(self, position: int, word: int | str) -> Auction:
        """Give the auction after one word.

        Raises:
            ValueError: `objection` has something against it.
        """
        problem = self.objection(position, word)
        if problem is not None:
            raise ValueError(f"position {position} may not say {word!r}: {problem[0]}")
        if self.stage == "take":
            return replace(self, stage="done", bid=0 if word == "p" else LOWEST, holder=None if word == "p" else FOREHAND)
        if isinstance(word, int):
            return replace(self, stage="answer", bid=word, holder=position)
        if word == "y":
            return replace(self, stage="bid", holder=position)
        return self._without(position)

    def _without(self, position: int) -> Auction:
        """Go on after a pass: rearhand asks whoever is left, or the auction ends."""
        passed = (*self.passed, position)
        left = self.asker if position == self.answerer else self.answerer
        if self.asker != REARHAND and self.answerer != REARHAND:
            return replace(self, stage="bid", asker=REARHAND, answerer=left, passed=passed)
        if self.bid == 0:
            # Rearhand passed without a bid. Middlehand can only be left over with a bid, so forehand is the one left.
            return replace(self, stage="take", passed=passed)
        return replace(self, stage="done", holder=left, passed=passed)
