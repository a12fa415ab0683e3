"""A recorded match on the screen: step, jump, play, and what the rule player would have done."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from carteado.core.bots import player
from carteado.core.errors import JournalMismatch
from carteado.core.journal import Journal
from carteado.core.loader import load
from carteado.core.match import Match
from carteado.net.timeline import Timeline, advice, recorded
from carteado.ui.terminal.viewer import ViewerSession, action_said

from .harness import Pilot, local_for, pilot
from .tables import TABLES, steps, steps_forms

Play = Callable[[Pilot, ViewerSession], Awaitable[None]]
HANDS = 2


@cache
def journal(name: str = "dez-degraus") -> bytes:
    """Return the journal of two hands that three computer players play."""
    game, rng = load(name), random.Random(3)
    match = Match(game, seats=[{"name": one, "bot": "rule"} for one in ("Ana", "Bruno", "Carla")])
    bot = player(game, "rule")
    while match.hand < HANDS or match.phase == "playing":
        if match.phase == "dealing":
            match.deal(rng.randbytes(32))
        seat, prompt = next(iter(match.prompts.items()))
        match.act(seat, prompt.id, bot.choose(match.view(seat), rng))
    return match.journal.dump()


def timeline(name: str = "dez-degraus") -> Timeline:
    read = Journal.load(journal(name))
    return Timeline(load(name), read.header, read.entries)


def looked_at(play: Play, columns: int = 80, rows: int = 24, **more: Any) -> ViewerSession:
    """Open a recording, let somebody look at it, and return the session."""
    session = ViewerSession(timeline(), **more)

    async def run() -> None:
        async with pilot(session, columns, rows, tools=session) as one:  # type: ignore[arg-type]
            await play(one, session)
        await session.close()

    asyncio.run(run())
    return session


def test_it_opens_at_the_first_deal_with_every_hand_in_sight() -> None:
    async def play(one: Pilot, session: ViewerSession) -> None:
        assert f"1/{len(session.timeline.entries)}" in one.text()
        for seat in range(3):
            for face in session.timeline.match.table.cards(f"hand/{seat}"):
                assert one.client.local.words.token(face)[0] in one.text()
        assert "all cards open" in one.text()

    looked_at(play)


def test_one_entry_at_a_time_with_what_was_done_and_what_the_rule_player_does() -> None:
    async def play(one: Pilot, session: ViewerSession) -> None:
        name = ("Ana", "Bruno", "Carla")[session.timeline.match.table.start]
        assert f"{name}: Draw. The rule player would do the same." in one.text() or f"{name}: Take discard." in one.text()
        await one.keys("\x1b[C")
        assert 2 == session.timeline.place
        assert f"{name}: Discard (" in one.text() or f"{name}: Lay phase (" in one.text()
        await one.keys("\x1b[D")
        assert 1 == session.timeline.place
        await one.keys("[")
        assert 1 == session.timeline.place

    looked_at(play)


def test_what_the_rule_player_would_do_otherwise_is_said_beside_what_was_done() -> None:
    line = timeline()
    line.go(2)
    seat = line.entries[2]["seat"]
    other = next(face for face in line.match.table.cards(f"hand/{seat}") if [face] != line.entries[2]["do"].get("cards"))
    line.entries[2] = {**line.entries[2], "do": {"type": "discard", "cards": [other]}}
    session = ViewerSession(line)
    line.go(2)
    message = session.coming(session.view)  # type: ignore[arg-type]
    assert "ui.replay.other" == message[0]
    assert advice(line.match, seat) is not None


def test_hands_are_jumped_to_from_a_menu_and_by_keys() -> None:
    async def play(one: Pilot, session: ViewerSession) -> None:
        second = session.timeline.hands()[1]
        await one.keys("}")
        assert second == session.timeline.place
        await one.keys("{")
        assert 1 == session.timeline.place
        await one.keys("h")
        assert "Go to a hand" in one.text()
        await one.keys("2")
        assert second == session.timeline.place
        await one.keys("$")
        assert len(session.timeline.entries) == session.timeline.place
        assert "The recording ends here." in one.text() or "is over" in one.text()
        await one.keys("0")
        assert 1 == session.timeline.place

    looked_at(play)


def test_it_plays_by_itself_at_a_chosen_speed_until_it_is_stopped_or_ends() -> None:
    waited: list[float] = []
    go_on = asyncio.Event()

    async def pause(seconds: float) -> None:
        waited.append(seconds)
        await go_on.wait()

    async def play(one: Pilot, session: ViewerSession) -> None:
        await one.keys("+")
        assert "Speed: 2 a second" in one.text()
        await one.keys("k")
        assert [0.5] == waited
        await one.keys("k")
        assert "Stopped." in one.text()
        assert 1 == session.timeline.place
        await one.keys("-")
        await one.keys("k")
        go_on.set()
        while session.timeline.next() is not None:
            await one.settle()
        assert [0.5, 1.0] == waited[:2]
        assert len(session.timeline.entries) == len(waited)

    looked_at(play, pause=pause)


def test_it_can_be_seen_as_a_seat_saw_it() -> None:
    async def play(one: Pilot, session: ViewerSession) -> None:
        assert [] == one.client.local.hand.faces
        await one.keys("v")
        assert "seen from Ana" in one.text()
        assert 10 == len(one.client.local.hand)
        await one.keys("o")
        others = [zone for zone in session.view["zones"] if zone["name"] in ("hand/1", "hand/2")]  # type: ignore[index]
        assert [None, None] == [zone["cards"] for zone in others]
        await one.keys("vvv")
        assert session.seat is None

    looked_at(play)


def test_nothing_can_be_played_and_leaving_asks_nothing() -> None:
    async def play(one: Pilot, session: ViewerSession) -> None:
        await one.keys("v\r")
        assert await session.act(1, {"type": "draw"}) == ["ui.not_now", {}]
        assert await session.ask("ready") == ["ui.not_now", {}]
        await one.keys("q")
        assert not one.client.app.is_running

    assert 1 == looked_at(play).timeline.place


def test_a_click_on_the_slider_and_the_language_work_here_too() -> None:
    async def play(one: Pilot, session: ViewerSession) -> None:
        await one.click("slide:1")
        await one.keys("L")
        assert "todas as cartas à vista" in one.text()
        last = len(session.timeline.entries)
        await one.click(f"slide:{last}")
        assert last == session.timeline.place

    looked_at(play, 120, 40)


def test_an_action_is_said_in_the_words_of_its_form() -> None:
    view = steps()
    local = local_for(view, *TABLES["steps"][1:])
    forms = steps_forms()
    said = [
        local.words.text(action_said(view, forms, action))
        for action in (
            {"type": "discard", "cards": ["R2"]},
            {"type": "skip", "cards": ["S"], "seat": 3},
            {"type": "lay", "groups": [["B7", "G7", "W"], ["R9", "R10"]]},
            {"type": "hit", "cards": ["R9"], "group": "group/1"},
            {"type": "unheard of"},
        )
    ]
    assert "Discard (2●)" == said[0]
    assert said[1].startswith("Discard skip (")
    assert "Carla" in said[1]
    assert "Lay phase ([7◆, 7■ and ★] and [9● and 10●])" == said[2]
    assert said[3].startswith("Add (9● and ")
    assert "unheard of" == said[4]


def test_a_recording_is_checked_before_it_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    path.write_bytes(journal())
    assert len(Journal.load(journal()).entries) == len(recorded(path).entries)
    lines = journal().split(b"\n")
    lines[2] = lines[2].replace(b'"h":"', b'"h":"0')
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(JournalMismatch):
        recorded(path)
