"""Simultaneous choices: nothing of a sealed answer is known to anybody else before all are in."""

from __future__ import annotations

from typing import Any

import pytest
from tablegames import SEED, Discards, Passing, act, scripted, start

from carteado.core.api import Choice, Form, IllegalAction, Result, hookimpl
from carteado.core.errors import PluginFault, Refused
from carteado.core.match import Match


def sealed(**hooks: Any) -> Match:
    """Return a match in which all three seats choose a number at once; a 9 is illegal, and the sum is told when all are in."""

    class Sums(Discards):
        name = "sums"

        @hookimpl
        def deal(self, table: Any) -> None:
            Discards.deal(self, table)
            table.close()
            table.ask(table.seats, "choose", sealed=True)

        @hookimpl
        def options(self, table: Any, seat: int) -> list[Form]:
            return [Form("choose", n=Choice(range(10))), Form("pass", default=True)]

        @hookimpl
        def turn(self, table: Any, seat: int, action: dict[str, Any]) -> None:
            if action.get("n") == 9:
                raise IllegalAction("no_nine")
            table.set("order", [*table.get("order", []), seat])
            table.set("sum", table.get("sum", 0) + action.get("n", 0))
            if len(table.get("order")) == len(table.seats):
                table.say("sums.all", n=table.get("sum"))
                table.set("order", [])
                table.ask(table.seats, "choose", sealed=True)

        @hookimpl
        def scoring(self, table: Any) -> Result | None:
            return Result({}) if table.get("sum", 0) > 20 else None

    options = hooks.pop("options_of_table", {})
    return start(scripted(Sums, **hooks), 3, options=options)


def choose(match: Match, seat: int, n: int) -> Any:
    return act(match, {"type": "choose", "n": n}, seat)


def test_a_sealed_answer_waits_for_the_others() -> None:
    match = sealed()
    choose(match, 1, 5)
    assert ({0, 2}, None) == (match.prompts.keys(), match.table.get("sum"))


def test_others_see_only_that_a_seat_is_ready() -> None:
    match = sealed()
    commit = choose(match, 1, 5)
    assert [[{"k": "ready", "seat": 1}]] * 4 == [commit.events(viewer) for viewer in (0, 1, 2, None)]


@pytest.mark.parametrize("viewer", [0, 2, None])
def test_the_views_of_others_do_not_depend_on_a_sealed_answer(viewer: int | None) -> None:
    views, hashes = [], []
    for n in (1, 8):
        match = sealed()
        choose(match, 1, n)
        views.append(match.view(viewer))
        hashes.append(match.h)
    assert (views[0], hashes[0]) == (views[1], hashes[1])


def test_a_seat_sees_its_own_sealed_answer() -> None:
    match = sealed()
    choose(match, 1, 5)
    assert [None, {"type": "choose", "n": 5}, None] == [match.view(viewer).get("sealed") for viewer in (0, 1, 2)]


def test_a_view_says_who_is_ready() -> None:
    match = sealed()
    choose(match, 1, 5)
    assert [(True, False), (False, True), (True, False)] == [(seat["sealed"], seat["ready"]) for seat in match.view(None)["seats"]]


def test_sealed_answers_are_opened_in_the_order_of_seats_when_all_are_in() -> None:
    opened = []

    def turn(self: Any, table: Any, seat: int, action: dict[str, Any]) -> None:
        opened.append((seat, action["n"]))
        table.set("sum", 99)

    match = sealed(turn=turn)
    for seat in (2, 0, 1):
        choose(match, seat, seat + 1)
    tried_when_sent = [(2, 3), (0, 1), (1, 2)]
    assert sorted(tried_when_sent) == opened[-3:]


def test_the_last_answer_tells_everybody_what_the_game_says() -> None:
    match = sealed()
    choose(match, 0, 1)
    choose(match, 1, 2)
    events = choose(match, 2, 3).events(None)
    assert ["sums.all", {"n": 6}] in [event.get("text") for event in events]


