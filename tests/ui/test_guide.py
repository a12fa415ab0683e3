"""A guided hand: each lesson once, when it is needed, from the words of the game alone."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from typing import Any

import pytest

from carteado.core.bots import player
from carteado.core.loader import installed, load
from carteado.core.match import Match
from carteado.ui.terminal.app import Looks
from carteado.ui.terminal.guide import Guide
from carteado.ui.terminal.line import LineClient
from carteado.ui.terminal.words import LANGUAGES, own_catalogue, words_for

from .harness import CORE, Recorded, pilot
from .matches import AtMatch
from .tables import COLOURS, STEPS_WORDS, steps

LESSONS = {
    "guide.begin.1": "Lesson one.",
    "guide.begin.2": "Look at {card_w}.",
    "guide.stage.play": "Get rid of a card.",
    "guide.form.discard": "Discarding ends it.",
    "guide.after.discard": "You have discarded.",
    "guide.end": "That was it.",
}
WORDS = words_for([{**STEPS_WORDS, **LESSONS}, CORE, own_catalogue("en")], COLOURS)


def keys(pages: list[list[list[Any]]]) -> list[list[str]]:
    return [[message[0] for message in page] for page in pages]


def test_a_lesson_is_told_once_and_what_a_game_ships_comes_with_what_is_true_of_every_game() -> None:
    guide, view = Guide(), steps()
    assert guide.follow(view, WORDS)
    told = keys(guide.pages)
    assert [["guide.begin.1", "guide.begin.2"], ["ui.guide.begin"]] == told[:2]
    assert "guide.stage.play" in told[2]
    assert not guide.follow(view, WORDS)


def test_a_lesson_shows_a_card_as_the_reader_sees_cards() -> None:
    guide = Guide()
    guide.follow(steps(), WORDS)
    assert "Look at ★." == WORDS.text(guide.turn()[1])


def test_after_a_form_was_used_and_after_the_hand_there_is_more_to_say() -> None:
    guide, view = Guide(), steps()
    guide.follow(view, WORDS)
    guide.pages.clear()
    guide.using("discard")
    guide.follow(view, WORDS)
    assert "guide.after.discard" in keys(guide.pages)[0]
    guide.pages.clear()
    guide.follow({**view, "result": {"hand": view["hand"]["number"]}}, WORDS)
    assert [["guide.end", "ui.guide.end"]] == keys(guide.pages)


def test_a_key_that_a_lesson_names_works_while_the_lesson_is_on_the_screen() -> None:
    async def run() -> None:
        session = Recorded(steps(), {**STEPS_WORDS, **LESSONS}, COLOURS)
        async with pilot(session, looks=Looks(guided=True, confirm=False)) as one:
            assert "Lesson one." in one.text()
            await one.keys("\r")
            assert "The digit below a card" in one.text()
            await one.keys("1")
            assert not one.client.local.boxes
            assert [True] == one.client.local.hand.marked[:1]
            await one.keys("e")
            assert "The digit below a card" in one.text()

    asyncio.run(run())


def test_a_card_is_dragged_away_under_a_lesson() -> None:
    async def run() -> None:
        session = Recorded(steps(), {**STEPS_WORDS, **LESSONS}, COLOURS)
        async with pilot(session, 120, 40, looks=Looks(guided=True, confirm=False)) as one:
            await one.drag("card:1", "zone:discard")
            assert [(1, {"type": "discard", "cards": ["Y6"]})] == [(1, act) for _, act in session.acts]

    asyncio.run(run())


def test_a_wide_screen_keeps_the_lesson_in_sight_while_one_plays() -> None:
    async def run() -> None:
        session = Recorded(steps(), {**STEPS_WORDS, **LESSONS}, COLOURS)
        async with pilot(session, 120, 40, looks=Looks(guided=True, confirm=False)) as one:
            await one.keys("1")
            assert "│ Lesson one." in one.text()

    asyncio.run(run())


def test_lines_are_guided_too() -> None:
    said: list[str] = []
    client = LineClient(Recorded(steps(), {**STEPS_WORDS, **LESSONS}, COLOURS), said.append, guided=True)
    client.begin()
    assert [text for text in said if text in ("Lesson one.", "Look at wild.", "Get rid of a card.")] == [
        "Lesson one.", "Look at wild.", "Get rid of a card."
    ]  # fmt: skip


SHIPPED = [listed.name for listed in installed() if any(key.startswith("guide.") for key in load(listed.name).words("en"))]


def asked(name: str) -> tuple[set[str], set[str]]:
    """Return the stages and the forms that computer players meet in some hands of a game."""
    game, stages, forms = load(name), set(), set()
    for seed in range(12):
        rng = random.Random(seed)
        match = Match(game, seats=[{"name": f"P{seat}", "bot": "rule"} for seat in range(3)], table="t-1")
        players = [player(game, "rule" if seed % 3 else "random") for _ in range(3)]
        match.deal(rng.randbytes(32))
        for _ in range(400):
            if match.phase != "playing":
                break
            seat, prompt = next(iter(match.prompts.items()))
            view = match.view(seat)
            stages.add(view["prompts"][0]["stage"])
            forms |= {form["type"] for form in view["prompts"][0]["forms"]}
            match.act(seat, prompt.id, players[seat].choose(view, rng))
    return stages, forms


def test_games_come_with_lessons() -> None:
    assert {"cascata", "dez-degraus", "skat"} <= set(SHIPPED)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_every_lesson_of_a_game_can_come_up_and_every_stage_of_a_usual_hand_has_one(name: str) -> None:
    stages, forms = asked(name)
    texts: Mapping[str, Any] = load(name).words("en")
    lessons = {key for key in texts if key.startswith("guide.")}
    due = {f"guide.stage.{stage}" for stage in stages} | {f"guide.{when}.{form}" for when in ("form", "after") for form in forms}
    numbered = {f"guide.begin.{number}" for number in range(1, 10)}
    assert set() == lessons - due - numbered - {"guide.end"}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", SHIPPED)
def test_the_lessons_are_there_in_every_language(name: str, lang: str) -> None:
    game = load(name)
    lessons = {key for key in game.words("en") if key.startswith("guide.")}
    assert lessons == {key for key in game.words(lang) if key.startswith("guide.")}
    assert all(lang == "en" or game.words(lang)[key] != game.words("en")[key] for key in lessons)


@pytest.mark.parametrize("name", SHIPPED)
def test_a_guided_hand_of_a_real_game_begins_with_its_own_lesson(name: str) -> None:
    game = load(name)
    session = AtMatch(game, 3, seed=5)

    async def run() -> None:
        async with pilot(session, looks=Looks(guided=True)) as one:  # type: ignore[arg-type]
            assert "Guide" in one.text()
            assert game.words("en")["guide.begin.1"][:40] in " ".join(one.text().split())

    asyncio.run(run())
