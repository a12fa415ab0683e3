"""Play hands of Skat at the table: bidding, skat, announcements, early ends, list and chips."""

from __future__ import annotations

import json
from typing import Any

import pytest

from carteado.core.errors import Refused
from carteado.core.match import Match
from carteado.plugins.skat import Skat
from carteado.plugins.skat.rules import legal_cards

from .tables import (
    FOREHAND,
    FOREHAND_OF_FOUR,
    LOW,
    STRONG,
    act,
    cards,
    forehand_plays,
    play,
    play_out,
    table,
    zone,
)


def form(match: Match, seat: int, kind: str) -> dict[str, Any]:
    """Give an open form of a seat."""
    found: dict[str, Any] = next(form for form in match.view(seat)["prompts"][0]["forms"] if form["type"] == kind)
    return found


def refusal(match: Match, seat: int, kind: str, **fields: Any) -> str:
    """Give the code with which an action is refused."""
    with pytest.raises(Refused) as refused:
        act(match, seat, kind, **fields)
    return refused.value.code


def test_ten_cards_each_and_two_in_the_skat() -> None:
    match = Match(Skat(), {}, [{"name": name} for name in "ABC"])
    match.deal(bytes(32))
    counts = {name["name"]: name["n"] for name in match.view(None)["zones"]}
    assert (counts["hand/0"], counts["hand/1"], counts["hand/2"], counts["skat"]) == (10, 10, 10, 2)


def test_with_four_the_dealer_sits_out_and_the_deal_moves_on() -> None:
    match = Match(Skat(), {"hands": 2}, [{"name": name} for name in "ABCD"])
    match.deal(FOREHAND_OF_FOUR)
    assert (match.table.get("seats"), match.table.dealer) == ([0, 1, 2], 3)
    for seat in (1, 2, 0):
        act(match, seat, "pass")
    match.deal(FOREHAND_OF_FOUR)
    assert (match.table.get("seats"), match.table.dealer) == ([1, 2, 3], 0)


def test_middlehand_bids_first_and_forehand_answers() -> None:
    match = table(cards(STRONG, "S7 H7"))
    assert {seat: prompt.stage for seat, prompt in match.prompts.items()} == {1: "bid"}
    act(match, 1, "bid", value=24)
    assert {seat: prompt.stage for seat, prompt in match.prompts.items()} == {0: "answer"}
    assert form(match, 0, "hold")["label"] == ["form.hold", {"n": 24}]


def test_only_values_above_the_bid_are_offered() -> None:
    match = table(cards(STRONG, "S7 H7"))
    act(match, 1, "bid", value=24)
    act(match, 0, "hold")
    assert form(match, 1, "bid")["fields"]["value"]["of"][:3] == [27, 30, 33]
    assert refusal(match, 1, "bid", value=24) == "not_offered"


def test_the_next_value_is_bid_without_naming_it() -> None:
    match = table(cards(STRONG, "S7 H7"))
    assert form(match, 1, "next")["label"] == ["form.next", {"n": 18}]
    act(match, 1, "next")
    act(match, 0, "hold")
    act(match, 1, "next")
    assert match.table.get("bids") == [[1, 18], [0, "y"], [1, 20]]


def test_what_is_claimed_in_null_is_no_trick() -> None:
    match = table(cards(LOW, "SA HA"))
    forehand_plays(match)
    act(match, 0, "null_hand", cards="closed")
    assert form(match, 0, "claim")["label"] == ["form.claim.null", {}]
    act(match, 0, "claim")
    assert match.view(1)["layout"]["prompt"] == ["prompt.claim.null", {}]


def test_a_deal_that_all_pass_counts_and_is_worth_nothing() -> None:
    match = table(cards(STRONG, "S7 H7"), hands=2)
    for seat in (1, 2, 0):
        act(match, seat, "pass")
    assert match.result is not None
    assert (match.phase, match.table.kept("games"), match.result["reason"][0]) == ("dealing", [[None, "", 0]], "reason.passed_in")


def test_the_skat_goes_into_the_declarers_hand_and_only_he_sees_it() -> None:
    match = table(cards(STRONG, "S7 H7"))
    forehand_plays(match)
    act(match, 0, "look")
    assert zone(match, 0, "hand/0")["n"] == 12
    assert match.view(0)["mine"]["skat"] == ["H7", "S7"] or match.view(0)["mine"]["skat"] == ["S7", "H7"]
    assert zone(match, 1, "hand/0")["cards"] is None
    assert "skat" not in match.view(1)["mine"]


