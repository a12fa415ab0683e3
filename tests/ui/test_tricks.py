"""Tricks on the screen: what is finished stays until it was seen, and who played what when is known afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from carteado.ui.terminal.tricks import HELD, Tricks

SEATS = [0, 1, 2]


def view(*cards: str, winner: int | None = None, hand: int = 1) -> Mapping[str, Any]:
    return {
        "hand": {"number": hand},
        "zones": [{"name": "trick", "kind": "trick", "cards": list(cards), "facts": {"seats": SEATS, "winner": winner}}],
    }


def play(place: int, card: str) -> dict[str, Any]:
    return {"k": "move", "from": f"hand/{place}", "to": "trick", "n": 1, "cards": [card], "place": place}


TAKE = {"k": "move", "from": "trick", "to": "won/1", "n": 3}


def seen(*steps: tuple[Sequence[dict[str, Any]], Mapping[str, Any]]) -> Tricks:
    tricks = Tricks()
    for events, shown in steps:
        tricks.hear(events)
        tricks.see(shown)
    return tricks


def test_a_trick_that_is_taken_and_led_to_anew_in_one_step_is_the_last_one_in_its_own_order() -> None:
    tricks = seen(
        ([], view("", "", "")),
        ([play(1, "H7")], view("", "H7", "")),
        ([play(2, "HK")], view("", "H7", "HK")),
        ([play(0, "H8")], view("H8", "H7", "HK", winner=2)),
        ([TAKE, play(2, "C9")], view("", "", "C9")),
    )
    assert tricks.last is not None
    assert ([1, 2, 0], 2, ["H8", "H7", "HK"]) == (tricks.last.places(), tricks.last.winner, list(tricks.last.cards))
    assert tricks.held is tricks.last


def test_a_trick_that_was_whole_and_in_sight_for_long_does_not_stand_in_the_way_of_the_next() -> None:
    tricks = seen(([], view("", "", "")), ([], view("H8", "H7", "HK")))
    for _ in range(HELD):
        tricks.tick()
    tricks.hear([TAKE, play(2, "C9")])
    tricks.see(view("", "", "C9"))
    assert tricks.held is None
    assert tricks.last is not None


def test_whoever_pressed_a_key_has_seen_what_lies_there() -> None:
    tricks = seen(([], view("", "", "")), ([], view("H8", "H7", "HK")))
    tricks.saw()
    tricks.hear([TAKE, play(2, "C9")])
    tricks.see(view("", "", "C9"))
    assert tricks.held is None


def test_a_new_hand_begins_without_the_last_trick_of_the_one_before() -> None:
    tricks = seen(([], view("H8", "H7", "")), ([play(2, "HK")], view("H8", "H7", "HK", winner=2)), ([], view("", "", "", hand=2)))
    assert (tricks.last, tricks.held) == (None, None)


def test_places_that_were_not_seen_being_filled_come_as_they_lie() -> None:
    tricks = seen(([], view("H8", "H7", "")), ([play(2, "HK"), TAKE], view("", "", "")))
    assert tricks.last is not None
    assert [0, 1, 2] == tricks.last.places()


def test_how_long_a_trick_stays_is_a_setting() -> None:
    none, long = Tricks(0), Tricks(60)
    for tricks in (none, long):
        for events, shown in (([], view("", "", "")), ([], view("H8", "H7", "HK")), ([TAKE, play(2, "C9")], view("", "", "C9"))):
            tricks.hear(events)
            tricks.see(shown)
    assert none.held is None
    for _ in range(30):
        long.tick()
    assert long.held is long.last
