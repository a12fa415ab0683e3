"""A match: hands, dealer, prompts, points, the end."""

from __future__ import annotations

from typing import Any

import pytest
from tablegames import NAMES, SEED, Discards, Passing, act, play_card, play_hand, random_match, scripted, seed_of, start, turn_of

from carteado.core.api import CLOSED, IllegalAction, Result
from carteado.core.errors import DesignFault, PluginFault, Refused
from carteado.core.match import Match
from carteado.core.shuffle import Stream


def code_of(call: Any, *arguments: Any) -> str:
    with pytest.raises(Refused) as caught:
        call(*arguments)
    return caught.value.code


# Before the first hand


def test_a_new_match_waits_for_a_seed() -> None:
    match = start(Discards(), deal=False)
    assert ("dealing", 0, 0, {}) == (match.phase, match.q, match.hand, match.prompts)


@pytest.mark.parametrize("players", [0, 1, 7])
def test_a_number_of_players_that_the_game_does_not_take_is_refused(players: int) -> None:
    with pytest.raises(Refused) as caught:
        Match(Discards(), {}, [{"name": "x"}] * players)
    assert ("bad_players", {"n": players, "low": 2, "high": 6}) == (caught.value.code, caught.value.data)


def test_a_name_that_has_no_encoding_is_a_design_fault() -> None:
    with pytest.raises(DesignFault):
        Match(Discards(), {}, [{"name": "Ana"}, {"name": "\ud800"}])


@pytest.mark.parametrize("teams", [[(0, 1), (1, 2)], [(0, 3)], [(0, -1)], [(0, True)]])
def test_teams_that_are_none_are_a_design_fault(teams: Any) -> None:
    with pytest.raises(DesignFault, match="teams"):
        start(scripted(teams=lambda self, players, options: teams))


def test_a_seat_that_no_team_names_plays_for_itself() -> None:
    match = start(scripted(teams=lambda self, players, options: [(0, 2)]), 4)
    assert (frozenset({0, 2}), frozenset({1}), frozenset({0, 2}), frozenset({3})) == match.teams


# Dealing


def test_the_first_hand_is_started_by_a_seat_drawn_from_its_seed() -> None:
    starts = [start(Discards(), 6, seed_of(number)).table.start for number in range(40)]
    assert [Stream(seed_of(number), "start").below(6) for number in range(40)] == starts


def test_all_seats_start_about_equally_often() -> None:
    starts = [Stream(seed_of(number), "start").below(4) for number in range(400)]
    assert all(70 <= starts.count(seat) <= 130 for seat in range(4))


def test_the_dealer_sits_before_the_seat_that_starts() -> None:
    match = start(Discards(), 4)
    assert match.table.start == match.table.next(match.table.dealer)


def test_the_start_goes_round_clockwise_from_hand_to_hand() -> None:
    match = start(Discards(), 3, options={"hands": 5})
    starts = [match.table.start]
    for number in range(4):
        play_hand(match)
        match.deal(seed_of(number))
        starts.append(match.table.start)
    assert [(starts[0] + i) % 3 for i in range(5)] == starts


def test_a_hand_is_dealt_from_its_seed_alone() -> None:
    one, two = start(Discards()), start(Discards())
    assert [zone.cards for zone in one.table.zones()] == [zone.cards for zone in two.table.zones()]


def test_another_seed_deals_another_hand() -> None:
    assert start(Discards()).table.cards("hand/0") != start(Discards(), seed=seed_of(9)).table.cards("hand/0")


def test_a_hand_begins_without_the_zones_and_facts_of_the_last() -> None:
    def deal(self: Any, table: Any) -> None:
        Discards.deal(self, table)
        table.set(f"hand {table.hand}", True)
        table.create(f"extra/{table.hand}", "pile")

    match = start(scripted(deal=deal))
    play_hand(match)
    match.deal(SEED)
    assert ({"hand 2": True}, ["extra/2"]) == (match.table._vars, [zone.name for zone in match.table.zones("extra")])


def test_a_hand_cannot_be_dealt_while_one_is_played() -> None:
    match = start(Discards())
    before = match.digest()
    assert ("not_dealing", before) == (code_of(match.deal, SEED), match.digest())


def test_no_hand_is_dealt_after_the_end() -> None:
    assert "not_dealing" == code_of(random_match(Discards(), 3, 1).deal, SEED)


