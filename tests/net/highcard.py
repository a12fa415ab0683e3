"""The smallest game that has everything the wire carries: hidden hands, open cards, turns, sealed choices, several hands.

Three cards each; in turn everybody lays one, then all bid a number in secret, and so on until the hands are empty. Highest card of
a round scores a point. `hands` hands make a match.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from carteado.core.api import OPEN, SECRET, Choice, Deck, Form, Game, IllegalAction, Pick, Result, Whole, hookimpl

FACES = [suit + rank for suit in "RB" for rank in ("1", "2", "3", "4", "5", "6", "7", "8", "9", "10")]


class HighCard(Game):
    name = "high-card"
    version = "1"
    title = "High Card"
    seats = (1, 6)
    deck = Deck(FACES, {"R": {"glyph": "●", "ascii": "r", "color": "red", "name": "suit.R"},
                        "B": {"glyph": "▲", "ascii": "b", "color": "blue", "name": "suit.B"}})  # fmt: skip
    table_options = (Whole("hands", 2, 1, 50),)
    hands: Sequence[Sequence[str]] = ()
    """Fixed hands by seat, instead of dealt ones."""

    def words(self, lang: str) -> dict[str, Any]:
        return {"en": {"lay": "Lay a card"}, "pt": {"lay": "Põe uma carta"}}.get(lang, {})

    def rules(self, lang: str) -> str:
        return "# High Card\n" + "Lay a card. " * 9000 if lang == "en" else ""

    @hookimpl
    def deal(self, table: Any) -> None:
        stock = [face for face in self.deck.cards if not any(face in hand for hand in self.hands)]
        table.create("stock", "pile", see=SECRET, cards=stock)
        table.shuffle("stock")
        table.create("row", "row", see=OPEN)
        for seat in table.seats:
            table.create(f"hand/{seat}", "fan", owner=seat, cards=self.hands[seat] if self.hands else ())
            table.move("stock", f"hand/{seat}", n=0 if self.hands else 3)
        table.set("points", [0] * len(table.players))
        table.ask(table.start, "lay")

    @hookimpl
    def options(self, table: Any, seat: int) -> list[Form]:
        if table.asked(seat) == "bid":
            return [Form("bid", n=Choice([0, 1, 2]))]
        return [Form("lay", card=Pick(f"hand/{seat}", 1))]

    @hookimpl
    def turn(self, table: Any, seat: int, action: dict[str, Any]) -> None:
        if action["type"] == "bid":
            table.set(f"bid/{seat}", action["n"])
            if not any(table.asked(other) for other in table.seats) and table.get("bids", 0) + 1 == len(table.seats):
                table.set("bids", 0)
                if table.cards(f"hand/{table.start}"):
                    table.ask(table.start, "lay")
            else:
                table.set("bids", table.get("bids", 0) + 1)
            return
        card = action["card"][0]
        if card == "R1" and len(table.cards(f"hand/{seat}")) == 3:
            raise IllegalAction("not_the_one_first", card={"$card": card})
        table.move(f"hand/{seat}", "row", cards=[card], up=True)
        if table.next(seat) != table.start:
            table.ask(table.next(seat), "lay")
            return
        table.ask(table.seats, "bid", sealed=True)

    @hookimpl
    def scoring(self, table: Any) -> Result | None:
        if any(table.cards(f"hand/{seat}") for seat in table.seats) or any(table.asked(seat) for seat in table.seats):
            return None
        return Result({table.start: 1}, over=table.hand >= table.option("hands"))

    @hookimpl
    def leave(self, table: Any, seat: int) -> bool:
        if table.seats and not any(table.asked(other) for other in table.seats):
            table.ask(next(other for other in table.seats if table.cards(f"hand/{other}")), "lay")
        return True


class Broken(HighCard):
    """A game that fails when the red ten is laid, and cannot be shown with it on the table."""

    name = "broken"

    @hookimpl
    def turn(self, table: Any, seat: int, action: dict[str, Any]) -> None:
        if action.get("card") == ["R10"]:
            raise ZeroDivisionError("the red ten")
        HighCard.turn(self, table, seat, action)


class Mute(HighCard):
    """A game that can be dealt and not shown: its forms fail."""

    name = "mute"

    @hookimpl
    def options(self, table: Any, seat: int) -> list[Form]:
        raise ZeroDivisionError("the forms")


GAMES: dict[str, Game] = {"high-card": HighCard(), "broken": Broken(), "mute": Mute()}
