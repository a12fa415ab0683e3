"""Forms: what each kind of field accepts, and the one code for each thing it refuses."""

from __future__ import annotations

import random
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from properties import quick
from tablegames import Blanks, act, scripted, start, turn_of

from carteado.core.bots.sample import sample_action
from carteado.core.encoding import canonical
from carteado.core.errors import REFUSALS, DesignFault, IllegalAction, PluginFault, Refused
from carteado.core.forms import FIELD_KINDS, Choice, Field, Form, Groups, Number, Pick, Place, Target
from carteado.core.match import Match


def refused(match: Match, action: Any) -> Refused:
    """Return the refusal of an action by the seat that is asked, after making sure that it changed nothing."""
    seat, prompt = turn_of(match)
    before, q = match.digest(), match.q
    with pytest.raises(Refused) as caught:
        match.act(seat, prompt, action)
    assert (before, q) == (match.digest(), match.q)
    return caught.value


GOOD: dict[str, dict[str, Any]] = {
    "one offered card": {"type": "pick", "cards": ["A1"]},
    "two equal cards": {"type": "pick", "cards": ["A1", "A1"]},
    "any cards": {"type": "any", "cards": ["A1", "B1", "A2"]},
    "an optional field": {"type": "any", "cards": ["A1", "B1", "A2"], "more": ["A1"]},
    "an optional field with nothing in it": {"type": "any", "cards": ["A1", "B1", "A2"], "more": []},
    "a flag": {"type": "choice", "value": True},
    "a number": {"type": "choice", "value": 1},
    "a word": {"type": "choice", "value": "one"},
    "a choice with a label": {"type": "choice", "value": "two"},
    "the lowest number": {"type": "number", "n": 18},
    "the highest number": {"type": "number", "n": 24},
    "groups": {"type": "groups", "groups": [["A1", "A1"], ["B1"]]},
    "a place": {"type": "place", "place": 3},
    "a zone": {"type": "target", "zone": "deck"},
    "nothing": {"type": "nothing"},
}


@pytest.mark.parametrize("name", list(GOOD))
def test_a_filled_form_is_taken_as_it_was_sent(name: str) -> None:
    match = start(Blanks(), 2)
    act(match, GOOD[name])
    assert GOOD[name] == match.journal.entries[-1]["do"]


def test_tuples_are_taken_for_lists() -> None:
    match = start(Blanks(), 2)
    act(match, {"type": "groups", "groups": (("A1",), ("B1",))})
    assert {"type": "groups", "groups": [["A1"], ["B1"]]} == match.journal.entries[-1]["do"]


def test_a_field_that_is_none_counts_as_left_out() -> None:
    match = start(Blanks(), 2)
    act(match, {"type": "any", "cards": ["A1", "B1", "A2"], "more": None})
    assert {"type": "any", "cards": ["A1", "B1", "A2"]} == match.journal.entries[-1]["do"]


