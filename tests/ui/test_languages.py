"""Every language is complete and fits; what is not translated shows."""

from __future__ import annotations

import importlib.util
import json
import random
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from carteado.core.bots import player
from carteado.core.errors import Refused
from carteado.core.loader import installed, load
from carteado.core.match import Match
from carteado.ui.terminal import pages, spoken
from carteado.ui.terminal.grid import width
from carteado.ui.terminal.local import Local
from carteado.ui.terminal.offers import SPARE
from carteado.ui.terminal.room import Chair, Room
from carteado.ui.terminal.table import paint
from carteado.ui.terminal.words import LANGUAGES, catalogue, next_language, own_catalogue, words_for

from .harness import CORE
from .tables import TABLES

ROOT = Path(__file__).parents[2]
PLACE = re.compile(r"\{([a-z_0-9]+)\}")
OTHERS = [lang for lang in LANGUAGES if lang != "en"]
RULES = {"en": "n != 1", "pt_PT": "n != 1", "pt_BR": "n > 1", "de": "n != 1"}


def alone(area: str, lang: str) -> Mapping[str, Any]:
    """Return the texts of one language without those that stand in for missing ones."""
    texts: Mapping[str, Any] = json.loads((ROOT / area / "locale" / f"{lang}.json").read_text(encoding="utf-8"))
    return texts


def forms(entry: Any) -> list[str]:
    return [entry] if isinstance(entry, str) else list(entry)


def places(entry: Any) -> list[set[str]]:
    """Return the places of each form; the number itself may be left out of one form and stand in another."""
    return [set(PLACE.findall(form)) - {"n"} for form in forms(entry)]


@pytest.mark.parametrize("area", ["core", "ui"])
@pytest.mark.parametrize("lang", OTHERS)
def test_every_language_has_every_text_with_the_same_places(area: str, lang: str) -> None:
    english, other = alone(area, "en"), alone(area, lang)
    assert english.keys() == other.keys()
    assert {key: places(english[key]) for key in english if key} == {key: places(other[key]) for key in other if key}
    numbered = [key for key in english if key and any("{n}" in form for form in forms(english[key]))]
    assert [] == [key for key in numbered if not any("{n}" in form for form in forms(other[key]))]


@pytest.mark.parametrize("area", ["core", "ui"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_plural_rule_is_the_languages_own(area: str, lang: str) -> None:
    assert {"lang": lang, "plural": RULES[lang]} == alone(area, lang)[""]


@pytest.mark.parametrize("area", ["core", "ui"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_the_program_reads_is_what_was_translated(area: str, lang: str) -> None:
    spec = importlib.util.spec_from_file_location("export_of_words", ROOT / ".ci" / "words.py")
    assert spec is not None
    assert spec.loader is not None
    export = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(export)
    source = ROOT / area / "locale" / f"{lang}.po"
    assert export.exported(source) == source.with_suffix(".json").read_text(encoding="utf-8")
    assert "#, fuzzy" not in source.read_text(encoding="utf-8")


def test_a_language_without_a_region_is_one_that_is_there_and_the_languages_go_round() -> None:
    assert own_catalogue("pt_PT") == own_catalogue("pt") == own_catalogue("pt_AO")
    assert own_catalogue("de") == own_catalogue("de_CH")
    assert own_catalogue("en") == own_catalogue("fr")
    seen = ["en"]
    for _ in LANGUAGES:
        seen.append(next_language(seen[-1]))
    assert [*LANGUAGES, "en"] == seen
    assert "en" == next_language("fr")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_short_labels_stay_short(lang: str) -> None:
    texts = {**alone("core", lang), **alone("ui", lang)}
    budgets = {
        **{key: 2 for key in texts if re.fullmatch(r"rank\.[A-Z]", key)},
        **{key: 18 for key in texts if key.startswith("ui.keys.")},
        **{key: 26 for key in texts if key.startswith("ui.do.")},
        **{f"ui.do.{name}": 16 for name in SPARE},
        **{key: 12 for key in texts if key.startswith("ui.state.")},
        **{key: 31 for key in texts if key.startswith("ui.link.")},
    }
    assert {} == {key: texts[key] for key, most in budgets.items() if width(texts[key]) > most}


# a language that nobody speaks: what is not in it was never translated

ACCENTS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "áƀćđéƒĝĥíĵķłɱñóƥɋŕśťúṽŵẋýžÁƁĆĐÉƑĜĤÍĴĶŁṀÑÓƤɊŔŚŤÚṼŴẊÝŽ"
)


def pseudo(texts: Mapping[str, Any]) -> dict[str, Any]:
    """Return a catalogue in a language of accents, every text 40 % longer; ranks stay one letter."""

    def said(text: str) -> str:
        parts = PLACE.split(text)
        told = "".join(f"{{{part}}}" if number % 2 else part.translate(ACCENTS) for number, part in enumerate(parts))
        length = sum(len(part) for part in parts[::2])
        return told if length < 3 else told + "~" * max(1, round(0.4 * length))

    made: dict[str, Any] = {}
    for key, entry in texts.items():
        made[key] = entry if not key else said(entry) if isinstance(entry, str) else [said(form) for form in entry]
    return made


PSEUDO = [pseudo(CORE), pseudo(own_catalogue("en"))]
FOREIGN = re.compile(r"[A-Za-z]{3,}")
ROOM = Room("playing", [Chair(0, "S0"), Chair(1, "S1")], frozenset({"ready", "leave", "pause"}), title="T0")


def given(value: Any) -> Iterator[str]:
    """Yield the words that stand in the arguments of a view's messages: the game says these as they are."""
    if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], dict):
        for argument in value[1].values():
            if isinstance(argument, str):
                yield from FOREIGN.findall(argument)
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from given(part)


def accented(game: str) -> tuple[dict[str, Any], Local]:
    """Return a view whose names are no words, and a screen whose reader speaks the language of accents."""
    make, words, looks = TABLES[game]
    view = make()
    view = {**view, "title": "T0", "seats": [{**seat, "name": f"S{seat['seat']}"} for seat in view["seats"]]}
    local = Local(words_for([pseudo(words), *PSEUDO], looks), can_chat=True)
    local.see(view)
    local.room = ROOM
    return view, local


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (60, 20)], ids=str)
@pytest.mark.parametrize("game", TABLES)
def test_nothing_on_the_table_is_hard_coded_and_the_prompt_is_whole_in_a_longer_language(game: str, size: tuple[int, int]) -> None:
    view, local = accented(game)
    text = paint(view, local, *size).text()
    assert [] == [word for word in FOREIGN.findall(text) if word not in {*given(view)}]
    told = view["layout"].get("prompt")
    if told is not None:
        assert "".join(local.words.text(told).split()) in "".join(text.split())


