"""Decks: which faces there are, how often, and how a client that knows no game draws them.

A card is its face code: a suit letter and a rank (`R12`, `CT`, `SA`), or a special face listed by name (`W`). Equal faces are
interchangeable; there are no card ids to trace.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Face = str

FRENCH_SUITS: dict[str, dict[str, str]] = {
    "C": {"glyph": "♣", "ascii": "c", "color": "green", "name": "suit.C"},
    "S": {"glyph": "♠", "ascii": "s", "color": "black", "name": "suit.S"},
    "H": {"glyph": "♥", "ascii": "h", "color": "red", "name": "suit.H"},
    "D": {"glyph": "♦", "ascii": "d", "color": "blue", "name": "suit.D"},
}
FRENCH_RANKS: dict[str, str] = {"J": "rank.J", "Q": "rank.Q", "K": "rank.K", "A": "rank.A"}
JOKER: dict[str, str] = {"glyph": "★", "ascii": "**", "color": "yellow", "name": "face.joker"}


class Deck:
    """A multiset of faces with their looks.

    `suits`: letter -> {glyph, ascii, color, name key}; `faces`: special face -> the same; `ranks`: rank -> key of its letter.
    Colours: red, yellow, green, blue, black, gray.
    """

    def __init__(
        self,
        cards: Iterable[Face],
        suits: Mapping[str, Mapping[str, str]] | None = None,
        faces: Mapping[Face, Mapping[str, str]] | None = None,
        ranks: Mapping[str, str] | None = None,
    ) -> None:
        self.cards: tuple[Face, ...] = tuple(cards)
        self.suits = {key: dict(look) for key, look in (suits or {}).items()}
        self.faces = {key: dict(look) for key, look in (faces or {}).items()}
        self.ranks = dict(ranks or {})

    @property
    def looks(self) -> dict[str, Any]:
        """Return what a client needs to draw any face: `{"suits", "faces", "ranks"}`."""
        return {"suits": self.suits, "faces": self.faces, "ranks": self.ranks}

    def __len__(self) -> int:
        return len(self.cards)


def french(ranks: str, jokers: int = 0) -> Deck:
    """Return a French-suited deck with these ranks (one character each, T = ten) in four suits, and jokers `*`."""
    faces = [suit + rank for suit in "CSHD" for rank in ranks] + ["*"] * jokers
    return Deck(faces, FRENCH_SUITS, {"*": JOKER} if jokers else {}, FRENCH_RANKS)


FRENCH_32 = french("789TJQKA")
FRENCH_52 = french("23456789TJQKA")
FRENCH_54 = french("23456789TJQKA", jokers=2)
