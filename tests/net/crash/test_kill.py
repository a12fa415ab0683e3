"""A host that is killed at any moment has forgotten nothing that it had answered, and its players come back by themselves."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from carteado.net.keys import KeyPair
from carteado.net.store import Record, TableRecord

from ..rooms import run, visiting
from ..sql import postgres
from ..sql.records import begun, chair, match
from ..sql.test_store import keep
from .load import boxed, everybody_goes_on, players, survive, truth
from .programs import POINTS


@pytest.mark.slow
def test_after_kills_at_random_moments_every_accepted_action_is_there_once_and_everybody_plays_on(tmp_path: Path) -> None:
    found, figures = run(survive(tmp_path, str(tmp_path / "store.db"), kills=3, seed=7), 120)
    assert 3 == figures["kills"]
    assert ([], [], []) == (found.lost, found.doubled, found.untrue)
    assert found.acknowledged > 20
    assert found.shown > found.acknowledged


@pytest.fixture
def server() -> Iterator[str]:
    """Give an empty database on a PostgreSQL server."""
    with postgres.server() as url:
        if url is None:
            pytest.skip(f"no PostgreSQL here: install it, or name a server in {postgres.SERVER}")
        with postgres.database(url) as place:
            yield place


@pytest.mark.slow
def test_after_kills_a_host_on_a_server_finds_its_tables_there_and_everybody_plays_on(tmp_path: Path, server: str) -> None:
    found, figures = run(survive(tmp_path, server, kills=2, seed=8), 120)
    assert 2 == figures["kills"]
    assert ([], [], []) == (found.lost, found.doubled, found.untrue)
    assert found.acknowledged > 20


def hundred(tmp_path: Path, store: str, seed: int) -> None:
    """Kill a host a hundred times, and say what came of it."""
    found, figures = run(survive(tmp_path, store, kills=100, seed=seed), 1800)
    line = f"{figures['kills']} kills, {found.acknowledged} acknowledged, lost {len(found.lost)}, doubled {len(found.doubled)}"
    print(f"{line}, {found.shown} states shown, untrue {len(found.untrue)}, {found.entries} entries, refused {figures['refused']}")
    assert 100 == figures["kills"]
    assert ([], [], []) == (found.lost, found.doubled, found.untrue)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_after_a_hundred_kills_nothing_is_lost_or_done_twice(tmp_path: Path, seed: int) -> None:
    hundred(tmp_path, str(tmp_path / "store.db"), seed)


@pytest.mark.long
def test_after_a_hundred_kills_of_a_host_on_a_server_nothing_is_lost_or_done_twice(tmp_path: Path, server: str) -> None:
    hundred(tmp_path, server, 4)


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_host_that_ends_while_it_brings_matches_back_has_lost_none_and_the_next_one_has_them_all(tmp_path: Path, number: int) -> None:
    place, ana, tables = str(tmp_path / "store.db"), KeyPair.make(), 60
    keep(place, *(records(f"t-{n:02}", ana.public if n == tables - 1 else bytes([n]) * 32) for n in range(tables)))
    before = journals(place)

    async def test() -> None:
        async with boxed(tmp_path, place, [{"game": "high-card", "id": "t-00", "chairs": 2}]) as box:
            for _ in range(3):
                await box.start()
                assert box.process is not None
                box.process.send_signal(number)
                assert await box.dead() == (0 if number == signal.SIGTERM else -number)
            address = await box.start()
            assert address is not None
            async with visiting(address, "Ana", ana) as peer:
                await peer.join(f"t-{tables - 1:02}")
                await peer.until(lambda p: p.view is not None)
                assert 8 == peer.view["q"]  # type: ignore[index]
            await box.kill()
        assert before == journals(place)

    asyncio.run(asyncio.wait_for(test(), 120))


def records(id: str, key: bytes) -> list[Record]:
    """Return the records of a running match of two people, the first of whom has this key."""
    made = match(id, 7)
    table, *rest = begun(made)
    assert isinstance(table, TableRecord)
    return [replace(table, options=made.options, chairs=(chair(key), table.chairs[1]), players=(key, table.chairs[1].key)), *rest]


def journals(store: str) -> list[tuple[Any, ...]]:
    """Return all that is kept of matches."""
    with contextlib.closing(sqlite3.connect(store)) as file:
        return file.execute("SELECT name, n, line FROM entries JOIN matches ON matches.id = match ORDER BY name, n").fetchall()


@pytest.mark.slow
@pytest.mark.parametrize("point", POINTS)
def test_a_host_that_dies_at_this_point_of_a_turn_has_kept_all_that_it_told(tmp_path: Path, point: str) -> None:
    async def test() -> None:
        store = str(tmp_path / "store.db")
        async with boxed(tmp_path, store, [{"game": "high-card", "id": "t-1", "chairs": 2, "options": {"hands": 40}}]) as box:
            address = await box.start(die=[point, 12])
            assert address is not None
            async with players(address, {"t-1": (2, "random")}) as everybody:
                await box.dead()  # by its own hand
                await box.start()
                await everybody_goes_on(everybody)
                await everybody_goes_on(everybody)
                await box.kill()
                found = truth(store, everybody)
                assert ([], [], []) == (found.lost, found.doubled, found.untrue)
                # What it had kept and could not tell any more is answered from the store: nobody is refused for it.
                assert {code for one in everybody for code in one.refused} <= {"not_the_one_first"}

    asyncio.run(asyncio.wait_for(test(), 120))
