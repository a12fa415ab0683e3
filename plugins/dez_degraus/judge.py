"""Judge what is best now, from what one seat sees: whether to take, how to lay, what to hit, what to throw, whom to skip."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from .distance import Layout, count, distance, layouts
from .emptying import Hit, hits
from .groups import Group
from .phases import match
from .rules import (
    COLOUR,
    COLOURS,
    COPIES,
    HIGHEST,
    LOWEST,
    RUN,
    SKIP,
    WILD,
    WILDS,
    Face,
    Phase,
    card_points,
    is_natural,
    number,
    points,
)
from .seen import Seen


def worth_taking(seen: Seen) -> bool:
    """Tell whether the top discard brings the phase nearer, or (once laid) leaves the hand again in the same turn."""
    top = seen.top
    if top is None or top == SKIP:
        return False
    if seen.has_laid:
        groups = list(seen.groups.values())
        return _left([*seen.hand, top], groups)[0] <= _left(seen.hand, groups)[0]
    return distance([*seen.hand, top], seen.phase) < distance(seen.hand, seen.phase)


def _left(hand: Sequence[Face], groups: Sequence[Group]) -> tuple[int, int]:
    """Return (cards, points) left in the hand after the best hits."""
    rest = Counter(hand) - Counter(played.face for played in hits(hand, groups))
    return rest.total(), points(rest.elements())


def best_layout(seen: Seen) -> Layout | None:
    """Return the way to lay the phase after which hits empty the hand furthest, None if it cannot be laid."""
    table = list(seen.groups.values())
    best: tuple[tuple[int, int, int], Layout] | None = None
    tried = set()
    for layout in layouts(seen.hand, seen.phase):
        if layout in tried:
            continue
        tried.add(layout)
        used = Counter(face for group in layout.groups for face in group)
        rest = list((Counter(seen.hand) - used).elements())
        worth = (*_left(rest, [*table, *match(seen.phase, layout.groups, layout.low)]), layout.wilds)
        if best is None or worth < best[0]:
            best = worth, layout
    return best[1] if best else None


def best_hit(seen: Seen) -> tuple[str, Hit] | None:
    """Return the next hit (its group's zone, and the hit) of those that empty the hand furthest."""
    zones = list(seen.groups)
    plan = hits(seen.hand, list(seen.groups.values()))
    return (zones[plan[0].group], plan[0]) if plan else None


def best_throw(seen: Seen) -> Face:
    """Return the card to discard: the one the phase misses least, a skip while somebody can be skipped, the dearest."""
    idle_skip = not seen.skippable
    if seen.has_laid:
        return max(set(seen.hand), key=lambda face: (face != WILD, card_points(face) - 15 * (face == SKIP and idle_skip), face))
    gone = _gone(seen)
    fed = list(seen.groups.values()) if seen.next(seen.seat) in seen.laid else []

    def regret(face: Face) -> tuple[Any, ...]:
        rest = list(seen.hand)
        rest.remove(face)
        far, chances = _chances(rest, seen.phase, gone)
        feeds = face == WILD or any(_takes(group, face) for group in fed)
        return far, -chances, face == SKIP and idle_skip, feeds, -card_points(face), face

    return min(sorted(set(seen.hand)), key=regret)


def throwaway(hand: Sequence[Face], phase: Phase, laid: bool) -> Face:
    """Return the dearest card among those the phase misses least; once laid the dearest that is no wild."""
    if laid:
        return max(sorted(set(hand)), key=lambda face: (face != WILD, card_points(face)))

    def regret(face: Face) -> tuple[int, bool, int]:
        rest = list(hand)
        rest.remove(face)
        return distance(rest, phase), face == WILD, -card_points(face)

    return min(sorted(set(hand)), key=regret)


def victim(seen: Seen) -> int | None:
    """Return whom to skip: who has laid and holds fewest cards, else who leads in phases and points; None if nobody can be."""
    targets = seen.skippable
    if not targets:
        return None
    return min(
        targets,
        key=lambda seat: (
            seat not in seen.laid,
            seen.cards[seat] if seat in seen.laid else 0,
            -seen.phases[seat],
            seen.points[seat],
            seat,
        ),
    )


def _gone(seen: Seen) -> Counter[Face]:
    """Count, by face, the cards that this seat sees and can therefore not draw."""
    return Counter([*seen.hand, *seen.discards, *(face for group in seen.groups.values() for face in group.cards)])


def _chances(hand: Sequence[Face], phase: Phase, gone: Counter[Face]) -> tuple[int, int]:
    """Return the distance, and how many unseen cards would lessen it."""
    far = distance(hand, phase)
    chances = (WILDS - gone[WILD]) if far else 0
    if far == 0:
        return 0, 0
    if phase[0].kind == COLOUR:
        held = count(hand)
        most = max(held.colours.values())
        for letter in COLOURS:
            if held.colours[letter] == most:
                chances += COPIES * HIGHEST - sum(gone[f"{letter}{n}"] for n in range(LOWEST, HIGHEST + 1))
        return far, chances
    for n in range(LOWEST, HIGHEST + 1):
        if distance([*hand, f"R{n}"], phase) < far:
            chances += COPIES * len(COLOURS) - sum(gone[f"{letter}{n}"] for letter in COLOURS)
    return far, chances


def _takes(group: Group, face: Face) -> bool:
    if not is_natural(face):
        return False
    if group.kind == RUN:
        return number(face) in (group.low - 1, group.high + 1)
    return group.of in (number(face), face[0])
