"""Players that know no game: random fillings of forms, and the game's advice."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from tablegames import GAMES, Discards, Passing, random_match, scripted, start, turn_of

from carteado.core.bots import GENERIC, RandomPlayer, RulePlayer, UnknownLevel, levels, player, sample_action
from carteado.core.bots.fillings import fillings
from carteado.core.bots.sample import fill, held, value_of
from carteado.core.errors import PluginFault, Refused
from carteado.core.match import Match

VIEW = {"zones": [{"name": "hand", "cards": ["A1", "A1", "?", "", "B2"]}, {"name": "deck", "cards": None}]}


def drawn(field: dict[str, Any], times: int = 200) -> list[Any]:
    rng = random.Random(1)
    return [value_of(VIEW, field, rng) for _ in range(times)]


@pytest.mark.parametrize(("zone", "faces"), [("hand", ["A1", "A1", "B2"]), ("deck", []), ("attic", [])])
def test_the_faces_a_view_shows_are_neither_hidden_nor_empty(zone: str, faces: list[str]) -> None:
    assert faces == held(VIEW, zone)


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ({"kind": "choice", "of": [{"value": False}, {"value": "x"}]}, {False, "x"}),
        ({"kind": "number", "low": 2, "high": 4, "of": None}, {2, 3, 4}),
        ({"kind": "number", "low": 2, "high": 9, "of": [2, 9]}, {2, 9}),
        ({"kind": "place", "places": [0, 5]}, {0, 5}),
        ({"kind": "target", "zones": ["a", "b"]}, {"a", "b"}),
    ],
)
def test_every_value_that_a_field_offers_is_drawn(field: dict[str, Any], values: set[Any]) -> None:
    assert values == set(drawn(field))


@pytest.mark.parametrize(
    "field",
    [
        {"kind": "choice", "of": []}, {"kind": "number", "low": 2, "high": 1, "of": None},
        {"kind": "number", "low": 2, "high": 4, "of": []},
        {"kind": "place", "places": []}, {"kind": "target", "zones": []}, {"kind": "pick", "zone": "deck", "n": [1, 1], "cards": None},
        {"kind": "pick", "zone": "hand", "n": [4, 5], "cards": None}, {"kind": "pick", "zone": "hand", "n": [1, 1], "cards": ["Z9"]},
        {"kind": "groups", "zone": "hand", "like": [["set", {}]]}, {"kind": "of the future"},
    ],
)  # fmt: skip
def test_a_field_that_offers_nothing_is_not_filled(field: dict[str, Any]) -> None:
    assert {None} == set(drawn(field, 5))


def test_cards_are_drawn_by_number_and_never_more_of_a_face_than_there_are() -> None:
    picks = drawn({"kind": "pick", "zone": "hand", "n": [1, 5], "cards": None})
    assert ({1, 2, 3}, []) == ({len(pick) for pick in picks}, [pick for pick in picks if Counter(pick) - Counter(held(VIEW, "hand"))])


def test_only_offered_cards_are_drawn() -> None:
    assert {("B2",)} == {tuple(pick) for pick in drawn({"kind": "pick", "zone": "hand", "n": [1, 1], "cards": ["B2", "Z9"]})}


def test_optional_fields_are_filled_about_half_of_the_time() -> None:
    form = {"type": "x", "fields": {"n": {"kind": "number", "low": 1, "high": 1, "of": None, "optional": True}}}
    rng = random.Random(1)
    assert 60 < sum("n" in (fill(VIEW, form, rng) or {}) for _ in range(200)) < 140


def test_an_optional_field_that_offers_nothing_is_left_out() -> None:
    form = {"type": "x", "fields": {"n": {"kind": "place", "places": [], "optional": True}}}
    assert {"type": "x"} == fill(VIEW, form, random.Random(1))


def test_a_form_with_a_field_that_offers_nothing_cannot_be_filled() -> None:
    assert None is fill(VIEW, {"type": "x", "fields": {"n": {"kind": "place", "places": []}}}, random.Random(1))


def test_blocked_forms_are_never_chosen() -> None:
    match = start(GAMES["peaks"](), 2)
    seat = turn_of(match)[0]
    rng = random.Random(1)
    chosen = {(sample_action(match.rules, match.view(seat), rng) or {})["type"] for _ in range(60)}
    assert {"take", "peek", "draw"} == chosen


def test_a_form_that_cannot_be_filled_is_passed_over_for_another() -> None:
    view = {
        "prompts": [
            {
                "forms": [
                    {"type": "a", "blocked": None, "fields": {"p": {"kind": "place", "places": []}}},
                    {"type": "b", "blocked": None, "fields": {}},
                ]
            }
        ],
        "zones": [],
    }
    rules = start(Discards()).rules
    assert {"b"} == {(sample_action(rules, view, random.Random(number)) or {})["type"] for number in range(20)}


def test_the_games_own_sampler_comes_first() -> None:
    match = start(scripted(sample=lambda self, view, form, rng: {"type": form["type"], "mine": True} if form["type"] == "pass" else None))
    view = match.view(turn_of(match)[0])
    drawn = [sample_action(match.rules, view, random.Random(number)) for number in range(20)]
    assert {("pass", True), ("play", None)} == {(action["type"], action.get("mine")) for action in drawn if action}


def test_a_sampler_that_breaks_is_named() -> None:
    match = start(scripted(sample=lambda self, view, form, rng: [][0]))
    with pytest.raises(PluginFault, match="plugin 'scripted', hook 'sample': IndexError"):
        sample_action(match.rules, match.view(turn_of(match)[0]), random.Random(1))


def test_sampling_leaves_the_view_as_it_is() -> None:
    match = start(Passing(), 3)
    view = match.view(0)
    sample_action(match.rules, view, random.Random(1))
    assert match.view(0) == view


@pytest.mark.parametrize(("name", "players"), [("discards", 3), ("passing", 3), ("peaks", 2), ("partners", 4), ("blanks", 2)])
def test_every_random_filling_fits_its_form(name: str, players: int) -> None:
    match = start(GAMES[name](), players)
    seat, prompt = turn_of(match)
    rng = random.Random(3)
    codes = set()
    for _ in range(80):
        try:
            match.try_act(seat, prompt, sample_action(match.rules, match.view(seat), rng))
        except Refused as refusal:
            codes.add(refusal.code)
    assert codes <= {"king_stays", "lucky_stays", "not_next"}


def test_every_random_filling_is_among_all_fillings() -> None:
    match = start(GAMES["partners"](), 4)
    seat = turn_of(match)[0]
    view = match.view(seat)
    every = [action for form in view["prompts"][0]["forms"] for action in fillings(view, form) or ()]
    rng = random.Random(3)
    drawn = [sample_action(match.rules, view, rng) for _ in range(80)]
    same = [{**action, **({"cards": sorted(action["cards"])} if "cards" in action else {})} for action in drawn if action]
    assert [] == [action for action in same if action not in every]


# Players


def one_move(game: Any, bot: Any, number: int = 1) -> tuple[Match, dict[str, Any]]:
    match = start(game)
    return match, bot(match.game).choose(match.view(turn_of(match)[0]), random.Random(number))


def test_the_same_random_numbers_give_the_same_choice() -> None:
    assert one_move(Discards(), RandomPlayer, 5)[1] == one_move(Discards(), RandomPlayer, 5)[1]


def test_a_random_player_that_can_fill_no_form_says_which_stage() -> None:
    with pytest.raises(PluginFault, match="no form of stage 'play' can be filled"):
        one_move(scripted(options=lambda self, table, seat: []), RandomPlayer)


def test_the_rule_player_plays_what_the_game_suggests() -> None:
    assert {"type": "pass"} == one_move(scripted(suggest=lambda self, view, rng: {"type": "pass"}), RulePlayer)[1]


def test_without_a_suggestion_the_rule_player_takes_the_weightiest_hint() -> None:
    hints = [
        {"text": ["a", {}], "action": None, "weight": 9},
        {"text": ["b", {}], "action": {"type": "pass"}, "weight": 2},
        {"text": ["c", {}], "action": {"type": "other"}},
    ]
    assert {"type": "pass"} == one_move(scripted(hints=lambda self, view: hints), RulePlayer)[1]


def test_without_any_advice_the_rule_player_plays_at_random() -> None:
    assert one_move(Discards(), RandomPlayer, 5)[1] == one_move(Discards(), RulePlayer, 5)[1]


def test_advice_that_breaks_is_named() -> None:
    with pytest.raises(PluginFault, match="plugin 'scripted', hook 'suggest': IndexError"):
        one_move(scripted(suggest=lambda self, view, rng: [][0]), RulePlayer)


def test_every_game_has_the_generic_levels() -> None:
    assert set(GENERIC) <= set(levels(Discards()))


def test_the_levels_a_game_claims_come_first() -> None:
    game = scripted(levels=("own", "rule", "nowhere"), bots={"own": lambda: "mine"})
    assert ["own", "rule"] == levels(game)[:2]


def test_a_games_own_player_comes_before_the_generic() -> None:
    assert "mine" == player(scripted(bots={"rule": lambda: "mine"}), "rule")


def test_a_level_that_does_not_exist_is_answered_with_those_that_do() -> None:
    with pytest.raises(UnknownLevel, match="Discards has no computer player 'genius'; there are random, rule"):
        player(Discards(), "genius")


@pytest.mark.parametrize(("name", "players"), [("discards", 4), ("passing", 3), ("peaks", 2), ("partners", 4)])
def test_random_players_play_whole_matches_of_any_game(name: str, players: int) -> None:
    assert "over" == random_match(GAMES[name](), players, 99).phase
