"""Search open hands of a Null: can the declarer avoid every trick? Ints and flat arrays only, as in `search`.

Four groups of eight cards, A K Q J T 9 8 7 from the top. Only the order of the cards left in a group and who holds them
matters, so the table of results is keyed by that: cards next to each other in one hand are interchangeable, and so is a
group whose gaps have closed. The declarer has lost as soon as a trick is his.
"""

from __future__ import annotations

from .arrays import BELOW, FIRST, GROUP_MASK, MIXER, NODES, OWNER, RESULT, RETURNING, ROW, STOP, TABLE_MASK, WIDTH, Ints

NULL_GROUP = 256

# What is known of a group: the declarer can always stay below; or a defender who leads it makes him take the trick.
SAFE, LEFT_KILLS, RIGHT_KILLS = 1, 2, 4


def fill_null_group(index: int, group: int, subset: int, deal: Ints, normal: Ints, facts: Ints) -> None:
    """Work out the table entry of one suit for one set of its cards still in play.

    Safe: the declarer's lowest card is below their lowest, his second below their second and so on, so that he can stay
    under whatever is led. Killed: all his cards are above all of theirs, and the defender who leads has one.
    """
    own = subset & deal[OWNER]
    left = subset & deal[OWNER + 1]
    right = subset & deal[OWNER + 2]
    canonical = 0
    target = 8 * group
    safe = True
    balance = 0
    for place in range(8 * group, 8 * group + 8):
        if subset >> place & 1:
            owner = 0 if own >> place & 1 else (1 if left >> place & 1 else 2)
            while not deal[OWNER + owner] >> target & 1:
                target += 1
            canonical |= 1 << target
            target += 1
            # From the bottom: at no point may they have shown more low cards than he.
            balance += 1 if owner == 0 else -1
            if balance < 0 and own >> place:
                safe = False
    others = left | right
    known = SAFE if safe else 0
    if own and others and own & -own > others:
        known |= (LEFT_KILLS if left else 0) | (RIGHT_KILLS if right else 0)
    normal[index] = canonical
    facts[index] = known


def put_null_leads(row: int, player: int, legal: int, hands: Ints, moves: Ints, ranks: Ints, place: Ints, deal: Ints, choice: int) -> int:
    """Write the leads worth trying, best first, and give their number."""
    count = 0
    start = row * WIDTH
    for group in range(4):
        mask = deal[GROUP_MASK + group]
        todo = legal & mask
        if todo == 0:
            continue
        enemy = hands[0] & mask
        partner = hands[3 - player] & mask if player else 0
        while todo:
            bit = todo & -todo
            todo ^= bit
            card = place[bit % 37]
            height = card & 7
            if player == 0:
                rank = 20 - height
            elif enemy == 0:
                rank = 4 + height
            else:
                # Lead what he may have to beat: a suit he is short in, low, where the partner is low or void as well.
                rank = 30 - 2 * height
                if enemy & (enemy - 1) == 0:
                    rank += 8
                if bit < enemy:
                    rank += 10
                if partner == 0:
                    rank += 6
            if card == choice:
                rank = 1000
            at = start + count
            while at > start and ranks[at - 1] < rank:
                ranks[at] = ranks[at - 1]
                moves[at] = moves[at - 1]
                at -= 1
            ranks[at] = rank
            moves[at] = card
            count += 1
    return count


def put_null_follows(row: int, player: int, legal: int, follow: int, best: int, hands: Ints, moves: Ints, ranks: Ints, place: Ints) -> int:
    """Write the cards of a follower worth trying, best first, and give their number."""
    count = 0
    start = row * WIDTH
    follows = legal & follow
    while legal:
        bit = legal & -legal
        legal ^= bit
        card = place[bit % 37]
        height = card & 7
        if follows == 0:
            if player == 0:
                # Throw what is dangerous: high above what they hold in the suit.
                rank = height
            else:
                rank = height + (8 if hands[0] & (0xFF << (card & 24)) == 0 else 0)
        elif player == 0:
            rank = height if bit < best else 10 - height - 100
        else:
            rank = 8 - height
        at = start + count
        while at > start and ranks[at - 1] < rank:
            ranks[at] = ranks[at - 1]
            moves[at] = moves[at - 1]
            at -= 1
        ranks[at] = rank
        moves[at] = card
        count += 1
    return count


