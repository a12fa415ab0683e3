"""The words of the game: complete in every language, all used, and every message of a played match can be said."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from carteado.core.api import Speech
from carteado.core.match import Match
from carteado.plugins.dez_degraus import game
from carteado.plugins.dez_degraus.advice import sample
from carteado.plugins.dez_degraus.rules import PHASES

LANGUAGES = ("de", "en", "pt_BR", "pt_PT")
RULES = ("en", "pt", "pt_BR", "pt_PT")
"""The languages of the catalogues; those that a rules text is read in."""
EN = game.words("en")
PLACE = re.compile(r"\{([a-z_0-9]+)\}")
NAMES = ("Ana", "Bruno", "Carla")


def sources() -> str:
    folder = files("carteado.plugins.dez_degraus")
    return "\n".join(path.read_text("utf-8") for path in folder.iterdir() if path.name.endswith(".py"))


def used_keys() -> set[str]:
    """Return the message keys that the code names, and those it builds from sizes and numbers."""
    text = sources()
    keys = set(re.findall(r'"(dd\.[a-z_.0-9]*[a-z0-9])"', text))
    keys |= set(re.findall(r'(?:RuleBroken|IllegalAction)\(\s*"([a-z_]+)"', text))
    keys |= set(re.findall(r'blocked=\["([a-z_]+)"', text)) | {"gap", "wraps", "wild_fixed", "already_there"}
    keys |= set(re.findall(r'code = "([a-z_]+)" if .* else "([a-z_]+)"', text)[0])
    keys |= {f"dd.phase.{number}" for number in range(1, len(PHASES) + 1)}
    keys |= {f"dd.{part.kind}.{part.size}" for phase in PHASES for part in phase}
    keys |= {f"{key}.{n}" for key in re.findall(r'groups_shown\("([a-z.]+)"', text) for n in (1, 2)}
    keys -= {"dd.log.laid", "dd.hint.lay", "not_held"}
    keys |= {f"form.{kind}" for kind in ("draw", "take", "lay", "hit", "discard")}
    keys |= {f"option.{option.name}" for option in game.table_options}
    return keys | {look["name"] for look in (*game.deck.suits.values(), *game.deck.faces.values())} | {"card.spoken"}


def test_every_key_that_the_code_uses_has_an_english_text_and_no_text_is_unused() -> None:
    texts = {key.removesuffix(".you") for key in EN if key and not key.startswith("guide.")}  # those are the client's to use
    assert texts == used_keys()


@pytest.mark.parametrize("lang", ["pt_PT", "pt_BR", "de"])
def test_every_language_has_every_text_with_the_same_places(lang: str) -> None:
    def places(entry: Any) -> list[set[str]]:
        return [set(PLACE.findall(form)) for form in ([entry] if isinstance(entry, str) else entry)]

    other = game.words(lang)
    assert {key: places(other[key]) for key in other if key} == {key: places(EN[key]) for key in EN if key}


def test_languages_without_a_catalogue_give_none() -> None:
    assert (dict(game.words("xx")), game.rules("xx")) == ({}, "")


def test_plain_portuguese_is_that_of_portugal() -> None:
    assert game.words("pt") == game.words("pt_PT")


@pytest.mark.parametrize("lang", RULES)
def test_the_rules_text_names_every_phase_and_every_count_of_points(lang: str) -> None:
    text = game.rules(lang)
    assert [number for number in range(1, 11) if f"\n{number}. " not in text] == []
    assert [points for points in ("| 5 |", "| 10 |", "| 15 |", "| 25 |") if points not in text] == []


def messages(value: Any) -> Iterator[list[Any]]:
    """Yield every message in a view: a list of a key and its arguments."""
    if isinstance(value, dict):
        for item in value.values():
            yield from messages(item)
    elif isinstance(value, list):
        if len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], dict):
            yield value
        for item in value:
            yield from messages(item)


def played(seed: int) -> Iterator[dict[str, Any]]:
    """Yield the views of all seats and a watcher at every step of a random match of some hands."""
    match = Match(game, {"until_three": bool(seed % 2)}, [{"name": name} for name in NAMES])
    rng = random.Random(seed)
    while match.hand < 5 and match.phase != "over":
        if match.phase == "dealing":
            match.deal(rng.randbytes(32))
        (seat,) = match.prompts
        yield match.view((None, 0, 1, 2)[match.q % 4])
        view = match.view(seat)
        yield view
        form = rng.choice([form for form in view["prompts"][0]["forms"] if form["blocked"] is None])
        match.act(seat, match.prompts[seat].id, sample(view, form, rng) or {"type": form["type"]})
    assert match.faults == []


@pytest.mark.parametrize("lang", ["en", "pt_PT", "pt_BR", "de"])
@pytest.mark.slow
def test_every_message_of_a_match_can_be_said(lang: str) -> None:
    catalogue = game.words(lang)
    said: dict[str, str] = {}
    for view in played(LANGUAGES.index(lang)):
        speech = Speech([catalogue], NAMES, game.deck.looks, you=view["you"])
        for message in messages(view):
            text = speech.text(message)
            if text == message[0] or "{" in text or "dd." in text:
                said[message[0]] = text
    assert said == {}
