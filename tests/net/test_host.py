"""A host on real sockets: who may connect and say what, and that nothing a peer sends gets further than its refusal."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Sequence
from typing import Any

import msgpack
import pytest
import zmq
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from zmq.utils import z85

from carteado.core.errors import Refused
from carteado.net import limits, protocol, sockets
from carteado.net.clock import VirtualClock
from carteado.net.codec import encode
from carteado.net.errors import HostUnreachable, Refusal, StoreFailure
from carteado.net.host import Host
from carteado.net.keys import KeyPair
from carteado.net.memory import MemoryStore
from carteado.net.peer import Peer
from carteado.net.settings import HostConfig, TableSpec
from carteado.net.store import Record

from .rooms import GAMES, TABLE, Raw, bot, first_move, hostile, hosting, new_id, on_turn, run, sitting, soon, visiting
from .test_codec import ABUSES

pytestmark = pytest.mark.slow


def state_of(host: Host) -> Any:
    """Return everything of the first table that no refused message may change."""
    table = host.tables["t-1"]
    chairs = [(chair.key, chair.name, chair.token, chair.ready) for chair in table.chairs]
    return chairs, table.stage, table.match and table.match.digest()


async def started(raw: Raw) -> protocol.State:
    """Start the match at a hostile peer's table and return the first state."""
    await raw.say(protocol.Start(new_id(), "t-1"))
    state: protocol.State = await raw.hear(protocol.State)
    await raw.hear(protocol.Ack)
    return state


# Sessions


def test_a_hello_is_welcomed_with_version_epoch_feed_and_limits() -> None:
    async def test() -> None:
        async with hosting() as host, hostile(host) as raw:
            welcome = await raw.hello()
            assert (1, host.epoch, host.feed_port) == (welcome.proto, welcome.e, welcome.feed)
            assert limits.told() == welcome.limits

    run(test())


@pytest.mark.parametrize("proto", [(2, 3), (9, 9)])
def test_a_peer_of_another_protocol_version_is_told_both_versions(proto: tuple[int, int]) -> None:
    async def test() -> None:
        async with hosting() as host, hostile(host) as raw:
            await raw.say(protocol.Hello(proto, "test", "Ana"))
            no = await raw.hear(protocol.No)
            assert ("hello", "proto") == (no.re, no.code)
            assert f"host speaks 1-1, you {proto[0]}-{proto[1]}" in no.text

    run(test())


def test_the_highest_common_version_is_spoken() -> None:
    async def test() -> None:
        async with hosting() as host, hostile(host) as raw:
            await raw.say(protocol.Hello((1, 7), "test", "Ana"))
            assert 1 == (await raw.hear(protocol.Welcome)).proto

    run(test())


def test_a_name_that_could_deceive_is_refused_by_the_host() -> None:
    async def test() -> None:
        async with hosting() as host, hostile(host) as raw:
            await raw.say(protocol.Hello((1, 1), "test", "\x1b[31mAna"))
            assert "name" == (await raw.hear(protocol.No)).code

    run(test())


def test_without_a_hello_nothing_is_answered_but_that() -> None:
    async def test() -> None:
        async with hosting() as host, hostile(host) as raw:
            before = state_of(host)
            for message in (protocol.AskTables(), protocol.Join("t-1"), protocol.Ping(1), protocol.Start(new_id(), "t-1")):
                await raw.say(message)
                no = await raw.hear()
                assert (protocol.kind_of(message), "hello_first") == (no.re, no.code)
            assert before == state_of(host)

    run(test())


def test_the_newest_hello_of_a_key_owns_the_seat_and_the_older_is_told() -> None:
    async def test() -> None:
        async with hosting() as host, sitting(host, "Ana") as ana, visiting(host, "Ana", ana.keys) as again:
            await ana.until(lambda p: p.line == "gone")
            assert "superseded" == ana.gone_code
            joined = await again.join("t-1")
            assert (0, None) == (joined.seat, joined.token)
            assert 1 == len(host.sessions)

    run(test())


def test_a_peer_that_copied_a_public_key_cannot_connect() -> None:
    async def test() -> None:
        async with hosting() as host, sitting(host, "Ana") as ana:
            thief = KeyPair(ana.keys.public, KeyPair.make().secret)
            async with hostile(host, thief) as raw:
                with pytest.raises(TimeoutError):
                    async with asyncio.timeout(0.5):
                        await raw.hello()
            assert ana.line == "live"

    run(test())


