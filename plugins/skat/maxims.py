"""Choose cards by the known maxims, from what a seat sees: win what is worth it, smear for the partner, draw trumps, duck.

A card is judged by what the trick is worth to one's side, with the chance that the players still to come beat it, less what
the card would be worth later. A few rules for leads come on top: the declarer draws trumps while he is the stronger one and then
cashes his winners; a defender who leads with the declarer behind him leads his long suit, otherwise his short one.
"""

from __future__ import annotations

from .rules import TRUMP, Face, Kind, beats, group, legal_cards, strength
from .sight import Sight

_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
_JACK_WORTH = {"CJ": 8.0, "SJ": 7.0, "HJ": 6.0, "DJ": 5.5}
_NULL_ORDER = "789TJQKA"


def choose(seen: Sight) -> Face:
    """Return the card to play."""
    assert seen.contract is not None
    kind = seen.contract.kind
    legal = legal_cards(seen.hand, seen.trick[0] if seen.trick else None, kind)
    if len(legal) == 1:
        return legal[0]
    judge = judge_null if kind == "N" else judge_points
    return max(sorted(legal), key=lambda face: judge(seen, face))


class Odds:
    """What the viewer reckons of the cards he does not see."""

    def __init__(self, seen: Sight) -> None:
        assert seen.contract is not None
        assert seen.me is not None
        assert seen.declarer is not None
        self.seen = seen
        self.kind: Kind = seen.contract.kind
        self.me = seen.me
        self.declarer = seen.declarer
        self.voids = seen.voids
        self.unseen = seen.unseen
        self.shown = seen.shown if seen.declarer != seen.me else None
        places = sum(seen.held[position] for position in range(3) if position != self.me and not (position == self.declarer and self.shown))
        skat = 0 if seen.put else 2
        self.places = max(1, places + skat)
        self.by_group: dict[str, list[Face]] = {}
        for face in self.unseen:
            self.by_group.setdefault(group(face, self.kind), []).append(face)

    def mates(self, position: int) -> bool:
        """Tell whether a position is on the viewer's side."""
        return (position == self.declarer) == (self.me == self.declarer)

    def has(self, position: int, cards: int) -> float:
        """Give the chance that a position holds at least one of so many unseen cards."""
        share = self.seen.held[position] / self.places
        return 1.0 - float((1.0 - min(share, 0.95)) ** cards)

    def beaten(self, position: int, led: str, best: Face) -> float:
        """Give the chance that a position can beat the card that holds a trick in which a group was led."""
        if position == self.declarer and self.shown is not None:
            follows = [face for face in self.shown if group(face, self.kind) == led]
            return float(any(beats(face, best, self.kind) for face in follows or self.shown))
        void = led in self.voids[position]
        cards = [] if void else self.by_group.get(led, [])
        higher = sum(beats(face, best, self.kind) for face in cards)
        in_suit = self.has(position, higher) if higher else 0.0
        if led == TRUMP or self.kind == "N" or TRUMP in self.voids[position]:
            return in_suit
        trumps = sum(beats(face, best, self.kind) for face in self.by_group.get(TRUMP, []))
        no_suit = 1.0 if void or not cards else 1.0 - self.has(position, len(cards))
        return in_suit + no_suit * (self.has(position, trumps) if trumps else 0.0)

    def boss(self, face: Face) -> bool:
        """Tell whether no unseen card of its group is higher."""
        name = group(face, self.kind)
        others = [*self.by_group.get(name, []), *(card for card in self.shown or () if group(card, self.kind) == name)]
        return not any(strength(other, self.kind) > strength(face, self.kind) for other in others)


def judge_points(seen: Sight, face: Face) -> float:
    """Judge a card in a game with trumps."""
    odds = Odds(seen)
    kind = odds.kind
    trick = [*seen.trick, face]
    led = group(trick[0], kind)
    best = 0
    for index in range(1, len(trick)):
        if beats(trick[index], trick[best], kind):
            best = index
    holder = (seen.leader + best) % 3
    ours = 1.0 if odds.mates(holder) else 0.0
    coming = 0.0
    for number in range(len(trick), 3):
        position = (seen.leader + number) % 3
        taking = odds.beaten(position, led, trick[best])
        ours = ours + (1 - ours) * taking if odds.mates(position) else ours * (1 - taking)
        coming += 3.5 if odds.mates(position) == (ours > 0.5) else 1.5
    worth = sum(_POINTS[card[1]] for card in trick) + coming
    score = (2 * ours - 1) * worth - _keeping(odds, face)
    if not seen.trick:
        score += _lead(odds, face)
    elif group(face, kind) != led and group(face, kind) != TRUMP:
        score += _shedding(odds, face)
    return score


def _keeping(odds: Odds, face: Face) -> float:
    """Say what a card would be worth later."""
    kind = odds.kind
    if face in _JACK_WORTH:
        return _JACK_WORTH[face]
    if group(face, kind) == TRUMP:
        return 4.0 + 0.4 * strength(face, kind) + 0.5 * _POINTS[face[1]]
    worth = 0.9 * _POINTS[face[1]]
    if odds.boss(face):
        worth += 3.0
    return worth


