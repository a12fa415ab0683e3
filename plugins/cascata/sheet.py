"""The score sheet: what each meld is worth and why, and what the hand costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from carteado.core.api import C, L, P

from . import rules

Message = list[Any]


class Laid(NamedTuple):
    """A meld on the table and the row multiplier it carries (1 without that variant)."""

    cards: tuple[str, ...]
    rows: int

    @property
    def points(self) -> int:
        """Return what the meld is worth."""
        return rules.base_points(self.cards) * self.rows


def score(melds: Sequence[Laid], hand: Sequence[str]) -> int:
    """Return a player's points: the melds, less the penalty of the hand, which is never multiplied."""
    return sum(meld.points for meld in melds) - rules.penalty(hand)


def sheet(seat: int, melds: Sequence[Laid], hand: Sequence[str]) -> dict[str, Any]:
    """Return a player's part of the final score sheet."""
    return {
        "title": ["sheet.title", {"who": P(seat), "n": score(melds, hand)}],
        "lines": [*[meld_line(meld) for meld in melds], hand_line(hand)],
    }


def running(seat: int, melds: Sequence[Laid], hand: Sequence[str] | None, count: int) -> dict[str, Any]:
    """Return a player's part of the sheet during play; `hand` is None where the reader only knows the number of cards."""
    lines = [meld_line(meld) for meld in melds]
    if hand is None:
        return {
            "title": ["sheet.title", {"who": P(seat), "n": score(melds, ())}],
            "lines": [*lines, ["sheet.cards", {"n": count}]],
        }
    cost: Message = ["sheet.hand.now", {"n": len(hand), "points": rules.penalty(hand)}]
    return {"title": ["sheet.title", {"who": P(seat), "n": score(melds, hand)}], "lines": [*lines, cost]}


def meld_line(meld: Laid) -> Message:
    """Return the line of one meld: cards, sum, times, multiplier, points."""
    count = len(meld.cards)
    data: dict[str, Any] = {**card_arguments(meld.cards), "points": meld.points}
    if count < rules.FULL:
        data |= {"sum": rules.penalty(meld.cards), "times": rules.times(count)}
    if meld.rows == 1:
        return [f"sheet.meld.{count}", data]
    return [f"sheet.meld.{count}.rows", data | {"n": meld.rows}]


def hand_line(hand: Sequence[str]) -> Message:
    """Return the line of the cards left in the hand."""
    if not hand:
        return ["sheet.hand.none", {}]
    held = sorted(hand, key=rules.by_rank)
    return ["sheet.hand", {"cards": L([C(face) for face in held]), "points": rules.penalty(hand)}]


def card_arguments(faces: Sequence[str]) -> dict[str, Any]:
    """Return the two to four cards of a meld as the arguments `a` to `d`."""
    return {key: C(face) for key, face in zip("abcd", faces, strict=False)}


def cards_message(faces: Sequence[str]) -> Message:
    """Return the two to four cards of a meld as one message, joined by blanks."""
    return [f"cards.{len(faces)}", card_arguments(faces)]
