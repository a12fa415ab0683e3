"""A client on real sockets: it comes back by itself, asks again with the same id, and trusts no host."""

from __future__ import annotations

import asyncio
import random
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgpack
import pytest
import zmq.asyncio

from carteado.net import limits, protocol, sockets
from carteado.net.bot import Bot, BotFault, play_as
from carteado.net.clock import VirtualClock
from carteado.net.codec import encode
from carteado.net.errors import BadAddress, BadFrame, ConnectionOver, HostUnreachable, Refusal
from carteado.net.keys import Address, KeyPair
from carteado.net.memory import MemoryStore
from carteado.net.peer import Peer
from carteado.net.picture import Change
from carteado.net.settings import TableSpec

from .proxy import proxied
from .rooms import GAMES, Steady, bot, first_move, hosting, on_turn, run, sitting, soon, visiting

pytestmark = pytest.mark.slow

TWO = TableSpec("high-card", chairs=2, options={"hands": 3})
ONE = TableSpec("high-card", chairs=1)


def story(peer: Peer) -> tuple[Any, ...]:
    """Return what must be the same at every viewer."""
    view = peer.view
    assert view is not None
    return view["q"], view["phase"], view["seats"], view["vars"], view["end"]


async def played(*peers: Peer) -> None:
    """Let computer players finish the match on these chairs."""
    await asyncio.gather(*[bot(peer, GAMES["high-card"], seed=seed).play() for seed, peer in enumerate(peers)])


# Connecting


def test_nobody_at_the_address_is_said_in_a_sentence() -> None:
    async def test() -> None:
        async with hosting() as host:
            address = host.address
        with pytest.raises(HostUnreachable, match=f"no host answers at 127.0.0.1:{address.port}: nobody listens there"):
            await Peer(address, KeyPair.make(), "Ana").connect()

    run(test())


def test_a_host_with_another_key_than_expected_is_not_talked_to() -> None:
    async def test() -> None:
        async with hosting() as host:
            impostor = Address(host.address.host, host.address.port, KeyPair.make().public)
            with pytest.raises(HostUnreachable, match="does not have the expected key"):
                await Peer(impostor, KeyPair.make(), "Ana").connect()
            assert 0 == len(host.sessions)

    run(test())


def test_an_address_without_a_key_is_refused_before_anything_is_sent() -> None:
    async def test() -> None:
        with pytest.raises(BadAddress, match="does not say the host's key"):
            await Peer("127.0.0.1:7777", KeyPair.make(), "Ana").connect()

    run(test())


def test_a_silent_listener_is_given_up_after_a_while() -> None:
    async def test() -> None:
        clock = VirtualClock()
        with socket.create_server(("127.0.0.1", 0)) as server:
            ana = Peer(Address("127.0.0.1", server.getsockname()[1], bytes(32)), KeyPair.make(), "Ana", clock=clock)
            connecting = asyncio.create_task(ana.connect())
            await asyncio.sleep(0.05)
            await clock.advance(limits.ANSWER)
            await asyncio.sleep(0.05)
            assert not connecting.done()  # somebody has accepted the connection, and may be slow
            await clock.advance(limits.GREETING - limits.ANSWER)
            with pytest.raises(HostUnreachable, match="nobody answers"):
                await connecting

    run(test())


def test_a_refused_name_is_a_refusal() -> None:
    async def test() -> None:
        async with hosting() as host:
            with pytest.raises(Refusal) as refused:
                await Peer(host.address, KeyPair.make(), "host").connect()
            assert "name" == refused.value.code

    run(test())


def test_a_peer_that_is_gone_says_so_to_whoever_asks() -> None:
    async def test() -> None:
        async with hosting() as host:
            async with sitting(host, "Ana") as ana:
                pass
            assert ("gone", "closed") == (ana.line, ana.gone_code)
            with pytest.raises(ConnectionOver, match="closed"):
                await ana.tables()
            assert [] == [change async for change in ana.changes()]
            with pytest.raises(ConnectionOver):
                await ana.until(lambda p: p.line == "live")

    run(test())


# Playing


