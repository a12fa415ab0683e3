"""Private tables: in nobody's list but their people's, on no channel that strangers hear, and joined by who says the id."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import msgpack
import pytest

from carteado.net import limits, protocol, sockets
from carteado.net.bell import ring
from carteado.net.buckets import Buckets
from carteado.net.codec import encode
from carteado.net.errors import Refusal
from carteado.net.host import Host
from carteado.net.keys import KeyPair
from carteado.net.logs import JsonLines, TextLines, escaped
from carteado.net.memory import MemoryStore
from carteado.net.metrics import exposition
from carteado.net.peer import Change, Peer
from carteado.net.proofs import VERIFIED
from carteado.net.rates import DoorRules, Rates
from carteado.net.serving import found
from carteado.net.settings import TableSpec
from carteado.net.store import ChairRecord, StoredTable, TableRecord
from carteado.net.table_ids import SECRET, SHORT, is_private, new_id, read_id

from . import rooms
from .highcard import GAMES, HighCard
from .rooms import Raw, bot, hostile, hosting, run, sitting, soon, visiting


class Hush(HighCard):
    """A game that is played at private tables alone."""

    name, title = "hush", "Hush"


BOTH = {**GAMES, "hush": Hush()}
TWO = TableSpec("high-card", chairs=2)
NOWHERE = "p-00000-00000-00000"
"""The id of a private table that does not exist."""


async def opened(peer: Peer, chairs: int = 2, game: str = "high-card") -> str:
    """Open a private table and sit down there."""
    m = await peer.open(game, {"hands": 1}, chairs=chairs, private=True)
    await peer.join(m)
    return m


async def ids(peer: Peer) -> list[str]:
    """Return the tables in a peer's list."""
    return [row.m for row in (await peer.tables()).tables]


# The id


def test_the_id_of_a_private_table_is_75_random_bits_that_can_be_typed() -> None:
    made = {new_id(private=True) for _ in range(500)}
    assert 500 == len(made)
    digits = "[0-9abcdefghjkmnpqrstvwxyz]{5}"
    assert all(re.fullmatch(f"p-{digits}-{digits}-{digits}", id) and len(id) <= limits.TABLE for id in made)
    assert [False, True] == [is_private(new_id()), is_private(new_id(private=True))]


@pytest.mark.parametrize(
    ("typed", "id"),
    [
        ("p-7kq4m-2xp9d-4tv8h", "p-7kq4m-2xp9d-4tv8h"), (" P-7KQ4M-2XP9D-4TV8H ", "p-7kq4m-2xp9d-4tv8h"),
        ("p7kq4m2xp9d4tv8h", "p-7kq4m-2xp9d-4tv8h"), ("p 7kq4m 2xp9d 4tv8h", "p-7kq4m-2xp9d-4tv8h"),
        ("p-7kq4m-oxpid-4tvlh", "p-7kq4m-0xp1d-4tv1h"), ("T-1", "t-1"), ("p-7kq4m", "p-7kq4m"),
        ("p-7kq4m-2xp9d-4tv8u", "p-7kq4m-2xp9d-4tv8u"),
    ],
)  # fmt: skip
def test_a_private_id_is_read_however_it_was_typed_and_others_are_left_alone(typed: str, id: str) -> None:
    assert id == read_id(typed)


def test_a_log_names_a_private_table_without_giving_it_away() -> None:
    assert "table p-7kq4m... of t-3fa91c is stopped" == escaped("table p-7kq4m-2xp9d-4tv8h of t-3fa91c is stopped")


# Who finds it