CARD = {"$card": "B1"}
BAD: list[tuple[Any, str, dict[str, Any]]] = [
    (None, "unknown_action", {"type": ""}),
    ([], "unknown_action", {"type": ""}),
    ("pick", "unknown_action", {"type": ""}),
    ({}, "unknown_action", {"type": "None"}),
    ({"type": "fly"}, "unknown_action", {"type": "fly"}),
    ({"type": "Pick", "cards": ["A1"]}, "unknown_action", {"type": "Pick"}),
    ({"type": ["pick"]}, "unknown_action", {"type": "list"}),
    ({"type": True}, "unknown_action", {"type": "True"}),
    ({"type": 10**5000}, "unknown_action", {"type": "int"}),
    ({"type": "\ud800"}, "unknown_action", {"type": "?"}),
    ({"type": "x" * 999}, "unknown_action", {"type": "x" * 24}),
    ({"type": "never", "n": 1}, "blocked", {"why": ["blanks.never", {}]}),
    ({"type": "never", "n": "nonsense"}, "blocked", {"why": ["blanks.never", {}]}),
    ({"type": "pick"}, "missing_field", {"field": "cards"}),
    ({"type": "pick", "cards": None}, "missing_field", {"field": "cards"}),
    ({"type": "nothing", "extra": 1}, "bad_field", {"field": "extra"}),
    ({"type": "nothing", "extra": None}, "bad_field", {"field": "extra"}),
    ({"type": "nothing", 3: 1}, "bad_field", {"field": "3"}),
    ({"type": "nothing", None: 1}, "bad_field", {"field": "None"}),
    ({"type": "nothing", (1, 2): 1}, "bad_field", {"field": "tuple"}),
    ({"type": "nothing", "\udfff": 1}, "bad_field", {"field": "?"}),
    ({"type": "nothing", 2**70: 1}, "bad_field", {"field": "int"}),
    ({"type": "pick", "cards": ["A1"], "card": "A1"}, "bad_field", {"field": "card"}),
    ({"type": "pick", "cards": "A1"}, "bad_field", {"field": "cards"}),
    ({"type": "pick", "cards": {"A1": 1}}, "bad_field", {"field": "cards"}),
    ({"type": "pick", "cards": 0}, "bad_field", {"field": "cards"}),
    ({"type": "pick", "cards": [1]}, "bad_field", {"field": "cards"}),
    ({"type": "pick", "cards": [["A1"]]}, "bad_field", {"field": "cards"}),
    ({"type": "pick", "cards": [""]}, "bad_field", {"field": "cards"}),
    ({"type": "pick", "cards": ["A1"] * 65}, "bad_field", {"field": "cards"}),
    ({"type": "pick", "cards": []}, "wrong_count", {"n": 1, "most": 2}),
    ({"type": "pick", "cards": ["A1", "A1", "A2"]}, "wrong_count", {"n": 1, "most": 2}),
    ({"type": "any", "cards": ["A1"]}, "wrong_count", {"n": 3, "most": 3}),
    ({"type": "pick", "cards": ["B2"]}, "not_held", {"card": {"$card": "B2"}}),
    ({"type": "pick", "cards": ["A2", "A2"]}, "not_held", {"card": {"$card": "A2"}}),
    ({"type": "pick", "cards": ["?"]}, "not_held", {"card": {"$card": "?"}}),
    ({"type": "pick", "cards": ["\ud800\ud800"]}, "not_held", {"card": {"$card": "??"}}),
    ({"type": "pick", "cards": ["x" * 99]}, "not_held", {"card": {"$card": "x" * 8}}),
    ({"type": "pick", "cards": ["B1"]}, "not_offered", {"card": CARD}),
    ({"type": "any", "cards": ["A1", "B1", "A2"], "more": ["B1"]}, "not_held", {"card": CARD}),
    ({"type": "any", "cards": ["A1", "A1", "A2"], "more": ["A1"]}, "not_held", {"card": {"$card": "A1"}}),
    ({"type": "choice", "value": "three"}, "not_offered", {"value": "three"}),
    ({"type": "choice", "value": False}, "not_offered", {"value": "False"}),
    ({"type": "choice", "value": 0}, "not_offered", {"value": "0"}),
    ({"type": "choice", "value": 10**5000}, "not_offered", {"value": "int"}),
    ({"type": "choice", "value": "\ud800"}, "not_offered", {"value": "?"}),
    ({"type": "choice", "value": 1.0}, "bad_field", {"field": "value"}),
    ({"type": "choice", "value": ["one"]}, "bad_field", {"field": "value"}),
    ({"type": "number", "n": 19}, "not_offered", {"value": "19"}),
    ({"type": "number", "n": 17}, "not_offered", {"value": "17"}),
    ({"type": "number", "n": 25}, "not_offered", {"value": "25"}),
    ({"type": "number", "n": -(10**5000)}, "not_offered", {"value": "int"}),
    ({"type": "number", "n": True}, "bad_field", {"field": "n"}),
    ({"type": "number", "n": "18"}, "bad_field", {"field": "n"}),
    ({"type": "number", "n": 18.0}, "bad_field", {"field": "n"}),
    ({"type": "number", "n": float("nan")}, "bad_field", {"field": "n"}),
    ({"type": "groups", "groups": "AB"}, "bad_field", {"field": "groups"}),
    ({"type": "groups", "groups": [["A1"]]}, "wrong_count", {"n": 2, "most": 2}),
    ({"type": "groups", "groups": [["A1"], ["B1"], ["A2"]]}, "wrong_count", {"n": 2, "most": 2}),
    ({"type": "groups", "groups": [["A1"], "B1"]}, "bad_field", {"field": "groups"}),
    ({"type": "groups", "groups": [["A1"], []]}, "bad_field", {"field": "groups"}),
    ({"type": "groups", "groups": [["A1"], [None]]}, "bad_field", {"field": "groups"}),
    ({"type": "groups", "groups": [["A2"], ["A2"]]}, "not_held", {"card": {"$card": "A2"}}),
    ({"type": "place", "place": 2}, "not_offered", {"value": "2"}),
    ({"type": "place", "place": -1}, "not_offered", {"value": "-1"}),
    ({"type": "place", "place": True}, "bad_field", {"field": "place"}),
    ({"type": "place", "place": "1"}, "bad_field", {"field": "place"}),
    ({"type": "place", "place": 1.0}, "bad_field", {"field": "place"}),
    ({"type": "target", "zone": "hand/1"}, "not_offered", {"value": "hand/1"}),
    ({"type": "target", "zone": "\ud800"}, "not_offered", {"value": "?"}),
    ({"type": "target", "zone": 0}, "bad_field", {"field": "zone"}),
    ({"type": "target", "zone": ["deck"]}, "bad_field", {"field": "zone"}),
]


