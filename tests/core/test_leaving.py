"""Leaving in every phase, with a substitute and without; taking over; and the cases M of Dez Degraus as whole matches."""

from __future__ import annotations

from typing import Any

import pytest
from tablegames import SEED, Discards, Passing, act, play_card, play_hand, random_match, scripted, seed_of, start, turn_of

from carteado.core.api import CLOSED, Result
from carteado.core.errors import DesignFault, Refused
from carteado.core.match import Match


def aside(self: Any, table: Any, seat: int) -> bool:
    """Put a leaver's cards aside unseen, and let the next seat play if it was the leaver's turn."""
    table.create(f"aside/{seat}", "pile", see=CLOSED)
    table.move(f"hand/{seat}", f"aside/{seat}", n=len(table.cards(f"hand/{seat}")))
    if not dict(table.prompts()):
        table.ask(table.next(seat), "play")
    return True


def table_of(players: int = 4, substitute: bool = True, hands: int = 9, **hooks: Any) -> Match:
    return start(scripted(**hooks), players, options={"substitute": substitute, "hands": hands})


def on_to_hand(match: Match, hand: int) -> Match:
    while match.hand < hand:
        play_hand(match)
        match.deal(seed_of(match.hand))
    return match


def refusal(call: Any, *arguments: Any) -> str:
    with pytest.raises(Refused) as caught:
        call(*arguments)
    return caught.value.code


# How it is booked


@pytest.mark.parametrize(
    ("moment", "how"),
    [("before", "free"), ("in 1", "free"), ("after 1", "free"), ("in 2", "penalty"), ("after 2", "penalty"), ("in 3", "penalty")],
)
def test_leaving_is_free_until_the_second_hand_begins(moment: str, how: str) -> None:
    match = start(scripted(), 4, options={"hands": 9}, deal=False)
    if moment != "before":
        match.deal(SEED)
        on_to_hand(match, int(moment[-1]))
    if moment.startswith("after"):
        play_hand(match)
    event = match.leave(1).events(None)[0]
    assert {"k": "leave", "seat": 1, "how": how} == event


def winner(match: Match) -> None:
    """Play the hand that finishes seat 0."""
    play_hand(match)
    assert match.finished == [[0]]


def finishing_first(self: Any, table: Any) -> Result | None:
    result = Discards.scoring(self, table)
    return result and Result(result.points, finished=[[0]] if table.hand == 2 else [])


@pytest.mark.parametrize(("seat", "how"), [(0, "kept"), (1, "loss")])
def test_after_a_winner_leaving_costs_the_loss_and_the_finished_keep_their_place(seat: int, how: str) -> None:
    match = on_to_hand(table_of(scoring=finishing_first), 2)
    winner(match)
    assert {"k": "leave", "seat": seat, "how": how} == match.leave(seat).events(None)[0]


def test_nobody_leaves_after_the_end() -> None:
    assert "over" == refusal(random_match(Discards(), 3, 1).leave, 0)


def test_m18_leaving_twice_is_refused_and_booked_once() -> None:
    match = table_of()
    match.leave(1)
    before = match.digest()
    assert ("left", before, [1]) == (refusal(match.leave, 1), match.digest(), match.left_order)


@pytest.mark.parametrize("seat", [-1, 4, 99, True, False, 0.0, "0", None, [0], {}])
def test_only_a_seat_of_the_match_can_leave_or_be_taken_over(seat: Any) -> None:
    match = table_of()
    before = (match.digest(), match.q, [dict(seat) for seat in match.seats])
    codes = (refusal(match.leave, seat), refusal(match.takeover, seat, "rule"))
    assert ("no_seat", "no_seat", before) == (*codes, (match.digest(), match.q, match.seats))


# With a substitute


def test_a_computer_player_goes_on_for_a_leaver() -> None:
    match = table_of()
    match.leave(1)
    seat = match.view(None)["seats"][1]
    assert ("rule", "in", True, {0, 1, 2, 3}) == (seat["bot"], seat["state"], seat["left"], set(match.table.seats))


def test_a_computer_player_that_leaves_stays_what_it_was() -> None:
    match = Match(Discards(), {}, [{"name": name, "bot": bot} for name, bot in (("a", None), ("b", "random"), ("c", None))])
    match.leave(1)
    assert "random" == match.seats[1]["bot"]


