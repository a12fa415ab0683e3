"""Cascata: take a card from a pyramid that opens row by row, lay pairs, threes and fours, and steal what is not complete.

Source: the game's page (cascatagame.com) with the decisions C1 to C21 of decisions.md; the variants are table options: `free_from`,
`hidden_rows`, `hidden_cards`, `soft_steal`, `row_multiplier`, `lock_card`; `running_score` shows the score sheet during play, `games`
plays several in one match. This module is the plugin; `rules` holds the facts, `moves` what a seat may do, `play` what
turn does, `captions` what clients show.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from carteado.core.api import (
    CLOSED,
    FRENCH_54,
    OWNER,
    Deck,
    Flag,
    Form,
    Game,
    IllegalAction,
    OneOf,
    P,
    Refused,
    Result,
    Several,
    Table,
    Whole,
    Zone,
    hookimpl,
)  # fmt: skip

from . import captions, hints, moves, play, rules, worlds
from .bot import Naive, Rollout, Rule
from .policy import advisor
from .rules import LOCK, RuleBroken
from .sheet import Laid, score, sheet

DECK = Deck(
    FRENCH_54.cards,
    FRENCH_54.suits,
    {**FRENCH_54.faces, LOCK: {"glyph": "╳", "ascii": "xx", "color": "gray", "name": "face.lock"}},
    FRENCH_54.ranks,
)


class Rows(Several):
    """Several rows (or cards) of the pyramid; the word `none` stands for no row."""

    def accept(self, value: Any) -> list[str | int]:
        """Return the chosen values in order, none for `none`."""
        return [] if value == "none" else super().accept(value)


ROW_NAMES: tuple[str | int, ...] = ("middle", *range(1, rules.MOST_ROWS + 1))
CARD_NAMES = tuple(f"{row}.{card}" for row in range(1, rules.MOST_ROWS + 1) for card in range(1, row + 1))
"""The pyramid's places as a table names them: row from the apex, card from the left."""
TAKES = ("take", "draw", "swap")


