"""Weigh worlds by what was played and bid: how likely would these hands have done what their players did?

Every card that somebody else played is compared with the others he could have played in that world: each card has a worth, the
sum of two learned numbers (`habits`), and is played the more likely the more it is worth. The first number knows the situation
(who leads, where the declarer sits, who holds the trick, how rich it is) and the card (its class, whether it takes the trick
and can still be beaten), the second how long its group is. Words of the auction are judged by how strong ten cards are.
Cards are bits of the game's layout; positions: 0 forehand, 1 middlehand, 2 rearhand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import exp, log, log1p
from typing import NamedTuple

from .bidding import next_bid
from .habits import BIDS, NUMBERS
from .layout import CLASSES, LAYOUTS, Layout
from .rules import Face, Kind
from .sight import Sight
from .valuation import logit_of

LEADING, SECOND, THIRD, SITUATIONS = 0, 18, 42, 114
"""Where the situations of the first, second and third card of a trick begin, and how many there are."""
LEVELS = 3
"""Leads: 0 can be beaten, 1 cannot. Other cards: 0 does not take the trick so far, 1 takes it, 2 and nothing is higher."""
ROW = CLASSES * LEVELS
LENGTHS = SITUATIONS * ROW
"""Where the numbers for the length of a card's group begin, twelve for each way to play: lead, follow, discard; defender, declarer."""
SIZE = LENGTHS + 6 * 12
CARDS, WORDS = 0.7, 0.6
"""How much of the evidence is believed: people and stronger players do not play and bid quite as those it was learned from."""
IMPOSSIBLE = -30.0
NEVER = 1000


def unpacked(text: str) -> tuple[float, ...]:
    """Read numbers in hundredths; z and a number stand for so many zeros."""
    found: list[float] = []
    for word in text.split():
        found += [0.0] * int(word[1:]) if word[0] == "z" else [int(word) / 100]
    return tuple(found)


HABITS = unpacked(NUMBERS)


class Play(NamedTuple):
    """A card that was played, and what its player faced.

    later: his cards that were played from then on, with this one; led: the group to follow, 0 for a lead; best: the highest card
    of the trick; gone: every card played before; place: the card; row, lengths: where the numbers of the situation begin.
    """

    player: int
    later: int
    led: int
    best: int
    gone: int
    place: int
    row: int
    lengths: int