def _shedding(odds: Odds, face: Face) -> float:
    """Say how good it is to have one card less of a suit when throwing away."""
    suit = [card for card in odds.seen.hand if group(card, odds.kind) == group(face, odds.kind)]
    if len(suit) == 1:
        return 1.5
    # The guard of a ten, or of a king below it, is worth keeping.
    tens = any(card[1] == "T" for card in suit)
    return -2.0 if tens and len(suit) == 2 and face[1] != "T" else 0.3 * len(suit)


def _lead(odds: Odds, face: Face) -> float:
    """Say what speaks for leading a card, besides what the trick is worth."""
    seen, kind = odds.seen, odds.kind
    name = group(face, kind)
    own = [card for card in seen.hand if group(card, kind) == name]
    out = len(odds.by_group.get(TRUMP, []))
    if odds.me == odds.declarer:
        trumps = [card for card in seen.hand if group(card, kind) == TRUMP]
        if name == TRUMP:
            if out == 0:
                return -6.0
            return 14.0 if len(trumps) >= (out + 1) // 2 + (kind != "G") or odds.boss(face) else 4.0
        if odds.boss(face):
            return 4.0 if out == 0 else 0.0
        return 0.5 * len(own) - (4.0 if face[1] in "AT" else 0.0)
    if name == TRUMP:
        return -8.0
    after_me = (odds.me + 1) % 3 == odds.declarer
    length = 1.0 * len(own) if after_me else -1.0 * len(own)
    if led_before(odds, name):
        length += 1.5
    return length - (5.0 if face[1] == "T" and not odds.boss(face) else 0.0)


def led_before(odds: Odds, name: str) -> bool:
    """Tell whether the partner has led this suit."""
    partner = 3 - odds.me - odds.declarer
    return any(leader == partner and group(cards[0], odds.kind) == name for leader, cards, _ in odds.seen.tricks)


def judge_null(seen: Sight, face: Face) -> float:
    """Judge a card in Null: the declarer goes under, the defenders make him take."""
    odds = Odds(seen)
    height = _NULL_ORDER.index(face[1])
    suit = [card for card in seen.hand if card[0] == face[0]]
    lower = [card for card in odds.by_group.get(face[0], []) if strength(card, "N") < height]
    higher = len(odds.by_group.get(face[0], [])) - len(lower)
    if odds.me == odds.declarer:
        if not seen.trick:
            return 3.0 * higher - 6.0 * (not higher) - height
        led = group(seen.trick[0], "N")
        best = max((card for card in seen.trick if card[0] == led), key=lambda card: strength(card, "N"))
        if face[0] != led:
            # Throw the card that is most in danger: high, with many below it.
            return 2.0 * len(lower) + height - 0.5 * len(suit)
        if strength(face, "N") < strength(best, "N"):
            return 20.0 + height
        if len(seen.trick) == 1:
            return 10.0 * (1 - odds.beaten((odds.me + 1) % 3, led, face)) * -1 - height
        return -20.0 - height
    declarer_after = odds.declarer in [(seen.leader + number) % 3 for number in range(len(seen.trick) + 1, 3)]
    if not seen.trick:
        gone = "N" and face[0] in odds.voids[odds.declarer]
        return (-30.0 if gone else 0.0) - 2.0 * height - 1.0 * len(suit) + 1.5 * len(lower)
    led = group(seen.trick[0], "N")
    if face[0] != led:
        return 1.0 * height - 2.0 * len(suit)
    held = (seen.leader + max(range(len(seen.trick)), key=lambda at: (seen.trick[at][0] == led, strength(seen.trick[at], "N")))) % 3
    if held == odds.declarer:
        best = seen.trick[(odds.declarer - seen.leader) % 3]
        return 20.0 - height if strength(face, "N") < strength(best, "N") else -20.0 - height
    if declarer_after:
        return -1.0 * height
    return 1.0 * height


def claim_is_sound(seen: Sight) -> bool:
    """Tell whether the declarer, whose cards lie open, takes every trick that is left (none, in Null) whatever happens."""
    assert seen.contract is not None
    shown = seen.shown or ()
    kind = seen.contract.kind
    others = [*seen.hand, *(face for face in seen.unseen if face not in shown)]
    if kind == "N":
        return all(all(strength(other, kind) > strength(face, kind) for other in others if other[0] == face[0]) for face in shown)
    theirs = [face for face in others if group(face, kind) == TRUMP]
    own = [face for face in shown if group(face, kind) == TRUMP]
    tops = sum(all(strength(face, kind) > strength(other, kind) for other in theirs) for face in own)
    if seen.turn != seen.declarer or tops < len(theirs):
        return False
    return all(
        all(strength(face, kind) > strength(other, kind) for other in others if group(other, kind) == group(face, kind))
        for face in shown
        if group(face, kind) != TRUMP
    )
