"""Play one hand of Skat from the deal to the outcome, as pure facts: no table, no screen.

Positions: 0 forehand, 1 middlehand, 2 rearhand. The same words are used by the records and by the search of the
computer players: bid, hold, pass, skat, declare, put, play, show, concede.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

from .bidding import Auction
from .rules import Contract, Face, card_points, legal_cards, trick_winner
from .scoring import LOSER_SCHNEIDER, SCHNEIDER, Outcome, score_hand


class HandRefused(ValueError):
    """Say that a step does not fit the hand: not this position's turn, not his card, not this phase."""


class Hand:
    """Hold one hand while it is bid and played."""

    def __init__(self, hands: Sequence[Sequence[Face]], skat: Sequence[Face]) -> None:
        self.dealt = tuple(tuple(hand) for hand in hands)
        self.first_skat = tuple(skat)
        self.hands = [list(hand) for hand in hands]
        self.skat = list(skat)
        self.auction = Auction()
        self.looked = False
        self.contract: Contract | None = None
        self.leader = 0
        self.trick: list[Face] = []
        self.tricks: list[tuple[int, tuple[Face, ...], int]] = []
        self.conceded: set[int] = set()
        self.shown: set[int] = set()

    @classmethod
    def resumed(
        cls,
        hands: Sequence[Sequence[Face]],
        skat: Sequence[Face],
        auction: Auction,
        *,
        contract: Contract | None = None,
        looked: bool = False,
        leader: int = 0,
        trick: Sequence[Face] = (),
        tricks: Sequence[tuple[int, tuple[Face, ...], int]] = (),
        conceded: Iterable[int] = (),
        shown: Iterable[int] = (),
        first_skat: Sequence[Face] = (),
    ) -> Hand:
        """Set up a hand in the middle: the cards held now, the skat (or what was put away) now, what was played.

        `first_skat` is the skat as dealt when the declarer has picked it up.
        """
        hand = cls(hands, skat)
        hand.auction, hand.contract, hand.looked, hand.leader = auction, contract, looked, leader
        hand.trick, hand.tricks, hand.conceded = list(trick), list(tricks), set(conceded)
        hand.shown = set(shown)
        dealt = [list(held) for held in hands]
        for first, cards in [(done[0], done[1]) for done in tricks] + [(leader, tuple(trick))]:
            for offset, face in enumerate(cards):
                dealt[(first + offset) % 3].append(face)
        hand.first_skat = tuple(skat)
        if looked and hand.declarer is not None:
            hand.first_skat = tuple(first_skat)
            everything = [*dealt[hand.declarer], *skat]
            dealt[hand.declarer] = [face for face in everything if face not in first_skat]
        hand.dealt = tuple(tuple(held) for held in dealt)
        return hand

    @property
    def declarer(self) -> int | None:
        """Give the position that plays alone, None before the end of the auction or when all passed."""
        return self.auction.declarer

    @property
    def turn(self) -> int:
        """Give the position that plays the next card."""
        return (self.leader + len(self.trick)) % 3

    @property
    def passed_in(self) -> bool:
        """Tell whether all three passed."""
        return self.auction.stage == "done" and self.declarer is None

    @property
    def playing(self) -> bool:
        """Tell whether cards are to be played now."""
        return self.contract is not None and len(self.skat) == 2 and not self.over

    @property
    def over(self) -> bool:
        """Tell whether the hand is decided: ten tricks, a concession, a Null or ouvert already lost, or passed in."""
        if self.passed_in or len(self.tricks) == 10 or self.declarer in self.conceded or len(self.conceded) == 2:
            return True
        if self.contract is None or not self.tricks or self.trick:
            return False
        if self.contract.null:
            return self.tricks[-1][2] == self.declarer
        return self.contract.ouvert and self.tricks[-1][2] != self.declarer

    def bid(self, position: int, word: int | str) -> None:
        """Say a value, `y` or `p` in the auction."""
        problem = self.auction.objection(position, word)
        if problem is not None:
            raise HandRefused(f"{position} {word}: {problem[0]}")
        self.auction = self.auction.after(position, word)

    def look(self, position: int) -> None:
        """Pick up the skat: twelve cards in hand until two are put away."""
        if position != self.declarer or self.looked or self.contract is not None:
            raise HandRefused(f"{position} may not pick up the skat")
        self.looked = True
        self.hands[position] += self.skat
        self.skat = []

    def put(self, position: int, faces: Sequence[Face]) -> None:
        """Put two cards away."""
        hand = self.hands[position]
        if position != self.declarer or self.skat or len(faces) != 2 or len(set(faces)) != 2 or not set(faces) <= set(hand):
            raise HandRefused(f"{position} may not put away {list(faces)}")
        for face in faces:
            hand.remove(face)
        self.skat = list(faces)

    def declare(self, position: int, contract: Contract) -> None:
        """Announce the game; hand games are those whose skat was not picked up."""
        if position != self.declarer or self.contract is not None:
            raise HandRefused(f"{position} may not declare")
        if contract.hand == self.looked:
            raise HandRefused(f"{contract.code} does not fit: the skat was {'' if self.looked else 'not '}picked up")
        self.contract = contract

    def legal(self) -> list[Face]:
        """List the cards the player to move may play."""
        assert self.contract is not None
        return legal_cards(self.hands[self.turn], self.trick[0] if self.trick else None, self.contract.kind)

    def play(self, position: int, face: Face) -> None:
        """Play a card; the third card ends the trick."""
        if not self.playing:
            raise HandRefused("no card is played now")
        if position != self.turn:
            raise HandRefused(f"{position} plays {face}, but it is {self.turn}'s turn")
        if face not in self.hands[position]:
            raise HandRefused(f"{position} does not hold {face}")
        if face not in self.legal():
            raise HandRefused(f"{position} must follow suit and may not play {face}")
        assert self.contract is not None
        self.hands[position].remove(face)
        self.trick.append(face)
        if len(self.trick) == 3:
            winner = (self.leader + trick_winner(self.trick, self.contract.kind)) % 3
            self.tricks.append((self.leader, tuple(self.trick), winner))
            self.leader, self.trick = winner, []

    def show(self, position: int) -> None:
        """Lay one's cards open."""
        if not self.playing:
            raise HandRefused("nothing to show now")
        self.shown.add(position)

    def concede(self, position: int) -> None:
        """Give up; the hand ends when the declarer or both defenders have."""
        if not self.playing:
            raise HandRefused("nothing to concede now")
        self.conceded.add(position)

    @property
    def made(self) -> int:
        """Count the declarer's card points so far, his skat included."""
        taken = sum(card_points(trick) for _, trick, winner in self.tricks if winner == self.declarer)
        return taken + card_points(self.skat)

    @property
    def open_points(self) -> int:
        """Count the card points still in the hands and in the unfinished trick."""
        return sum(card_points(hand) for hand in self.hands) + card_points(self.trick)

    def tally(self) -> tuple[int, int]:
        """Give the declarer's points and tricks, open cards going to the side that did not concede."""
        tricks = sum(winner == self.declarer for _, _, winner in self.tricks)
        assert self.contract is not None
        if len(self.conceded) == 2 and self.declarer not in self.conceded and not self.contract.null:
            return self.made + self.open_points, tricks + 10 - len(self.tricks)
        if self.declarer in self.conceded and self.contract.null:
            return self.made, max(tricks, 1)
        return self.made, tricks

    def outcome(self, *, levels: str = "sum", double_losses: bool = True) -> Outcome:
        """Score the hand once it is over.

        A side that gives up makes its loss certain, and no higher level: schneider counts if it is already certain. Cards
        shown and accepted are played: the rest is the declarer's with all it brings. Nor do defenders make a declarer
        overbid by giving up while he could still reach the level he needs.

        Raises:
            HandRefused: the hand is not over, or was passed in.
        """
        if not self.over or self.declarer is None or self.contract is None:
            raise HandRefused("nothing to score")
        points, tricks = self.tally()
        twelve = self.dealt[self.declarer] + self.first_skat
        score = partial(score_hand, self.contract, twelve, self.auction.bid, points, tricks, levels=levels, double_losses=double_losses)
        if self.declarer in self.conceded:
            return score(schneider=self.made + self.open_points <= LOSER_SCHNEIDER, schwarz=False)
        if self.conceded and self.declarer not in self.shown:
            given_up = score(schneider=self.made >= SCHNEIDER or self.contract.schneider, schwarz=self.contract.schwarz)
            if not given_up.overbid:
                return given_up
        return score()
