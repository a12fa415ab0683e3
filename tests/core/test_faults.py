"""A plugin that breaks: it is named with its hook, and nothing happened."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tablegames import SEED, Discards, act, play_card, play_hand, scripted, seed_of, start, turn_of

from carteado.core.api import CLOSED, C, Form, IllegalAction, P, Result, hookimpl
from carteado.core.errors import CarteadoError, LoadFailure, PluginFault
from carteado.core.match import Match


def bang(*arguments: Any) -> Any:
    raise ZeroDivisionError("bang")


def state(match: Match) -> list[Any]:
    """Return all that a match holds, as far as anybody can see it."""
    return [
        match.digest(), match.h, match.q, match.phase, match.prompts, match.journal.dump(), match.finished, match.result, match.end,
        match.left, match.gone, match.seats, match.table._log, match.view(None), [match.view(seat) for seat in match.table.players],
    ]  # fmt: skip


class Switch:
    """A hook that works like the game's until it is told to break."""

    def __init__(self, hook: str, broken: Callable[..., Any] = bang) -> None:
        self.on = False
        good = getattr(Discards, hook, lambda *arguments: None)

        def turn(game: Any, table: Any, seat: int, action: dict[str, Any]) -> Any:
            return broken(game, table, seat, action) if self.on else good(game, table, seat, action)

        def one(game: Any, table: Any) -> Any:
            return broken(game, table) if self.on else good(game, table)

        def two(game: Any, table: Any, seat: int) -> Any:
            return broken(game, table, seat) if self.on else good(game, table, seat)

        def settle(game: Any, table: Any, places: Any) -> Any:
            return broken(game, table, places) if self.on else None

        call: Any = {"turn": turn, "deal": one, "scoring": one, "settle": settle}.get(hook, two)
        self.game = scripted(**{hook: call})


def play(match: Match) -> None:
    play_card(match)


def finish(match: Match) -> None:
    play_hand(match)


def last_card(match: Match) -> None:
    """Go up to the last card of a hand, so that the next one ends it."""
    while match.table.cards(f"hand/{turn_of(match)[0]}")[1:]:
        play_card(match)


BREAKS: list[tuple[str, Callable[[Match], Any], Callable[[Match], Any]]] = [
    ("turn", lambda match: None, play_card),
    ("scoring", lambda match: None, play_card),
    ("scoring", last_card, play_card),
    ("options", lambda match: None, lambda match: match.act(*turn_of(match), {"type": "pass"})),
    ("timeout", lambda match: None, lambda match: match.timeout(*turn_of(match))),
    ("leave", lambda match: None, lambda match: match.leave(0)),
    ("deal", play_hand, lambda match: match.deal(seed_of(1))),
]


@pytest.mark.parametrize(("hook", "before", "then"), [pytest.param(*case, id=f"{case[0]}-{i}") for i, case in enumerate(BREAKS)])
def test_a_hook_that_raises_is_named_with_its_plugin_and_nothing_happened(hook: str, before: Any, then: Any) -> None:
    switch = Switch(hook)
    match = start(switch.game, options={"substitute": False})
    before(match)
    was = state(match)
    switch.on = True
    with pytest.raises(PluginFault) as caught:
        then(match)
    switch.on = False
    assert ("scripted", hook, "ZeroDivisionError: bang", ZeroDivisionError, was) == (
        caught.value.plugin, caught.value.hook, caught.value.why, type(caught.value.__cause__), state(match)
    )  # fmt: skip


@pytest.mark.parametrize(("hook", "before", "then"), [pytest.param(*case, id=f"{case[0]}-{i}") for i, case in enumerate(BREAKS)])
def test_a_match_goes_on_after_a_hook_raised(hook: str, before: Any, then: Any) -> None:
    switch = Switch(hook)
    match, untouched = start(switch.game, options={"substitute": False}), start(switch.game, options={"substitute": False})
    before(match)
    before(untouched)
    switch.on = True
    with pytest.raises(PluginFault):
        then(match)
    switch.on = False
    for one in (match, untouched):
        if one.phase == "dealing":
            one.deal(seed_of(3))
        play_hand(one)
    assert untouched.journal.dump() == match.journal.dump()


