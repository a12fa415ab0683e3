"""Worlds that a seat must reckon with: its view with every hidden card filled in, and a compact state of one for search.

Made from the redacted view alone, so whoever searches them cannot know more than its seat.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from . import rules
from .policy import Policy
from .rules import JOKER, LOCK
from .state import EMPTY, NOBODY, RANKS, TAKE, Action, Laid, State, plan
from .state import LOCK as LOCK_RANK

View = dict[str, Any]
HIDDEN = "?"


def unseen(view: View) -> list[str]:
    """Return the cards that a view does not show, in a fixed order; those known to be in a hand are not among them."""
    options = view["table"]["options"]
    pool = Counter((*rules.CARDS, LOCK) if options["lock_card"] else rules.CARDS)
    for zone in view["zones"]:
        pool.subtract(face for face in zone["cards"] or () if face not in ("", HIDDEN))
    for seat, faces in _known(view).items():
        if seat != view["you"]:
            pool.subtract(faces)
    return sorted(pool.elements())


def _known(view: View) -> dict[int, list[str]]:
    """Return the cards in the hands of the seats in play that everybody saw go there."""
    known = view["vars"]["known"]
    return {zone["owner"]: known[zone["owner"]] for zone in view["zones"] if zone["kind"] == "fan"}


def fill(view: View, rng: random.Random) -> View:
    """Return a view with every hidden card filled in at random; the lock card can only be in the reserve."""
    pool = unseen(view)
    rng.shuffle(pool)
    lock = LOCK in pool
    if lock:
        pool.remove(LOCK)
    known = _known(view)
    filled: dict[str, list[str]] = {}
    for zone in view["zones"]:
        if zone["name"] == "stock":
            continue
        cards = list(zone["cards"] if zone["cards"] is not None else [HIDDEN] * zone["n"])
        told = list(known[zone["owner"]]) if zone["kind"] == "fan" and zone["cards"] is None else []
        filled[zone["name"]] = [(told.pop() if told else pool.pop()) if face == HIDDEN else face for face in cards]
    if lock:
        pool.insert(rng.randrange(len(pool) + 1), LOCK)
    filled["stock"] = pool
    return {**view, "zones": [{**zone, "cards": filled[zone["name"]]} for zone in view["zones"]]}


class World:
    """One world as a compact state, with the faces of its cards beside it, so that it takes and gives the actions of the table."""

    __slots__ = ("advisor", "hands", "latest", "names", "players", "pyramid", "seats", "state", "stock")

    def __init__(self, view: View, full: View, policy: Policy) -> None:
        """Take a view and the same view filled in."""
        zones = {zone["name"]: zone for zone in full["zones"]}
        options = full["table"]["options"]
        self.advisor = policy
        self.players = len(full["seats"])
        self.seats: tuple[int, ...] = tuple(sorted(zone["owner"] for zone in full["zones"] if zone["kind"] == "fan"))
        self.hands = [list(zones[f"hand/{seat}"]["cards"]) for seat in self.seats]
        self.pyramid: list[str] = list(zones["pyramid"]["cards"])
        self.stock: list[str] = list(zones["stock"]["cards"])
        melds = [zone for zone in full["zones"] if zone["kind"] == "group"]
        self.names = [zone["name"] for zone in melds]
        self.latest = full["vars"].get("melds", 0)
        asked = next((seat for seat in full["seats"] if seat["asked"]), None)
        shown = next(zone for zone in view["zones"] if zone["name"] == "pyramid")["cards"]
        self.state = State(
            plan(zones["pyramid"]["facts"]["rows"], options["free_from"]),
            [rules.rank(face) if face else EMPTY for face in self.pyramid],
            [LOCK_RANK if face == LOCK else rules.rank(face) for face in self.stock],
            [counts(hand) for hand in self.hands],
            [self._laid(zone) for zone in melds],
            [place for place, face in enumerate(shown or ()) if face == HIDDEN],
            self.seats.index(asked["seat"]) if asked else 0,
            asked["asked"] if asked else TAKE,
            options["soft_steal"],
            options["row_multiplier"],
            zones["stock"]["facts"]["locked"],
            [counts(full["vars"]["known"][seat]) for seat in self.seats],
        )

    def _laid(self, zone: Mapping[str, Any]) -> Laid:
        cards, owner = zone["cards"], zone["owner"]
        jokers = cards.count(JOKER)
        player = self.seats.index(owner) if owner in self.seats else NOBODY
        return Laid(player, rules.meld_rank(cards), len(cards) - jokers, jokers, zone["facts"]["rows"])

    def clone(self) -> World:
        """Return an independent copy."""
        other = World.__new__(World)
        other.advisor, other.players, other.seats, other.latest = self.advisor, self.players, self.seats, self.latest
        other.hands = [hand[:] for hand in self.hands]
        other.pyramid, other.stock, other.names = self.pyramid[:], self.stock[:], self.names[:]
        other.state = self.state.clone()
        return other

    def mover(self) -> int:
        """Return the seat to act."""
        return self.seats[self.state.turn]

    def legal(self) -> list[dict[str, Any]]:
        """Return the legal actions, every choice of suits among them."""
        return [spelt for move in self.state.legal() for spelt in self._spellings(move)]

    def apply(self, action: dict[str, Any], rng: random.Random) -> None:
        """Apply a legal action of the table. Nothing is left to chance: the reserve lies in an order already."""
        kind = action["type"]
        hand = self.hands[self.state.turn]
        move: Action = (kind, 0, 0, 0)
        if kind in ("take", "swap"):
            place = action["place"]
            move = (kind, place, 0, 0)
            hand.append(self.pyramid[place])
            self.pyramid[place] = ""
            if kind == "swap":
                hand.remove(JOKER)
                self.pyramid[place] = JOKER
        elif kind == "draw":
            face = self.stock.pop()
            if face != LOCK:
                hand.append(face)
        elif kind != "done":
            cards: Sequence[str] = action["cards"]
            jokers = sum(1 for face in cards if face == JOKER)
            for face in cards:
                hand.remove(face)
            number = rules.meld_rank(cards) if kind == "meld" else self.names.index(action["meld"])
            move = (kind, number, len(cards) - jokers, jokers)
            self._rename(kind, number)
        self.state.apply(move)

    def _rename(self, kind: str, number: int) -> None:
        if kind == "extend":
            return
        self.latest += 1
        if kind == "meld":
            self.names.append(f"meld/{self.latest}")
        else:
            self.names[number] = f"meld/{self.latest}"

    def over(self) -> bool:
        """Tell whether the game is over."""
        return self.state.finished

    def returns(self) -> list[float]:
        """Return each seat's points against the mean of the others, as `Game.value` does; 0 for seats that are gone."""
        points = self.state.returns()
        total, others = sum(points), max(1, len(points) - 1)
        values = dict(zip(self.seats, points, strict=True))
        return [values[seat] - (total - values[seat]) / others if seat in values else 0.0 for seat in range(self.players)]

    def policy(self, rng: random.Random) -> dict[str, Any]:
        """Return what the rule player does for the mover."""
        return self.spelt(self.advisor.choose(self.state))

    def spelt(self, move: Action) -> dict[str, Any]:
        """Return a move of the compact state as an action of the table; of cards that differ in suit alone the first ones."""
        return next(self._spellings(move))

    def _spellings(self, move: Action) -> Iterator[dict[str, Any]]:
        kind, where, naturals, jokers = move
        if kind == "take":
            yield {"type": kind, "place": where}
        elif kind == "swap":
            yield {"type": kind, "card": [JOKER], "place": where}
        elif kind in ("draw", "done"):
            yield {"type": kind}
        else:
            number = where if kind == "meld" else self.state.melds[where].rank
            same = sorted(face for face in self.hands[self.state.turn] if rules.rank(face) == number)
            target = {} if kind == "meld" else {"meld": self.names[where]}
            for chosen in combinations(same, naturals):
                yield {"type": kind, "cards": [*[JOKER] * jokers, *chosen]} | target


def counts(faces: Sequence[str]) -> list[int]:
    """Return how many cards of each rank there are."""
    result = [0] * RANKS
    for face in faces:
        result[rules.rank(face)] += 1
    return result


def world(view: View, rng: random.Random, policy: Policy) -> World:
    """Return one world that fits a view."""
    return World(view, fill(view, rng), policy)


