"""The view: whole, plain, and the same shape for everybody."""

from __future__ import annotations

from typing import Any

import pytest
from tablegames import GAMES, Discards, Passing, act, play_card, play_hand, scripted, start, turn_of

from carteado.core.api import CLOSED, P, Result
from carteado.core.draft import LOG_KEPT
from carteado.core.view import LOG_SHOWN

KEYS = {
    "table", "game", "version", "title", "you", "q", "phase", "hand", "seats", "zones", "vars", "mine", "facts", "prompts", "layout", "log",
    "result", "end",
}  # fmt: skip


@pytest.mark.parametrize(("name", "players"), [("discards", 3), ("passing", 3), ("peaks", 2), ("partners", 4), ("blanks", 2)])
def test_every_view_has_the_same_keys(name: str, players: int) -> None:
    match = start(GAMES[name](), players)
    assert [KEYS] * (players + 1) == [set(match.view(viewer)) for viewer in (*range(players), None)]


def test_a_view_says_what_is_played_and_where() -> None:
    view = start(Discards(), table="t-9").view(2)
    assert ({"id": "t-9", "options": {"stake": 10, "substitute": True, "hands": 2, "extras": ["a"]}}, "discards", "1", 2, 1, "playing") == (
        view["table"], view["game"], view["version"], view["you"], view["q"], view["phase"]
    )  # fmt: skip


def test_a_view_before_the_first_hand_has_seats_and_no_zones() -> None:
    view = start(Discards(), deal=False).view(0)
    assert ("dealing", [], [], 3, 0) == (view["phase"], view["zones"], view["prompts"], len(view["seats"]), view["hand"]["number"])


def test_a_seat_is_shown_with_all_that_is_known_of_it() -> None:
    match = start(Discards())
    seat = turn_of(match)[0]
    assert {
        "seat": seat, "name": ("Ana", "Bruno", "Carla")[seat], "bot": None, "state": "in", "left": False, "points": 0, "place": None,
        "asked": "play", "sealed": False, "ready": False,
    } == match.view(None)["seats"][seat]  # fmt: skip


def test_only_the_asked_seat_gets_its_forms() -> None:
    match = start(Discards())
    seat, prompt = turn_of(match)
    shown = {viewer: [one["id"] for one in match.view(viewer)["prompts"]] for viewer in (0, 1, 2, None)}
    assert {viewer: [prompt] if viewer == seat else [] for viewer in (0, 1, 2, None)} == shown


def test_a_prompt_holds_its_forms_as_data() -> None:
    match = start(Discards())
    seat = turn_of(match)[0]
    (prompt,) = match.view(seat)["prompts"]
    assert ("play", ["play", "pass"], []) == (prompt["stage"], [form["type"] for form in prompt["forms"]], prompt["hints"])


def test_a_seats_own_facts_are_its_own() -> None:
    def deal(self: Any, table: Any) -> None:
        Discards.deal(self, table)
        table.set("trump", "A")
        table.set("secret", 7, seat=1)

    match = start(scripted(deal=deal))
    assert [({"trump": "A"}, {}), ({"trump": "A"}, {"secret": 7}), ({"trump": "A"}, {})] == [
        (view["vars"], view["mine"]) for view in (match.view(0), match.view(1), match.view(None))
    ]


def test_a_seat_that_sits_out_is_shown_as_out() -> None:
    def deal(self: Any, table: Any) -> None:
        table.sit_out(1)
        if table.start == 1:
            table.start = 0
        Discards.deal(self, table)

    assert ["in", "out", "in"] == [seat["state"] for seat in start(scripted(deal=deal)).view(None)["seats"]]


def test_the_result_of_a_hand_is_shown_until_the_next_is_dealt() -> None:
    def scoring(self: Any, table: Any) -> Result | None:
        result = Discards.scoring(self, table)
        return result and Result(result.points, reason=["done", {}], sheet=[{"title": ["sheet", {}], "lines": [["line", {"n": 1}]]}])

    match = start(scripted(scoring=scoring))
    play_hand(match)
    shown = match.view(None)["result"]
    match.deal(bytes(32))
    assert ({"hand": 1, "reason": ["done", {}], "sheet": [{"title": ["sheet", {}], "lines": [["line", {"n": 1}]]}]}, None) == (
        {key: shown[key] for key in ("hand", "reason", "sheet")}, match.view(None)["result"]
    )  # fmt: skip


