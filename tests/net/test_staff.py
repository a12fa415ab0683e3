"""The computer players of the house: one that only fails gives its chair to a simpler one, and everybody is told."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Mapping
from typing import Any, ClassVar

import pytest

from carteado.core.api import hookimpl
from carteado.net import staff
from carteado.net.bot import Bot
from carteado.net.clock import SystemClock
from carteado.net.settings import TableSpec

from .highcard import HighCard
from .rooms import Steady, hosting, run, sitting


class Sulky:
    """A player that never finds a move."""

    def choose(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        raise ZeroDivisionError("no idea")


class Stubborn:
    """A player that says the same nonsense again and again."""

    def choose(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        return {"type": "lay", "card": ["R1", "R2"]}


class Moody(HighCard):
    levels = ("random", "sulky", "stubborn")
    bots: ClassVar[Mapping[str, Any]] = {"sulky": Sulky, "stubborn": Stubborn}


class Mute(Moody):
    @hookimpl
    def sample(self, view: dict[str, Any], form: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        raise ZeroDivisionError("not even by chance")


class Hasty(SystemClock):
    """A clock for people without patience."""

    async def sleep(self, seconds: float) -> None:
        await super().sleep(min(seconds, 0.01))


def table(level: str) -> TableSpec:
    return TableSpec("high-card", chairs=2, bots=(level,))


@pytest.mark.parametrize("level", ["sulky", "stubborn"])
def test_a_player_that_only_fails_gives_its_chair_to_the_simplest_and_the_match_goes_on(
    level: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(staff, "MOST_REFUSALS", 20)

    async def evening() -> list[Any]:
        async with hosting(table(level), games={"high-card": Moody()}, clock=Hasty()) as host, sitting(host) as peer:
            await peer.ready()
            view = await Bot(peer, Steady()).play()
            assert peer.table is not None
            assert ["random", "over"] == [peer.table.chairs[0].bot, view["phase"]]
            return [line for line in view["log"] if line[0] == "takeover.bot"]

    with caplog.at_level(logging.ERROR):
        told = run(evening())
    assert [["takeover.bot", {"who": {"$player": 0}, "level": "random"}]] == told
    assert f"the computer player {level} at table t-1 gives its chair to random" in caplog.messages


def test_when_the_simplest_fails_too_the_table_stops_with_a_sentence(caplog: pytest.LogCaptureFixture) -> None:
    async def evening() -> str:
        async with hosting(table("sulky"), games={"high-card": Mute()}, clock=Hasty()) as host, sitting(host) as peer:
            await peer.ready()
            playing = asyncio.create_task(Bot(peer, Steady()).play())
            await peer.until(lambda p: p.table is not None and p.table.stage == "broken")
            playing.cancel()
            assert peer.table is not None
            return peer.table.why

    assert "the computer player random of high-card finds no move" == run(evening())
    assert "ZeroDivisionError: not even by chance" in caplog.text