def test_hand_and_announcements_are_gone_once_the_skat_was_seen() -> None:
    match = table(cards(STRONG, "S7 H7"))
    forehand_plays(match)
    act(match, 0, "look")
    assert [form["type"] for form in match.view(0)["prompts"][0]["forms"]] == ["declare", "null"]


def test_an_announcement_includes_what_it_implies() -> None:
    match = table(cards(STRONG, "S7 H7"))
    forehand_plays(match)
    act(match, 0, "hand", game="G", say="schwarz")
    assert match.view(1)["vars"]["contract"] == "GHZ"


def test_a_null_below_the_bid_is_blocked_with_the_reason() -> None:
    match = table(cards(LOW, "CA SA"))
    act(match, 1, "bid", value=48)
    act(match, 0, "hold")
    act(match, 1, "pass")
    act(match, 2, "pass")
    assert form(match, 0, "null_hand")["fields"]["cards"]["of"] == [{"value": "open", "label": ["null.open", {"n": 59}]}]
    act(match, 0, "look")
    assert form(match, 0, "null")["blocked"] == ["blocked.null", {"value": 46, "bid": 48}]
    assert refusal(match, 0, "null", put=["CA", "SA"], cards="open") == "blocked"


def test_a_null_below_the_bid_may_be_tried_and_is_lost_when_the_table_says_so() -> None:
    match = table(cards(LOW, "CA SA"), null_below_bid=True, list="plain")
    act(match, 1, "bid", value=24)
    act(match, 0, "hold")
    act(match, 1, "pass")
    act(match, 2, "pass")
    act(match, 0, "look")
    act(match, 0, "null", put=["CA", "SA"], cards="closed")
    play_out(match)
    assert match.table.points(0) < 0


def test_ouvert_shows_the_ten_cards_kept_to_everybody() -> None:
    match = table(cards(LOW, "CA SA"))
    forehand_plays(match)
    act(match, 0, "look")
    act(match, 0, "null", put=["CA", "C9"], cards="open")
    for viewer in (1, 2, None):
        assert sorted(zone(match, viewer, "hand/0")["cards"]) == sorted([*LOW.replace("C9", "SA").split()])
    assert zone(match, 1, "put/0")["cards"] is None


def test_the_cards_of_other_games_stay_hidden() -> None:
    match = table(cards(STRONG, "S7 H7"))
    forehand_plays(match)
    act(match, 0, "hand", game="G")
    assert [zone(match, 1, name)["cards"] for name in ("hand/0", "hand/2", "skat")] == [None, None, None]


def test_forehand_leads_whoever_plays() -> None:
    match = table(cards(LOW, "CA SA"))
    for seat, kind, fields in ((1, "bid", {"value": 18}), (0, "pass", {}), (2, "pass", {}), (1, "hand", {"game": "G"})):
        act(match, seat, kind, **fields)
    assert list(match.prompts) == [0]


def test_a_card_that_does_not_follow_is_refused_with_the_suit_asked() -> None:
    match = table(cards("CJ SJ HJ DJ CA CT CK SA S9 HA", "S7 H7", "C7 C8 S8 HK HQ H8 DA DT DK DQ"))
    forehand_plays(match)
    act(match, 0, "hand", game="G")
    play(match, "CA")
    assert refusal(match, 1, "play", card=["DA"]) == "follow.C"


def test_a_led_jack_must_be_followed_with_a_lone_jack() -> None:
    assert legal_cards(["CJ", "SA", "HA"], "DJ", "G") == ["CJ"]
    match = table(cards("SJ HJ DJ CA CT CK SA ST SK HA", "S7 H7", "CJ C7 S8 HK HQ H8 DA DT DK DQ"))
    forehand_plays(match)
    act(match, 0, "hand", game="G")
    play(match, "DJ")
    assert form(match, 1, "play")["fields"]["card"]["cards"] == ["CJ"]
    assert refusal(match, 1, "play", card=["C7"]) == "follow_trump"


def test_a_full_trick_stays_on_the_table_until_the_next_lead() -> None:
    match = table(cards(STRONG, "S7 H7"))
    forehand_plays(match)
    act(match, 0, "hand", game="G")
    play(match, "CA")
    while match.table.zone("trick").facts["winner"] is None:
        (seat,) = match.prompts
        play(match, form(match, seat, "play")["fields"]["card"]["cards"][0])
    assert all(zone(match, None, "trick")["cards"])
    assert zone(match, None, "trick")["facts"] == {"seats": [0, 1, 2], "winner": 0}
    play(match, "CT")
    assert (zone(match, None, "trick")["cards"], zone(match, None, "won/0")["n"]) == (["CT", "", ""], 3)


