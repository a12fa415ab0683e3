"""Forms from the player's side: what fits, what is missing, what a gesture means. No screen."""

from __future__ import annotations

from typing import Any

from carteado.ui.terminal.filling import Filling, fit, forms_of, reach
from carteado.ui.terminal.intent import Ask, Choose, Say, Send, aim, enter, press

from .tables import HAND, form, pick, pyramid, steps, trick, view, zone


def named(table: Any, type: str) -> Any:
    return next(form for form in forms_of(table) if form["type"] == type)


def hand(*faces: str) -> dict[str, list[str]]:
    return {"hand/0": list(faces)}


def test_a_marked_card_dropped_on_its_zone_is_a_whole_action() -> None:
    outcome = aim(steps(), hand("R2"), ("discard", None), "Discards")
    assert isinstance(outcome, Send)
    assert {"type": "discard", "cards": ["R2"]} == outcome.filling.action()


def test_the_cards_decide_between_two_forms_of_one_zone() -> None:
    outcome = aim(steps(), hand("S"), ("discard", None), "Discards")
    assert isinstance(outcome, Ask)
    assert ("skip", "seat") == (outcome.filling.form["type"], outcome.filling.missing())


def test_a_target_named_first_or_last_gives_the_same_action() -> None:
    table = steps()
    dropped = aim(table, hand("R9"), ("group/1", None), "set")
    named_first = press(table, named(table, "hit"), hand("R9"))
    assert isinstance(dropped, Send)
    assert isinstance(named_first, Ask)
    assert dropped.filling.action() == named_first.filling.put("group", "group/1").action()


def test_cards_a_form_does_not_take_are_refused_with_the_card_named() -> None:
    outcome = aim(steps(), hand("R2"), ("group/1", None), "set")
    assert isinstance(outcome, Say)
    assert "ui.not_for" == outcome.message[0]
    assert {"$card": "R2"} == outcome.message[1]["card"]


def test_too_many_cards_are_refused_with_the_number_wanted() -> None:
    outcome = press(steps(), named(steps(), "discard"), hand("R2", "Y6"))
    assert Say(["ui.mark_for.exact", {"n": 1, "form": ["form.discard", {}]}]) == outcome


def test_a_blocked_form_says_its_reason() -> None:
    table = pyramid()
    assert Say(["covered", {}]) == press(table, named(table, "steal"), {})


def test_pointing_at_something_useless_says_so() -> None:
    assert Say(["ui.nothing_there", {"zone": "Stock"}]) == aim(steps(), {}, ("deck", None), "Stock")


def test_nothing_can_be_done_when_it_is_somebody_elses_turn() -> None:
    table = steps(prompts=[], seats=[*steps()["seats"][1:2]])
    table["seats"][0]["asked"] = "play"
    outcome = aim(table, {}, ("deck", None), "Stock")
    assert isinstance(outcome, Say)
    assert "ui.prompt.wait" == outcome.message[0]


def test_a_click_on_the_stock_draws_whatever_is_marked() -> None:
    table = pyramid()
    outcome = aim(table, hand("D7"), ("reserve", None), "Reserve")
    assert isinstance(outcome, Send)
    assert {"type": "draw"} == outcome.filling.action()


def test_a_place_is_taken_or_swapped_by_what_is_marked() -> None:
    table = pyramid()
    taken = aim(table, {}, ("pyramid", 1), "Pyramid")
    swapped = aim(table, hand("*"), ("pyramid", 5), "Pyramid")
    assert isinstance(taken, Send)
    assert {"type": "take", "place": 1} == taken.filling.action()
    assert isinstance(swapped, Send)
    assert {"type": "swap", "joker": ["*"], "place": 5} == swapped.filling.action()


def test_a_place_that_is_not_offered_is_refused_even_if_its_zone_means_the_form() -> None:
    table = pyramid()
    named(table, "take")["on"] = "pyramid"
    outcome = aim(table, {}, ("pyramid", 12), "Pyramid")
    assert Say(["ui.not_that_place", {"form": ["form.take", {}]}]) == outcome


