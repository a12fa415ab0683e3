"""What a table can choose before it starts."""

from __future__ import annotations

from typing import Any

import pytest
from tablegames import Discards, scripted, start

from carteado.core.errors import PluginFault, Refused
from carteado.core.options import Flag, OneOf, Several, TableOption, Whole, declared, resolve

FLAG, WHOLE = Flag("open", False), Whole("hands", 3, 1, 9)
ONE, SEVERAL = OneOf("mode", "short", ["short", "long", 7]), Several("extras", ["b"], ["a", "b", 3])


@pytest.mark.parametrize(
    ("option", "given", "value"),
    [
        (FLAG, True, True), (FLAG, False, False), (FLAG, "yes", True), (FLAG, "ON", True), (FLAG, "1", True), (FLAG, "no", False),
        (FLAG, "False", False), (FLAG, "off", False),
        (WHOLE, 1, 1), (WHOLE, 9, 9), (WHOLE, "4", 4),
        (ONE, "long", "long"), (ONE, 7, 7), (ONE, "7", 7),
        (SEVERAL, [], []), (SEVERAL, ["b", "a"], ["a", "b"]), (SEVERAL, (3,), [3]), (SEVERAL, "3, a", ["a", 3]), (SEVERAL, "", []),
        (SEVERAL, ["3"], [3]),
    ],
)  # fmt: skip
def test_an_option_takes_a_value_or_its_spelling(option: TableOption, given: Any, value: Any) -> None:
    assert (value, type(value)) == (option.accept(given), type(option.accept(given)))


@pytest.mark.parametrize(
    ("option", "given", "shown"),
    [
        (FLAG, 1, "1"), (FLAG, None, "None"), (FLAG, "maybe", "maybe"), (FLAG, [], "list"),
        (WHOLE, 0, "0"), (WHOLE, 10, "10"), (WHOLE, True, "True"), (WHOLE, 2.0, "float"), (WHOLE, "4.0", "4.0"),
        pytest.param(WHOLE, 10**5000, "int", id="five thousand digits"),
        pytest.param(WHOLE, "9" * 5000, "9" * 40, id="five thousand nines"),
        (ONE, "Long", "Long"), (ONE, True, "True"), (ONE, None, "None"),
        (SEVERAL, ["a", "a"], "list"), (SEVERAL, ["c"], "list"), (SEVERAL, "a,c", "list"), (SEVERAL, 3, "3"), (SEVERAL, {"a": 1}, "dict"),
        (FLAG, "\ud800", "?"),
    ],
)  # fmt: skip
def test_an_option_refuses_what_does_not_fit(option: TableOption, given: Any, shown: str) -> None:
    with pytest.raises(Refused) as caught:
        option.accept(given)
    assert ("bad_option", {"option": option.name, "value": shown}) == (caught.value.code, caught.value.data)


@pytest.mark.parametrize(
    ("option", "wire"),
    [
        (FLAG, {"name": "open", "kind": "flag", "default": False, "label": ["option.open", {}]}),
        (WHOLE, {"name": "hands", "kind": "whole", "default": 3, "label": ["option.hands", {}], "low": 1, "high": 9}),
        (ONE, {"name": "mode", "kind": "one_of", "default": "short", "label": ["option.mode", {}], "of": ["short", "long", 7]}),
        (SEVERAL, {"name": "extras", "kind": "several", "default": ["b"], "label": ["option.extras", {}], "of": ["a", "b", 3]}),
    ],
)
def test_options_travel_as_data(option: TableOption, wire: dict[str, Any]) -> None:
    assert wire == option.wire()


def test_a_default_that_does_not_fit_is_refused_when_the_option_is_made() -> None:
    with pytest.raises(Refused, match="bad_option"):
        Whole("hands", 10, 1, 9)


def test_every_table_has_the_options_of_the_core_before_those_of_the_game() -> None:
    assert ["stake", "substitute", "hands", "extras"] == [option.name for option in declared(Discards())]


def test_a_game_can_replace_an_option_of_the_core() -> None:
    game = scripted(table_options=(Whole("stake", 1, 1, 5),))
    assert [("substitute", True), ("stake", 1)] == [(option.name, option.default) for option in declared(game)]


def test_what_is_not_given_has_its_default() -> None:
    assert {"stake": 25, "substitute": True, "hands": 2, "extras": ["a"]} == resolve(Discards(), {"stake": "25"})


def test_an_option_nobody_declares_is_refused() -> None:
    with pytest.raises(Refused) as caught:
        resolve(Discards(), {"speed": 3})
    assert ("unknown_option", {"option": "speed"}) == (caught.value.code, caught.value.data)


@pytest.mark.parametrize("name", [3, None, "\ud800"])
def test_a_name_that_is_no_word_is_refused_like_any_unknown_option(name: Any) -> None:
    with pytest.raises(Refused, match="unknown_option"):
        resolve(Discards(), {name: 3})


def test_a_game_can_refuse_a_combination_of_options() -> None:
    def check_options(self: Any, options: Any) -> None:
        raise Refused("bad_option", option="hands", value="2")

    with pytest.raises(Refused, match="bad_option"):
        start(scripted(check_options=check_options))


def test_a_game_that_breaks_over_its_options_is_named() -> None:
    with pytest.raises(PluginFault, match="plugin 'scripted', hook 'check_options': KeyError"):
        start(scripted(check_options=lambda self, options: options["nothing"]))


def test_hooks_read_the_options_of_their_table() -> None:
    assert 5 == start(Discards(), options={"hands": 5}).table.option("hands")


def test_changing_the_options_afterwards_changes_nothing_at_the_table() -> None:
    given = {"extras": ["a", "b"]}
    match = start(Discards(), options=given)
    given["extras"].append("c")
    match.view(None)["table"]["options"]["extras"].clear()
    assert ["a", "b"] == match.table.option("extras")


def test_the_default_of_an_option_is_not_shared_between_tables() -> None:
    start(Discards()).options["extras"].append("c")
    assert ["a"] == start(Discards()).table.option("extras")
