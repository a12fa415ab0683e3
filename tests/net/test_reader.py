"""Messages come straight from the loop: all of them, in order, no more than are wanted, and an error ends the reading."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator

import pytest
import zmq

from carteado.net import protocol
from carteado.net.reader import Reader
from carteado.net.settings import TableSpec

from .rooms import Steady, hostile, hosting, new_id, run

Pair = tuple["zmq.Socket[bytes]", "zmq.Socket[bytes]"]


@pytest.fixture
def pair() -> Iterator[Pair]:
    context = zmq.Context()
    a, b = context.socket(zmq.PAIR), context.socket(zmq.PAIR)
    a.bind("inproc://pair")
    b.connect("inproc://pair")
    yield a, b
    context.destroy(linger=0)


@pytest.mark.parametrize("delay", [0.0, 0.001])
def test_every_message_is_given_in_order_however_many_come_at_once(pair: Pair, delay: float) -> None:
    async def test() -> None:
        got: list[list[bytes]] = []
        reading = asyncio.create_task(Reader(pair[1], delay=delay).run(got.append))
        sent = [[b"%d" % n, b"x"] for n in range(300)]
        for begin in range(0, 300, 100):
            for message in sent[begin : begin + 100]:
                pair[0].send_multipart(message)
            while len(got) < begin + 100:
                await asyncio.sleep(0)
        assert sent == got
        reading.cancel()

    run(test())


def test_what_has_come_is_left_during_a_pause(pair: Pair) -> None:
    async def test() -> None:
        got: list[list[bytes]] = []
        reader = Reader(pair[1])

        def take(frames: list[bytes]) -> None:
            got.append(frames)
            reader.pause()

        reading = asyncio.create_task(reader.run(take))
        for n in range(3):
            pair[0].send(b"%d" % n)
        for n in range(1, 4):
            while len(got) < n:
                await asyncio.sleep(0)
            for _ in range(20):
                await asyncio.sleep(0)
            assert n == len(got)
            reader.resume()
        reading.cancel()

    run(test())


def test_what_the_taker_raises_is_raised_where_the_reading_is_awaited(pair: Pair) -> None:
    async def test() -> None:
        def take(frames: list[bytes]) -> None:
            raise ValueError("not this one")

        pair[0].send(b"x")
        with pytest.raises(ValueError, match="not this one"):
            await Reader(pair[1]).run(take)
        pair[0].send(b"y")
        assert b"y" == pair[1].recv()  # it reads no more

    run(test())


def test_after_each_handful_is_said_that_it_is_taken(pair: Pair) -> None:
    async def test() -> None:
        got: list[int] = []
        messages: list[list[bytes]] = []
        for n in range(5):
            pair[0].send(b"%d" % n)
        reading = asyncio.create_task(Reader(pair[1]).run(messages.append, lambda: got.append(len(messages))))
        while sum(got[-1:]) < 5:
            await asyncio.sleep(0)
        assert [5] == got
        reading.cancel()

    run(test())


def test_who_comes_back_and_asks_again_has_the_view_before_the_answer() -> None:
    async def test() -> None:
        async with hosting(TableSpec("high-card", chairs=1)) as host, hostile(host) as raw:
            await raw.hello("Ana")
            await raw.join()
            await raw.say(protocol.Start(new_id(), "t-1"))
            state = await raw.hear(protocol.State)
            prompt, id = state.view["prompts"][0]["id"], new_id()
            command = protocol.Command(raw.epoch, id, "t-1", 1, prompt, Steady().choose(state.view, random.Random(0)))
            await raw.say(command)
            first = await raw.hear(protocol.Ack)
            while first.id != id:
                first = await raw.hear(protocol.Ack)
            for _ in range(20):
                await raw.say(protocol.Join("t-1"))
                await raw.say(command)
                heard = [await raw.hear(protocol.State, protocol.Ack) for _ in range(2)]
                assert [protocol.State, protocol.Ack] == [type(message) for message in heard]
                assert heard[0].q >= heard[1].q == first.q

    run(test())


def test_the_loop_is_not_woken_during_a_pause(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        looked: list[None] = []
        drain = Reader._drain
        monkeypatch.setattr(Reader, "_drain", lambda reader: (looked.append(None), drain(reader)))
        reader = Reader(pair[1])
        reading = asyncio.create_task(reader.run(lambda frames: None))
        pair[0].send(b"first")
        for _ in range(100):
            await asyncio.sleep(0)
        reader.pause()
        before = len(looked)
        pair[0].send(b"second")
        for _ in range(100):
            await asyncio.sleep(0)
        assert before == len(looked) > 0
        reading.cancel()

    run(test())
