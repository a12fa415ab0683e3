"""Search open hands: does the declarer get so many points against best play? Ints and flat arrays only.

Everything here and in `arrays`, `groups` and `moves` is written so that numba can compile it and plain Python can run
it: the same source, the same answers. The search is an iterative null-window search (no recursion) over single cards,
kept in arrays so that it can be interrupted after a number of nodes and resumed.

A table of bounds is kept at trick boundaries, keyed by the remaining cards (who holds them is fixed by the deal) with
cards of equal worth next to each other made interchangeable.
"""

from __future__ import annotations

from .arrays import (
    BASE_1,
    BASE_2,
    BASE_3,
    BASE_4,
    BELOW,
    FIRST,
    GROUP_MASK,
    MASK_4,
    MIXER,
    NODES,
    RESULT,
    RETURNING,
    ROW,
    SHIFT_1,
    SHIFT_2,
    SHIFT_3,
    STOP,
    TABLE_MASK,
    TOP_SHIFT,
    TRUMP,
    WIDTH,
    Ints,
)
from .groups import fill_group, sure_points
from .moves import drop_neighbours, put_follows, put_leads


def last_trick(leader: int, hands: Ints, trump: int, place: Ints, follow: Ints) -> int:
    """Tell who wins when everybody has one card left."""
    best = hands[leader]
    winning = follow[place[best % 37]] | trump
    taker = leader
    player = leader
    for _ in range(2):
        player = player + 1 if player < 2 else 0
        card = hands[player]
        if card > best and card & winning:
            best = card
            taker = player
    return taker


