"""Judge what is best now, from what one seat sees: whether to take, how to lay, what to hit, what to throw, whom to skip."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from .distance import NUMBERS, Layout, count, distance, layouts, need_of_numbers
from .emptying import Hit, hits
from .groups import Group
from .phases import match
from .rules import (
    COLOUR,
    COLOURS,
    COPIES,
    RUN,
    SET,
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
    chances = _Chances(seen.hand, seen.phase, _gone(seen))
    fed = list(seen.groups.values()) if seen.next(seen.seat) in seen.laid else []

    def regret(face: Face) -> tuple[Any, ...]:
        far, helpful = chances.without(face)
        feeds = face == WILD or any(_takes(group, face) for group in fed)
        return far, -helpful, face == SKIP and idle_skip, feeds, -card_points(face), face

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


class _Chances:
    """How many cards not yet seen would bring a hand nearer to its phase, for the hand without each of its cards."""

    def __init__(self, hand: Sequence[Face], phase: Phase, gone: Counter[Face]) -> None:
        self.held = count(hand)
        self.phase = phase
        self.wilds = WILDS - gone[WILD]
        self.numbers = dict.fromkeys(NUMBERS, COPIES * len(COLOURS))
        self.colours = dict.fromkeys(COLOURS, COPIES * len(NUMBERS))
        for face, times in gone.items():
            if is_natural(face):
                self.numbers[number(face)] -= times
                self.colours[face[0]] -= times
        self.known: dict[Face | int, tuple[int, int]] = {}

    def without(self, face: Face) -> tuple[int, int]:
        """Return the distance without this card (may be below 0: wilds to spare), and the number of helpful unseen cards."""
        of_colour = self.phase[0].kind == COLOUR
        key = face if of_colour or not is_natural(face) else number(face)
        if key not in self.known:
            self.known[key] = self._colour(face) if of_colour else self._number(face)
        return self.known[key]

    def _number(self, face: Face) -> tuple[int, int]:
        numbers, wilds, mask, phase = list(self.held.numbers), self.held.wilds, self.held.mask, self.phase
        if face == WILD:
            wilds -= 1
        elif face != SKIP:
            numbers[number(face)] -= 1
            mask &= ~(not numbers[number(face)] and 1 << number(face))
        fewest = need_of_numbers(numbers, mask, phase)
        helpful = self.wilds
        # One more of a number that there is less of than of the largest ones changes nothing for sets, and none that is there for a run.
        least = sorted(numbers)[-len(phase)] if phase[-1].kind == SET else 0
        present = mask if len(phase) == 1 and phase[0].kind == RUN else 0
        for n, left in self.numbers.items():
            if left and numbers[n] >= least and not present >> n & 1:
                numbers[n] += 1
                if need_of_numbers(numbers, mask | 1 << n, phase) < fewest:
                    helpful += left
                numbers[n] -= 1
        return fewest - wilds, helpful

    def _colour(self, face: Face) -> tuple[int, int]:
        colours, wilds = dict(self.held.colours), self.held.wilds
        if face == WILD:
            wilds -= 1
        elif face != SKIP:
            colours[face[0]] -= 1
        most = max(colours.values())
        helpful = self.wilds + sum(self.colours[letter] for letter in COLOURS if colours[letter] == most)
        return self.phase[0].size - most - wilds, helpful


def _takes(group: Group, face: Face) -> bool:
    if not is_natural(face):
        return False
    if group.kind == RUN:
        return number(face) in (group.low - 1, group.high + 1)
    return group.of in (number(face), face[0])
