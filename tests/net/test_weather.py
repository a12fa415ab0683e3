"""Bad lines: slow, cut again and again, dead without a word. Matches finish, everybody sees the same, and nobody waits for the worst."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from carteado.core.loader import load
from carteado.net import limits
from carteado.net.clock import VirtualClock
from carteado.net.host import Host
from carteado.net.keys import KeyPair
from carteado.net.line import LIVE
from carteado.net.peer import Peer
from carteado.net.settings import TableSpec
from carteado.net.terms import ClockTerms, Terms

from .highcard import GAMES
from .proxy import Proxy, Weather, proxied
from .rooms import bot, hosting, run, sitting, soon, together, visiting

ONE_HAND = TableSpec("high-card", chairs=2, options={"hands": 1})
PROGRAMS = Path(__file__).with_name("programs.py")


def same(host: Host, *peers: Peer) -> None:
    """Check that everybody sees the host's newest version, all of it."""
    match = host.tables["t-1"].match
    assert match is not None
    for peer in peers:
        assert peer.view == match.view(peer.seat)
        assert peer._picture._told[1, match.q] == match.h


async def played(weather: Weather, seconds: float) -> int:
    """Play a match of two over lines like that; return how often they were cut."""
    async with (
        hosting(ONE_HAND, seed=None) as host, proxied(host, weather) as one, proxied(host, weather, 2) as two,
        visiting(one.address, "Ana") as ana, visiting(two.address, "Rui") as rui,
    ):  # fmt: skip
        await together(ana.join("t-1"), rui.join("t-1"))
        await ana.start()
        game = GAMES["high-card"]
        await asyncio.wait_for(together(bot(ana, game, seed=1).play(), bot(rui, game, seed=2).play()), seconds)
        same(host, ana, rui)
        actions = [entry for entry in host.tables["t-1"].match.journal.entries if entry["k"] == "action"]  # type: ignore[union-attr]
        assert len(actions) == 12  # three rounds of laying and bidding: nothing twice
        return one.resets + two.resets


@pytest.mark.slow
@pytest.mark.parametrize("haunted", [False, True])
def test_a_match_finishes_over_slow_lines_that_are_cut_again_and_again(haunted: bool) -> None:
    assert run(played(Weather(0.04, 0.02, (0.9, 1.4), haunted), 50), 60) > 0


@pytest.mark.long
@pytest.mark.parametrize("haunted", [False, True])
def test_a_match_finishes_at_half_a_second_each_way_with_a_cut_every_few_seconds(haunted: bool) -> None:
    assert run(played(Weather(0.5, 0.1, (6.0, 9.0), haunted), 280), 300) > 4


async def cut_at(version: int) -> None:
    """Play a match in which both lines are cut when this version is seen."""
    async with (
        hosting(ONE_HAND, seed=None) as host, proxied(host) as one, proxied(host) as two,
        visiting(one.address, "Ana") as ana, visiting(two.address, "Rui") as rui,
    ):  # fmt: skip
        await together(ana.join("t-1"), rui.join("t-1"))
        await ana.start()
        playing = asyncio.gather(bot(ana, GAMES["high-card"], seed=1).play(), bot(rui, GAMES["high-card"], seed=2).play())
        await together(*(_cut(peer, proxy, version) for peer, proxy in ((ana, one), (rui, two))))
        await playing
        same(host, ana, rui)


async def _cut(peer: Peer, proxy: Proxy, version: int) -> None:
    await peer.until(lambda peer: peer.view is not None and peer.view["q"] >= version)
    proxy.cut()


@pytest.mark.parametrize("version", [1, 7, 12])
def test_a_cut_costs_nothing_whenever_it_comes(version: int) -> None:
    run(cut_at(version))


@pytest.mark.slow
def test_a_cut_costs_nothing_at_any_version_of_a_match() -> None:
    async def test() -> None:
        for version in range(1, 14):
            await cut_at(version)

    run(test(), 120)


def test_the_first_try_to_come_back_is_made_at_once() -> None:
    async def test() -> None:
        clock = VirtualClock()
        async with hosting(ONE_HAND) as host, proxied(host) as proxy, visiting(proxy.address, clock=clock) as ana:
            await ana.join("t-1")
            proxy.cut()
            await ana.until(lambda peer: peer.line != LIVE)
            await clock.advance(2 * limits.AT_ONCE)
            await ana.until(lambda peer: peer.line == LIVE)
            assert proxy.lines == 2

    run(test())


def test_who_comes_from_a_new_address_has_the_seat_and_the_whole_view() -> None:
    async def test() -> None:
        keys = KeyPair.make()
        async with (
            hosting(ONE_HAND, seed=None) as host, sitting(host, "Rui") as rui, proxied(host) as old, proxied(host) as new,
            visiting(old.address, "Ana", keys) as ana,
        ):  # fmt: skip
            await ana.join("t-1")
            await rui.start()
            await together(ana.until(lambda peer: peer.view is not None), rui.until(lambda peer: peer.view is not None))
            old.silence()  # the old address is gone without a word
            async with visiting(new.address, "Ana", keys) as again:
                await again.join("t-1")
                assert again.seat == 1
                same(host, again, rui)

    run(test())


