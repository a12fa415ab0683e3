"""Hold the decisions of the rules text where a table meets them: options and their defaults, early ends, list and chips."""

from __future__ import annotations

from typing import Any

import pytest

from carteado.core.errors import Refused
from carteado.core.match import Match
from carteado.plugins.skat import Skat
from carteado.plugins.skat.rules import card_points

from .tables import FOREHAND_OF_FOUR, LOW, STRONG, act, cards, forehand_plays, play, play_out, table, zone

DIAMONDS_WITH_1 = "CJ DA DT DK DQ D9 D8 CA SA HA"
"""Ten cards that win diamonds, with one matador."""


def bid_up(match: Match, value: int) -> None:
    """Let middlehand ask for a value, forehand hold it and become the declarer."""
    act(match, 1, "bid", value=value)
    act(match, 0, "hold")
    act(match, 1, "pass")
    act(match, 2, "pass")


def defenders_give_up(match: Match) -> None:
    """Let the declarer, forehand, lead and both defenders give up at once."""
    hand = next(form for form in match.view(0)["prompts"][0]["forms"] if form["type"] == "play")
    play(match, hand["fields"]["card"]["cards"][0])
    act(match, 1, "give_up")
    act(match, 2, "agree")


def claimed(match: Match) -> None:
    """Let forehand show the cards and both defenders accept."""
    act(match, 0, "claim")
    act(match, 1, "accept")
    act(match, 2, "accept")


def booked(match: Match) -> Any:
    """Give what the hand brought the declarer."""
    return match.table.kept("games")[-1][2]


def lines(match: Match) -> list[str]:
    """Name the lines of the score sheet."""
    assert match.result is not None
    return [line[0] for part in match.result["sheet"] for line in part["lines"]]


def test_a_table_that_chooses_nothing_plays_by_the_stated_defaults() -> None:
    options = Match(Skat(), {}, [{"name": name} for name in "ABC"]).options
    stated = {
        "mode": "tournament",
        "hands": 0,
        "list": "plain",
        "levels": "sum",
        "double_losses": True,
        "null_below_bid": False,
        "commission": 9,
        "limit": 0,
    }
    assert {name: options[name] for name in stated} == stated


@pytest.mark.parametrize(("levels", "times"), [("sum", 8), ("table", 9)])
def test_a_hand_grand_with_every_trick_is_worth_all_its_levels(levels: str, times: int) -> None:
    match = table(cards(STRONG, "S7 H7"), levels=levels)
    forehand_plays(match)
    act(match, 0, "hand", game="G")
    claimed(match)
    # With 4, game 5, hand 6, schneider 7, schwarz 8; in the manual's table a hand game with schwarz is 5 on top of the 4.
    assert booked(match) == 24 * times


@pytest.mark.parametrize(("double", "value"), [(True, -36), (False, -18)])
def test_a_lost_game_counts_double_unless_the_table_says_once(double: bool, value: int) -> None:
    match = table(cards(DIAMONDS_WITH_1, "S7 H7"), double_losses=double)
    forehand_plays(match)
    act(match, 0, "look")
    act(match, 0, "declare", put=["S7", "H7"], game="D")
    act(match, 0, "concede")
    assert booked(match) == value


@pytest.mark.parametrize("options", [{"list": "seeger"}, {"mode": "duel"}, {"list": "seeger", "mode": "duel"}])
def test_a_passed_in_deal_brings_nobody_points_or_chips(options: dict[str, Any]) -> None:
    match = table(cards(STRONG, "S7 H7"), stake=10, **options)
    for seat in (1, 2, 0):
        act(match, seat, "pass")
    assert match.end is not None
    assert [match.table.points(seat) for seat in range(3)] == [0, 0, 0]
    assert (match.end["chips"], match.end["house"]) == ([0, 0, 0], 0)


def test_in_null_a_jack_follows_its_suit_and_the_ten_lies_below_it() -> None:
    match = table(cards(LOW, "CA SA", "CJ CT CQ D9 DT DJ HJ HT SJ ST"))
    forehand_plays(match)
    act(match, 0, "null_hand", cards="closed")
    play(match, "C9")
    offered = next(form for form in match.view(1)["prompts"][0]["forms"] if form["type"] == "play")["fields"]["card"]["cards"]
    assert sorted(offered) == ["CJ", "CQ", "CT"]
    play(match, "CT", "CK")
    assert match.table.get("tricks")[-1][2] == 2