def test_a_leaver_with_a_substitute_keeps_prompt_and_cards() -> None:
    match = table_of()
    seat, prompt = turn_of(match)
    cards = match.table.cards(f"hand/{seat}")
    match.leave(seat)
    assert (prompt, cards) == (match.prompts[seat].id, match.table.cards(f"hand/{seat}"))


def test_a_substitute_is_dealt_in_the_hands_to_come() -> None:
    match = table_of()
    match.leave(1)
    on_to_hand(match, 2)
    assert (0, 1, 2, 3) == match.table.seats


def test_a_substitute_takes_no_place() -> None:
    match = table_of(hands=1)
    match.leave(1)
    play_hand(match)
    assert ((0, 2, 3), None) == (match.table.placed, match.view(None)["seats"][1]["place"])


def test_the_match_goes_on_with_two_who_can_be_placed() -> None:
    match = table_of()
    match.leave(1)
    match.leave(2)
    assert ("playing", (0, 3)) == (match.phase, match.table.placed)


def test_the_match_ends_when_one_who_can_be_placed_is_left() -> None:
    match = table_of(3)
    match.leave(1)
    match.leave(2)
    assert ("over", [[0]], ["over.left", {}]) == (match.phase, (match.end or {})["places"], (match.result or {})["reason"])


def test_a_leaver_cannot_take_the_seat_back_from_the_computer() -> None:
    match = table_of()
    match.leave(1)
    assert "left" == refusal(match.takeover, 1, None)


def test_without_a_leave_hook_a_computer_goes_on_even_where_there_are_no_substitutes() -> None:
    match = table_of(substitute=False)
    match.leave(1)
    assert ("rule", set()) == (match.seats[1]["bot"], match.gone)


# Without a substitute


def test_without_a_substitute_a_leaver_is_out_of_the_hand() -> None:
    match = table_of(substitute=False, leave=aside)
    cards = match.table.cards("hand/1")
    match.leave(1)
    assert ((0, 2, 3), (), sorted(cards), "left") == (
        match.table.seats, match.table.cards("hand/1"), sorted(match.table.cards("aside/1")), match.view(None)["seats"][1]["state"]
    )  # fmt: skip


def test_without_a_substitute_the_next_seat_is_asked_when_the_one_to_play_leaves() -> None:
    match = table_of(substitute=False, leave=aside)
    seat, _ = turn_of(match)
    match.leave(seat)
    assert [(seat + 1) % 4] == list(match.prompts)


def test_without_a_substitute_the_prompt_of_a_leaver_is_closed() -> None:
    match = table_of(substitute=False, leave=aside)
    seat, prompt = turn_of(match)
    match.leave(seat)
    assert "stale" == refusal(match.act, seat, prompt, {"type": "pass"})


def test_without_a_substitute_a_prompt_is_closed_only_if_one_is_open() -> None:
    kinds = []
    for step in range(2):
        match = table_of(substitute=False, leave=lambda self, table, seat: True)
        seat, _ = turn_of(match)
        match.table._prompts = {**match.table._prompts, (seat + 2) % 4: match.table._prompts[seat]._replace(id=99)}
        kinds.append([event["k"] for event in match.leave((seat + step) % 4).events(None)])
    assert [["leave", "close"], ["leave"]] == kinds


def test_without_a_substitute_the_prompt_of_another_stays_open() -> None:
    match = table_of(substitute=False, leave=aside)
    seat, prompt = turn_of(match)
    match.leave((seat + 1) % 4)
    assert (seat, prompt) == turn_of(match)


def test_without_a_substitute_a_leaver_is_not_dealt_in_again() -> None:
    match = on_to_hand(table_of(substitute=False, leave=aside), 2)
    match.leave(1)
    on_to_hand(match, 3)
    assert (0, 2, 3) == match.table.seats


def test_without_a_substitute_a_leaver_between_two_hands_is_not_dealt_in_again() -> None:
    match = table_of(substitute=False, leave=aside)
    play_hand(match)
    match.leave(1)
    match.deal(SEED)
    assert ((0, 2, 3), False) == (match.table.seats, match.table.has("hand/1"))


