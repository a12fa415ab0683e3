"""Build and extend groups: sets, runs and colours, with the place every wild takes.

Whether cards make a group depends on the multiset alone, never on the order in which they were touched. In a run the
naturals are sorted, wilds fill the inner gaps, and the spare wilds go to the high end up to 12, the rest to the low
end; a move may say `low=k` to put exactly k spare wilds low. A wild on the table keeps the place it was laid for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .rules import (
    COLOUR,
    HIGHEST,
    LOWEST,
    RUN,
    SET,
    SKIP,
    WILD,
    Face,
    RuleBroken,
    Wanted,
    by_number,
    colour,
    is_natural,
    number,
)

LONGEST_RUN = HIGHEST - LOWEST + 1


class Group(NamedTuple):
    """Cards on the table that belong together.

    `of` says what the group is of: a set's number, a run's lowest number, a colour's letter. A run's cards lie in the
    order of the numbers they stand for, so the card at place i stands for `of + i`.
    """

    kind: str
    of: int | str
    cards: tuple[Face, ...]

    @property
    def low(self) -> int:
        """Return a run's lowest number."""
        return int(self.of)

    @property
    def high(self) -> int:
        """Return a run's highest number."""
        return int(self.of) + len(self.cards) - 1

    def wilds(self) -> list[int | str]:
        """Return what each wild of the group stands for: numbers in a set or run, colour letters in a colour."""
        places = [place for place, face in enumerate(self.cards) if face == WILD]
        return [self.low + place for place in places] if self.kind == RUN else [self.of] * len(places)


def build(wanted: Wanted, cards: Sequence[Face], low: int | None = None) -> Group:
    """Make one new group of a wanted kind and least size out of exactly these cards.

    Raises: RuleBroken("skip_in_group" | "no_natural" | "mixed_numbers" | "two_colours" | "repeat" | "gap" | "wraps" |
    "run_full" | "too_few" | "low_end" | "high_end" | "too_many_low").
    """
    if SKIP in cards:
        raise RuleBroken("skip_in_group")
    naturals = sorted((face for face in cards if is_natural(face)), key=by_number)
    wilds = len(cards) - len(naturals)
    if len(cards) < wanted.size:
        raise RuleBroken("too_few", need=wanted.size, have=len(cards))
    if not naturals:
        raise RuleBroken("no_natural")
    if wanted.kind == RUN:
        return _build_run(naturals, wilds, low)
    _refuse_low(low)
    if wanted.kind == SET:
        numbers = sorted({number(face) for face in naturals})
        if len(numbers) > 1:
            raise RuleBroken("mixed_numbers", a=numbers[0], b=numbers[1])
        return Group(SET, numbers[0], (*naturals, *[WILD] * wilds))
    colours = {colour(face) for face in naturals}
    if len(colours) > 1:
        raise RuleBroken("two_colours")
    return Group(COLOUR, colours.pop(), (*naturals, *[WILD] * wilds))


def hit(group: Group, cards: Sequence[Face], low: int | None = None) -> Group:
    """Add exactly these cards to a group on the table, all of them or none, whatever their order.

    Raises: RuleBroken("skip_in_group" | "mixed_numbers" | "two_colours" | "repeat" | "already_there" | "wild_fixed" |
    "gap" | "wraps" | "run_full" | "low_end" | "high_end" | "too_many_low").
    """
    if SKIP in cards:
        raise RuleBroken("skip_in_group")
    naturals = sorted((face for face in cards if is_natural(face)), key=by_number)
    wilds = len(cards) - len(naturals)
    if group.kind == RUN:
        return _hit_run(group, naturals, wilds, low)
    _refuse_low(low)
    if group.kind == SET:
        strange = [number(face) for face in naturals if number(face) != group.of]
        if strange:
            raise RuleBroken("mixed_numbers", a=group.of, b=strange[0])
    elif any(colour(face) != group.of for face in naturals):
        raise RuleBroken("two_colours")
    return group._replace(cards=(*group.cards, *naturals, *[WILD] * wilds))