def test_an_illegal_sealed_answer_is_refused_when_it_is_sent() -> None:
    match = sealed()
    before = match.digest()
    with pytest.raises(Refused, match="no_nine"):
        choose(match, 1, 9)
    assert (before, {0, 1, 2}) == (match.digest(), match.prompts.keys())


def test_a_seat_whose_sealed_answer_was_refused_may_answer_again() -> None:
    match = sealed()
    with pytest.raises(Refused):
        choose(match, 1, 9)
    choose(match, 1, 8)
    assert {0, 2} == match.prompts.keys()


def test_a_sealed_answer_cannot_be_changed() -> None:
    match = sealed()
    prompt = match.prompts[1].id
    choose(match, 1, 5)
    with pytest.raises(Refused, match="stale"):
        match.act(1, prompt, {"type": "choose", "n": 6})


def test_random_numbers_drawn_while_an_answer_is_tried_are_not_used_up() -> None:
    def turn(self: Any, table: Any, seat: int, action: dict[str, Any]) -> None:
        table.set("drawn", [*table.get("drawn", []), table.below(1000)])
        table.set("sum", 99)

    match = sealed(turn=turn)
    for seat in (1, 0, 2):
        choose(match, seat, 1)
    from carteado.core.shuffle import Stream

    stream = Stream(SEED, "turn")
    assert [stream.below(1000) for _ in range(3)] == match.table.get("drawn")


def test_scoring_waits_until_all_answers_are_opened() -> None:
    calls = []

    def scoring(self: Any, table: Any) -> None:
        calls.append(table.get("sum", 0))

    match = sealed(scoring=scoring)
    for seat in (0, 1, 2):
        choose(match, seat, 2)
    assert [0, 6] == calls


def test_an_answer_that_is_refused_only_when_it_is_opened_is_the_games_fault() -> None:
    def turn(self: Any, table: Any, seat: int, action: dict[str, Any]) -> None:
        if table.get("taken") == action["n"]:
            raise IllegalAction("taken")
        table.set("taken", action["n"])

    match = sealed(turn=turn)
    choose(match, 0, 1)
    choose(match, 1, 1)
    before = match.digest()
    with pytest.raises(PluginFault, match="a sealed answer was refused when opened: taken"):
        choose(match, 2, 2)
    assert before == match.digest()


def test_cards_lost_by_a_sealed_answer_are_noticed_when_it_is_sent() -> None:
    def turn(self: Any, table: Any, seat: int, action: dict[str, Any]) -> None:
        table._zones["deck"] = table._zones["deck"]._replace(cards=())

    match = sealed(turn=turn)
    with pytest.raises(PluginFault, match="cards were lost"):
        choose(match, 0, 1)


def test_a_seat_whose_time_runs_out_answers_sealed_too() -> None:
    match = sealed()
    commit = match.timeout(1, match.prompts[1].id)
    assert ([{"k": "ready", "seat": 1}], {"type": "pass"}) == (commit.events(None), match.view(1)["sealed"])


def test_the_last_answer_may_come_by_timeout() -> None:
    match = sealed()
    choose(match, 0, 3)
    choose(match, 2, 4)
    match.timeout(1, match.prompts[1].id)
    assert (7, {0, 1, 2}) == (match.table.get("sum"), match.prompts.keys())


OFF = {"substitute": False}


def gone(self: Any, table: Any, seat: int) -> bool:
    return True


def test_when_the_last_seat_to_answer_leaves_the_others_answers_are_opened() -> None:
    match = sealed(leave=gone, options_of_table=OFF)
    choose(match, 0, 3)
    choose(match, 2, 4)
    match.leave(1)
    assert (7, [0, 2]) == (match.table.get("sum"), list(match.prompts))


def test_when_a_seat_that_has_answered_leaves_its_answer_is_forgotten() -> None:
    match = sealed(leave=gone, options_of_table=OFF)
    choose(match, 1, 5)
    match.leave(1)
    choose(match, 0, 3)
    choose(match, 2, 4)
    assert 7 == match.table.get("sum")