def test_a_leave_hook_may_end_the_hand() -> None:
    def empty(self: Any, table: Any, seat: int) -> bool:
        aside(self, table, seat)
        table.move(f"hand/{table.seats[0]}", "discard", n=len(table.cards(f"hand/{table.seats[0]}")))
        return True

    match = table_of(substitute=False, leave=empty)
    entry = match.leave(1).entry
    assert ("dealing", 1, match.digest()) == (match.phase, match.hand, entry["digest"])


def test_all_cards_stay_at_the_table_when_somebody_leaves() -> None:
    match = table_of(substitute=False, leave=aside)
    match.leave(1)
    assert sorted(Discards.deck.cards) == match.table.all_cards()


def test_a_leave_hook_that_loses_cards_is_undone() -> None:
    def lose(self: Any, table: Any, seat: int) -> bool:
        table._zones[f"hand/{seat}"] = table.zone(f"hand/{seat}")._replace(cards=())
        return True

    match = table_of(substitute=False, leave=lose)
    before = match.digest()
    with pytest.raises(Exception, match="cards were lost"):
        match.leave(1)
    assert (before, {}, set()) == (match.digest(), match.left, match.gone)


def test_somebody_who_sits_out_the_hand_leaves_without_touching_it() -> None:
    def deal(self: Any, table: Any) -> None:
        table.sit_out(table.next(table.start))
        Discards.deal(self, table)

    match = table_of(substitute=False, leave=aside, deal=deal)
    out = next(seat for seat in range(4) if seat not in match.table.seats)
    match.leave(out)
    assert (False, {out}) == (match.table.has(f"aside/{out}"), match.gone)


# The cases M as matches: the hands are scored so that seat i has i points, low wins.


def by_seat(self: Any, table: Any) -> Result | None:
    result = Discards.scoring(self, table)
    return result and Result({seat: seat for seat in table.players}, over=result.over)


def ended(match: Match) -> tuple[Any, ...]:
    while match.phase != "over":
        if match.phase == "dealing":
            match.deal(seed_of(match.hand + 1))
        play_card(match)
    return (match.end or {})["places"], (match.end or {})["chips"], (match.end or {})["house"]


@pytest.mark.parametrize("substitute", [True, False])
def test_m5_as_a_match(substitute: bool) -> None:
    match = table_of(4, substitute, 3, scoring=by_seat, leave=aside)
    match.leave(3)
    assert ([[0], [1], [2]], [20, 0, -20, 0], 0) == ended(match)


@pytest.mark.parametrize("substitute", [True, False])
@pytest.mark.parametrize(
    ("leaver", "places", "chips"),
    [(3, [[0], [1], [2], [3]], [30, 10, -10, -30]), (0, [[1], [2], [3], [0]], [-30, 30, 10, -10])],
)
def test_m7_m8_and_m10_as_a_match(substitute: bool, leaver: int, places: Any, chips: Any) -> None:
    match = on_to_hand(table_of(4, substitute, 3, scoring=by_seat, leave=aside), 3)
    match.leave(leaver)
    assert (places, chips, 0) == ended(match)


@pytest.mark.parametrize("substitute", [True, False])
def test_m12_as_a_match(substitute: bool) -> None:
    match = on_to_hand(table_of(4, substitute, 9, scoring=by_seat, leave=aside), 3)
    for seat in (1, 3, 0):
        match.leave(seat)
    assert ([[2], [0], [3], [1]], [-30, -30, 90, -30], 0) == ended(match)


def two_winners(self: Any, table: Any) -> Result | None:
    """Seat 0 finishes in hand 2; the rest goes on to hand 3."""
    result = Discards.scoring(self, table)
    return result and Result({seat: seat for seat in table.players}, finished=[[0]] if table.hand == 2 else [], over=table.hand == 3)


@pytest.mark.parametrize("substitute", [True, False])
def test_m14_as_a_match(substitute: bool) -> None:
    match = on_to_hand(table_of(4, substitute, scoring=two_winners, leave=aside), 2)
    play_hand(match)
    match.leave(3)
    assert ([[0], [1], [2], [3]], [30, 10, -10, -30], 0) == ended(match)


def test_m15_as_a_match() -> None:
    match = on_to_hand(table_of(4, scoring=two_winners), 3)
    match.leave(0)
    assert ([[0], [1], [2], [3]], [30, 10, -10, -30], 0) == ended(match)


