"""T15 to T28: who somebody is, what they may learn, and what they may do in whose name."""

from __future__ import annotations

import asyncio
import contextlib
import os
from typing import Any

import msgpack
import pytest

from carteado.net import protocol, sockets
from carteado.net.codec import encode
from carteado.net.codes import Meeting, Pass, stretch, written
from carteado.net.errors import Refusal
from carteado.net.host import Host
from carteado.net.keys import Address, KeyPair
from carteado.net.peer import Peer
from carteado.net.rates import DoorRules, Rates

from ..rooms import Raw, first_move, hosting, new_id, run, soon, visiting
from .siege import asked, besieged, codes, hand


def test_t15_a_subscriber_to_everything_hears_no_hidden_card() -> None:
    async def test() -> None:
        async with besieged() as siege:
            mallory = await siege.watcher()
            sub = sockets.sub_socket(mallory.context, mallory.keys, siege.host.keys.public)
            for topic in (b"", b"t", b"t-1/", b"seat/0", b"t-1/seat/0", b"\x00\xff", os.urandom(20)):
                sub.subscribe(topic)
            sockets.connect(sub, Address("127.0.0.1", siege.host.feed_port))
            mover = siege.mover
            prompt, action = await first_move(mover)
            topics = set()
            await asyncio.wait_for(sub.recv_multipart(), 5)  # it hears FEED from now on
            assert (await mover.act(prompt, action)).accepted
            while b"t-1/live" not in topics:
                frames = await asyncio.wait_for(sub.recv_multipart(), 5)
                topics.add(frames[0])
                mallory.frames.append(frames[-1])
            assert topics <= {b"hb", b"t-1/live"}
            sub.close(linger=0)
            siege.quiet = False

    run(test())


@pytest.mark.parametrize("who", ["guest", "watcher", "neighbour"])
def test_t16_nobody_acts_for_a_seat_by_naming_it(who: str) -> None:
    async def test() -> None:
        async with besieged() as siege:
            mallory = await getattr(siege, who)()
            mover = siege.mover
            prompt, action = await first_move(mover)
            good = {"t": "cmd", "e": siege.host.epoch, "id": new_id(), "m": "t-1", "match": 1, "prompt": prompt, "d": action}
            for field in ({"seat": mover.seat}, {"key": mover.keys.public}, {"name": "Ana"}, {"as": "Ana"}):
                await mallory.send(msgpack.packb({**good, "id": new_id(), **field}))
            assert 4 == codes(await mallory.pong()).count("malformed")
            for match in (0, 1, 2):
                await mallory.say(protocol.Command(siege.host.epoch, new_id(), "t-1", match, prompt, action))
            await mallory.say(protocol.Say(new_id(), "t-1", "I am Ana"))
            await mallory.say(protocol.Leave(new_id(), "t-1") if who != "watcher" else protocol.Pause(new_id(), "t-1"))
            refused = codes(await mallory.echo())
            assert {"not_in_match"} == set(refused)
            assert 5 == len(refused)

    run(test())


def test_t18_a_copied_public_key_opens_nothing() -> None:
    async def test() -> None:
        async with besieged() as siege:
            mallory = siege.raw(KeyPair(siege.ana.keys.public, KeyPair.make().secret))
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.7):
                    await mallory.hello()
            assert [] == mallory.frames

    run(test())


def test_t19_one_key_on_two_machines_is_one_session_and_the_newest_has_it() -> None:
    async def test() -> None:
        async with besieged() as siege:
            keys = KeyPair.make()
            first, second = siege.raw(keys), siege.raw(keys)
            await first.hello("Tom")
            await first.join("t-2")
            await second.hello("Tom")
            assert "superseded" == (await first.hear(protocol.Gone)).code
            assert 0 == (await second.join("t-2")).seat
            await second.echo()
            heard = len(first.frames)
            await siege.neighbour()
            await second.hear(protocol.Table)
            with pytest.raises(TimeoutError):
                await first.hear(seconds=0.2)
            assert heard == len(first.frames)

    run(test())


def test_t19_two_machines_that_take_a_seat_from_each_other_are_slowed_down() -> None:
    async def test() -> None:
        async with besieged(DoorRules(rates=Rates(returns=10, unjoined=0, new_keys=0, commands=0))) as siege:
            mallory = await siege.neighbour()
            answers = []
            for _ in range(12):
                await mallory.say(protocol.Hello((1, 1), "test", "Mallory"))
                answers.append(await mallory.hear(protocol.Welcome, protocol.No))
            late = [answer for answer in answers if isinstance(answer, protocol.No)]
            assert len(late) >= 6
            assert {("hello", "too_fast")} == {(no.re, no.code) for no in late}
            assert late[0].data["ms"] > 0

    run(test())


def test_t20_a_token_is_guessed_five_times_a_minute_and_nothing_tells_why_it_was_wrong() -> None:
    async def test() -> None:
        async with besieged() as siege:
            mallory = await siege.guest()
            for seat, m in ((0, "t-1"), (1, "t-1"), (9, "t-1"), (0, "t-2"), (0, "t-1"), (0, "t-1"), (0, "t-1")):
                await mallory.say(protocol.Reclaim(m, seat, os.urandom(16)))
            assert ["token"] * 5 + ["too_fast"] * 2 == sorted(codes(await mallory.echo()))

    run(test())