@pytest.mark.parametrize("declarer", [0, 1, 2])
@pytest.mark.parametrize("game", [("hand", {"game": "G"}), ("hand", {"game": "C", "say": "ouvert"}), ("null_hand", {"cards": "open"})])
def test_forehand_leads_to_every_game_of_every_player(declarer: int, game: tuple[str, dict[str, Any]]) -> None:
    match = table(cards(LOW, "CA SA"))
    said = {
        0: ((1, "pass"), (2, "pass"), (0, "take")),
        1: ((1, "next"), (0, "pass"), (2, "pass")),
        2: ((1, "pass"), (2, "next"), (0, "pass")),
    }
    for seat, word in said[declarer]:
        act(match, seat, word)
    act(match, declarer, game[0], **game[1])
    assert {seat: prompt.stage for seat, prompt in match.prompts.items()} == {0: "play"}


@pytest.mark.parametrize(
    ("bid", "kind", "allowed"),
    [
        (23, "null", ["closed", "open"]),
        (24, "null", ["open"]),
        (46, "null", ["open"]),
        (48, "null", []),
        (35, "null_hand", ["closed", "open"]),
        (36, "null_hand", ["open"]),
        (59, "null_hand", ["open"]),
        (60, "null_hand", []),
    ],
)
def test_only_nulls_that_reach_the_bid_are_offered(bid: int, kind: str, allowed: list[str]) -> None:
    match = table(cards(LOW, "CA SA"))
    bid_up(match, bid)
    if kind == "null":
        act(match, 0, "look")
    put = {"put": ["CA", "SA"]} if kind == "null" else {}
    form = next(form for form in match.view(0)["prompts"][0]["forms"] if form["type"] == kind)
    assert [choice["value"] for choice in form["fields"]["cards"]["of"] if not form["blocked"]] == allowed
    for way in {"closed", "open"} - set(allowed):
        with pytest.raises(Refused):
            act(match, 0, kind, cards=way, **put)
    if allowed:
        act(match, 0, kind, cards=allowed[0], **put)
        assert match.table.get("contract") is not None


def test_a_tried_null_below_the_bid_costs_the_cheapest_game_with_trumps_that_reaches_it() -> None:
    match = table(cards("CJ D9 D8 D7 C8 C7 S8 S7 H8 H7", "S9 H9"), null_below_bid=True)
    bid_up(match, 24)
    act(match, 0, "look")
    act(match, 0, "null", put=["CJ", "D9"], cards="closed")
    play_out(match)
    # With 1 all suits count twice: spades 22, hearts 20 and diamonds 18 do not reach 24 (33, 30, 27), clubs do.
    assert booked(match) == -48
    assert "sum.overbid.null" in lines(match)


@pytest.mark.parametrize(
    ("players", "points"),
    [(3, [-36 - 50, 40, 40]), (4, [-36 - 50, 30, 30, 30])],
)
def test_seeger_fabian_gives_each_opponent_forty_and_with_four_thirty(players: int, points: list[int]) -> None:
    seed = {"seed": FOREHAND_OF_FOUR} if players == 4 else {}
    match = table(cards(DIAMONDS_WITH_1, "S7 H7"), players, list="seeger", **seed)
    forehand_plays(match)
    act(match, 0, "look")
    act(match, 0, "declare", put=["S7", "H7"], game="D")
    act(match, 0, "concede")
    assert [match.table.points(seat) for seat in range(players)] == points


def test_seeger_fabian_gives_the_winner_fifty_and_the_others_nothing() -> None:
    match = table(cards(DIAMONDS_WITH_1, "S7 H7"), list="seeger")
    forehand_plays(match)
    act(match, 0, "look")
    act(match, 0, "declare", put=["S7", "H7"], game="D")
    defenders_give_up(match)
    assert [match.table.points(seat) for seat in range(3)] == [68, 0, 0]