def search_null(
    registers: Ints,
    hands: Ints,
    player: Ints,
    alive: Ints,
    lead: Ints,
    best: Ints,
    taker: Ints,
    key: Ints,
    count: Ints,
    tried: Ints,
    moves: Ints,
    ranks: Ints,
    table: Ints,
    deal: Ints,
    normal: Ints,
    facts: Ints,
    place: Ints,
) -> bool:
    """Go on with a search until it is finished (True) or the node budget is used up (False); the result is 1 or 0.

    1: the declarer takes no trick against best play.
    """
    row = registers[ROW]
    returning = registers[RETURNING]
    result = registers[RESULT]
    nodes = registers[NODES]
    stop = registers[STOP]
    first = registers[FIRST]
    table_mask = registers[TABLE_MASK]
    below = deal[BELOW]
    finished = False
    while True:
        if returning == 0:
            if nodes >= stop:
                break
            nodes += 1
            me = player[row]
            own = hands[me]
            choice = -1
            if row % 3 == 0:
                returning = 1
                if own == 0:
                    result = 1
                    continue
                here = hands[0] | hands[1] | hands[2]
                index_0 = here >> 24
                index_1 = 256 + (here >> 16 & 255)
                index_2 = 512 + (here >> 8 & 255)
                index_3 = 768 + (here & 255)
                state = normal[index_0] | normal[index_1] | normal[index_2] | normal[index_3]
                if state < 0:
                    for number in range(4):
                        index = (index_0, index_1, index_2, index_3)[number]
                        if normal[index] < 0:
                            fill_null_group(index, 3 - number, here & (255 << (24 - 8 * number)), deal, normal, facts)
                    state = normal[index_0] | normal[index_1] | normal[index_2] | normal[index_3]
                if me > 0:
                    together = facts[index_0] & facts[index_1] & facts[index_2] & facts[index_3]
                    if together & 1:
                        result = 1
                        continue
                    either = facts[index_0] | facts[index_1] | facts[index_2] | facts[index_3]
                    if either >> me & 1:
                        result = 0
                        continue
                state = state << 2 | me
                entry = table[(state * MIXER >> 22) & table_mask]
                if entry >> 7 == state:
                    if entry & 3:
                        result = (entry & 3) - 1
                        continue
                    choice = entry >> 2 & 31
                returning = 0
                key[row] = state
                alive[row] = here
                legal = own
            else:
                here = alive[row]
                legal = own & lead[row]
                if legal == 0:
                    legal = own
            if legal & (legal - 1):
                gone = ~here | legal
                equal = legal >> 1 & below
                for _ in range(6):
                    equal |= (equal & gone) >> 1 & below
                legal &= ~equal
            if legal & (legal - 1) == 0:
                moves[row * WIDTH] = place[legal % 37]
                count[row] = 1
            elif row % 3 == 0:
                count[row] = put_null_leads(row, me, legal, hands, moves, ranks, place, deal, choice)
            else:
                count[row] = put_null_follows(row, me, legal, lead[row], best[row], hands, moves, ranks, place)
            tried[row] = 0
        else:
            if row == first:
                finished = True
                break
            row -= 1
            me = player[row]
            card = moves[row * WIDTH + tried[row] - 1]
            hands[me] |= 1 << card
            cut = result == (1 if me == 0 else 0)
            if cut or tried[row] == count[row]:
                if row % 3 == 0:
                    state = key[row]
                    choice = card if cut else 0
                    table[(state * MIXER >> 22) & table_mask] = (state << 5 | choice) << 2 | (result + 1)
                continue
            returning = 0
        card = moves[row * WIDTH + tried[row]]
        tried[row] += 1
        me = player[row]
        bit = 1 << card
        hands[me] ^= bit
        following = row + 1
        if row % 3 == 0:
            player[following] = me + 1 if me < 2 else 0
            alive[following] = alive[row]
            lead[following] = 255 << (card & 24)
            best[following] = bit
            taker[following] = me
        else:
            winner = taker[row]
            highest = best[row]
            if bit > highest and bit & lead[row]:
                winner = me
                highest = bit
            if row % 3 == 1:
                player[following] = me + 1 if me < 2 else 0
                alive[following] = alive[row]
                lead[following] = lead[row]
                best[following] = highest
                taker[following] = winner
            else:
                player[following] = winner
                if winner == 0:
                    # The declarer has a trick: lost, whatever follows.
                    result = 0
                    returning = 1
        row = following
    registers[ROW] = row
    registers[RETURNING] = returning
    registers[RESULT] = result
    registers[NODES] = nodes
    return finished
