"""Lay the 32 cards out as bits, so that the solver can compare and follow with single operations.

Games with trumps: the trump group is on top (jacks at bits 31..28, then in suit games the trump suit 27..21), the other
suits follow in blocks of seven, each A T K Q 9 8 7 from the top. Null: four blocks of eight, A K Q J T 9 8 7. A card
beats another of its group, and a trump beats everything else, exactly when its bit is higher.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .rules import JACKS, NULL_RANKS, SUITS, Face, Kind, card_points

PLAIN = "ATKQ987"

CLASSES = 12
"""Card classes for move ordering: 0-4 trump A T K Q low, 5 jack, 6-10 plain A T K Q low; 11 is unused."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Hold where every card lies for one kind of game, and the masks made from that.

    `faces[i]` is the card at bit i; `follow[i]` the group it belongs to; `blocks` the lowest bit of each run of cards
    of equal worth next to each other (jacks; nine, eight, seven), `below` the cards that have such a neighbour above
    them.
    """

    kind: Kind
    faces: tuple[Face, ...]
    places: dict[Face, int]
    points: tuple[int, ...]
    follow: tuple[int, ...]
    classes: tuple[int, ...]
    trump: int
    groups: tuple[int, ...]
    blocks: tuple[tuple[int, int], ...]
    below: int

    def mask(self, faces: Iterable[Face]) -> int:
        """Give the bits of some cards."""
        places = self.places
        return sum([1 << places[face] for face in faces])

    def cards(self, mask: int) -> list[Face]:
        """Give the cards of a mask, highest bit first."""
        return [self.faces[place] for place in range(31, -1, -1) if mask >> place & 1]


def _blocks(groups: Sequence[Sequence[Face]], trumps: Sequence[Face]) -> tuple[tuple[int, int], ...]:
    """Find the runs of equal worth as (lowest bit, length) for a game with trumps."""
    place = 32 - len(trumps)
    runs = [(28, 4)] + ([(place, 3)] if len(trumps) > 4 else [])
    for group in groups:
        place -= len(group)
        runs.append((place, 3))
    return tuple(runs)


def make_layout(kind: Kind) -> Layout:
    """Build the layout of one kind of game."""
    if kind == "N":
        trumps: list[Face] = []
        groups = [[suit + rank for rank in NULL_RANKS] for suit in SUITS]
        blocks: tuple[tuple[int, int], ...] = tuple((place, 8) for place in (24, 16, 8, 0))
    else:
        trumps = list(JACKS) + ([] if kind == "G" else [kind + rank for rank in PLAIN])
        groups = [[suit + rank for rank in PLAIN] for suit in SUITS if suit != kind]
        blocks = _blocks(groups, trumps)
    ordered = [*trumps, *(face for group in groups for face in group)][::-1]
    places = {face: place for place, face in enumerate(ordered)}
    masks = [sum(1 << places[face] for face in group) for group in ([trumps] if trumps else []) + groups]
    below = sum(1 << place for low, length in blocks for place in range(low, low + length - 1))
    return Layout(
        kind=kind,
        faces=tuple(ordered),
        places=places,
        points=tuple(card_points([face]) for face in ordered),
        follow=tuple(next(mask for mask in masks if mask >> place & 1) for place in range(32)),
        classes=tuple(_card_class(face, face in trumps) for face in ordered),
        trump=masks[0] if trumps else 0,
        groups=tuple(masks),
        blocks=blocks,
        below=below,
    )


def _card_class(face: Face, trump: bool) -> int:
    """Give the class a card is ordered by."""
    if trump and face[1] == "J":
        return 5
    rank = "ATKQ".find(face[1])
    return (0 if trump else 6) + (rank if rank >= 0 else 4)


LAYOUTS: dict[Kind, Layout] = {kind: make_layout(kind) for kind in "CSHDGN"}

BIT_PLACE = [0] * 37
"""Where a single bit lies: `BIT_PLACE[bit % 37]`, since 2 generates the numbers modulo 37."""
for _place in range(32):
    BIT_PLACE[(1 << _place) % 37] = _place
