"""What a game is told, and what a player is told instead of `not_offered`."""

from __future__ import annotations

from typing import Any

import pytest

from carteado.core.api import (
    CLOSED,
    FRENCH_32,
    OPEN,
    SECRET,
    Form,
    Game,
    IllegalAction,
    Pick,
    Place,
    Refused,
    Result,
    Table,
    Target,
    hookimpl,
)
from carteado.core.match import OVER, Match


class Picky(Game):
    """Offers one card, one place and one zone, and says why not the others."""

    name, title, seats, deck = "picky", "Picky", (2, 4), FRENCH_32
    told: str | None = None

    @hookimpl
    def deal(self, table: Table) -> None:
        """Lay two cards in a row, one in a hidden place, the rest in the stock and the hands."""
        table.create("stock", "pile", see=CLOSED, cards=self.deck.cards)
        for name, see in (("aside", OPEN), ("safe", SECRET)):
            table.create(name, "pile", see=see)
        table.create("grid", "grid", see=OPEN, cards=["", ""])
        table.move("stock", "grid", n=2)
        for seat in table.seats:
            table.create(f"hand/{seat}", "fan", owner=seat)
            table.move("stock", f"hand/{seat}", n=2)
        table.ask(0, "choose")

    @hookimpl
    def options(self, table: Table, seat: int) -> list[Form]:
        """Offer the first card, place 0 and the stock."""
        first = table.cards(f"hand/{seat}")[0]
        return [
            Form("card", card=Pick(f"hand/{seat}", 1, [first])),
            Form("place", place=Place("grid", [0])),
            Form("zone", zone=Target(["stock"])),
        ]

    @hookimpl
    def turn(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        """Refuse what is not offered with a reason of the game's own."""
        type(self).told = table.answering
        if action.get("place", 0) != 0:
            raise IllegalAction("covered")
        if action.get("zone", "stock") != "stock":
            raise IllegalAction("not_there")
        if action["type"] == "card" and action["card"][0] != table.cards(f"hand/{seat}")[0]:
            raise IllegalAction("not_first")
        table.ask(table.next(seat), "choose")

    @hookimpl
    def scoring(self, table: Table) -> Result | None:
        """End the match when the first seat is asked again."""
        return None


class Keeps(Picky):
    """The same, with results that are the leaver's."""

    leaver_keeps_result = True


@pytest.fixture
def match() -> Match:
    made = Match(Picky(), {}, [{"name": name} for name in "AB"])
    made.deal(bytes(32))
    return made


def refusal(match: Match, action: dict[str, Any]) -> str:
    """Return the code with which an action is refused; the state must not change."""
    before = match.digest()
    with pytest.raises(Refused) as caught:
        match.act(0, match.prompts[0].id, action)
    assert match.digest() == before
    return caught.value.code


def test_a_card_that_is_held_and_not_offered_is_refused_by_the_game(match: Match) -> None:
    assert refusal(match, {"type": "card", "card": [match.table.cards("hand/0")[1]]}) == "not_first"


def test_a_place_that_is_there_and_not_offered_is_refused_by_the_game(match: Match) -> None:
    assert refusal(match, {"type": "place", "place": 1}) == "covered"


@pytest.mark.parametrize("place", [2, -1, 2**40])
def test_a_place_that_is_not_there_never_reaches_the_game(match: Match, place: int) -> None:
    assert refusal(match, {"type": "place", "place": place}) == "not_offered"


def test_a_zone_in_sight_that_is_not_offered_is_refused_by_the_game(match: Match) -> None:
    assert refusal(match, {"type": "zone", "zone": "aside"}) == "not_there"


@pytest.mark.parametrize("zone", ["safe", "hand/1", "nowhere", ""])
def test_a_zone_out_of_sight_is_answered_like_one_that_is_not_there(match: Match, zone: str) -> None:
    assert refusal(match, {"type": "zone", "zone": zone}) == "not_offered"


def test_turn_is_told_the_stage_it_answers(match: Match) -> None:
    match.act(0, match.prompts[0].id, {"type": "place", "place": 0})
    assert Picky.told == "choose"


def test_a_leaver_who_keeps_the_result_stays_among_the_placed_and_pays_no_penalty() -> None:
    match = Match(Keeps(), {}, [{"name": name} for name in "ABC"])
    match.deal(bytes(32))
    match.leave(1)
    assert (match.left, match.table.placed, match.seats[1]["bot"], match.phase == OVER) == ({1: "kept"}, (0, 1, 2), "rule", False)


def test_a_match_of_two_goes_on_when_one_leaves_and_keeps_the_result() -> None:
    match = Match(Keeps(), {}, [{"name": name} for name in "AB"])
    match.deal(bytes(32))
    match.leave(0)
    assert (match.phase, [seat["bot"] for seat in match.seats]) == ("playing", ["rule", None])
