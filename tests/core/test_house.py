"""House rules: wrappers around a game's hooks, at one table and no other."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest
from tablegames import Discards, act, play_card, play_hand, scripted, start, turn_of

from carteado.core.api import Form, IllegalAction, Result, hookimpl
from carteado.core.errors import PluginFault, Refused


class Double:
    """Points count twice."""

    name = "double"

    @hookimpl(wrapper=True)
    def scoring(self, table: Any) -> Generator[None, Result | None, Result | None]:
        result = yield
        if result is not None:
            result.points = {seat: 2 * points for seat, points in result.points.items()}
        return result


class NoPassing:
    """Nobody may pass."""

    name = "no-passing"

    @hookimpl(wrapper=True)
    def options(self, table: Any, seat: int) -> Generator[None, list[Form], list[Form]]:
        forms = yield
        return [form for form in forms if form.type != "pass"]


class Polite:
    """The first card of a hand must be a low one."""

    name = "polite"

    @hookimpl(wrapper=True)
    def turn(self, table: Any, seat: int, action: dict[str, Any]) -> Generator[None, None, None]:
        if action["type"] == "play" and not table.cards("discard") and int(action["cards"][0][1:]) > 6:
            raise IllegalAction("too_high")
        yield


class Short:
    """Answer first, and ask for nothing that the answer does not need."""

    name = "short"

    @hookimpl(tryfirst=True)
    def timeout(self, seat: int) -> dict[str, Any]:
        return {"type": "pass"} if seat >= 0 else {}


class Breaking:
    """Break in the wrapper itself."""

    name = "breaking"

    @hookimpl(wrapper=True)
    def scoring(self, table: Any) -> Generator[None, Any, Any]:
        yield
        raise ValueError("house on fire")


def test_a_house_rule_changes_what_a_hand_scores() -> None:
    plain, doubled = start(Discards()), start(Discards(), house=[Double()])
    play_hand(plain)
    play_hand(doubled)
    assert [2 * plain.table.points(seat) for seat in range(3)] == [doubled.table.points(seat) for seat in range(3)]


def test_a_house_rule_changes_what_may_be_done() -> None:
    match = start(Discards(), house=[NoPassing()])
    with pytest.raises(Refused, match="unknown_action"):
        act(match, {"type": "pass"})


def test_the_view_offers_what_the_house_rule_leaves() -> None:
    match = start(Discards(), house=[NoPassing()])
    assert ["play"] == [form["type"] for form in match.view(turn_of(match)[0])["prompts"][0]["forms"]]


def test_a_house_rule_can_refuse_an_action() -> None:
    match = start(Discards(), house=[Polite()])
    seat, prompt = turn_of(match)
    high = [face for face in match.table.cards(f"hand/{seat}") if int(face[1:]) > 6]
    assert high, "this seed deals the first seat a high card"
    with pytest.raises(IllegalAction, match="too_high"):
        match.act(seat, prompt, {"type": "play", "cards": high[:1]})


def test_house_rules_work_together() -> None:
    match = start(Discards(), house=[Double(), NoPassing()])
    play_hand(match)
    assert (match.result or {})["points"] == [2 * len(match.table.cards(f"hand/{seat}")) for seat in range(3)]


def test_a_house_rule_is_at_one_table_only() -> None:
    start(Discards(), house=[NoPassing()])
    assert "action" == act(start(Discards()), {"type": "pass"}).entry["k"]


def test_two_tables_of_one_game_have_managers_of_their_own() -> None:
    game = Discards()
    assert start(game).rules.manager is not start(game).rules.manager


def test_the_journal_names_the_house_rules() -> None:
    assert ["double", "no-passing"] == start(Discards(), house=[Double(), NoPassing()]).journal.header["house"]


def test_a_house_rule_can_answer_a_hook_instead_of_the_game_and_take_what_it_needs_of_its_arguments() -> None:
    match = start(Discards(), house=[Short()])
    seat, prompt = turn_of(match)
    assert {"type": "pass"} == match.timeout(seat, prompt).entry["do"]


@pytest.mark.parametrize(
    ("house", "called"), [([], []), ([Double()], ["scoring"]), ([Short()], []), ([Double(), NoPassing()], ["options", "scoring"])]
)
def test_only_a_hook_that_a_house_rule_has_as_well_is_called_by_pluggy(house: list[Any], called: list[str]) -> None:
    match = start(Discards(), house=house)
    seen: list[str] = []
    undo = match.rules.manager.add_hookcall_monitoring(lambda name, *_: seen.append(name), lambda *_: None)
    seat, prompt = turn_of(match)
    match.act(seat, prompt, {"type": "play", "cards": [match.table.cards(f"hand/{seat}")[0]]})
    assert called == seen
    undo()


@pytest.mark.parametrize("house", [[], [Double()]])
def test_who_watches_the_hooks_of_a_table_sees_them_all(house: list[Any]) -> None:
    match = start(Discards(), house=house)
    seen: list[str] = []
    undo = match.rules.manager.add_hookcall_monitoring(lambda name, *_: seen.append(name), lambda *_: None)
    with match.rules.by_pluggy():
        with match.rules.by_pluggy():
            act(match, {"type": "pass"})
        act(match, {"type": "pass"})
    assert 2 * ["options", "turn", "scoring"] == seen
    undo()


def test_a_plugin_that_comes_later_is_called_as_well() -> None:
    match = start(Discards())
    match.rules.add(NoPassing(), "no-passing")
    with pytest.raises(Refused, match="unknown_action"):
        act(match, {"type": "pass"})


def test_a_game_s_hook_need_not_take_every_argument() -> None:
    class Careless(Discards):
        @hookimpl
        def options(self, table: Any) -> list[Form]:
            return [Form("pass")]

    match = start(Careless())
    assert "action" == act(match, {"type": "pass"}).entry["k"]


def test_a_house_rule_that_breaks_is_blamed_and_not_the_game() -> None:
    match = start(Discards(), deal=False, house=[Breaking()])
    with pytest.raises(PluginFault) as caught:
        match.deal(bytes(32))
    assert ("breaking", "scoring") == (caught.value.plugin, caught.value.hook)


def test_a_game_that_breaks_inside_a_house_rule_is_blamed_and_not_the_house_rule() -> None:
    match = start(scripted(scoring=lambda self, table: [][0]), deal=False, house=[Double()])
    with pytest.raises(PluginFault) as caught:
        match.deal(bytes(32))
    assert ("scripted", "scoring") == (caught.value.plugin, caught.value.hook)


def test_a_house_rule_that_breaks_changes_nothing() -> None:
    rule = Breaking()
    on: list[bool] = []

    class Sometimes(Discards):
        name = "sometimes"

    class House:
        name = "house"

        @hookimpl(wrapper=True)
        def scoring(self, table: Any) -> Generator[None, Any, Any]:
            result = yield
            if on:
                raise ValueError(rule.name)
            return result

    match = start(Sometimes(), house=[House()])
    before = (match.digest(), match.h, match.journal.dump())
    on.append(True)
    with pytest.raises(PluginFault, match="plugin 'house'"):
        play_card(match)
    assert before == (match.digest(), match.h, match.journal.dump())
