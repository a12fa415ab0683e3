"""T01 to T08 and T10 to T14: bytes, frames and connections that no honest program makes."""

from __future__ import annotations

import asyncio
import os
import socket
import struct
import subprocess
import sys

import msgpack
import pytest
import zmq

from carteado.net import limits, protocol, sockets
from carteado.net.codec import encode
from carteado.net.keys import Address

from ..rooms import Raw, run, soon
from ..test_codec import ABUSES
from .siege import Siege, besieged


@pytest.mark.parametrize("name", ["nothing", "0xc1", "a cut map", "60 000 arrays", "array32 of 2**32", "a text that is no UTF-8"])
def test_t01_what_is_no_message_is_dropped_without_an_answer_and_the_eleventh_time_ends_in_a_ban(name: str) -> None:
    async def test() -> None:
        async with besieged() as siege:
            mallory = await siege.neighbour()
            before = len(mallory.frames)
            for _ in range(10):
                await mallory.send(ABUSES[name])
            heard = await mallory.pong()
            assert [] == heard
            assert before + 1 == len(mallory.frames)  # the pong alone
            assert 10 == siege.refused("malformed")
            await mallory.send(ABUSES[name])
            assert "banned" == (await mallory.hear(protocol.Gone)).code
            assert siege.host.bans.key(mallory.keys.public)
            assert 1 == siege.refused("ban")

    run(test())


@pytest.mark.parametrize("size", [limits.PEER_FRAME + 1, 60_000])
def test_t02_a_frame_that_is_too_long_is_dropped_undecoded_and_is_a_strike(size: int) -> None:
    async def test() -> None:
        async with besieged() as siege:
            mallory = await siege.neighbour()
            before = len(mallory.frames)
            await mallory.send(b"\xc1" * size)
            assert [] == await mallory.pong()
            assert before + 1 == len(mallory.frames)
            assert (1, 0) == (siege.refused("oversized"), siege.refused("malformed"))

    run(test())


def test_t02_a_frame_beyond_the_cut_ends_the_connection_and_nobody_else_notices() -> None:
    async def test() -> None:
        async with besieged() as siege:
            mallory = await siege.neighbour()
            lost = mallory.socket.get_monitor_socket(zmq.EVENT_DISCONNECTED)
            await mallory.send(bytes(limits.PEER_CUT + 1))
            await asyncio.wait_for(lost.recv_multipart(), 5)
            assert 0 == siege.refused("oversized")  # nothing of it was read
            mallory.socket.disable_monitor()
            lost.close()

    run(test())


def test_t02_an_announced_gigabyte_is_never_made_room_for() -> None:
    async def test() -> None:
        async with besieged() as siege:
            lines = [await asyncio.open_connection("127.0.0.1", siege.host.port) for _ in range(20)]
            greeting = b"\xff" + bytes(8) + b"\x7f\x03\x00CURVE".ljust(55, b"\0")
            for _, writer in lines:
                writer.write(greeting + b"\x02" + struct.pack(">Q", 1 << 30) + b"x" * 1000)
            for reader, writer in lines:
                await asyncio.wait_for(_end_of(reader), 10)
                writer.close()

    run(test())


async def _end_of(reader: asyncio.StreamReader) -> None:
    try:
        while await reader.read(4096):
            continue
    except ConnectionError:
        return


@pytest.mark.parametrize("count", [2, 3, 1000])
def test_t07_only_one_frame_is_a_message(count: int) -> None:
    async def test() -> None:
        async with besieged() as siege:
            mallory = await siege.neighbour()
            await mallory.send(*[encode(protocol.Ping(1))] * count)
            assert [] == await mallory.pong()
            assert 1 == siege.refused("frames")

    run(test())


@pytest.mark.parametrize("kind", ["admin", "state", "welcome", "gone", "hb", "ban", "__class__"])
def test_t08_a_kind_that_peers_do_not_send_is_refused_and_a_strike(kind: str) -> None:
    async def test() -> None:
        async with besieged() as siege:
            mallory = await siege.neighbour()
            for _ in range(11):
                await mallory.send(msgpack.packb({"t": kind, "do": "stop"}))
            assert "unknown" == (await mallory.hear(protocol.No)).code
            await mallory.hear(protocol.Gone)
            assert siege.host.bans.key(mallory.keys.public)

    run(test())


def test_a_banned_peer_is_cut_off_and_cannot_come_back_while_a_seat_s_player_next_to_it_can() -> None:
    async def test() -> None:
        async with besieged() as siege:
            mallory = await siege.neighbour()
            lost = mallory.socket.get_monitor_socket(zmq.EVENT_DISCONNECTED | zmq.EVENT_HANDSHAKE_FAILED_AUTH)
            for _ in range(12):
                await mallory.send(b"\xc1")
            assert zmq.EVENT_DISCONNECTED == struct.unpack("=HI", (await asyncio.wait_for(lost.recv_multipart(), 5))[0])[0]
            assert zmq.EVENT_HANDSHAKE_FAILED_AUTH == struct.unpack("=HI", (await asyncio.wait_for(lost.recv_multipart(), 5))[0])[0]
            mallory.socket.disable_monitor()
            lost.close()

    run(test())


RAW = {
    "nothing": b"",
    "http": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "tls": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(60),
    "zmtp 1": b"\x01\x00",
    "zmtp 2": b"\xff" + bytes(8) + b"\x7f\x01\x05\x00\x00",
    "zmtp 3 open": b"\xff" + bytes(8) + b"\x7f\x03\x00NULL".ljust(53, b"\0") + b"\x04\x19\x05READY\x0bSocket-Type\0\0\0\x06DEALER",
    "zmtp 3 with passwords": b"\xff" + bytes(8) + b"\x7f\x03\x00PLAIN".ljust(53, b"\0") + b"\x04\x0b\x05HELLO\x01a\x01b",
}


