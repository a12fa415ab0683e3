"""The score sheet of a hand: what each player held, what it counts, and which phase comes next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from carteado.core.api import P

from .rules import FIRST_HIGH, LAST_PHASE, POINTS_HIGH, POINTS_LOW, POINTS_SKIP, POINTS_WILD, SKIP, WILD, Face, number
from .texts import Message, phase_named


def score_sheet(
    left: Mapping[int, Sequence[Face]], totals: Mapping[int, int], before: Sequence[int], after: Sequence[int]
) -> list[dict[str, Any]]:
    """Explain the points of every seat in play: cards left by kind, their sum, the new total, the next phase."""
    return [
        {
            "title": ["dd.sheet.player", {"who": P(seat)}],
            "lines": [*_sums(cards), _total(cards, totals[seat]), _next(before[seat], after[seat])],
        }
        for seat, cards in left.items()
    ]


def _sums(cards: Sequence[Face]) -> list[Message]:
    low = sum(face not in (WILD, SKIP) and number(face) < FIRST_HIGH for face in cards)
    kinds = [
        ("dd.sheet.low", low, POINTS_LOW),
        ("dd.sheet.high", len(cards) - low - cards.count(WILD) - cards.count(SKIP), POINTS_HIGH),
        ("dd.sheet.skips", cards.count(SKIP), POINTS_SKIP),
        ("dd.sheet.wilds", cards.count(WILD), POINTS_WILD),
    ]
    return [[key, {"n": n, "each": each, "sum": n * each}] for key, n, each in kinds if n]


def _total(cards: Sequence[Face], total: int) -> Message:
    gained = sum(message[1]["sum"] for message in _sums(cards))
    return ["dd.sheet.total", {"gained": gained, "total": total}]


def _next(before: int, after: int) -> Message:
    if after > LAST_PHASE:
        return ["dd.sheet.finished", {}]
    return ["dd.sheet.next" if after > before else "dd.sheet.again", {"n": after, "phase": phase_named(after)}]