def test_who_does_not_read_delays_nobody() -> None:
    async def test() -> None:
        spec = TableSpec("high-card", chairs=3, options={"hands": 3})
        async with (
            hosting(spec) as host, proxied(host) as proxy, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui,
            visiting(proxy.address, "Eva") as eva,
        ):  # fmt: skip
            await eva.join("t-1", "watch")
            await ana.fill("random")
            await ana.start()
            proxy.deafen()
            game = GAMES["high-card"]
            await together(bot(ana, game, seed=1).play(), bot(rui, game, seed=2).play())
            same(host, ana, rui)
            proxy.resume()
            await eva.until(lambda peer: peer.view is not None and peer.view["phase"] == "over")
            same(host, eva)

    run(test())


def test_the_policy_of_the_table_goes_on_for_a_line_that_is_dead_and_hands_back() -> None:
    async def test() -> None:
        clock = VirtualClock()
        spec = TableSpec("high-card", chairs=2, options={"hands": 1}, terms=Terms(grace=5, level="random"))
        async with (
            hosting(spec, clock=clock) as host, sitting(host, "Ana") as ana, proxied(host) as proxy, visiting(proxy.address, "Rui") as rui
        ):  # fmt: skip
            await rui.join("t-1")
            await ana.start()
            await together(ana.until(lambda peer: peer.view is not None), rui.until(lambda peer: peer.view is not None))
            proxy.silence()
            for _ in range(21):
                await clock.advance(1.0)
                await ana.say("here")
            await ana.until(lambda peer: peer.table is not None and peer.table.chairs[1].substitute == "random")
            assert [(1, "away", "random")] == [(gone.seat, gone.line, gone.substitute) for gone in ana.missing()]
            proxy.cut()
            proxy.resume()
            await ana.until(lambda peer: peer.table is not None and peer.table.chairs[1].line == "here")
            assert ana.table is not None
            assert ana.table.chairs[1].substitute is None
            assert rui.seat == 1

    run(test(), 60)


def test_everybody_sees_for_how_long_the_table_still_waits() -> None:
    async def test() -> None:
        clock = VirtualClock()
        spec = TableSpec("high-card", chairs=2, terms=Terms(grace=60))
        async with hosting(spec, clock=clock) as host, sitting(host, "Ana", clock=clock) as ana:
            async with sitting(host, "Rui") as rui:
                await ana.start()
                await rui.until(lambda peer: peer.view is not None)
            await ana.until(lambda peer: bool(peer.missing()))
            await clock.advance(1.0)
            (gone,) = ana.missing()
            assert (gone.seat, gone.name, gone.line) == (1, "Rui", "away")
            assert 55.0 < (gone.left or 0.0) <= 60.0

    run(test())


def test_time_in_which_the_host_was_stopped_costs_nobody_anything() -> None:
    async def test() -> None:
        clock = VirtualClock()
        spec = TableSpec("high-card", chairs=2, terms=Terms(ClockTerms(move=10), grace=5))
        async with hosting(spec, clock=clock) as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui:
            await ana.start()
            await together(ana.until(lambda peer: peer.view is not None), rui.until(lambda peer: peer.view is not None))
            clock._now += 3600.0  # as after a night's sleep: every alarm is late
            await clock.advance(0.1)
            await ana.until(lambda peer: peer.table is not None and peer.table.slept_ms > 0)
            table = host.tables["t-1"]
            assert table.match is not None
            assert (["hand"], ["here", "here"]) == (
                [entry["k"] for entry in table.match.journal.entries], [chair.line(clock.now()) for chair in table.chairs]
            )  # fmt: skip
            clocks = table.clocks()
            assert clocks is not None
            assert all(8_000 < left <= 10_000 for left in clocks.move if left is not None)

    run(test())


async def _line(process: asyncio.subprocess.Process, wanted: str) -> dict[str, Any]:
    assert process.stdout is not None
    while line := await process.stdout.readline():
        told: dict[str, Any] = json.loads(line)
        if wanted in told:
            return told
    raise AssertionError(f"the player's program ended before {wanted}")


@pytest.mark.slow
def test_a_program_that_is_stopped_is_lagging_away_and_replaced_and_back_at_once(tmp_path: Path) -> None:
    async def test() -> None:
        game = load("dez-degraus")
        spec = TableSpec("dez-degraus", chairs=2, terms=Terms(grace=1))
        async with hosting(spec, games=None, seed=None) as host, sitting(host, "Ana") as ana:
            command = [sys.executable, str(PROGRAMS), "player", str(host.address), str(tmp_path / "key"), "Rui", "rule", "1", "0"]
            process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, limit=1 << 20)
            playing = asyncio.create_task(bot(ana, game, "rule").play())
            try:
                await _line(process, "joined")
                await ana.start()
                await ana.until(lambda peer: peer.view is not None and peer.view["q"] > 5)
                os.kill(process.pid, signal.SIGSTOP)
                table = host.tables["t-1"]
                assert ana.table is not None
                lines = [ana.table.chairs[1].line]
                async with asyncio.timeout(40):
                    async for _ in ana.changes():
                        assert ana.table is not None
                        line = ana.table.chairs[1].line
                        lines += [line] if line not in lines[-1:] else []
                        if ana.table.chairs[1].substitute:
                            break
                assert ["here", "lagging", "away"] == lines
                assert table.match is not None
                q = table.match.q
                await ana.until(lambda peer: peer.view is not None and peer.view["q"] > q + 10)  # the match goes on
                os.kill(process.pid, signal.SIGCONT)
                await soon(lambda: table.chairs[1].substitute is None)
                assert "here" == table.chairs[1].line(host._clock.now())
            finally:
                playing.cancel()
                if process.returncode is None:
                    process.kill()
                await process.communicate()

    run(test(), 90)