def test_two_forms_that_fit_equally_are_for_the_player_to_choose() -> None:
    forms = [form("keep", cards=pick("hand/0")), form("give", cards=pick("hand/0"))]
    table = view(
        zones=[zone("hand/0", "fan", ["R1"], 0)], prompts=[{"id": 1, "stage": "x", "forms": forms, "hints": []}]
    )
    outcome = enter(table, hand("R1"), sure=True)
    assert isinstance(outcome, Choose)
    assert ["keep", "give"] == [filling.form["type"] for filling in outcome.fillings]


def test_enter_plays_a_marked_card_by_the_default_form() -> None:
    outcome = enter(trick(), hand("S8"), sure=True)
    assert isinstance(outcome, Send)
    assert {"type": "play", "cards": ["S8"]} == outcome.filling.action()


def test_enter_on_an_illegal_marked_card_says_why_not() -> None:
    outcome = enter(trick(), hand("HA"), sure=True)
    assert isinstance(outcome, Say)
    assert "ui.not_for" == outcome.message[0]


def test_enter_on_a_card_that_only_has_the_focus_never_lays_or_adds_it() -> None:
    table = steps()
    for one in forms_of(table):
        one["default"] = False
    outcome = enter(table, hand("R9"), sure=False)
    assert isinstance(outcome, Say)


def test_enter_with_many_marked_cards_finds_the_form_that_takes_many() -> None:
    outcome = enter(steps(), hand(*HAND[:7]), sure=True)
    assert isinstance(outcome, Send)
    assert {"type": "lay", "cards": HAND[:7]} == outcome.filling.action()


def test_a_form_whose_card_blanks_are_all_optional_still_asks_for_one_of_them() -> None:
    filling = Filling(7, named(steps(), "lay"))
    assert "groups" == filling.missing()
    assert filling.put("cards", HAND[:7]).missing() is None


def test_groups_are_filled_one_by_one_in_the_order_they_are_wanted() -> None:
    filling = Filling(7, named(steps(), "lay")).add_group("groups", ["B7", "G7", "W"])
    assert "groups" == filling.missing()
    assert 1 == filling.spent()["W"]
    whole = filling.add_group("groups", ["R9", "R10", "Y11", "R12"])
    assert whole.missing() is None
    assert [["B7", "G7", "W"], ["R9", "R10", "Y11", "R12"]] == whole.action()["groups"]


def test_what_can_be_chosen_in_only_one_way_is_not_asked_for() -> None:
    only = form(
        "x",
        seat={"kind": "choice", "of": [{"value": 2, "label": ["a", {}]}]},
        n={"kind": "number", "low": 3, "high": 3},
        to={"kind": "target", "zones": ["pile"]},
    )
    assert {"type": "x", "seat": 2, "n": 3, "to": "pile"} == fit(1, only, {}).filling.action()


def test_an_optional_blank_is_asked_for_only_when_somebody_wants_it() -> None:
    maybe = form("x", seat={"kind": "choice", "of": [{"value": 1, "label": ["a", {}]}], "optional": True})
    assert Filling(1, maybe).missing() is None
    assert "seat" == Filling(1, maybe, asked=("seat",)).missing()


def test_what_is_in_reach_depends_on_what_is_marked() -> None:
    table = steps()
    assert frozenset() == reach(table, {}).zones
    assert {"group/1", "group/2", "discard"} == reach(table, hand("R9")).zones
    assert {"discard"} == reach(table, hand("R2")).zones


def test_only_cards_that_are_fewer_than_all_are_in_reach() -> None:
    assert {"hand/0": frozenset({"SA", "S8"})} == reach(trick(), {}).cards
    assert {} == reach(steps(), {}).cards
    armed = Filling(7, named(steps(), "hit"))
    assert {"hand/0": frozenset({"R9", "W"})} == reach(steps(), {}, armed).cards
