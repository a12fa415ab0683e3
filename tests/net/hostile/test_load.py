"""T13, T44, T47 to T49, T53, T54 and T56: too much, too slow, too many at once."""

from __future__ import annotations

import asyncio
import json
import resource
import socket
import sys
from pathlib import Path

import pytest

from carteado.net import protocol
from carteado.net.clock import VirtualClock
from carteado.net.codec import encode
from carteado.net.keys import Address, KeyPair
from carteado.net.peer import Peer
from carteado.net.rates import DoorRules, Rates
from carteado.net.settings import TableSpec
from carteado.net.sockets import PortTaken

from ..rooms import GAMES, OPEN, bot, hosting, new_id, run, sitting, soon, together
from .siege import besieged

SNAPS = 10
"""Whole views of which a peer can make a host send one after the other: three of its own, and those of everybody's joining."""
PROGRAMS = Path(__file__).parents[1] / "programs.py"


@pytest.mark.parametrize("kind", ["garbage", "pings", "commands", "hellos", "snaps"])
def test_t48_a_flood_is_dropped_undecoded_and_its_sender_banned_while_the_others_play_on(kind: str) -> None:
    async def test() -> None:
        async with besieged() as siege:
            flooders = [await siege.neighbour(f"M{number}") for number in range(2)]
            for mallory in flooders:
                frames = {
                    "garbage": b"\xc1" * 900,
                    "pings": encode(protocol.Ping(1)),
                    "commands": encode(protocol.Command(siege.host.epoch, new_id(), "t-1", 1, 1, {"type": "lay", "card": ["R1"]})),
                    "hellos": encode(protocol.Hello((1, 1), "test", "M")),
                    "snaps": encode(protocol.Snap("t-2")),
                }
                for _ in range(300):
                    await mallory.spam(frames[kind], 32)
                    if siege.host.bans.key(mallory.keys.public):
                        break
                await soon(lambda mallory=mallory: siege.host.bans.key(mallory.keys.public))  # type: ignore[misc]
            assert 2 == siege.refused("ban")
            if kind != "garbage":
                assert siege.refused("flood") > 600
            assert 0 == siege.host.refused["fault"]

    run(test(), 60)


@pytest.mark.slow
def test_t48_keys_that_are_changed_after_each_ban_come_to_an_end() -> None:
    async def test() -> None:
        rules = DoorRules(rates=Rates(commands=0, hellos=0, hellos_all=0))
        async with besieged(rules) as siege:
            banned = 0
            for _ in range(6):
                mallory = siege.raw()
                try:
                    async with asyncio.timeout(5.0 if banned < 3 else 0.5):
                        await mallory.hello()
                except TimeoutError:
                    break
                await mallory.spam(b"\xc1", 12)
                await soon(lambda mallory=mallory: siege.host.bans.key(mallory.keys.public))  # type: ignore[misc]
                banned += 1
            assert 3 == banned
            assert siege.host.bans.address("127.0.0.1")
            assert siege.host.door.admit("table", "127.0.0.1", siege.ana.keys.public) is None

    run(test(), 60)


def test_t47_a_peer_that_reads_nothing_holds_up_nobody_and_takes_no_memory() -> None:
    async def test() -> None:
        async with besieged() as siege:
            mallory = await siege.watcher()
            for _ in range(40):
                await mallory.spam(encode(protocol.Snap("t-1")), 20)
                await siege.ana.tables()
            assert siege.refused("too_fast") > 0
            assert siege.refused("flood") > 0
            assert siege.host.meters.snaps <= SNAPS  # whole views are what takes room

    run(test(), 60)


@pytest.mark.slow
def test_t49_many_who_join_at_once_all_get_in() -> None:
    everybody_at_once(40)


@pytest.mark.long
def test_t49_five_hundred_who_join_at_once_all_get_in() -> None:
    everybody_at_once(500)


def everybody_at_once(number: int) -> None:
    """Let so many watch at the same moment; a match at another table is played meanwhile."""

    async def test() -> None:
        async with besieged(OPEN) as siege:
            import zmq.asyncio

            context = zmq.asyncio.Context()
            siege.megabytes += number  # the joining programs live in this process too
            context.set(zmq.MAX_SOCKETS, 5 * number + 100)
            peers = [
                Peer(siege.host.address, KeyPair.make(), f"P{n}", words=False, feed=False, context=context) for n in range(number)
            ]  # fmt: skip
            await together(*(peer.connect() for peer in peers))
            await together(*(peer.join("t-2", "watch") for peer in peers))
            assert number == len(siege.host.tables["t-2"].watchers())
            await together(*(peer.close() for peer in peers))
            context.term()

    run(test(), 120)