def test_a_null_ends_with_the_declarers_first_trick() -> None:
    match = table(cards("CA ST SK SQ HA HK HQ DA DK DQ", "C7 S7"))
    forehand_plays(match)
    act(match, 0, "look")
    act(match, 0, "null", put=["C7", "S7"], cards="closed")
    play(match, "CA")
    while match.phase == "playing":
        (seat,) = match.prompts
        play(match, form(match, seat, "play")["fields"]["card"]["cards"][0])
    assert match.table.kept("games") == [[0, "N", -46]]
    assert len(match.table.get("tricks")) == 1


def test_a_declarer_who_gives_up_loses_plainly() -> None:
    match = table(cards(STRONG, "S7 H7"))
    forehand_plays(match)
    act(match, 0, "hand", game="C")
    act(match, 0, "concede")
    assert match.table.kept("games") == [[0, "CH", -2 * 12 * (7 + 2)]]


def test_a_claim_opens_the_cards_and_ends_the_hand_when_both_accept() -> None:
    match = table(cards(STRONG, "S7 H7"))
    forehand_plays(match)
    act(match, 0, "hand", game="G")
    act(match, 0, "claim")
    assert zone(match, None, "hand/0")["n"] == len(zone(match, None, "hand/0")["cards"])
    assert sorted(match.prompts) == [1, 2]
    act(match, 2, "accept")
    act(match, 1, "accept")
    assert match.table.kept("games") == [[0, "GH", 24 * 8]]


def test_a_refused_claim_is_played_on_with_open_cards_and_not_repeated() -> None:
    match = table(cards(STRONG, "S7 H7"))
    forehand_plays(match)
    act(match, 0, "hand", game="G")
    act(match, 0, "claim")
    act(match, 1, "accept")
    act(match, 2, "play_on")
    assert list(match.prompts) == [0]
    assert zone(match, 1, "hand/0")["cards"] is not None
    assert refusal(match, 0, "claim") == "unknown_action"


def test_defenders_give_up_together_or_not_at_all() -> None:
    match = table(cards(STRONG, "S7 H7"))
    forehand_plays(match)
    act(match, 0, "hand", game="G")
    play(match, "CA")
    act(match, 1, "give_up")
    assert list(match.prompts) == [2]
    act(match, 2, "decline")
    assert list(match.prompts) == [1]
    assert refusal(match, 1, "give_up") == "unknown_action"
    play(match, form(match, 1, "play")["fields"]["card"]["cards"][0])
    act(match, 2, "give_up")
    act(match, 1, "agree")
    assert match.table.kept("games") == [[0, "GH", 24 * 6]]


def test_the_sheet_shows_all_cards_as_dealt_both_skats_and_the_sum() -> None:
    match = table(cards(STRONG, "S7 H7"))
    forehand_plays(match)
    act(match, 0, "look")
    act(match, 0, "declare", put=["ST", "S7"], game="C")
    play_out(match)
    assert match.result is not None
    text = json.dumps(match.result["sheet"])
    keys = [line[0] for part in match.result["sheet"] for line in part["lines"]]
    assert (keys[:2], keys[2][:10]) == (["sheet.contract", "sheet.points"], "sum.times.")
    assert [key for key in keys if key.startswith(("sheet.dealt", "sheet.skat", "sheet.put"))] == [
        "sheet.dealt.forehand",
        "sheet.dealt.middlehand",
        "sheet.dealt.rearhand",
        "sheet.skat",
        "sheet.put",
    ]
    assert text.count('"$card"') == 34
    dealt = next(line[1] for part in match.result["sheet"] for line in part["lines"] if line[0] == "sheet.dealt.forehand")
    assert sorted(card["$card"] for card in dealt["cards"]["$list"]) == sorted(STRONG.split())


def test_no_defender_can_tell_with_from_without_before_the_end() -> None:
    """Two deals that differ only in the declarer's unseen skat and hand look the same to a defender."""
    views = []
    for ten, skat in (("SJ CA CT CK CQ C9 SA ST SK S9", "CJ H7"), ("SJ CA CT CK CQ C9 SA ST SK H7", "S9 CJ")):
        match = table(cards(ten, skat, "HJ DJ C7 C8 S7 S8 H8 D7 D8 D9"))
        forehand_plays(match)
        act(match, 0, "hand", game="C")
        play(match, "CA")
        view = match.view(1)
        view["table"]["options"].pop("cards")
        views.append(view)
    assert views[0] == views[1]


