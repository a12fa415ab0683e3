"""Hearts for four, a complete third-party game for carteado.

Source: the common rules of the "Black Lady" family. Thirteen cards each. Before play three cards are passed, all at once and unseen: to
the left, to the right, across, and in every fourth hand not at all. The two of clubs leads the first trick. Follow suit; the highest
card of the suit led takes the trick and leads. Hearts may not be led before one was played (unless nothing else is held); no hearts and
no queen of spades in the first trick (unless nothing else is held). Each heart costs 1, the queen of spades 13; who takes all 26 costs
everybody else 26 instead. The match ends when somebody reaches the target; the fewest points win.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from carteado.core.api import (
    CLOSED,
    FRENCH_52,
    OPEN,
    C,
    Form,
    Game,
    IllegalAction,
    L,
    P,
    Pick,
    Result,
    Table,
    Whole,
    hookimpl,
)

from .words import RULES, WORDS

RANKS = "23456789TJQKA"
QUEEN = "SQ"
PASSES = ("left", "right", "across", "keep")
STEP = {"left": 1, "right": 3, "across": 2}


def cost(card: str) -> int:
    """Return the points a taken card costs."""
    return 13 if card == QUEEN else int(card[0] == "H")


def rank(card: str) -> int:
    """Return a card's height, 0 (two) to 12 (ace)."""
    return RANKS.index(card[1])


def legal(hand: tuple[str, ...] | list[str], led: str, first: bool, broken: bool) -> list[str]:
    """Return the cards of a hand that may be played: `led` is the suit led or '', `first` the first trick of the hand."""
    if first and not led:
        return ["C2"]
    suit = [card for card in hand if card[0] == led]
    if suit:
        return suit
    free = [card for card in hand if not cost(card)] if first else []
    if not led and not broken:
        free = [card for card in hand if card[0] != "H"]
    return free or list(hand)


def taker(trick: list[str] | tuple[str, ...], lead: int) -> int:
    """Return the seat that takes a trick; `trick` holds a card per seat."""
    suit = trick[lead][0]
    return max(range(len(trick)), key=lambda seat: (trick[seat][0] == suit, rank(trick[seat])))


