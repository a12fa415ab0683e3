"""What a table agrees upon about time: the turn clock, and what happens to the seat of somebody whose line is lost.

These are the net's, not the game's: a game never sees a clock. Times are whole seconds on the wire and for people.
"""

from __future__ import annotations

import re
from typing import Annotated, Final

from msgspec import Meta, Struct

from .fields import Level

WAIT, BOT, GAME = "wait", "bot", "game"
AWAY_POLICIES: Final = (WAIT, BOT, GAME)
"""What happens to a seat after the table's grace: everybody waits, a computer player plays on, or the game's own default does."""
GRACE: Final = 120
"""Seconds that a table waits for somebody who is away, unless it says otherwise."""
LONGEST: Final = 86_400

_Seconds = Annotated[int, Meta(ge=0, le=LONGEST)]


class ClockTerms(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A turn clock, in seconds: every move has `move` of its own; what goes beyond comes from `bank`, which a seat has for the
    whole match and to which each of its moves adds `add`.
    """

    move: _Seconds = 0
    bank: _Seconds = 0
    add: _Seconds = 0

    @property
    def on(self) -> bool:
        """Tell whether there is any time to run out of."""
        return bool(self.move or self.bank or self.add)

    def __str__(self) -> str:
        """Return the clock as the command line takes it."""
        if not self.on:
            return "off"
        parts = [self.move, self.bank, self.add] if self.move else [self.bank, self.add]
        while len(parts) > 1 and not parts[-1]:
            parts.pop()
        return ("" if self.move else "match:") + "+".join(map(str, parts))


class Terms(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The terms of a table. clock: None for no clock. grace: seconds until `away` is done: `wait | bot | game`. level: of the
    computer player that plays on.
    """

    clock: ClockTerms | None = None
    grace: Annotated[int, Meta(ge=0, le=LONGEST)] = GRACE
    away: Annotated[str, Meta(pattern=rf"^({'|'.join(AWAY_POLICIES)})\Z")] = BOT
    level: Level = "rule"


class Clocks(Struct, frozen=True, omit_defaults=True):
    """The clocks of a table at the moment of the message, in milliseconds by seat.

    move: what is left of the move, None for a seat that is not asked. bank: what is left for the match. run: whether they run
    (not while the table is paused or rests).
    """

    move: Annotated[list[Annotated[int, Meta(ge=0, le=1000 * LONGEST)] | None], Meta(max_length=10)]
    bank: Annotated[list[Annotated[int, Meta(ge=0, le=100_000 * LONGEST)]], Meta(max_length=10)]
    run: bool = True


class Leaving(Struct, frozen=True, omit_defaults=True):
    """What it would cost this player to leave for good now.

    how: `free` (before the second hand), `penalty`, `loss` (the place it gets, and no gain) or `kept` (nothing: its place is
    certain, or a computer player earns it). chips: what a penalty is worth, not positive; 0 if it depends on the end. substitute:
    whether a computer player goes on.
    """

    how: Annotated[str, Meta(pattern=r"^(free|penalty|loss|kept)\Z")]
    chips: Annotated[int, Meta(ge=-(2**31), le=0)] = 0
    substitute: bool = True


_TEXT: Final = re.compile(r"(match:)?(\d{1,5})(?:\+(\d{1,5}))?(?:\+(\d{1,5}))?", re.ASCII)


def clock_terms(text: str) -> ClockTerms | None:
    """Read a clock: `off`; `45` seconds a move; `45+120`, and 120 for the match besides (`45+120+5`, and 5 more of them for each move);
    `match:600+5`, 600 for the match and 5 more for each move.

    Raises: ValueError.
    """
    if text == "off":
        return None
    found = _TEXT.fullmatch(text)
    if found is None or (found[1] and found[4]):
        raise ValueError(f"{text!r} is no clock: write off, 45, 45+120 or match:600+5 (seconds)")
    first, second, third = (int(found[i] or 0) for i in (2, 3, 4))
    clock = ClockTerms(0, first, second) if found[1] else ClockTerms(first, second, third)
    if not first or max(first, second, third) > LONGEST:
        raise ValueError(f"{text!r} is no clock: a move, or a match, has 1 to {LONGEST} seconds")
    return clock
