"""Check the pure facts of Skat against the recorded cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from carteado.plugins.skat.bidding import LADDER, Auction, next_bid, null_covers
from carteado.plugins.skat.rules import (
    DECK,
    Contract,
    card_points,
    group,
    legal_cards,
    matadors,
    sort_hand,
    trick_winner,
)

CASES: dict[str, list[Any]] = json.loads((Path(__file__).parents[2] / "data" / "skat" / "rules.json").read_text())


def spoken(words: str) -> Auction:
    """Run an auction written `1 18 0 y 2 p`."""
    auction = Auction()
    tokens = words.split()
    for who, word in zip(tokens[::2], tokens[1::2], strict=True):
        auction = auction.after(int(who), word if word in "yp" else int(word))
    return auction


def test_the_ladder_has_the_sixty_three_recorded_values() -> None:
    assert list(LADDER) == CASES["bid_ladder"]
    assert len(LADDER) == 63


@pytest.mark.parametrize(
    ("value", "following"),
    [(0, 18), (18, 20), (20, 22), (22, 23), (23, 24), (24, 27), (33, 35), (44, 45), (59, 60), (216, 240), (240, 264)],
)
def test_next_bid_climbs_the_ladder(value: int, following: int) -> None:
    assert next_bid(value) == following


def test_nothing_can_be_bid_above_264() -> None:
    assert next_bid(264) is None


@pytest.mark.parametrize("value", [0, 17, 19, 21, 25, 26, 28, 34, 47, 58, 100000])
def test_a_value_no_game_has_is_refused(value: int) -> None:
    assert Auction().objection(1, value) == ("not_a_game_value", {"value": value})


@pytest.mark.parametrize("value", [36, 192, 198, 204, 216])
def test_a_first_bid_may_jump(value: int) -> None:
    assert Auction().objection(1, value) is None


@pytest.mark.parametrize("value", [24, 23])
def test_a_bid_must_be_higher_than_the_one_held(value: int) -> None:
    assert spoken("1 24 0 y").objection(1, value) == ("bid_too_low", {"value": value, "bid": 24})


@pytest.mark.parametrize(
    ("words", "declarer", "bid"),
    [
        ("1 18 0 p 2 p", 1, 18),
        ("1 p 2 p 0 18", 0, 18),
        ("1 18 0 y 1 20 0 y 1 22 0 y 1 p 2 p", 0, 22),
        ("1 p 2 18 0 p", 2, 18),
        ("1 18 0 p 2 20 1 p", 2, 20),
        ("1 18 0 p 2 20 1 y 2 p", 1, 20),
        ("1 18 0 y 1 20 0 p 2 22 1 y 2 36 1 p", 2, 36),
        ("1 18 0 y 1 24 0 y 1 p 2 27 0 p", 2, 27),
        ("1 p 2 18 0 y 2 p", 0, 18),
    ],
)
def test_the_auction_finds_the_declarer(words: str, declarer: int, bid: int) -> None:
    auction = spoken(words)
    assert (auction.stage, auction.declarer, auction.bid) == ("done", declarer, bid)


def test_the_deal_is_passed_in_when_forehand_also_passes() -> None:
    auction = spoken("1 p 2 p 0 p")
    assert (auction.stage, auction.declarer, auction.bid) == ("done", None, 0)


def test_forehand_left_without_a_bid_may_take_eighteen_only() -> None:
    auction = spoken("1 p 2 p")
    assert (auction.turn, auction.lowest) == (0, 18)
    assert auction.objection(0, 20) == ("forehand_takes_18", {"value": 18})


@pytest.mark.parametrize(
    ("words", "speaker", "lowest"),
    [
        ("1 p", 2, 18),
        ("1 18 0 p", 2, 20),
        ("1 18 0 y 1 24 0 y 1 p", 2, 27),
        ("1 18 0 y", 1, 20),
        ("1 264 0 y", 1, None),
    ],
)
def test_the_lowest_bid_is_the_next_above_what_is_held(words: str, speaker: int, lowest: int | None) -> None:
    auction = spoken(words)
    assert (auction.turn, auction.lowest) == (speaker, lowest)


@pytest.mark.parametrize(("words", "position"), [("1 p", 1), ("1 18 0 p 2 20", 0), ("1 18", 1), ("1 p 2 p 0 18", 0)])
def test_nobody_speaks_out_of_turn_or_after_passing(words: str, position: int) -> None:
    assert spoken(words).objection(position, "p") == ("not_your_bid", {})


def test_an_answer_is_yes_or_pass_never_a_value() -> None:
    assert spoken("1 18").objection(0, 20) == ("hold_or_pass", {"value": 18})
    assert Auction().objection(1, "y") == ("nothing_to_hold", {})


def test_after_refuses_what_objection_names() -> None:
    with pytest.raises(ValueError, match="bid_too_low"):
        spoken("1 24 0 y").after(1, 23)


@pytest.mark.parametrize(
    ("code", "bid", "allowed"),
    [
        ("N", 23, True),
        ("N", 24, False),
        ("NH", 35, True),
        ("NH", 36, False),
        ("NO", 46, True),
        ("NO", 48, False),
        ("NHO", 59, True),
        ("NHO", 60, False),
        ("D", 264, True),
    ],
)
def test_a_null_must_reach_the_bid(code: str, bid: int, allowed: bool) -> None:
    assert null_covers(Contract.parse(code), bid) == allowed


@pytest.mark.parametrize("case", CASES["trick"], ids=lambda case: case["note"])
def test_the_recorded_trick_goes_to_the_recorded_winner(case: dict[str, Any]) -> None:
    assert trick_winner(case["cards"], case["contract"]) == case["winner"]


@pytest.mark.parametrize("case", CASES["legal"], ids=lambda case: case["note"])
def test_the_recorded_hand_may_play_the_recorded_cards(case: dict[str, Any]) -> None:
    assert sorted(legal_cards(case["hand"], case["led"] or None, case["contract"])) == sorted(case["legal"])


def test_an_empty_trick_has_no_winner() -> None:
    with pytest.raises(ValueError, match="nobody has played"):
        trick_winner([], "G")


def test_the_pack_is_worth_120_and_each_suit_30() -> None:
    assert card_points(DECK) == 120
    assert [card_points(face for face in DECK if face[0] == suit) for suit in "CSHD"] == [30, 30, 30, 30]


@pytest.mark.parametrize(("trick", "points"), [("SA ST SK", 25), ("DJ HQ C9", 5), ("S7 S8 S9", 0), ("HA HQ", 14)])
def test_tricks_are_worth_their_cards(trick: str, points: int) -> None:
    assert card_points(trick.split()) == points


@pytest.mark.parametrize("case", CASES["score"], ids=lambda case: case["note"])
def test_matadors_of_the_recorded_hand(case: dict[str, Any]) -> None:
    assert matadors(case["cards12"], case["contract"][0]) == case["matadors"]


@pytest.mark.parametrize(
    ("code", "written"),
    [
        ("C", "C"),
        ("HH", "HH"),
        ("DHS", "DHS"),
        ("CHZ", "CHZ"),
        ("GO", "GO"),
        ("NOH", "NHO"),
        ("NHO", "NHO"),
        ("CSH", "CHS"),
    ],
)
def test_contract_codes_are_read_in_any_order_and_written_short(code: str, written: str) -> None:
    assert Contract.parse(code).code == written


def test_an_announcement_includes_what_it_implies() -> None:
    assert Contract.parse("CO") == Contract("C", hand=True, schneider=True, schwarz=True, ouvert=True)
    assert Contract.parse("GZ") == Contract("G", hand=True, schneider=True, schwarz=True)
    assert Contract.parse("NO") == Contract("N", ouvert=True)


@pytest.mark.parametrize("code", ["", "X", "CC", "GHH", "NS", "NZ", "10"])
def test_a_code_that_names_no_contract_is_refused(code: str) -> None:
    with pytest.raises(ValueError, match=r"no contract|no kind|Null knows"):
        Contract.parse(code)


@pytest.mark.parametrize("fields", [{"schneider": True}, {"hand": True, "schwarz": True}, {"hand": True, "ouvert": True}, {"kind": "X"}])
def test_a_contract_that_cannot_be_announced_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"schneider|schwarz|no kind"):
        Contract(**{"kind": "C", **fields})


def test_jacks_are_trumps_except_in_null() -> None:
    assert [group("CJ", kind) for kind in "CGN"] == ["T", "T", "C"]
    assert [group("HA", kind) for kind in "HGN"] == ["T", "H", "H"]


def test_a_hand_is_sorted_with_trumps_first() -> None:
    assert sort_hand(["S7", "DJ", "ST", "CJ", "H8", "HA"], "S") == ["CJ", "DJ", "ST", "S7", "HA", "H8"]
    assert sort_hand(["ST", "SJ", "S9", "SQ"], "N") == ["SQ", "SJ", "ST", "S9"]
