"""State the facts of Cascata: cards, pyramid, melds, scores. Source: the game's page and the decisions in decisions.md.

Nothing here (nor in `state` and `policy`) knows the table or the core: these modules are the game's pure part, shared by the plugin,
the hints, the computer players and the tests. Suits never matter; a rank is a number 1 (ace) to 13 (king), 0 for a joker.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import Any

Face = str
"""`H8`: suit letter and rank letter; `*` a joker; `L` the lock card."""

JOKER, LOCK = "*", "L"
SUITS = "CSHD"
RANK_LETTERS = "A23456789TJQK"
CARDS: tuple[Face, ...] = (*[suit + rank for suit in SUITS for rank in RANK_LETTERS], JOKER, JOKER)
"""The 54 cards; the lock card comes on top of them."""
JOKERS = 2
IN_RANK = len(SUITS)

FEWEST_PLAYERS, MOST_PLAYERS = 2, 4
HAND = 4
"""Cards dealt to each player."""
ROWS = {2: 6, 3: 7, 4: 7}
"""Rows of the pyramid by number of players."""
MOST_ROWS = 7
MIDDLE = 4
"""The middle row, counted from the apex: always the row of four cards (decision C2)."""

APEX, BASE = "apex", "base"
SMALLEST, FULL = 2, 4
"""Cards of a meld: the fewest, and as many as make it safe."""
QUAD = 100

Covers = tuple[tuple[int, ...], ...]
"""For each place of the pyramid, the places whose cards lie over it."""


class RuleBroken(Exception):
    """Say which rule a move breaks: a stable `code` (also a message key) and its `data` (message arguments)."""

    def __init__(self, code: str, **data: Any) -> None:
        super().__init__(code, data)
        self.code = code
        self.data = data


# Cards


@cache
def rank(face: Face) -> int:
    """Return 1..13 for a natural card, 0 for a joker."""
    return 0 if face == JOKER else RANK_LETTERS.index(face[1]) + 1


def by_rank(face: Face) -> tuple[int, str]:
    """Return the sort key that puts naturals in the order of their ranks, then jokers."""
    return rank(face) or 14, face


def penalty(cards: Iterable[Face]) -> int:
    """Return what cards left in a hand cost: their ranks, a joker nothing."""
    return sum(rank(face) for face in cards)


# The pyramid: places are numbered row by row from the apex, 0 first


def size(rows: int) -> int:
    """Return how many cards a pyramid of so many rows has."""
    return rows * (rows + 1) // 2


def place(row: int, card: int) -> int:
    """Return the place of a row's card; rows count from the apex, cards from the left, both from 1."""
    return size(row - 1) + card - 1


def position(place: int) -> tuple[int, int]:
    """Return row and card of a place, both from 1."""
    row = 1
    while size(row) <= place:
        row += 1
    return row, place - size(row - 1) + 1


@cache
def covers(rows: int, free_from: str) -> Covers:
    """Return for each place the places that cover it: the nearest two of the row above it, or (free from the base) below it."""
    result = []
    for here in range(size(rows)):
        row, card = position(here)
        if free_from == APEX:
            over = [place(row - 1, other) for other in (card - 1, card) if 1 <= other <= row - 1]
        else:
            over = [place(row + 1, other) for other in (card, card + 1)] if row < rows else []
        result.append(tuple(over))
    return tuple(result)


def uncovered(cards: Sequence[Face], over: Sequence[Sequence[int]], place: int) -> bool:
    """Tell whether there is a card at a place and none left that covers it."""
    return bool(cards[place]) and not any(cards[other] for other in over[place])


def free(cards: Sequence[Face], over: Sequence[Sequence[int]]) -> list[int]:
    """Return the places whose card is free to take."""
    return [place for place in range(len(cards)) if uncovered(cards, over, place)]


def rows_left(cards: Sequence[Face]) -> int:
    """Return how many rows of a pyramid still hold a card, a swapped joker counting as one."""
    left = row = 0
    while size(row) < len(cards):
        row += 1
        left += any(cards[size(row - 1) : size(row)])
    return left