def half_done(game: Any, table: Any, seat: int, action: dict[str, Any]) -> None:
    table.move(f"hand/{seat}", "discard", n=1)
    table.move("deck", "discard", n=1, up=False)
    table.show("discard", [0], seats=[0])
    table.below(7)
    table.set("a", 1)
    table.set("b", 2, seat=1)
    table.mark("deck", c=3)
    table.create("new", "pile")
    table.say("half", who=P(seat), card=C("A1"))
    table.ask(table.next(seat), "play")
    raise IndexError("half done")


def test_a_turn_that_raises_half_way_is_undone_whole() -> None:
    switch = Switch("turn", half_done)
    match = start(switch.game)
    was = state(match)
    switch.on = True
    with pytest.raises(PluginFault, match="half done"):
        act(match, {"type": "pass"})
    switch.on = False
    assert was == state(match)


def test_a_turn_that_refuses_half_way_is_undone_whole() -> None:
    def refuse(*arguments: Any) -> None:
        try:
            half_done(*arguments)
        except IndexError:
            raise IllegalAction("not_now") from None

    switch = Switch("turn", refuse)
    match = start(switch.game)
    was = state(match)
    switch.on = True
    with pytest.raises(IllegalAction, match="not_now"):
        act(match, {"type": "pass"})
    switch.on = False
    assert was == state(match)


def test_a_turn_that_catches_a_fault_of_the_table_and_goes_on_has_lost_no_card() -> None:
    def stubborn(game: Any, table: Any, seat: int, action: dict[str, Any]) -> None:
        table.create("grid", "grid", cards=[""])
        for _ in range(2):
            try:
                table.move("deck", "grid", n=1, to=0)
            except CarteadoError:
                table.say("full")
        table.ask(table.next(seat), "play")

    match = start(scripted(turn=stubborn))
    act(match, {"type": "pass"})
    assert sorted(Discards.deck.cards) == match.table.all_cards()


def recursing(*arguments: Any) -> None:
    recursing(*arguments)


@pytest.mark.parametrize("hook", ["turn", "scoring", "options"])
def test_a_hook_that_calls_itself_for_ever_is_a_fault(hook: str) -> None:
    switch = Switch(hook, recursing)
    match = start(switch.game)
    switch.on = True
    with pytest.raises(PluginFault, match=f"hook '{hook}': RecursionError"):
        match.act(*turn_of(match), {"type": "pass"})


def endless(game: Any, table: Any, seat: int, action: dict[str, Any]) -> None:
    while True:
        table.say("again")


def test_a_turn_that_changes_the_table_for_ever_is_a_fault() -> None:
    switch = Switch("turn", endless)
    match = start(switch.game)
    was = state(match)
    switch.on = True
    with pytest.raises(PluginFault, match="endless loop"):
        act(match, {"type": "pass"})
    switch.on = False
    assert was == state(match)


@pytest.mark.parametrize("hook", ["options", "scoring", "timeout"])
def test_a_hook_that_only_reads_cannot_write(hook: str) -> None:
    switch = Switch(hook, lambda game, table, *rest: table.set("a", 1))
    match = start(switch.game)
    was = state(match)
    switch.on = True
    with pytest.raises(PluginFault, match="only deal, turn and leave may change the table"):
        match.timeout(*turn_of(match))
    switch.on = False
    assert was == state(match)


def say(**arguments: Any) -> Callable[..., None]:
    def turn(game: Any, table: Any, seat: int, action: dict[str, Any]) -> None:
        table.say("hello", **arguments)
        table.ask(table.next(seat), "play")

    return turn


@pytest.mark.parametrize("value", [2**64, -(2**63) - 1, "\ud800", {"$card": "\ud800"}, {"$player": 2**70}, {"$player": 1, "x": {1}}])
def test_words_that_have_no_encoding_are_a_fault_and_nothing_happened(value: Any) -> None:
    switch = Switch("turn", say(x=value))
    match = start(switch.game)
    was = state(match)
    switch.on = True
    with pytest.raises(PluginFault):
        act(match, {"type": "pass"})
    switch.on = False
    assert was == state(match)