def test_three_peers_play_a_match_and_end_with_the_same_story() -> None:
    async def test() -> None:
        async with (
            hosting(TableSpec("high-card", chairs=3)) as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui,
            sitting(host, "Eva") as eva,
        ):  # fmt: skip
            await ana.start()
            await played(ana, rui, eva)
            for peer in (ana, rui, eva):
                await peer.until(lambda p: p.view is not None and p.view["phase"] == "over")
            assert story(ana) == story(rui) == story(eva)
            assert ana.view["mine"] is not None  # type: ignore[index]

    run(test())


def test_the_view_is_at_least_as_new_as_the_answer() -> None:
    async def test() -> None:
        async with hosting(ONE) as host, sitting(host, "Ana") as ana:
            await ana.start()
            for _ in range(6):
                prompt, action = await first_move(ana)
                answer = await ana.act(prompt, action)
                assert answer.accepted
                assert ana.view is not None
                assert ana.view["q"] >= answer.q

    run(test())


def test_an_action_that_no_host_could_accept_is_not_sent() -> None:
    async def test() -> None:
        async with hosting(ONE) as host, sitting(host, "Ana") as ana:
            await ana.start()
            await first_move(ana)
            for action in ({"type": "lay", "card": 1.5}, {"type": "lay", "card": ["x" * 65]}, {}, {"type": {"a": 1}}):
                with pytest.raises(BadFrame):
                    await ana.act(1, action)
            assert 0 == host.refused["malformed"]

    run(test())


def test_a_seat_gets_its_words_in_its_language_and_can_change_it() -> None:
    async def test() -> None:
        async with hosting() as host, sitting(host, "Ana", words=True) as ana:
            assert ana.words is not None
            assert ("en", "Lay a card", "High Card") == (ana.words.lang, ana.words.catalogue["lay"], ana.words.title)
            assert len(ana.words.rules) > limits.WORDS_PART
            assert "R" in ana.words.looks["suits"]
            assert "random" in ana.words.levels
            await ana.fetch_words("pt")
            assert "Põe uma carta" == ana.words.catalogue["lay"]
            assert (await ana.fetch_words("xx")).catalogue == {"lay": "Lay a card"}

    run(test())


def test_changes_tell_each_step_with_its_events() -> None:
    async def test() -> None:
        async with hosting(ONE) as host, sitting(host, "Ana") as ana:
            kinds: list[Change] = []

            async def listen() -> None:
                async for change in ana.changes():
                    kinds.append(change)

            listening = asyncio.create_task(listen())
            await asyncio.sleep(0)
            await ana.start()
            prompt, action = await first_move(ana)
            await ana.act(prompt, action)
            await ana.close()
            await listening
            views = [change for change in kinds if change.kind == "view"]
            assert ["deal", "move"] == [change.events[0]["k"] for change in views]
            assert "gone" == kinds[-1].kind

    run(test())


def test_a_slow_reader_of_changes_loses_the_oldest_only() -> None:
    async def test() -> None:
        async with hosting() as host, sitting(host, "Ana") as ana:
            changes = ana.changes()
            first = asyncio.create_task(anext(changes))
            await asyncio.sleep(0)
            for number in range(1000):
                ana._changes.tell(Change("say", code=str(number)))
            await first
            assert "745" == (await anext(changes)).code
            await changes.aclose()
            assert [] == ana._changes.readers

    run(test())


def test_leaving_the_table_forgets_it() -> None:
    async def test() -> None:
        async with hosting() as host, sitting(host, "Ana") as ana:
            await ana.leave()
            assert (None, None, None, None) == (ana.m, ana.seat, ana.view, ana.table)
            with pytest.raises(Refusal, match="do not sit"):
                await ana.start()
            assert 0 == (await ana.join("t-1")).seat

    run(test())


def test_a_peer_goes_from_one_table_to_another_and_its_seat_is_kept() -> None:
    async def test() -> None:
        async with hosting(ONE, TableSpec("high-card", "t-2", chairs=2)) as host, sitting(host, "Ana") as ana:
            await ana.start()
            await ana.until(lambda p: p.view is not None)
            await ana.join("t-2")
            assert ana.view is None
            assert ("away", "here") == (host.tables["t-1"].chairs[0].line(0.0), ana.table.chairs[0].line)  # type: ignore[union-attr]
            assert 0 == (await ana.join("t-1")).seat
            assert ana.view is not None

    run(test())


# Losing the line


