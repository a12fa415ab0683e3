"""Whole hands of a real game: once by keyboard, once by mouse, once with lines. The client is told nothing about the game."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from carteado.core.loader import load
from carteado.ui.terminal.line import LineClient

from .harness import Pilot, pilot
from .matches import AtMatch

MOST_STEPS = 400


def forms(session: AtMatch) -> dict[str, Any]:
    """Return what may be done now, by type."""
    prompts = session.view["prompts"]
    return {form["type"]: form for form in prompts[0]["forms"] if not form["blocked"]} if prompts else {}


async def by_keyboard(one: Pilot, session: AtMatch) -> None:
    free = forms(session)
    if "draw" in free:
        await one.keys(free["draw"]["key"])
    elif "lay" in free:
        await one.keys(free["lay"]["key"])
        await one.keys("\r")
    else:
        await one.keys("1")
        await one.keys(free["discard"]["key"])


async def by_mouse(one: Pilot, session: AtMatch) -> None:
    free = forms(session)
    if "draw" in free:
        await one.click(f"zone:{free['draw']['on']}")
    elif "lay" in free:
        await one.click("do:form:lay")
        await one.click("item:0")
    else:
        await one.drag("card:0", f"zone:{free['discard']['on']}")


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=str)
@pytest.mark.parametrize("move", [by_keyboard, by_mouse], ids=lambda move: move.__name__)
def test_a_hand_is_played_to_its_end_and_the_next_one_begins(move: Any, size: tuple[int, int]) -> None:
    session = AtMatch(load("dez-degraus"), 2, seed=1)

    async def run() -> None:
        async with pilot(session, *size) as one:  # type: ignore[arg-type]
            for _ in range(MOST_STEPS):
                if session.match.phase != "playing":
                    break
                await move(one, session)
            await one.settle()
            assert "Hand 1 is over" in one.text()
            if move is by_keyboard:
                await one.keys("\r")
            else:
                await one.mouse(("down", 0, 0), ("up", 0, 0))
            assert "Hand 2" in one.text()

    asyncio.run(run())
    assert [] == session.refusals
    assert ["ready"] == session.wishes


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_hand_is_played_to_its_end_with_lines_alone(seed: int) -> None:
    session = AtMatch(load("dez-degraus"), 2, seed)
    said: list[str] = []
    client = LineClient(session, said.append)

    async def tell() -> None:
        while not session._changes.empty():
            change = session._changes.get_nowait()
            assert change is not None
            client.changed(change)

    async def run() -> None:
        client.begin()
        await tell()
        for _ in range(MOST_STEPS):
            if session.match.phase != "playing":
                break
            number = {
                line.split(". ", 1)[1]: line.split(". ")[0] for line in said if line[:1].isdigit() and ". " in line
            }
            free = forms(session)
            labels = {kind: session.match.game.words("en")[form["label"][0]] for kind, form in free.items()}
            said.clear()
            await client.take("")
            free = forms(session)
            labels = {kind: session.match.game.words("en")[form["label"][0]] for kind, form in free.items()}
            said.clear()
            await client.take("")
            number = {
                label: digits
                for digits, point, label in (line.partition(". ") for line in said)
                if point and digits.isdigit()
            }
            if "draw" in free:
                await client.take(number[labels["draw"]])
            elif "lay" in free:
                await client.take(f"{number[labels['lay']]} 1")
            else:
                await client.take(f"{number[labels['discard']]} 1")
            await tell()

    asyncio.run(run())
    assert [] == session.refusals
    assert "dealing" == session.match.phase
    assert "Hand 1 is over" in said
