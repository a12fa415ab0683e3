"""Search open hands: does the declarer get so many points against best play? Ints and flat arrays only.

Everything here is written so that numba can compile it and plain Python can run it: the same source, the same answers.
Arrays are lists in plain Python and numpy int64 in the compiled form. The search is an iterative null-window search
(no recursion) over single cards, kept in arrays so that it can be interrupted after a number of nodes and resumed.

Players: 0 declarer, 1 the next, 2 the previous. A row `p` of the stack is one card to be played, `p % 3` its place in
the trick. A table of bounds is kept at trick boundaries, keyed by the remaining cards (who holds them is fixed by the
deal) with cards of equal worth next to each other made interchangeable.
"""

from __future__ import annotations

from collections.abc import MutableSequence

Ints = MutableSequence[int]

ROWS = 31
WIDTH = 10
GROUP = 128
FACT_GROUPS = 2048

# Registers of a search.
ROW, RETURNING, RESULT, NODES, STOP, FIRST, TABLE_MASK = range(7)
REGISTERS = 7

# What is fixed for a deal: trump mask, cards with an equal neighbour above, index shifts and bases of the five groups.
TRUMP, BELOW, TOP_SHIFT, SHIFT_1, SHIFT_2, SHIFT_3, BASE_1, BASE_2, BASE_3, BASE_4, MASK_4, GROUPS = range(12)
GROUP_MASK = 12
OWNER = 17
DEAL = 20

# Situations of the move ordering: leads of the declarer, leads of a defender, then followers.
LEADS_OF_DEFENDER = 20 * 12
FOLLOWS = LEADS_OF_DEFENDER + 2 * 32 * 12
WEIGHTS = FOLLOWS + 18 * 4 * 12
FIRST_CHOICE = 1_000_000

MIXER = 0x9E3779B
UNKNOWN = 128


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


def put_leads(
    row: int,
    player: int,
    legal: int,
    best: int,
    hands: Ints,
    deal: Ints,
    moves: Ints,
    ranks: Ints,
    place: Ints,
    classes: Ints,
    order: Ints,
) -> int:
    """Write the leads worth trying, best first, and give their number; `best` is a card to try first, or -1."""
    trump = deal[TRUMP]
    count = 0
    start = row * WIDTH
    left = hands[1]
    right = hands[2]
    partner = 0
    if player > 0:
        partner = hands[3 - player]
    for number in range(deal[GROUPS]):
        group = deal[GROUP_MASK + number]
        todo = legal & group
        if todo == 0:
            continue
        if player == 0:
            enemy = (left | right) & group
            feature = 0
            if group & trump:
                if left & group:
                    feature += 2
                if right & group:
                    feature += 2
            else:
                if left & group == 0:
                    feature += 2 if left & trump else 4
                if right & group == 0:
                    feature += 6 if right & trump else 12
            base = feature * 12
        else:
            enemy = hands[0] & group
            feature = 0
            if enemy == 0:
                feature += 2 if hands[0] & trump else 4
            elif enemy & (enemy - 1) == 0:
                feature += 6
            help_ = partner & group
            if help_ == 0:
                feature += 8 if partner & trump else 16
            elif help_ > enemy:
                feature += 24
            base = LEADS_OF_DEFENDER + ((player - 1) * 32 + feature) * 12
        while todo:
            bit = todo & -todo
            todo ^= bit
            card = place[bit % 37]
            rank = order[base + (12 if bit > enemy else 0) + classes[card]]
            if card == best:
                rank = FIRST_CHOICE
            at = start + count
            while at > start and ranks[at - 1] < rank:
                ranks[at] = ranks[at - 1]
                moves[at] = moves[at - 1]
                at -= 1
            ranks[at] = rank
            moves[at] = card
            count += 1
    return count


def put_follows(
    row: int,
    player: int,
    legal: int,
    last: bool,
    follow: int,
    best: int,
    declarer_wins: bool,
    hands: Ints,
    trump: int,
    moves: Ints,
    ranks: Ints,
    place: Ints,
    classes: Ints,
    order: Ints,
) -> int:
    """Write the cards of the second or last player worth trying, best first, and give their number."""
    winning = follow | trump
    follows = 1 if legal & follow else 0
    after = 0
    if last:
        situation = 6 + player * 4 + follows * 2 + (1 if declarer_wins else 0)
    else:
        situation = player * 2 + follows
        following = hands[player + 1 if player < 2 else 0]
        after = following & follow
        if after == 0:
            after = following
        after &= winning
    base = FOLLOWS + situation * 48
    beaten_anyway = 36 if after > best else 0
    count = 0
    start = row * WIDTH
    while legal:
        bit = legal & -legal
        legal ^= bit
        card = place[bit % 37]
        if bit > best and bit & winning:
            # 12: takes the trick for now; 24: and the third player cannot beat it.
            rank = order[base + (24 if bit > after and not last else 12) + classes[card]]
        else:
            rank = order[base + beaten_anyway + classes[card]]
        at = start + count
        while at > start and ranks[at - 1] < rank:
            ranks[at] = ranks[at - 1]
            moves[at] = moves[at - 1]
            at -= 1
        ranks[at] = rank
        moves[at] = card
        count += 1
    return count


def drop_neighbours(
    row: int,
    player: int,
    needed: int,
    result: int,
    value: int,
    hands: Ints,
    alive: int,
    tried: int,
    left: int,
    moves: Ints,
    points: Ints,
    follow: Ints,
) -> tuple[int, int]:
    """Drop untried cards next to one that failed, when their worth differs too little to do better.

    Two cards of a hand with nobody's card between them play alike, so the results differ by at most their difference in
    worth. Gives the number of moves left and the value with what was dropped taken into account.
    """
    start = row * WIDTH
    card = moves[start + tried - 1]
    group = follow[card]
    others = alive & ~hands[player]
    slack = needed - 1 - result if player == 0 else result - needed
    kept = tried
    for at in range(tried, left):
        other = moves[start + at]
        if group >> other & 1:
            gap = points[card] - points[other]
            if gap < 0:
                gap = -gap
            if gap <= slack:
                high = card if card > other else other
                low = other if card > other else card
                if others & ((1 << high) - (2 << low)) == 0:
                    if player == 0:
                        if result + gap > value:
                            value = result + gap
                    elif result - gap < value:
                        value = result - gap
                    continue
        moves[start + kept] = other
        kept += 1
    return kept, value


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
