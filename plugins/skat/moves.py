"""Choose the cards a search tries, and in which order."""

from __future__ import annotations

from .arrays import GROUP_MASK, GROUPS, TRUMP, WIDTH, Ints

# Situations of the move ordering: leads of the declarer, leads of a defender, then followers.
LEADS_OF_DEFENDER = 20 * 12
FOLLOWS = LEADS_OF_DEFENDER + 2 * 32 * 12
FIRST_CHOICE = 1_000_000


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