def test_after_a_cut_the_peer_is_back_on_its_seat_with_its_cards_and_the_others_have_noticed_nothing() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, proxied(host) as proxy, sitting(host, "Rui") as rui, visiting(proxy.address, "Ana") as ana:
            await ana.join("t-1")
            await rui.start()
            await ana.until(lambda p: p.view is not None)
            before = ana.view
            lines: list[str] = []

            async def watch() -> None:
                async for change in rui.changes():
                    if change.kind == "table" and rui.table is not None:
                        lines.append(rui.table.chairs[1].line)

            watching = asyncio.create_task(watch())
            await asyncio.sleep(0)
            proxy.cut()
            await ana.until(lambda p: p.line == "lost")
            await ana.until(lambda p: p.line == "live")
            await soon(lambda: len(lines) >= 2)  # the old line ended, the new one began
            watching.cancel()
            assert {"here"} == set(lines)
            assert before == ana.view
            assert 1 == ana.seat

    run(test())


@pytest.mark.slow
def test_cuts_all_through_a_match_change_nothing_in_how_it_ends() -> None:
    async def test(cuts: bool) -> Any:
        async with (
            hosting(TWO) as host, proxied(host) as proxy, sitting(host, "Rui") as rui,
            visiting(proxy.address, "Ana", rng=random.Random(1)) as ana,
        ):  # fmt: skip
            await ana.join("t-1")
            await rui.start()

            async def cutting() -> None:
                seen = 0
                async for change in rui.changes():
                    if change.kind == "view" and cuts:
                        seen += 1
                        if seen % 4 == 0:
                            proxy.cut()

            cutter = asyncio.create_task(cutting())
            await asyncio.gather(*[Bot(peer, Steady()).play() for peer in (ana, rui)])
            await ana.until(lambda p: p.view is not None and p.view["phase"] == "over")
            cutter.cancel()
            assert story(ana) == story(rui)
            assert not cuts or proxy.lines > 4
            return story(ana)

    smooth = run(test(False))
    assert smooth == run(test(True), 60)


def test_a_command_whose_answer_was_lost_is_said_again_with_the_same_id_and_done_once() -> None:
    async def test() -> None:
        async with hosting(ONE) as host, proxied(host) as proxy, visiting(proxy.address, "Ana") as ana:
            await ana.join("t-1")
            await ana.start()
            prompt, action = await first_move(ana)
            proxy.deafen()
            acting = asyncio.create_task(ana.act(prompt, action))
            table = host.tables["t-1"]
            await soon(lambda: table.match is not None and table.match.q == 2)
            proxy.cut()
            proxy.resume()
            answer = await acting
            assert (True, 2) == (answer.accepted, answer.q)
            assert 2 == table.match.q  # type: ignore[union-attr]
            assert ana.view is not None
            assert 2 == ana.view["q"]

    run(test())


def test_a_host_that_falls_silent_is_left_and_found_again() -> None:
    async def test() -> None:
        clock = VirtualClock()
        async with hosting(ONE) as host, proxied(host) as proxy, visiting(proxy.address, "Ana", clock=clock) as ana:
            await ana.join("t-1")
            proxy.silence()
            for _ in range(20):
                await clock.advance(0.5)
                await asyncio.sleep(0.005)
            await soon(lambda: ana.line == "lost")
            assert ana.reason in ("the host is silent", "the line was cut", "nobody answers")
            proxy.resume()
            async with asyncio.timeout(10):
                while ana.line != "live":
                    await clock.advance(0.5)
                    await asyncio.sleep(0.01)

    run(test())


def test_a_host_that_does_not_come_back_is_given_up_after_ten_minutes() -> None:
    async def test() -> None:
        clock = VirtualClock()
        async with hosting(ONE) as host:
            ana = Peer(host.address, KeyPair.make(), "Ana", words=False, clock=clock)
            await ana.connect()
            await ana.join("t-1")
            asking = asyncio.create_task(ana.until(lambda p: False))
        await soon(lambda: ana.line == "lost")
        async with asyncio.timeout(20):
            while ana.line != "gone":
                await clock.advance(8.0)
                await asyncio.sleep(0.01)
        assert "unreachable" == ana.gone_code
        with pytest.raises(ConnectionOver):
            await asking
        await ana.close()

    run(test())