@pytest.mark.parametrize("refusal", [IllegalAction("no", card=object()), IllegalAction("no", n=2**64), IllegalAction("no", x="\ud800")])
def test_a_refusal_that_cannot_be_sent_is_the_games_fault(refusal: IllegalAction) -> None:
    def refuse(*arguments: Any) -> None:
        raise refusal

    with pytest.raises(PluginFault, match="hook 'turn'"):
        act(start(scripted(turn=lambda self, table, seat, action: refuse())), {"type": "pass"})


def lie(result: Any) -> Callable[..., Any]:
    return lambda game, table: result


@pytest.mark.parametrize(
    "result",
    [
        7, {"points": {}}, True,
        Result({3: 1}), Result({-1: 1}), Result({True: 1}), Result({0: 0.5}), Result({0: True}), Result({0: 2**70}),  # type: ignore[dict-item]
        Result({}, finished=[[0, 0]]), Result({}, finished=[[3]]), Result({}, ranking=[[0], [0]]), Result({}, ranking=[["0"]]),  # type: ignore[list-item]
        Result({}, keep={"a": 0.5}), Result({}, keep={1: 2}), Result({}, keep={"a": "\ud800"}), Result({}, keep={"a": {1}}),  # type: ignore[dict-item]
        Result({}, reason=["x", {"n": object()}]), Result({}, sheet=[{"title": object()}]), Result({}, sheet=[{"lines": [0.5]}]),
    ],
)  # fmt: skip
def test_a_result_that_makes_no_sense_is_a_fault_after_which_nothing_happened(result: Any) -> None:
    switch = Switch("scoring", lie(result))
    match = start(switch.game)
    was = state(match)
    switch.on = True
    with pytest.raises(PluginFault, match="hook 'scoring'"):
        play_card(match)
    switch.on = False
    assert was == state(match)


@pytest.mark.parametrize("forms", [7, "pass", [{"type": "pass"}], {"type": "pass"}, [Form("pass"), None], iter([Form("pass")])])
def test_options_that_are_no_list_of_forms_are_a_fault(forms: Any) -> None:
    switch = Switch("options", lambda game, table, seat: forms)
    match = start(switch.game)
    switch.on = True
    with pytest.raises(PluginFault, match="hook 'options'"):
        match.act(*turn_of(match), {"type": "pass"})


@pytest.mark.parametrize("label", [[object()], {1, 2}, ["\ud800"], 2**64])
def test_a_form_that_cannot_be_sent_is_a_fault_in_the_view_of_its_seat(label: Any) -> None:
    match = start(scripted(options=lambda self, table, seat: [Form("pass", label=label)]))
    with pytest.raises(PluginFault, match="hook 'options'"):
        match.view(turn_of(match)[0])


def test_a_seat_without_forms_can_do_nothing() -> None:
    match = start(scripted(options=lambda self, table, seat: None))
    with pytest.raises(CarteadoError, match="unknown_action"):
        act(match, {"type": "pass"})


@pytest.mark.parametrize("chips", [{3: 0}, {-1: 5}, {0: 1.5}, {"0": 1}, {0: 2**70}, [1, 2], 7, {True: 3}])
def test_a_settlement_that_makes_no_sense_is_a_fault_after_which_nothing_happened(chips: Any) -> None:
    switch = Switch("settle", lambda game, table, places: chips)
    match = start(switch.game, options={"hands": 1})
    last_card(match)
    was = state(match)
    switch.on = True
    with pytest.raises(PluginFault, match="plugin 'scripted', hook 'settle'"):
        play_card(match)
    switch.on = False
    assert was == state(match)


def test_a_leave_hook_that_does_not_know_how_is_a_fault() -> None:
    match = start(scripted(leave=lambda self, table, seat: None), options={"substitute": False})
    was = state(match)
    with pytest.raises(PluginFault, match="did not take the seat out"):
        match.leave(1)
    assert was == state(match)


def test_a_leave_hook_that_leaves_nobody_asked_is_a_fault() -> None:
    match = start(scripted(leave=lambda self, table, seat: True), options={"substitute": False})
    was = state(match)
    with pytest.raises(PluginFault, match="hook 'leave': asked nobody"):
        match.leave(turn_of(match)[0])
    assert was == state(match)


