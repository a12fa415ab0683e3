"""The bench on the screen: every seat, every card, back and forth, the code anew."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from carteado.net.dev import Reloaded, Workshop
from carteado.ui.terminal.dev import DevSession, entry_said
from carteado.ui.terminal.line import LineClient
from carteado.ui.terminal.local import orders_of

from .harness import Pilot, pilot

pytestmark = pytest.mark.slow

Play = Callable[[Pilot, DevSession], Awaitable[None]]


def at_bench(play: Play, columns: int = 80, rows: int = 24, **more: Any) -> DevSession:
    """Put Dez Degraus on the bench, let somebody use it, and return the session."""
    session = DevSession(Workshop("dez-degraus", players=3, **more))

    async def run() -> None:
        await session.begin()
        async with pilot(session, columns, rows, tools=session) as one:  # type: ignore[arg-type]
            await play(one, session)
        await session.close()

    asyncio.run(run())
    return session


def test_all_hands_and_the_top_of_the_stock_lie_open_until_asked_not_to() -> None:
    async def play(one: Pilot, session: DevSession) -> None:
        hands = {zone["name"]: zone["cards"] for zone in session.view["zones"]}  # type: ignore[index]
        other = (session.seat + 1) % 3  # type: ignore[operator]
        held = sorted(hands[f"hand/{other}"], key=orders_of(session.view, one.client.local.words)[0][1])  # type: ignore[arg-type]
        shown = "[" + " ".join(one.client.local.words.token(face)[0] for face in held) + "]"
        assert shown in one.text()
        assert "all cards open" in one.text()
        await one.keys("O")
        assert shown not in one.text()
        assert "own cards" in one.text()

    at_bench(play)


def test_the_seat_that_is_asked_is_the_one_to_act_for_and_s_goes_round_them() -> None:
    async def play(one: Pilot, session: DevSession) -> None:
        first = session.seat
        await one.keys("c")
        await one.keys("1")
        await one.keys("d")
        assert (first + 1) % 3 == session.seat  # type: ignore[operator]
        assert f"for Seat {session.seat}" in one.text()
        seats = [session.seat]
        for _ in range(4):
            await one.keys("S")
            seats.append(session.seat)
        assert {0, 1, 2, None} == set(seats[:4])
        assert seats[0] == seats[4]

    assert 3 == at_bench(play).shop.place


def test_stepping_back_shows_what_was_and_another_move_makes_a_branch() -> None:
    async def play(one: Pilot, session: DevSession) -> None:
        await one.keys("A")
        await one.keys("A")
        await one.keys("[")
        await one.keys("[")
        assert (1, 3) == (session.shop.place, len(session.shop.entries))
        assert "1/3" in one.text()
        await one.keys("]")
        assert 2 == session.shop.place
        await one.keys("{")
        await one.keys("c")
        assert (2, 1) == (len(session.shop.entries), len(session.shop.branches))
        await one.keys("J")
        assert "branch: 3 entries, parted after 1" in one.text()
        await one.keys("branch")
        await one.keys("\r")
        assert (3, 3) == (session.shop.place, len(session.shop.entries))

    at_bench(play)


def test_a_click_on_the_slider_goes_there() -> None:
    async def play(one: Pilot, session: DevSession) -> None:
        await one.keys("AAA")
        await one.click("slide:2")
        assert 2 == session.shop.place
        await one.click("slide:4")
        assert 4 == session.shop.place

    at_bench(play)


def test_a_computer_player_plays_its_seat_until_somebody_else_is_asked() -> None:
    async def play(one: Pilot, session: DevSession) -> None:
        first = session.seat
        await one.keys("A")
        await one.keys("A")
        while session.shop.waiting() is not None:
            await one.settle()
        assert first == session.seat
        entries = [entry["seat"] for entry in session.shop.entries[1:]]
        assert {*range(3)} == set(entries)

    first = Workshop("dez-degraus", players=3)
    first.deal()
    mine = first.match.table.start
    at_bench(play, computers={seat: "rule" for seat in range(3) if seat != mine})


def test_the_state_page_tells_everything() -> None:
    async def play(one: Pilot, session: DevSession) -> None:
        await one.keys("E")
        assert "phases: [1, 1, 1]" in one.text()
        assert f"stock: {' '.join(session.shop.match.table.cards('stock'))[:40]}" in one.text()

    at_bench(play, rows=60)


def test_loading_the_code_anew_says_how_the_journal_plays() -> None:
    async def play(one: Pilot, session: DevSession) -> None:
        await one.keys("A")
        await one.keys("R")
        assert "All 2 entries play as before." in one.text()
        await one.keys("\x1b")
        session.shop.reload = lambda: Reloaded(1, 2, "entry 2 differs", different=("vars/x: 1 -> 2",))  # type: ignore[method-assign]
        await one.keys("R")
        assert "1 of 2 entries play as before; then:" in one.text()
        assert "vars/x: 1 -> 2" in one.text()
        await one.keys("\x1b")
        session.shop.reload = lambda: Reloaded(0, 2, "no such module", failed=True)  # type: ignore[method-assign]
        await one.keys("R")
        assert "no such module" in one.text()
        assert "The old code goes on." in one.text()

    at_bench(play)


def test_after_loading_the_code_anew_one_looks_from_a_seat_that_is_asked() -> None:
    async def play(one: Pilot, session: DevSession) -> None:
        first = session.seat

        def shorter() -> Reloaded:
            session.shop.go(1)
            return Reloaded(1, 2, "entry 2 differs")

        while session.seat == first:
            await one.keys("A")
        session.shop.reload = shorter  # type: ignore[method-assign]
        await one.keys("R")
        assert first == session.seat

    at_bench(play)


def test_changed_code_is_loaded_before_the_next_hand() -> None:
    async def play(one: Pilot, session: DevSession) -> None:
        asked: list[str] = []
        session.shop.changed = lambda: True  # type: ignore[method-assign]
        session.shop.reload = lambda: asked.append("reload") or Reloaded(1, 1)  # type: ignore[func-returns-value, method-assign]
        assert await session.ask("ready") == ["not_dealing", {}]
        assert ["reload"] == asked

    at_bench(play)


def test_a_fault_of_the_game_is_shown_with_its_traceback() -> None:
    async def play(one: Pilot, session: DevSession) -> None:
        def broken(*_: Any, **__: Any) -> None:
            raise ZeroDivisionError("so it goes")

        session.shop.match.rules._turn = broken
        await one.keys("c")
        assert "The game has failed" in one.text()
        assert "ZeroDivisionError: so it goes" in one.text()
        assert 1 == session.shop.place

    at_bench(play)


def test_another_deal_of_the_same_hand() -> None:
    async def play(one: Pilot, session: DevSession) -> None:
        before = session.shop.match.table.cards("stock")
        await one.keys("N")
        assert before != session.shop.match.table.cards("stock")
        assert "1/1" in one.text()

    at_bench(play)


def test_a_player_that_searches_thinks_beside_the_loop_and_its_thought_is_dropped_when_one_has_stepped_back() -> None:
    async def play(one: Pilot, session: DevSession) -> None:
        shop, asked, answer = session.shop, [], asyncio.Event()

        class Elsewhere:
            async def think(self, game: str, level: str, view: Any, seed: int) -> Any:
                asked.append((game, level, view["you"]))
                await answer.wait()
                return {"type": "draw"}

            def shutdown(self) -> None:
                asked.append("ended")

        session._workers = Elsewhere()  # type: ignore[assignment]
        seat = session.seat
        assert seat is not None
        shop.searching = lambda seat, level=None: "tree"  # type: ignore[method-assign]
        await one.keys("A")
        assert [("dez-degraus", "tree", seat)] == asked
        await one.keys("?")  # keys go on working while it thinks
        assert "At any time" in one.text()
        await one.keys("\x1b")
        answer.set()
        await one.shows("You draw")
        assert 2 == shop.place
        answer.clear()
        await one.keys("A")
        await one.keys("[")
        answer.set()
        await one.settle()
        assert 1 == shop.place

    at_bench(play)


def test_with_lines_alone_every_seat_can_be_played() -> None:
    session = DevSession(Workshop("dez-degraus", players=2))
    said: list[str] = []

    async def run() -> None:
        await session.begin()
        client = LineClient(session, said.append)
        client.begin()
        await client.take("1")
        assert 2 == session.shop.place

    asyncio.run(run())
    assert any("Draw from the stock" in line for line in said)


def test_an_entry_is_one_line() -> None:
    assert "hand 3" == entry_said({"n": 1, "k": "hand", "hand": 3})
    assert 'action seat 1 {"type": "draw"}' == entry_said({"n": 2, "k": "action", "seat": 1, "do": {"type": "draw"}})
    assert "takeover seat 1 rule" == entry_said({"n": 2, "k": "takeover", "seat": 1, "level": "rule"})
    assert "leave seat 1" == entry_said({"n": 2, "k": "leave", "seat": 1})