@pytest.mark.parametrize(("action", "code", "data"), [pytest.param(*case, id=f"{i}-{case[1]}") for i, case in enumerate(BAD)])
def test_a_form_that_is_filled_in_wrongly_is_refused_with_its_code(action: Any, code: str, data: dict[str, Any]) -> None:
    error = refused(start(Blanks(), 2), action)
    assert (code, data) == (error.code, error.data)


@pytest.mark.parametrize("action", [pytest.param(case[0], id=str(i)) for i, case in enumerate(BAD)])
def test_every_refusal_can_be_encoded_and_sent(action: Any) -> None:
    message = refused(start(Blanks(), 2), action).message
    assert message == msgpack.unpackb(canonical(message))


def test_the_codes_of_forms_are_among_those_the_core_declares() -> None:
    assert set() == {code for _, code, _ in BAD} - set(REFUSALS)


def test_a_card_that_lies_face_down_is_refused_like_one_that_is_not_there() -> None:
    match = start(Blanks(), 2)
    seen, hidden = match.table.cards("grid")[1:3]
    codes = [refused(match, {"type": "seen", "cards": [face]}).code for face in (hidden, "Z9")]
    assert (["not_held", "not_held"], None) == (codes, act(match, {"type": "seen", "cards": [seen]}) and None)


def test_a_form_must_not_offer_cards_from_a_zone_its_seat_cannot_see() -> None:
    match = start(scripted(Blanks, options=lambda self, table, seat: [Form("peek", cards=Pick("deck", 1))]), 2)
    with pytest.raises(PluginFault, match="cannot see"):
        act(match, {"type": "peek", "cards": ["C1"]})


def test_a_form_over_a_zone_that_is_not_there_is_the_games_fault() -> None:
    match = start(scripted(Blanks, options=lambda self, table, seat: [Form("peek", cards=Pick("attic", 1))]), 2)
    with pytest.raises(PluginFault, match="no zone 'attic'"):
        act(match, {"type": "peek", "cards": ["C1"]})


def test_a_value_that_has_no_encoding_is_the_fault_of_the_game_that_offers_it() -> None:
    match = start(scripted(Blanks, options=lambda self, table, seat: [Form("say", word=Choice(["\ud800"]))]), 2)
    with pytest.raises(PluginFault, match="no encoding"):
        act(match, {"type": "say", "word": "\ud800"})


def test_the_games_own_reason_is_given_for_a_card_that_is_held_but_not_offered() -> None:
    def turn(self: Any, table: Any, seat: int, action: dict[str, Any]) -> None:
        raise IllegalAction("too_late", n=3)

    error = refused(start(scripted(Blanks, turn=turn), 2), {"type": "pick", "cards": ["B1"]})
    assert ("too_late", {"n": 3}) == (error.code, error.data)


@pytest.mark.parametrize(("place", "code"), [(0, "too_late"), (2, "not_offered"), (-1, "not_offered"), (4, "not_offered")])
def test_the_game_is_asked_about_a_place_that_is_not_offered_only_if_the_seat_sees_it(place: int, code: str) -> None:
    def turn(self: Any, table: Any, seat: int, action: dict[str, Any]) -> None:
        raise IllegalAction("too_late", card=table.cards("grid")[action["place"]])

    assert code == refused(start(scripted(Blanks, turn=turn), 2), {"type": "place", "place": place}).code


@pytest.mark.parametrize(("zone", "code"), [("hand/0", "too_late"), ("hand/1", "not_offered"), ("attic", "not_offered")])
def test_the_game_is_asked_about_a_zone_that_is_not_offered_only_if_the_seat_sees_it(zone: str, code: str) -> None:
    def turn(self: Any, table: Any, seat: int, action: dict[str, Any]) -> None:
        raise IllegalAction("too_late")

    assert code == refused(start(scripted(Blanks, turn=turn), 2), {"type": "target", "zone": zone}).code


def test_a_card_that_is_not_offered_stays_refused_when_the_game_would_take_it() -> None:
    assert "not_offered" == refused(start(Blanks(), 2), {"type": "pick", "cards": ["B1"]}).code