class Cascata(Game):
    """The game as a plugin."""

    api = 1
    name = "cascata"
    version = "1.0"
    title = "Cascata"
    seats = (rules.FEWEST_PLAYERS, rules.MOST_PLAYERS)
    deck = DECK
    score = "high"
    table_options = (
        OneOf("free_from", rules.APEX, (rules.APEX, rules.BASE)),
        Rows("hidden_rows", ["middle"], ROW_NAMES),
        Rows("hidden_cards", [], CARD_NAMES),
        Flag("soft_steal", False),
        Flag("row_multiplier", False),
        Flag("lock_card", False),
        Flag("running_score", True),
        Whole("games", 1, 1, 20),
    )
    variants: ClassVar[Sequence[Mapping[str, Any]]] = (
        {},
        {"free_from": "base", "hidden_rows": [1, 4], "hidden_cards": ["3.2"]},
        {"soft_steal": True, "row_multiplier": True, "running_score": False},
        {"lock_card": True, "games": 2},
        {"lock_card": True, "row_multiplier": True, "hidden_rows": []},
    )
    """Tables that the conformance kit and the recorded matches try."""
    levels = ("random", "naive", "rule", "rollout")
    bots: ClassVar[Mapping[str, Any]] = {"naive": Naive, "rule": Rule, "rollout": Rollout}

    # What the game brings along

    def pack(self, options: Mapping[str, Any]) -> Sequence[str]:
        """Return the 54 cards, and the lock card if the table plays with it."""
        return (*rules.CARDS, LOCK) if options["lock_card"] else rules.CARDS

    def check_options(self, options: Mapping[str, Any]) -> None:
        """Refuse hidden cards in a row that is free at the start (decision C20)."""
        for name in ("hidden_rows", "hidden_cards"):
            for value in options[name]:
                row = rules.MIDDLE if value == "middle" else int(str(value).split(".")[0])
                if rules.always_free(row, options["free_from"]):
                    raise Refused("bad_option", option=name, value=str(value))

    # The four hooks

    @hookimpl
    def deal(self, table: Table) -> bool:
        """Deal four cards each, build the pyramid, and ask the starting seat to take a card."""
        table.create("stock", "pile", see=CLOSED, cards=rules.CARDS, facts={"locked": False})
        table.shuffle("stock")
        for seat in table.around(table.start):
            table.create(f"hand/{seat}", "fan", owner=seat, see=OWNER)
            table.move("stock", f"hand/{seat}", n=rules.HAND)
        play.build_pyramid(table)
        hidden = play.hidden_places(table)
        for here in range(len(table.cards("pyramid"))):
            table.move("stock", "pyramid", n=1, to=here, up=False if here in hidden else None)
        if table.option("lock_card"):
            table.create("out", "pile", see=CLOSED, cards=(LOCK,))
            table.move("out", "stock", n=1)
            table.drop("out")
            table.shuffle("stock")
        table.set("known", [[] for _ in table.players])
        table.ask(table.start, "take")
        return True

    @hookimpl
    def options(self, table: Table, seat: int) -> Sequence[Form]:
        """Offer the ways to take a card, then the ways to meld."""
        if table.asked(seat) == "take":
            return moves.take_forms(table, seat)
        return moves.meld_forms(table, seat)

    @hookimpl
    def turn(self, table: Table, seat: int, action: dict[str, Any]) -> bool:
        """Take a card, or meld and pass the turn on. Raises: IllegalAction."""
        kind = action["type"]
        try:
            if kind == "take":
                play.take(table, seat, action["place"])
            elif kind == "swap":
                play.swap(table, seat, action["place"])
            elif kind == "draw":
                if not play.draw(table, seat):
                    table.ask(seat, "take")
                    return True
            elif kind == "meld":
                play.lay(table, seat, action["cards"])
            elif kind == "extend":
                play.extend(table, seat, action["cards"], action["meld"])
            elif kind == "steal":
                play.steal(table, seat, action["cards"], action["meld"])
        except RuleBroken as broken:
            raise IllegalAction(broken.code, **broken.data) from broken
        if kind in TAKES:
            if not any(table.cards("pyramid")):
                table.say("log.last", who=P(seat))
            table.ask(seat, "meld")
        else:
            play.pass_on(table, seat)
        return True

    @hookimpl
    def scoring(self, table: Table) -> Result | None:
        """Score the game once the pyramid is empty and the last meld action is done."""
        if any(table.cards("pyramid")) or any(table.asked(seat) for seat in table.seats):
            return None
        points = totals(table)
        left = {seat: len(table.cards(f"hand/{seat}")) + table.kept("left", [0] * len(table.players))[seat] for seat in table.seats}
        over = table.hand >= table.option("games")
        return Result(
            points,
            keep={"left": [left.get(seat, 0) for seat in table.players]},
            over=over,
            ranking=rules.ranking((seat, table.points(seat) + points[seat], left[seat]) for seat in table.seats) if over else None,
            reason=["reason.pyramid", {}],
            sheet=[sheet(seat, laid(table, seat), table.cards(f"hand/{seat}")) for seat in table.seats],
        )

    # What a missing player does

    @hookimpl
    def timeout(self, table: Table, seat: int) -> dict[str, Any]:
        """Take the first free card, or end the turn."""
        if table.asked(seat) == "take":
            return {"type": "take", "place": moves.free_places(table)[0]}
        return {"type": "done"}

    @hookimpl
    def leave(self, table: Table, seat: int) -> bool:
        """Put the hand of a seat that nobody plays on away; its melds stay and can be stolen, and count for nobody."""
        table.create(f"away/{seat}", "pile", see=CLOSED)
        if table.cards(f"hand/{seat}"):
            table.move(f"hand/{seat}", f"away/{seat}", n=len(table.cards(f"hand/{seat}")))
        table.drop(f"hand/{seat}")
        play.know(table, seat, out=table.get("known")[seat])
        table.say("log.away", who=P(seat))
        if not any(table.asked(other) for other in table.seats):
            play.pass_on(table, seat)
        return True

    @hookimpl
    def settle(self, table: Table, places: list[list[int]]) -> Mapping[int, int] | None:
        """Pay by place, ties averaged; what a substitute reached belongs to the player who left (decision C21)."""
        unfinished = any(table.cards("pyramid")) or set(table.seats) != set(table.players)
        if unfinished or len(table.placed) == len(table.players):
            return None  # nobody left, or nobody plays on: the table settles as in every game
        points, left = totals(table), table.kept("left", [0] * len(table.players))
        order = rules.ranking(
            (seat, table.points(seat) + points[seat], left[seat] + len(table.cards(f"hand/{seat}"))) for seat in table.seats
        )
        return by_place(table.option("stake"), order)

    # What clients and computer players get to know: from the redacted view alone

    @hookimpl
    def layout(self, view: dict[str, Any]) -> dict[str, Any]:
        """Caption the table."""
        return captions.layout(view)

    @hookimpl
    def sample(self, view: dict[str, Any], form: dict[str, Any], rng: random.Random) -> dict[str, Any] | None:
        """Draw a legal filling of a form."""
        return hints.sample(view, form, rng)

    @hookimpl
    def determinise(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        """Fill in the hidden cards: known ones where they are, the lock card in the reserve."""
        return worlds.fill(view, rng)

    @hookimpl
    def search_state(self, view: dict[str, Any], rng: random.Random) -> worlds.World:
        """Return a compact world that fits the view."""
        return worlds.world(view, rng, advisor())

    @hookimpl
    def suggest(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        """Advise what the player `rule` does."""
        return Rule().choose(view, rng)

    @hookimpl
    def hints(self, view: dict[str, Any]) -> list[dict[str, Any]]:
        """Say what the moves that make points are worth, and what a move would lower."""
        return hints.hints(view)


# Parts of scoring


def laid(table: Table, seat: int) -> list[Laid]:
    """Return a seat's melds with the multiplier each carries."""
    return [worth(zone) for zone in table.zones("meld/") if zone.owner == seat]


def worth(zone: Zone) -> Laid:
    """Return a meld as the score sheet takes it."""
    return Laid(zone.cards, zone.facts["rows"])


def totals(table: Table) -> dict[int, int]:
    """Return the points of this game by seat."""
    return {seat: score(laid(table, seat), table.cards(f"hand/{seat}")) for seat in table.seats}


def by_place(stake: int, places: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return chips by seat: place p of n is worth stake * (n + 1 - 2p), ties share."""
    count = sum(len(group) for group in places)
    chips: dict[int, int] = {}
    place = 1
    for group in places:
        for seat in group:
            chips[seat] = stake * (count + 1 - 2 * place - (len(group) - 1))
        place += len(group)
    return chips


game = Cascata()
