"""Check how worlds are weighed by what was played and bid."""

from __future__ import annotations

import random
from typing import Any

from carteado.core.match import Match
from carteado.plugins.skat.bidding import LADDER
from carteado.plugins.skat.evidence import HABITS, IMPOSSIBLE, NEVER, SIZE, Evidence, choices, heard, plays, reach, strength_of
from carteado.plugins.skat.habits import BIDS
from carteado.plugins.skat.inference import draw
from carteado.plugins.skat.layout import LAYOUTS
from carteado.plugins.skat.rules import DECK
from carteado.plugins.skat.sight import Sight, sight

from .tables import act, cards, forehand_plays, play, table

STRONG_HAND = "CJ SJ CA CT CK C9 C8 SA S9 HA"
WEAK_HAND = "C9 C7 SQ S8 HK H8 DQ D9 CQ SK"


def seen_by(match: Match, seat: int) -> Sight:
    """Give what a seat sees."""
    found = sight(match.view(seat))
    assert found is not None
    return found


def after_a_trick() -> Match:
    """Play a trick of forehand's Grand: he leads the queen of spades, middlehand takes it with the ace, rearhand gives the nine."""
    match = table(cards("CJ SJ HJ DJ CA CT CK SQ HA DA", "S7 H7", "SA S8 C7 HK HQ H8 DT DK DQ D7"))
    forehand_plays(match)
    act(match, 0, "hand", game="G")
    play(match, "SQ", "SA", "S9")
    return match


def test_there_is_a_number_for_every_situation_and_card() -> None:
    assert len(HABITS) == SIZE
    assert [row[0] for row in BIDS] == sorted({row[0] for row in BIDS} & set(LADDER))


def test_a_world_in_which_a_player_did_not_follow_though_he_could_is_ruled_out() -> None:
    layout = LAYOUTS["G"]
    (_, discard, _) = plays(layout, 0, [(0, ["SA", "H9", "SK"])])
    assert choices(layout, discard, layout.mask(["H9", "S7"])) == []
    assert [layout.faces[place] for place, _, _ in choices(layout, discard, layout.mask(["H9", "D7"]))] == ["H9", "D7"]


def test_the_cards_a_player_held_are_those_he_holds_and_has_played_since() -> None:
    layout = LAYOUTS["G"]
    found = plays(layout, 0, [(0, ["SA", "S9", "SK"]), (0, ["HA", "H9", "HK"])])
    assert [play.later for play in found if play.player == 1] == [layout.mask(["S9", "H9"]), layout.mask(["H9"])]


def test_who_gave_his_partner_a_nine_hardly_holds_the_ten() -> None:
    seen = seen_by(after_a_trick(), 0)
    evidence = Evidence(seen)
    rest = [face for face in seen.unseen if face[0] != "S"]
    with_ten = evidence.by_cards([seen.hand, ["S8", *rest[:8]], ["ST", *rest[8:16]]])
    with_eight = evidence.by_cards([seen.hand, ["ST", *rest[:8]], ["S8", *rest[8:16]]])
    assert with_ten < with_eight - 0.5


def test_an_impossible_card_weighs_more_than_all_the_rest() -> None:
    match = table(cards("CJ SJ HJ DJ CA CT CK SA HA DA", "S7 H7", "S9 ST C7 HK HQ H8 DT DK DQ D7"))
    forehand_plays(match)
    act(match, 0, "hand", game="G")
    play(match, "CA", "C7", "C8", "SA", "S9", "SK", "CT", "DT")
    seen = seen_by(match, 0)
    rest = [face for face in seen.unseen if face[0] not in "CS"]
    clubs = [face for face in seen.unseen if face[0] == "C"]
    void = Evidence(seen).weigh([seen.hand, rest[:7], [*clubs, *rest[7:13]]])
    revoked = Evidence(seen).weigh([seen.hand, [*clubs[:1], *rest[:6]], [*clubs[1:], *rest[6:13]]])
    assert revoked < void + IMPOSSIBLE / 2


def auction(*words: tuple[int, Any], mode: str = "tournament") -> Sight:
    """Give what forehand sees after some words of the auction."""
    match = table(cards(STRONG_HAND, "D7 D8"), mode=mode)
    for seat, word in words:
        if isinstance(word, int):
            act(match, seat, "bid", value=word)
        else:
            act(match, seat, word)
    return seen_by(match, 0)


def test_what_everybody_reached_and_did_not_go_to_is_heard() -> None:
    seen = auction((1, 18), (0, "hold"), (1, 20), (0, "hold"), (1, "pass"), (2, 24), (0, "hold"), (2, "pass"))
    assert heard(seen) == [(24, NEVER), (20, 22), (24, 27)]


def test_a_pass_answers_the_value_that_was_named() -> None:
    seen = auction((1, 18), (0, "pass"), (2, 20), (1, "pass"))
    assert heard(seen) == [(0, 18), (18, 20), (20, NEVER)]


def test_the_computer_of_a_duel_says_nothing_by_passing() -> None:
    seen = auction((1, 18), (0, "hold"), (1, "pass"), (2, "pass"), mode="duel")
    assert heard(seen)[2] == (0, NEVER)


def test_a_strong_hand_bids_more_likely_than_a_weak_one() -> None:
    for value in (18, 24, 40):
        assert reach(strength_of(STRONG_HAND.split(), 1), value) > 0 > reach(strength_of(WEAK_HAND.split(), 1), value)


def test_drawn_worlds_count_together_as_many_as_were_asked_for_and_each_is_there_once() -> None:
    seen = seen_by(after_a_trick(), 1)
    worlds = draw(seen, random.Random(4), 12)
    assert sum(world.weight for world in worlds) == 12
    assert len({(world.hands, world.skat) for world in worlds}) == len(worlds)
    for world in worlds:
        everything = [*(face for hand in world.hands for face in hand), *world.skat, *(face for _, face in seen.played)]
        assert sorted(everything) == sorted(DECK)
