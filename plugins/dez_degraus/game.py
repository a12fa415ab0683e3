"""Dez Degraus: climb ten phases, one a hand, each a combination to be laid on the table.

Rules. Source: the game's own page (Portuguese), completed where it is silent by the published rules of the same family of games
and by decisions of this project; see rules.en.md. 2 to 6 players; 108 cards: 1-12 in four colours, twice each, 8 wilds, 4 skips.
Ten cards each, one card turned up. A turn: draw one (stock or top discard), lay the whole phase if the hand holds it, once
laid add cards to any group on the table (in the same turn too), discard one. The hand ends when a hand is empty, discard
or not. Who laid moves on to the next phase. The first to complete phase 10 wins; of several the one with fewer points.

Variant. The two sets of a phase may have the same number; groups may be laid with extra cards; a wild on the table keeps its place;
a skip cannot be taken from the discards; one skip a player until he has had a turn; no effect when nobody can be skipped;
empty stock: all discards but the top are shuffled; nothing to draw, or 50 turns a player: the hand is blocked and scored.
Table options: `until_three` (play on until three have finished), `next_only` (a skip always hits the next player).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from carteado.core.api import (
    CLOSED,
    OPEN,
    C,
    Deck,
    Flag,
    Form,
    Game,
    IllegalAction,
    P,
    Result,
    Table,
    hookimpl,
)

from . import advice, captions
from .bot import Naive, Rule
from .forms import offered
from .judge import throwaway
from .moves import MOVES, begin
from .places import over, rank_finishers, rank_unfinished
from .rules import (
    CARDS,
    FEWEST_PLAYERS,
    HAND_SIZE,
    LAST_PHASE,
    MOST_PLAYERS,
    SKIP,
    WILD,
    RuleBroken,
    phase,
    points,
)
from .sheet import score_sheet
from .state import DISCARD, DRAW, OUT, STOCK, phases_of, skippable

SUITS = {
    "R": {"glyph": "●", "ascii": "r", "color": "red", "name": "suit.R"},
    "B": {"glyph": "■", "ascii": "b", "color": "blue", "name": "suit.B"},
    "G": {"glyph": "▲", "ascii": "g", "color": "green", "name": "suit.G"},
    "Y": {"glyph": "◆", "ascii": "y", "color": "yellow", "name": "suit.Y"},
}
SPECIAL = {
    WILD: {"glyph": "★", "ascii": "**", "color": "black", "name": "face.W"},
    SKIP: {"glyph": "»", "ascii": ">>", "color": "gray", "name": "face.S"},
}


class DezDegraus(Game):
    """The plugin."""

    name = "dez-degraus"
    version = "1.0"
    title = "Dez Degraus"
    seats = (FEWEST_PLAYERS, MOST_PLAYERS)
    deck = Deck(CARDS, SUITS, SPECIAL)
    table_options = (Flag("until_three", False), Flag("next_only", False))
    score = "low"
    reveal = "hand"
    levels = ("random", "naive", "rule")
    bots: ClassVar[Mapping[str, Any]] = {"naive": Naive, "rule": Rule}

    # The hand

    @hookimpl
    def deal(self, table: Table) -> None:
        """Set out one hand: ten cards each, one card turned up; a skip there hits the seat that starts."""
        table.create(STOCK, "pile", see=CLOSED, cards=CARDS)
        table.shuffle(STOCK)
        table.create(DISCARD, "pile", see=OPEN)
        for seat in table.around(table.start):
            table.create(f"hand/{seat}", "fan", owner=seat)
            table.move(STOCK, f"hand/{seat}", n=HAND_SIZE)
        table.set("phases", phases_of(table))
        table.set("laid", [])
        table.set("skips", [])
        table.set("served", [])
        table.set("turns", 0)
        (turned,) = table.move(STOCK, DISCARD, n=1)
        table.say("dd.log.hand", n=table.hand, who=P(table.start))
        table.say("dd.log.turned", card=C(turned))
        if turned == SKIP:
            table.set("skips", [table.start])
        begin(table, table.start)

    @hookimpl
    def options(self, table: Table, seat: int) -> Sequence[Form]:
        """Return the forms of a seat that draws or plays."""
        return offered(table, seat)

    @hookimpl
    def turn(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        """Apply a draw, a lay, a hit or a discard."""
        try:
            MOVES[action["type"]](table, seat, action)
        except RuleBroken as broken:
            raise IllegalAction(broken.code, **broken.data) from None

    @hookimpl
    def scoring(self, table: Table) -> Result | None:
        """Return None while the hand lasts, then points, new phases, and who has finished."""
        ended = table.get("ended")
        if ended is None:
            return None
        return _result(table, ended)

    @hookimpl
    def timeout(self, table: Table, seat: int) -> dict[str, Any]:
        """Draw from the stock and throw away the dearest card that the phase does not need."""
        if table.asked(seat) == DRAW:
            drawable = table.cards(STOCK) or len(table.cards(DISCARD)) > 1
            return {"type": "draw" if drawable else "take"}
        thrown = throwaway(table.cards(f"hand/{seat}"), phase(table.get("phases")[seat]), seat in table.get("laid"))
        targets = skippable(table, seat) if thrown == SKIP else []
        return {"type": "discard", "cards": [thrown]} | ({"seat": targets[0]} if targets else {})

    @hookimpl
    def leave(self, table: Table, seat: int) -> bool:
        """Set the hand of somebody who left aside, unseen; groups stay, a pending skip vanishes."""
        aside = f"aside/{seat}"
        table.create(aside, "pile", see=CLOSED)
        table.move(f"hand/{seat}", aside, n=len(table.cards(f"hand/{seat}")))
        table.drop(f"hand/{seat}")
        for key in ("skips", "served"):
            if seat in table.get(key):
                table.set(key, [other for other in table.get(key) if other != seat])
        if not any(table.asked(other) for other in table.seats):
            begin(table, table.next(seat))
        return True

    # What clients and computer players ask for

    @hookimpl
    def layout(self, view: dict[str, Any]) -> dict[str, Any]:
        """Return captions for clients."""
        return captions.layout(view)

    @hookimpl
    def hints(self, view: dict[str, Any]) -> list[dict[str, Any]]:
        """Say what the seat can lay and how, or how far it is from its phase, and what to do next."""
        return advice.hints(view)

    @hookimpl
    def suggest(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        """Return what the player *rule* does."""
        return Rule().choose(view, rng)

    @hookimpl
    def sample(self, view: dict[str, Any], form: dict[str, Any], rng: random.Random) -> dict[str, Any] | None:
        """Return a random way to fill a form legally."""
        return advice.sample(view, form, rng)


def _result(table: Table, ended: dict[str, Any]) -> Result:
    laid = table.get("laid")
    before = table.get("phases")
    phases = list(before)
    lost = {seat: points(table.cards(f"hand/{seat}")) for seat in table.seats}
    totals = {seat: table.points(seat) + lost[seat] for seat in table.seats}
    for seat in table.seats:
        # A computer player who plays on for somebody who left cannot finish: that place is taken.
        if seat in laid and (phases[seat] < LAST_PHASE or seat in table.placed):
            phases[seat] += 1
    now = [seat for seat in table.seats if phases[seat] > LAST_PHASE]
    finished = [seat for seat in table.players if phases[seat] > LAST_PHASE]
    unfinished = [seat for seat in table.placed if seat not in now]
    return Result(
        points=lost,
        keep={"phases": phases},
        finished=rank_finishers({seat: totals[seat] for seat in now}, ended["seat"]),
        over=over(len(table.players), finished, unfinished, table.option("until_three")),
        ranking=rank_unfinished({seat: totals[seat] for seat in unfinished}, dict(enumerate(phases))),
        reason=["dd.over.out", {"who": P(ended["seat"])}] if ended["how"] == OUT else ["dd.over.blocked", {}],
        sheet=score_sheet({seat: table.cards(f"hand/{seat}") for seat in table.seats}, totals, before, phases),
    )


game = DezDegraus()
