"""Messages to text: plurals, you and others, lists, cards, and arguments that nobody expands twice."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from properties import quick

import carteado.core.words
from carteado.core.api import FRENCH_54, C, L, P, Speech
from carteado.core.errors import REFUSALS
from carteado.core.words import render

CATALOGUE: dict[str, Any] = {
    "": {"lang": "en", "plural": "n != 1"},
    "played": "{who} plays {card}.",
    "played.you": "You play {card}.",
    "cards": ["{n} card", "{n} cards"],
    "laid": "{who} lays {groups}.",
    "list.last": "{rest} and {last}",
    "nested": "({inner})",
    "suit.H": "hearts",
    "rank.J": "J",
    "rank.name.J": "jack",
    "face.joker": "joker",
    "card.spoken": "{rank} of {suit}",
    "twice": "{x} and {x}",
    "empty": "",
}
PORTUGUESE = {"": {"lang": "pt", "plural": "n > 1"}, "cards": ["{n} carta", "{n} cartas"]}
NAMES = ["Ana", "Bruno", "{who}"]


def speech(**settings: Any) -> Speech:
    return Speech([CATALOGUE], NAMES, FRENCH_54.looks, **settings)


def test_arguments_are_put_where_the_sentence_has_them() -> None:
    assert "Ana plays J♥." == speech().text(["played", {"who": P(0), "card": C("HJ")}])


@pytest.mark.parametrize(("you", "said"), [(0, "You play J♥."), (1, "Ana plays J♥."), (None, "Ana plays J♥.")])
def test_readers_are_addressed_as_you(you: int | None, said: str) -> None:
    assert said == speech(you=you).text(["played", {"who": P(0), "card": C("HJ")}])


def test_where_no_other_form_exists_the_reader_is_named_like_anybody() -> None:
    assert "Ana lays J♥." == speech(you=0).text(["laid", {"who": P(0), "groups": C("HJ")}])


@pytest.mark.parametrize(("n", "said"), [(0, "0 cards"), (1, "1 card"), (2, "2 cards"), (-1, "-1 cards")])
def test_english_counts_one_and_others(n: int, said: str) -> None:
    assert said == speech().text(["cards", {"n": n}])


@pytest.mark.parametrize(("n", "said"), [(0, "0 carta"), (1, "1 carta"), (2, "2 cartas")])
def test_portuguese_of_brazil_counts_nothing_like_one(n: int, said: str) -> None:
    assert said == Speech([PORTUGUESE]).text(["cards", {"n": n}])


def test_a_message_that_counts_nothing_takes_the_form_for_one() -> None:
    assert "{n} card" == speech().text(["cards", {}])


def test_a_number_that_is_none_takes_the_form_for_one() -> None:
    assert "many card" == speech().text(["cards", {"n": "many"}])


@pytest.mark.parametrize(
    ("items", "said"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c"), ([P(0), C("HJ"), 3], "Ana, J♥ and 3")],
)
def test_lists_are_joined_as_the_language_does(items: list[Any], said: str) -> None:
    assert said == speech().text(["nested", {"inner": L(items)}])[1:-1]


def test_lists_are_joined_by_commas_where_the_language_does_not_say() -> None:
    assert "a, b" == Speech([{"x": "{l}"}]).text(["x", {"l": L(["a", "b"])}])


def test_messages_hold_messages() -> None:
    assert "((2 cards))" == speech().text(["nested", {"inner": ["nested", {"inner": ["cards", {"n": 2}]}]}])


def test_an_unknown_key_stands_for_itself() -> None:
    assert "nobody.knows" == speech().text(["nobody.knows", {"n": 1}])


def test_a_word_alone_is_a_message() -> None:
    assert ("hearts", "unknown") == (speech().text("suit.H"), speech().text("unknown"))


def test_a_place_without_an_argument_stays() -> None:
    assert "{who} plays J♥." == speech().text(["played", {"card": C("HJ")}])


def test_a_key_is_looked_for_in_one_catalogue_after_the_other() -> None:
    words = Speech([{"a": "game"}, {"a": "core", "b": "core"}, {"c": "screen"}])
    assert ["game", "core", "screen"] == [words.text(key) for key in "abc"]


def test_an_empty_text_is_a_text() -> None:
    assert "" == speech().text(["empty", {}])


# Cards


@pytest.mark.parametrize(
    ("face", "plain", "ascii", "spoken"),
    [
        ("HJ", "J♥", "Jh", "jack of hearts"),
        ("HT", "10♥", "10h", "10 of hearts"),
        ("H7", "7♥", "7h", "7 of hearts"),
        ("*", "★", "**", "joker"),
        ("X9", "X9", "X9", "X9"),
        ("?", "?", "?", "?"),
        ("", "", "", ""),
    ],
)
def test_cards_are_shown_as_signs_letters_or_words(face: str, plain: str, ascii: str, spoken: str) -> None:
    assert (plain, ascii, spoken) == (speech().card(face), speech(ascii=True).card(face), speech(spoken=True).card(face))


@pytest.mark.parametrize(("face", "rank"), [("HJ", "J"), ("HT", "10"), ("H12", "12"), ("*", ""), ("", "")])
def test_a_rank_is_shown_in_the_readers_letters(face: str, rank: str) -> None:
    assert rank == speech().rank(face)


def test_a_language_may_have_letters_of_its_own() -> None:
    assert "V♥" == Speech([{"rank.J": "V"}], looks=FRENCH_54.looks).card("HJ")


@pytest.mark.parametrize(("seat", "name"), [(0, "Ana"), (2, "{who}"), (3, "#3"), (-1, "#-1"), ("0", "#0"), (None, "#None")])
def test_players_are_named_by_seat(seat: Any, name: str) -> None:
    assert name == speech().player(seat)


# Hostile arguments


def test_an_argument_that_looks_like_a_place_is_not_filled_in() -> None:
    assert "{who} plays {card}." == speech().text(["played", {"who": P(2), "card": "{card}"}])


def test_a_list_item_that_looks_like_a_place_is_not_filled_in() -> None:
    assert "({last}, {rest} and b)" == speech().text(["nested", {"inner": L(["{last}", "{rest}", "b"])}])


def test_each_place_is_filled_in_from_the_message_and_not_from_what_was_put_in() -> None:
    assert "{y} and {y}" == speech().text(["twice", {"x": "{y}", "y": "no"}])


def test_an_argument_cannot_name_a_key_by_being_a_string() -> None:
    assert "(suit.H)" == speech().text(["nested", {"inner": "suit.H"}])


@pytest.mark.parametrize(
    "message",
    [[], (), ["played"], ["played", None], ["played", []], ["played", 3], [3, {}], [None, {}], [["x"]], 7, None, {}],
)
def test_a_message_of_the_wrong_shape_is_still_some_text(message: Any) -> None:
    assert isinstance(speech(you=0).text(message), str)


@pytest.mark.parametrize("catalogue", [{"": "x", "a": ["one", "two"]}, {"a": {}}, {"a": 3}, {"a": None}, {"a": []}, {"": {"plural": 7}}])
def test_a_catalogue_of_the_wrong_shape_still_gives_some_text(catalogue: Any) -> None:
    assert isinstance(Speech([catalogue]).text(["a", {"n": 2}]), str)


ARGUMENTS = st.recursive(
    st.none() | st.integers() | st.text(max_size=8) | st.sampled_from(["{who}", "{rest}", "{last}", "{n}", "{0}", "{", "}"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["$player", "$card", "$list", "x"]), inner, max_size=2)
    ),
    max_leaves=6,
)


@quick
@given(st.sampled_from([*CATALOGUE, "unknown"]), st.dictionaries(st.sampled_from(["who", "card", "n", "x", "inner"]), ARGUMENTS))
def test_any_plain_message_is_some_text(key: str, args: dict[str, Any]) -> None:
    if key:
        assert isinstance(speech(you=1, spoken=True).text([key, args]), str)


@quick
@given(st.text(max_size=12))
def test_a_string_argument_appears_as_it_is(text: str) -> None:
    assert f"({text})" == speech().text(["nested", {"inner": text}])


def test_render_is_speech_in_one_call() -> None:
    assert "You play J♥." == render(["played", {"who": P(0), "card": C("HJ")}], [CATALOGUE], NAMES, FRENCH_54.looks, you=0)


# The core's own catalogue

ENGLISH = json.loads((Path(carteado.core.words.__file__).parent / "locale" / "en.json").read_text())


def test_every_refusal_of_the_core_has_an_english_sentence() -> None:
    assert set() == set(REFUSALS) - set(ENGLISH)


@pytest.mark.parametrize("code", sorted(REFUSALS))
def test_a_refusal_in_english_leaves_no_place_open_that_the_core_fills(code: str) -> None:
    data: dict[str, Any] = {
        "unknown_action": {"type": "fly"}, "blocked": {"why": ["stale", {}]}, "missing_field": {"field": "cards"},
        "bad_field": {"field": "cards"}, "wrong_count": {"n": 1, "most": 2}, "not_held": {"card": C("HJ")},
        "not_offered": {"card": C("HJ")}, "bad_option": {"option": "hands", "value": "99"}, "unknown_option": {"option": "speed"},
        "bad_players": {"n": 9, "low": 2, "high": 4},
    }.get(code, {})  # fmt: skip
    assert [] == re.findall(r"\{[a-z_]+\}", Speech([ENGLISH], looks=FRENCH_54.looks).text([code, data]))
