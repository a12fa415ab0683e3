"""Nothing hidden leaves the host: every byte that anybody gets is recorded and searched."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from typing import Any

import msgpack
import zmq.asyncio

from carteado.core.api import Deck
from carteado.core.loader import load
from carteado.net import sockets
from carteado.net.host import Host
from carteado.net.settings import TableSpec

from .highcard import HighCard
from .rooms import Raw, Steady, bot, hostile, hosting, run, sitting, soon, visiting


class Marked(HighCard):
    """High Card with faces that occur nowhere else in a frame, each only once in the pack."""

    name = "marked"
    deck = Deck([f"R~{number:03d}~" for number in range(20)], HighCard.deck.suits)

    def words(self, lang: str) -> dict[str, Any]:
        return {}


class Tap:
    """Record everything that a host sends, by whose connection it goes to."""

    def __init__(self, host: Host) -> None:
        self.seats: dict[int | None, list[bytes]] = {}
        self.feed: list[bytes] = []
        send, emit = host._send, host._emit

        def tapped_send(session: Any, frame: bytes) -> None:
            self.seats.setdefault(session.seat, []).append(frame)
            send(session, frame)

        def tapped_emit(name: bytes, frame: bytes) -> None:
            self.feed.append(name + frame)
            emit(name, frame)

        host._send, host._emit = tapped_send, tapped_emit  # type: ignore[method-assign]


def texts(value: Any) -> Iterator[str]:
    """Return every text in plain data, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from texts(key)
            yield from texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner)


def test_no_stream_ever_holds_a_face_that_its_viewer_may_not_know() -> None:
    async def test() -> None:
        game = Marked()
        spec = TableSpec("marked", chairs=3, options={"hands": 4})
        async with (
            hosting(spec, games={"marked": game}, seed=b"leak") as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui,
            sitting(host, "Eva") as eva, visiting(host, "Ivo") as ivo,
        ):  # fmt: skip
            tap = Tap(host)
            await ivo.join("t-1", "watch")
            seen_by: dict[int | None, set[str]] = {0: set(), 1: set(), 2: set(), None: set()}
            await ana.start()
            await asyncio.gather(*[bot(peer, game, seed=seed).play() for seed, peer in enumerate((ana, rui, eva))])
            await ivo.until(lambda p: p.view is not None and p.view["phase"] == "over")
            match = host.tables["t-1"].match
            assert match is not None
            # What each seat and everybody could know, hand by hand, from the journal alone.
            hands = known_faces(game, match.journal.entries)
            for viewer, faces in hands.items():
                seen_by[viewer] |= faces
            everything = set(game.deck.cards)
            assert everything - seen_by[None], "the test shows nothing if every card was laid"
            for viewer in (0, 1, 2, None):
                stream = b"".join(tap.seats[viewer])
                found = {face for face in everything if face.encode() in stream}
                assert found <= seen_by[viewer] | seen_by[None]
                assert found, "the stream of a viewer shows the cards that were laid"
            public = b"".join(tap.feed)
            assert {face for face in everything if face.encode() in public} <= seen_by[None]

    run(test())


def known_faces(game: Any, entries: list[dict[str, Any]]) -> dict[int | None, set[str]]:
    """Replay a journal and collect which faces lay face up, or in a seat's own hand."""
    from carteado.core.match import Match
    from carteado.core.replay import step

    match = Match(game, {"hands": 4}, [{"name": "Ana"}, {"name": "Rui"}, {"name": "Eva"}], "t-1")
    known: dict[int | None, set[str]] = {0: set(), 1: set(), 2: set(), None: set()}
    for entry in entries:
        step(match, entry)
        for zone in match.table.zones():
            if zone.name == "row":
                known[None] |= set(zone.cards)
            elif zone.owner is not None:
                known[zone.owner] |= set(zone.cards)
    return known


def test_seeds_tokens_and_the_journal_s_own_chain_never_leave_the_host() -> None:
    async def test() -> None:
        async with hosting(TableSpec("high-card", chairs=2)) as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui:
            tap = Tap(host)
            await ana.start()
            await asyncio.gather(*[bot(peer, HighCard(), seed=seed).play() for seed, peer in enumerate((ana, rui))])
            match = host.tables["t-1"].match
            assert match is not None
            sent = b"".join(tap.feed + [frame for frames in tap.seats.values() for frame in frames])
            for entry in match.journal.entries:
                for secret in filter(None, (entry.get("seed"), entry["h"])):
                    assert secret.encode() not in sent
                    assert bytes.fromhex(secret) not in sent
            for peer, other in ((ana, rui), (rui, ana)):
                assert peer.token is not None
                assert peer.token not in b"".join(tap.feed + tap.seats[other.seat])
                assert host.tables["t-1"].chairs[0].token not in (None, *tap.feed)
            assert host.keys.secret not in sent

    run(test())


def test_a_subscriber_to_everything_on_feed_gets_what_a_watcher_sees_and_no_more() -> None:
    async def test() -> None:
        async with hosting(TableSpec("high-card", chairs=2)) as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui:
            async with hostile(host) as raw:
                await raw.hello()
                await raw.join("t-1", "watch")
                frames = await subscribed(host, raw, ana, rui)
            states = [msgpack.unpackb(frame) for _, frame in frames if msgpack.unpackb(frame)["t"] == "state"]
            assert states
            for state in states:
                assert state["view"]["you"] is None
                assert [] == state["view"]["prompts"]
                assert not [zone for zone in state["view"]["zones"] if zone["kind"] == "fan" and zone["cards"]]
                assert "mine" not in set(texts(state["events"]))
            assert {b"t-1/live", b"hb"} >= {name for name, _ in frames}

    run(test())


