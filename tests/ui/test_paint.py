"""Screens as text: committed snapshots, and what must hold for every screen.

CARTEADO_SCREENS=write pytest tests/ui/test_paint.py   writes the snapshots anew.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from carteado.ui.terminal.boxes import Box, Entry
from carteado.ui.terminal.grid import Grid, width
from carteado.ui.terminal.local import Drag, Link, Local, Notice
from carteado.ui.terminal.pages import help_page, match_over_page
from carteado.ui.terminal.room import Chair, Room
from carteado.ui.terminal.table import paint

from .harness import local_for
from .tables import TABLES, seat, steps, trick, zone

SCREENS = Path(__file__).parent / "screens"
SIZES = ((80, 24), (120, 40))


def same_as_saved(name: str, grid: Grid) -> None:
    """Compare a screen with its snapshot, or save it when asked to."""
    path = SCREENS / f"{name}.txt"
    shown = grid.text() + "\n"
    if os.environ.get("CARTEADO_SCREENS") == "write":
        path.parent.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == shown


def screen(game: str, ascii: bool = False, **parts: Any) -> tuple[Any, Local]:
    """Return a view of a game and the local state of a screen that shows it."""
    make, words, looks = TABLES[game]
    view = make(**parts)
    return view, local_for(view, words, looks, ascii)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("game", TABLES)
def test_a_table_looks_as_it_did(game: str, size: tuple[int, int]) -> None:
    view, local = screen(game)
    same_as_saved(f"{game}-{size[0]}x{size[1]}", paint(view, local, *size))


@pytest.mark.parametrize("game", TABLES)
def test_a_table_in_ascii_looks_as_it_did(game: str) -> None:
    view, local = screen(game, ascii=True)
    grid = paint(view, local, 80, 24)
    same_as_saved(f"{game}-ascii", grid)


def test_a_pyramid_on_the_lowest_screen_looks_as_it_did() -> None:
    view, local = screen("pyramid")
    local.focus = "place:pyramid:3"
    same_as_saved("pyramid-60x20", paint(view, local, 60, 20))


def test_marked_cards_focus_and_what_is_in_reach_look_as_they_did() -> None:
    view, local = screen("steps")
    local.hand.mark(["R9"])
    local.refresh(view)
    local.focus = "card:6"
    same_as_saved("steps-marked", paint(view, local, 80, 24))


def test_a_drag_over_the_discards_looks_as_it_did_and_keeps_the_hits_below() -> None:
    view, local = screen("steps")
    before = paint(view, local, 80, 24)
    local.drag = Drag("card:4", 30, 18, (20, 8), moved=True)
    grid = paint(view, local, 80, 24)
    same_as_saved("steps-drag", grid)
    assert before.hits == grid.hits


def test_the_help_over_a_table_looks_as_it_did() -> None:
    view, local = screen("trick")
    local.boxes.append(help_page(view, local))
    same_as_saved("trick-help", paint(view, local, 80, 24))


def test_the_end_of_a_match_looks_as_it_did() -> None:
    seats = [seat(0, "Rita", 145, place=2), seat(1, "Ana", 90, place=1), seat(2, "Bruno", 210, place=3)]
    end = {"places": [[1], [0], [2]], "chips": [0, 20, -20]}
    result = {
        "hand": 12,
        "points": [25, 0, 60],
        "reason": ["dd.out", {"who": {"$player": 1}}],
        "sheet": [{"title": ["dd.sheet", {}], "lines": [["dd.sheet.line", {"who": {"$player": 2}, "n": 60}]]}],
    }
    view, local = screen("steps", seats=seats, end=end, result=result, phase="over", prompts=[], layout={})
    local.boxes.append(match_over_page(view, local))
    same_as_saved("steps-over", paint(view, local, 80, 24))


def test_the_waiting_room_looks_as_it_did() -> None:
    _, local = screen("steps")
    chairs = [
        Chair(0, "Rita", line="here", ready=True),
        Chair(1, "Rui", bot="rule", line="bot"),
        Chair(2, "Carla", line="lagging", quiet=6),
        Chair(3, line="empty"),
    ]
    local.room = Room(
        "lobby",
        chairs,
        frozenset({"start", "fill", "ready"}),
        title="Ten Steps",
        address="tcp://10.0.0.7:7777#key",
        watchers=2,
        options=[("stake", 10), ("substitute", True)],
    )
    same_as_saved("lobby", paint(None, local, 80, 24))


@pytest.mark.parametrize("size", [(60, 20), (64, 22), (72, 30), (99, 50), (100, 24), (140, 45), (200, 60)], ids=str)
@pytest.mark.parametrize("game", TABLES)
def test_every_size_shows_the_whole_prompt_the_whole_hand_and_all_buttons(game: str, size: tuple[int, int]) -> None:
    view, local = screen(game)
    grid = paint(view, local, *size)
    told = local.words.text(view["layout"]["prompt"])
    assert told in " ".join(grid.text().split()) or told in "".join(grid.text().split("\n")), grid.text()
    for place in range(len(local.hand)):
        assert grid.find(f"card:{place}") is not None
    for form in view["prompts"][0]["forms"]:
        assert grid.find(f"do:form:{form['type']}") is not None


@pytest.mark.parametrize("words", [12, 30, 45])
def test_a_long_prompt_is_wrapped_and_never_cut_at_80x24(words: int) -> None:
    told = " ".join(f"word{number}" for number in range(words))
    view, local = screen("steps")
    view["layout"]["prompt"] = [told, {}]
    assert told in " ".join(paint(view, local, 80, 24).text().split())


def test_no_line_is_wider_than_the_screen_even_with_names_of_wide_letters() -> None:
    view, local = screen("steps")
    view["seats"][1]["name"] = "漢字漢字漢字漢字漢字漢字"
    local.see(view)
    for line in paint(view, local, 80, 24).text().split("\n"):
        assert width(line) <= 80


def test_a_window_that_is_too_small_says_what_is_needed() -> None:
    view, local = screen("steps")
    assert "60 columns" in paint(view, local, 50, 15).text()


def test_a_kind_of_zone_nobody_has_heard_of_is_drawn_as_a_list() -> None:
    view, local = screen("steps")
    view["zones"].append(zone("river", "waterfall", ["R1", "?", "B2"], n=3))
    text = paint(view, local, 80, 24).text()
    assert "river 3 1● ░ 2◆" in text


def test_the_next_player_sits_on_the_left_and_the_one_before_on_the_right() -> None:
    view, local = screen("trick")
    grid = paint(view, local, 80, 24)
    next_one, last_one = grid.find("seat:1"), grid.find("seat:2")
    assert next_one is not None
    assert last_one is not None
    assert next_one[0] < 20
    assert last_one[0] > 40


def test_a_card_that_cannot_be_played_is_not_marked_as_legal() -> None:
    view, local = screen("trick")
    rows = paint(view, local, 80, 24).text().split("\n")
    faces = next(row for row in rows if "8♠" in row and "│" in row)
    below = rows[rows.index(faces) + 1]
    assert "═" == below[faces.index("8♠")]
    assert "─" == below[faces.index("10♥")]


def test_marks_that_would_be_on_every_card_are_left_out() -> None:
    view, local = screen("steps")
    hand = paint(view, local, 80, 24).text().split("Log")[1]
    assert "═" not in hand


def test_a_notice_takes_the_place_of_the_key_hints_so_that_nothing_jumps() -> None:
    view, local = screen("steps")
    before = paint(view, local, 80, 24)
    local.notice = Notice(["draw_first", {}], bad=True)
    after = paint(view, local, 80, 24)
    assert before.find("card:0") == after.find("card:0")
    assert after.text().rstrip().endswith("✗ Draw a card first.")


def test_a_watcher_sees_the_table_without_a_hand() -> None:
    view, local = screen("steps", you=None, prompts=[])
    grid = paint(view, local, 80, 24)
    assert grid.find("card:0") is None
    assert grid.find("zone:deck") is not None


def test_a_lost_connection_shows_in_the_title() -> None:
    view, local = screen("steps")
    local.link = Link("lost", 8)
    first = paint(view, local, 80, 24).text().split("\n")[0]
    assert first.endswith("8s ○ connection lost, trying again")


def test_every_card_and_pile_of_the_table_can_be_hit() -> None:
    view, local = screen("pyramid")
    grid = paint(view, local, 80, 24)
    pyramid = next(zone for zone in view["zones"] if zone["kind"] == "pyramid")
    for place, face in enumerate(pyramid["cards"]):
        assert (grid.find(f"place:pyramid:{place}") is not None) == bool(face)
    for name in ("reserve", "meld/1", "meld/4"):
        assert grid.find(f"zone:{name}") is not None


def test_a_card_with_others_on_top_shows_below_them() -> None:
    view, local = screen("pyramid")
    grid = paint(view, local, 80, 24)
    upper, lower = grid.find("place:pyramid:1"), grid.find("place:pyramid:4")
    assert upper is not None
    assert lower is not None
    left, _, _, bottom = upper
    assert "place:pyramid:1" == grid.hit(left, bottom)


def test_a_pyramid_that_means_a_form_is_marked_only_at_the_places_offered() -> None:
    view, local = screen("pyramid")
    view["prompts"][0]["forms"][0]["on"] = "pyramid"
    grid = paint(view, local, 80, 24)
    for place, legal in ((1, True), (3, True), (18, False)):
        found = grid.find(f"place:pyramid:{place}")
        assert found is not None
        assert legal == (grid.chars[found[3]][found[0] + 1] == "═")


def test_a_hand_of_twenty_cards_fits_into_sixty_columns() -> None:
    cards = [f"{suit}{rank}" for suit in "RBGY" for rank in range(1, 6)]
    view = steps()
    next(zone for zone in view["zones"] if zone["name"] == "hand/0").update(cards=cards, n=20)
    local = local_for(view, *TABLES["steps"][1:])
    grid = paint(view, local, 60, 24)
    assert all(grid.find(f"card:{place}") for place in range(20))


def test_typing_keeps_its_caret_in_sight() -> None:
    view, local = screen("steps")
    text = "a long line " * 20
    local.boxes.append(Box("chat", "Chat", entry=Entry(text, len(text))))
    grid = paint(view, local, 80, 24)
    assert grid.caret is not None
    assert 0 <= grid.caret[0] < 80


def test_painting_changes_neither_the_view_nor_the_local_state() -> None:
    view, local = screen("steps")
    fresh = steps()
    local.focus = "card:2"
    first = paint(view, local, 80, 24)
    assert fresh == view
    assert first.text() == paint(view, local, 80, 24).text()


def test_an_open_hand_of_another_player_is_shown() -> None:
    view = trick()
    next(zone for zone in view["zones"] if zone["name"] == "hand/2").update(cards=["C7", "C8"], n=2)
    local = local_for(view, *TABLES["trick"][1:])
    assert "7♣ 8♣" in paint(view, local, 80, 24).text()


def test_a_crowded_table_shortens_groups_before_it_leaves_out_any_seat() -> None:
    view = steps()
    for number in range(5):
        for part in range(2):
            name = f"group/{10 + 2 * number + part}"
            view["zones"].append(
                zone(name, "group", ["Y3", "G4", "G5", "B6", "R7", "Y8", "W", "R10", "R11", "Y12"], number)
            )
    local = local_for(view, *TABLES["steps"][1:])
    for size in ((80, 24), (60, 20)):
        grid = paint(view, local, *size)
        assert all(grid.find(f"seat:{number}") for number in range(5))
        assert grid.find("zone:discard") is not None


def test_a_finished_trick_stays_on_the_table_until_it_was_seen() -> None:
    view = trick()
    local = local_for(view, *TABLES["trick"][1:])
    after = trick()
    next(zone for zone in after["zones"] if zone["name"] == "trick")["cards"] = ["", "", ""]
    local.tricks.hear([{"k": "move", "from": "hand/0", "to": "trick", "n": 1, "cards": ["SA"], "place": 0}])
    local.see(after)
    before_hand = paint(after, local, 80, 24).text().split("Log")[0]
    assert "K♠" in before_hand
    assert "A♠" in before_hand
    led = trick()
    next(zone for zone in led["zones"] if zone["name"] == "trick")["cards"] = ["", "H7", ""]
    local.see(led)
    assert "A♠" in paint(led, local, 80, 24).text().split("Log")[0]
    assert [False, True, False] == [local.tricks.tick(), local.tricks.tick(), local.tricks.tick()]
    now = paint(led, local, 80, 24).text().split("Log")[0]
    assert "A♠" not in now
    assert "7♥" in now
    local.tricks.saw()
    assert "K♠" not in paint(after, local, 80, 24).text().split("Log")[0]


def test_a_group_beside_a_pyramid_is_set_closer_before_a_card_of_it_is_left_out() -> None:
    make, words, looks = TABLES["pyramid"]
    view = make()
    for zone_ in view["zones"]:
        if zone_["name"] == "meld/2":
            zone_.update(cards=["D3", "C3", "H3", "S3"], n=4)
    view["layout"]["labels"]["meld/2"] = ["py.long", {}]
    for label, shown in (("Four", "Four[3♦ 3♣ 3♥ 3♠]"), ("Four of a kind, for 100", "Four of a kind, for 100[3♦3♣3♥3♠]")):
        text = paint(view, local_for(view, {**words, "py.long": label}, looks), 80, 24).text()
        assert shown in text


def test_points_are_told_before_columns_are_kept_where_room_is_scarce() -> None:
    make, words, looks = TABLES["pyramid"]
    view = make()
    view["seats"][1]["name"] = "Maximiliana"
    view["layout"]["badges"] = [[["py.note", {"n": n}]] for n in (0, 1, 2)]
    shown = paint(view, local_for(view, {**words, "py.note": "1200 pts, place {n}"}, looks), 80, 24).text()
    assert " Maximiliana 1200 pts, place 1 ▮5 42\n" in shown
    assert " Duda ⚙ 1200 pts, place 2 ▮2 116\n" in shown


def test_the_waiting_room_says_when_its_host_has_closed() -> None:
    local = local_for(None, TABLES["steps"][1], TABLES["steps"][2])
    local.room, local.link = Room("lobby", [Chair(0, "Rita"), Chair(1, "Ana")], title="Ten Steps"), Link("lost", closed=True)
    assert "The host has closed. Your seat is kept" in paint(None, local, 80, 24).text()
