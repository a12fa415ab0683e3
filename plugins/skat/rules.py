"""State the pure facts of Skat's cards: points, order, following suit, tricks, matadors, contracts.

Source: Internationale Skatordnung (ISkO, numbering of 1999-2018) 1.2, 2.1-2.4, 4.1-4.2. Three players, 32 cards, ten
each and two in the skat. In suit games and Grand the jacks are the highest trumps (CJ SJ HJ DJ) and suits run
A T K Q 9 8 7; in Null there is no trump and suits run A K Q J T 9 8 7.
A card is its face: suit C S H D + rank A T K Q J 9 8 7 (T = ten). A *kind* of game is one of C S H D (suit), G, N.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

Face = str
Kind = str

SUITS = "CSHD"
RANKS = "ATKQJ987"
NULL_RANKS = "AKQJT987"
KINDS = "DHSCGN"
JACKS: tuple[Face, ...] = ("CJ", "SJ", "HJ", "DJ")
DECK: tuple[Face, ...] = tuple(suit + rank for suit in SUITS for rank in RANKS)
TRUMP = "T"

_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
_PLAIN_ORDER = "789QKTA"
_NULL_ORDER = "789TJQKA"

BASES = {"D": 9, "H": 10, "S": 11, "C": 12, "G": 24}
"""The base value of each kind of game with trumps (ISkO 5.1)."""

NULL_VALUES = {(False, False): 23, (True, False): 35, (False, True): 46, (True, True): 59}
"""The fixed value of a Null by (hand, ouvert) (ISkO 5.1)."""


@dataclass(frozen=True, slots=True)
class Contract:
    """Name what the declarer undertakes: the kind of game and what he announced."""

    kind: Kind
    hand: bool = False
    schneider: bool = False
    schwarz: bool = False
    ouvert: bool = False

    def __post_init__(self) -> None:
        """Refuse a combination that no announcement can produce.

        Raises:
            ValueError: the kind is unknown, a Null carries a level, or a level is announced without playing hand.
        """
        if self.kind not in KINDS or len(self.kind) != 1:
            raise ValueError(f"no kind of game called {self.kind!r}")
        if self.kind == "N" and (self.schneider or self.schwarz):
            raise ValueError("Null knows neither schneider nor schwarz")
        if self.schneider and not self.hand:
            raise ValueError("schneider is announced in hand games only")
        if self.schwarz and not self.schneider:
            raise ValueError("announcing schwarz includes announcing schneider")
        if self.kind != "N" and self.ouvert and not self.schwarz:
            raise ValueError("a suit or Grand ouvert includes announcing schwarz")

    @classmethod
    def of(cls, kind: Kind, hand: bool = False, schneider: bool = False, schwarz: bool = False, ouvert: bool = False) -> Contract:
        """Build a contract from what was said, adding what it implies (ouvert > schwarz > schneider > hand)."""
        if kind == "N":
            return cls(kind, hand, schneider, schwarz, ouvert)
        schwarz = schwarz or ouvert
        schneider = schneider or schwarz
        return cls(kind, hand or schneider, schneider, schwarz, ouvert)

    @classmethod
    def parse(cls, code: str) -> Contract:
        """Read a contract code (`C`, `HH`, `DHS`, `GO`, `NOH`).

        Raises:
            ValueError: the code is not a kind followed by letters of O, H, S, Z, each at most once.
        """
        kind, letters = code[:1], code[1:]
        if not kind or set(letters) - set("OHSZ") or len(set(letters)) != len(letters):
            raise ValueError(f"no contract called {code!r}")
        return cls.of(kind, "H" in letters, "S" in letters, "Z" in letters, "O" in letters)

    @property
    def code(self) -> str:
        """Write the contract the short way the logs use: implied letters are left out."""
        if self.kind == "N":
            return "N" + ("H" if self.hand else "") + ("O" if self.ouvert else "")
        if self.ouvert:
            return self.kind + "O"
        if self.schwarz:
            return self.kind + "HZ"
        return self.kind + ("H" if self.hand else "") + ("S" if self.schneider else "")

    @property
    def null(self) -> bool:
        """Tell whether the declarer must avoid every trick."""
        return self.kind == "N"

    @property
    def base(self) -> int:
        """Give the base value, or the fixed value of a Null."""
        return NULL_VALUES[self.hand, self.ouvert] if self.null else BASES[self.kind]

    def played_as(self, kind: Kind) -> Contract:
        """Give the plain game of another kind, hand kept (used when a Null below the bid is settled)."""
        return replace(self, kind=kind, schneider=False, schwarz=False, ouvert=False)


def card_points(faces: Iterable[Face]) -> int:
    """Add up card points: ace 11, ten 10, king 4, queen 3, jack 2, the rest 0; 120 in all."""
    return sum(_POINTS[face[1]] for face in faces)


def group(face: Face, kind: Kind) -> str:
    """Give the group a card follows in: `T` for trump, else its suit letter."""
    if kind != "N" and (face[1] == "J" or face[0] == kind):
        return TRUMP
    return face[0]


def strength(face: Face, kind: Kind) -> int:
    """Rank a card within its group: the higher number beats the lower."""
    if kind == "N":
        return _NULL_ORDER.index(face[1])
    if face[1] == "J":
        return 10 + JACKS[::-1].index(face)
    return _PLAIN_ORDER.index(face[1])


def legal_cards(hand: Sequence[Face], led: Face | None, kind: Kind) -> list[Face]:
    """List the cards that may be played: those of the group led, or any card when there is none (ISkO 4.2)."""
    if led is None:
        return list(hand)
    wanted = group(led, kind)
    following = [face for face in hand if group(face, kind) == wanted]
    return following or list(hand)


def trick_winner(trick: Sequence[Face], kind: Kind) -> int:
    """Find who wins a trick: the index, counted from the leader, of the highest trump or else of the highest card led.

    Raises:
        ValueError: the trick is empty.
    """
    if not trick:
        raise ValueError("nobody has played to this trick")
    best = 0
    for index in range(1, len(trick)):
        if beats(trick[index], trick[best], kind):
            best = index
    return best


def beats(face: Face, other: Face, kind: Kind) -> bool:
    """Tell whether a card played later beats the card that holds the trick."""
    mine, theirs = group(face, kind), group(other, kind)
    if mine == theirs:
        return strength(face, kind) > strength(other, kind)
    return mine == TRUMP


def trump_order(kind: Kind) -> tuple[Face, ...]:
    """List the trumps from the top: four jacks, then in suit games A T K Q 9 8 7 of the suit; none in Null."""
    if kind == "N":
        return ()
    suit = tuple(kind + rank for rank in _PLAIN_ORDER[::-1]) if kind != "G" else ()
    return JACKS + suit


def matadors(twelve: Iterable[Face], kind: Kind) -> int:
    """Count the unbroken row of top trumps: +n "with n", -n "without n", 0 in Null (ISkO 2.4).

    `twelve` are the declarer's ten cards and the skat, whether he looked at it or not and whatever he put away.
    """
    order = trump_order(kind)
    if not order:
        return 0
    held = set(twelve)
    has_top = order[0] in held
    count = 0
    for face in order:
        if (face in held) != has_top:
            break
        count += 1
    return count if has_top else -count


def sort_hand(hand: Iterable[Face], kind: Kind = "G") -> list[Face]:
    """Sort cards for the eye: trumps first, then suits C S H D, each from the top."""
    return sorted(hand, key=lambda face: ((TRUMP + SUITS).index(group(face, kind)), -strength(face, kind)))
