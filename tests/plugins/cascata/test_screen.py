"""Cascata in the full-screen client, which knows nothing of it: by keyboard, by click and by drag, in 80x24."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from carteado.plugins.cascata import game
from carteado.plugins.cascata.rules import place

from ...ui.harness import Pilot, pilot
from ...ui.matches import AtMatch

pytestmark = pytest.mark.slow


def screen(play: Any, do: Callable[[Pilot], Awaitable[None]], columns: int = 80, rows: int = 24) -> str:
    """Sit at a situation as seat 0, do something, and return the last frame."""
    session = AtMatch(game, len(play.match.seats), seed=1, level="naive")
    session.match = play.match

    async def run() -> str:
        async with pilot(session, columns, rows) as one:  # type: ignore[arg-type]
            await do(one)
            await one.settle()
            assert session.refusals == []
            return one.text()

    return asyncio.run(run())


def spot(*position: int) -> str:
    return f"place:pyramid:{place(*position)}"


def card(play: Any, one: Pilot, rank: str) -> str:
    """Return where a card of a rank is shown in the reader's hand."""
    faces = one.client.controls.local.hand.faces
    return f"card:{next(number for number, face in enumerate(faces) if face[-1] == rank)}"


PYRAMID = {(1, 1): "K", (2, 1): "4", (2, 2): "5", (3, 1): "6", (3, 2): "7", (3, 3): "9"}


def test_a_free_card_is_taken_by_a_click(situation: Any) -> None:
    play = situation(hands=["8 8", ""], pyramid=PYRAMID)

    async def do(one: Pilot) -> None:
        await one.click(spot(1, 1))

    text = screen(play, do)
    assert (play.hand(0), play.stage) == ("8 8 K", "meld")
    assert "Lay a new meld" in text


def test_a_free_card_is_taken_by_keyboard_alone(situation: Any) -> None:
    pyramid = {key: rank for key, rank in PYRAMID.items() if key != (1, 1)}
    play = situation(hands=["8 8", ""], pyramid=pyramid)

    async def do(one: Pilot) -> None:
        await one.keys("t")
        await one.keys("2")

    screen(play, do)
    assert play.hand(0) == "5 8 8"


def test_a_free_card_is_dragged_into_the_hand(situation: Any) -> None:
    play = situation(hands=["8 8", ""], pyramid=PYRAMID)

    async def do(one: Pilot) -> None:
        await one.drag(spot(1, 1), "card:0")

    screen(play, do)
    assert play.hand(0) == "8 8 K"


def test_the_reserve_is_drawn_from_by_a_click(situation: Any) -> None:
    play = situation(hands=["8 8", ""], pyramid=PYRAMID, stock="Q 2")

    async def do(one: Pilot) -> None:
        await one.click("zone:stock")

    screen(play, do)
    assert play.hand(0) == "8 8 Q"


def test_a_joker_is_swapped_by_a_drag(situation: Any) -> None:
    play = situation(hands=["8 *", ""], pyramid=PYRAMID)

    async def do(one: Pilot) -> None:
        await one.drag(card(play, one, "*"), spot(3, 2))

    screen(play, do)
    assert (play.hand(0), play.card(3, 2)) == ("7 8", "*")


def test_a_joker_is_swapped_by_marking_it_and_choosing_a_card(situation: Any) -> None:
    play = situation(hands=["8 *", ""], pyramid=PYRAMID)

    async def do(one: Pilot) -> None:
        await one.click(card(play, one, "*"))
        await one.click(spot(2, 2))

    screen(play, do)
    assert (play.hand(0), play.card(2, 2)) == ("5 8", "*")


def test_a_meld_is_laid_by_marking_its_cards(situation: Any) -> None:
    play = situation(hands=["8 8 4", ""], pyramid=PYRAMID)
    play.take(1, 1)

    async def do(one: Pilot) -> None:
        for number, face in enumerate(one.client.controls.local.hand.faces):
            if face[-1] == "8":
                await one.click(f"card:{number}")
        await one.keys("m")

    screen(play, do)
    assert play.melds(0) == ["8 8"]


def test_a_meld_of_ones_own_is_extended_by_marking_a_card_and_choosing_it(situation: Any) -> None:
    play = situation(hands=["8 8 3", ""], pyramid=PYRAMID, melds=[(0, "3 3"), (0, "K *")])
    play.take(1, 1)

    async def do(one: Pilot) -> None:
        await one.click(card(play, one, "3"))
        await one.click("zone:meld/1")

    screen(play, do)
    assert play.melds(0) == ["3 3 3", "K *"]


def test_a_meld_is_stolen_by_dropping_a_card_on_it(situation: Any) -> None:
    play = situation(hands=["8", "2"], pyramid=PYRAMID, melds=[(1, "8 8 8"), (1, "Q Q")])
    play.take(1, 1)

    async def do(one: Pilot) -> None:
        await one.drag(card(play, one, "8"), "zone:meld/1")

    text = screen(play, do)
    assert play.melds(0) == ["8 8 8 8"]
    assert "Four 100[" in text


def test_a_watcher_sees_the_table_without_any_hand(situation: Any) -> None:
    play = situation(hands=["8 *", "5 5"], pyramid=PYRAMID, hidden=[(3, 2)], melds=[(1, "8 8 8")], row_multiplier=True)
    view = play.view(None)
    hands = {zone["name"]: (zone["cards"], zone["n"]) for zone in view["zones"] if zone["kind"] == "fan"}
    assert hands == {"hand/0": (None, 2), "hand/1": (None, 2)}
    assert (play.seen(3, 2), view["prompts"], view["layout"]["title"]) == ("?", [], [["title.rows", {"n": 3}]])
