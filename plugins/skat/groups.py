"""Tell what the cards of a group are worth when only some of them are left: equal ones, and what the declarer cannot be denied."""

from __future__ import annotations

from .arrays import BELOW, GROUP_MASK, OWNER, TRUMP, Ints

GROUP = 128
FACT_GROUPS = 2048


def fill_group(index: int, group: int, subset: int, deal: Ints, normal: Ints, counts: Ints, facts: Ints, points: Ints) -> None:
    """Work out the table entry of one group of cards for one set of its cards still in play.

    `normal`: the set with equal neighbours made interchangeable. `counts`: for the two defenders how many cards of each
    worth they hold (six fields of four bits each, 24 bits a defender), above them what the declarer wins by leading the
    group from the top when nobody can ruff: number (4 bits) and points (7 bits). `facts`, for trumps: the declarer's
    sure trump tricks, his tops, their points, the points of all trumps, and how many trumps each player holds.
    """
    mask = deal[GROUP_MASK + group]
    own = subset & deal[OWNER]
    left = subset & deal[OWNER + 1]
    right = subset & deal[OWNER + 2]
    # Equal neighbours: shift a run of equal cards up as far as cards of the run are gone.
    canonical = 0
    place = 31
    while place >= 0:
        bit = 1 << place
        if mask & bit:
            low = place
            while low > 0 and (deal[BELOW] >> (low - 1)) & 1 and mask >> (low - 1) & 1:
                low -= 1
            # The cards of the run that the deal gave to somebody, from the top, take the owners of those still there.
            source = place
            target = place
            while source >= low:
                if subset >> source & 1:
                    owner = 0 if own >> source & 1 else (1 if left >> source & 1 else 2)
                    while not deal[OWNER + owner] >> target & 1:
                        target -= 1
                    canonical |= 1 << target
                    target -= 1
                source -= 1
            place = low
        place -= 1
    normal[index] = canonical
    packed = 0
    for place in range(32):
        bit = 1 << place
        if (left | right) & bit:
            worth = points[place]
            field = 5
            if worth <= 4:
                field = worth - 1 if worth > 0 else 0
            elif worth == 10:
                field = 4
            packed += 1 << (4 * field + (24 if right & bit else 0))
    lefts = 0
    rights = 0
    owns = 0
    for place in range(32):
        lefts += left >> place & 1
        rights += right >> place & 1
        owns += own >> place & 1
    if group > 0 or deal[TRUMP] == 0:
        run = 0
        gained = 0
        for place in range(31, -1, -1):
            bit = 1 << place
            if own & bit:
                if (lefts > run and bit < left) or (rights > run and bit < right):
                    break
                run += 1
                gained += points[place]
        counts[index] = packed + (run << 48) + (gained << 52)
    else:
        counts[index] = packed
        sure = 0
        above = 0
        tops = 0
        top_points = 0
        all_points = 0
        others = left | right
        for place in range(31, -1, -1):
            bit = 1 << place
            if subset & bit:
                all_points += points[place]
                if others & bit:
                    above += 1
                else:
                    if bit > others:
                        tops += 1
                        top_points += points[place]
                    if above > 0:
                        above -= 1
                    else:
                        sure += 1
        facts[index] = sure | tops << 4 | top_points << 8 | all_points << 15 | lefts << 22 | rights << 26 | owns << 30


def lowest(packed: int, cards: int) -> int:
    """Add up the worth of the lowest cards of a hand, from its counts (the low 24 bits of `packed`)."""
    cards -= packed & 15
    if cards <= 0:
        return 0
    total = 0
    worth = 2
    packed >>= 4
    while cards > 0 and packed & 0xFFFFF:
        here = packed & 15
        if here > cards:
            here = cards
        total += here * worth
        cards -= here
        packed >>= 4
        worth = 10 if worth == 4 else worth + 1
    return total


def sure_points(leads: bool, trumps: int, trump_counts: int, plain_counts: int) -> int:
    """Give points the declarer cannot be denied.

    His sure trump tricks bring at least the lowest cards of both defenders. When he leads and can draw every trump
    first, he also cashes his remaining trumps and whatever wins from the top in the plain suits.
    """
    sure = trumps & 15
    tops = trumps >> 4 & 15
    lefts = trumps >> 22 & 15
    rights = trumps >> 26 & 15
    if leads and tops >= lefts and tops >= rights:
        run = (trumps >> 30 & 15) + (plain_counts >> 48 & 15)
        return (
            (trumps >> 15 & 127)
            + (plain_counts >> 52)
            + lowest(plain_counts & 0xFFFFFF, run - lefts)
            + lowest(plain_counts >> 24 & 0xFFFFFF, run - rights)
        )
    if sure == 0:
        return 0
    both = trump_counts + plain_counts
    return (trumps >> 8 & 127) + lowest(both & 0xFFFFFF, sure) + lowest(both >> 24 & 0xFFFFFF, sure)