REFUSED_AT_ONCE = ("http", "tls", "zmtp 3 open", "zmtp 3 with passwords")
"""The others have not said enough to be refused: their time runs out (T11)."""


def test_t10_other_protocols_are_closed_and_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    async def test() -> None:
        async with besieged() as siege:
            lines = {}
            for name, data in [*RAW.items(), ("random", os.urandom(64)), ("much", os.urandom(2000))]:
                lines[name] = await asyncio.open_connection("127.0.0.1", siege.host.port)
                lines[name][1].write(data)
            mallory = await siege.guest()
            assert [] == await mallory.pong()
            for name in REFUSED_AT_ONCE:
                await asyncio.wait_for(_end_of(lines[name][0]), 5)
            for _, writer in lines.values():
                writer.close()

    run(test())
    assert ("", "") == capfd.readouterr()


@pytest.mark.slow
def test_t11_hundreds_of_half_open_connections_keep_nobody_out_and_are_closed() -> None:
    async def test() -> None:
        async with besieged() as siege:
            lines = [socket.create_connection(("127.0.0.1", siege.host.port)) for _ in range(200)]
            for line in lines[::2]:
                line.sendall(b"\xff" + bytes(8))
            mallory = await siege.guest()
            assert [] == await mallory.pong()
            for line in lines:
                line.settimeout(8)
            closed = await asyncio.to_thread(lambda: [_closed(line) for line in lines])
            assert all(closed)

    run(test(), 60)


def _closed(line: socket.socket) -> bool:
    with line:
        try:
            while line.recv(1000):
                continue
        except ConnectionError:
            return True
        except TimeoutError:
            return False
        return True


def test_t14_a_storm_of_subscriptions_leaves_memory_and_the_table_alone() -> None:
    async def test() -> None:
        async with besieged() as siege:
            mallory = await siege.watcher()
            sub = sockets.sub_socket(mallory.context, mallory.keys, siege.host.keys.public)
            for _ in range(1000):
                sub.subscribe(os.urandom(400))
            siege.count_memory()
            sockets.connect(sub, Address("127.0.0.1", siege.host.feed_port))
            await soon(lambda: siege.host.bans.key(mallory.keys.public))
            sub.close(linger=0)

    run(test())


@pytest.mark.slow
def test_t14_a_long_subscription_is_cut_off() -> None:
    async def test() -> None:
        async with besieged() as siege:
            mallory = await siege.watcher()
            sub = sockets.sub_socket(mallory.context, mallory.keys, siege.host.keys.public)
            sub.subscribe(os.urandom(4 * limits.FEED_CUT))
            sub.subscribe(b"hb")
            sockets.connect(sub, Address("127.0.0.1", siege.host.feed_port))
            with pytest.raises(TimeoutError):  # each connection is cut at its first subscription
                await asyncio.wait_for(sub.recv_multipart(), 1.5)
            sub.close(linger=0)

    run(test(), 60)


def test_t17_a_routing_id_is_nobody_s_identity() -> None:
    async def test() -> None:
        async with besieged() as siege:
            route = siege.host.sessions.by_key[siege.ana.keys.public].route
            first = _called(siege, b"twin")
            await first.hello("First")
            second = _called(siege, b"twin")  # only now: whoever is there first has the id
            await second.say(protocol.Hello((1, 1), "test", "Second"))
            with pytest.raises(TimeoutError):
                await second.hear(seconds=0.3)
            assert [] == await first.pong()
            assert siege.ana.keys.public == siege.host.sessions.by_route[route].key

    run(test())


def _called(siege: Siege, id: bytes) -> Raw:
    """Return a hostile peer that claims a routing id."""
    raw = siege.raw()
    raw.socket.close(linger=0)
    raw.socket = sockets.dealer_socket(raw.context, raw.keys, siege.host.keys.public)
    raw.socket.routing_id = id
    sockets.connect(raw.socket, siege.host.address)
    return raw


def test_t12_a_peer_that_claims_a_player_s_routing_id_gets_nothing_and_takes_nothing_away() -> None:
    async def test() -> None:
        async with besieged() as siege:
            route = siege.host.sessions.by_key[siege.ana.keys.public].route
            thief = _called(siege, route)
            await thief.say(protocol.Hello((1, 1), "test", "Mallory"))
            with pytest.raises(TimeoutError):
                await thief.hear(seconds=0.3)
            await siege.ana.tables()
            assert siege.ana.keys.public == siege.host.sessions.by_route[route].key
            assert [] == thief.frames

    run(test())


DRAW = """
import asyncio, zmq.asyncio
from carteado.net import sockets
from carteado.net.keys import KeyPair

async def draw():
    context, keys = zmq.asyncio.Context(), KeyPair.make()
    table, peer = sockets.table_socket(context, keys), sockets.dealer_socket(context, KeyPair.make(), keys.public)
    peer.connect(f"tcp://127.0.0.1:{sockets.bind(sockets.plain(table), '127.0.0.1', 0)}")
    await peer.send(b"x")
    print((await table.recv_multipart())[0].hex())
    context.destroy(linger=0)

asyncio.run(draw())
"""


def test_t12_the_routing_ids_that_a_host_gives_its_first_peers_are_others_each_time() -> None:
    drawn = [subprocess.run([sys.executable, "-c", DRAW], capture_output=True, text=True, timeout=60, check=True).stdout for _ in range(2)]
    assert drawn[0] != drawn[1]
