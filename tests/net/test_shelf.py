"""The games of a host are loaded beside its loop, soon after the start; only who asks for them waits for them."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from carteado.core.errors import LoadFailure
from carteado.core.game import Game
from carteado.core.loader import Listed
from carteado.net import protocol, shelf
from carteado.net.shelf import Shelf

from .highcard import GAMES
from .rooms import hosting, run, sitting, visiting


class Loading:
    """What is installed, and how it loads. held: `mute` is not loaded before this is set; threads: in which each game was loaded."""

    def __init__(self) -> None:
        self.held = threading.Event()
        self.threads: dict[str, str] = {}

    def load(self, name: str) -> Game:
        """Load a game."""
        self.threads[name] = threading.current_thread().name
        if name == "broken":
            raise LoadFailure("The game 'broken' cannot be imported.")
        if name == "mute":
            assert self.held.wait(20)
        return GAMES[name]


@pytest.fixture
def loading(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loading]:
    """Install the games of these tests."""
    found = Loading()
    monkeypatch.setattr(shelf, "installed", lambda: [Listed(name, "", "", "") for name in GAMES])
    monkeypatch.setattr(shelf, "load", found.load)
    yield found
    found.held.set()


def test_games_are_loaded_in_a_thread_and_a_broken_one_costs_a_sentence(loading: Loading, caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        loading.held.set()
        stock = Shelf(None)
        await stock.stock()
        assert ["high-card", "mute"] == [row.name for row in stock.rows()]
        assert {"thinker"} == set(loading.threads.values())
        assert ["The game 'broken' cannot be imported."] == caplog.messages
        assert stock.stocked

    run(test())


def test_while_games_are_loaded_tables_play_and_who_asks_for_them_is_answered_afterwards(loading: Loading) -> None:
    async def test() -> None:
        async with hosting(games=None) as host, sitting(host, "Ana") as ana, visiting(host, "Rui") as rui:
            asked = asyncio.create_task(rui.tables())
            await ana.fill("random")
            await ana.start()
            await ana.until(lambda p: p.view is not None)
            assert not asked.done()
            loading.held.set()
            assert ["high-card", "mute"] == [game.name for game in (await asked).games]

    run(test())


def test_words_of_a_game_that_is_there_and_of_one_that_failed_are_not_waited_for(loading: Loading) -> None:
    async def test() -> None:
        stock = Shelf(None)
        stock.take("high-card")
        loading.held.set()
        assert not stock.missing(protocol.AskWords("high-card", "en"))
        assert stock.missing(protocol.AskWords("broken", "en"))
        assert stock.missing(protocol.Open(bytes(16), "mute", {}))
        assert stock.missing(protocol.AskTables())
        await stock.stock()
        assert not stock.missing(protocol.AskTables())

    run(test())


def test_a_host_that_cannot_open_a_file_more_goes_on_and_loads_the_games_when_they_are_asked_for(
    loading: Loading, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full() -> Any:
        raise OSError(24, "Too many open files")

    async def test() -> None:
        stock = Shelf(None)
        with monkeypatch.context() as patched:
            patched.setattr(shelf, "house_rules", full)
            await stock.stock()
        assert "Too many open files" in caplog.text
        loading.held.set()
        assert ["high-card", "mute"] == [row.name for row in stock.rows()]

    caplog.set_level(logging.WARNING)
    run(test())


def test_a_host_of_given_games_has_them_at_once(loading: Loading) -> None:
    stock = Shelf(GAMES)
    assert stock.stocked
    assert not stock.missing(protocol.AskTables())
    assert {} == loading.threads
