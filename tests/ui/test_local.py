"""The hand as the player wants it, and what survives a new view."""

from __future__ import annotations

from carteado.ui.terminal.local import Hand

from .harness import local_for
from .tables import TABLES, steps, trick


def hand(*faces: str) -> Hand:
    one = Hand()
    one.take(faces)
    return one


def test_marks_and_order_survive_a_new_view_by_face() -> None:
    one = hand("R1", "B2", "G3")
    one.move(2, 0)
    one.toggle(1)
    one.take(["B2", "R1", "Y4", "G3"])
    assert ["G3", "R1", "B2", "Y4"] == one.faces
    assert ["R1"] == one.picked()


def test_a_played_card_takes_its_mark_with_it_even_when_its_twin_stays() -> None:
    one = hand("R1", "R1", "B2")
    one.toggle(1)
    one.take(["R1", "B2"])
    assert ["R1", "B2"] == one.faces
    assert [] == one.picked()


def test_drawn_cards_come_last_and_are_fresh_until_the_hand_changes_again() -> None:
    one = hand("R1")
    assert [False] == one.fresh
    one.take(["B2", "R1"])
    assert (["R1", "B2"], [False, True]) == (one.faces, one.fresh)
    one.take(["B2", "R1"])
    assert [False, True] == one.fresh
    one.take(["B2"])
    assert [False] == one.fresh


def test_sorting_keeps_marks_on_their_cards() -> None:
    one = hand("R3", "R1", "R2")
    one.toggle(0)
    one.arrange(lambda face: face)
    assert (["R1", "R2", "R3"], ["R3"]) == (one.faces, one.picked())


def test_moving_a_card_to_the_right_and_to_the_left() -> None:
    one = hand("A", "B", "C", "D")
    one.move(0, 2)
    assert ["B", "C", "A", "D"] == one.faces
    one.move(3, 0)
    assert ["D", "B", "C", "A"] == one.faces


def test_a_hand_ordered_by_the_player_is_not_sorted_by_the_next_view() -> None:
    view, words, looks = steps(), *TABLES["steps"][1:]
    local = local_for(view, words, looks)
    local.hand.move(0, 5)
    local.manual = True
    order = list(local.hand.faces)
    local.see(steps())
    assert order == local.hand.faces


def test_the_games_own_orders_are_used_when_it_has_some() -> None:
    view = steps()
    view["layout"]["sorts"] = [{"name": ["by", {}], "order": ["S", "W", "R12", "R2"]}]
    local = local_for(view, *TABLES["steps"][1:])
    assert ["S", "W", "R12", "R2"] == local.hand.faces[:4]


def test_a_form_that_was_begun_is_given_up_when_it_is_no_longer_offered() -> None:
    from carteado.ui.terminal.filling import Filling, forms_of

    view = steps()
    local = local_for(view, *TABLES["steps"][1:])
    local.armed = Filling(7, forms_of(view)[1])
    local.see(steps())
    assert local.armed is not None
    local.see(steps(prompts=[]))
    assert local.armed is None


def test_the_last_trick_is_remembered_with_its_last_card_that_no_view_ever_showed() -> None:
    view = trick()
    local = local_for(view, *TABLES["trick"][1:])
    events = [
        {"k": "move", "from": "hand/0", "to": "trick", "n": 1, "cards": ["SA"], "place": 0},
        {"k": "move", "from": "hand/1", "to": "trick", "n": 1, "place": 1, "mine": {"cards": ["S7"]}},
        {"k": "move", "from": "trick", "to": "won/0", "n": 3},
    ]
    after = trick()
    next(zone for zone in after["zones"] if zone["name"] == "trick")["cards"] = ["", "", ""]
    local.tricks.hear(events)
    local.see(after)
    assert local.tricks.last is not None
    assert ("trick", ["SA", "S7", "SK"]) == (local.tricks.last.zone, local.tricks.last.cards)


def test_a_new_hand_is_sorted_and_nothing_in_it_is_marked_as_fresh() -> None:
    view, words, looks = steps(), *TABLES["steps"][1:]
    local = local_for(view, words, looks)
    sorted_hand = list(local.hand.faces)
    local.hand.move(0, 5)
    local.manual = True
    after = steps(hand={"number": 5, "dealer": 2, "start": 3})
    next(zone for zone in after["zones"] if zone["name"] == "hand/0")["cards"] = [*sorted_hand[3:], "R3"]
    local.see(after)
    assert [False] * len(local.hand) == local.hand.fresh
    assert "R3" in local.hand.faces[:2]
