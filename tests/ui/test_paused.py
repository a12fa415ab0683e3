"""A paused table: the game's forms say so and cannot be used by key, card or number, and going on is a button."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import msgspec
import pytest

from carteado.ui.terminal.intent import Say, aim, enter, press
from carteado.ui.terminal.line import LineClient
from carteado.ui.terminal.network import NetworkSession
from carteado.ui.terminal.offers import offers
from carteado.ui.terminal.room import Room
from carteado.ui.terminal.session import Change

from .harness import Recorded, pilot
from .tables import TABLES, steps
from .test_invite import ROOM, local
from .test_network import StandIn, session

PAUSED = ["ui.prompt.paused", {}]


def at(stage: str) -> tuple[NetworkSession, StandIn]:
    """Return the session of somebody who is asked at a table in a stage."""
    one, peer, _ = session(view=steps())
    peer.table = msgspec.structs.replace(peer.table, stage=stage, may=["leave", "pause"])
    return one, peer


def test_every_form_of_a_table_that_stands_still_says_why_and_nothing_is_proposed() -> None:
    for stage, why in (("paused", "The table is paused."), ("frozen", "The host is waiting for its disk; the game goes on by itself.")):
        view = at(stage)[0].view
        found = offers(view, local(ROOM))
        assert {why} == {offer.blocked for offer in found if offer.form is not None}
        assert "hint" not in {offer.name for offer in found}


def test_when_the_table_goes_on_its_forms_are_as_the_host_sent_them() -> None:
    one, peer = at("paused")
    assert one.view is one.view
    peer.table = msgspec.structs.replace(peer.table, stage="playing")
    assert peer.view is one.view


def test_neither_a_zone_nor_a_form_nor_enter_is_more_than_the_reason() -> None:
    view = at("paused")[0].view
    assert view is not None
    (form, *_) = view["prompts"][0]["forms"]
    outcomes = [aim(view, {"hand/0": ["R2"]}, ("discard", None), "discard"), press(view, form, {}), enter(view, {"hand/0": ["R2"]}, True)]
    assert [Say(PAUSED)] * 3 == outcomes


def test_going_on_is_a_button_and_pausing_is_none() -> None:
    for stage, wanted in (("paused", ("resume", "Go on", True)), ("playing", ("pause", "Pause", False))):
        found = offers(steps(), local(replace(ROOM, stage=stage, may=frozenset({"leave", "pause"}))))
        assert [wanted] == [(one.name, one.label, one.button) for one in found if one.name in ("pause", "resume")]


@pytest.mark.slow
def test_one_key_pauses_and_the_same_key_goes_on() -> None:
    make, words, looks = TABLES["steps"]
    asked = Recorded(make(), words, looks, Room("playing", may=frozenset({"pause"})))

    async def run() -> None:
        async with pilot(asked) as one:
            await one.keys("z")
            asked.room = Room("paused", may=frozenset({"pause"}))
            asked.tell(Change("table"))
            await one.shows("Go on")
            await one.keys("z")
        lines = LineClient(asked, lambda line: None)
        await lines.take("z")
        asked.room = Room("playing", may=frozenset({"pause"}))
        await lines.take("z")

    asyncio.run(run())
    assert [("pause", {}), ("resume", {}), ("resume", {}), ("pause", {})] == asked.wishes


@pytest.mark.slow
def test_what_was_begun_with_a_form_is_given_up_when_the_table_is_paused() -> None:
    make, words, looks = TABLES["steps"]
    begun = Recorded(make(), words, looks, Room("playing"))

    async def run() -> None:
        async with pilot(begun) as one:
            await one.keys("j")
            assert one.client.local.armed is not None
            begun.view = at("paused")[0].view
            begun.tell(Change("table"))
            await one.settle()
            assert one.client.local.armed is None

    asyncio.run(run())