def test_seeger_fabian_of_a_duel_leaves_the_computer_out() -> None:
    match = table(cards(DIAMONDS_WITH_1, "S7 H7"), mode="duel", list="seeger")
    act(match, 1, "pass")
    act(match, 2, "pass")
    act(match, 0, "take")
    act(match, 0, "look")
    act(match, 0, "declare", put=["S7", "H7"], game="D")
    act(match, 0, "concede")
    assert [match.table.points(seat) for seat in range(3)] == [-86, 40, 0]


@pytest.mark.parametrize(
    ("options", "end", "chips", "house"),
    [
        ({}, "won", [312, -180, -180], 48),
        ({}, "lost", [-360, 156, 156], 48),
        ({"mode": "duel"}, "won", [148, -180, 0], 32),
        ({"mode": "duel"}, "lost", [-360, 328, 0], 32),
        ({"double_losses": False}, "lost", [-180, 66, 66], 48),
        ({"limit": 100}, "won", [173, -100, -100], 27),
        ({"limit": 200}, "lost", [-200, 86, 86], 28),
        ({"commission": 0}, "won", [360, -180, -180], 0),
        ({"commission": 50}, "won", [90, -180, -180], 270),
    ],
)
def test_a_game_of_eighteen_is_paid_in_chips(options: dict[str, Any], end: str, chips: list[int], house: int) -> None:
    match = table(cards(DIAMONDS_WITH_1, "S7 H7"), stake=10, **options)
    forehand_plays(match)
    act(match, 0, "look")
    act(match, 0, "declare", put=["S7", "H7"], game="D")
    if end == "won":
        defenders_give_up(match)
    else:
        act(match, 0, "concede")
    assert match.end is not None
    assert (match.end["chips"], match.end["house"]) == (chips, house)


def test_a_commission_may_not_take_more_than_a_win_brings() -> None:
    with pytest.raises(Refused):
        Match(Skat(), {"commission": 67}, [{"name": name} for name in "ABC"])


def test_play_goes_on_after_sixty_one_until_the_tenth_trick() -> None:
    match = table(cards(STRONG, "S7 H7"))
    forehand_plays(match)
    act(match, 0, "hand", game="G")
    passed_61 = False
    while match.phase == "playing":
        tricks = match.table.get("tricks")
        passed_61 = passed_61 or (sum(card_points(trick) for _, trick, winner in tricks if winner == 0) >= 61 and len(tricks) < 9)
        (seat,) = match.prompts
        form = next(form for form in match.view(seat)["prompts"][0]["forms"] if form["type"] == "play")
        play(match, form["fields"]["card"]["cards"][0])
    assert passed_61
    assert len(match.table.get("tricks")) == 10


@pytest.mark.parametrize("look", [True, False])
def test_the_skat_counts_for_the_declarer_seen_or_not(look: bool) -> None:
    match = table(cards("C7 C8 S7 S8 H7 H8 D7 D8 C9 S9", "DA HQ"))
    forehand_plays(match)
    if look:
        act(match, 0, "look")
        act(match, 0, "declare", put=["DA", "HQ"], game="C")
    else:
        act(match, 0, "hand", game="C")
    play_out(match)
    assert match.result is not None
    part = next(line[1] for part in match.result["sheet"] for line in part["lines"] if line[0] == "sheet.points")
    assert (part["n"], part["tricks"]) == (14, 0)
    # Without a trick the declarer is schwarz, whatever lies in his skat: without 8, game 9, (hand,) schneider, schwarz.
    assert booked(match) == -2 * 12 * (11 if look else 12)


@pytest.mark.parametrize("game", ["G", "C"])
def test_an_ouvert_with_trumps_shows_the_ten_cards_before_the_first_lead(game: str) -> None:
    match = table(cards(STRONG, "S7 H7"))
    forehand_plays(match)
    act(match, 0, "hand", game=game, say="ouvert")
    for viewer in (1, 2, None):
        assert sorted(zone(match, viewer, "hand/0")["cards"]) == sorted(STRONG.split())
        assert zone(match, viewer, "skat")["cards"] is None


