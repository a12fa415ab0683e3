"""The code for phones in the terminal: there when the host has a page, black on white, with what can be typed beside it."""

from __future__ import annotations

from dataclasses import replace

from carteado.ui.terminal.glyphs import ASCII
from carteado.ui.terminal.grid import Grid
from carteado.ui.terminal.invite import invite_page
from carteado.ui.terminal.lobby import paint_lobby
from carteado.ui.terminal.local import Local
from carteado.ui.terminal.offers import offers
from carteado.ui.terminal.room import Room
from carteado.ui.terminal.spoken import room_lines
from carteado.ui.terminal.words import own_catalogue, words_for
from carteado.ui.web.qr import lines

ROOM = Room("lobby", web=("http://192.168.1.23:8737/m/KAFU",))


def local(room: Room, ascii: bool = False) -> Local:
    """Return a screen at a table."""
    found = Local(words_for([own_catalogue("en")], {}, ascii=ascii))
    found.room = room
    return found


def test_the_code_is_on_offer_when_the_host_has_a_page() -> None:
    assert "invite" in {offer.name for offer in offers(None, local(ROOM))}
    assert "invite" not in {offer.name for offer in offers(None, local(replace(ROOM, web=())))}


def test_the_code_is_drawn_in_its_own_colours_with_the_address_beside_it() -> None:
    body = invite_page(local(ROOM)).body
    assert lines("HTTP://192.168.1.23:8737/M/KAFU") == [line[0][0] for line in body]
    assert {"scan"} == {line[0][1] for line in body}
    assert ["http://192.168.1.23:8737", "code of the table: KAFU"] == [line[1][0].strip() for line in body if line[1][0].strip()]


def test_without_block_characters_there_is_only_what_can_be_typed() -> None:
    assert ASCII.letters
    body = invite_page(local(ROOM, ascii=True)).body
    assert ["http://192.168.1.23:8737", "", "code of the table: KAFU"] == ["".join(text for text, _ in line) for line in body]


SECRET = Room("lobby", id="p-7kq4m-2xp9d-4tv8h", address="tcp://10.0.0.7:7777#KEY --table p-7kq4m-2xp9d-4tv8h")


def test_a_private_table_says_its_name_and_the_command_to_join_it_with_or_without_a_page() -> None:
    assert "invite" in {offer.name for offer in offers(None, local(SECRET))}
    body = ["".join(text for text, _ in line) for line in invite_page(local(SECRET)).body]
    assert [
        "Private, found only by its name: p-7kq4m-2xp9d-4tv8h",
        "Others type: carteado join tcp://10.0.0.7:7777#KEY --table p-7kq4m-2xp9d-4tv8h",
    ] == body  # fmt: skip
    paged = replace(SECRET, web=("http://10.0.0.7:8737/m/p-7kq4m-2xp9d-4tv8h",))
    assert "code of the table: p-7kq4m-2xp9d-4tv8h" in [line[1][0].strip() for line in invite_page(local(paged)).body if len(line) > 1]


def test_the_waiting_room_of_a_private_table_says_how_to_invite_by_screen_and_by_lines() -> None:
    there = local(SECRET)
    grid = Grid(80, 24)
    paint_lobby(grid, there)
    shown = " ".join(grid.text().split())
    for told in ("Private, found only by its name: p-7kq4m-2xp9d-4tv8h", f"carteado join {SECRET.address}"):
        assert told in shown
        assert any(told in line for line in room_lines(SECRET, there))


def test_who_hosts_sees_the_words_that_a_guest_compares() -> None:
    for hosting in (True, False):
        mine = local(Room("lobby", address="10.0.0.7", key="rasom-fimuk-vifog-zapil"))
        mine.hosting = hosting
        grid = Grid(80, 24)
        paint_lobby(grid, mine)
        assert ("guests to compare: rasom-fimuk-vifog-zapil" in grid.text()) is hosting