def test_a_game_that_breaks_over_a_card_it_did_not_offer_costs_only_the_reason() -> None:
    def turn(self: Any, table: Any, seat: int, action: dict[str, Any]) -> None:
        raise KeyError("B1")

    match = start(scripted(Blanks, turn=turn), 2)
    codes = {refused(match, {"type": "pick", "cards": ["B1"]}).code for _ in range(50)}
    assert ({"not_offered"}, 20) == (codes, len(match.faults))


# What clients get


def test_forms_travel_as_data() -> None:
    form = Form("discard", key="d", on="discard", label=["drop", {}], default=True, cards=Pick("hand/0", (1, 2), cards=["B", "A", "A"]))
    expected = {
        "type": "discard", "label": ["drop", {}], "key": "d", "on": "discard", "blocked": None, "default": True,
        "fields": {"cards": {"kind": "pick", "zone": "hand/0", "n": [1, 2], "cards": ["A", "B"]}},
    }  # fmt: skip
    assert expected == form.wire()


def test_a_form_of_which_only_the_type_is_said_has_that_for_a_label_and_nothing_else() -> None:
    expected = {"type": "pass", "label": ["form.pass", {}], "key": None, "on": None, "blocked": None, "default": False, "fields": {}}
    assert expected == Form("pass").wire()


@pytest.mark.parametrize(
    ("field", "wire"),
    [
        (Pick("hand/0", 2), {"kind": "pick", "zone": "hand/0", "n": [2, 2], "cards": None}),
        (Choice([1]), {"kind": "choice", "of": [{"value": 1, "label": ["choice.1", {}]}]}),
        (Choice([("x", ["key", {}])], optional=True), {"kind": "choice", "optional": True, "of": [{"value": "x", "label": ["key", {}]}]}),
        (Number(1, 9), {"kind": "number", "low": 1, "high": 9, "of": None}),
        (Number(1, 9, of=(1, 9)), {"kind": "number", "low": 1, "high": 9, "of": [1, 9]}),
        (Groups("hand/0", [["set", {}]]), {"kind": "groups", "zone": "hand/0", "like": [["set", {}]]}),
        (Place("grid", (0, 2)), {"kind": "place", "zone": "grid", "places": [0, 2]}),
        (Target(("deck",), optional=True), {"kind": "target", "optional": True, "zones": ["deck"]}),
    ],
)
def test_each_kind_of_field_travels_as_data(field: Field, wire: dict[str, Any]) -> None:
    assert wire == field.wire()


@pytest.mark.parametrize("field", [Pick("z"), Choice([1]), Number(1, 2), Groups("z", []), Place("z", []), Target([])])
def test_a_field_must_be_filled_unless_it_is_optional(field: Field) -> None:
    assert (False, None) == (field.optional, field.wire().get("optional"))


def test_groups_and_cards_of_one_form_are_not_taken_twice() -> None:
    def options(self: Any, table: Any, seat: int) -> list[Form]:
        return [Form("lay", groups=Groups("hand/0", [["set", {}]]), cards=Pick("hand/0", 1), other=Pick("grid", 1, optional=True))]

    match = start(scripted(Blanks, options=options), 2)
    codes = [refused(match, {"type": "lay", "groups": [["A1", "B1"]], "cards": [face]}).code for face in ("B1", "B2")]
    act(match, {"type": "lay", "groups": [["A1", "B1"]], "cards": ["A1"], "other": [match.table.cards("grid")[1]]})
    assert ["not_held", "not_held"] == codes


def test_every_kind_of_field_is_known_by_its_name() -> None:
    assert {kind: cls.kind for kind, cls in FIELD_KINDS.items()} == {
        kind: kind for kind in ("pick", "choice", "number", "groups", "place", "target")
    }


def test_a_field_without_a_check_of_its_own_is_a_design_fault() -> None:
    match = start(Blanks(), 2)
    with pytest.raises(DesignFault, match="cannot check"):
        Field().check("x", 1, match.table, 0)


# Anything at all

FACES = st.sampled_from(["A1", "A2", "B1", "B2", "C1", "W", "", "?", "\ud800", "Z" * 70])
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.integers(-3, 30) | st.floats() | st.binary(max_size=3) | FACES
    | st.text(max_size=5) | st.characters(categories=["Cs"]) | st.just(2**64) | st.just(10**4000)
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.tuples(inner) | st.dictionaries(SCALARS, inner, max_size=3) | st.lists(FACES, max_size=5)
    ),
    max_leaves=8,
)
TYPES = st.sampled_from(["pick", "any", "choice", "number", "groups", "place", "target", "seen", "never", "nothing"])
NAMES = st.sampled_from(["cards", "more", "value", "n", "groups", "place", "zone", "type", "x", 3, None, "\ud800"])
ACTIONS = VALUES | st.builds(
    lambda kind, fields: {**fields, "type": kind}, TYPES | VALUES, st.dictionaries(NAMES, VALUES | st.lists(FACES, max_size=3), max_size=4)
)
BLANKS = start(Blanks(), 2)


