"""Search a tree over what a seat knows, in plain Python: for the first tricks, where worlds cannot yet be solved quickly.

Information-set tree search with one observer: every iteration takes one of some drawn worlds, walks down the tree by the upper
confidence bound over the cards that are legal in that world, adds one card, and plays the hand out by simple rules. Hands are
bits of the game's layout, players are counted from the declarer (0). From `EXACT` cards a hand on, sampled worlds are solved.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

from .inference import draw
from .layout import LAYOUTS, Layout
from .rules import card_points
from .sight import Sight

EXPLORE = 0.6
EXACT = 7
"""Cards a hand from which worlds are solved instead of played out."""
WORLDS = 32
ASK = 16
"""Iterations between two looks at `stop`."""


class Node:
    """A card in the tree: how often played, how often it could have been, what it brought the side that played it."""

    __slots__ = ("available", "children", "total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.available = 0
        self.total = 0.0
        self.children: dict[int, Node] = {}


class Search:
    """One search from what a seat sees."""

    def __init__(self, seen: Sight, rng: random.Random) -> None:
        assert seen.contract is not None
        assert seen.declarer is not None
        assert seen.me is not None
        self.layout: Layout = LAYOUTS[seen.contract.kind]
        self.rng = rng
        self.mover = (seen.me - seen.declarer) % 3
        self.worth = {1 << place: points for place, points in enumerate(self.layout.points)}
        self.group = {1 << place: mask for place, mask in enumerate(self.layout.follow)}
        self.rich = self.layout.mask(face for face in self.layout.faces if face[1] in "AT")
        taken = sum(card_points(cards) for _, cards, winner in seen.tricks if winner == seen.declarer)
        self.trick = [1 << self.layout.places[face] for face in seen.trick]
        self.worlds: list[tuple[list[int], int]] = []
        for world in draw(seen, rng, WORLDS):
            hands = [self.layout.mask(world.hands[(seen.declarer + player) % 3]) for player in range(3)]
            self.worlds += [(hands, taken + card_points(world.skat))] * int(world.weight)
        self.root = Node()

    def run(self, iterations: int, stop: Callable[[], bool] | None = None) -> str:
        """Search and return the card played most often; `stop` is asked now and then and ends the search early."""
        for number in range(iterations):
            if number % ASK == ASK - 1 and stop is not None and stop():
                break
            hands, made = self.worlds[number % len(self.worlds)]
            self.iterate(list(hands), made)
        best = max(self.root.children, key=lambda bit: self.root.children[bit].visits)
        return self.layout.faces[best.bit_length() - 1]

    def iterate(self, hands: list[int], made: int) -> None:
        """Walk down, add one card, play out, and count the result on the way."""
        trump = self.layout.trump
        group, worth = self.group, self.worth
        node = self.root
        path: list[tuple[Node, bool]] = []
        trick = list(self.trick)
        player = self.mover
        first = (player - len(trick)) % 3
        while True:
            follow = group[trick[0]] if trick else 0
            legal = hands[player] & follow or hands[player]
            if not legal:
                break
            bit, fresh = self.pick(node, legal)
            child = node.children[bit]
            path.append((child, player == 0))
            hands[player] ^= bit
            trick.append(bit)
            node = child
            if len(trick) == 3:
                taker, points = _taken(trick, first, group[trick[0]] | trump, worth)
                made += points if taker == 0 else 0
                trick, first, player = [], taker, taker
            else:
                player = (player + 1) % 3
            if fresh:
                break
        made += self.play_out(hands, trick, first)
        reward = (0.8 if made >= 61 else 0.0) + 0.2 * made / 120
        for child, attacks in path:
            child.visits += 1
            child.total += reward if attacks else 1.0 - reward

    def pick(self, node: Node, legal: int) -> tuple[int, bool]:
        """Choose a card: one not tried yet, else by the upper confidence bound; tell whether it is new."""
        children = node.children
        untried = []
        best, chosen = -1.0, 0
        rest = legal
        while rest:
            bit = rest & -rest
            rest ^= bit
            child = children.get(bit)
            if child is None:
                untried.append(bit)
                continue
            child.available += 1
            if not untried:
                score = child.total / child.visits + EXPLORE * math.sqrt(math.log(child.available) / child.visits)
                if score > best:
                    best, chosen = score, bit
        if untried:
            bit = untried[int(self.rng.random() * len(untried))]
            children[bit] = child = Node()
            child.available = 1
            return bit, True
        return chosen, False

    def play_out(self, hands: list[int], trick: list[int], first: int) -> int:
        """Play the hand to the end by simple rules and return the points the declarer gets."""
        group, worth, trump, rich = self.group, self.worth, self.layout.trump, self.rich
        draw = self.rng.random
        gained = 0
        player = (first + len(trick)) % 3
        while True:
            while len(trick) < 3:
                own = hands[player]
                if not trick:
                    if not own:
                        return gained
                    tops = own & trump if player == 0 and draw() < 0.6 else 0
                    legal = tops or own
                    bit = 1 << (legal.bit_length() - 1) if draw() < 0.6 else legal & -legal
                else:
                    follow = group[trick[0]]
                    legal = own & follow or own
                    winning = follow | trump
                    high = max(card for card in trick if card & winning)
                    holder = (first + trick.index(high)) % 3
                    ours = (holder == 0) == (player == 0)
                    better = legal & winning & -(high << 1)
                    if ours and (len(trick) == 2 or draw() < 0.5):
                        bit = legal & rich & ~trump or legal
                        bit &= -bit
                    elif better and not ours and (len(trick) == 2 or draw() < 0.7):
                        bit = better & -better if len(trick) == 2 and not better & rich else 1 << (better.bit_length() - 1)
                    else:
                        poor = legal & ~rich & ~trump or legal & ~rich or legal
                        bit = poor & -poor
                hands[player] = own ^ bit
                trick.append(bit)
                player = (player + 1) % 3
            taker, points = _taken(trick, first, group[trick[0]] | trump, worth)
            if taker == 0:
                gained += points
            trick, first, player = [], taker, taker


def _taken(trick: Sequence[int], first: int, winning: int, worth: dict[int, int]) -> tuple[int, int]:
    """Tell who takes a full trick and what it is worth."""
    high = max(card for card in trick if card & winning)
    return (first + trick.index(high)) % 3, worth[trick[0]] + worth[trick[1]] + worth[trick[2]]