def test_a_banned_key_cannot_connect() -> None:
    async def test() -> None:
        async with hosting() as host:
            keys = KeyPair.make()
            host.bans.ban(keys.public, "test")
            with pytest.raises(HostUnreachable, match=r"^the host does not let this player connect, at 127\.0\.0\.1:\d+$"):
                await Peer(host.address, keys, "Ana").connect()
            assert host.refused["zap_refused"] >= 1

    run(test())


def test_an_error_in_judging_one_connection_does_not_stop_the_next() -> None:
    async def test() -> None:
        async with hosting() as host:
            judge, asked = host.door.admit, []

            def stumble(domain: str, address: str, key: bytes) -> str | None:
                asked.append(domain)
                if len(asked) == 1:
                    raise ZeroDivisionError
                return judge(domain, address, key)

            host.door.admit = stumble  # type: ignore[method-assign]
            with pytest.raises(HostUnreachable):
                await Peer(host.address, KeyPair.make(), "Ana").connect()
            async with visiting(host, "Rui") as rui:
                assert rui.line == "live"

    run(test())


@pytest.mark.parametrize(
    "request_",
    [
        [],
        [b"1.0"],
        [b"1.0", b"1", b"table", b"127.0.0.1", b"", b"NULL"],
        [b"1.0", b"1", b"table", b"127.0.0.1", b"", b"PLAIN", b"user", b"password"],
        [b"2.0", b"1", b"table", b"127.0.0.1", b"", b"CURVE", bytes(32)],
    ],
)
def test_only_curve_is_admitted(request_: list[bytes]) -> None:
    async def test() -> None:
        async with hosting() as host:
            reply = host._zap.answer(request_)
            assert (b"1.0", b"400", b"") == (reply[0], reply[2], reply[4])

    run(test())


def test_who_has_not_joined_a_table_cannot_hear_feed() -> None:
    async def test() -> None:
        async with hosting() as host, visiting(host, "Eva") as eva:
            assert "join a table first" == host.door.admit("feed", "127.0.0.1", eva.keys.public)
            await eva.join("t-1", "watch")
            assert host.door.admit("feed", "127.0.0.1", eva.keys.public) is None

    run(test())


# Frames


@pytest.mark.parametrize("frame", ABUSES.values(), ids=ABUSES)
def test_an_abused_frame_is_counted_and_changes_nothing(frame: bytes, cases: Cases) -> None:
    cases.check(frame)