def test_a_host_that_starts_again_from_its_store_is_gone_back_to_at_the_same_version() -> None:
    async def test() -> None:
        store, keys = MemoryStore(), KeyPair.make()
        async with hosting(TWO, store=store, keys=keys) as host:
            port, epoch = host.port, host.epoch
            ana, rui = Peer(host.address, KeyPair.make(), "Ana", words=False), Peer(host.address, KeyPair.make(), "Rui", words=False)
            for peer in (ana, rui):
                await peer.connect()
                await peer.join("t-1")
            await ana.start()
            for peer in (ana, rui):
                await peer.until(lambda p: p.view is not None)
            before = ana.view, rui.view, host.tables["t-1"].match.h  # type: ignore[union-attr]
        await soon(lambda: ana.line == rui.line == "lost")
        assert ("shutdown", "shutdown") == (ana.farewell, rui.farewell)
        async with hosting(TWO, store=store, keys=keys, port=port) as again:
            assert epoch != again.epoch
            for peer in (ana, rui):
                await peer.until(lambda p: p.line == "live" and p.welcome is not None and p.welcome.e == again.epoch)
            await soon(lambda: on_turn(ana, rui) is not None)
            assert ("", "") == (ana.farewell, rui.farewell)
            assert before == (ana.view, rui.view, again.tables["t-1"].match.h)  # type: ignore[union-attr]
            await played(ana, rui)
            await ana.close()
            await rui.close()

    run(test())


def test_a_command_that_the_last_host_had_accepted_is_not_done_again_by_the_next() -> None:
    async def test() -> None:
        store, keys = MemoryStore(), KeyPair.make()
        async with hosting(ONE, store=store, keys=keys) as host:
            port = host.port
            async with proxied(host) as proxy:
                ana = Peer(proxy.address, KeyPair.make(), "Ana", words=False)
                await ana.connect()
                await ana.join("t-1")
                await ana.start()
                prompt, action = await first_move(ana)
                proxy.deafen()
                acting = asyncio.create_task(ana.act(prompt, action))
                await soon(lambda: len(store.tables["t-1"].entries) == 2)
                await host.stop()
                async with hosting(ONE, store=store, keys=keys, port=port) as again:
                    proxy.cut()
                    proxy.resume()
                    answer = await acting
                    assert (True, 2) == (answer.accepted, answer.q)
                    assert 2 == again.tables["t-1"].match.q  # type: ignore[union-attr]
                    await ana.close()

    run(test())


def test_the_house_s_players_play_on_after_the_host_has_started_again() -> None:
    async def test() -> None:
        store, keys = MemoryStore(), KeyPair.make()
        spec = TableSpec("high-card", chairs=3, bots=("random", "rule"))
        ana_keys = KeyPair.make()
        async with hosting(spec, store=store, keys=keys) as host, sitting(host, "Ana", ana_keys) as ana:
            await ana.start()
            await ana.until(lambda p: p.view is not None)
        async with hosting(spec, store=store, keys=keys) as again, sitting(again, "Ana", ana_keys) as ana:
            await played(ana)
            assert ana.view is not None
            assert "over" == ana.view["phase"]

    run(test())


def test_a_table_that_is_not_there_any_more_ends_the_connection_with_its_code() -> None:
    async def test() -> None:
        keys = KeyPair.make()
        async with hosting(ONE, keys=keys) as host:
            ana = Peer(host.address, KeyPair.make(), "Ana", words=False)
            await ana.connect()
            await ana.join("t-1")
            port = host.port
        async with hosting(TableSpec("high-card", "t-9"), keys=keys, port=port):
            await soon(lambda: ana.line == "gone")
            assert "no_table" == ana.gone_code
            await ana.close()

    run(test())


def test_a_lost_last_message_is_noticed_by_the_heartbeat_and_healed() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui:
            await ana.start()
            await soon(lambda: on_turn(ana, rui))
            mine = on_turn(ana, rui)
            assert mine is not None
            other = rui if mine is ana else ana
            session = host.sessions.by_key[other.keys.public]
            host.tables["t-1"].audience.discard(session)  # the host forgets to send the next version to it
            prompt, action = await first_move(mine)
            answer = await mine.act(prompt, action)
            host.tables["t-1"].audience.add(session)
            await other.until(lambda p: p.view is not None and p.view["q"] == answer.q)

    run(test())


# A host that cannot be trusted