@quick
@given(ACTIONS)
def test_any_junk_is_refused_with_a_code_or_taken_and_never_anything_else(action: Any) -> None:
    before = BLANKS.digest()
    message = tried(BLANKS, action)
    canonical(message)
    assert (True, before) == (message[0] in {*REFUSALS, "taken"}, BLANKS.digest())


def tried(match: Match, action: Any) -> list[Any]:
    seat, prompt = turn_of(match)
    try:
        match.try_act(seat, prompt, action)
    except Refused as refusal:
        return refusal.message
    return ["taken", {}]


HANDS = st.lists(st.sampled_from(["A1", "A2", "B1"]), min_size=1, max_size=3)
NEARLY = st.fixed_dictionaries(
    {"type": st.sampled_from(["any", "groups"])},
    optional={"cards": HANDS | HANDS.map(tuple), "more": HANDS | st.none(), "groups": st.lists(HANDS, min_size=2, max_size=2)},
)


@quick
@given(NEARLY)
def test_what_is_taken_is_written_down_as_it_was_sent(action: dict[str, Any]) -> None:
    match = start(Blanks(), 2)
    taken = tried(match, action)[0] == "taken"
    written = act(match, action).entry["do"] if taken else {}
    sent = {key: list(value) if isinstance(value, tuple) else value for key, value in action.items() if value is not None}
    assert (sent if taken else {}) == written


JUNK = st.none() | st.booleans() | st.integers(-3, 9) | st.floats() | st.text(max_size=2) | st.lists(st.integers(), max_size=2)


@quick
@given(JUNK, JUNK)
def test_any_seat_and_any_prompt_is_refused_with_a_code_or_taken(seat: Any, prompt: Any) -> None:
    match = start(Blanks(), 2)
    before = match.digest()
    if type(seat) is int and type(prompt) is int and (seat, prompt) == turn_of(match):
        match.act(seat, prompt, {"type": "nothing"})
        return
    with pytest.raises(Refused) as caught:
        match.act(seat, prompt, {"type": "nothing"})
    assert (True, before) == (caught.value.code in ("not_asked", "stale"), match.digest())


def test_an_action_nested_ten_thousand_deep_is_refused() -> None:
    deep: Any = []
    for _ in range(10_000):
        deep = [deep]
    fields = {"pick": "cards", "groups": "groups", "choice": "value"}
    codes = [refused(BLANKS, {"type": kind, name: deep}).code for kind, name in fields.items()]
    assert ["bad_field", "wrong_count", "bad_field"] == codes


def test_a_type_nested_ten_thousand_deep_is_refused() -> None:
    deep: Any = []
    for _ in range(10_000):
        deep = [deep]
    assert "unknown_action" == refused(BLANKS, {"type": deep}).code


def test_the_callers_action_can_change_afterwards_without_changing_the_match() -> None:
    match, action = start(Blanks(), 2), {"type": "groups", "groups": [["A1", "A1"], ["B1"]]}
    act(match, action)
    action["groups"][0].clear()  # type: ignore[attr-defined]
    action["type"] = "nothing"
    assert {"type": "groups", "groups": [["A1", "A1"], ["B1"]]} == match.journal.entries[-1]["do"]


def test_a_game_that_changes_the_action_it_is_given_does_not_change_the_journal() -> None:
    def turn(self: Any, table: Any, seat: int, action: dict[str, Any]) -> None:
        action["groups"][0].clear()
        action.clear()
        table.ask(table.next(seat), "fill")

    match = start(scripted(Blanks, turn=turn), 2)
    act(match, {"type": "groups", "groups": [["A1", "A1"], ["B1"]]})
    assert {"type": "groups", "groups": [["A1", "A1"], ["B1"]]} == match.journal.entries[-1]["do"]


def test_random_fillings_of_every_form_are_taken() -> None:
    match, rng = start(Blanks(), 2), random.Random(5)
    for _ in range(60):
        seat, prompt = turn_of(match)
        action = sample_action(match.rules, match.view(seat), rng)
        if seat == 0 and action is not None and action["type"] != "seen":
            match.act(seat, prompt, action)
        else:
            act(match, {"type": "nothing"})
    assert 61 == match.q