def fits(group: Group, face: Face) -> bool:
    """Tell whether this one card can be added to the group, at whichever end."""
    if face == SKIP:
        return False
    if group.kind == RUN:
        if face == WILD:
            return len(group.cards) < LONGEST_RUN
        return number(face) in (group.low - 1, group.high + 1)
    return face == WILD or (number(face) if group.kind == SET else colour(face)) == group.of


def takers(group: Group, held: Mapping[Face, int]) -> set[Face]:
    """Return the faces of a hand (face -> how many) that occur in at least one hit on this group, of one card or several."""
    if group.kind == SET:
        return {face for face in held if face == WILD or (face != SKIP and number(face) == group.of)}
    if group.kind != RUN:
        return {face for face in held if face == WILD or face[0] == group.of}
    if len(group.cards) >= LONGEST_RUN:
        return set()
    numbers = {number(face) for face in held if is_natural(face)}
    reached = set()
    for n, end, step in ((group.high, HIGHEST, 1), (group.low, LOWEST, -1)):
        wilds = held.get(WILD, 0)
        while n != end:
            n += step
            if n in numbers:
                reached.add(n)
            elif wilds:
                wilds -= 1
            else:
                break
    return {face for face in held if face == WILD or (face != SKIP and number(face) in reached)}


def _build_run(naturals: Sequence[Face], wilds: int, low: int | None) -> Group:
    numbers = [number(face) for face in naturals]
    _check_run(numbers, len(naturals) + wilds)
    first, last = numbers[0], numbers[-1]
    inner = last - first + 1 - len(numbers)
    if inner > wilds:
        _refuse_gap(numbers, len(naturals) + wilds, inner - wilds)
    down = _down(wilds - inner, first - LOWEST, HIGHEST - last, low)
    start = first - down
    return Group(RUN, start, _fill({number(face): face for face in naturals}, start, len(naturals) + wilds))


def _hit_run(group: Group, naturals: Sequence[Face], wilds: int, low: int | None) -> Group:
    total = len(group.cards) + len(naturals) + wilds
    numbers = [number(face) for face in naturals]
    _check_run(numbers, total)
    for inside in numbers:
        if group.low <= inside <= group.high:
            fixed = group.cards[inside - group.low] == WILD
            raise RuleBroken("wild_fixed" if fixed else "already_there", number=inside)
    first, last = min([group.low, *numbers]), max([group.high, *numbers])
    inner = last - first + 1 - len(group.cards) - len(numbers)
    if inner > wilds:
        _refuse_gap([*range(group.low, group.high + 1), *numbers], total, inner - wilds)
    start = first - _down(wilds - inner, first - LOWEST, HIGHEST - last, low)
    known = {group.low + place: face for place, face in enumerate(group.cards)}
    return Group(RUN, start, _fill(known | {number(face): face for face in naturals}, start, total))


def _check_run(numbers: Sequence[int], total: int) -> None:
    if total > LONGEST_RUN:
        raise RuleBroken("run_full")
    for seen, times in Counter(numbers).items():
        if times > 1:
            raise RuleBroken("repeat", number=seen)


def _refuse_gap(numbers: Sequence[int], total: int, missing: int) -> None:
    """Raise "wraps" if these numbers would be a run with 1 after 12, else "gap"."""
    for start in range(HIGHEST - total + 2, HIGHEST + 1):
        around = {(start + step - LOWEST) % LONGEST_RUN + LOWEST for step in range(total)}
        if around.issuperset(numbers):
            raise RuleBroken("wraps")
    raise RuleBroken("gap", n=missing)


def _down(spare: int, room_below: int, room_above: int, low: int | None) -> int:
    """Return how many of the spare wilds go to the low end; together they always have room."""
    if low is None:
        return max(0, spare - room_above)
    if low < 0 or low > spare:
        raise RuleBroken("too_many_low", n=spare)
    if low > room_below:
        raise RuleBroken("low_end")
    if spare - low > room_above:
        raise RuleBroken("high_end")
    return low


def _refuse_low(low: int | None) -> None:
    """Refuse wilds at the low end of a group that has no ends."""
    if low:
        raise RuleBroken("too_many_low", n=0)


def _fill(known: dict[int, Face], start: int, total: int) -> tuple[Face, ...]:
    return tuple(known.get(place, WILD) for place in range(start, start + total))