@asynccontextmanager
async def impostor(*frames: bytes, welcome: bool = True) -> AsyncIterator[Address]:
    """Run a host that welcomes, then says these frames to whatever it is asked."""
    keys, context = KeyPair.make(), zmq.asyncio.Context()
    router = sockets.table_socket(context, keys)
    port = sockets.bind(router, "127.0.0.1", 0)

    async def talk() -> None:
        while True:
            route, _ = await router.recv_multipart()
            if welcome:
                info = protocol.HostInfo("x", "x", "x")
                await router.send_multipart([route, encode(protocol.Welcome(1, bytes(8), info, 1, {}, protocol.You("x")))])
            for frame in frames:
                await router.send_multipart([route, frame])

    talking = asyncio.create_task(talk())
    try:
        yield Address("127.0.0.1", port, keys.public)
    finally:
        talking.cancel()
        await asyncio.gather(talking, return_exceptions=True)
        context.destroy(linger=0)


DEEP: Any = 1
for _ in range(60):
    DEEP = [DEEP]
ILL = {
    "garbage": b"\xc1",
    "a peer's kind": encode(protocol.Ping(1)),
    "a million seats": msgpack.packb({"t": "tables", "tables": [0] * 5000, "games": []}),
    "a deep view": msgpack.packb(
        {"t": "state", "m": "t-1", "match": 1, "e": bytes(8), "q": 1, "h": bytes(8), "chain": bytes(32), "view": {"vars": {"a": DEEP}}}
    ),
    "a negative count": msgpack.packb({"t": "pong", "n": -1, "match": 0, "q": 0, "h": bytes(8), "mono": 0}),
    "words out of order": encode(protocol.Words("x", "en", bytes(16), 3, 4, b"x")),
    "words that are not their hash": encode(protocol.Words("x", "en", bytes(16), 0, 1, b"x")),
}


@pytest.mark.parametrize("frame", list(ILL.values())[:-1], ids=list(ILL)[:-1])
def test_a_host_that_talks_nonsense_is_left_for_good(frame: bytes) -> None:
    async def test() -> None:
        async with impostor(frame, frame, frame, frame) as address:
            ana = Peer(address, KeyPair.make(), "Ana")
            await ana.connect()
            await ana.until(lambda p: p.line == "gone")
            assert "bad_host" == ana.gone_code
            await ana.close()

    run(test())


def test_a_host_that_talks_nonsense_from_the_start_is_left_for_good() -> None:
    async def test() -> None:
        async with impostor(b"\xc1", welcome=False) as address:
            with pytest.raises(ConnectionOver, match="bad_host"):
                await Peer(address, KeyPair.make(), "Ana").connect()

    run(test())


def test_words_that_are_not_what_their_hash_says_are_refused() -> None:
    async def test() -> None:
        async with impostor(ILL["words that are not their hash"]) as address:
            ana = Peer(address, KeyPair.make(), "Ana")
            await ana.connect()
            with pytest.raises(BadFrame):
                await ana.fetch_words("en", "x")
            await ana.close()

    run(test())


def test_a_huge_frame_from_a_host_cuts_the_line() -> None:
    async def test() -> None:
        async with impostor(bytes(limits.HOST_CUT + 1)) as address:
            ana = Peer(address, KeyPair.make(), "Ana")
            await ana.connect()
            await soon(lambda: ana.line == "lost")
            await ana.close()

    run(test())


def test_a_host_that_tells_watchers_another_story_is_noticed_by_every_seat() -> None:
    async def test() -> None:
        async with hosting(ONE) as host, sitting(host, "Ana") as ana:
            heard: list[str] = []

            async def listen() -> None:
                async for change in ana.changes():
                    if change.kind == "witness":
                        heard.append(change.code)

            listening = asyncio.create_task(listen())
            emit = host._emit

            def lie(name: bytes, frame: bytes) -> None:
                raw = msgpack.unpackb(frame)
                if raw["t"] == "state":
                    frame = msgpack.packb(raw | {"h": b"another!"})
                emit(name, frame)

            host._emit = lie  # type: ignore[method-assign]
            await ana.start()
            async with asyncio.timeout(10):
                while not heard:
                    prompt, action = await first_move(ana)
                    await ana.act(prompt, action)
                    await asyncio.sleep(0.02)
            assert "feed" == heard[0]
            listening.cancel()

    run(test())


