"""The books of a host that is killed again and again: every match that ended is booked, once, and everything adds up."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest
from sqlalchemy import Connection, func, select

from carteado.net.ledger import ask
from carteado.net.sql import books, schema

from ..rooms import run
from .load import Player, boxed, everybody_goes_on, players

TABLES = [{"game": "high-card", "id": f"t-{n}", "chairs": 2, "options": {"hands": 1, "stake": 7}} for n in (1, 2)]
"""Matches of one hand, in which somebody always wins: each is a booking."""


async def go_on(everybody: list[Player]) -> None:
    """Wait until everybody has played on; who had said to be ready to a host that was killed says so again, as people do."""
    playing = asyncio.create_task(everybody_goes_on(everybody))
    while not playing.done():
        for one in everybody:
            table, seat = one.peer.table, one.peer.seat
            if one.peer.line != "live" or table is None or seat is None:
                continue
            if table.stage == "over" and not table.chairs[seat].ready:
                await one.peer.ready()
        await asyncio.wait({playing}, timeout=0.2)
    await playing


async def survive(folder: Path, store: str, kills: int, seed: int) -> None:
    """Kill a host at random moments while short matches end and begin."""
    rng = random.Random(seed)
    async with boxed(folder, store, TABLES) as box:
        address = await box.start()
        assert address is not None
        async with players(address, {"t-1": (2, "random"), "t-2": (2, "random")}, seed) as everybody:
            for _ in range(kills):
                await go_on(everybody)
                await asyncio.sleep(rng.uniform(0.0, 0.3))
                await box.kill()
                await box.start()
            await go_on(everybody)
        await box.kill()


def counts(connection: Connection) -> tuple[int, int, int]:
    """Return how many matches have ended, how many were booked, and how many purses were opened."""
    ended = connection.scalar(select(func.count()).select_from(schema.matches).where(schema.matches.c.ended.is_not(None)))
    asked = select(schema.bookings.c.kind, func.count()).group_by(schema.bookings.c.kind)
    kinds = {kind: int(count) for kind, count in connection.execute(asked)}
    return int(ended or 0), kinds.get("match", 0), kinds.get("opening", 0)


def check(store: str) -> int:
    """See that the books are right; return how many matches have ended."""
    ended, booked, opened = ask(store, counts)
    assert (ended, 4) == (booked, opened)
    assert [] == list(ask(store, books.audit))
    assert 0 == sum(ask(store, books.balances).values())
    return ended


@pytest.mark.slow
def test_after_kills_every_match_that_ended_is_booked_once(tmp_path: Path) -> None:
    store = str(tmp_path / "store.db")
    run(survive(tmp_path, store, kills=3, seed=5), 120)
    assert check(store) > 3


@pytest.mark.long
def test_after_a_hundred_kills_every_match_that_ended_is_booked_once(tmp_path: Path) -> None:
    store = str(tmp_path / "store.db")
    run(survive(tmp_path, store, kills=100, seed=6), 1800)
    print(f"100 kills, {check(store)} matches")
