"""The client as a whole, without a terminal: keys, clicks and drags become actions; nothing else does."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from carteado.ui.terminal.app import Looks
from carteado.ui.terminal.room import Chair, Price, Proof, Room
from carteado.ui.terminal.session import Change
from carteado.ui.terminal.table import paint

from .harness import Pilot, Recorded, pilot
from .tables import TABLES, form, pick, seat, steps

Play = Callable[[Pilot], Awaitable[None]]


def recorded(game: str, **parts: Any) -> Recorded:
    make, words, looks = TABLES[game]
    return Recorded(make(**parts), words, looks)


def played(
    game: str, play: Play, *, columns: int = 80, rows: int = 24, looks: Looks | None = None, **parts: Any
) -> Recorded:
    """Run a client on a game, let somebody play, and return what the session was asked for."""
    session = recorded(game, **parts)

    async def run() -> None:
        async with pilot(session, columns, rows, looks) as one:
            await play(one)

    asyncio.run(run())
    return session


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=str)
@pytest.mark.parametrize("game", TABLES)
def test_what_prompt_toolkit_shows_is_what_paint_made(game: str, size: tuple[int, int]) -> None:
    async def play(one: Pilot) -> None:
        assert paint(one.session.view, one.client.local, *size).text() == one.text()

    played(game, play, columns=size[0], rows=size[1])


# keys


def test_a_digit_and_a_letter_discard_a_card() -> None:
    async def play(one: Pilot) -> None:
        await one.keys("1d")

    assert [(7, {"type": "discard", "cards": ["R2"]})] == played("steps", play).acts


def test_a_letter_and_then_a_digit_do_the_same() -> None:
    async def play(one: Pilot) -> None:
        await one.keys("d")
        assert "Discard: mark 1 card" in one.text()
        await one.keys("1")

    assert [(7, {"type": "discard", "cards": ["R2"]})] == played("steps", play).acts


def test_the_eleventh_card_has_a_key() -> None:
    async def play(one: Pilot) -> None:
        await one.keys("-d")

    assert [(7, {"type": "discard", "cards": ["W"]})] == played("steps", play).acts


def test_arrows_space_and_enter_play_without_any_letter() -> None:
    async def play(one: Pilot) -> None:
        await one.keys("\x1b[C")
        await one.keys("\x1b[C")
        await one.keys(" ")
        await one.keys("\r")

    assert [(7, {"type": "discard", "cards": ["Y6"]})] == played("steps", play).acts


def test_a_second_enter_does_not_play_another_card_and_an_arrow_goes_on_where_one_was() -> None:
    async def play(one: Pilot) -> None:
        await one.keys("\x1b[C")
        await one.keys("\x1b[C")
        await one.keys("\r")
        await one.keys("\r")
        assert "Discard: mark 1 card" in one.text()
        await one.keys("\x1b")
        await one.keys("\x1b")
        assert "" == one.client.local.focus
        await one.keys("\x1b[C")
        assert "card:1" == one.client.local.focus

    assert 1 == len(played("steps", play).acts)


def test_tab_goes_to_the_table_and_a_marked_card_goes_where_the_focus_is() -> None:
    async def play(one: Pilot) -> None:
        await one.keys("6")
        await one.keys("\t")
        await one.keys("\t")
        while one.client.local.focus != "zone:group/2":
            before = one.client.local.focus
            await one.keys("\x1b[C")
            assert before != one.client.local.focus
        await one.keys("\r")

    assert [(7, {"type": "hit", "cards": ["R9"], "group": "group/2"})] == played("steps", play).acts


def test_a_form_with_a_missing_target_asks_for_it_in_a_menu() -> None:
    async def play(one: Pilot) -> None:
        await one.keys("6j")
        assert "Where to?" in one.text()
        await one.keys("2")

    assert [(7, {"type": "hit", "cards": ["R9"], "group": "group/2"})] == played("steps", play).acts


def test_a_choice_is_made_with_arrows_and_enter() -> None:
    async def play(one: Pilot) -> None:
        await one.keys("0s")
        await one.keys("\x1b[B")
        await one.keys("\r")

    assert [(7, {"type": "skip", "cards": ["S"], "seat": 3})] == played("steps", play).acts


def test_the_games_proposal_is_shown_before_it_is_laid() -> None:
    async def play(one: Pilot) -> None:
        await one.keys("b")
        assert [] == one.session.acts
        assert "run of 4: 9● 10● 11▲ 12●" in one.text()
        await one.keys("\r")

    groups = [["B7", "G7", "W"], ["R9", "R10", "Y11", "R12"]]
    assert [(7, {"type": "lay", "groups": groups})] == played("steps", play).acts


def test_groups_are_built_step_by_step_when_the_player_wants_to() -> None:
    async def play(one: Pilot) -> None:
        await one.keys("b2")
        assert "group 1 of 2: mark the cards of a set of 3" in one.text()
        await one.keys("34-\r")
        assert "group 2 of 2: mark the cards of a run of 4" in one.text()
        await one.keys("6789\r")

    groups = [["B7", "G7", "W"], ["R9", "R10", "Y11", "R12"]]
    assert [(7, {"type": "lay", "groups": groups})] == played("steps", play).acts


def test_a_card_cannot_be_put_into_two_groups() -> None:
    async def play(one: Pilot) -> None:
        await one.keys("b2")
        await one.keys("34-\r")
        await one.keys("3\r")
        assert "A card cannot be in two groups." in one.text()

    assert [] == played("steps", play).acts


def test_marked_cards_are_laid_together_without_a_question() -> None:
    async def play(one: Pilot) -> None:
        await one.keys("34-6789b")

    cards = ["B7", "G7", "R9", "R10", "Y11", "R12", "W"]
    assert [(7, {"type": "lay", "cards": cards})] == played("steps", play).acts


def test_a_number_out_of_many_is_typed_and_checked() -> None:
    forms = [form("bid", "b", value={"kind": "number", "low": 18, "high": 264})]

    async def play(one: Pilot) -> None:
        await one.keys("b300\r")
        assert "from 18 to 264" in one.text()
        await one.keys("\x7f\x7f\x7f24\r")

    prompts = [{"id": 1, "stage": "bid", "forms": forms, "hints": []}]
    assert [(1, {"type": "bid", "value": 24})] == played("trick", play, prompts=prompts).acts


def test_a_number_that_is_not_among_many_is_refused_with_those_next_to_it() -> None:
    forms = [form("bid", "b", value={"kind": "number", "low": 18, "high": 264, "of": [*range(18, 61), 63, 264]})]

    async def play(one: Pilot) -> None:
        await one.keys("b61\r")
        assert "61 cannot be chosen; next to it: 60 and 63" in one.text()
        await one.keys("\x7f\x7f63\r")

    prompts = [{"id": 1, "stage": "bid", "forms": forms, "hints": []}]
    assert [(1, {"type": "bid", "value": 63})] == played("trick", play, prompts=prompts).acts


def test_escape_takes_back_one_thing_at_a_time() -> None:
    async def play(one: Pilot) -> None:
        local = one.client.local
        await one.keys("12?")
        await one.keys("\x1b")
        assert ([], ["R2", "Y6"]) == (local.boxes, local.hand.picked())
        await one.keys("\x1b")
        assert [] == local.hand.picked()
        await one.keys("d")
        assert local.armed is not None
        await one.keys("\x1b")
        assert local.armed is None

    assert [] == played("steps", play).acts


def test_a_hint_is_followed_by_choosing_it() -> None:
    async def play(one: Pilot) -> None:
        await one.keys("i")
        assert "You can lay phase 2" in one.text()
        await one.keys("\r")

    assert ["lay"] == [action["type"] for _, action in played("steps", play).acts]


def test_a_discard_is_asked_about_while_the_game_proposes_to_lay_and_the_setting_turns_that_off() -> None:
    async def careful(one: Pilot) -> None:
        await one.keys("1d")
        assert "You could do this now instead: Lay phase." in one.text()
        await one.keys("1")
        assert [] == one.session.acts
        assert [True] == [marked for marked in one.client.local.hand.marked if marked]
        await one.keys("d")
        await one.keys("2")

    async def careless(one: Pilot) -> None:
        await one.keys("\x1b[24~")
        assert "No questions before a card goes." in one.text()
        await one.keys("1d")

    discard = [(7, {"type": "discard", "cards": ["R2"]})]
    assert discard == played("steps", careful, looks=Looks(confirm=True)).acts
    assert discard == played("steps", careless, looks=Looks(confirm=True)).acts


def test_the_palette_finds_by_a_few_letters_and_does_it() -> None:
    async def play(one: Pilot) -> None:
        await one.keys(":")
        await one.keys("dscsk")
        await one.keys("\r")
        assert "Discard skip: mark 1 card" in one.text()

    assert [] == played("steps", play).acts


def test_letters_do_not_play_while_something_is_typed() -> None:
    async def play(one: Pilot) -> None:
        await one.keys("1t")
        await one.keys("bad idea\r")

    session = played("steps", play)
    assert [] == session.acts
    assert [("say", {"text": "bad idea"})] == session.wishes


def test_pasted_text_is_typed_in_a_chat_and_ignored_at_the_table() -> None:
    async def play(one: Pilot) -> None:
        await one.keys("\x1b[200~1d\x1b[201~")
        await one.keys("t")
        await one.keys("\x1b[200~good\ngame\x1b[201~\r")

    session = played("steps", play)
    assert [] == session.acts
    assert [("say", {"text": "good game"})] == session.wishes


@pytest.mark.parametrize("keys", ["\x1b[1;3C", "\x1b[1;2C", "\x1b[1;5C", ">"], ids=["alt", "shift", "ctrl", "plain"])
def test_a_card_moves_within_the_hand_and_takes_the_focus_along(keys: str) -> None:
    async def play(one: Pilot) -> None:
        local = one.client.local
        await one.keys("\x1b[C")
        before = list(local.hand.faces)
        await one.keys(keys)
        assert [before[1], before[0], *before[2:]] == local.hand.faces
        assert "card:1" == local.focus

    assert [] == played("steps", play).acts


def test_sorting_goes_round_the_orders_and_tells_which() -> None:
    async def play(one: Pilot) -> None:
        by_rank = list(one.client.local.hand.faces)
        await one.keys("o")
        assert "Sorted by suit." in one.text()
        assert by_rank != one.client.local.hand.faces
        await one.keys("o")
        assert by_rank == one.client.local.hand.faces

    played("steps", play)


def test_one_key_changes_the_language_and_the_names_stay() -> None:
    kept: list[str] = []

    async def play(one: Pilot) -> None:
        assert "[o] Sort" in one.text()
        await one.keys("L")
        assert "[o] Ordenar" in one.text()
        assert "Língua: Português (Portugal)" in one.text()
        assert "Carla" in one.text()
        one.session.refuse = [["paused", {}]]
        await one.keys("L")
        assert "[o] Ordenar" in one.text()
        assert "A mesa está em pausa." in one.text()
        await one.keys("L")
        await one.keys("L")
        await one.keys("L")
        assert "[o] Sort" in one.text()

    session = played("steps", play, looks=Looks(keep=kept.append))
    assert ["pt_PT", "pt_BR", "pt_BR", "de", "en"] == session.spoken
    assert ["pt_PT", "pt_BR", "de", "en"] == kept


def test_a_letter_that_the_game_uses_is_the_games_and_the_client_keeps_another_key() -> None:
    async def play(one: Pilot) -> None:
        await one.keys("8p")
        await one.keys("\x1bOQ")
        assert "points" == one.client.local.boxes[-1].name

    assert [(21, {"type": "play", "cards": ["SA"]})] == played("trick", play).acts


def test_a_trick_game_needs_one_key_and_enter_and_a_new_mark_replaces_the_old() -> None:
    async def play(one: Pilot) -> None:
        await one.keys("18\r")

    assert [(21, {"type": "play", "cards": ["SA"]})] == played("trick", play).acts


# pointer


def test_a_click_marks_and_a_click_on_the_target_plays() -> None:
    async def play(one: Pilot) -> None:
        await one.click("card:5")
        await one.click("zone:group/1")

    assert [(7, {"type": "hit", "cards": ["R9"], "group": "group/1"})] == played("steps", play).acts


def test_a_card_is_dragged_onto_the_discards() -> None:
    async def play(one: Pilot) -> None:
        await one.drag("card:0", "zone:discard")

    assert [(7, {"type": "discard", "cards": ["R2"]})] == played("steps", play).acts


def test_a_marked_card_takes_the_other_marked_cards_along() -> None:
    async def play(one: Pilot) -> None:
        await one.keys("6-")
        await one.drag("card:5", "zone:group/2")

    assert [(7, {"type": "hit", "cards": ["R9", "W"], "group": "group/2"})] == played("steps", play).acts


def test_a_card_is_dragged_to_another_place_in_the_hand() -> None:
    async def play(one: Pilot) -> None:
        before = list(one.client.local.hand.faces)
        await one.drag("card:0", "card:3")
        after = one.client.local.hand.faces
        assert sorted(before) == sorted(after)
        assert 2 <= after.index(before[0]) <= 3
        assert one.client.local.manual

    assert [] == played("steps", play).acts


def test_a_drag_that_ends_nowhere_changes_nothing() -> None:
    async def play(one: Pilot) -> None:
        before = list(one.client.local.hand.faces)
        x, y = one.spot("card:2")
        await one.mouse(("down", x, y), ("move", x + 3, y - 4), ("move", 79, 3), ("up", 79, 3))
        assert before == one.client.local.hand.faces
        assert one.client.local.drag is None

    assert [] == played("steps", play).acts


def test_a_drag_follows_the_pointer_and_a_lost_release_is_made_up_for_by_the_next_press() -> None:
    async def play(one: Pilot) -> None:
        x, y = one.spot("card:2")
        await one.mouse(("down", x, y), ("move", 40, 12))
        drag = one.client.local.drag
        assert drag is not None
        assert ((40, 12), True) == (drag.at, drag.moved)
        await one.click("card:0")
        assert ["R2"] == one.client.local.hand.picked()

    assert [] == played("steps", play).acts


def test_escape_drops_a_drag() -> None:
    async def play(one: Pilot) -> None:
        x, y = one.spot("card:2")
        await one.mouse(("down", x, y), ("move", 40, 12))
        await one.keys("\x1b")
        await one.mouse(("up", *one.spot("zone:discard")))

    assert [] == played("steps", play).acts


def test_a_shaking_finger_still_taps() -> None:
    async def play(one: Pilot) -> None:
        x, y = one.spot("card:2")
        await one.mouse(("down", x, y), ("move", x + 1, y), ("up", x + 1, y))
        assert ["B7"] == one.client.local.hand.picked()

    played("steps", play)


def test_a_double_click_plays_a_card() -> None:
    async def play(one: Pilot) -> None:
        await one.click("card:7")
        await one.click("card:7")

    assert [(21, {"type": "play", "cards": ["SA"]})] == played("trick", play).acts


def test_buttons_of_forms_and_of_the_client_can_be_clicked() -> None:
    async def play(one: Pilot) -> None:
        await one.click("card:0")
        await one.click("do:form:discard")
        await one.click("do:hint")
        assert "hint" == one.client.local.boxes[-1].name

    assert [(7, {"type": "discard", "cards": ["R2"]})] == played("steps", play).acts


def test_an_entry_of_a_box_is_clicked_and_a_click_outside_closes_it() -> None:
    async def play(one: Pilot) -> None:
        await one.keys("0s")
        await one.click("item:1")
        await one.keys("j")
        await one.keys("?")
        await one.mouse(("down", 0, 23), ("up", 0, 23))
        assert [] == one.client.local.boxes

    assert [(7, {"type": "skip", "cards": ["S"], "seat": 3})] == played("steps", play).acts


def test_a_free_card_of_a_pyramid_is_clicked_and_a_covered_one_says_why_not() -> None:
    async def play(one: Pilot) -> None:
        await one.click("place:pyramid:12")
        assert "Nothing can be done with Pyramid now." in one.text()
        await one.click("place:pyramid:1")

    assert [(3, {"type": "take", "place": 1})] == played("pyramid", play).acts


def test_the_pile_is_dragged_into_the_hand_to_draw() -> None:
    async def play(one: Pilot) -> None:
        await one.drag("zone:reserve", "card:2")

    assert [(3, {"type": "draw"})] == played("pyramid", play).acts


def test_a_page_is_scrolled_with_the_wheel() -> None:
    async def play(one: Pilot) -> None:
        await one.keys("?")
        first = one.text()
        await one.mouse(("wheel_down", 40, 12))
        assert first != one.text()
        await one.mouse(("wheel_up", 40, 12))
        assert first == one.text()

    played("steps", play)


def test_wide_letters_before_the_pointer_do_not_shift_a_click() -> None:
    view = steps()
    view["seats"][1]["name"] = "漢字漢字"

    async def play(one: Pilot) -> None:
        # The terminal counts cells, prompt_toolkit hands characters on: the client turns them back.
        x, y = one.spot("zone:group/1")
        await one.keys("6")
        await one.mouse(("down", x, y), ("up", x, y))

    acts = played("steps", play, seats=view["seats"]).acts
    assert [(7, {"type": "hit", "cards": ["R9"], "group": "group/1"})] == acts


# answers


def test_a_refusal_is_told_in_words_and_the_marks_stay() -> None:
    session = recorded("steps")
    session.refuse = [["no_phase", {"n": 2}]]

    async def run() -> None:
        async with pilot(session) as one:
            await one.keys("1234567b")
            assert "✗ These cards are not phase 2." in one.text()
            assert 7 == len(one.client.local.hand.picked())

    asyncio.run(run())


def test_a_refusal_goes_with_the_next_question_and_what_is_no_refusal_stays() -> None:
    session = recorded("steps")
    session.refuse = [["no_phase", {"n": 2}]]

    async def run() -> None:
        async with pilot(session) as one:
            await one.keys("1234567b")
            waiting, asked = steps(prompts=[]), steps()
            asked["prompts"][0]["id"] += 1
            session.show(waiting)
            await one.settle()
            assert "✗ These cards are not phase 2." in one.text()
            session.show(asked)
            await one.settle()
            assert "✗" not in one.text()
            await one.keys("o")
            asked["prompts"][0]["id"] += 1
            session.show(asked)
            await one.settle()
            assert "Sorted by" in one.text()

    asyncio.run(run())


def test_a_refusal_goes_when_the_table_stands_otherwise() -> None:
    make, words, looks = TABLES["steps"]
    session = Recorded(make(), words, looks, Room("paused", may=frozenset({"pause"})))
    session.refuse = [["paused", {}]]

    async def run() -> None:
        async with pilot(session) as one:
            await one.keys("1d")
            await one.shows("✗ The table is paused.")
            session.room = Room("playing", may=frozenset({"pause"}))
            session.tell(Change("table"))
            await one.settle()
            assert "✗" not in one.text()

    asyncio.run(run())


def test_a_host_that_has_closed_is_not_just_a_lost_line() -> None:
    async def play(one: Pilot) -> None:
        one.session.line, one.session.line_reason = "lost", "shutdown"
        one.session.tell(Change("line"))
        await one.shows("The host has closed. Your seat is kept")

    played("steps", play)


def test_a_host_that_was_caught_lying_is_named_for_good() -> None:
    async def play(one: Pilot) -> None:
        one.session.tell(Change("witness"))
        await one.shows("tells different people different things")
        await one.keys("o")
        assert "tells different people different things" in one.text()

    played("steps", play)


@pytest.mark.parametrize(("key", "said"), [("i", "There is no hint now."), ("l", "There is no last trick.")])
def test_a_key_for_what_there_is_none_of_says_so(key: str, said: str) -> None:
    async def play(one: Pilot) -> None:
        await one.keys(key)
        assert said in one.text()
        await one.keys("x")
        assert said not in one.text()

    view = steps()
    played("steps", play, prompts=[{**view["prompts"][0], "hints": []}])


def test_a_refusal_that_names_an_optional_blank_asks_for_it_and_sends_again() -> None:
    seats = {"kind": "choice", "optional": True, "of": [{"value": n, "label": [f"seat {n}", {}]} for n in (1, 3)]}
    forms = [form("discard", "d", "discard", default=True, cards=pick("hand/0"), seat=seats)]
    session = recorded("steps", prompts=[{"id": 9, "stage": "play", "forms": forms, "hints": []}])
    session.refuse = [["name_one", {"field": "seat"}]]

    async def run() -> None:
        async with pilot(session) as one:
            await one.keys("0d")
            assert "▶ Say who is to be skipped." in one.text()
            await one.keys("2")

    asyncio.run(run())
    assert [{"type": "discard", "cards": ["S"]}, {"type": "discard", "cards": ["S"], "seat": 3}] == [
        act for _, act in session.acts
    ]


def test_nothing_is_sent_twice_while_an_answer_is_outstanding() -> None:
    session = recorded("steps")

    async def run() -> None:
        session.hold = asyncio.Event()
        async with pilot(session) as one:
            await one.keys("1d")
            await one.keys("d")
            await one.keys("\r")
            assert 1 == len(session.acts)
            session.hold.set()
            await one.settle()

    asyncio.run(run())


# the table


def test_a_new_view_keeps_the_marks_by_face() -> None:
    async def play(one: Pilot) -> None:
        await one.keys("12")
        view = steps()
        next(zone for zone in view["zones"] if zone["name"] == "hand/0").update(cards=["S", "Y6", "W", "R2", "B1"], n=5)
        one.session.show(view)
        await one.settle()
        assert ["R2", "Y6"] == sorted(one.client.local.hand.picked())

    played("steps", play)


def test_the_bell_rings_once_when_the_turn_begins_and_not_for_the_next_step_of_it() -> None:
    async def play(one: Pilot) -> None:
        one.session.show(steps())
        await one.settle()
        assert 1 == one.output.bells
        again = steps()
        again["prompts"][0]["id"] = 8
        one.session.show(again)
        await one.settle()
        assert 1 == one.output.bells
        one.session.show(steps(prompts=[]))
        await one.settle()
        one.session.show(steps())
        await one.settle()
        assert 2 == one.output.bells

    played("steps", play, prompts=[])


def test_a_turn_that_came_round_within_one_view_rings_too() -> None:
    async def play(one: Pilot) -> None:
        again = steps()
        again["prompts"][0]["id"] = 12
        events = [{"k": "ask", "seats": [1], "stage": "draw"}, {"k": "ask", "seats": [0], "stage": "draw"}]
        one.session.show(again, events)
        await one.settle()
        assert 2 == one.output.bells

    played("steps", play)


def test_quiet_keeps_the_title_but_not_the_bell() -> None:
    async def play(one: Pilot) -> None:
        assert 0 == one.output.bells
        assert ["Your turn - Ten Steps"] == one.output.titles

    played("steps", play, looks=Looks(quiet=True))


def test_a_box_about_a_closed_prompt_goes_and_a_page_one_reads_stays() -> None:
    async def play(one: Pilot) -> None:
        await one.keys("0s")
        assert "blank" == one.client.local.boxes[-1].name
        one.session.show(steps(prompts=[]))
        await one.settle()
        assert [] == one.client.local.boxes
        await one.keys("r")
        one.session.show(steps())
        await one.settle()
        assert ["rules"] == [box.name for box in one.client.local.boxes]

    assert [] == played("steps", play).acts


def test_the_end_of_a_hand_opens_its_sheet_and_enter_says_ready() -> None:
    async def play(one: Pilot) -> None:
        one.session.room = Room("between", [Chair(0, "Rita")], frozenset({"ready", "leave"}))
        result = {"hand": 4, "points": [5, 0, 0, 0, 0], "reason": ["dd.out", {"who": {"$player": 1}}], "sheet": []}
        one.session.show(steps(prompts=[], phase="dealing", result=result))
        await one.settle()
        assert "Ana went out." in one.text()
        await one.keys("\r")
        assert [] == one.client.local.boxes

    assert [("ready", {})] == played("steps", play).wishes


def test_the_sheet_of_a_hand_says_what_enter_does_once_the_host_lets_one_be_ready() -> None:
    async def play(one: Pilot) -> None:
        one.session.room = Room("playing", [Chair(0, "Rita")], frozenset({"leave"}))
        one.session.show(steps(prompts=[], phase="dealing", result={"hand": 4, "points": [5, 0, 0, 0, 0], "reason": None}))
        await one.settle()
        assert "Enter: ready for the next hand" not in one.text()
        one.session.room = Room("between", [Chair(0, "Rita")], frozenset({"ready", "leave"}))
        one.session.tell(Change("table"))
        await one.settle()
        assert "Enter: ready for the next hand" in one.text()

    played("steps", play)


def test_the_end_of_a_match_shows_places_and_chips() -> None:
    async def play(one: Pilot) -> None:
        seats = [seat(0, "Rita", 5, place=1), seat(1, "Ana", 9, place=2)]
        one.session.show(steps(seats=seats, prompts=[], phase="over", end={"places": [[0], [1]], "chips": [10, -10]}))
        await one.settle()
        assert "You have won!" in one.text()
        assert "-10 chips" in one.text()

    played("steps", play)


def test_the_waiting_room_starts_and_fills_by_key_and_by_click() -> None:
    chairs = [Chair(0, "Rita"), Chair(1, line="empty")]
    session = Recorded(
        None, {}, {}, Room("lobby", chairs, frozenset({"start", "fill", "ready", "leave"}), title="Ten Steps")
    )

    async def run() -> None:
        async with pilot(session) as one:
            assert "1 chair is still free" in one.text()
            await one.keys("b")
            await one.click("do:start")

    asyncio.run(run())
    assert [("fill", {}), ("start", {})] == session.wishes


def test_at_a_table_that_ends_with_the_window_there_is_no_seat_to_keep_or_to_leave() -> None:
    session = recorded("steps")
    session.room = Room("playing", [Chair(0, "Rita")], frozenset({"leave"}), leaving=Price("free", 0, False))

    async def run() -> None:
        async with pilot(session) as one:
            one.client.local.fleeting = True
            await one.keys("q")
            assert "2 Close this window; the match ends here" in one.text()
            assert "your seat is kept" not in one.text()
            assert "for good" not in one.text()

    asyncio.run(run())


def test_nothing_is_asked_of_who_goes_when_the_match_is_over_and_nothing_is_kept() -> None:
    session = recorded("steps")
    session.room = Room("over", [Chair(0, "Rita")], frozenset({"leave"}))

    async def run() -> None:
        async with pilot(session) as one:
            one.client.local.fleeting = True
            await one.keys("q")
            assert not one.client.app.is_running

    asyncio.run(run())


def test_leaving_asks_whether_the_seat_is_kept() -> None:
    session = recorded("steps")
    session.room = Room("playing", [Chair(0, "Rita")], frozenset({"leave"}), leaving=Price("free", 0, False))

    async def run() -> None:
        async with pilot(session) as one:
            await one.keys("q")
            assert "your seat is kept" in one.text()
            assert "3 Leave the table for good (costs nothing)" in one.text()
            await one.keys("3")
            assert not one.client.app.is_running

    asyncio.run(run())
    assert [("leave", {})] == session.wishes


def test_a_connection_that_is_gone_says_why() -> None:
    async def play(one: Pilot) -> None:
        one.session.line, one.session.line_reason = "gone", "shutdown"
        one.session.tell(Change("gone"))
        await one.settle()
        assert "The host is closing." in one.text()

    played("steps", play)


def test_what_others_say_is_shown_on_a_narrow_screen_until_the_next_key() -> None:
    async def play(one: Pilot) -> None:
        one.session.tell(Change("say", who="Ana", text="nice one"))
        await one.settle()
        assert one.text().rstrip().endswith("Ana: nice one")
        await one.keys("1")
        assert "Ana: nice one" not in one.text()

    played("steps", play)


def test_what_others_say_is_shown_on_a_wide_screen() -> None:
    async def play(one: Pilot) -> None:
        one.session.tell(Change("say", who="Ana", text="nice \x1b[31mone"))
        await one.settle()
        assert "Ana: nice [31mone" in one.text()

    played("steps", play, columns=120, rows=40)


def test_another_size_is_laid_out_at_once() -> None:
    async def play(one: Pilot) -> None:
        one.output.columns, one.output.rows = 120, 40
        one.client.app._on_resize()
        await one.settle()
        assert paint(one.session.view, one.client.local, 120, 40).text() == one.text()

    played("steps", play)


def test_keys_do_nothing_to_the_table_while_the_window_is_too_small_to_see_it() -> None:
    async def play(one: Pilot) -> None:
        one.output.columns, one.output.rows = 40, 10
        one.client.app._on_resize()
        await one.settle()
        await one.keys("0s\r\r")
        one.output.columns, one.output.rows = 80, 24
        one.client.app._on_resize()
        await one.settle()
        assert [] == one.session.acts
        assert paint(one.session.view, one.client.local, 80, 24).text() == one.text()
        assert not one.client.local.boxes

    played("steps", play)


# faults


def test_a_view_that_cannot_be_drawn_gives_a_box_and_a_report_instead_of_a_broken_terminal(tmp_path: Path) -> None:
    session = recorded("steps")

    async def run() -> None:
        async with pilot(session, reports=tmp_path) as one:
            one.session.show(steps(layout={"badges": 3}))
            await one.settle()
            await one.settle()
            assert "Something went wrong" in one.text()
            one.session.show(steps())
            await one.settle()
            await one.keys("\x1b")
            assert "Ten Steps" in one.text()

    asyncio.run(run())
    (report,) = tmp_path.iterdir()
    assert "TypeError" in report.read_text(encoding="utf-8")


def test_a_task_that_fails_gives_a_box_and_the_table_goes_on(tmp_path: Path) -> None:
    session = recorded("steps")

    async def broken(prompt: int, action: Any) -> Any:
        raise KeyError("no such thing")

    session.act = broken  # type: ignore[method-assign]

    async def run() -> None:
        async with pilot(session, reports=tmp_path) as one:
            await one.keys("1d")
            assert "KeyError" in one.text()
            await one.keys("\x1b")
            await one.keys("1")
            assert [] == one.client.local.hand.picked()

    asyncio.run(run())
    assert 1 == len(list(tmp_path.iterdir()))


def test_strange_input_changes_nothing() -> None:
    async def play(one: Pilot) -> None:
        for strange in ("\x1b[<0;999;999M", "\x1b[<99;3;3M", "\x00\x01\x02", "é漢😀", "\x1b[5~\x1b[6~", "\x1b]0;x\x07"):
            await one.keys(strange)
        assert one.client.app.is_running

    assert [] == played("steps", play).acts


def test_a_view_without_any_layout_is_playable() -> None:
    async def play(one: Pilot) -> None:
        await one.keys("1d")

    assert 1 == len(played("steps", play, layout={}).acts)


def test_who_is_away_is_told_above_the_prompt_with_the_time_the_table_still_waits() -> None:
    session = recorded("steps")
    chairs = [Chair(0, "Rita"), Chair(1, "Ana", line="away", quiet=20, left=95), Chair(2, "Bia", line="away", substitute="rule")]
    session.room = Room("playing", chairs, frozenset({"leave"}))

    async def run() -> None:
        async with pilot(session) as one:
            text = one.text()
            assert "Ana is away: the table waits 95s more." in text
            assert "Bia is away; a computer player goes on until then." in text
            session.room = replace(session.room, chairs=[Chair(0, "Rita")])
            session.tell(Change("table"))
            await one.settle()
            await one.settle()
            assert "is away" not in one.text()
            session.room = Room("playing", chairs)
            session.line = "lost"
            session.tell(Change("line"))
            await one.shows("No connection: trying again.")
            assert "is away" not in one.text()

    asyncio.run(run())


def test_a_lost_line_and_a_host_that_cannot_save_are_told_in_words() -> None:
    session = recorded("steps")
    session.room, session.line = Room("frozen", [Chair(0, "Rita")]), "lost"

    async def run() -> None:
        async with pilot(session) as one:
            assert "No connection: trying again. Your seat is kept." in one.text()
            assert "The host cannot save now and waits; nothing is lost." in one.text()

    asyncio.run(run())


def test_a_clock_stands_with_whose_it_is_and_rings_once_when_the_readers_runs_short() -> None:
    session = recorded("steps")
    session.room, session.seconds = Room("playing", [Chair(0, "Rita"), Chair(4, "You", move=75, bank=60)]), 75

    async def run() -> None:
        async with pilot(session) as one:
            assert "75s ● live" in one.text()
            bells = one.output.bells
            for left in (11, 10, 9):
                session.seconds = left
                one.client.follower.tick()
            assert bells + 1 == one.output.bells

    asyncio.run(run())


def test_tab_and_arrows_stop_only_where_something_can_be_done() -> None:
    async def play(one: Pilot) -> None:
        stops = set()
        for key in ("\t", "\x1b[A", "\x1b[D", "\t", "\x1b[A", "\x1b[D", "\x1b[A", "\t", "\t"):
            await one.keys(key)
            stops.add(one.client.local.focus)
        assert "zone:discard" in stops
        assert "zone:stock" not in stops

    played("steps", play)


def test_a_deal_that_is_proven_has_its_mark_in_the_title_and_one_that_was_unfair_cannot_be_missed() -> None:
    session = recorded("steps")
    session.room = Room("playing", [Chair(0, "Rita")], proof=Proof("verified", "", 3, 41))

    async def run() -> None:
        async with pilot(session) as one:
            assert "✓ fair  ● live" in one.text()
            await one.click("do:fair")
            assert "Hand 3: proven fair" in one.text()
            assert "41 cards were seen where they had to be." in one.text()
            session.room = Room("playing", [Chair(0, "Rita")], proof=Proof("failed", "cards", 3))
            session.tell(Change("table"))
            await one.shows("✗ UNFAIR")
            assert "do not trust this host" in one.text()

    asyncio.run(run())


def test_the_end_of_a_match_tells_what_is_in_the_purse_now() -> None:
    session = recorded("steps")

    async def count() -> int:
        return 320

    session.count = count  # type: ignore[attr-defined]

    async def run() -> None:
        async with pilot(session) as one:
            session.show(steps(end={"places": [[0], [1]], "chips": [20, -20]}, phase="over", prompts=[]))
            await one.shows("In your purse at this host: 320 chips")

    asyncio.run(run())


def test_a_free_chair_is_filled_by_a_click_with_the_strength_one_chooses() -> None:
    chairs = [Chair(0, "Rita"), Chair(1, line="empty"), Chair(2, line="empty")]
    session = Recorded(None, {}, {}, Room("lobby", chairs, frozenset({"fill", "leave"}), title="Ten Steps"))
    session.levels, session.level = ("naive", "rule", "tree"), "rule"  # type: ignore[attr-defined]

    async def run() -> None:
        async with pilot(session) as one:
            await one.click("seat:2")
            assert "How good are the computer players?" in one.text()
            await one.keys("3")
            await one.keys("b")
            await one.keys("\r")
            await one.click("seat:0")
            assert not one.client.local.boxes

    asyncio.run(run())
    assert [("fill", {"level": "tree", "seat": 2}), ("fill", {"level": "rule"})] == session.wishes


def test_a_phrase_is_said_without_typing_and_what_is_typed_goes_before() -> None:
    session = recorded("steps")

    async def run() -> None:
        async with pilot(session) as one:
            await one.keys("t")
            assert "Well played!" in one.text()
            await one.keys("\x1b[B\x1b[B")
            await one.keys("\r")
            await one.keys("t")
            await one.keys("\x1b[B")
            await one.keys("hi\r")
            await one.keys("t")
            await one.keys("\x1b[A\x1b[B")  # over the phrases and back to the line
            await one.keys("\r")
            assert "Well played!" in one.text()

    asyncio.run(run())
    assert [("say", {"text": "Thanks for the game!"}), ("say", {"text": "hi"})] == session.wishes