def test_m17_a_seat_lost_for_good_is_a_leaver() -> None:
    match = on_to_hand(table_of(4, hands=3, scoring=by_seat), 3)
    match.takeover(3, "rule")
    match.leave(3)
    assert -30 == ended(match)[1][3]


def test_m16_a_seat_that_comes_back_has_lost_nothing() -> None:
    match = on_to_hand(table_of(4, hands=3, scoring=by_seat), 3)
    cards = match.table.cards("hand/3")
    match.takeover(3, "rule")
    match.takeover(3, None)
    assert (cards, None, [30, 10, -10, -30]) == (match.table.cards("hand/3"), match.seats[3]["bot"], ended(match)[1])


def test_m20_computer_seats_take_places_like_everybody() -> None:
    match = Match(scripted(scoring=by_seat), {"hands": 1}, [{"name": "Ana", "bot": None}, {"name": "Bot", "bot": "rule"}])
    match.deal(SEED)
    play_hand(match)
    assert [10, -10] == (match.end or {})["chips"]


def test_whoever_left_in_the_first_hand_is_placed_nowhere_though_a_computer_plays_on() -> None:
    match = table_of(4, hands=2, scoring=by_seat)
    match.leave(0)
    assert [[1], [2], [3]] == ended(match)[0]


def test_a_result_cannot_finish_somebody_who_left() -> None:
    def scoring(self: Any, table: Any) -> Result | None:
        result = Discards.scoring(self, table)
        return result and Result(result.points, finished=[[3], [2, 1]] if table.hand == 2 else [])

    match = on_to_hand(table_of(4, scoring=scoring), 2)
    match.leave(3)
    play_hand(match)
    assert [[2, 1]] == match.finished


def test_with_the_last_but_one_finished_after_somebody_left_the_match_is_over() -> None:
    def scoring(self: Any, table: Any) -> Result | None:
        result = Discards.scoring(self, table)
        return result and Result(result.points, finished=[[2, 1]] if table.hand == 2 else [])

    match = on_to_hand(table_of(4, scoring=scoring), 2)
    match.leave(3)
    play_hand(match)
    assert ("over", [[2, 1], [0], [3]]) == (match.phase, (match.end or {})["places"])


# Taking over


def test_a_computer_takes_over_and_gives_back() -> None:
    match = table_of()
    match.takeover(2, "random")
    first = match.view(None)["seats"][2]["bot"]
    match.takeover(2, None)
    assert ("random", None) == (first, match.view(None)["seats"][2]["bot"])


def test_a_takeover_changes_neither_cards_nor_prompts() -> None:
    match = start(Passing(), 3)
    before = match.digest()
    match.takeover(0, "rule")
    assert before == match.digest()


def test_a_takeover_is_an_event_for_everybody_and_a_line_in_the_log() -> None:
    match = table_of()
    commits = [match.takeover(2, "random"), match.takeover(2, None)]
    lines = [["takeover.bot", {"who": {"$player": 2}, "level": "random"}], ["takeover.back", {"who": {"$player": 2}}]]
    for level, line, commit in zip(("random", None), lines, commits, strict=True):
        told = [{"k": "takeover", "seat": 2, "level": level}, {"k": "say", "text": line}]
        assert [told] * 2 == [commit.events(0), commit.events(None)]
    assert lines == match.view(0)["log"][-2:]


def test_nobody_takes_over_after_the_end() -> None:
    assert "over" == refusal(random_match(Discards(), 3, 1).takeover, 0, "rule")


@pytest.mark.parametrize("level", ["", 3, True, ["rule"], "\ud800"])
def test_a_level_is_a_word(level: Any) -> None:
    match = table_of()
    with pytest.raises(DesignFault):
        match.takeover(0, level)
    assert (None, 1) == (match.seats[0]["bot"], match.q)


def test_a_seat_can_be_taken_over_between_two_hands() -> None:
    match = table_of()
    play_hand(match)
    match.takeover(0, "rule")
    match.deal(SEED)
    assert ("rule", "playing") == (match.seats[0]["bot"], match.phase)


def test_an_action_of_a_seat_played_by_a_computer_is_taken_like_any_other() -> None:
    match = table_of()
    seat, _ = turn_of(match)
    match.takeover(seat, "rule")
    assert seat == act(match, {"type": "pass"}, seat).entry["seat"]
