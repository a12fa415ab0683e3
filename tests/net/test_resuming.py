"""After a restart every table goes on by the rules that its match was begun with, or says why it does not; never differently."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from carteado.core.api import hookimpl
from carteado.core.game import Game
from carteado.net import protocol
from carteado.net.errors import Refusal
from carteado.net.keys import KeyPair
from carteado.net.memory import MemoryStore
from carteado.net.settings import TableSpec
from carteado.net.store import Finish, ResultRecord

from .highcard import GAMES, HighCard
from .rooms import first_move, hostile, hosting, run, sitting, visiting

ANA = KeyPair.make()
OLD = GAMES["high-card"]


class Newer(HighCard):
    """The same game with other rules, and another version to say so."""

    version = "2"

    @hookimpl
    def scoring(self, table: Any) -> Any:
        result = HighCard.scoring(self, table)
        if result is not None:
            result.points[table.start] = 100
        return result


class Sly(HighCard):
    """Other rules under the same version."""

    @hookimpl
    def deal(self, table: Any) -> None:
        HighCard.deal(self, table)
        table.set("extra", 1)


def shelf(**games: Game) -> dict[str, Game]:
    """Return the games of a host; `older` is offered for matches that were begun with it."""
    found = {"high-card": games["now"]}
    if "older" in games:
        found["high-card@1"] = games["older"]
    return found


async def begin(store: MemoryStore) -> dict[str, Any]:
    """Let Ana begin a match at a host of today, and return her view."""
    async with hosting(TableSpec("high-card", chairs=1), store=store) as host, sitting(host, "Ana", ANA) as ana:
        await ana.start()
        prompt, action = await first_move(ana)
        await ana.act(prompt, action)
        await ana.until(lambda p: p.view is not None and p.view["q"] == 2)
        assert ana.view is not None
        return ana.view


def kept(store: MemoryStore) -> Any:
    """Return all that is kept of the table."""
    return copy.deepcopy((store.tables["t-1"].table, store.tables["t-1"].header, store.tables["t-1"].entries))


def test_a_match_goes_on_by_its_old_version_if_the_host_still_has_it() -> None:
    async def test() -> None:
        store = MemoryStore()
        before = await begin(store)
        async with (
            hosting(TableSpec("high-card", chairs=1), store=store, games=shelf(now=Newer(), older=OLD)) as host,
            sitting(host, "Ana", ANA) as ana,
        ):
            assert ana.view is not None
            assert ana.table is not None
            assert before == ana.view
            assert ("playing", "1") == (ana.table.stage, ana.table.version)
            prompt, action = await first_move(ana)
            assert (await ana.act(prompt, action)).accepted

    run(test())


def test_only_the_newest_version_is_offered_for_new_tables() -> None:
    async def test() -> None:
        async with hosting(games=shelf(now=Newer(), older=OLD)) as host, visiting(host) as ana:
            games = (await ana.tables()).games
            assert [("high-card", "2")] == [(game.name, game.version) for game in games]

    run(test())


@pytest.mark.parametrize(
    ("now", "sentence"),
    [
        (Newer(), "begun with version 1 of high-card, and the host has 2: it waits for 1"),
        (Sly(), "What was kept of this match does not replay: entry 1 (hand) replays to hash"),
    ],
)
def test_a_match_whose_rules_are_not_there_stands_still_with_a_sentence_and_loses_nothing(now: Game, sentence: str) -> None:
    async def test() -> None:
        store = MemoryStore()
        before = await begin(store)
        left = kept(store)
        async with hosting(TableSpec("high-card", chairs=1), store=store, games=shelf(now=now)) as host, sitting(host, "Ana", ANA) as ana:
            assert ana.table is not None
            assert (0, "broken") == (ana.seat, ana.table.stage)
            assert sentence in ana.table.why
            assert not (await ana.act(1, {"type": "lay", "card": ["R2"]})).accepted
            for ask in (ana.ready, ana.start, ana.rematch, ana.fill):
                with pytest.raises(Refusal):
                    await ask()
            async with visiting(host, "Rui") as rui:
                with pytest.raises(Refusal, match="begun"):
                    await rui.join("t-1")
                await rui.join("t-1", "watch")
            await ana.leave()  # to another table, say: the chair stays hers
        assert left == kept(store)
        async with hosting(TableSpec("high-card", chairs=1), store=store) as host, sitting(host, "Ana", ANA) as ana:
            assert before == ana.view

    run(test())


def test_a_table_that_cannot_be_put_in_the_place_of_one_that_is_held_leaves_the_host_at_work(caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        store = MemoryStore()
        await begin(store)
        wanted = TableSpec("high-card", chairs=2, bots=("random",) * 3)
        async with hosting(wanted, store=store, games=shelf(now=Sly())) as host, sitting(host, "Ana", ANA) as ana:
            assert ana.table is not None
            assert "broken" == ana.table.stage
            assert ["t-1"] == list(host.tables)
        assert "3 computer players have no room on 2 chairs" in caplog.text

    run(test())


def test_a_table_whose_game_is_gone_waits_for_it_and_the_others_play() -> None:
    async def test() -> None:
        store = MemoryStore()
        before = await begin(store)
        left = kept(store)
        async with hosting(TableSpec("mute", "t-2", chairs=1), store=store, games={"mute": GAMES["mute"]}) as host:
            assert ["t-2"] == list(host.tables)
        assert left == kept(store)
        async with hosting(TableSpec("high-card", chairs=1), store=store) as host, sitting(host, "Ana", ANA) as ana:
            assert before == ana.view

    run(test())


def test_a_damaged_match_is_kept_as_it_is_and_the_others_go_on() -> None:
    async def test() -> None:
        store = MemoryStore()
        await begin(store)
        store.tables["t-1"].entries[1]["h"] = "0" * 16
        left = kept(store)
        async with (
            hosting(TableSpec("high-card", chairs=1), TableSpec("high-card", "t-2", chairs=1), store=store) as host,
            sitting(host, "Ana", ANA) as ana,
        ):
            assert ana.table is not None
            assert "broken" == ana.table.stage
            assert "entry 2 (action) replays to hash" in ana.table.why
            async with sitting(host, "Rui", m="t-2") as rui:
                await rui.start()
                await first_move(rui)
        assert left == kept(store)

    run(test())


def test_a_table_whose_terms_are_damaged_is_kept_as_it_is() -> None:
    async def test() -> None:
        store = MemoryStore()
        await begin(store)
        store.tables["t-1"].table = replace(store.tables["t-1"].table, terms={"clock": 7})
        left = kept(store)
        async with hosting(TableSpec("high-card", chairs=1), store=store) as host, sitting(host, "Ana", ANA) as ana:
            assert ana.table is not None
            assert ana.table.why.startswith("What was kept of this table is damaged: ")
        assert left == kept(store)

    run(test())


def test_a_match_that_is_over_and_booked_makes_room_for_the_next_by_todays_rules() -> None:
    async def test() -> None:
        store = MemoryStore()
        await begin(store)
        await store.commit([ResultRecord("t-1", 1, (Finish(0, ANA.public, "Ana", None, 1, 1, 0),))])
        async with (
            hosting(TableSpec("high-card", chairs=1), store=store, games=shelf(now=Newer())) as host,
            sitting(host, "Ana", ANA) as ana,
        ):
            assert ana.table is not None
            assert ("lobby", "2") == (ana.table.stage, ana.table.version)
            await ana.start()
            await first_move(ana)
            assert 2 == ana.match

    run(test())


def test_who_was_ready_is_still_ready_after_a_restart() -> None:
    async def test() -> None:
        store, rui = MemoryStore(), KeyPair.make()
        async with hosting(TableSpec("high-card", chairs=2), store=store) as host, sitting(host, "Ana", ANA) as ana:
            await ana.ready()
        async with hosting(TableSpec("high-card", chairs=2), store=store) as host, sitting(host, "Ana", ANA) as ana:
            assert ana.table is not None
            assert ana.table.chairs[0].ready
            async with sitting(host, "Rui", rui) as other:
                await other.ready()
                await ana.until(lambda p: p.view is not None)
        async with hosting(TableSpec("high-card", chairs=2), store=store) as host:
            assert "playing" == host.tables["t-1"].stage
            assert [False, False] == [chair.ready for chair in host.tables["t-1"].chairs]

    run(test())


def test_a_host_that_is_told_to_open_what_it_has_kept_goes_on_with_that() -> None:
    async def test() -> None:
        store = MemoryStore()
        await begin(store)
        async with hosting(TableSpec("high-card", chairs=1), store=store) as host:
            assert ["t-1"] == list(host.tables)
            assert "playing" == host.tables["t-1"].stage

    run(test())


def test_another_game_than_the_kept_one_gets_a_table_of_its_own_while_somebody_plays_there() -> None:
    async def test() -> None:
        store = MemoryStore()
        await begin(store)
        async with hosting(TableSpec("mute", chairs=1), store=store) as host:
            assert [("t-1", "high-card"), ("t-1-2", "mute")] == [(table.id, table.game.name) for table in host.tables.values()]
            assert "playing" == host.tables["t-1"].stage

    run(test())


def test_the_same_other_table_is_wanted_at_the_next_start_and_none_besides() -> None:
    async def test() -> None:
        store = MemoryStore()
        await begin(store)
        for _ in range(3):
            async with hosting(TableSpec("mute", chairs=1), store=store) as host:
                assert ["t-1", "t-1-2"] == list(host.tables)

    run(test())


@pytest.mark.parametrize(
    ("sits", "wanted", "chairs"),
    [
        (False, TableSpec("high-card", chairs=3), 3),  # nobody is there: it is as it is wanted now
        (True, TableSpec("high-card", chairs=3), 3),
        (True, TableSpec("high-card", chairs=2, options={"hands": 7}), 2),
        (True, TableSpec("high-card", chairs=2), 2),
    ],
)
def test_a_table_at_which_nobody_plays_is_as_it_is_wanted_now(sits: bool, wanted: TableSpec, chairs: int) -> None:
    async def test() -> None:
        store = MemoryStore()
        async with hosting(TableSpec("high-card", chairs=2), store=store) as host:
            if sits:
                async with sitting(host, "Ana", ANA):
                    pass
        async with hosting(wanted, store=store) as host:
            at = host.tables["t-1"]
            assert (chairs, wanted.options.get("hands", 2)) == (len(at.chairs), at.options["hands"])
            same = sits and (wanted.chairs, dict(wanted.options)) == (2, {})
            assert [ANA.public if same else None] == [chair.key for chair in at.chairs[:1]]

    run(test())


def test_another_game_than_the_kept_one_takes_its_place_when_nobody_plays_there() -> None:
    async def test() -> None:
        store = MemoryStore()
        async with hosting(TableSpec("high-card", chairs=1), store=store):
            pass
        async with hosting(TableSpec("mute", chairs=1), store=store) as host:
            assert [("t-1", "mute")] == [(table.id, table.game.name) for table in host.tables.values()]

    run(test())


def test_a_command_that_was_accepted_before_the_restart_is_answered_as_it_was() -> None:
    async def test() -> None:
        store = MemoryStore()
        await begin(store)
        answer = store.tables["t-1"].answers[-1]
        async with hosting(TableSpec("high-card", chairs=1), store=store) as host, hostile(host, ANA) as raw:
            await raw.hello("Ana")
            await raw.join()
            await raw.say(protocol.Command(raw.epoch, answer.id, "t-1", 1, 1, {"type": "lay", "card": ["R2"]}))
            assert protocol.Ack(answer.id, answer.q) == await raw.hear(protocol.Ack)
            assert 2 == host.tables["t-1"].head[1]

    run(test())