def test_an_ouvert_that_loses_a_trick_ends_there_at_its_announced_levels() -> None:
    match = table(cards("CJ SJ HJ DJ CA CT CK SA HA D7", "S7 H7"))
    forehand_plays(match)
    act(match, 0, "hand", game="G", say="ouvert")
    act(match, 0, "play", card=["D7"])
    while match.phase == "playing":
        (seat,) = match.prompts
        form = next(form for form in match.view(seat)["prompts"][0]["forms"] if form["type"] == "play")
        play(match, form["fields"]["card"]["cards"][0])
    # With 4; game, hand, schneider and schwarz both announced, ouvert: 11 times 24, doubled, and nothing for own schwarz.
    assert (len(match.table.get("tricks")), booked(match)) == (1, -2 * 24 * 11)


def test_an_announced_schneider_that_is_missed_costs_its_levels_once() -> None:
    match = table(cards(STRONG, "S7 H7"))
    forehand_plays(match)
    act(match, 0, "hand", game="G", say="schneider")
    act(match, 0, "concede")
    # With 4, game 5, hand 6, schneider 7, announced 8.
    assert booked(match) == -2 * 24 * 8


def test_cards_shown_and_accepted_count_as_played() -> None:
    match = table(cards(DIAMONDS_WITH_1, "S7 H7"))
    forehand_plays(match)
    act(match, 0, "look")
    act(match, 0, "declare", put=["S7", "H7"], game="D")
    claimed(match)
    # With 1, game 2, schneider 3, schwarz 4.
    assert booked(match) == 36
    assert "sheet.claimed" in lines(match)
    assert "sheet.uncounted" not in lines(match)


def test_defenders_who_give_up_lose_no_level_that_was_not_certain() -> None:
    match = table(cards(DIAMONDS_WITH_1, "S7 H7"))
    forehand_plays(match)
    act(match, 0, "look")
    act(match, 0, "declare", put=["S7", "H7"], game="D")
    defenders_give_up(match)
    assert booked(match) == 18
    assert {"sheet.gave_up.defenders", "sheet.uncounted"} <= set(lines(match))


def test_defenders_cannot_make_a_declarer_overbid_by_giving_up() -> None:
    match = table(cards(DIAMONDS_WITH_1, "S7 H7"))
    bid_up(match, 27)
    act(match, 0, "look")
    act(match, 0, "declare", put=["S7", "H7"], game="D")
    defenders_give_up(match)
    assert booked(match) == 36


def test_an_overbid_that_no_level_can_mend_is_lost_even_when_the_defenders_give_up() -> None:
    match = table(cards(DIAMONDS_WITH_1, "S7 H7"))
    bid_up(match, 40)
    act(match, 0, "look")
    act(match, 0, "declare", put=["S7", "H7"], game="D")
    defenders_give_up(match)
    assert match.result is not None
    assert (booked(match), match.result["reason"][0]) == (-90, "reason.overbid")
    assert "sum.overbid" in lines(match)


def test_a_jack_in_the_unseen_skat_makes_a_hand_game_overbid() -> None:
    match = table(cards("DA DT DK DQ D9 D8 D7 CA SA HA", "CJ H7"))
    # Without 4 he would reach 54; the jack of clubs in the skat makes it with 1: game 2, hand 3, times 9.
    bid_up(match, 45)
    act(match, 0, "hand", game="D")
    play_out(match)
    assert booked(match) == -2 * 45


def test_an_unfinished_claim_leaves_the_choice_to_both_defenders() -> None:
    match = table(cards(STRONG, "S7 H7"))
    forehand_plays(match)
    act(match, 0, "hand", game="G")
    act(match, 0, "claim")
    act(match, 1, "accept")
    assert match.phase == "playing"
    assert list(match.prompts) == [2]


def test_a_declarer_gives_up_only_at_his_turn() -> None:
    match = table(cards(STRONG, "S7 H7"))
    forehand_plays(match)
    act(match, 0, "hand", game="G")
    play(match, "CA")
    assert list(match.prompts) == [1]
    assert [form["type"] for form in match.view(1)["prompts"][0]["forms"]] == ["play", "give_up"]