class Hearts(Game):
    """Avoid the hearts and the queen of spades."""

    name, version, title = "hearts", "1.0", "Hearts"
    seats = (4, 4)
    deck = FRENCH_52
    table_options = (Whole("target", 100, 26, 500),)
    score = "low"
    levels = ("random", "rule")
    telling = ("C2",)

    def words(self, lang: str) -> Mapping[str, Any]:
        return WORDS if lang == "en" else {}

    def rules(self, lang: str) -> str:
        return RULES if lang == "en" else ""

    @hookimpl
    def deal(self, table: Table) -> None:
        table.create("stock", "pile", see=CLOSED, cards=self.deck.cards)
        table.shuffle("stock")
        for seat in table.seats:
            table.create(f"hand/{seat}", "fan", owner=seat)
            table.create(f"won/{seat}", "pile", owner=seat, see=CLOSED)
            table.move("stock", f"hand/{seat}", n=13)
        table.drop("stock")
        table.create("trick", "trick", see=OPEN, cards=[""] * 4)
        table.set("tricks", 0)
        table.set("broken", False)
        way = PASSES[(table.hand - 1) % 4]
        table.set("pass", way)
        if way == "keep":
            self.lead(table)
        else:
            table.ask(table.seats, "pass", sealed=True)

    def lead(self, table: Table) -> None:
        first = next(seat for seat in table.seats if "C2" in table.cards(f"hand/{seat}"))
        table.set("lead", first)
        table.ask(first, "play")

    @hookimpl
    def options(self, table: Table, seat: int) -> list[Form]:
        hand = table.cards(f"hand/{seat}")
        if table.asked(seat) == "pass":
            return [Form("pass", key="p", default=True, cards=Pick(f"hand/{seat}", 3))]
        return [Form("play", key="p", on="trick", default=True, card=Pick(f"hand/{seat}", 1, self.playable(table, hand)))]

    def playable(self, table: Table, hand: tuple[str, ...]) -> list[str]:
        trick = table.cards("trick")
        led = "" if all(trick) or not any(trick) else trick[table.get("lead")][0]
        return legal(hand, led, table.get("tricks") == 0, table.get("broken"))

    @hookimpl
    def turn(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        if action["type"] == "pass":
            self.pass_on(table, seat, action["cards"])
        else:
            self.play(table, seat, action["card"][0])

    def pass_on(self, table: Table, seat: int, cards: list[str]) -> None:
        to = (seat + STEP[table.get("pass")]) % 4
        if not table.has(f"passed/{to}"):
            table.create(f"passed/{to}", "fan", owner=to)
        table.move(f"hand/{seat}", f"passed/{to}", cards=cards)
        table.say("hearts.passed", who=P(seat), to=P(to), but=to)
        table.say("hearts.got", who=P(seat), cards=L([C(card) for card in cards]), only=to)
        if all(table.has(f"passed/{other}") for other in table.seats):
            for other in table.seats:
                table.move(f"passed/{other}", f"hand/{other}", n=3)
                table.drop(f"passed/{other}")
            self.lead(table)

    def play(self, table: Table, seat: int, card: str) -> None:
        hand, trick = table.cards(f"hand/{seat}"), table.cards("trick")
        if card not in self.playable(table, hand):
            raise IllegalAction(*refusal(card, hand, trick, table))
        if all(trick):
            self.sweep(table)
        if not any(table.cards("trick")):
            table.set("lead", seat)
        table.move(f"hand/{seat}", "trick", cards=[card], to=seat)
        table.say("hearts.played", who=P(seat), card=C(card))
        if card[0] == "H" and not table.get("broken"):
            table.set("broken", True)
        trick = table.cards("trick")
        if not all(trick):
            table.ask(table.next(seat), "play")
            return
        winner = taker(trick, table.get("lead"))
        table.mark("trick", winner=winner, last=list(trick))
        table.set("tricks", table.get("tricks") + 1)
        table.set(f"taken/{winner}", table.get(f"taken/{winner}", 0) + sum(cost(card) for card in trick))
        table.say("hearts.took", who=P(winner), n=sum(cost(card) for card in trick))
        if table.get("tricks") == 13:
            self.sweep(table)
        else:
            table.ask(winner, "play")

    def sweep(self, table: Table) -> None:
        table.move("trick", f"won/{table.zone('trick').facts['winner']}", places=range(4))

    @hookimpl
    def scoring(self, table: Table) -> Result | None:
        if table.get("tricks") < 13:
            return None
        points = {seat: table.get(f"taken/{seat}", 0) for seat in table.seats}
        reason = None
        for seat, taken in points.items():
            if taken == 26:
                points = {other: 0 if other == seat else 26 for other in table.seats}
                reason = ["hearts.moon", {"who": P(seat)}]
        totals = [table.points(seat) + points[seat] for seat in table.seats]
        over = max(totals) >= table.option("target")
        lines = [["hearts.line", {"who": P(seat), "n": points[seat], "total": totals[seat]}] for seat in table.seats]
        return Result(points, over=over, reason=reason, sheet=[{"title": ["hearts.sheet", {}], "lines": lines}])

    @hookimpl
    def layout(self, view: dict[str, Any]) -> dict[str, Any]:
        facts = view["vars"]
        prompt = None
        if view["prompts"]:
            stage = view["prompts"][0]["stage"]
            prompt = [f"hearts.ask.pass.{facts['pass']}", {}] if stage == "pass" else ask(view)
        badges = [[["hearts.badge", {"n": facts[f"taken/{seat}"]}]] if facts.get(f"taken/{seat}") else [] for seat in range(4)]
        order = [suit + rank for suit in "CDSH" for rank in RANKS]
        return {"prompt": prompt, "badges": badges, "sorts": [{"name": ["hearts.sort", {}], "order": order}]}

    @hookimpl
    def suggest(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        forms = {form["type"]: form for form in view["prompts"][0]["forms"]}
        zones = {zone["name"]: zone for zone in view["zones"]}
        hand = list(zones[f"hand/{view['you']}"]["cards"])
        if "pass" in forms:
            return {"type": "pass", "cards": sorted(hand, key=lambda card: -risk(card, hand))[:3]}
        return {"type": "play", "card": [advise(forms["play"]["fields"]["card"]["cards"], hand, zones["trick"]["cards"], view)]}


def refusal(card: str, hand: tuple[str, ...], trick: tuple[str, ...], table: Table) -> tuple[str]:
    """Return why a card may not be played, as a code."""
    led = "" if all(trick) or not any(trick) else trick[table.get("lead")][0]
    if not led and table.get("tricks") == 0:
        return ("two_of_clubs_leads",)
    if led and card[0] != led and any(other[0] == led for other in hand):
        return (f"follow_{led}",)
    return ("no_points_yet",) if led else ("hearts_not_broken",)


def ask(view: dict[str, Any]) -> list[Any]:
    """Return the sentence that says what the player at turn must do."""
    trick = next(zone["cards"] for zone in view["zones"] if zone["name"] == "trick")
    if all(trick) or not any(trick):
        return ["hearts.ask.lead", {}]
    return [f"hearts.ask.{trick[view['vars']['lead']][0]}", {}]


def risk(card: str, hand: list[str]) -> float:
    """Return how much a player wants to be rid of a card."""
    low = sum(1 for other in hand if other[0] == card[0] and rank(other) < 6)
    if card[0] == "S" and rank(card) >= 10:
        return 40 if card == QUEEN else 30 + rank(card)
    return rank(card) + (3 if card[0] == "H" else 0) - 2 * low


def advise(cards: list[str], hand: list[str], trick: list[str], view: dict[str, Any]) -> str:
    """Return the card of a careful player: duck under the trick, throw the worst when void, lead low."""
    leading = all(trick) or not any(trick)
    led = "" if leading else trick[view["vars"]["lead"]][0]
    if leading:
        return min(cards, key=lambda card: (card[0] == "S" and rank(card) > 10, rank(card), card))
    if cards[0][0] != led:
        return max(cards, key=lambda card: (card == QUEEN, risk(card, hand), card))
    top = max(rank(card) for card in trick if card and card[0] == led)
    under = [card for card in cards if rank(card) < top]
    if QUEEN in under:
        return QUEEN
    if under:
        return max(under, key=rank)
    last = sum(1 for card in trick if card) == 3
    safe = [card for card in cards if card != QUEEN] or cards
    return max(safe, key=rank) if last else min(safe, key=rank)


game = Hearts()