async def subscribed(host: Host, raw: Raw, *players: Any) -> list[tuple[bytes, bytes]]:
    """Let players finish a match, and return all that a subscription to "", seat topics and binary topics gets meanwhile."""
    context = zmq.asyncio.Context()
    sub = sockets.sub_socket(context, raw.keys, host.keys.public)
    for prefix in (b"", b"seat/0", b"t-1/seat/0", b"\x00", b"\xff"):
        sub.subscribe(prefix)
    sockets.connect(sub, host.address.at_port(host.feed_port))
    frames: list[tuple[bytes, bytes]] = []

    async def listen() -> None:
        while True:
            name, frame = await sub.recv_multipart()
            frames.append((name, frame))

    listening = asyncio.create_task(listen())
    try:
        async with asyncio.timeout(10):
            while not frames:  # the heartbeat says that the subscription stands
                await asyncio.sleep(0.01)
        await players[0].start()
        await asyncio.gather(*[bot(peer, HighCard(), seed=seed).play() for seed, peer in enumerate(players)])
        await asyncio.sleep(0.05)
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        context.destroy(linger=0)
    return frames


def unstamped(raw: dict[str, Any]) -> bytes:
    """Return a state's bytes without what is random in it: the epoch."""
    return bytes(msgpack.packb({key: value for key, value in raw.items() if key != "e"}))


def test_another_seat_s_hidden_cards_change_no_byte_of_anybody_else_s_stream() -> None:
    """Deal two hands that differ only in what seat 1 holds; play the same open cards; the others' streams are equal, lengths too."""

    async def streams(swap: bool) -> dict[int | None, list[bytes]]:
        game = Rigged(swap)
        async with (
            hosting(TableSpec("rigged", chairs=2, options={"hands": 1}), games={"rigged": game}) as host,
            sitting(host, "Ana") as ana, sitting(host, "Rui") as rui,
        ):  # fmt: skip
            tap = Tap(host)
            await ana.start()
            for peer in (ana, rui):
                await peer.until(lambda p: p.view is not None)
            playing = [asyncio.create_task(play_one(peer)) for peer in (ana, rui)]
            await asyncio.gather(*playing)

            def shown() -> dict[int | None, list[dict[str, Any]]]:
                wanted = {0: tap.seats[0], 1: tap.seats[1], None: [frame.partition(b"/live")[2] for frame in tap.feed]}
                told = {viewer: [msgpack.unpackb(frame) for frame in frames if frame] for viewer, frames in wanted.items()}
                return {viewer: [state for state in states if state["t"] == "state"] for viewer, states in told.items()}

            last = host.tables["t-1"].match
            assert last is not None
            await soon(lambda: all(states and states[-1]["q"] == last.q for states in shown().values()))
            return {viewer: [unstamped(state) for state in states] for viewer, states in shown().items()}

    async def play_one(peer: Any) -> None:
        """Lay the one card that both deals have in common."""
        await peer.until(lambda p: bool(p.view["prompts"]))
        prompt = peer.view["prompts"][0]
        card = "B1" if peer.seat == 1 else Steady().choose(peer.view, random.Random(0))["card"][0]
        assert (await peer.act(prompt["id"], {"type": "lay", "card": [card]})).accepted

    one, other = run(streams(False)), run(streams(True))
    assert one[1] != other[1]
    assert one[0] == other[0]
    assert one[None] == other[None]
    assert len(one[0]) >= 3


class Rigged(HighCard):
    """High Card in which seat 1 holds B1 and one of two pairs of cards."""

    name = "rigged"

    def __init__(self, swap: bool) -> None:
        self.hands = (["R2", "R3", "R4"], ["B1", "B4", "B5"] if swap else ["B1", "B2", "B3"])


def test_dez_degraus_never_shows_the_stock_or_another_hand() -> None:
    async def test() -> None:
        game = load("dez-degraus")
        async with (
            hosting(TableSpec("dez-degraus", chairs=3), games={"dez-degraus": game}) as host, sitting(host, "Ana") as ana,
            sitting(host, "Rui") as rui, sitting(host, "Eva") as eva,
        ):  # fmt: skip
            tap = Tap(host)
            await ana.start()
            tasks = [asyncio.create_task(bot(peer, game, "rule", seed).play()) for seed, peer in enumerate((ana, rui, eva))]
            await ana.until(lambda p: p.view is not None and p.view["hand"]["number"] == 2)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            streams = {**tap.seats, None: [frame.partition(b"/live")[2] for frame in tap.feed if b"/live" in frame]}
            checked = 0
            for viewer, frames in streams.items():
                for frame in frames:
                    raw = msgpack.unpackb(frame)
                    if raw["t"] != "state":
                        continue
                    checked += 1
                    assert viewer == raw["view"]["you"]
                    for zone in raw["view"]["zones"]:
                        if zone["kind"] == "fan" and zone["owner"] != viewer:
                            assert zone["cards"] is None
                    if viewer is None:
                        assert "mine" not in set(texts(raw["events"]))
            assert checked > 50

    run(test(), 60)
