"""Table A of the rules page: what lies where when a game begins, and which tables are refused."""

from __future__ import annotations

from typing import Any

import pytest

from carteado.core.api import Refused
from carteado.core.match import Match
from carteado.plugins.cascata import game


def counts(play: Any) -> dict[str, int]:
    return {zone.name: sum(1 for face in zone.cards if face) for zone in play.match.table.zones()}


@pytest.mark.parametrize(
    ("players", "pyramid", "stock"),
    [
        pytest.param(2, 21, 25, id="A1 two players: 6 rows and 25 cards in the reserve"),
        pytest.param(3, 28, 14, id="A2 three players: 7 rows and 14"),
        pytest.param(4, 28, 10, id="A3 four players: 7 rows and 10"),
    ],
)
def test_everybody_gets_four_cards_and_the_rest_is_the_reserve(dealt: Any, players: int, pyramid: int, stock: int) -> None:
    play = dealt(players)
    assert counts(play) == {"stock": stock, "pyramid": pyramid} | {f"hand/{seat}": 4 for seat in range(players)}
    assert len(play.match.table.all_cards()) == 54


@pytest.mark.parametrize("players", [pytest.param(1, id="A4 one player"), pytest.param(5, id="A4 five players")])
def test_other_numbers_of_players_are_refused(players: int) -> None:
    with pytest.raises(Refused) as refusal:
        Match(game, {}, [{"name": f"P{seat}"} for seat in range(players)])
    assert refusal.value.code == "bad_players"


@pytest.mark.parametrize(
    ("players", "rows"), [pytest.param(2, 6, id="A5 A7 six rows"), pytest.param(3, 7, id="A5 A6 seven rows")]
)
def test_row_four_alone_lies_face_down(dealt: Any, players: int, rows: int) -> None:
    play = dealt(players)
    assert play.zone("pyramid", None)["facts"]["rows"] == rows
    shape = [[play.seen(row, card) == "?" for card in range(1, row + 1)] for row in range(1, rows + 1)]
    assert shape == [[row == 4] * row for row in range(1, rows + 1)]


def test_a_client_sees_its_own_hand_and_counts_of_the_rest_a8(dealt: Any) -> None:
    play = dealt(2)
    own, other, watcher = play.zone("hand/1", 1), play.zone("hand/0", 1), play.zone("hand/1", None)
    assert (len(own["cards"]), other["cards"], other["n"]) == (4, None, 4)
    assert (watcher["cards"], watcher["n"]) == (None, 4)
    assert (play.zone("stock", 1)["cards"], play.zone("stock", 1)["n"]) == (None, 25)


def test_what_is_dealt_face_down_reaches_nobody(dealt: Any) -> None:
    play = dealt(2)
    hidden = {play.match.table.cards("pyramid")[here] for here in range(6, 10)} - {"*"}
    for viewer in (0, 1, None):
        told = str({key: value for key, value in play.match.view(viewer).items() if key != "layout"})
        assert {face for face in hidden if f"'{face}'" in told} == set()


def test_with_the_lock_card_the_reserve_has_one_card_more_a10(dealt: Any) -> None:
    play = dealt(2, lock_card=True)
    assert len(play.match.table.cards("stock")) == 26
    assert "L" in play.match.table.cards("stock")
    assert len(play.match.table.all_cards()) == 55


def test_where_the_lock_card_lies_changes_with_the_deal(dealt: Any) -> None:
    places = {dealt(4, seed, lock_card=True).match.table.cards("stock").index("L") for seed in range(120)}
    assert places == set(range(11))


def test_the_starting_seat_is_drawn_and_the_next_game_starts_one_seat_on_c6(dealt: Any) -> None:
    starts = {dealt(3, seed).match.table.start for seed in range(30)}
    assert starts == {0, 1, 2}
    play = dealt(3, games=2)
    first = play.match.table.start
    while play.match.phase == "playing":
        play.act(game.timeout(play.match.table, play.seat))
    play.match.deal(bytes(32))
    assert play.match.table.start == (first + 1) % 3


@pytest.mark.parametrize(
    ("players", "options", "hidden"),
    [
        pytest.param(2, {"hidden_rows": "none"}, set(), id="C20 none"),
        pytest.param(2, {"hidden_rows": ["middle", 6]}, {(4, 1), (4, 2), (4, 3), (4, 4), *[(6, n) for n in range(1, 7)]}, id="C20 rows"),
        pytest.param(2, {"hidden_rows": [2]}, {(2, 1), (2, 2)}, id="C20 a row that is not the middle"),
        pytest.param(2, {"hidden_rows": [7, 3]}, {(3, 1), (3, 2), (3, 3)}, id="C20 a row that six rows do not have is passed over"),
        pytest.param(2, {"hidden_rows": [], "hidden_cards": "3.2,5.1"}, {(3, 2), (5, 1)}, id="C20 single cards"),
        pytest.param(3, {"hidden_rows": [7], "free_from": "apex"}, {(7, n) for n in range(1, 8)}, id="C20 the base row"),
        pytest.param(3, {"hidden_rows": [1], "free_from": "base"}, {(1, 1)}, id="C20 the apex of a pyramid that is free from the base"),
    ],
)
def test_a_table_chooses_what_lies_face_down(dealt: Any, players: int, options: dict[str, Any], hidden: set[tuple[int, int]]) -> None:
    play = dealt(players, **options)
    rows = 6 if players == 2 else 7
    found = {(row, card) for row in range(1, rows + 1) for card in range(1, row + 1) if play.seen(row, card) == "?"}
    assert found == hidden


@pytest.mark.parametrize(
    ("options", "name"),
    [
        pytest.param({"hidden_rows": [1]}, "hidden_rows", id="C20 the apex"),
        pytest.param({"hidden_cards": ["1.1"]}, "hidden_cards", id="C20 the apex card"),
        pytest.param({"hidden_rows": [7], "free_from": "base"}, "hidden_rows", id="C20 the base of seven rows"),
        pytest.param({"hidden_rows": [6], "free_from": "base"}, "hidden_rows", id="C20 the base of six rows"),
        pytest.param({"hidden_cards": ["6.3"], "free_from": "base"}, "hidden_cards", id="C20 a base card"),
        pytest.param({"hidden_rows": [8]}, "hidden_rows", id="C20 no such row"),
        pytest.param({"free_from": "side"}, "free_from", id="C1 no such end"),
    ],
)
def test_what_is_free_at_the_start_cannot_lie_face_down(options: dict[str, Any], name: str) -> None:
    with pytest.raises(Refused) as refusal:
        Match(game, options, [{"name": "A"}, {"name": "B"}])
    assert (refusal.value.code, refusal.value.data["option"]) == ("bad_option", name)