@pytest.mark.parametrize("seed", [b"", SEED[:31], SEED + b"x", "x" * 32, None, bytearray(32), [0] * 32])
def test_a_seed_is_32_bytes(seed: Any) -> None:
    match = start(Discards(), deal=False)
    before = match.digest()
    with pytest.raises(DesignFault, match="a seed is 32 bytes"):
        match.deal(seed)
    assert (before, "dealing") == (match.digest(), match.phase)


@pytest.mark.parametrize("sources", [{"host": 0.5}, {"host": b"x"}, {1: 2}, {"host": "\ud800"}])
def test_sources_of_a_seed_that_cannot_be_written_down_deal_no_hand(sources: Any) -> None:
    match = start(Discards(), deal=False)
    with pytest.raises(DesignFault):
        match.deal(SEED, sources)
    assert ("dealing", 0, []) == (match.phase, match.hand, match.table.zones())


def missing(self: Any, table: Any) -> None:
    Discards.deal(self, table)
    table._zones["deck"] = table._zones["deck"]._replace(cards=table.cards("deck")[1:])


def doubled(self: Any, table: Any) -> None:
    Discards.deal(self, table)
    table.create("more", "pile", cards=["A1"])


def asking_nobody(self: Any, table: Any) -> None:
    table.create("deck", "pile", see=CLOSED, cards=self.deck.cards)


def raising(self: Any, table: Any) -> None:
    Discards.deal(self, table)
    raise KeyError("deck")


def refusing(self: Any, table: Any) -> None:
    raise IllegalAction("no")


@pytest.mark.parametrize("deal", [missing, doubled, asking_nobody, raising, refusing])
def test_a_deal_that_goes_wrong_is_the_plugins_fault_and_changes_nothing(deal: Any) -> None:
    good = {"deal": Discards.deal}

    def either(self: Any, table: Any) -> None:
        good["deal"](self, table)

    match = start(scripted(deal=either))
    play_hand(match)
    before = (match.digest(), match.view(0), match.journal.dump(), match.h)
    good["deal"] = deal
    with pytest.raises(PluginFault) as caught:
        match.deal(seed_of(1))
    assert ("scripted", "deal", before) == (
        caught.value.plugin, caught.value.hook, (match.digest(), match.view(0), match.journal.dump(), match.h)
    )  # fmt: skip


def test_a_hand_can_be_dealt_after_a_deal_that_went_wrong() -> None:
    fail = [True]

    def deal(self: Any, table: Any) -> None:
        Discards.deal(self, table)
        if fail.pop():
            raise KeyError("deck")

    match = start(scripted(deal=deal), deal=False)
    with pytest.raises(PluginFault):
        match.deal(SEED)
    fail.append(False)
    match.deal(SEED)
    assert start(Discards()).table.state() == match.table.state()


# Prompts


def test_an_action_closes_its_prompt_and_the_next_seat_is_asked() -> None:
    match = start(Discards())
    seat, prompt = turn_of(match)
    play_card(match)
    assert {(seat + 1) % 3: (prompt + 1, "play", False)} == match.prompts


def test_an_answer_to_a_closed_prompt_is_stale() -> None:
    match = start(Discards())
    seat, prompt = turn_of(match)
    match.act(seat, prompt, {"type": "pass"})
    assert "stale" == code_of(match.act, seat, prompt, {"type": "pass"})


def test_an_answer_to_a_prompt_of_an_earlier_hand_is_stale() -> None:
    match = start(Discards(), options={"hands": 3})
    play_hand(match)
    match.deal(SEED)
    seat, _ = turn_of(match)
    assert "stale" == code_of(match.act, seat, 1, {"type": "pass"})


def test_the_open_prompt_of_another_seat_is_no_prompt_of_ones_own() -> None:
    match = start(Discards())
    seat, prompt = turn_of(match)
    assert "not_asked" == code_of(match.act, (seat + 1) % 3, prompt, {"type": "pass"})


@pytest.mark.parametrize("prompt", [True, 1.0, "1", None, [1], b"\1", 0, -1, 2, 10**30])
def test_a_number_that_is_not_of_any_prompt_is_not_asked(prompt: Any) -> None:
    match = start(Discards())
    assert "not_asked" == code_of(match.act, turn_of(match)[0], prompt, {"type": "pass"})