def test_the_points_of_a_result_stand_in_the_order_of_seats() -> None:
    match = start(scripted(scoring=lambda self, table: Result({2: 5, 0: 1}, over=True)))
    assert ([1, 0, 5], [1, 0, 5]) == (match.view(None)["result"]["points"], [seat["points"] for seat in match.view(None)["seats"]])


def test_the_log_shows_its_newest_lines() -> None:
    def turn(self: Any, table: Any, seat: int, action: dict[str, Any]) -> None:
        table.say("line", n=table.get("n", 0))
        table.set("n", table.get("n", 0) + 1)
        table.ask(table.next(seat), "play")

    match = start(scripted(turn=turn))
    for _ in range(LOG_SHOWN + 5):
        act(match, {"type": "pass"})
    assert [["line", {"n": n}] for n in range(5, LOG_SHOWN + 5)] == match.view(None)["log"]


def test_the_log_of_a_long_hand_is_cut() -> None:
    def turn(self: Any, table: Any, seat: int, action: dict[str, Any]) -> None:
        for n in range(100):
            table.say("line", n=n)
        table.ask(table.next(seat), "play")

    match = start(scripted(turn=turn))
    lengths = [act(match, {"type": "pass"}) and len(match.table._log) for _ in range(6)]
    assert [100, 200, 300, 400, LOG_KEPT // 2, LOG_KEPT // 2 + 100] == lengths


def test_the_log_goes_on_over_hands() -> None:
    match = start(Discards())
    play_card(match)
    play_hand(match)
    before = match.view(None)["log"]
    match.deal(bytes(32))
    play_card(match)
    assert before == match.view(None)["log"][:-1]


def test_the_layout_gets_the_redacted_view() -> None:
    seen: list[Any] = []

    def layout(self: Any, view: dict[str, Any]) -> None:
        seen.append(view["zones"])

    match = start(scripted(Passing, layout=layout), 3)
    match.view(1)
    hands = {zone["name"]: zone["cards"] for zone in seen[-1] if zone["name"].startswith("hand/")}
    assert {"hand/0": None, "hand/1": list(match.table.cards("hand/1")), "hand/2": None} == hands


def test_captions_and_hints_are_in_the_view() -> None:
    view = start(Passing(), 3).view(0)
    assert (["hand/0", {"n": 4}], "passing.try") == (view["layout"]["labels"]["hand/0"], view["prompts"][0]["hints"][0]["text"][0])


def test_a_view_without_captions_is_the_same_without_them() -> None:
    match = start(Passing(), 3)
    view = match.view(0)
    view["layout"] = {}
    view["prompts"][0]["hints"] = []
    assert view == match.view(0, captions=False)


def test_hints_hold_text_and_action_and_no_weight() -> None:
    (hint,) = start(Passing(), 3).view(0)["prompts"][0]["hints"]
    assert {"text", "action"} == set(hint)


def test_zones_stand_in_the_order_in_which_they_were_made() -> None:
    match = start(Discards())
    first = match.table.start
    expected = ["deck", "discard", *(f"hand/{(first + i) % 3}" for i in range(3))]
    assert expected == [zone["name"] for zone in match.view(None)["zones"]]


def test_a_closed_pile_with_one_card_turned_up_shows_that_one() -> None:
    def deal(self: Any, table: Any) -> None:
        Discards.deal(self, table)
        table.show("deck", [len(table.cards("deck")) - 1])

    match = start(scripted(deal=deal))
    deck = match.view(None)["zones"][0]
    assert (["?"] * 14, match.table.cards("deck")[-1], list(CLOSED)) == (deck["cards"][:-1], deck["cards"][-1], deck["see"])


def test_messages_hold_players_by_seat() -> None:
    match = start(Discards())
    seat = turn_of(match)[0]
    play_card(match)
    assert P(seat) == match.view(None)["log"][-1][1]["who"]
