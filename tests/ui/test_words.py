"""The client's own words: every key that is used exists, none is left over, and foreign text is harmless."""

from __future__ import annotations

import re
from pathlib import Path

from carteado.net.proofs import REASONS
from carteado.net.refusals import FAREWELLS, REFUSALS
from carteado.ui.terminal.glyphs import ASCII, UNICODE, fold
from carteado.ui.terminal.words import clean, own_catalogue, words_for

from .harness import CORE, local_for
from .tables import COLOURS, FRENCH, STEPS_WORDS, steps

SOURCES = sorted((Path(__file__).parents[2] / "ui" / "terminal").glob("*.py"))
TEXTS = own_catalogue("en")


def used() -> tuple[set[str], set[str]]:
    """Return the keys that stand in the sources, and the beginnings of those that are put together."""
    whole: set[str] = set()
    begun: set[str] = set()
    for source in SOURCES:
        text = source.read_text(encoding="utf-8")
        whole |= set(re.findall(r"""["'](ui\.[a-z_.]+[a-z])["']""", text))
        begun |= set(re.findall(r"""f["'](ui\.[a-z_.]*)\{""", text))
    return whole, begun


def test_every_key_in_the_sources_is_in_the_catalogue() -> None:
    whole, begun = used()
    assert [] == [
        key for key in sorted(whole) if key not in TEXTS and not any(one.startswith(f"{key}.") for one in TEXTS)
    ]
    assert [] == [start for start in sorted(begun) if not any(key.startswith(start) for key in TEXTS)]


def test_no_key_of_the_catalogue_is_unused() -> None:
    whole, begun = used()
    own = [key for key in TEXTS if key.startswith("ui.")]
    starts = (*begun, *(f"{key}." for key in whole))
    assert [] == [key for key in own if key not in whole and not key.startswith(starts)]


def test_every_command_and_query_of_the_client_has_its_words() -> None:
    from carteado.ui.terminal.line import QUERIES
    from carteado.ui.terminal.offers import COMMANDS, WISHES

    keys = [f"ui.do.{name}" for name in (*(name for name, *_ in COMMANDS), *(wish.name for wish in WISHES))]
    keys += [f"ui.line.help.{letter}" for letter in QUERIES if letter != "?"]
    keys += [f"ui.link.{line}" for line in ("connecting", "syncing", "live", "lost", "gone")]
    assert [] == [key for key in keys if key not in TEXTS]


def test_every_refusal_and_farewell_of_a_host_has_words() -> None:
    assert [] == [code for code in (*REFUSALS, *FAREWELLS) if code not in TEXTS and code not in CORE]


def test_every_reason_of_a_proof_has_words() -> None:
    assert [] == [reason for reason in REASONS if (f"ui.fair.{reason}" if reason else "ui.fair") not in TEXTS]


def test_every_placeholder_of_a_plural_is_in_both_forms_or_is_the_number() -> None:
    for text in TEXTS.values():
        if isinstance(text, list):
            one, other = (set(re.findall(r"\{(\w+)\}", form)) for form in text)
            assert one - {"n"} == other - {"n"}


def test_a_sentence_keeps_its_cards_apart_and_coloured() -> None:
    words = words_for([STEPS_WORDS, CORE, TEXTS], COLOURS)
    line = words.line(["dd.log.discarded", {"who": {"$player": 0}, "card": {"$card": "G4"}}])
    assert ("4■", "green") in line
    assert words.text(["dd.log.discarded", {"who": {"$player": 0}, "card": {"$card": "G4"}}]) == "".join(
        part for part, _ in line
    )


def test_ranks_are_letters_of_the_language_and_ten_is_a_number() -> None:
    words = words_for([{"rank.J": "V"}, CORE, TEXTS], FRENCH)
    assert ["V♣", "10♥", "★"] == [words.token(face)[0] for face in ("CJ", "HT", "*")]
    assert "ten of hearts" == words.said("HT")


def test_names_and_messages_from_others_cannot_move_the_cursor_or_turn_the_text() -> None:
    assert "Evil[31mname" == clean("Evil\x1b[31m\u202ename\u200b\x07")
    view = steps()
    view["seats"][1]["name"] = "\x1b]0;owned\x07\u202eAna"
    local = local_for(view, STEPS_WORDS, COLOURS)
    assert "]0;ownedAna" == local.words.player(1)


def test_without_utf8_everything_is_ascii() -> None:
    words = words_for([{"a": "Léo tirou 10—é vez"}, CORE, TEXTS], COLOURS, utf8=False)
    assert "Leo tirou 10-e vez" == words.text("a")
    assert words.token("R7")[0].isascii()
    assert fold("漢").isascii()


def test_all_signs_of_the_ascii_set_are_ascii_and_both_sets_have_the_same() -> None:
    assert all(str(value).isascii() for value in vars(ASCII).values())
    assert vars(ASCII).keys() == vars(UNICODE).keys()


def test_signs_in_a_games_own_texts_are_ascii_where_letters_stand_for_suits() -> None:
    words = words_for([{"x": "► 2. ✓ ⚑ forehand −5"}], {}, ascii=True)
    assert "> 2. x * forehand -5" == words("x")
    assert "► 2." in words_for([{"x": "► 2."}], {})("x")