@pytest.mark.parametrize("seat", [-1, -3, 3, 99, True, False, 1.0, "1", None, [], {}, (1,), 10**30])
def test_whoever_is_not_asked_cannot_act(seat: Any) -> None:
    match = start(scripted(deal=lambda self, table: (Discards.deal(self, table), table.close(), table.ask(1, "play"))[0]))
    assert ("not_asked", "not_asked") == (code_of(match.act, seat, 2, {"type": "pass"}), code_of(match.timeout, seat, 2))


def test_simultaneous_answers_do_not_make_each_other_stale() -> None:
    def deal(self: Any, table: Any) -> None:
        Discards.deal(self, table)
        table.close()
        table.ask(table.seats, "play")

    match = start(scripted(deal=deal, turn=lambda self, table, seat, action: None))
    prompts = match.prompts
    match.act(2, prompts[2].id, {"type": "pass"})
    match.act(0, prompts[0].id, {"type": "pass"})
    assert {1: prompts[1]} == match.prompts


def test_trying_an_action_changes_nothing() -> None:
    match = start(Discards())
    seat, prompt = turn_of(match)
    before = (match.digest(), match.h, match.view(None))
    match.try_act(seat, prompt, {"type": "pass"})
    assert before == (match.digest(), match.h, match.view(None))


def test_trying_an_action_refuses_what_acting_would_refuse() -> None:
    match = start(Discards())
    seat, prompt = turn_of(match)
    assert "not_held" == code_of(match.try_act, seat, prompt, {"type": "play", "cards": ["Z9"]})


def test_a_turn_that_asks_nobody_and_ends_nothing_is_a_fault() -> None:
    match = start(scripted(turn=lambda self, table, seat, action: None))
    before = match.digest()
    with pytest.raises(PluginFault, match="asked nobody"):
        act(match, {"type": "pass"})
    assert before == match.digest()


def test_no_action_is_taken_between_two_hands() -> None:
    match = start(Discards())
    play_hand(match)
    assert ("dealing", "not_playing") == (match.phase, code_of(match.act, 0, 1, {"type": "pass"}))


def test_no_action_is_taken_after_the_end() -> None:
    assert "over" == code_of(random_match(Discards(), 3, 1).act, 0, 1, {"type": "pass"})


# Time


def test_a_seat_whose_time_runs_out_takes_the_default_form() -> None:
    match = start(Discards())
    assert {"type": "pass"} == match.timeout(*turn_of(match)).entry["do"]


def test_a_timeout_is_its_own_kind_of_entry() -> None:
    match = start(Discards())
    assert "timeout" == match.timeout(*turn_of(match)).entry["k"]


def test_the_game_may_say_what_a_seat_does_whose_time_runs_out() -> None:
    def timeout(self: Any, table: Any, seat: int) -> dict[str, Any]:
        return {"type": "play", "cards": [table.cards(f"hand/{seat}")[0]]}

    match = start(scripted(timeout=timeout))
    seat, prompt = turn_of(match)
    face = match.table.cards(f"hand/{seat}")[0]
    assert [face] == match.timeout(seat, prompt).entry["do"]["cards"]


def test_a_timeout_of_a_closed_prompt_is_stale() -> None:
    match = start(Discards())
    seat, prompt = turn_of(match)
    match.timeout(seat, prompt)
    assert "stale" == code_of(match.timeout, seat, prompt)


@pytest.mark.parametrize("answer", [{"type": "fly"}, {"type": "play"}, {"type": "play", "cards": ["Z9"]}, "pass", 3, {"type": ["pass"]}])
def test_a_timeout_action_that_no_form_takes_is_the_games_fault(answer: Any) -> None:
    match = start(scripted(timeout=lambda self, table, seat: answer))
    before = match.digest()
    with pytest.raises(PluginFault, match="hook 'timeout'"):
        match.timeout(*turn_of(match))
    assert before == match.digest()


def test_a_game_where_no_form_can_be_left_empty_must_say_what_happens_when_time_runs_out() -> None:
    match = start(scripted(options=lambda self, table, seat: Discards.options(self, table, seat)[:1]))
    with pytest.raises(PluginFault, match="no action for a seat that ran out of time"):
        match.timeout(*turn_of(match))


# Points and the end


def test_points_add_up_over_hands() -> None:
    match = start(Discards(), options={"hands": 3})
    play_hand(match)
    first = match.result["points"] if match.result else []
    match.deal(seed_of(5))
    play_hand(match)
    second = match.result["points"] if match.result else []
    assert [a + b for a, b in zip(first, second, strict=True)] == [match.table.points(seat) for seat in range(3)]


