"""Worlds for search: what a seat may imagine fits its view, also while a sealed question is half answered and forms have many fillings."""

from __future__ import annotations

import random
from typing import Any

from carteado.core.api import CLOSED, FRENCH_32, Form, Game, Pick, Result, Table, hookimpl
from carteado.core.bots.state import GenericState, search_state
from carteado.core.match import Match


class Swap(Game):
    """Everybody puts three of ten cards away, unseen and at once; then the hand is over."""

    name, title, seats, deck = "swap", "Swap", (2, 3), FRENCH_32

    @hookimpl
    def deal(self, table: Table) -> None:
        """Deal ten cards each and ask everybody."""
        table.create("stock", "pile", see=CLOSED, cards=self.deck.cards)
        table.create("away", "pile", see=CLOSED)
        table.shuffle("stock")
        for seat in table.seats:
            table.create(f"hand/{seat}", "fan", owner=seat)
            table.move("stock", f"hand/{seat}", n=10)
        table.ask(table.seats, "put", sealed=True)

    @hookimpl
    def options(self, table: Table, seat: int) -> list[Form]:
        """Offer any three cards: 120 fillings."""
        return [Form(str(table.asked(seat)), cards=Pick(f"hand/{seat}", 3))]

    @hookimpl
    def turn(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        """Put the cards away."""
        table.move(f"hand/{seat}", "away", cards=action["cards"])

    @hookimpl
    def scoring(self, table: Table) -> Result | None:
        """End when all have put."""
        done = len(table.cards("away")) == 3 * len(table.seats)
        return Result(dict.fromkeys(table.seats, 0), over=True) if done else None


def half_answered() -> Match:
    """Return a match in which seat 0 has answered and the others have not."""
    match = Match(Swap(), {}, [{"name": name} for name in "ABC"])
    match.deal(bytes(32))
    match.act(0, match.prompts[0].id, {"type": "put", "cards": list(match.table.cards("hand/0")[:3])})
    return match


def test_a_form_of_many_fillings_has_legal_actions_in_a_game_that_samples_none() -> None:
    match = half_answered()
    legal = GenericState(match.fork(bytes(32))).legal()
    assert len(legal) > 3


def test_whoever_has_answered_a_sealed_question_is_asked_anew_at_its_stage() -> None:
    match = half_answered()
    state = search_state(match.rules, match.view(1), random.Random(1))
    assert isinstance(state, GenericState)
    assert {prompt.stage for prompt in state.match.prompts.values()} == {"put"}


def test_a_world_of_a_half_answered_question_is_played_to_the_end() -> None:
    match = half_answered()
    dice = random.Random(1)
    state = search_state(match.rules, match.view(1), dice)
    while not state.over():
        state.apply(state.policy(dice), dice)
    assert state.returns() == [0.0, 0.0, 0.0]