def always_free(row: int, free_from: str) -> bool:
    """Tell whether a row is free at the start whatever the number of players: then it cannot lie face down.

    With the base free first that is row 6 for two players and row 7 for more; both are kept open at every table.
    """
    return row == 1 if free_from == APEX else row in ROWS.values()


# Melds


def naturals(cards: Iterable[Face]) -> list[Face]:
    """Return the cards that are no jokers."""
    return [face for face in cards if face != JOKER]


def meld_rank(cards: Sequence[Face]) -> int:
    """Return the rank of a meld. Raises: RuleBroken("no_natural" | "different_ranks")."""
    ranks = sorted({rank(face) for face in cards if face != JOKER})
    if not ranks:
        raise RuleBroken("no_natural")
    if len(ranks) > 1:
        raise RuleBroken("different_ranks")
    return ranks[0]


def check_meld(cards: Sequence[Face]) -> None:
    """Refuse what is no meld. Raises: RuleBroken("too_few" | "too_many" | "no_natural" | "different_ranks")."""
    if len(cards) < SMALLEST:
        raise RuleBroken("too_few")
    if len(cards) > FULL:
        raise RuleBroken("too_many")
    meld_rank(cards)


def check_addition(meld: Sequence[Face], cards: Sequence[Face]) -> None:
    """Refuse cards that cannot be added to a meld. Raises: RuleBroken("too_few" | "safe" | "too_many" | "different_ranks")."""
    if not cards:
        raise RuleBroken("too_few")
    if len(meld) >= FULL:
        raise RuleBroken("safe")
    if len(meld) + len(cards) > FULL:
        raise RuleBroken("too_many")
    meld_rank([*meld, *cards])


def check_steal(meld: Sequence[Face], cards: Sequence[Face], soft: bool = False) -> None:
    """Refuse cards that cannot steal a meld: they must make it exactly four, unless stealing is `soft` (decision C7).

    Raises: RuleBroken("exactly_four") or what `check_addition` refuses.
    """
    check_addition(meld, cards)
    if not soft and len(meld) + len(cards) != FULL:
        raise RuleBroken("exactly_four", n=FULL - len(meld))


def times(count: int) -> int:
    """Return how often the sum of a pair's or a three's naturals counts."""
    return count - 1


def base_points(cards: Sequence[Face]) -> int:
    """Return a meld's points before the row multiplier: a pair its naturals' sum, a three twice the sum, a four 100."""
    return QUAD if len(cards) >= FULL else penalty(cards) * times(len(cards))


def multiplier(rows: int) -> int:
    """Return what a meld changed now is multiplied by in the row variant: the rows left, and 1 when none is (decision C14)."""
    return max(1, rows)


# The end


def ranking(keys: Iterable[tuple[int, int, int]]) -> list[list[int]]:
    """Return groups of tied seats, best first, from (seat, points, cards left): more points, then fewer cards, else a shared place."""
    groups: dict[tuple[int, int], list[int]] = {}
    for seat, points, cards in keys:
        groups.setdefault((-points, cards), []).append(seat)
    return [sorted(groups[key]) for key in sorted(groups)]


def fillings(held: Collection[Face], meld: Sequence[Face] = (), least: int = SMALLEST) -> list[tuple[Face, ...]]:
    """Return every way to make (or, given a meld, to add to) a meld that then has `least` to four cards, one for each number of
    naturals and jokers of a rank: suits never matter, so of the naturals the first ones stand for all."""
    jokers = [face for face in held if face == JOKER]
    by: dict[int, list[Face]] = {}
    for face in sorted(naturals(held), key=by_rank):
        by.setdefault(rank(face), []).append(face)
    ranks = [meld_rank(meld)] if meld else list(by)
    result: list[tuple[Face, ...]] = []
    for number in ranks:
        own = by.get(number, [])
        for count in range(0 if meld else 1, len(own) + 1):
            for wild in range(len(jokers) + 1):
                if count + wild and least <= len(meld) + count + wild <= FULL:
                    result.append((*own[:count], *jokers[:wild]))
    return result