def test_when_one_of_two_seats_to_answer_leaves_the_other_is_waited_for() -> None:
    match = sealed(leave=gone, options_of_table=OFF)
    choose(match, 0, 3)
    match.leave(1)
    assert ({2}, None) == (match.prompts.keys(), match.table.get("sum"))


def test_a_seat_that_leaves_to_a_computer_player_is_still_waited_for() -> None:
    match = sealed()
    choose(match, 0, 3)
    match.leave(1)
    assert {1, 2} == match.prompts.keys()


def test_answers_that_are_sealed_are_opened_when_another_turn_closes_the_last_open_prompt() -> None:
    def deal(self: Any, table: Any) -> None:
        Discards.deal(self, table)
        table.close()
        table.ask([0, 1], "choose", sealed=True)
        table.ask(2, "open")

    def turn(self: Any, table: Any, seat: int, action: dict[str, Any]) -> None:
        if seat == 2:
            table.close(1)
            table.ask(2, "open")
        table.set("opened", [*table.get("opened", []), seat])

    match = sealed(deal=deal, turn=turn)
    choose(match, 0, 1)
    choose(match, 2, 1)
    assert ([2, 0], {2}) == (match.table.get("opened"), match.prompts.keys())


def test_a_game_reads_of_every_answer_which_stage_it_answers() -> None:
    def deal(self: Any, table: Any) -> None:
        Discards.deal(self, table)
        table.close()
        for seat, stage in enumerate(("bid", "double", "watch")):
            table.ask(seat, stage, sealed=True)

    def turn(self: Any, table: Any, seat: int, action: dict[str, Any]) -> None:
        table.set("stages", [*table.get("stages", []), [seat, table.answering]])
        table.ask(seat, "next")

    match = sealed(deal=deal, turn=turn)
    for seat in (2, 0, 1):
        choose(match, seat, 1)
    assert [[0, "bid"], [1, "double"], [2, "watch"]] == match.table.get("stages")


def test_closing_all_prompts_forgets_answers_that_are_still_sealed() -> None:
    def deal(self: Any, table: Any) -> None:
        Discards.deal(self, table)
        table.close()
        table.ask([0, 1], "choose", sealed=True)
        table.ask(2, "open")

    def turn(self: Any, table: Any, seat: int, action: dict[str, Any]) -> None:
        if seat == 2:
            table.close()
            table.ask([0, 1, 2], "again")

    match = sealed(deal=deal, turn=turn)
    choose(match, 0, 1)
    choose(match, 2, 1)
    assert ({0, 1, 2}, [False] * 3) == (match.prompts.keys(), [seat["ready"] for seat in match.view(None)["seats"]])


def test_nothing_of_a_passed_card_is_seen_before_all_have_passed() -> None:
    match = start(Passing(), 3)
    hand = match.table.cards("hand/0")
    face = next(card for card in hand if card != "CK")
    before = {viewer: match.view(viewer) for viewer in (1, 2, None)}
    act(match, {"type": "pass", "cards": [face]}, 0)
    for viewer, view in before.items():
        now = match.view(viewer)
        view["q"] += 1
        view["seats"][0] |= {"asked": None, "sealed": False, "ready": True}
        assert view == now


def test_cards_are_passed_when_all_have_chosen() -> None:
    match = start(Passing(), 3)
    hands = [match.table.cards(f"hand/{seat}") for seat in range(3)]
    given = [next(card for card in hand if card != "CK") for hand in hands]
    for seat in (1, 2, 0):
        act(match, {"type": "pass", "cards": [given[seat]]}, seat)
    expected = [sorted({*hands[seat], given[seat - 1]} - {given[seat]}) for seat in range(3)]
    assert expected == [sorted(match.table.cards(f"hand/{seat}")) for seat in range(3)]


def test_a_card_the_game_keeps_back_is_refused_when_it_is_passed() -> None:
    match = start(Passing(), 3)
    holder = next(seat for seat in range(3) if "CK" in match.table.cards(f"hand/{seat}"))
    with pytest.raises(Refused, match="king_stays"):
        act(match, {"type": "pass", "cards": ["CK"]}, holder)