def test_in_a_duel_the_computers_seat_can_only_pass_and_takes_no_part_in_points_and_chips() -> None:
    match = table(cards(STRONG, "S7 H7"), mode="duel", list="seeger")
    act(match, 1, "pass")
    assert [form["type"] for form in match.view(2)["prompts"][0]["forms"]] == ["pass"]
    act(match, 2, "pass")
    act(match, 0, "take")
    act(match, 0, "hand", game="G")
    play_out(match)
    value = match.table.kept("games")[0][2]
    assert match.end is not None
    assert match.end["places"] == [[0], [1], [2]]
    pays = 10 * value
    commission = (9 * pays + 50) // 100
    assert match.end["chips"] == [pays - 2 * commission, -pays, 0]


def test_seeger_fabian_with_four_gives_the_dealer_thirty_too() -> None:
    match = table(cards(LOW, "CA SA"), 4, FOREHAND_OF_FOUR, list="seeger")
    forehand_plays(match)
    act(match, 0, "hand", game="C")
    act(match, 0, "concede")
    points = [match.table.points(seat) for seat in range(4)]
    assert points[0] == match.table.kept("games")[0][2] - 50
    assert points[1:] == [30, 30, 30]


@pytest.mark.parametrize(("bots", "computer"), [((None, None, "rule"), 2), (("rule", "rule", None), 1), (("strong", None, None), 0)])
def test_the_last_chair_of_a_computer_player_is_the_one_that_is_not_counted_in_a_duel(bots: tuple[str | None, ...], computer: int) -> None:
    match = Match(Skat(), {"mode": "duel"}, [{"name": name, "bot": bot} for name, bot in zip("ABC", bots, strict=True)])
    match.deal(FOREHAND)
    assert match.table.get("computer") == computer
    layout = match.view(None)["layout"]
    assert [["badge.computer", {}] in badges for badges in layout["badges"]] == [seat == computer for seat in range(3)]


@pytest.mark.parametrize(("options", "hands"), [({}, 36), ({"mode": "duel"}, 12), ({"hands": 5}, 5)])
def test_a_list_has_thirty_six_deals_a_duel_twelve(options: dict[str, Any], hands: int) -> None:
    match = Match(Skat(), options, [{"name": name} for name in "ABC"])
    dealt = 0
    while match.phase != "over":
        match.deal(FOREHAND)
        dealt += 1
        while match.phase == "playing":
            (seat,) = match.prompts
            act(match, seat, "pass")
    assert dealt == hands
    assert match.result is not None
    assert match.result["sheet"][-1]["title"] == ["sheet.end", {"n": hands}]


def test_a_seat_that_runs_out_of_time_passes_declares_and_plays_what_is_legal() -> None:
    match = table(cards(STRONG, "S7 H7"))
    act(match, 1, "bid", value=18)
    match.timeout(0, match.prompts[0].id)
    match.timeout(2, match.prompts[2].id)
    while match.phase == "playing":
        (seat,) = match.prompts
        match.timeout(seat, match.prompts[seat].id)
    assert match.table.kept("games")[0][0] == 1


def test_captions_name_forehand_the_holder_and_the_contract() -> None:
    match = table(cards(STRONG, "S7 H7"))
    act(match, 1, "bid", value=20)
    layout = match.view(0)["layout"]
    assert layout["badges"] == [
        [["badge.forehand", {}]],
        [["badge.middlehand", {}], ["badge.bids", {"n": 20}]],
        [["badge.rearhand", {}]],
    ]
    assert layout["prompt"] == ["prompt.answer", {"n": 20, "player": {"$player": 1}}]
    act(match, 0, "hold")
    assert match.view(2)["layout"]["badges"][:2] == [[["badge.forehand", {}], ["badge.holds", {"n": 20}]], [["badge.middlehand", {}]]]
    act(match, 1, "pass")
    act(match, 2, "pass")
    act(match, 0, "hand", game="G")
    layout = match.view(1)["layout"]
    assert layout["title"][1] == ["title.contract", {"player": {"$player": 0}, "contract": ["contract.GH", {}], "bid": 20}]
    assert ["badge.declarer", {}] in layout["badges"][0]
    assert layout["sorts"][0]["name"] == ["sort.G", {}]
