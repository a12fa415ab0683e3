"""Fair deals over the wire: everybody has a part in the seed, everybody can prove it, and who holds back is named."""

from __future__ import annotations

from typing import Any

from carteado.core.audit import PROVEN, audit
from carteado.core.fair import Chain, is_fair
from carteado.core.journal import Journal
from carteado.core.options import resolve
from carteado.core.replay import replay
from carteado.net import limits, protocol
from carteado.net.clock import VirtualClock
from carteado.net.host import Host
from carteado.net.keys import KeyPair
from carteado.net.memory import MemoryStore
from carteado.net.proofs import UNVERIFIED, VERIFIED
from carteado.net.settings import RandomSeeds, TableSpec
from carteado.net.tables import Table

from .highcard import GAMES
from .rooms import Raw, bot, first_move, hostile, hosting, run, sitting, soon, together, visiting
from .test_tables import Ledger, person, play

PAIR = TableSpec("high-card", chairs=2)


def entries(host: Host) -> list[dict[str, Any]]:
    """Return the journal of the first table."""
    match = host.tables["t-1"].match
    assert match is not None
    return match.journal.entries


def test_people_watchers_and_the_house_play_a_match_that_everybody_can_prove() -> None:
    async def test() -> None:
        spec = TableSpec("high-card", chairs=3, bots=("random",))
        async with (
            hosting(spec, seed=None) as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui, visiting(host, "Eva") as eva
        ):  # fmt: skip
            await eva.join("t-1", "watch")
            game = GAMES["high-card"]
            await ana.start()
            await together(bot(ana, game, seed=1).play(), bot(rui, game, seed=2).play())
            await soon(lambda: eva.proof.hand == 2)
            assert [(VERIFIED, "", 2)] * 3 == [(peer.proof.state, peer.proof.reason, peer.proof.hand) for peer in (ana, rui, eva)]
            hands = [entry["from"] for entry in entries(host) if entry["k"] == "hand"]
            assert [[], []] == [hand["missing"] for hand in hands]
            assert all(len(set(hand["links"])) == 3 for hand in hands)

    run(test())


def test_the_journal_of_such_a_match_replays_and_holds_every_anchor_and_link() -> None:
    async def test() -> None:
        async with hosting(PAIR, seed=None) as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui:
            await ana.start()
            await together(bot(ana, GAMES["high-card"], seed=1).play(), bot(rui, GAMES["high-card"], seed=2).play())
            match = host.tables["t-1"].match
            assert match is not None
            assert replay(Journal.load(match.journal.dump()), GAMES["high-card"]).public == match.public
            assert [PROVEN, PROVEN] == [finding.state for finding in audit(match.journal)]

    run(test())


def test_a_fixed_seed_stays_possible_and_is_marked_as_such() -> None:
    async def test() -> None:
        async with hosting(PAIR, seed=b"fixed") as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui:
            await ana.start()
            await first_move(ana if ana.view and ana.view["prompts"] else rui)
            await ana.until(lambda peer: peer.proof.reason == "fixed")
            assert (ana.proof.state, entries(host)[0]["from"]) == (UNVERIFIED, {"host": "fixed"})

    run(test())


def test_the_host_s_link_is_not_told_before_the_hand_is_over() -> None:
    async def test() -> None:
        async with hosting(PAIR, seed=None) as host, sitting(host, "Ana") as ana, hostile(host) as raw:
            await raw.hello("Rui")
            await raw.join()
            await ana.start()
            await first_move(ana) if ana.view and ana.view["prompts"] else await ana.until(lambda peer: peer.view is not None)
            await raw.echo()
            link = entries(host)[0]["from"]["host"]
            seed = entries(host)[0]["seed"]
            for secret in (link, seed):
                assert not any(secret.encode() in frame or bytes.fromhex(secret) in frame for frame in raw.frames)

    run(test())


async def with_chain(raw: Raw, ana: Any) -> Chain:
    """Let a hostile peer sit down with a chain of its own, and start the match."""
    await raw.hello("Rui")
    await raw.join()
    chain = Chain(bytes(32), "t-1/1")
    await raw.say(protocol.Anchor("t-1", 1, chain.anchor))
    await raw.echo()
    await ana.start()
    return chain


