"""Crazy Eights, as the tutorial builds it (docs/game-author.md).

Source: the common rules for 2 to 5 players with one pack. Seven cards each with two players, else five. Follow the suit or the rank of
the top card; an eight always fits and its player names a suit. Who cannot or will not play draws one card, and may then play or pass.
The first to empty the hand gets what the others hold (eights 50, courts and tens 10, others their number); the match goes to a target.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from carteado.core.api import CLOSED, FRENCH_52, OPEN, C, Choice, Form, Game, IllegalAction, P, Pick, Result, Table, Whole, hookimpl

SUITS = "CSHD"
WORTH = {"8": 50, "T": 10, "J": 10, "Q": 10, "K": 10, "A": 1}

WORDS = {
    "form.play": "Play", "form.draw": "Draw", "form.pass": "Pass",
    "ce.ask": "Play a card of {suit} or a {rank}, or an eight.", "ce.ask.suit": "Play a card of {suit}, or an eight.",
    "ce.played": "{who} played {card}.", "ce.played.you": "You played {card}.",
    "ce.named": "{who} wants {suit}.", "ce.named.you": "You want {suit}.",
    "ce.drew": "{who} drew a card.", "ce.drew.you": "You drew {card}.",
    "ce.passed": "{who} passed.", "ce.passed.you": "You passed.",
    "ce.stock": "Stock", "ce.pile": "Pile", "ce.out": "{who} is out.", "ce.out.you": "You are out.", "ce.blocked": "Nobody can play.",
    "ce.sheet": "What was left in the hands", "ce.left": "{who}: {n} points in hand",
    "does_not_fit": "{card} does not fit on {top}.", "name_a_suit": "Name the suit you want.",
    "only_for_eights": "Only an eight lets you name a suit.", "option.target": "Points that win the match",
}  # fmt: skip
WORDS |= {f"ce.suit.{s}": name for s, name in zip(SUITS, ("clubs", "spades", "hearts", "diamonds"), strict=True)}


def worth(card: str) -> int:
    """Return the points a card left in the hand costs."""
    return WORTH.get(card[1], 0) or int(card[1])


def fits(card: str, top: str, suit: str) -> bool:
    """Tell whether a card may be laid on `top` while `suit` is wanted."""
    return card[1] == "8" or card[0] == suit or (top[1] != "8" and card[1] == top[1])


class CrazyEights(Game):
    """Shed your cards by suit or rank; eights are wild."""

    name, version, title = "crazy-eights", "1.0", "Crazy Eights"
    seats = (2, 5)
    deck = FRENCH_52
    table_options = (Whole("target", 100, 10, 1000),)

    def words(self, lang: str) -> Mapping[str, Any]:
        return WORDS if lang == "en" else {}

    def rules(self, lang: str) -> str:
        return "# Crazy Eights\n\n" + (__doc__ or "").partition("\n\n")[2] if lang == "en" else ""

    @hookimpl
    def deal(self, table: Table) -> None:
        table.create("stock", "pile", see=CLOSED, cards=self.deck.cards)
        table.shuffle("stock")
        for seat in table.around(table.start):
            table.create(f"hand/{seat}", "fan", owner=seat)
            table.move("stock", f"hand/{seat}", n=7 if len(table.seats) == 2 else 5)
        table.create("pile", "pile", see=OPEN)
        top = table.move("stock", "pile", n=1)[0]
        table.set("suit", top[0])
        table.set("passes", 0)
        table.ask(table.start, "play")

    @hookimpl
    def options(self, table: Table, seat: int) -> list[Form]:
        hand, top, suit = table.cards(f"hand/{seat}"), table.cards("pile")[-1], table.get("suit")
        playable = [card for card in hand if fits(card, top, suit)]
        forms = []
        if playable:
            suits = Choice([(s, [f"ce.suit.{s}", {}]) for s in SUITS], optional=True)
            extra = {"suit": suits} if any(card[1] == "8" for card in playable) else {}
            forms.append(Form("play", key="p", on="pile", card=Pick(f"hand/{seat}", 1, playable), **extra))
        if table.asked(seat) == "play" and table.cards("stock"):
            forms.append(Form("draw", key="d", on="stock", default=True))
        else:
            forms.append(Form("pass", key="s", default=True))
        return forms

    @hookimpl
    def turn(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        if action["type"] == "draw":
            (card,) = table.move("stock", f"hand/{seat}", n=1)
            table.say("ce.drew", who=P(seat), but=seat)
            table.say("ce.drew", who=P(seat), card=C(card), only=seat)
            table.set("passes", 0)
            table.ask(seat, "drawn")
            return
        if action["type"] == "pass":
            table.say("ce.passed", who=P(seat))
            table.set("passes", table.get("passes") + 1)
        else:
            self.play(table, seat, action["card"][0], action.get("suit"))
        if table.cards(f"hand/{seat}"):
            table.ask(table.next(seat), "play")

    def play(self, table: Table, seat: int, card: str, suit: str | None) -> None:
        top = table.cards("pile")[-1]
        if not fits(card, top, table.get("suit")):
            raise IllegalAction("does_not_fit", card=C(card), top=C(top))
        if card[1] == "8" and suit is None:
            raise IllegalAction("name_a_suit")
        if card[1] != "8" and suit is not None:
            raise IllegalAction("only_for_eights")
        table.move(f"hand/{seat}", "pile", cards=[card])
        table.say("ce.played", who=P(seat), card=C(card))
        if suit is not None:
            table.say("ce.named", who=P(seat), suit=[f"ce.suit.{suit}", {}])
        table.set("suit", suit or card[0])
        table.set("passes", 0)

    @hookimpl
    def scoring(self, table: Table) -> Result | None:
        left = {seat: sum(worth(card) for card in table.cards(f"hand/{seat}")) for seat in table.seats}
        out = [seat for seat in table.seats if not table.cards(f"hand/{seat}")]
        if not out and table.get("passes") < len(table.seats):
            return None
        least = min(left.values())
        best = out or [seat for seat in table.seats if left[seat] == least]
        gain = sum(left.values()) - least * len(left)
        points = {seat: gain // len(best) if seat in best else 0 for seat in table.seats}
        over = any(table.points(seat) + points[seat] >= table.option("target") for seat in table.seats)
        reason = ["ce.out", {"who": P(out[0])}] if out else ["ce.blocked", {}]
        lines = [["ce.left", {"who": P(seat), "n": n}] for seat, n in left.items()]
        return Result(points, over=over, reason=reason, sheet=[{"title": ["ce.sheet", {}], "lines": lines}])

    @hookimpl
    def layout(self, view: dict[str, Any]) -> dict[str, Any]:
        pile = next((zone["cards"] for zone in view["zones"] if zone["name"] == "pile"), None)
        if not pile:
            return {}
        suit = [f"ce.suit.{view['vars']['suit']}", {}]
        prompt = (
            ["ce.ask.suit", {"suit": suit}] if pile[-1][1] == "8" else ["ce.ask", {"suit": suit, "rank": pile[-1][1].replace("T", "10")}]
        )
        return {"prompt": prompt if view["prompts"] else None, "labels": {"stock": ["ce.stock", {}], "pile": ["ce.pile", {}]}}

    @hookimpl
    def suggest(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        forms = {form["type"]: form for form in view["prompts"][0]["forms"]}
        if "play" not in forms:
            return {"type": "draw" if "draw" in forms else "pass"}
        hand = next(zone["cards"] for zone in view["zones"] if zone["name"] == f"hand/{view['you']}")
        plain = [card for card in forms["play"]["fields"]["card"]["cards"] if card[1] != "8"]
        if plain:
            return {"type": "play", "card": [max(plain, key=lambda card: (worth(card), card))]}
        eight = next(card for card in hand if card[1] == "8")
        return {"type": "play", "card": [eight], "suit": max(SUITS, key=lambda s: sum(c[0] == s and c[1] != "8" for c in hand))}


game = CrazyEights()
