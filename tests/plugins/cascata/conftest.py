"""Stated situations of Cascata, played through the real match.

A situation says cards by rank (`8 8 * K`, ten is `T`); suits are dealt out as they come. A house rule sets it up instead of the deal,
with every card that is not stated lying aside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from carteado.core.api import CLOSED, OPEN, OWNER, Refused, Table, hookimpl
from carteado.core.match import Match
from carteado.plugins.cascata import game
from carteado.plugins.cascata.play import build_pyramid
from carteado.plugins.cascata.rules import base_points, place

Position = tuple[int, int]
SEED = bytes(range(32))


class Situation:
    """A house rule whose deal sets out stated cards."""

    name = "situation"

    def __init__(
        self, hands: Sequence[str], pyramid: Mapping[Position, str], hidden: Sequence[Position], stock: str,
        melds: Sequence[tuple[int, str]], rows: Sequence[int], first: int,
    ) -> None:  # fmt: skip
        self.hands = hands
        self.pyramid = pyramid
        self.hidden = hidden
        self.stock = stock
        self.melds = melds
        self.rows = rows
        self.first = first

    @hookimpl
    def deal(self, table: Table) -> bool:
        def move(zone: str, token: str, **where: Any) -> None:
            face = next(face for face in table.cards("aside") if face[-1] == token)
            table.move("aside", zone, cards=[face], **where)

        table.create("aside", "pile", see=CLOSED, cards=game.pack(table.option_values))
        table.create("stock", "pile", see=CLOSED, facts={"locked": False})
        for seat, hand in enumerate(self.hands):
            table.create(f"hand/{seat}", "fan", owner=seat, see=OWNER)
            for token in hand.split():
                move(f"hand/{seat}", token)
        build_pyramid(table)
        for spot, token in self.pyramid.items():
            move("pyramid", token, to=place(*spot), up=False if spot in self.hidden else None)
        for token in reversed(self.stock.split()):
            move("stock", token)
        table.set("known", [[] for _ in table.players])
        table.set("melds", len(self.melds))
        for number, (seat, cards) in enumerate(self.melds, 1):
            table.create(f"meld/{number}", "group", owner=seat, see=OPEN)
            for token in cards.split():
                move(f"meld/{number}", token)
            rows = self.rows[number - 1] if self.rows else 1
            table.mark(f"meld/{number}", rows=rows, points=rows * base_points(table.cards(f"meld/{number}")))
        table.ask(self.first, "take")
        return True


class Play:
    """A match in which moves are said as on the rules page; a refusal is returned as its code (blocked: the reason's key)."""

    def __init__(self, match: Match) -> None:
        self.match = match

    @property
    def seat(self) -> int:
        """The seat that is asked."""
        (seat,) = self.match.prompts
        return seat

    @property
    def stage(self) -> str:
        return self.match.prompts[self.seat].stage

    def act(self, action: dict[str, Any], seat: int | None = None) -> str:
        """Act and return the refusal's code, or ''."""
        chair = self.seat if seat is None else seat
        prompt = self.match.prompts[self.seat].id
        before = self.match.digest()
        try:
            self.match.act(chair, prompt, action)
        except Refused as refusal:
            assert self.match.digest() == before
            return str(refusal.data["why"][0] if refusal.code == "blocked" else refusal.code)
        return ""

    def take(self, *position: int) -> str:
        return self.act({"type": "take", "place": place(*position)})

    def draw(self) -> str:
        return self.act({"type": "draw"})

    def swap(self, *position: int) -> str:
        return self.act({"type": "swap", "card": ["*"], "place": place(*position)})

    def done(self) -> str:
        return self.act({"type": "done"})

    def meld(self, cards: str) -> str:
        return self.act({"type": "meld", "cards": self.faces(cards)})

    def extend(self, cards: str, number: int) -> str:
        return self.act({"type": "extend", "cards": self.faces(cards), "meld": f"meld/{number}"})

    def steal(self, cards: str, number: int) -> str:
        return self.act({"type": "steal", "cards": self.faces(cards), "meld": f"meld/{number}"})

    def faces(self, cards: str) -> list[str]:
        """Return cards of the hand by rank; one that is not there becomes a card of that rank that is elsewhere."""
        held = list(self.match.table.cards(f"hand/{self.seat}"))
        found = []
        for token in cards.split():
            face = next((face for face in held if face[-1] == token), None)
            if face is None:
                face = next(face for face in game.pack(self.match.options) if face[-1] == token and face not in found)
            else:
                held.remove(face)
            found.append(face)
        return found

    def hand(self, seat: int) -> str:
        """Return a hand by rank, in the order of ranks."""
        return ranks(self.match.table.cards(f"hand/{seat}"))

    def melds(self, seat: int) -> list[str]:
        """Return a seat's melds by rank."""
        return [ranks(zone.cards) for zone in self.match.table.zones("meld/") if zone.owner == seat]

    def points(self) -> list[int]:
        """Return what every meld is worth, in the order of the table."""
        return [zone.facts["points"] for zone in self.match.table.zones("meld/")]

    def card(self, *position: int) -> str:
        """Return the rank of a pyramid card, '' where there is none."""
        return self.match.table.cards("pyramid")[place(*position)][-1:]

    def seen(self, *position: int) -> str:
        """Return what a watcher sees at a place of the pyramid: a rank, `?` or ''."""
        zone = next(zone for zone in self.match.view(None)["zones"] if zone["name"] == "pyramid")
        return str(zone["cards"][place(*position)])[-1:]

    def free(self) -> list[Position]:
        """Return the places that the seat which is asked may take from."""
        spots = [(row, card) for row in range(1, 8) for card in range(1, row + 1)]
        return [spots[number] for number in self.form("take")["fields"]["place"]["places"]]

    def form(self, kind: str) -> dict[str, Any]:
        """Return a form of the seat that is asked, as its client gets it."""
        forms = self.match.view(self.seat)["prompts"][0]["forms"]
        return next(form for form in forms if form["type"] == kind)

    def view(self, seat: int | None) -> dict[str, Any]:
        return self.match.view(seat)

    def zone(self, name: str, viewer: int | None) -> dict[str, Any]:
        """Return a zone as a viewer sees it."""
        return next(zone for zone in self.match.view(viewer)["zones"] if zone["name"] == name)


def ranks(cards: Sequence[str]) -> str:
    return " ".join(face[-1] for face in sorted(cards, key=lambda face: ("A23456789TJQK*L".index(face[-1]), face)))


Situate = Callable[..., Play]


@pytest.fixture
def situation() -> Situate:
    """Set up a situation: hands, pyramid {(row, card): rank}, hidden places, stock (top first), melds [(seat, cards)]."""

    def make(
        hands: Sequence[str] = ("", ""),
        pyramid: Mapping[Position, str] | None = None,
        hidden: Sequence[Position] = (),
        stock: str = "",
        melds: Sequence[tuple[int, str]] = (),
        rows: Sequence[int] = (),
        first: int = 0,
        **options: Any,
    ) -> Play:
        seats = [{"name": name} for name in ("Ana", "Bia", "Caio", "Duda")[: len(hands)]]
        rule = Situation(hands, pyramid if pyramid is not None else {(1, 1): "A", (2, 1): "2"}, hidden, stock, melds, rows, first)
        match = Match(game, options, seats, house=[rule])
        match.deal(SEED)
        return Play(match)

    return make


Deal = Callable[..., Play]


@pytest.fixture
def dealt() -> Deal:
    """Deal a game as it really is dealt."""

    def make(players: int = 2, seed: int = 0, **options: Any) -> Play:
        match = Match(game, options, [{"name": f"P{seat}"} for seat in range(players)])
        match.deal(seed.to_bytes(32, "big"))
        return Play(match)

    return make