def test_t20_a_token_that_was_used_and_one_of_another_seat_are_dead() -> None:
    async def test() -> None:
        async with besieged() as siege:
            assert siege.ana.token is not None
            assert siege.rui.token is not None
            mallory = await siege.guest()
            await mallory.say(protocol.Reclaim("t-1", siege.rui.seat or 0, siege.ana.token))
            assert ["token"] == codes(await mallory.echo())
            old, seat = siege.ana.token, siege.ana.seat
            async with visiting(siege.host, "Ana") as tablet:
                await tablet.reclaim("t-1", seat or 0, old)
                await siege.ana.until(lambda peer: peer.line == "gone")
                assert "moved" == siege.ana.gone_code
                await mallory.say(protocol.Reclaim("t-1", seat or 0, old))
                assert ["token"] == codes(await mallory.echo())
                assert tablet.token not in (None, old)
                siege.ana = tablet
                await siege.check(quiet=False)
            siege.checked = True

    run(test())


def test_t24_a_machine_in_the_middle_learns_nothing_of_a_code_and_gets_nobody_in() -> None:
    code = written(12345)

    async def middle(host: Host, keys: KeyPair, back: Raw, seen: list[Any]) -> None:
        """Be a host with keys of its own, and hand on every knock and proof to the true one."""
        import zmq.asyncio

        context = zmq.asyncio.Context.instance()
        table = sockets.table_socket(context, keys)
        table.curve_server = True
        seen.append(sockets.bind(sockets.plain(table), "127.0.0.1", 0))
        try:
            while True:
                route, body = await table.recv_multipart()
                told = msgpack.unpackb(body)
                seen.append(told["t"])
                if told["t"] == "hello":
                    info = protocol.HostInfo("ab12", "Kitchen", "test")
                    answer: Any = protocol.Welcome(1, bytes(8), info, 0, {}, protocol.You(""), private=True)
                else:
                    await back.send(body)
                    answer = await back.hear(protocol.Proof, protocol.Proven, protocol.No)
                await table.send_multipart([route, encode(answer)])
        finally:
            table.close(linger=0)

    async def test() -> None:
        async with hosting(door=DoorRules(code=code, rates=Rates.none())) as host:
            back, keys, seen = Raw(host), KeyPair.make(), []  # type: ignore[var-annotated]
            await back.hello("Middle")
            work = asyncio.create_task(middle(host, keys, back, seen))
            await soon(lambda: seen)
            with pytest.raises(Refusal, match="not the host's"):
                await Peer(Address("127.0.0.1", seen[0], keys.public, code), KeyPair.make(), "Ana").connect()
            assert ["hello", "knock"] == seen[1:]
            assert not host.door.may_enter(back.keys.public)
            work.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await work
            back.close()

    run(test())


def test_t22_what_was_recorded_of_a_proof_proves_nothing_again() -> None:
    keys, code = (b"h" * 32, b"p" * 32), written(1)
    mine, host_nonce = Pass(code, *keys), bytes(16)
    shown = Meeting(*keys, mine.knock(), host_nonce).proof(stretch(code, keys[0]), "host")
    assert mine.answer(host_nonce, shown) is not None
    assert 20 == len({mine.knock() for _ in range(20)})
    assert mine.answer(host_nonce, shown) is None  # it was for another knock


@pytest.mark.parametrize("m", ["t-1", "t-2", "no-such"])
def test_t26_a_watcher_gets_a_watcher_s_view_whatever_it_asks_for(m: str) -> None:
    async def test() -> None:
        async with besieged() as siege:
            mallory = await siege.watcher()
            await mallory.say(protocol.Snap(m))
            heard = await mallory.echo()
            if m == "t-1":
                (state,) = [message for message in heard if isinstance(message, protocol.State)]
                assert state.view["you"] is None
                assert all(zone["cards"] is None for zone in state.view["zones"] if zone["name"].startswith("hand/"))
            else:
                assert ["not_in_match"] == codes(heard)
            await mallory.send(msgpack.packb({"t": "snap", "m": "t-1", "seat": 0}))
            assert ["malformed"] == codes(await mallory.pong())

    run(test())


def test_t27_a_card_that_the_player_does_not_hold_is_refused_alike_wherever_it_is() -> None:
    async def test() -> None:
        async with besieged() as siege:
            mover = siege.mover
            prompt, own = asked(mover), hand(mover)
            everywhere = [face for face in siege.table.game.deck.cards if face not in own]
            answers = [await mover.act(prompt, {"type": "lay", "card": [face]}) for face in everywhere]
            told = {(answer.code, str(answer.data).replace(face, "X")) for answer, face in zip(answers, everywhere, strict=True)}
            assert 1 == len(told), told

    run(test())


def test_t27_tables_and_seats_of_others_are_refused_alike_whether_they_exist_or_not() -> None:
    async def test() -> None:
        async with besieged() as siege:
            mallory = await siege.guest()
            answers = []
            for m in ("t-1", "no-such"):
                for message in (
                    protocol.Command(siege.host.epoch, new_id(), m, 1, 1, {"type": "lay"}), protocol.Ready(new_id(), m), protocol.Snap(m),
                    protocol.Say(new_id(), m, "x"), protocol.Reclaim(m, 0, bytes(16)),
                ):  # fmt: skip
                    await mallory.say(message)
                answers.append(codes(await mallory.echo()))
            assert answers[0] == answers[1] == ["not_in_match"] * 4 + ["token"]

    run(test())