def test_who_opens_no_link_is_left_out_after_five_seconds_and_named() -> None:
    async def test() -> None:
        clock = VirtualClock()
        async with hosting(PAIR, seed=None, clock=clock) as host, sitting(host, "Ana", clock=clock) as ana, hostile(host) as raw:
            await with_chain(raw, ana)
            asked: protocol.Fair = await raw.hear(protocol.Fair)
            assert (asked.hand, asked.label, len(asked.anchors)) == (1, "t-1/1", 2)
            opened = host.tables["t-1"].dealing._round
            assert opened is not None
            await soon(lambda: 0 in opened.links)  # Ana's, whose clock is this one too
            await clock.advance(4.0)
            await raw.echo()
            assert [] == entries(host)
            await clock.advance(2.0)
            state: protocol.State = await raw.hear(protocol.State)
            links = next(event for event in state.events if event["k"] == "links")
            assert ([1], True, False) == (links["missing"], bool(links["links"][0]), bool(links["links"][1]))

    run(test())


def test_who_never_opens_a_link_is_waited_for_twice_and_then_no_more() -> None:
    seeds, clock = RandomSeeds(), VirtualClock()
    tick = Talking()
    at = Table("t-1", GAMES["high-card"], resolve(GAMES["high-card"], {"hands": 5}), 2, seeds, clock)
    ana, rui = person("Ana", at, tick), person("Rui", at, tick)
    for seat in (0, 1):
        at.dealing.promise(at.chairs, seat, 1, bytes([seat]) * 32)
        ana.fair = rui.fair = True
    waits = []
    at.start(ana, tick)
    for _ in range(4):
        began = tick.now
        while at.stage == "between":
            tick.now += 1.0
            at.due(tick)
        waits.append(tick.now - began)
        play(at, [ana, rui], tick, "between")
    assert [5.0, 6.0, 1.0, 1.0] == waits  # the table itself takes a second between two hands


def test_a_link_that_is_wrong_or_late_is_refused() -> None:
    async def test() -> None:
        async with hosting(PAIR, seed=None) as host, sitting(host, "Ana") as ana, hostile(host) as raw:
            chain = await with_chain(raw, ana)
            await raw.hear(protocol.Fair)
            first = chain.link(1)
            assert first is not None
            for hand, value in ((1, chain.link(2)), (2, chain.link(2)), (1, bytes(32))):
                assert value is not None
                await raw.say(protocol.OpenLink("t-1", 1, hand, value))
                refused: protocol.No = await raw.hear(protocol.No)
                assert refused.code == ("wrong_link" if hand == 1 else "late_link")
            await raw.say(protocol.OpenLink("t-1", 1, 1, first))
            await raw.hear(protocol.State)
            await raw.say(protocol.OpenLink("t-1", 1, 1, first))
            assert "late_link" == (await raw.hear(protocol.No)).code

    run(test())


def test_an_anchor_that_somebody_else_has_is_refused() -> None:
    async def test() -> None:
        async with hosting(PAIR, seed=None) as host, sitting(host, "Ana"), hostile(host) as raw:
            await raw.hello("Rui")
            await raw.join()
            theirs = host.tables["t-1"].chairs[0].anchor
            assert theirs is not None
            await raw.say(protocol.Anchor("t-1", 1, theirs[1]))
            assert "copied" == (await raw.hear(protocol.No)).code

    run(test())


def test_who_comes_back_without_its_chain_starts_a_new_one_that_is_named() -> None:
    async def test() -> None:
        async with hosting(PAIR, seed=None) as host, sitting(host, "Ana") as ana:
            keys = KeyPair.make()
            async with sitting(host, "Rui", keys) as rui:
                await ana.start()
                await together(ana.until(lambda peer: peer.view is not None), rui.until(lambda peer: peer.view is not None))
            async with sitting(host, "Rui", keys) as rui:
                await together(bot(ana, GAMES["high-card"], seed=1).play(), bot(rui, GAMES["high-card"], seed=2).play())
                second = next(entry["from"] for entry in entries(host) if entry["k"] == "hand" and entry["hand"] == 2)
                assert ([1], []) == (second["renewed"], second["missing"])
                assert [(VERIFIED, 2), (VERIFIED, 2)] == [(peer.proof.state, peer.proof.hand) for peer in (ana, rui)]

    run(test())


def test_a_host_that_was_restarted_goes_on_with_its_chain() -> None:
    async def test() -> None:
        store, keys = MemoryStore(), KeyPair.make()
        async with hosting(PAIR, seed=None, store=store, keys=keys) as host:
            port = host.port
            async with sitting(host, "Ana") as ana, sitting(host, "Rui") as rui:
                await ana.start()
                await together(ana.until(lambda peer: peer.view is not None), rui.until(lambda peer: peer.view is not None))
                await host.stop()
                async with hosting(PAIR, seed=None, store=store, keys=keys, port=port) as again:
                    await together(bot(ana, GAMES["high-card"], seed=1).play(), bot(rui, GAMES["high-card"], seed=2).play())
                    hands = [entry["from"] for entry in entries(again) if entry["k"] == "hand"]
                    assert ([], [], hands[0]["anchor"]) == (hands[1]["renewed"], hands[1]["missing"], hands[1]["anchor"])
                    assert [VERIFIED, VERIFIED] == [peer.proof.state for peer in (ana, rui)]

    run(test(), 60)


