"""A small game that holds whatever the kit asks for; the zoo breaks one thing of it at a time.

Shed your cards by suit or rank; a queen fits on anything and names a suit. Before play everybody gives a card to the left, at once, and
says in secret how many cards will be left in the own hand. Whoever cannot or will not play draws a card; with no stock left, passes.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from carteado.core.api import (
    CLOSED,
    OPEN,
    C,
    Choice,
    Flag,
    Form,
    Game,
    IllegalAction,
    Number,
    OneOf,
    P,
    Pick,
    Result,
    Table,
    french,
    hookimpl,
)

SUITS = "CSHD"
WORDS: dict[str, Any] = {
    "form.give": "Give", "form.play": "Play", "form.queen": "Play a queen", "form.draw": "Draw", "form.pass": "Pass",
    "choice.C": "clubs", "choice.S": "spades", "choice.H": "hearts", "choice.D": "diamonds",
    "nothing_fits": "None of your cards fits.", "does_not_fit": "{card} does not fit.", "no_queen": "{card} is no queen.",
    "played": "{who} played {card}.", "played.you": "You played {card}.", "drew": "{who} drew a card.", "drew.card": "You drew {card}.",
    "passed": "{who} passed.", "out": "{who} is out.", "blocked_hand": "Nobody can go on.", "left_over": "Left over",
    "left_over.line": ["{who}: {n} card", "{who}: {n} cards"], "label.stock": "Stock", "label.pile": "Pile", "ask": "Your turn, {who}.",
    "wait": "Wait.", "hint.play": "Play {card}.", "option.long": "Four hands", "option.penalty": "A card left costs",
    "option.penalty.one": "one point", "option.penalty.two": "two points",
}  # fmt: skip


def fits(card: str, top: str, suit: str) -> bool:
    """Tell whether a card fits on the top card while a suit is wanted."""
    return card[0] == suit or card[1] == top[1]


def hand_of(view: dict[str, Any]) -> list[str]:
    """Return the cards of the seat whose view this is."""
    return next(list(zone["cards"]) for zone in view["zones"] if zone["name"] == f"hand/{view['you']}")


class Own:
    """A computer player of the game's own: the first thing that is open."""

    def choose(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        return advised(view)


def advised(view: dict[str, Any]) -> dict[str, Any]:
    """Return a sensible action."""
    forms = {form["type"]: form for form in view["prompts"][0]["forms"] if form["blocked"] is None}
    if "give" in forms:
        return {"type": "give", "cards": [max(hand_of(view))], "bet": 1}
    if "play" in forms:
        top = next(zone["cards"][-1] for zone in view["zones"] if zone["name"] == "pile")
        offered = forms["play"]["fields"]["cards"]["cards"]
        return {"type": "play", "cards": [card for card in offered if fits(card, top, view["vars"]["suit"])][:1]}
    if "queen" in forms:
        return {"type": "queen", "cards": forms["queen"]["fields"]["cards"]["cards"][:1], "suit": hand_of(view)[0][0]}
    return {"type": "draw" if "draw" in forms else "pass"}


class Sound(Game):
    """The sound game."""

    name = "sound"
    title = "Sound"
    seats = (2, 4)
    deck = french("789TJQ")
    table_options = (Flag("long", False), OneOf("penalty", "one", ["one", "two"]))
    score = "low"
    bots: ClassVar[Mapping[str, Any]] = {"own": Own}

    def words(self, lang: str) -> Mapping[str, Any]:
        return WORDS if lang == "en" else {}

    def rules(self, lang: str) -> str:
        return "# Sound\n\n" + str(__doc__) if lang == "en" else ""

    @hookimpl
    def deal(self, table: Table) -> None:
        self.set_out(table)
        table.ask(table.seats, "swap", sealed=True)

    def set_out(self, table: Table) -> None:
        table.create("stock", "pile", see=CLOSED, cards=self.deck.cards)
        table.shuffle("stock")
        for seat in table.around(table.start):
            table.create(f"hand/{seat}", "fan", owner=seat)
            table.move("stock", f"hand/{seat}", n=4)
        table.create("pile", "pile", see=OPEN)
        (top,) = table.move("stock", "pile", n=1)
        table.set("suit", top[0])
        table.set("passes", 0)
        table.set("given", [])
        table.set("turn", None)

    @hookimpl
    def options(self, table: Table, seat: int) -> list[Form]:
        return self.forms(table, seat)

    def forms(self, table: Table, seat: int) -> list[Form]:
        hand = f"hand/{seat}"
        if table.asked(seat) == "swap":
            return [Form("give", key="g", cards=Pick(hand, 1), bet=Number(0, 3))]
        cards = table.cards(hand)
        plain, queens = self.playable(table, seat), [card for card in cards if card[1] == "Q"]
        forms = [Form("play", key="p", on="pile", cards=Pick(hand, 1, plain))]
        if not plain:
            forms = [Form("play", key="p", on="pile", blocked=["nothing_fits", {}])]
        if queens:
            forms.append(Form("queen", key="q", cards=Pick(hand, 1, queens), suit=Choice(list(SUITS))))
        forms.append(Form("draw", key="d", on="stock", default=True) if table.cards("stock") else Form("pass", key="s", default=True))
        return forms

    def playable(self, table: Table, seat: int) -> list[str]:
        top, suit = table.cards("pile")[-1], table.get("suit")
        return sorted(card for card in table.cards(f"hand/{seat}") if card[1] != "Q" and fits(card, top, suit))

    @hookimpl
    def turn(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        self.take_turn(table, seat, action)

    def take_turn(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        if action["type"] == "give":
            self.give(table, seat, action)
            return
        getattr(self, action["type"])(table, seat, action)
        if table.cards(f"hand/{seat}"):
            self.ask(table, table.next(seat))

    def ask(self, table: Table, seat: int) -> None:
        table.set("turn", seat)
        table.ask(seat, "play")

    def give(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        if table.next(seat) != seat:
            table.move(f"hand/{seat}", f"hand/{table.next(seat)}", cards=action["cards"])
        table.set("bet", action["bet"], seat=seat)
        given = [*table.get("given"), seat]
        table.set("given", given)
        if len(given) == len(table.seats):
            self.ask(table, table.around(table.start)[0])

    def play(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        (card,) = action["cards"]
        if card[1] == "Q" or not fits(card, table.cards("pile")[-1], table.get("suit")):
            raise IllegalAction("does_not_fit", card=C(card))
        self.lay(table, seat, card, card[0])

    def queen(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        (card,) = action["cards"]
        if card[1] != "Q":
            raise IllegalAction("no_queen", card=C(card))
        self.lay(table, seat, card, action["suit"])

    def lay(self, table: Table, seat: int, card: str, suit: str) -> None:
        table.move(f"hand/{seat}", "pile", cards=[card])
        table.set("suit", suit)
        table.set("passes", 0)
        table.say("played", who=P(seat), card=C(card))

    def draw(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        (card,) = table.move("stock", f"hand/{seat}", n=1)
        table.say("drew", but=seat, who=P(seat))
        table.say("drew.card", only=seat, card=C(card))

    def pass_(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        table.set("passes", table.get("passes") + 1)
        table.say("passed", who=P(seat))

    @hookimpl
    def scoring(self, table: Table) -> Result | None:
        return self.result(table)

    def result(self, table: Table) -> Result | None:
        left = {seat: len(table.cards(f"hand/{seat}")) for seat in table.seats}
        out = [seat for seat in table.seats if not left[seat]]
        if not out and table.get("passes") < len(table.seats):
            return None
        cost = 2 if table.option("penalty") == "two" else 1
        points = {seat: cost * n - (table.get("bet", seat=seat) == n) for seat, n in left.items()}
        reason = ["out", {"who": P(out[0])}] if out else ["blocked_hand", {}]
        lines = [["left_over.line", {"who": P(seat), "n": n}] for seat, n in left.items()]
        over = table.hand == (4 if table.option("long") else 2)
        return Result(points, keep={"last": out}, over=over, reason=reason, sheet=[{"title": ["left_over", {}], "lines": lines}])

    @hookimpl
    def timeout(self, table: Table, seat: int) -> dict[str, Any] | None:
        if table.asked(seat) == "swap":
            return {"type": "give", "cards": [table.cards(f"hand/{seat}")[0]], "bet": 0}
        return None

    @hookimpl
    def leave(self, table: Table, seat: int) -> bool:
        table.create(f"aside/{seat}", "pile", see=CLOSED)
        table.move(f"hand/{seat}", f"aside/{seat}", n=len(table.cards(f"hand/{seat}")))
        table.drop(f"hand/{seat}")
        table.set("given", [other for other in table.get("given") if other != seat])
        if table.get("turn") == seat:
            self.ask(table, table.next(seat))
        return True

    @hookimpl
    def layout(self, view: dict[str, Any]) -> dict[str, Any]:
        return self.captions(view)

    def captions(self, view: dict[str, Any]) -> dict[str, Any]:
        prompt = ["ask", {"who": P(view["you"])}] if view["prompts"] else ["wait", {}]
        return {"prompt": prompt, "labels": {"stock": ["label.stock", {}], "pile": ["label.pile", {}]}}

    @hookimpl
    def hints(self, view: dict[str, Any]) -> Sequence[dict[str, Any]]:
        action = self.advice(view)
        if action["type"] == "play":
            return [{"text": ["hint.play", {"card": C(action["cards"][0])}], "action": action, "weight": 1}]
        return []

    @hookimpl
    def suggest(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        return self.advice(view)

    def advice(self, view: dict[str, Any]) -> dict[str, Any]:
        return advised(view)


setattr(Sound, "pass", Sound.pass_)