def search(
    registers: Ints,
    hands: Ints,
    player: Ints,
    needed: Ints,
    left: Ints,
    alive: Ints,
    lead: Ints,
    best: Ints,
    taker: Ints,
    total: Ints,
    gained: Ints,
    key: Ints,
    value: Ints,
    count: Ints,
    tried: Ints,
    moves: Ints,
    ranks: Ints,
    table: Ints,
    deal: Ints,
    normal: Ints,
    counts: Ints,
    facts: Ints,
    points: Ints,
    follow: Ints,
    classes: Ints,
    place: Ints,
    order: Ints,
) -> bool:
    """Go on with a search until it is finished (True) or the node budget in the registers is used up (False).

    The result is a bound on the declarer's points from the first row on: at least the number needed, then a lower
    bound, or less, then an upper bound.
    """
    row = registers[ROW]
    returning = registers[RETURNING]
    result = registers[RESULT]
    nodes = registers[NODES]
    stop = registers[STOP]
    first = registers[FIRST]
    table_mask = registers[TABLE_MASK]
    trump = deal[TRUMP]
    below = deal[BELOW]
    top_shift = deal[TOP_SHIFT]
    shift_1 = deal[SHIFT_1]
    shift_2 = deal[SHIFT_2]
    shift_3 = deal[SHIFT_3]
    base_1 = deal[BASE_1]
    base_2 = deal[BASE_2]
    base_3 = deal[BASE_3]
    base_4 = deal[BASE_4]
    mask_4 = deal[MASK_4]
    finished = False
    while True:
        if returning == 0:
            if nodes >= stop:
                break
            nodes += 1
            me = player[row]
            own = hands[me]
            need = needed[row]
            if row % 3 == 0:
                returning = 1
                rest = left[row]
                if need <= 0:
                    result = 0
                    continue
                if need > rest:
                    result = rest
                    continue
                if own & (own - 1) == 0:
                    result = rest if last_trick(me, hands, trump, place, follow) == 0 else 0
                    continue
                here = hands[0] | hands[1] | hands[2]
                index_0 = here >> top_shift
                index_1 = base_1 + (here >> shift_1 & 127)
                index_2 = base_2 + (here >> shift_2 & 127)
                index_3 = base_3 + (here >> shift_3 & 127)
                index_4 = base_4 + (here & mask_4)
                state = normal[index_0] | normal[index_1] | normal[index_2] | normal[index_3] | normal[index_4]
                if state < 0:
                    for group in range(5):
                        index = (index_0, index_1, index_2, index_3, index_4)[group]
                        if normal[index] < 0:
                            subset = here & deal[GROUP_MASK + group]
                            fill_group(index, group, subset, deal, normal, counts, facts, points)
                    state = normal[index_0] | normal[index_1] | normal[index_2] | normal[index_3] | normal[index_4]
                state = state << 2 | me
                entry = table[(state * MIXER >> 22) & table_mask]
                choice = -1
                if entry >> 19 == state:
                    low = entry & 127
                    if low >= need:
                        result = low
                        continue
                    high = entry >> 7 & 127
                    if high < need:
                        result = high
                        continue
                    choice = entry >> 14 & 31
                result = sure_points(
                    me == 0,
                    facts[index_0],
                    counts[index_0],
                    counts[index_1] + counts[index_2] + counts[index_3] + counts[index_4],
                )
                if result >= need:
                    continue
                returning = 0
                key[row] = state
                alive[row] = here
                legal = own
            else:
                here = alive[row]
                legal = own & lead[row]
                if legal == 0:
                    legal = own
            # Of cards of equal worth with nobody's card between them only the highest is tried.
            if legal & (legal - 1):
                others = here & ~legal
                equal = legal >> 1 & below
                equal |= (equal & ~others) >> 1 & below
                equal |= (equal & ~others) >> 1 & below
                legal &= ~equal
            if legal & (legal - 1) == 0:
                moves[row * WIDTH] = place[legal % 37]
                count[row] = 1
            elif row % 3 == 0:
                count[row] = put_leads(row, me, legal, choice, hands, deal, moves, ranks, place, classes, order)
            else:
                count[row] = put_follows(
                    row,
                    me,
                    legal,
                    row % 3 == 2,
                    lead[row],
                    best[row],
                    taker[row] == 0,
                    hands,
                    trump,
                    moves,
                    ranks,
                    place,
                    classes,
                    order,
                )
            tried[row] = 0
            value[row] = -1 if me == 0 else 999
        else:
            if row == first:
                finished = True
                break
            if row % 3 == 0:
                result += gained[row]
            row -= 1
            me = player[row]
            done = tried[row]
            card = moves[row * WIDTH + done - 1]
            hands[me] |= 1 << card
            need = needed[row]
            if me == 0:
                if result > value[row]:
                    value[row] = result
                cut = result >= need
            else:
                if result < value[row]:
                    value[row] = result
                cut = result < need
            if not cut and done < count[row]:
                count[row], value[row] = drop_neighbours(
                    row, me, need, result, value[row], hands, alive[row], done, count[row], moves, points, follow
                )
            if cut or done == count[row]:
                result = value[row]
                if row % 3 == 0:
                    state = key[row]
                    at = (state * MIXER >> 22) & table_mask
                    entry = table[at]
                    low = 0
                    high = 127
                    choice = 0
                    if entry >> 19 == state:
                        low = entry & 127
                        high = entry >> 7 & 127
                        choice = entry >> 14 & 31
                    if result >= need:
                        if result > low:
                            low = result
                    elif result < high:
                        high = result
                    if cut:
                        choice = card
                    table[at] = ((state << 5 | choice) << 7 | high) << 7 | low
                continue
            returning = 0
        # Play the next card of this row.
        card = moves[row * WIDTH + tried[row]]
        tried[row] += 1
        me = player[row]
        bit = 1 << card
        hands[me] ^= bit
        following = row + 1
        if row % 3 == 0:
            player[following] = me + 1 if me < 2 else 0
            needed[following] = needed[row]
            left[following] = left[row]
            alive[following] = alive[row]
            lead[following] = follow[card]
            best[following] = bit
            taker[following] = me
            total[following] = points[card]
        else:
            winner = taker[row]
            highest = best[row]
            if bit > highest and bit & (lead[row] | trump):
                winner = me
                highest = bit
            if row % 3 == 1:
                player[following] = me + 1 if me < 2 else 0
                needed[following] = needed[row]
                left[following] = left[row]
                alive[following] = alive[row]
                lead[following] = lead[row]
                best[following] = highest
                taker[following] = winner
                total[following] = total[row] + points[card]
            else:
                trick = total[row] + points[card]
                player[following] = winner
                left[following] = left[row] - trick
                gained[following] = trick if winner == 0 else 0
                needed[following] = needed[row] - gained[following]
        row = following
    registers[ROW] = row
    registers[RETURNING] = returning
    registers[RESULT] = result
    registers[NODES] = nodes
    return finished