def test_the_link_of_a_hand_that_the_host_gives_up_is_opened() -> None:
    async def test() -> None:
        async with hosting(PAIR, seed=None) as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui:
            await ana.start()
            await together(ana.until(lambda peer: peer.view is not None), rui.until(lambda peer: peer.view is not None))
            host._turns.post(lambda turn: host.tables["t-1"].stop("the test says so", turn))
            await ana.until(lambda peer: peer.proof.reason == "aborted")
            assert (UNVERIFIED, 1) == (ana.proof.state, ana.proof.hand)

    run(test())


def test_the_link_of_a_hand_is_opened_when_its_table_is_closed() -> None:
    async def test() -> None:
        async with hosting(PAIR, seed=None) as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui:
            await ana.start()
            await together(ana.until(lambda peer: peer.view is not None), rui.until(lambda peer: peer.view is not None))
            host._turns.post(lambda turn: host._dispatcher.close(host.tables["t-1"], turn))
            await soon(lambda: ana.proof.reason == "aborted")
            assert (UNVERIFIED, 1) == (ana.proof.state, ana.proof.hand)

    run(test())


class Talking(Ledger):
    """A tick that also writes down what everybody is told."""

    def tell(self, table: Table, message: Any) -> None:
        self.told = [*getattr(self, "told", []), message]


def test_who_has_missed_versions_is_told_exactly_what_it_would_have_been_told() -> None:
    tick = Talking()
    at = Table("t-1", GAMES["high-card"], resolve(GAMES["high-card"], {}), 2, RandomSeeds(b"test"), VirtualClock())
    ana, rui = person("Ana", at, tick), person("Rui", at, tick)
    watcher = person("Eva")
    at.join(watcher, None, True, tick)
    at.start(ana, tick)
    play(at, [ana, rui], tick, "between")
    for session, viewer in ((ana, 0), (rui, 1), (watcher, None)):
        past = at.past_of(session, 1, 3)
        assert (past.q, past.events) == (4, [commit.events(viewer) for commit in tick.shown[3:]])
    assert at.past_of(watcher, 2, 0).events == []


def test_what_is_too_long_ago_is_not_told_in_part() -> None:
    tick = Talking()
    at = Table("t-1", GAMES["high-card"], resolve(GAMES["high-card"], {"hands": 9}), 2, RandomSeeds(b"test"), VirtualClock())
    ana, rui = person("Ana", at, tick), person("Rui", at, tick)
    at.start(ana, tick)
    play(at, [ana, rui], tick, "over")
    assert len(tick.shown) > limits.PAST
    assert at.past_of(ana, 1, 1).events == []
    assert len(at.past_of(ana, 1, len(tick.shown) - 2).events) == 2


def test_a_table_of_the_house_alone_waits_for_nobody() -> None:
    tick = Talking()
    at = Table("t-1", GAMES["high-card"], resolve(GAMES["high-card"], {}), 2, RandomSeeds(), VirtualClock())
    ana = person("Ana", at, tick)
    at.staff("random", None, tick)
    at.start(ana, tick)
    assert at.stage == "playing"
    assert at.match is not None
    source = at.match.journal.entries[0]["from"]
    assert is_fair(source)
    assert source["missing"] == [0]


def test_the_seats_of_the_house_have_chains_of_their_own() -> None:
    seeds = RandomSeeds(key=bytes(32))
    chains = [seeds.chain("t-1/1", bytes(16), party) for party in (-1, 0, 1)]
    assert len({chain.anchor for chain in chains if chain is not None}) == 3
    again = RandomSeeds(key=bytes(32)).chain("t-1/1", bytes(16), -1)
    assert chains[0] is not None
    assert again is not None
    assert again.anchor == chains[0].anchor


def test_a_hand_is_dealt_as_soon_as_the_last_link_is_there() -> None:
    async def test() -> None:
        clock = VirtualClock()  # stands still
        async with hosting(PAIR, seed=None, clock=clock) as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui:
            await ana.start()
            await together(ana.until(lambda peer: peer.view is not None), rui.until(lambda peer: peer.view is not None))
            assert [] == entries(host)[0]["from"]["missing"]

    run(test())