def test_hooks_read_the_points_before_the_hand_that_is_scored() -> None:
    seen = []

    def scoring(self: Any, table: Any) -> Result | None:
        result = Discards.scoring(self, table)
        if result:
            seen.append([table.points(seat) for seat in table.players])
        return result

    match = start(scripted(scoring=scoring))
    play_hand(match)
    first = match.result["points"] if match.result else None
    match.deal(SEED)
    play_hand(match)
    assert [[0, 0, 0], first] == seen


def test_facts_that_a_result_keeps_survive_the_hand() -> None:
    def scoring(self: Any, table: Any) -> Result | None:
        result = Discards.scoring(self, table)
        return result and Result(result.points, keep={f"after {table.hand}": table.kept("after 1", 0) + 1}, over=result.over)

    match = start(scripted(scoring=scoring))
    play_hand(match)
    match.deal(SEED)
    play_hand(match)
    assert {"after 1": 1, "after 2": 2} == match.view(None)["facts"]


def test_a_match_ends_when_its_result_says_so() -> None:
    match = start(Discards(), options={"hands": 1})
    play_hand(match)
    assert ("over", {}) == (match.phase, match.prompts)


def finish(points: list[int], score: str, **result: Any) -> Match:
    """Return a match that ended with these points."""

    def scoring(self: Any, table: Any) -> Result:
        return Result(dict(enumerate(points)), over=True, **result)

    match = start(scripted(scoring=scoring, score=score), len(points), options={"stake": 10})
    assert match.phase == "over"
    return match


@pytest.mark.parametrize(
    ("score", "points", "places"),
    [
        ("low", [5, 0, 3], [[1], [2], [0]]),
        ("high", [5, 0, 3], [[0], [2], [1]]),
        ("low", [5, 5, 3], [[2], [0, 1]]),
        ("high", [5, 5, 3], [[0, 1], [2]]),
        ("high", [-1, 0, -1], [[1], [0, 2]]),
        ("low", [0, 0, 0], [[0, 1, 2]]),
    ],
)
def test_without_a_ranking_points_decide_and_equal_points_share_a_place(score: str, points: list[int], places: Any) -> None:
    assert places == (finish(points, score).end or {})["places"]


def test_a_ranking_decides_before_points_do() -> None:
    assert [[2], [1, 0]] == (finish([9, 5, 0], "high", ranking=[[2], [1, 0]]).end or {})["places"]


def test_seats_that_a_ranking_leaves_out_follow_by_points() -> None:
    assert [[3], [1], [0, 2]] == (finish([1, 5, 1, 0], "high", ranking=[[3]]).end or {})["places"]


def test_places_are_shown_with_ties_sharing_the_better_place() -> None:
    assert [1, 1, 3] == [seat["place"] for seat in finish([5, 5, 3], "high").view(None)["seats"]]


def test_chips_are_paid_by_place_at_the_end() -> None:
    assert {"places": [[0], [2], [1]], "chips": [20, -20, 0], "house": 0} == finish([5, 0, 3], "high").end


def test_a_game_may_settle_its_own_chips() -> None:
    def scoring(self: Any, table: Any) -> Result:
        return Result({0: 3, 1: -1}, over=True)

    def settle(self: Any, table: Any, places: list[list[int]]) -> dict[int, int]:
        return {seat: 7 * (1 if seat in places[0] else -1) for seat in table.players}

    match = start(scripted(scoring=scoring, settle=settle, score="high"), 2)
    assert {"places": [[0], [1]], "chips": [7, -7], "house": 0} == match.end


def test_what_a_games_own_settlement_leaves_over_goes_to_the_house() -> None:
    match = start(scripted(scoring=lambda self, table: Result({}, over=True), settle=lambda self, table, places: {0: 5, 1: -8}), 2)
    assert {"places": [[0, 1]], "chips": [5, -8], "house": 3} == match.end


# Finishing before the end


def finishing(*groups: list[list[int]]) -> Match:
    """Return a match of four in which hand i finished groups[i]; the next hand is dealt."""

    def scoring(self: Any, table: Any) -> Result | None:
        return Result(dict.fromkeys(table.seats, 1), finished=groups[table.hand - 1]) if table.hand <= len(groups) else None

    match = start(scripted(scoring=scoring), 4)
    for _ in groups:
        if match.phase == "dealing":
            match.deal(SEED)
    return match


def test_a_finished_seat_sits_out_the_hands_to_come() -> None:
    match = finishing([[2]])
    assert ((0, 1, 3), False) == (match.table.seats, match.table.has("hand/2"))