def test_an_honest_host_never_makes_a_witness() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui:
            heard: list[Change] = []

            async def listen() -> None:
                async for change in ana.changes():
                    heard.append(change)

            listening = asyncio.create_task(listen())
            await ana.start()
            await played(ana, rui)
            await asyncio.sleep(0.05)
            listening.cancel()
            assert [] == [change for change in heard if change.kind == "witness"]
            assert ana._picture._heard.keys() & ana._picture._told.keys()  # FEED did bear witness

    run(test())


# Computer players


def test_a_computer_player_finds_a_free_chair_and_plays_to_the_end() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, sitting(host, "Ana") as ana:
            playing = asyncio.create_task(
                play_as(host.address, KeyPair.make(), "random", name="Bot", seed=1, game=GAMES.__getitem__)
            )  # fmt: skip
            await ana.until(lambda p: p.table is not None and p.table.chairs[1].line == "bot")
            assert "random" == ana.table.chairs[1].bot  # type: ignore[union-attr]
            await ana.start()
            await played(ana)
            view = await playing
            assert "over" == view["phase"]

    run(test())


def test_a_computer_player_without_a_chair_says_so() -> None:
    async def test() -> None:
        async with hosting(TableSpec("high-card", chairs=1, bots=("random",))) as host:
            with pytest.raises(Refusal, match="has a free chair"):
                await play_as(host.address, KeyPair.make(), "random", game=GAMES.__getitem__)

    run(test())


def test_a_move_takes_as_long_as_the_pace_says() -> None:
    async def test() -> None:
        clock = VirtualClock()
        async with hosting(TWO) as host, sitting(host, "Ana") as ana, sitting(host, "Rui", clock=clock) as rui:
            await ana.start()
            slow = Bot(rui, bot(rui, GAMES["high-card"]).player, pace=3.0, rng=random.Random(1), clock=clock)
            quick = asyncio.create_task(bot(ana, GAMES["high-card"]).play())
            playing = asyncio.create_task(slow.play())
            table = host.tables["t-1"]
            await soon(lambda: table.match is not None and list(table.match.prompts) == [1])
            await asyncio.sleep(0.05)
            q = table.match.q  # type: ignore[union-attr]
            await clock.advance(2.9)
            await asyncio.sleep(0.05)
            assert q == table.match.q  # type: ignore[union-attr]
            await clock.advance(0.2)
            await soon(lambda: table.match is not None and table.match.q > q)
            for task in (quick, playing):
                task.cancel()
            await asyncio.gather(quick, playing, return_exceptions=True)

    run(test())


class Stubborn:
    """A player that insists on a card it does not have."""

    def choose(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        """Return the same wrong action again."""
        return {"type": "lay", "card": ["X9"]}


def test_a_computer_player_that_finds_no_legal_move_is_a_fault_not_a_loop() -> None:
    async def test() -> None:
        async with hosting(ONE) as host, sitting(host, "Ana") as ana:
            await ana.start()
            with pytest.raises(BotFault, match="Stubborn was refused 1001 times"):
                await Bot(ana, Stubborn()).play()

    run(test())


def test_a_computer_player_waits_while_the_table_is_paused() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui:
            await ana.start()
            await ana.pause(True)
            playing = asyncio.create_task(played(ana, rui))
            await soon(lambda: host.refused["paused"] > 0)
            await asyncio.sleep(0.1)
            assert host.refused["paused"] < 20
            await ana.pause(False)
            await playing

    run(test())


def test_a_fault_of_a_house_player_is_logged_and_it_is_asked_again(caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        clock = VirtualClock()
        async with hosting(TableSpec("high-card", chairs=2, bots=("random",)), clock=clock) as host:
            bots = host._bots
            real, count = bots._player, []

            def thinking(table: Any, level: str) -> Any:
                count.append(level)
                if len(count) == 1:
                    raise ZeroDivisionError("the plugin's factory")
                return real(table, level)

            bots._player = thinking
            async with sitting(host, "Ana") as ana:
                await ana.start()
                playing = asyncio.create_task(Bot(ana, Steady()).play())
                await soon(lambda: "the computer player random of high-card at table t-1 failed" in caplog.text)
                await clock.advance(1.0)
                await soon(lambda: len(count) >= 2)
                assert ana.line == "live"
                playing.cancel()

    run(test())