def test_a_private_table_is_in_the_list_of_its_own_people_only() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, visiting(host, "Ana") as ana, visiting(host, "Rui") as rui, visiting(host, "Eva") as eva:
            m = await ana.open("high-card", chairs=2, private=True)
            assert [["t-1", m], ["t-1"], ["t-1"]] == [await ids(one) for one in (ana, rui, eva)]
            await rui.join(m)
            await eva.join(m, "watch")
            async with visiting(host, "Ivo") as ivo:
                assert [["t-1", m], ["t-1", m], ["t-1"]] == [await ids(one) for one in (rui, eva, ivo)]
            await rui.leave()
            await eva.leave()
            assert [["t-1"], ["t-1"]] == [await ids(one) for one in (rui, eva)]

    run(test())


def test_whoever_says_the_id_sits_down_or_watches_and_plays_to_the_end_and_again() -> None:
    async def test() -> None:
        store = MemoryStore()
        async with hosting(TWO, store=store) as host, visiting(host, "Ana") as ana, visiting(host, "Rui") as rui, visiting(host) as eva:
            m = await opened(ana)
            await rui.join(m)
            await eva.join(m, "watch")
            await ana.start()
            for _ in range(2):
                await asyncio.gather(*(bot(peer, HighCard()).play() for peer in (ana, rui)))
                await eva.until(lambda p: p.view is not None and p.view["phase"] == "over")
                assert m not in await ids_of_a_stranger(host)
                await ana.rematch()
                await asyncio.gather(*(one.until(lambda p: p.view is not None and p.view["phase"] != "over") for one in (ana, rui, eva)))
            assert 2 == len(store.played) == len([booking for booking in store.bookings.values() if booking.kind == "match"])
            await ana.leave()
            await rui.leave()
            assert ["t-1", m] == await ids(ana)
            await ana.join(m, "watch")
            await ana.close_table()
            assert ["t-1"] == await ids(ana)
            assert ["t-1"] == list(store.tables)

    run(test())


async def ids_of_a_stranger(host: Host) -> list[str]:
    """Return the tables that somebody who has just come in sees."""
    async with visiting(host, "Ivo") as ivo:
        return await ids(ivo)


def test_a_computer_player_from_elsewhere_finds_a_private_table_by_its_name() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, visiting(host, "Ana") as ana, visiting(host, "Bot") as computer:
            m = await opened(ana)
            assert (m, "high-card") == await found(computer, m.upper())
            assert ("t-1", "high-card") == await found(computer, None)
            with pytest.raises(Refusal, match="no such table"):
                await found(computer, NOWHERE)
            with pytest.raises(Refusal, match="there are t-1"):
                await found(computer, "t-2")

    run(test())


def test_private_tables_count_among_the_tables_that_one_player_may_open() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, visiting(host, "Ana") as ana:
            for number in range(limits.OWN_TABLES):
                await ana.open("high-card", private=number % 2 == 0)
            for private in (False, True):
                with pytest.raises(Refusal) as refused:
                    await ana.open("high-card", private=private)
                assert "too_many_own" == refused.value.code

    run(test())


# A stranger


class Ear:
    """A stranger with a seat elsewhere, who keeps every byte: TABLE, FEED with a subscription to everything, the doorbell."""

    def __init__(self, host: Host, raw: Raw) -> None:
        self.host, self.raw = host, raw
        self.feed: list[list[bytes]] = []
        self.cards: list[Any] = []

    @property
    def heard(self) -> bytes:
        """All bytes so far."""
        return b"\n".join([*self.raw.frames, *(part for frames in self.feed for part in frames), *map(repr_of, self.cards)])

    async def look(self) -> None:
        """Ask for all that anybody may ask for."""
        self.cards.append(await ring("127.0.0.1", self.host.port))
        await self.raw.echo()
        for message in (protocol.Join(NOWHERE), protocol.Join(NOWHERE, "watch"), protocol.Snap(NOWHERE), protocol.AskPast(NOWHERE, 1, 0)):
            await self.raw.say(message)
        await self.raw.echo()


def repr_of(card: Any) -> bytes:
    """Return a card as bytes, with all its fields."""
    return repr(card).encode()