def test_a_finished_seat_is_shown_with_its_place() -> None:
    assert [("in", None), ("in", None), ("finished", 1), ("in", None)] == [
        (seat["state"], seat["place"]) for seat in finishing([[2]]).view(None)["seats"]
    ]


def test_the_start_goes_on_to_the_next_seat_that_still_plays() -> None:
    first = Stream(SEED, "start").below(4)
    assert (first + 2) % 4 == finishing([[(first + 1) % 4]]).table.start


def test_places_are_fixed_in_the_order_of_finishing() -> None:
    match = finishing([[2]], [[0, 3]])
    assert ("playing", [[2], [0, 3]], [2, None, 1, 2]) == (
        match.phase, match.finished, [seat["place"] for seat in match.view(None)["seats"]]
    )  # fmt: skip


def test_points_kept_facts_finished_seats_and_the_end_are_events() -> None:
    def scoring(self: Any, table: Any) -> Result:
        return Result({0: 3, 2: 1}, keep={"phase": 2}, finished=[[2], [0, 3]], over=True)

    match = start(scripted(scoring=scoring), 4, deal=False)
    assert [
        {"k": "points", "hand": 1, "points": [3, 0, 1, 0]},
        {"k": "keep", "facts": {"phase": 2}},
        {"k": "finish", "seats": [2]},
        {"k": "finish", "seats": [0, 3]},
        {"k": "end", "places": [[2], [0, 3], [1]], "chips": [0, -30, 30, 0]},
    ] == match.deal(SEED).events(None)[-5:]


def test_seats_that_finished_come_before_the_rest_at_the_end() -> None:
    def scoring(self: Any, table: Any) -> Result:
        points = {seat: 4 - seat for seat in table.seats}
        return Result(points, finished=[[1], [0]]) if table.hand == 1 else Result(points, over=True)

    match = start(scripted(scoring=scoring), 4)
    match.deal(SEED)
    assert [[1], [0], [3], [2]] == (match.end or {})["places"]


def test_the_match_is_over_when_all_have_finished() -> None:
    match = finishing([[2]], [[0, 3], [1]])
    assert ("over", [[2], [0, 3], [1]]) == (match.phase, (match.end or {})["places"])


def test_a_seat_cannot_finish_twice() -> None:
    with pytest.raises(PluginFault, match="finished already"):
        finishing([[2]], [[2]])


# What a match gives away


def test_the_view_of_a_seat_that_is_not_there_is_a_design_fault() -> None:
    match = start(Discards())
    for viewer in (3, -1, True, "0"):
        with pytest.raises(DesignFault, match="no seat"):
            match.view(viewer)  # type: ignore[arg-type]


def test_a_changed_view_changes_nothing_at_the_table() -> None:
    match = start(Passing(), 3)
    before = match.digest()
    expected = [match.view(viewer) for viewer in (0, 1, 2, None)]

    def wreck(value: Any) -> None:
        inner = list(value.values()) if isinstance(value, dict) else value
        for item in inner:
            if isinstance(item, (dict, list)):
                wreck(item)
        value.clear()

    for viewer in (0, 1, 2, None):
        wreck(match.view(viewer))
    assert (before, expected) == (match.digest(), [match.view(viewer) for viewer in (0, 1, 2, None)])


def test_reading_prompts_gives_a_copy() -> None:
    match = start(Discards())
    match.prompts.clear()
    assert 1 == len(match.prompts)


def test_the_view_says_who_sits_where() -> None:
    assert list(NAMES[:3]) == [seat["name"] for seat in start(Discards()).view(1)["seats"]]


def test_a_fork_is_played_on_without_changing_the_match() -> None:
    match = start(Discards())
    before = (match.digest(), match.h, match.q)
    fork = match.fork(SEED)
    play_hand(fork)
    fork.deal(SEED)
    fork.leave(0)
    assert before == (match.digest(), match.h, match.q)


def test_a_fork_begins_in_the_same_state() -> None:
    match = start(Passing(), 3)
    assert match.digest() == match.fork().digest()


def test_a_fork_without_a_seed_cannot_draw_random_numbers() -> None:
    def turn(self: Any, table: Any, seat: int, action: dict[str, Any]) -> None:
        table.shuffle("deck")
        table.ask(table.next(seat), "play")

    with pytest.raises(PluginFault, match="no seed"):
        act(start(scripted(turn=turn)).fork(), {"type": "pass"})