@pytest.mark.parametrize("game", TABLES)
def test_no_page_and_no_spoken_line_is_hard_coded(game: str) -> None:
    view, local = accented(game)
    boxes = [pages.help_page(view, local), pages.points_page(view, local), pages.log_page(view, local), pages.groups_page(view, local)]
    said = [text for box in boxes for line in [[(box.title, "")], *box.body] for text, _ in line]
    said += [*spoken.table_lines(view, local), *spoken.hand_lines(view, local), *spoken.score_said(view, local)]
    said += [spoken.prompt_said(view, local), *spoken.choice_lines(view, local), *spoken.room_lines(ROOM, local)]
    assert [] == [word for text in said for word in FOREIGN.findall(text) if word not in {"Ctrl", *given(view)}]


@pytest.mark.parametrize("size", [(80, 24), (60, 20)], ids=str)
def test_the_waiting_room_is_whole_in_a_longer_language(size: tuple[int, int]) -> None:
    local = Local(words_for(PSEUDO, {}), can_chat=True)
    chairs = [Chair(0, "S0"), Chair(1, line="empty"), Chair(2, "S2", "rule")]
    local.room = Room("lobby", chairs, frozenset({"start", "fill", "ready"}), title="T0")
    text = paint(None, local, *size).text()
    assert [] == FOREIGN.findall(text)
    assert "".join(local.words("ui.lobby.waiting", n=1).split()) in "".join(text.split())


@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("name", [listed.name for listed in installed()])
def test_every_game_fits_on_a_small_screen_in_every_language(name: str, lang: str) -> None:
    game = load(name)
    rng = random.Random(5)
    count = min(4, game.seats[1])
    match = Match(game, seats=[{"name": one, "bot": None} for one in ("Rita", "Ana", "Bruno", "Carla")[:count]], table="t-1")
    bot = player(game, "random")
    core, own = catalogue("carteado.core", lang), own_catalogue(lang)
    local = Local(words_for([game.words(lang), game.words("en"), core, own], game.deck.looks))
    local.room = Room("playing", title=game.title)
    for _ in range(60):
        if match.phase == "dealing":
            match.deal(rng.randbytes(32))
        if match.phase == "over":
            break
        seat, prompt = next(iter(match.prompts.items()))
        view = match.view(seat)
        local.see(view)
        text = paint(view, local, 80, 24).text()
        told = local.words.text(view["layout"]["prompt"]) if view["layout"].get("prompt") else ""
        assert "".join(told.split()) in "".join(text.split())
        try:
            match.act(seat, prompt.id, bot.choose(view, rng))
        except Refused:  # a random player may break a rule; it is asked again
            continue