@asynccontextmanager
async def listening(host: Host) -> AsyncIterator[Ear]:
    """Let a stranger watch the public table, which opens FEED, and hear all that comes there."""
    async with hostile(host) as raw:
        await raw.hello()
        await raw.join("t-1", "watch")
        ear = Ear(host, raw)
        sub = sockets.sub_socket(raw.context, raw.keys, host.keys.public)
        sub.subscribe(b"")
        sockets.connect(sub, host.address.at_port(host.feed_port))

        async def hear() -> None:
            while True:
                ear.feed.append(await sub.recv_multipart())

        task = asyncio.create_task(hear())
        await soon(lambda: ear.feed)
        try:
            yield ear
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            sub.close(linger=0)


@pytest.mark.slow
def test_a_stranger_hears_nothing_of_a_private_table_on_any_channel(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG")

    async def test() -> None:
        async with hosting(TWO, games=BOTH) as host, visiting(host, "Anabela") as ana, visiting(host, "Ruizinho") as rui:
            async with listening(host) as ear:
                m = await opened(ana, chairs=3, game="hush")
                await ear.look()
                await rui.join(m)
                await rui.say("hush, a secret")
                await ana.fill("random")
                await ana.start()
                heads = set()
                players = [asyncio.create_task(bot(peer, Hush()).play()) for peer in (ana, rui)]
                async for _ in ana.changes():
                    heads.add(host.tables[m].head[2])
                    if ana.view is not None and ana.view["phase"] == "over":
                        break
                await asyncio.gather(*players)
                await ear.look()
                await until_a_beat(ear)
                measured = exposition(host)
                await ana.close_table()
                await ear.look()
            await until_it_is_gone(rui)
            assert len(heads) > 3
            for secret in (m, m[:7], "Anabela", "Ruizinho", "a secret", *heads):
                assert (secret.encode() if isinstance(secret, str) else secret) not in ear.heard, secret
            assert {b"t-1/live", b"hb"} >= {name for name, _ in ear.feed}
            assert {("t-1",), ()} >= {tuple(msgpack.unpackb(frame)["m"]) for name, frame in ear.feed if name == b"hb"}
            assert {(("high-card",), 2)} == {(tuple(answer.card.games), answer.card.free) for answer in ear.cards}
            assert m[2:].encode() not in measured
            for lines in (TextLines(), JsonLines()):
                told = "\n".join(map(lines.format, caplog.records))
                assert m not in told
                assert SECRET.sub(SHORT, m) in told

    run(test())


async def until_a_beat(ear: Ear) -> None:
    """Wait for the next heartbeat on FEED."""
    beats = [name for name, _ in ear.feed].count(b"hb")
    await soon(lambda: [name for name, _ in ear.feed].count(b"hb") > beats)


async def until_it_is_gone(peer: Peer) -> None:
    """Wait until the host has shown a peer out."""
    await soon(lambda: peer.line == "gone")


@pytest.mark.slow
def test_what_a_private_table_tells_goes_to_its_people_alone() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, listening(host) as ear, visiting(host, "Ana") as ana, visiting(host, "Rui") as rui:
            await ear.look()
            await until_a_beat(ear)
            frames, feed = len(ear.raw.frames), len(ear.feed)
            m = await opened(ana)
            await rui.join(m)
            await ana.start()
            await asyncio.gather(*(bot(peer, HighCard()).play() for peer in (ana, rui)))
            await until_a_beat(ear)
            await ear.raw.pong()
            assert [protocol.Pong] == [type(one) for one in map(rooms.read_host, ear.raw.frames[frames:])]
            assert {b"hb"} == {name for name, _ in ear.feed[feed:]}

    run(test())


# Guessing


def refusals(host: Host) -> dict[str, int]:
    """Return what the host counts."""
    return {code: count for code, count in host.refused.items() if count}


@pytest.mark.parametrize("role", ["seat", "watch"])
def test_a_wrong_id_is_answered_as_a_table_that_never_was(role: str) -> None:
    async def test() -> None:
        async with hosting(TWO) as host, visiting(host, "Ana") as ana, hostile(host) as raw:
            m = await opened(ana)
            await raw.hello()
            near = m[:-1] + ("0" if m[-1] != "0" else "1")
            answers, counts = [], []
            for wanted in (near, NOWHERE, "t-nothing"):
                before = refusals(host)
                await raw.say(protocol.Join(wanted, role))
                answers.append(encode(await raw.hear(protocol.No)))
                counts.append({code: count - before.get(code, 0) for code, count in refusals(host).items() if count != before.get(code, 0)})
            assert 1 == len(set(answers))
            assert [{"no_table": 1}] * 3 == counts

    run(test())


def told_of(m: str) -> Iterator[protocol.PeerKind]:
    """Return all messages that name a table, but those that join it."""
    yield protocol.Leave(rooms.new_id(), m)
    yield protocol.Ready(rooms.new_id(), m)
    yield protocol.Fill(rooms.new_id(), m)
    yield protocol.Start(rooms.new_id(), m)
    yield protocol.Pause(rooms.new_id(), m)
    yield protocol.Rematch(rooms.new_id(), m)
    yield protocol.Close(rooms.new_id(), m)
    yield protocol.Say(rooms.new_id(), m, "hello")
    yield protocol.Anchor(m, 1, bytes(32))
    yield protocol.OpenLink(m, 1, 1, bytes(32))
    yield protocol.Snap(m)
    yield protocol.AskPast(m, 1, 0)


def test_no_message_but_a_join_tells_whether_a_private_table_is_there() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, visiting(host, "Ana") as ana, hostile(host) as raw:
            m = await opened(ana)
            await raw.hello()
            said = []
            for wanted in (m, NOWHERE):
                for message in told_of(wanted):
                    await raw.say(message)
                said.append([plain(answer) for answer in await raw.pong()] + [plain(answer) for answer in await raw.echo()])
            assert said[0] == said[1]
            assert {"not_in_match"} == {code for _, code in said[0]}

    run(test())


def plain(answer: Any) -> tuple[str, str]:
    """Return the kind and code of a refusal, without the id that it answers."""
    return protocol.kind_of(answer), answer.no.code if isinstance(answer, protocol.Ack) else answer.code


def limited(**rates: float) -> DoorRules:
    """Return a door where nothing but this is limited."""
    return DoorRules(rates=Rates.none().changed(rates))


def test_ids_are_guessed_ten_times_a_minute_and_then_the_right_one_is_no_answer_either() -> None:
    async def test() -> None:
        async with hosting(TWO, door=limited(unlisted=Rates().unlisted)) as host, sitting(host, "Ana") as ana, hostile(host) as raw:
            m = await opened(ana)
            await raw.hello()
            codes = []
            for number in range(12):
                await raw.say(protocol.Join(f"p-guess-{number:05d}-00000"))
                codes.append((await raw.hear(protocol.No)).code)
            assert ["no_table"] * 10 + ["too_fast"] * 2 == codes
            answers = []
            for wanted in (m, NOWHERE):
                await raw.say(protocol.Join(wanted))
                no = await raw.hear(protocol.No)
                answers.append((no.re, no.code, no.text, no.data["ms"] > 0))
            assert [("join", "too_fast", answers[0][2], True)] * 2 == answers
            await raw.join("t-1", "watch")

    run(test())


def test_many_addresses_together_guess_sixty_ids_a_minute() -> None:
    async def test() -> None:
        async with hosting(TWO, door=limited(unlisted=1000, unlisted_all=Rates().unlisted_all)) as host, hostile(host) as raw:
            await raw.hello()
            codes = []
            while "too_fast" not in codes and len(codes) < 200:
                await raw.say(protocol.Join(NOWHERE))
                codes.append((await raw.hear(protocol.No)).code)
            assert 60 <= len(codes) - 1 < 120  # and one more in each second that this takes

    run(test())


def test_who_has_a_place_at_a_private_table_comes_back_however_much_is_guessed() -> None:
    async def test() -> None:
        keys = KeyPair.make()
        async with hosting(TWO, door=limited(unlisted=1)) as host, visiting(host, "Ana", keys) as ana, hostile(host) as raw:
            m = await opened(ana)
            await raw.hello()
            await raw.say(protocol.Join(NOWHERE))
            await raw.hear(protocol.No)
            for _ in range(3):
                async with visiting(host, "Ana", keys) as again:
                    assert 0 == (await again.join(m)).seat

    run(test())


def test_a_watcher_who_comes_back_too_often_is_let_wait_and_not_sent_away() -> None:
    async def test() -> None:
        async with hosting(TWO, door=limited(unlisted=1)) as host, visiting(host, "Ana") as ana, visiting(host, "Eva") as eva:
            m = await opened(ana)
            await eva.join(m, "watch")
            host.sessions.close(host.sessions.by_key[eva.keys.public])  # as if the host had never heard of it
            eva.resync()
            await soon(lambda: host.refused["too_fast"] > 0)
            await eva.until(lambda p: p.line == "lost")
            host.door._buckets["unlisted"] = Buckets(Rates.none().table()["unlisted"])  # a minute later
            await eva.until(lambda p: p.line == "live")
            await soon(lambda: eva.keys.public in {session.key for session in host.tables[m].audience if session in set(host.sessions)})

    run(test())


# What stays


def test_at_a_private_table_without_feed_every_hand_is_proven_and_nothing_looks_wrong() -> None:
    async def test() -> None:
        async with (
            hosting(TWO, seed=None) as host, visiting(host, "Ana") as ana, visiting(host, "Rui") as rui, visiting(host, "Eva") as eva,
        ):  # fmt: skip
            m = await opened(ana)
            await rui.join(m)
            await eva.join(m, "watch")
            seen: list[Change] = []

            async def follow(peer: Peer) -> None:
                async for change in peer.changes():
                    seen.append(change)

            following = [asyncio.create_task(follow(peer)) for peer in (ana, rui, eva)]
            await ana.start()
            await asyncio.gather(*(bot(peer, HighCard()).play() for peer in (ana, rui)))
            await soon(lambda: all(peer.proof.state == VERIFIED for peer in (ana, rui, eva)))
            assert [] == [change for change in seen if change.kind == "witness"]
            for task in following:
                task.cancel()
            await asyncio.gather(*following, return_exceptions=True)

    run(test())


def test_a_last_message_that_was_lost_at_a_private_table_shows_in_the_pong() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, visiting(host, "Ana") as ana, visiting(host, "Rui") as rui:
            m = await opened(ana)
            await rui.join(m)
            lost: list[bytes] = []
            send = host._send

            def lossy(session: Any, frame: bytes) -> None:
                if session.name == "Rui" and b"\xa5state" in frame[:20] and not lost:
                    lost.append(frame)
                else:
                    send(session, frame)

            host._send = lossy  # type: ignore[method-assign]
            await ana.start()
            await soon(lambda: lost)
            await rui.until(lambda p: p.view is not None)

    run(test())


def test_a_private_table_whose_chairs_cannot_be_read_is_still_in_no_list() -> None:
    async def test() -> None:
        store = MemoryStore()
        empty: tuple[ChairRecord, ...] = ()
        damaged = TableRecord(NOWHERE, "high-card", "1", {}, (), "", None, 0, False, 0, empty)
        store.tables[NOWHERE] = StoredTable(damaged, fault="what was kept of its chairs is damaged")
        async with hosting(TWO, store=store) as host, visiting(host, "Ana") as ana:
            assert NOWHERE in host.tables
            assert ["t-1"] == await ids(ana)

    run(test())