def test_who_toggles_ready_without_end_has_one_chair_and_disturbs_nobody() -> None:
    async def test() -> None:
        async with besieged() as siege:
            mallory = await siege.neighbour()
            for number in range(50):
                await mallory.say(protocol.Ready(new_id(), "t-2", bool(number % 2)))
            await mallory.echo()
            assert 1 == sum(chair.key is not None for chair in siege.host.tables["t-2"].chairs)

    run(test())


@pytest.mark.slow
def test_t13_a_host_without_descriptors_left_plays_on_and_recovers() -> None:
    async def test() -> None:
        spec = json.dumps({"game": "dez-degraus", "chairs": 2})
        limit = lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))  # noqa: E731
        host = await asyncio.create_subprocess_exec(
            sys.executable, str(PROGRAMS), "host", spec, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, preexec_fn=limit
        )  # fmt: skip
        assert host.stdout is not None
        address = Address.parse((await host.stdout.readline()).decode())
        try:
            ana = Peer(address, KeyPair.make(), "Ana", words=False)
            await ana.connect()
            await ana.join("t-1")
            await ana.tables()
            lines = [socket.create_connection(("127.0.0.1", address.port)) for _ in range(120)]
            for _ in range(10):
                await ana.tables()
            assert "live" == ana.line
            for line in lines:
                line.close()
            rui = Peer(address, KeyPair.make(), "Rui", words=False)
            for _ in range(50):
                try:
                    await rui.connect()
                    break
                except Exception:  # noqa: BLE001 - until the host has noticed that the others are gone
                    await asyncio.sleep(0.1)
                    rui = Peer(address, KeyPair.make(), "Rui", words=False)
            await rui.join("t-1")
            assert host.returncode is None
            await ana.close()
            await rui.close()
        finally:
            host.terminate()
            said = (await host.communicate())[1].decode()
        assert "is stopped" not in said
        assert 0 == host.returncode

    run(test(), 60)


def test_t53_a_port_that_is_taken_is_one_sentence() -> None:
    async def test() -> None:
        async with hosting() as host:
            with pytest.raises(PortTaken, match=f"cannot listen on 127.0.0.1:{host.port}"):
                async with hosting(port=host.port):
                    pass

    run(test())


@pytest.mark.parametrize("proto", [(2, 3), (9, 9), (65_535, 65_535)])
def test_t54_another_version_of_the_protocol_is_refused_in_words_on_both_sides(proto: tuple[int, int]) -> None:
    async def test() -> None:
        async with besieged() as siege:
            mallory = siege.raw()
            await mallory.say(protocol.Hello(proto, "test", "Mallory"))
            no = await mallory.hear(protocol.No)
            assert "proto" == no.code
            assert f"host speaks 1-1, you {proto[0]}-{proto[1]}" in no.text

    run(test())


@pytest.mark.slow
def test_t56_a_judge_that_stumbles_at_every_second_connection_lets_the_next_one_in() -> None:
    async def test() -> None:
        async with besieged() as siege:
            judge, asked = siege.host.door.admit, []

            def stumble(domain: str, address: str, key: bytes) -> str | None:
                asked.append(domain)
                if len(asked) % 2:
                    raise ZeroDivisionError
                return judge(domain, address, key)

            siege.host.door.admit = stumble  # type: ignore[method-assign]
            siege.lines_allowed = 10
            for _ in range(3):
                mallory = siege.raw()
                with pytest.raises(TimeoutError):
                    async with asyncio.timeout(0.3):
                        await mallory.hello()
                await (await siege.guest()).pong()
            siege.host.door.admit = judge  # type: ignore[method-assign]

    run(test())


def test_what_people_say_and_ask_within_a_moment_meets_no_limit_of_a_host() -> None:
    async def test() -> None:
        clock = VirtualClock()
        async with (
            hosting(TableSpec("high-card", chairs=3), clock=clock, door=DoorRules()) as host,
            sitting(host, "Ana") as ana,
            sitting(host, "Rui") as rui,
        ):
            for _ in range(4):
                await ana.say("hi")
                await rui.tables()
            assert 0 == sum(host.refused.values())

    run(test())


@pytest.mark.slow
def test_an_honest_program_that_is_too_fast_is_only_slowed_down() -> None:
    async def test() -> None:
        rules = DoorRules(rates=Rates(commands=4))
        async with hosting(TableSpec("high-card", chairs=1, options={"hands": 3}), door=rules) as host, sitting(host, "Ana") as ana:
            await ana.start()
            last = await bot(ana, GAMES["high-card"]).play()
            assert "over" == last["phase"]
            assert host.refused["too_fast"] > 0
            assert not host.bans.rows()

    run(test())
