"""A peer in the client's terms; the peer is a stand-in here, real ones are tested with the network."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from msgspec.structs import replace

from carteado.net.countdown import Missing
from carteado.net.errors import ConnectionOver, Refusal
from carteado.net.keys import Address
from carteado.net.peer import Answer
from carteado.net.picture import Change
from carteado.net.proofs import Mark
from carteado.net.protocol import Chair, HostInfo, Purse, Said, Table, Welcome, You
from carteado.net.terms import Clocks, ClockTerms, Leaving, Terms
from carteado.net.words import GameWords
from carteado.ui.terminal.network import NetworkSession
from carteado.ui.terminal.room import Price, Proof
from carteado.ui.terminal.sitting import begin

CHAIRS = [
    Chair(0, "here", "Rita", ready=True),
    Chair(1, "bot", "Rui", bot="rule"),
    Chair(2, "lagging", "Ana", quiet_ms=4_000),
    Chair(3, "empty"),
]


class StandIn:
    """What the adapter uses of a peer."""

    def __init__(self, **parts: Any) -> None:
        self.view = {"q": 3, "phase": "dealing"}
        self.line, self.gone_code, self.farewell, self.lang, self.seat = "live", "", "", "en", 0
        self.address = Address("10.0.0.7", 7777)
        self.words = GameWords(
            "steps", "en", b"", title="Ten Steps", catalogue={"draw_first": "Draw first."}, rules="# R"
        )
        options = {"stake": 10, "next_only": False}
        self.table = Table(
            "t-1",
            b"12345678",
            1,
            "between",
            "steps",
            "1",
            options,
            CHAIRS,
            you=0,
            may=["ready", "leave"],
            deal_ms=9_500,
        )
        self.answer: Any = Answer(True, 4)
        self.said: list[tuple[str, tuple[Any, ...]]] = []
        self.trouble: Exception | None = None
        self.clock: Clocks | None = None
        self.gone: list[Missing] = []
        self.proof = Mark()
        self.welcome = None
        vars(self).update(parts)

    def clocks(self) -> Clocks | None:
        return self.clock

    def missing(self) -> list[Missing]:
        return self.gone

    async def purse(self) -> Purse:
        if self.trouble is not None:
            raise self.trouble
        return Purse(1234)

    async def act(self, prompt: int, action: Any) -> Answer:
        if self.trouble is not None:
            raise self.trouble
        return self.answer  # type: ignore[no-any-return]

    def __getattr__(self, wish: str) -> Any:
        async def ask(*details: Any) -> None:
            if self.trouble is not None:
                raise self.trouble
            self.said.append((wish, details))

        return ask

    async def until(self, wanted: Callable[[Any], bool]) -> None:
        while not wanted(self):
            await asyncio.sleep(0)

    async def changes(self) -> AsyncIterator[Change]:
        yield Change("view", events=[{"k": "tick"}])
        yield Change("say", said=Said("t-1", "Ana", "hello", 2))


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def session(**parts: Any) -> tuple[NetworkSession, StandIn, Clock]:
    peer, clock = StandIn(**parts), Clock()
    return NetworkSession(peer, "naive", clock), peer, clock  # type: ignore[arg-type]


def test_the_table_becomes_a_room_with_its_chairs() -> None:
    room = session()[0].room
    assert room is not None
    assert ("between", "Ten Steps", frozenset({"ready", "leave"})) == (room.stage, room.title, room.may)
    assert ["here", "bot", "lagging", "empty"] == [chair.line for chair in room.chairs]
    assert [("stake", 10), ("next_only", False)] == room.options


def test_cards_that_come_before_the_table_says_so_are_a_hand_that_has_begun() -> None:
    room = session(view={"q": 4, "phase": "playing"})[0].room
    assert room is not None
    assert ("playing", frozenset({"leave"})) == (room.stage, room.may)


def test_the_seconds_run_down_between_two_messages_of_the_host() -> None:
    one, _, clock = session()
    assert one.room is not None
    assert 10 == one.room.deal_in
    clock.now += 4.0
    assert 6 == one.room.deal_in
    clock.now += 60.0
    assert 0 == one.room.deal_in


def test_who_is_not_heard_of_is_shown_with_the_time_the_table_still_waits_and_who_plays_on() -> None:
    chairs = [*CHAIRS[:2], Chair(2, "away", "Ana", quiet_ms=30_000, grace_ms=60_000, substitute="rule")]
    table = Table("t-1", b"12345678", 1, "playing", "steps", "1", {}, chairs, you=0)
    one = session(table=table, gone=[Missing(2, "Ana", "away", 34.2, 55.1, "rule")])[0]
    assert one.room is not None
    ana = one.room.chairs[2]
    assert (34, 56, "rule") == (ana.quiet, ana.left, ana.substitute)


def test_the_readers_clock_is_the_moves_and_then_the_matchs() -> None:
    one, peer, _ = session(clock=Clocks([31_500, None, None, None], [60_000, 60_000, 60_000, 60_000]))
    assert 32 == one.seconds
    peer.clock = Clocks([0, None, None, None], [12_001, 60_000, 60_000, 60_000])
    assert 13 == one.seconds
    peer.clock = Clocks([None, 4_000, None, None], [1_000] * 4)
    assert one.seconds is None


def test_what_was_proven_of_the_deals_and_what_is_in_the_purse_come_along() -> None:
    one, peer, _ = session(proof=Mark("verified", "", 2, 31))
    assert one.room is not None
    assert Proof("verified", "", 2, 31) == one.room.proof
    assert 1234 == asyncio.run(one.count())
    peer.trouble = Refusal("unknown")
    assert asyncio.run(one.count()) is None


def test_what_leaving_costs_and_what_was_agreed_about_time_come_from_the_host() -> None:
    terms = Terms(ClockTerms(45, 120, 5), 90, "wait")
    table = Table("t-1", b"12345678", 1, "playing", "steps", "1", {}, CHAIRS, you=0, terms=terms, leaving=Leaving("penalty", -40, False))
    room = session(table=table)[0].room
    assert room is not None
    assert Price("penalty", 40, False) == room.leaving
    assert [("ui.terms.move", {"n": 45}), ("ui.terms.bank", {"n": 120, "add": 5}), ("ui.terms.wait", {"n": 90})] == room.terms


def test_an_accepted_action_is_no_message_and_a_refused_one_is_its_code_with_the_data() -> None:
    one, peer, _ = session()
    assert asyncio.run(one.act(1, {"type": "draw"})) is None
    peer.answer = Answer(False, 3, "draw_first", {"field": "x"})
    assert ["draw_first", {"field": "x"}] == asyncio.run(one.act(1, {"type": "draw"}))


def test_a_refusal_or_a_lost_host_is_an_answer_too() -> None:
    one, peer, _ = session()
    peer.trouble = Refusal("paused", "The table is paused.")
    assert ["paused", {}] == asyncio.run(one.act(1, {"type": "draw"}))
    peer.trouble = ConnectionOver("shutdown")
    assert ["shutdown", {}] == asyncio.run(one.ask("start"))


def test_a_code_without_words_is_told_in_the_hosts_own_sentence() -> None:
    one, peer, _ = session()
    peer.trouble = Refusal("brand_new", "Something brand new.")
    assert ["ui.told", {"text": "Something brand new."}] == asyncio.run(one.ask("start"))


def test_wishes_become_commands() -> None:
    one, peer, _ = session()

    async def run() -> None:
        await one.ask("ready")
        await one.ask("fill")
        await one.ask("pause")
        await one.ask("resume")
        await one.ask("say", text="hi")
        await one.ask("leave")

    asyncio.run(run())
    pauses = [("pause", (True,)), ("pause", (False,))]
    assert [("ready", (False,)), ("fill", ("naive", None)), *pauses, ("say", ("hi",)), ("leave", ())] == peer.said


def test_another_language_is_fetched_from_the_host_or_kept_for_when_there_is_a_table() -> None:
    one, peer, _ = session()
    assert asyncio.run(one.speak("de")) is None
    assert [("fetch_words", ("de",))] == peer.said
    peer.trouble = Refusal("paused")
    assert asyncio.run(one.speak("de")) == ["paused", {}]
    peer.table = None
    assert asyncio.run(one.speak("pt_BR")) is None
    assert "pt_BR" == peer.lang


def test_who_is_ready_for_what_has_begun_meanwhile_is_not_told_off() -> None:
    one, peer, _ = session(trouble=Refusal("running"))
    assert asyncio.run(one.ask("ready")) is None
    assert asyncio.run(one.ask("start")) == ["running", {}]
    peer.trouble = Refusal("paused")
    assert asyncio.run(one.ask("ready")) == ["paused", {}]


def test_sitting_down_at_a_table_that_begins_in_that_moment_is_no_failure() -> None:
    asyncio.run(begin(StandIn(trouble=Refusal("running"))))
    with pytest.raises(Refusal):
        asyncio.run(begin(StandIn(trouble=Refusal("paused"))))
    peer = StandIn()
    asyncio.run(begin(peer))
    assert [("ready", (True,))] == peer.said
    peer.table = None
    asyncio.run(begin(peer))
    assert [("ready", (True,))] == peer.said


def test_a_private_table_is_told_with_the_whole_command_and_its_own_page() -> None:
    m = "p-7kq4m-2xp9d-4tv8h"
    one, peer, _ = session()
    host = HostInfo("id", "kitchen", "carteado", ["http://10.0.0.7:8737/m/KAFU", "http://10.0.0.8:8737/"])
    peer.welcome = Welcome(1, b"12345678", host, 7778, {}, You("fp"))
    assert one.room is not None
    assert ("tcp://10.0.0.7:7777", False, host.web) == (one.room.address, one.room.private, one.room.web)
    peer.table = replace(peer.table, m=m)
    room = one.room
    assert room is not None
    assert (f"tcp://10.0.0.7:7777 --table {m}", True) == (room.address, room.private)
    assert [f"http://10.0.0.7:8737/m/{m}", f"http://10.0.0.8:8737/m/{m}"] == room.web


def test_who_sits_down_with_computer_players_sees_the_cards_first_and_the_waiting_room_only_if_somebody_is_waited_for() -> None:
    async def run() -> tuple[bool, bool]:
        dealt, waiting = StandIn(), StandIn()
        dealt.view = waiting.view = None  # type: ignore[assignment]
        sitting, patient = asyncio.ensure_future(begin(dealt)), asyncio.ensure_future(begin(waiting, patience=0.0))
        await patient
        before = sitting.done()
        dealt.view = {"q": 1}
        await sitting
        return before, waiting.view is None

    assert (False, True) == asyncio.run(run())


def test_changes_come_with_their_events_and_with_who_said_what() -> None:
    one = session()[0]

    async def run() -> list[Any]:
        return [change async for change in one.changes()]

    view, said = asyncio.run(run())
    assert ("view", [{"k": "tick"}]) == (view.kind, view.events)
    assert ("say", "Ana", "hello") == (said.kind, said.who, said.text)


def test_words_come_from_the_game_first_and_the_core_is_always_there() -> None:
    one, peer, _ = session()
    assert "draw_first" in one.catalogues[0]
    assert "not_held" in one.catalogues[1]
    peer.words = None
    assert ("", {}, "steps") == (one.rules, one.looks, one.title)
    assert "not_held" in one.catalogues[0]
