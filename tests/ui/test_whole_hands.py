"""Whole hands of every installed game by keyboard, by mouse and with lines, as good players play them."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest

from carteado.core.bots import player
from carteado.core.loader import installed, load
from carteado.ui.terminal.app import Looks
from carteado.ui.terminal.line import LineClient

from .hands import Keyboard, Mouse, do, do_by_lines
from .harness import pilot
from .matches import AtMatch

GAMES = [listed.name for listed in installed()]
MOST = 150


def players(game: Any) -> int:
    return max(2, game.seats[0])


async def on_screen(name: str, hands: Any, size: tuple[int, int], seed: int) -> AtMatch:
    """Play a hand on the screen and look at its end."""
    game = load(name)
    session = AtMatch(game, players(game), seed=seed)
    chooser, rng = player(game, "rule"), random.Random(seed)
    async with pilot(session, *size, looks=Looks(confirm=False)) as one:  # type: ignore[arg-type]
        for _ in range(MOST):
            if session.match.phase != "playing":
                break
            await one.settle()
            acted = len(session.acts)
            await do(one, hands(one), chooser.choose(session.view, rng), lambda acted=acted: len(session.acts) > acted)  # type: ignore[misc]
        await one.shows("is over")
    return session


@pytest.mark.slow
@pytest.mark.parametrize("hands", [Keyboard, Mouse], ids=lambda hands: hands.__name__)
@pytest.mark.parametrize("name", GAMES)
def test_a_hand_is_played_to_its_end_on_the_screen(name: str, hands: Any) -> None:
    session = asyncio.run(on_screen(name, hands, (80, 24), seed=3))
    assert [] == session.refusals


@pytest.mark.long
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (200, 60)], ids=str)
@pytest.mark.parametrize("seed", [11, 12])
@pytest.mark.parametrize("hands", [Keyboard, Mouse], ids=lambda hands: hands.__name__)
@pytest.mark.parametrize("name", GAMES)
def test_many_hands_are_played_on_screens_of_every_size(name: str, hands: Any, seed: int, size: tuple[int, int]) -> None:
    session = asyncio.run(on_screen(name, hands, size, seed))
    assert [] == session.refusals


@pytest.mark.parametrize("name", GAMES)
def test_a_hand_is_played_to_its_end_with_lines(name: str) -> None:
    game = load(name)
    session = AtMatch(game, players(game), seed=3)
    chooser, rng = player(game, "rule"), random.Random(3)
    said: list[str] = []
    client = LineClient(session, said.append)

    def tell() -> None:
        while not session._changes.empty():
            change = session._changes.get_nowait()
            assert change is not None
            client.changed(change)

    async def run() -> None:
        client.begin()
        for _ in range(MOST):
            tell()
            if session.match.phase != "playing":
                break
            view = session.view
            await do_by_lines(client, view, chooser.choose(view, rng))
        tell()

    asyncio.run(run())
    assert [] == session.refusals
    assert any("is over" in line for line in said)