@pytest.mark.parametrize("hook", ["pack", "teams", "check_players"])
def test_a_plain_method_of_a_game_that_raises_is_named_when_the_match_is_made(hook: str) -> None:
    with pytest.raises(PluginFault, match=f"plugin 'scripted', hook '{hook}': ZeroDivisionError"):
        start(scripted(**{hook: bang}))


# Captions and observers cost nothing but themselves


@pytest.mark.parametrize("layout", [bang, lambda self, view: 7, lambda self, view: {"title": object()}, lambda self, view: {"n": 2**64}])
def test_a_layout_that_breaks_costs_the_layout_alone(layout: Any) -> None:
    def hook(self: Any, view: dict[str, Any]) -> Any:
        return layout(self, view)

    match = start(scripted(layout=hook))
    view = match.view(0)
    assert ({}, start(scripted()).view(0), 1) == (view["layout"], view, len(match.faults))


@pytest.mark.parametrize("hints", [bang, lambda self, view: [{}], lambda self, view: [{"text": object()}], lambda self, view: 7])
def test_hints_that_break_cost_the_hints_alone(hints: Any) -> None:
    def hook(self: Any, view: dict[str, Any]) -> Any:
        return hints(self, view)

    match = start(scripted(hints=hook))
    seat = turn_of(match)[0]
    assert (start(scripted()).view(seat), 1) == (match.view(seat), len(match.faults))


def test_a_fault_that_costs_captions_names_plugin_and_hook() -> None:
    match = start(scripted(layout=lambda self, view: bang()))
    match.view(None)
    assert [("scripted", "layout")] == [(fault.plugin, fault.hook) for fault in match.faults]


def test_only_the_newest_faults_are_kept() -> None:
    match = start(scripted(layout=lambda self, view: bang()))
    for _ in range(50):
        match.view(None)
    assert 20 == len(match.faults)


def test_observers_are_told_of_every_commit_with_the_watchers_view() -> None:
    told = []

    class Watching:
        name = "watching"

        @hookimpl
        def observe(self, view: dict[str, Any], events: list[dict[str, Any]]) -> None:
            told.append((view["q"], view["you"], [event["k"] for event in events]))

    match = start(Discards(), house=[Watching()])
    act(match, {"type": "pass"})
    match.takeover(0, "rule")
    assert [(2, None, ["ask"]), (3, None, ["takeover", "say"])] == told[1:]


def test_an_observer_that_breaks_is_kept_in_mind_and_changes_nothing() -> None:
    class Broken:
        name = "broken"

        @hookimpl
        def observe(self, view: dict[str, Any], events: list[dict[str, Any]]) -> None:
            bang()

    match = start(Discards(), house=[Broken()])
    act(match, {"type": "pass"})
    assert ({("broken", "observe")}, 2) == ({(fault.plugin, fault.hook) for fault in match.faults}, match.q)


def test_observers_are_not_told_of_a_search() -> None:
    told = []
    match = start(scripted(observe=lambda self, view, events: told.append(view["q"])))
    play_hand(match.fork(SEED))
    assert [1] == told


def test_a_house_rule_with_a_misspelt_hook_cannot_be_seated() -> None:
    class Misspelt:
        name = "misspelt"

        @hookimpl
        def scorring(self, table: Any) -> None: ...

    with pytest.raises(LoadFailure, match="'misspelt' has a hook that does not fit"):
        start(Discards(), house=[Misspelt()])


def test_two_plugins_of_one_name_cannot_sit_at_one_table() -> None:
    class Twin:
        name = "discards"

    with pytest.raises(LoadFailure, match="'discards'"):
        start(Discards(), house=[Twin()])


def test_a_pack_that_is_not_the_decks_is_what_the_zones_must_hold() -> None:
    def deal(self: Any, table: Any) -> None:
        table.create("deck", "pile", see=CLOSED, cards=["A1", "A2"])
        table.ask(0, "play")

    match = start(scripted(pack=lambda self, options: ["A2", "A1"], deal=deal, scoring=lambda self, table: None))
    assert ["A1", "A2"] == match.table.all_cards()
