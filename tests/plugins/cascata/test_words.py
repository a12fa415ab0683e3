"""The words of the game: complete in every language, all used, every message of a played match can be said; and the rules texts."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest

from carteado.core.api import Speech
from carteado.core.bots import sample_action
from carteado.core.match import Match
from carteado.core.rules import Rules
from carteado.plugins.cascata import game
from carteado.plugins.cascata.game import CARD_NAMES, ROW_NAMES

pytestmark = pytest.mark.slow

LANGUAGES = ("de", "en", "pt_BR", "pt_PT")
RULES = ("en", "pt", "pt_BR", "pt_PT")
"""The languages of the catalogues; those that a rules text is read in."""
EN = game.words("en")
PLACE = re.compile(r"\{([a-z_0-9]+)\}")
NAMES = ("Ana", "Bia", "Caio")
VARIANTS: list[dict[str, Any]] = [
    {"row_multiplier": True}, {"lock_card": True}, {"soft_steal": True, "substitute": False}, {"running_score": False},
]  # fmt: skip


def built_keys() -> set[str]:
    """Return the keys that the code builds from sizes, kinds of moves and options."""
    keys = {f"{key}.{size}" for key in ("meld", "cards", "sheet.meld", "log.meld") for size in (2, 3, 4)}
    keys |= {f"sheet.meld.{size}.rows" for size in (2, 3, 4)} | {f"log.{kind}.{size}" for kind in ("extend", "steal") for size in (3, 4)}
    keys |= {f"hint.{kind}" for kind in ("meld", "extend", "extend.lower", "steal")}
    keys |= {f"hint.{take}.{kind}" for take in ("take", "swap") for kind in ("meld", "extend", "steal")}
    keys |= {f"form.{kind}" for kind in ("take", "draw", "swap", "meld", "extend", "extend.lower", "steal", "done")}
    keys |= {f"nothing_to_{kind}" for kind in ("extend", "steal")}
    keys |= {"prompt.take.joker", "prompt.take.pyramid.joker"}
    keys |= {f"option.{option.name}" for option in game.table_options}
    keys |= {f"option.free_from.{value}" for value in ("apex", "base")}
    keys |= {f"option.hidden_rows.{value}" for value in ROW_NAMES} | {f"option.hidden_cards.{value}" for value in CARD_NAMES}
    return keys | {game.deck.faces["L"]["name"]}


def named_keys() -> set[str]:
    """Return the keys that stand in the source as they are."""
    text = "\n".join(path.read_text("utf-8") for path in files("carteado.plugins.cascata").iterdir() if path.name.endswith(".py"))
    strings = set(re.findall(r'"([a-z_]+(?:\.[a-z_0-9]+)*)"', text))
    raised = set(re.findall(r'RuleBroken\("([a-z_]+)"', text))
    return strings & set(EN) | raised | set(re.findall(r'(?:blocked=|say\()\[?"([a-z_.]+)"', text))


def test_every_key_that_the_code_uses_has_an_english_text_and_no_text_is_unused() -> None:
    texts = {key.removesuffix(".you") for key in EN if key and not key.startswith("guide.")}  # those are the client's to use
    assert texts == {key.removesuffix(".you") for key in named_keys() | built_keys()}


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
def test_the_rules_text_names_every_option_and_every_size_of_a_pyramid(lang: str) -> None:
    text = game.rules(lang)
    assert [option.name for option in game.table_options if f"| `{option.name}` |" not in text] == []
    assert [row for row in ("| 2 | 6 | 21 | 25 |", "| 3 | 7 | 28 | 14 |", "| 4 | 7 | 28 | 10 |") if row not in text] == []


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
    """Yield the views of all seats and a watcher at every step of a random match."""
    rng = random.Random(seed)
    for options in VARIANTS:
        match = Match(game, options, [{"name": name} for name in NAMES])
        match.deal(rng.randbytes(32))
        hooks = Rules(game)
        while match.phase == "playing":
            if match.q == 60 and not match.options["substitute"]:
                match.leave(0)
                continue
            (seat,) = match.prompts
            view = match.view(seat)
            yield view
            yield match.view((None, 0, 1, 2)[match.q % 4])
            match.act(seat, match.prompts[seat].id, sample_action(hooks, view, rng))
        yield match.view(None)
        assert match.faults == []


@pytest.mark.parametrize("lang", ["en", "pt_PT", "pt_BR", "de"])
def test_every_message_of_a_match_can_be_said(lang: str) -> None:
    catalogue = game.words(lang)
    unsaid: dict[str, str] = {}
    kinds = set()
    for view in played(LANGUAGES.index(lang)):
        speech = Speech([catalogue], NAMES, game.deck.looks, you=view["you"])
        for message in messages(view):
            kinds.add(message[0])
            text = speech.text(message)
            if text == message[0] or "{" in text:
                unsaid[message[0]] = text
    assert unsaid == {}
    assert len(kinds) > 50


@pytest.mark.parametrize("lang", ["en", "pt_PT", "pt_BR", "de"])
def test_short_labels_fit_a_narrow_screen(lang: str) -> None:
    catalogue = game.words(lang)
    wide = {"form.": 16, "meld.": 9, "badge.points": 8, "label.stock": 18, "label.pyramid": 18, "label.out": 18}
    long = {
        key: text
        for key, entry in catalogue.items()
        for start, most in wide.items()
        if key.startswith(start)
        for text in ([entry] if isinstance(entry, str) else entry)
        if len(text) > most
    }
    assert long == {}
