"""Check game values, list points and money against the recorded cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from carteado.plugins.skat.money import commission, settle_hand
from carteado.plugins.skat.rules import Contract
from carteado.plugins.skat.scoring import consequences, null_below_bid, plain_points, score_hand, seeger_fabian, worded_sum

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[2] / "data" / "skat" / "rules.json").read_text())["score"]
CLUBS_WITH_1 = ["CJ", "HJ", "CA", "C9", "C8", "C7", "SA", "S7", "HA", "H7", "D9", "D8"]


def clubs(code: str, points: int, tricks: int, **options: Any) -> int:
    """Score a hand with one matador at bid 18 and give the value."""
    return score_hand(Contract.parse(code), CLUBS_WITH_1, 18, points, tricks, **options).value


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["note"])
def test_the_recorded_hand_has_the_recorded_value(case: dict[str, Any]) -> None:
    outcome = score_hand(
        Contract.parse(case["contract"]),
        case["cards12"],
        case["bid"],
        case["declarer_points"],
        case["declarer_tricks"],
    )
    assert (outcome.value, outcome.overbid, outcome.matadors) == (
        case["expect_value"],
        case["overbid"],
        case["matadors"],
    )
    assert outcome.won == (case["expect_value"] > 0)


@pytest.mark.parametrize("code", ["CHS", "DHS", "GHS"])
def test_an_announced_schneider_costs_the_same_however_badly_it_is_missed(code: str) -> None:
    assert clubs(code, 88, 8) == clubs(code, 25, 3) == clubs(code, 0, 0)


def test_own_schneider_and_schwarz_count_without_announcement() -> None:
    assert [clubs("C", 31, 3), clubs("C", 30, 3), clubs("C", 20, 0)] == [-48, -72, -96]


def test_losses_count_once_when_the_option_says_so() -> None:
    assert clubs("C", 60, 5, double_losses=False) == -24
    overbid = score_hand(Contract.parse("C"), CLUBS_WITH_1, 27, 70, 7, double_losses=False)
    assert (overbid.overbid, overbid.value) == (True, -36)
    assert score_hand(Contract.parse("N"), CLUBS_WITH_1, 18, 0, 1, double_losses=False).value == -23


@pytest.mark.parametrize(
    ("code", "points", "tricks", "by_sum", "by_table"),
    [
        ("CH", 61, 6, 3, 3),
        ("CH", 90, 8, 4, 4),
        ("CH", 120, 10, 5, 6),
        ("CHS", 90, 8, 5, 5),
        ("CHS", 120, 10, 6, 6),
        ("CHZ", 120, 10, 7, 7),
        ("CO", 120, 10, 8, 8),
        ("C", 120, 10, 4, 4),
        ("C", 90, 9, 3, 3),
    ],
)
def test_the_table_of_the_manual_differs_only_for_an_unannounced_schwarz(
    code: str, points: int, tricks: int, by_sum: int, by_table: int
) -> None:
    assert clubs(code, points, tricks) == by_sum * 12
    assert clubs(code, points, tricks, levels="table") == by_table * 12


def test_an_unknown_way_to_count_levels_is_refused() -> None:
    with pytest.raises(ValueError, match="levels"):
        clubs("C", 61, 6, levels="best")


def test_an_early_end_counts_only_certain_levels() -> None:
    assert clubs("C", 120, 10, schneider=False, schwarz=False) == 24
    assert clubs("C", 0, 0, schneider=True, schwarz=False) == -72


def test_a_won_null_needs_no_trick_and_no_points() -> None:
    assert score_hand(Contract.parse("N"), CLUBS_WITH_1, 23, 14, 0).value == 23


def test_a_null_below_the_bid_is_lost_as_the_game_chosen() -> None:
    twelve = ["CJ", "D9", "D8", "D7", "C8", "C7", "S8", "S7", "H8", "H7", "S9", "H9"]
    outcome = null_below_bid(Contract.parse("N"), twelve, 24, kind="D")
    assert (outcome.charged, outcome.value, outcome.won) == (27, -54, False)
    assert null_below_bid(Contract.parse("NH"), twelve, 36, kind="G").value == -144
    assert null_below_bid(Contract.parse("N"), twelve, 24).value == -48
    with pytest.raises(ValueError, match="only a Null"):
        null_below_bid(Contract.parse("C"), twelve, 24)


def test_the_sum_is_worded_level_by_level() -> None:
    won = score_hand(Contract.parse("C"), CLUBS_WITH_1, 18, 90, 8)
    assert won.steps == (("with", 1), ("game", 2), ("schneider", 3))
    assert worded_sum(won) == [
        "sum.times.3",
        {"a": ["sum.with", {"n": 1}], "b": ["sum.game", {"n": 2}], "c": ["sum.schneider", {"n": 3}], "base": 12, "value": 36},
    ]
    assert consequences(won) == []


def test_the_longest_sum_has_eight_parts() -> None:
    assert worded_sum(score_hand(Contract.parse("CO"), CLUBS_WITH_1, 18, 120, 10))[0] == "sum.times.8"


def test_what_a_loss_and_an_overbid_cost_is_worded() -> None:
    lost = score_hand(Contract.parse("C"), CLUBS_WITH_1, 18, 60, 6)
    assert consequences(lost) == [["sum.doubled", {"value": -48}]]
    overbid = score_hand(Contract.parse("C"), CLUBS_WITH_1, 27, 70, 6)
    assert consequences(overbid) == [["sum.overbid", {"bid": 27, "base": 12, "value": 36}], ["sum.doubled", {"value": -72}]]
    single = score_hand(Contract.parse("C"), CLUBS_WITH_1, 18, 60, 6, double_losses=False)
    assert consequences(single) == [["sum.lost", {"value": -24}]]


def test_a_null_has_its_fixed_value_and_no_levels() -> None:
    null = score_hand(Contract.parse("NO"), CLUBS_WITH_1, 18, 0, 0)
    assert worded_sum(null) == ["sum.null", {"contract": ["contract.NO", {}], "value": 46}]
    below = null_below_bid(Contract.parse("N"), CLUBS_WITH_1, 24)
    assert consequences(below) == [["sum.overbid.null", {"bid": 24, "value": 24}], ["sum.doubled", {"value": -48}]]


@pytest.mark.parametrize(
    ("value", "players", "points"),
    [
        (18, [0, 1, 2], [68, 0, 0]),
        (20, [0, 1, 2], [70, 0, 0]),
        (-36, [0, 1, 2], [-86, 40, 40]),
        (-96, [0, 1, 2], [-146, 40, 40]),
        (-144, [0, 1, 2], [-194, 40, 40]),
        (-40, [0, 1, 2, 3], [-90, 30, 30, 30]),
    ],
)
def test_seeger_fabian_rewards_games_and_defence(value: int, players: list[int], points: list[int]) -> None:
    assert list(seeger_fabian(value, 0, players).values()) == points


def test_plain_lists_book_the_declarer_only() -> None:
    totals = {0: 0, 1: 0, 2: 0}
    seen = []
    for value, declarer in ((144, 0), (-108, 0), (46, 1)):
        for seat, points in plain_points(value, declarer, [0, 1, 2]).items():
            totals[seat] += points
        seen.append((totals[0], totals[1]))
    assert seen == [(144, 0), (36, 0), (36, 46)]


@pytest.mark.parametrize(
    ("value", "opponents", "stake", "limit", "gains", "house"),
    [
        (18, [1, 2], 10, 0, [312, -180, -180], 48),
        (27, [1, 2], 10, 0, [468, -270, -270], 72),
        (-36, [1, 2], 10, 0, [-360, 156, 156], 48),
        (18, [1], 10, 0, [148, -180], 32),
        (-36, [1], 10, 0, [-360, 328], 32),
        (264, [1, 2], 10, 2000, [3460, -2000, -2000], 540),
        (-192, [1, 2], 20, 2000, [-2000, 865, 865], 270),
        (18, [1, 2], 0, 0, [0, 0, 0], 0),
    ],
)
def test_money_follows_stake_commission_and_limit(
    value: int, opponents: list[int], stake: int, limit: int, gains: list[int], house: int
) -> None:
    payment = settle_hand(value, 0, opponents, stake, limit=limit)
    assert [payment.gains[seat] for seat in (0, *opponents)] == gains
    assert payment.house == house


@pytest.mark.parametrize("value", [18, 23, -36, -46, -54, -92, -118, -18])
@pytest.mark.parametrize("stake", [1, 3, 7, 10])
@pytest.mark.parametrize("opponents", [[1], [1, 2]])
def test_every_payment_sums_to_zero(value: int, stake: int, opponents: list[int]) -> None:
    payment = settle_hand(value, 0, opponents, stake)
    assert sum(payment.gains.values()) + payment.house == 0
    assert len({payment.gains[seat] for seat in opponents}) == 1


def test_an_odd_cent_stays_with_the_house() -> None:
    payment = settle_hand(-46, 0, [1, 2], 3)
    assert (payment.gains, payment.house) == ({0: -138, 1: 60, 2: 60}, 18)
    odd = settle_hand(-23, 0, [1, 2], 1, doubled=False)
    assert (odd.gains, odd.house) == ({0: -23, 1: 8, 2: 8}, 7)


def test_the_commission_is_rounded_half_up() -> None:
    assert [commission(paid) for paid in (180, 270, 50, 150, 0)] == [16, 24, 5, 14, 0]


def test_a_hand_without_opponents_or_with_negative_stakes_is_refused() -> None:
    with pytest.raises(ValueError, match="against the declarer"):
        settle_hand(18, 0, [], 10)
    with pytest.raises(ValueError, match="not negative"):
        settle_hand(18, 0, [1], -1)