class Cases:
    """One host, one honest and one hostile peer, for many hostile frames one after the other."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.loop.run_until_complete(self._open())

    async def _open(self) -> None:
        self.hosting = hosting(TableSpec("high-card", chairs=2))
        self.host = await self.hosting.__aenter__()
        self.sitting = sitting(self.host, "Ana")
        self.ana = await self.sitting.__aenter__()
        self.raw = Raw(self.host)
        await self.raw.hello()
        await self.raw.join()
        await self.ana.start()
        await self.raw.echo()

    def check(self, *frames: bytes) -> list[Any]:
        """Send one message of these frames. It must be refused with a code, nothing may change, and the host must live."""
        return self.loop.run_until_complete(self._check(frames))

    async def _check(self, frames: Sequence[bytes]) -> list[Any]:
        before, refused = state_of(self.host), sum(self.host.refused.values())
        await self.raw.send(*frames)
        heard = await self.raw.echo()
        assert before == state_of(self.host)
        assert refused + 1 == sum(self.host.refused.values())
        assert all(isinstance(message, protocol.No) or (isinstance(message, protocol.Ack) and message.no) for message in heard)
        assert self.host.failed is None
        assert self.ana.line == "live"
        return heard

    def close(self) -> None:
        """Close everything."""
        self.loop.run_until_complete(self._close())
        self.loop.close()

    async def _close(self) -> None:
        self.raw.close()
        await self.sitting.__aexit__(None, None, None)
        await self.hosting.__aexit__(None, None, None)
        await self.loop.shutdown_default_executor()


@pytest.fixture(scope="module")
def cases() -> Any:
    """Give the host for hostile frames."""
    cases = Cases()
    yield cases
    cases.close()


@pytest.mark.parametrize("count", [2, 3, 1000])
def test_a_message_of_several_frames_is_dropped_whatever_they_hold(count: int, cases: Cases) -> None:
    assert [] == cases.check(*[encode(protocol.Ping(1))] * count)


@pytest.mark.parametrize("size", [4097, 60_000])
def test_an_oversized_frame_is_dropped_undecoded(size: int, cases: Cases) -> None:
    before = cases.host.refused["oversized"]
    assert [] == cases.check(bytes(size))
    assert before + 1 == cases.host.refused["oversized"]


def test_a_guest_may_send_less_than_who_has_joined() -> None:
    async def test() -> None:
        async with hosting() as host, hostile(host) as raw:
            await raw.hello()
            await raw.say(protocol.Open(new_id(), "high-card", {f"o{i}": "x" * 60 for i in range(20)}))
            assert [] == await raw.echo()
            assert 1 == host.refused["oversized"]
            await raw.join()
            await raw.say(protocol.Open(new_id(), "high-card", {f"o{i}": "x" * 60 for i in range(20)}))
            assert "unknown_option" == (await raw.hear(protocol.Ack)).no.code

    run(test())


def test_a_connection_that_announces_a_huge_frame_is_cut_and_the_others_play_on() -> None:
    async def test() -> None:
        async with hosting() as host, sitting(host, "Ana") as ana, hostile(host) as raw:
            await raw.hello()
            await raw.send(bytes(limits.PEER_CUT + 1))
            await ana.say("still here")
            assert ana.line == "live"
            assert 0 == host.refused["oversized"]

    run(test())


def test_an_unknown_kind_is_answered_with_its_code(cases: Cases) -> None:
    (no,) = cases.check(msgpack.packb({"t": "admin", "do": "stop"}))
    assert "unknown" == no.code


def test_a_known_kind_with_wrong_fields_is_answered_with_its_code(cases: Cases) -> None:
    (no,) = cases.check(msgpack.packb({"t": "cmd", "seat": 1}))
    assert ("cmd", "malformed") == (no.re, no.code)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_damaged_command_is_refused_and_changes_nothing(data: st.DataObject, cases: Cases) -> None:
    good = protocol.Command(cases.raw.epoch, new_id(), "t-1", 1, 77, {"type": "lay", "card": ["R2"]})
    frame = bytearray(encode(good))
    frame[data.draw(st.integers(0, len(frame) - 1))] ^= data.draw(st.integers(1, 255))
    cases.check(bytes(frame))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    action=st.dictionaries(
        st.sampled_from(["type", "card", "n", "seat", "groups"]),
        st.none()
        | st.booleans()
        | st.integers(-3, 3)
        | st.sampled_from(["lay", "bid", "R2"])
        | st.lists(st.sampled_from(["R2", "B3", "", "?"])),
        min_size=1,
    ),
    prompt=st.integers(0, 3),
    match=st.integers(0, 2),
)
def test_an_action_out_of_place_is_refused_and_changes_nothing(action: dict[str, Any], prompt: int, match: int, cases: Cases) -> None:
    table = cases.host.tables["t-1"]
    assert table.match is not None
    asked = table.match.prompts.get(1)
    if asked is not None and asked.id == prompt and match == 1:
        action = {**action, "type": "win"}
    (ack,) = cases.check(encode(protocol.Command(cases.raw.epoch, new_id(), "t-1", match, prompt, action)))
    assert ack.no.code in {
        "stale", "not_asked", "stale_match", "unknown_action", "bad_field", "not_held", "not_offered", "wrong_count"
    }  # fmt: skip


def test_raw_tcp_and_other_protocols_do_not_disturb_the_host() -> None:
    async def test() -> None:
        async with hosting() as host:
            lines = [socket.create_connection(("127.0.0.1", host.port)) for _ in range(20)]
            for number, line in enumerate(lines):
                line.sendall(
                    [b"", b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00", b"\xff" + bytes(8) + b"\x7f\x01", os.urandom(64)][number % 5]
                )
            async with sitting(host, "Ana") as ana:
                assert ana.line == "live"
            for line in lines:
                line.close()

    run(test())


def test_a_peer_that_claims_the_next_automatic_routing_ids_does_not_kill_the_host() -> None:
    async def test() -> None:
        async with hosting() as host:
            context = zmq.asyncio.Context()
            claims = []
            for number in range(0x6B8B4567, 0x6B8B4567 + 8):
                claim = sockets.dealer_socket(context, KeyPair.make(), host.keys.public)
                claim.routing_id = b"\x00" + number.to_bytes(4, "big")
                sockets.connect(claim, host.address)
                await claim.send(encode(protocol.Hello((1, 1), "test", "Mallory")))
                claims.append(claim)
            async with sitting(host, "Ana") as ana, sitting(host, "Rui") as rui:
                assert ("live", "live") == (ana.line, rui.line)
            context.destroy(linger=0)

    run(test())


# Identity


def test_a_seat_is_the_key_s_whatever_a_peer_says() -> None:
    async def test() -> None:
        async with hosting(TableSpec("high-card", chairs=2)) as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui:
            await ana.start()
            await soon(lambda: on_turn(ana, rui))
            mine = on_turn(ana, rui)
            assert mine is not None
            other = rui if mine is ana else ana
            prompt, action = await first_move(mine)
            before = state_of(host)
            answer = await other.act(prompt, action)
            assert (False, "stale") == (answer.accepted, answer.code) or answer.code == "not_asked"
            answer = await other.act(prompt, {**action, "seat": mine.seat})
            assert not answer.accepted
            assert before == state_of(host)
            assert (await mine.act(prompt, action)).accepted

    run(test())


def test_a_watcher_cannot_play() -> None:
    async def test() -> None:
        async with hosting(TableSpec("high-card", chairs=1)) as host, sitting(host, "Ana") as ana, visiting(host, "Eva") as eva:
            await eva.join("t-1", "watch")
            await ana.start()
            prompt, action = await first_move(ana)
            await eva.until(lambda p: p.view is not None)
            assert "not_in_match" == (await eva.act(prompt, action)).code
            with pytest.raises(Refusal, match="do not sit"):
                await eva.say("play the king!")

    run(test())


def test_another_table_is_refused_alike_whether_it_exists_or_not() -> None:
    async def test() -> None:
        tables = (TABLE, TableSpec("high-card", "secret", chairs=2))
        async with hosting(*tables) as host, hostile(host) as raw:
            await raw.hello()
            await raw.join("t-1")
            codes = []
            for m in ("secret", "no-such"):
                await raw.say(protocol.Command(raw.epoch, new_id(), m, 1, 1, {"type": "lay"}))
                codes.append((await raw.hear(protocol.Ack)).no)
                await raw.say(protocol.Snap(m))
                codes.append((await raw.hear(protocol.No)).code)
            assert codes[:2] == codes[2:]

    run(test())


def test_a_token_brings_the_seat_to_another_key_and_the_old_one_is_told() -> None:
    async def test() -> None:
        async with hosting() as host, sitting(host, "Ana") as ana:
            assert ana.token is not None
            async with visiting(host, "Phone") as phone:
                with pytest.raises(Refusal, match="token"):
                    await phone.reclaim("t-1", 0, bytes(16))
                joined = await phone.reclaim("t-1", 0, ana.token)
                assert 0 == joined.seat
                assert joined.token not in (None, ana.token)
                await ana.until(lambda p: p.line == "gone")
                assert "moved" == ana.gone_code
                assert phone.table is not None
                assert "Ana" == phone.table.chairs[0].name

    run(test())


def test_a_reclaimed_seat_stays_with_the_new_key() -> None:
    async def test() -> None:
        async with hosting() as host, sitting(host, "Ana") as ana:
            assert ana.token is not None
            async with visiting(host, "Phone") as phone:
                await phone.reclaim("t-1", 0, ana.token)
            async with visiting(host, "Ana", ana.keys) as old, visiting(host, "Phone", phone.keys) as new:
                assert 1 == (await old.join("t-1")).seat
                assert 0 == (await new.join("t-1")).seat

    run(test())


# Commands


def test_the_same_id_gets_the_same_answer_and_is_carried_out_once() -> None:
    async def test() -> None:
        async with hosting(TableSpec("high-card", chairs=1)) as host, hostile(host) as raw:
            await raw.hello()
            await raw.join()
            state = await started(raw)
            hand = next(zone["cards"] for zone in state.view["zones"] if zone["name"] == "hand/0")
            card = next(card for card in hand if card != "R1")
            command = protocol.Command(raw.epoch, new_id(), "t-1", 1, state.view["prompts"][0]["id"], {"type": "lay", "card": [card]})
            answers = []
            for _ in range(3):
                await raw.say(command)
                answers.append(await raw.hear(protocol.Ack))
            assert [protocol.Ack(command.id, 2)] * 3 == answers
            other = msgpack.unpackb(encode(command)) | {"d": {"type": "win"}}
            await raw.send(msgpack.packb(other))
            assert answers[0] == await raw.hear(protocol.Ack)
            assert 2 == host.tables["t-1"].match.q  # type: ignore[union-attr]

    run(test())


def test_a_refused_command_is_refused_again_for_the_same_id() -> None:
    async def test() -> None:
        async with hosting(TableSpec("high-card", chairs=1)) as host, hostile(host) as raw:
            await raw.hello()
            await raw.join()
            early = protocol.Rematch(new_id(), "t-1")
            await raw.say(early)
            first = await raw.hear(protocol.Ack)
            assert "not_started" == first.no.code
            await started(raw)
            await raw.say(early)
            assert first == await raw.hear(protocol.Ack)

    run(test())


def test_a_command_for_another_run_of_the_host_is_refused_and_not_remembered() -> None:
    async def test() -> None:
        async with hosting(TableSpec("high-card", chairs=1)) as host, hostile(host) as raw:
            await raw.hello()
            await raw.join()
            state = await started(raw)
            id, prompt = new_id(), state.view["prompts"][0]["id"]
            await raw.say(protocol.Command(bytes(8), id, "t-1", 1, prompt, {"type": "lay", "card": ["R2"]}))
            assert "stale_epoch" == (await raw.hear(protocol.Ack)).no.code
            await raw.say(protocol.Command(raw.epoch, id, "t-1", 1, prompt, {"type": "win"}))
            assert "unknown_action" == (await raw.hear(protocol.Ack)).no.code

    run(test())


def test_opening_a_table_twice_with_one_id_opens_it_once_even_after_sitting_down() -> None:
    async def test() -> None:
        async with hosting() as host, hostile(host) as raw:
            await raw.hello()
            ask = protocol.Open(new_id(), "high-card", {"hands": 3}, 2)
            await raw.say(ask)
            opened = await raw.hear(protocol.Ack)
            await raw.join(opened.m)
            await raw.say(ask)
            assert opened == await raw.hear(protocol.Ack)
            assert 2 == len(host.tables)
            assert 3 == host.tables[opened.m].options["hands"]

    run(test())


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        ({"game": "no-such"}, "no_game"),
        ({"game": "high-card", "options": {"hands": 51}}, "bad_option"),
        ({"game": "high-card", "options": {"colour": 1}}, "unknown_option"),
        ({"game": "high-card", "chairs": 7}, "bad_players"),
    ],
)
def test_a_table_that_cannot_be_opened_is_refused_with_the_reason(ask: dict[str, Any], code: str) -> None:
    async def test() -> None:
        async with hosting() as host, visiting(host) as ana:
            with pytest.raises(Refusal) as refused:
                await ana.open(**ask)
            assert code == refused.value.code
            assert 1 == len(host.tables)

    run(test())


def test_a_host_has_room_for_so_many_tables() -> None:
    async def test() -> None:
        async with hosting() as host, visiting(host) as ana:
            table = host.tables["t-1"]
            host.tables.update({f"x-{number}": table for number in range(limits.TABLES)})
            with pytest.raises(Refusal, match="no room"):
                await ana.open("high-card")

    run(test())


def test_leaving_twice_with_one_id_leaves_once() -> None:
    async def test() -> None:
        async with hosting() as host, hostile(host) as raw:
            await raw.hello()
            await raw.join()
            ask = protocol.Leave(new_id(), "t-1")
            for _ in range(2):
                await raw.say(ask)
                assert protocol.Ack(ask.id) == await raw.hear(protocol.Ack)
            assert host.tables["t-1"].chairs[0].free

    run(test())


# Seeing


def test_the_list_of_tables_names_games_with_their_options() -> None:
    async def test() -> None:
        async with hosting() as host, visiting(host) as ana:
            listed = await ana.tables()
            assert [protocol.TableRow("t-1", "high-card", "lobby", 3, 3)] == listed.tables
            assert ["broken", "high-card", "mute"] == [row.name for row in listed.games]
            assert "hands" in [option["name"] for option in listed.games[1].options]

    run(test())


def test_somebody_who_comes_late_sees_the_whole_state_at_once() -> None:
    async def test() -> None:
        async with hosting(TableSpec("high-card", chairs=2, bots=("random",))) as host, sitting(host, "Ana") as ana:
            await ana.start()
            await ana.until(lambda p: p.view is not None)
            async with visiting(host, "Eva") as eva:
                await eva.join("t-1", "watch")
                assert eva.view is not None
                assert eva.view["you"] is None
                assert ["Eva"] == host.tables["t-1"].watchers()

    run(test())


def test_what_everybody_may_know_is_the_same_for_seats_and_watchers() -> None:
    async def test() -> None:
        async with (
            hosting(TableSpec("high-card", chairs=2)) as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui,
            visiting(host, "Eva") as eva,
        ):  # fmt: skip
            await eva.join("t-1", "watch")
            await ana.start()
            players = [asyncio.create_task(bot(peer, GAMES["high-card"]).play()) for peer in (ana, rui)]
            await asyncio.gather(*players)
            await eva.until(lambda p: p.view is not None and p.view["phase"] == "over")
            for peer in (rui, eva):
                for part in ("q", "phase", "seats", "vars", "end"):
                    assert ana.view[part] == peer.view[part]  # type: ignore[index]

    run(test())


def test_words_come_in_parts_and_are_not_sent_again_when_known() -> None:
    async def test() -> None:
        async with hosting() as host, hostile(host) as raw:
            await raw.hello()
            await raw.say(protocol.AskWords("high-card", "en"))
            parts = [await raw.hear(protocol.Words)]
            while len(parts) < parts[0].parts:
                parts.append(await raw.hear(protocol.Words))
            assert len(parts) > 1
            assert list(range(len(parts))) == [part.part for part in parts]
            assert max(map(len, raw.frames)) <= 64 * 1024
            await raw.say(protocol.AskWords("high-card", "en", parts[0].hash))
            assert protocol.Words("high-card", "en", parts[0].hash) == await raw.hear(protocol.Words)

    run(test())


def test_words_of_a_game_that_is_not_there_are_refused() -> None:
    async def test() -> None:
        async with hosting() as host, visiting(host) as ana:
            with pytest.raises(Refusal, match="does not have this game"):
                await ana.fetch_words("en", "no-such")

    run(test())


def test_what_somebody_says_reaches_everybody_at_the_table_as_one_clean_line() -> None:
    async def test() -> None:
        async with hosting() as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui:
            heard = []

            async def listen() -> None:
                async for change in rui.changes():
                    if change.kind == "say":
                        heard.append(change.said)
                        return

            listening = asyncio.create_task(listen())
            await asyncio.sleep(0)
            await ana.say("good\x1b[2J\nluck\u202e")
            await listening
            assert [protocol.Said("t-1", "Ana", "good[2J luck", 0)] == heard

    run(test())


def test_a_silent_player_is_shown_lagging_then_away_and_keeps_the_seat() -> None:
    async def test() -> None:
        clock = VirtualClock()
        async with hosting(clock=clock) as host, sitting(host, "Ana") as ana, hostile(host) as raw:
            await raw.hello("Rui")
            await raw.join()
            seen = []
            for _ in range(17):
                await clock.advance(1.0)
                await ana.say("here")
                await asyncio.sleep(0.01)
                assert ana.table is not None
                seen.append(ana.table.chairs[1].line)
            assert ["here", "lagging", "away"] == list(dict.fromkeys(seen))
            assert 15_000 <= ana.table.chairs[1].quiet_ms <= 16_000  # type: ignore[union-attr]
            for _ in range(50):
                await clock.advance(1.0)
                await ana.say("here")
            await soon(lambda: raw.keys.public not in host.sessions.by_key)
            await raw.hello("Rui")
            assert 1 == (await raw.join()).seat

    run(test())


def test_a_peer_that_hangs_up_is_away_at_once() -> None:
    async def test() -> None:
        async with hosting() as host, sitting(host, "Ana") as ana:
            async with sitting(host, "Rui"):
                pass
            await ana.until(lambda p: p.table is not None and p.table.chairs[1].line == "away")

    run(test())


def test_a_peer_that_does_not_read_is_not_waited_for_and_gets_the_whole_view_when_it_does() -> None:
    async def test() -> None:
        async with hosting() as host, sitting(host, "Ana") as ana, hostile(host) as raw:
            await raw.hello()
            await raw.join()
            session = host.sessions.by_key[raw.keys.public]
            big = encode(protocol.Words("high-card", "en", bytes(16), 0, 1, bytes(limits.WORDS_PART)))
            for _ in range(5000):
                host._send(session, big)
                if not session.streaming:
                    break
            assert not session.streaming
            assert host.refused["eagain"] >= 1
            await ana.start()
            await ana.until(lambda p: p.view is not None)
            await raw.say(protocol.Ping(1))
            assert 1 == (await raw.hear(protocol.State, seconds=50)).q
            assert session.streaming
            assert host.failed is None

    run(test(), 60)


# Games and stores that fail


def test_a_game_that_fails_refuses_the_action_and_the_table_lives() -> None:
    async def test() -> None:
        for seed in range(40):
            async with hosting(TableSpec("broken", chairs=1), seed=str(seed).encode()) as host, sitting(host, "Ana") as ana:
                await ana.start()
                prompt, action = await first_move(ana)
                assert ana.view is not None
                hand = next(zone["cards"] for zone in ana.view["zones"] if zone["name"] == "hand/0")
                if "R10" not in hand:
                    continue
                before = state_of(host)
                assert "fault" == (await ana.act(prompt, {"type": "lay", "card": ["R10"]})).code
                assert before == state_of(host)
                assert (await ana.act(prompt, action)).accepted
                return
        raise AssertionError("no hand had the red ten")

    run(test())


def test_a_game_that_cannot_be_shown_stops_its_table_and_no_other() -> None:
    async def test() -> None:
        tables = (TableSpec("mute", chairs=1), TableSpec("high-card", "t-2", chairs=1))
        async with hosting(*tables) as host, sitting(host, "Ana") as ana, sitting(host, "Rui", m="t-2") as rui:
            await ana.start()
            await ana.until(lambda p: p.table is not None and p.table.stage == "broken")
            assert "cannot be shown" in ana.table.why  # type: ignore[union-attr]
            await rui.start()
            prompt, action = await first_move(rui)
            assert (await rui.act(prompt, action)).accepted

    run(test())


class SlowStore(MemoryStore):
    """A store that cannot save while it is told so."""

    commit_at_once = None
    full = False

    async def commit(self, batch: Sequence[Record]) -> None:
        if self.full:
            raise StoreFailure("the disk is full")
        await super().commit(batch)


def test_nothing_is_shown_or_answered_before_it_is_kept() -> None:
    async def test() -> None:
        store, clock = SlowStore(), VirtualClock()
        async with hosting(TableSpec("high-card", chairs=1), store=store, clock=clock) as host, hostile(host) as raw:
            await raw.hello()
            await raw.join()
            await raw.echo()
            store.full = True
            await raw.say(protocol.Start(new_id(), "t-1"))
            await soon(lambda: host.refused["store"] == 1)
            assert [] == await raw.pong()
            store.full = False
            await clock.advance(5.0)
            assert 1 == (await raw.hear(protocol.State)).q
            assert (await raw.hear(protocol.Ack)).no is None

    run(test())


def test_everything_of_one_tick_is_kept_in_one_go() -> None:
    async def test() -> None:
        store = MemoryStore()
        async with hosting(TableSpec("high-card", chairs=1), store=store) as host, sitting(host, "Ana") as ana:
            before = store.commits
            await ana.start()
            assert before + 1 == store.commits
            assert host.tables["t-1"].match.journal.entries == store.tables["t-1"].entries  # type: ignore[union-attr]

    run(test())


# Starting and stopping


def test_feed_takes_another_port_when_the_next_one_is_taken() -> None:
    async def test() -> None:
        with socket.socket() as first, socket.socket() as second:
            for _ in range(100):
                first.bind(("127.0.0.1", 0))
                port = first.getsockname()[1]
                try:
                    second.bind(("127.0.0.1", port + 1))
                    break
                except OSError:
                    first.close()
                    first = socket.socket()
            first.close()
            second.listen()
            async with hosting(port=port) as host:
                assert host.feed_port not in (port, port + 1)
                async with sitting(host, "Ana") as ana:
                    assert ana.welcome is not None
                    assert host.feed_port == ana.welcome.feed

    run(test())


@pytest.mark.parametrize(
    "spec",
    [
        TableSpec("no-such"),
        TableSpec("high-card", chairs=9),
        TableSpec("high-card", options={"hands": 0}),
        TableSpec("high-card", policy="mine"),
        TableSpec("high-card", house=("no-such",)),
    ],
)
def test_a_configured_table_that_cannot_be_opened_stops_the_start(spec: TableSpec) -> None:
    async def test() -> None:
        with pytest.raises(Refused):
            async with hosting(spec):
                pass

    run(test())


def test_the_address_with_the_key_is_written_for_clients_on_this_machine(tmp_path: Any) -> None:
    async def test() -> None:
        from carteado.net.host import serve

        path = tmp_path / "address"
        host = await serve(HostConfig(port=0, keys=KeyPair.make(), tables=(TABLE,), address_file=path), games=GAMES)
        async with visiting(host.address) as ana:
            assert f"{ana.address}\n" == path.read_text()
        assert 0o600 == path.stat().st_mode & 0o777
        await host.stop()
        assert not path.exists()

    run(test())


def test_a_host_that_ends_leaves_the_address_of_another_one_alone(tmp_path: Any) -> None:
    async def test() -> None:
        from carteado.net.host import serve

        path = tmp_path / "address"
        host = await serve(HostConfig(port=0, keys=KeyPair.make(), tables=(TABLE,), address_file=path), games=GAMES)
        path.write_text("tcp://192.0.2.1:7777#key\n")
        await host.stop()
        assert path.exists()

    run(test())


def test_a_host_that_closes_tells_its_peers_to_come_back() -> None:
    async def test() -> None:
        async with hosting() as host, hostile(host) as raw:
            await raw.hello()
            heard = asyncio.create_task(raw.hear(protocol.Gone))
            await host.stop()
            assert protocol.Gone("shutdown", True) == await heard

    run(test())


def test_the_user_id_of_a_message_is_the_peer_s_public_key() -> None:
    async def test() -> None:
        async with hosting() as host, hostile(host) as raw:
            await raw.hello()
            assert z85.encode(raw.keys.public).decode() == z85.encode(next(iter(host.sessions)).key).decode()

    run(test())


def test_a_table_that_everybody_has_left_is_closed_after_a_minute_and_one_of_the_house_is_not() -> None:
    async def test() -> None:
        clock = VirtualClock()
        async with hosting(clock=clock) as host, visiting(host, "Ana", clock=clock) as ana:
            m = await ana.open("high-card", chairs=2)
            await ana.join(m)
            await ana.fill("random")
            await ana.start()
            await ana.close()
            await clock.advance(100.0)
            assert m in host.tables  # she is away now, but it is her chair
            async with visiting(host, "Ana", ana.keys) as again:
                await again.join(m)
                await again.leave()
            await clock.advance(50.0)
            assert m in host.tables
            await clock.advance(20.0)
            await soon(lambda: m not in host.tables)
            assert "t-1" in host.tables
            async with asyncio.timeout(10):
                while len(host._bots):  # its computer players go home
                    await clock.advance(1.0)
                    await asyncio.sleep(0.01)

    run(test())


def test_an_error_in_what_the_host_does_by_itself_is_logged_and_the_host_lives(caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        async with hosting() as host, sitting(host, "Ana") as ana:

            def fail(turn: Any) -> None:
                raise ZeroDivisionError

            host._turns.post(fail)
            await ana.say("still here")
            assert 1 == host.refused["fault"]
            assert "has failed" in caplog.text

    run(test())


def test_an_error_in_carrying_out_a_message_stops_that_table_only(caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        async with hosting(TABLE, TableSpec("high-card", "t-2")) as host, sitting(host, "Ana") as ana, sitting(host, "Rui", m="t-2") as rui:

            def fail(*_: Any) -> None:
                raise ZeroDivisionError

            host.tables["t-1"].start = fail  # type: ignore[method-assign]
            async with hostile(host, ana.keys) as raw:
                await raw.hello("Ana")
                await raw.join("t-1")
                ask = protocol.Start(new_id(), "t-1")
                await raw.say(ask)
                assert protocol.Ack(ask.id, no=protocol.Why("fault")) == await raw.hear(protocol.Ack)
                assert "broken" == host.tables["t-1"].stage
            await rui.start()
            assert "playing" == host.tables["t-2"].stage

    run(test())


def test_a_question_that_the_host_fails_to_answer_is_refused(caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        async with hosting() as host, visiting(host, "Ana") as ana:

            def fail() -> list[Any]:
                raise ZeroDivisionError

            host._dispatcher.shelf.rows = fail  # type: ignore[method-assign]
            with pytest.raises(Refusal, match="failed on this"):
                await ana.tables()

    run(test())


def test_two_tables_of_one_id_cannot_be_configured() -> None:
    async def test() -> None:
        with pytest.raises(Refused, match="bad_option"):
            async with hosting(TABLE, TABLE):
                pass

    run(test())


def test_a_house_rule_that_is_not_installed_is_refused() -> None:
    async def test() -> None:
        async with hosting() as host, visiting(host) as ana:
            with pytest.raises(Refusal, match="house rules"):
                await ana.open("high-card", house=["no-such"])

    run(test())
