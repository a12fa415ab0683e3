"""State the facts of Dez Degraus: faces, deck, points, the ten phases, the limits of the table.

Nothing here (nor in `groups`, `phases`, `distance`, `split`, `emptying` and `places`) knows the table or the core:
these modules are the game's pure part, shared by the plugin, the hints, the computer players and the tests.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

Face = str
"""`R7`: colour letter and number 1..12; `W` the wild (Coringa); `S` the skip (Salto)."""

COLOURS = ("R", "B", "G", "Y")
LOWEST, HIGHEST = 1, 12
WILD, SKIP = "W", "S"
NATURALS: tuple[Face, ...] = tuple(f"{colour}{n}" for colour in COLOURS for n in range(LOWEST, HIGHEST + 1))
FACES: tuple[Face, ...] = (*NATURALS, WILD, SKIP)
COPIES, WILDS, SKIPS = 2, 8, 4
CARDS: tuple[Face, ...] = NATURALS * COPIES + (WILD,) * WILDS + (SKIP,) * SKIPS
"""The 108 cards."""

_NUMBERS = {face: int(face[1:]) for face in NATURALS}

FEWEST_PLAYERS, MOST_PLAYERS = 2, 6
HAND_SIZE = 10
TURNS_A_PLAYER = 50
"""Turns a player has, on average and counting those lost, before an endless hand is blocked."""
PLACES_PLAYED_FOR = 3
"""Players that must have finished before an "until three" match is over."""

POINTS_LOW, POINTS_HIGH, POINTS_SKIP, POINTS_WILD = 5, 10, 15, 25
FIRST_HIGH = 10
"""The lowest number that counts POINTS_HIGH."""

SET, RUN, COLOUR = "set", "run", "colour"


class Wanted(NamedTuple):
    """One group that a phase asks for: its kind (`set | run | colour`) and its least number of cards."""

    kind: str
    size: int


Phase = tuple[Wanted, ...]

PHASES: tuple[Phase, ...] = (
    (Wanted(SET, 3), Wanted(SET, 3)),
    (Wanted(SET, 3), Wanted(RUN, 4)),
    (Wanted(SET, 4), Wanted(RUN, 4)),
    (Wanted(RUN, 7),),
    (Wanted(RUN, 8),),
    (Wanted(RUN, 9),),
    (Wanted(SET, 4), Wanted(SET, 4)),
    (Wanted(COLOUR, 7),),
    (Wanted(SET, 5), Wanted(SET, 2)),
    (Wanted(SET, 5), Wanted(SET, 3)),
)
LAST_PHASE = len(PHASES)


class RuleBroken(Exception):
    """Say which rule a move breaks: a stable `code` (also a message key) and its `data` (message arguments)."""

    def __init__(self, code: str, **data: Any) -> None:
        super().__init__(code, data)
        self.code = code
        self.data = data


def phase(number: int) -> Phase:
    """Return the groups of phase 1..10."""
    return PHASES[number - 1]


def is_natural(face: Face) -> bool:
    """Tell whether the card has a number and a colour."""
    return face not in (WILD, SKIP)


def number(face: Face) -> int:
    """Return the number 1..12 of a natural card."""
    return _NUMBERS[face]


def colour(face: Face) -> str:
    """Return the colour letter of a natural card."""
    return face[0]


def card_points(face: Face) -> int:
    """Return what one card counts when it is left in a hand."""
    if face == WILD:
        return POINTS_WILD
    if face == SKIP:
        return POINTS_SKIP
    return POINTS_HIGH if number(face) >= FIRST_HIGH else POINTS_LOW


def points(cards: Iterable[Face]) -> int:
    """Return what the cards left in a hand count together."""
    return sum(card_points(face) for face in cards)


def by_number(face: Face) -> tuple[int, str]:
    """Return the sort key that puts naturals in the order of their numbers, then wilds, then skips."""
    return (number(face), face[0]) if is_natural(face) else (HIGHEST + (1 if face == WILD else 2), face)


def by_colour(face: Face) -> tuple[int, int]:
    """Return the sort key that puts naturals colour by colour, then wilds, then skips."""
    if is_natural(face):
        return COLOURS.index(colour(face)), number(face)
    return len(COLOURS), 0 if face == WILD else 1