def plays(layout: Layout, declarer: int, tricks: Iterable[tuple[int, Sequence[Face]]]) -> list[Play]:
    """List the cards of some tricks (leader, cards in turn) in order, with what their players faced."""
    found: list[Play] = []
    gone = 0
    for number, (leader, cards) in enumerate(tricks):
        led = best = points = 0
        holder = leader
        for turn, face in enumerate(cards):
            place = layout.places[face]
            bit = 1 << place
            player = (leader + turn) % 3
            led = led or layout.follow[place]
            if turn == 0:
                row = LEADING + ((declarer - player) % 3 * 3 + min(number // 3, 2)) * 2 + (layout.kind == "G")
            else:
                role = 0 if player == declarer else 1 if declarer == leader else 2
                row = (role * 2 + (led == layout.trump)) * 2 + bool(led & bit)
                if turn == 1:
                    row = SECOND + row * 2 + (points >= 10)
                else:
                    ours = (holder == declarer) == (player == declarer)
                    row = THIRD + (row * 2 + ours) * 3 + (points >= 4) + (points >= 10)
            way = 0 if turn == 0 else 1 if led & bit else 2
            lengths = LENGTHS + (way * 2 + (player == declarer)) * 12
            found.append(Play(player, 0, led if turn else 0, best, gone, place, row * ROW, lengths))
            if bit > best and (turn == 0 or bit & (led | layout.trump)):
                best, holder = bit, player
            points += layout.points[place]
            gone |= bit
    later = [0, 0, 0]
    for index in range(len(found) - 1, -1, -1):
        play = found[index]
        later[play.player] |= 1 << play.place
        found[index] = play._replace(later=later[play.player])
    return found


def choices(layout: Layout, play: Play, hand: int) -> list[tuple[int, int, int]]:
    """List the cards a hand could have played: place, and its two numbers' indices; empty when the hand could not have played as it did."""
    follow, classes, trump = layout.follow, layout.classes, layout.trump
    led, best = play.led, play.best
    legal = hand & led or hand
    if not legal >> play.place & 1:
        return []
    known = play.gone | hand
    winning = led | trump
    found = []
    while legal:
        place = legal.bit_length() - 1
        bit = 1 << place
        legal ^= bit
        group = follow[place]
        level = int(not group & -(bit << 1) & ~known)
        if led:
            level = 1 + level if bit > best and bit & winning else 0
        length = (hand & group).bit_count()
        found.append(
            (place, play.row + classes[place] * LEVELS + level, play.lengths + min(length, 5) + (6 if group == trump else 0)),
        )
    return found


class Evidence:
    """What the others have played and said, ready to weigh worlds."""

    def __init__(self, seen: Sight) -> None:
        assert seen.contract is not None
        assert seen.declarer is not None
        self.layout = LAYOUTS[seen.contract.kind]
        self.plays: list[Play] = []
        if not seen.contract.null:
            tricks = [*((leader, cards) for leader, cards, _ in seen.tricks), (seen.leader, seen.trick)]
            self.plays = [play for play in plays(self.layout, seen.declarer, tricks) if play.player != seen.me]
        others = [position for position in range(3) if position not in (seen.me, seen.declarer)]
        self.words = [(position, *said) for position, said in enumerate(heard(seen)) if position in others]
        self.played = [[face for position, face in seen.played if position == player] for player in range(3)]

    def weigh(self, hands: Sequence[Sequence[Face]]) -> float:
        """Give the logarithm of how likely a world's hands are, but for a constant."""
        return CARDS * self.by_cards(hands) + WORDS * self.by_words(hands)

    def by_cards(self, hands: Sequence[Sequence[Face]]) -> float:
        """Give the logarithm of how likely hands would have played the cards that were played."""
        masks = [self.layout.mask(hand) for hand in hands]
        return sum([self._card(play, masks[play.player] | play.later) for play in self.plays])

    def by_words(self, hands: Sequence[Sequence[Face]]) -> float:
        """Give the logarithm of how likely hands would have said what was said in the auction."""
        return sum([_words([*hands[player], *self.played[player]], player, least, less) for player, least, less in self.words])

    def _card(self, play: Play, hand: int) -> float:
        found = choices(self.layout, play, hand)
        if not found:
            return IMPOSSIBLE
        if len(found) == 1:
            return 0.0
        worths = {place: HABITS[card] + HABITS[length] for place, card, length in found}
        return worths[play.place] - log(sum([exp(worth) for worth in worths.values()]))


def heard(seen: Sight) -> list[tuple[int, int]]:
    """Give for each position the highest value it bid or held, 0 for none, and the one it did not go to, `NEVER` for none."""
    said = [[0, NEVER], [0, NEVER], [0, NEVER]]
    bid, named = 0, False
    for seat, word in seen.bids:
        position = seen.seats.index(seat)
        if word == "p":
            # A pass answers the value just named, or gives up naming a higher one.
            said[position][1] = bid if named else next_bid(bid) or NEVER
        else:
            bid = bid if word == "y" else word
            said[position][0] = bid
        named = word not in ("p", "y")
    if seen.computer is not None:
        said[seen.computer] = [0, NEVER]
    return [(least, less) for least, less in said]


def strength_of(ten: Sequence[Face], position: int) -> tuple[float, float, float]:
    """Say how strong ten cards are for bidding: in the best suit, in Grand and in Null."""
    kinds: Sequence[Kind] = "CSHDGN"
    *suits, grand, null = [logit_of(kind, LAYOUTS[kind].mask(ten), 6, position) for kind in kinds]
    return max(suits), max(0.0, grand + 3.0), max(0.0, null + 3.0)


def reach(strength: tuple[float, float, float], value: int) -> float:
    """Give the logit of going up to a value with cards of a strength."""
    _, base, suit, grand, null = min(BIDS, key=lambda row: abs(row[0] - value))
    found = base + suit * strength[0] + grand * strength[1] + null * strength[2]
    return max(-20.0, min(20.0, found))


def _words(ten: Sequence[Face], position: int, least: int, less: int) -> float:
    """Weigh ten cards by the value their player reached, and the one he did not go to when that was low enough to tell anything."""
    strength = strength_of(ten, position)
    found = -log1p(exp(-reach(strength, least))) if least else 0.0
    if less <= BIDS[-1][0]:
        found -= log1p(exp(reach(strength, less)))
    return found
