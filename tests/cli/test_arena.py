"""The arena: fair chairs, the same result on any number of processes, honest intervals."""

from __future__ import annotations

import io
import json

import pytest

from carteado.cli import main
from carteado.core.errors import LoadFailure
from carteado.net.arena import ArenaFault, Contest, Outcome, compete, play, standings, wilson
from carteado.net.scoreboard import Progress


def test_the_wilson_interval_agrees_with_published_values() -> None:
    low, high = wilson(7, 20)
    assert (pytest.approx(0.1812, abs=1e-4), pytest.approx(0.5671, abs=1e-4)) == (low, high)


def test_the_interval_of_no_games_is_everything() -> None:
    assert (0.0, 1.0) == wilson(0, 0)


def test_an_interval_stays_between_zero_and_one_at_the_ends() -> None:
    assert 0.0 == wilson(0, 5)[0]
    assert 1.0 == wilson(5, 5)[1]


@pytest.mark.usefixtures("toy")
def test_one_game_is_the_same_each_time_it_is_played() -> None:
    contest = Contest("toy", ("rule", "random"), seed=4)
    assert play(contest, 3) == play(contest, 3)


@pytest.mark.usefixtures("toy")
def test_another_seed_gives_other_games() -> None:
    assert [play(Contest("toy", ("rule", "rule"), seed=1), i) for i in range(5)] != [
        play(Contest("toy", ("rule", "rule"), seed=2), i) for i in range(5)
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
def test_the_result_does_not_depend_on_the_number_of_processes() -> None:
    contest = Contest("toy", ("rule", "random", "random"), seed=9)
    assert compete(contest, 40, jobs=1) == compete(contest, 40, jobs=3)


@pytest.mark.usefixtures("toy")
@pytest.mark.slow
def test_the_better_player_wins_more_often_than_chance() -> None:
    report = compete(Contest("toy", ("random", "rule"), seed=1), 80, jobs=1)
    assert report["players"][1]["low"] > 0.5 > report["players"][0]["high"]


@pytest.mark.usefixtures("toy")
def test_equal_players_share_the_wins_from_whatever_chair() -> None:
    report = compete(Contest("toy", ("rule", "rule"), seed=1), 80, jobs=1)
    assert all(player["low"] < 0.5 < player["high"] for player in report["players"])
    assert pytest.approx(80) == sum(player["wins"] for player in report["players"])


@pytest.mark.usefixtures("toy")
def test_in_a_duplicate_contest_every_player_gets_the_same_cards() -> None:
    same = [play(Contest("toy", ("rule", "rule"), seed=2, duplicate=True), number) for number in range(4)]
    assert same[0].points == same[1].points[::-1]
    assert same[2].points == same[3].points[::-1]
    assert same[0].points != same[2].points


@pytest.mark.usefixtures("toy")
def test_a_duplicate_contest_plays_every_deal_to_its_last_rotation() -> None:
    report = compete(Contest("toy", ("rule", "rule"), seed=2, duplicate=True), 5, jobs=1)
    assert report["games"] == 6
    assert [player["each_hand_error"] for player in report["players"]] != [0.0, 0.0]
    assert report["players"][0]["each_hand"] == report["players"][1]["each_hand"]


def test_skat_counts_the_games_won_by_type_and_the_deals_passed_in() -> None:
    report = compete(Contest("skat", ("rule",) * 3, {"hands": 1, "list": "seeger"}, duplicate=True), 9, jobs=1)
    counted = [player["counted"] for player in report["players"]]
    played = sum(of for player in counted for _, of in player.values())
    assert played + report["counted"]["passed in"][0] == 9 == report["counted"]["passed in"][1]


@pytest.mark.usefixtures("toy")
def test_table_options_reach_the_match() -> None:
    plain = play(Contest("toy", ("rule", "rule"), seed=1), 0)
    double = play(Contest("toy", ("rule", "rule"), {"generous": True}, seed=1), 0)
    assert [2 * points for points in plain.points] == list(double.points)


@pytest.mark.usefixtures("toy")
def test_a_player_that_only_moves_illegally_stops_the_arena_with_its_name() -> None:
    with pytest.raises(ArenaFault, match=r"stubborn 1 is stuck.*not_held"):
        compete(Contest("toy", ("stubborn", "rule")), 1, jobs=1)


def test_an_unknown_game_is_a_load_failure() -> None:
    with pytest.raises(LoadFailure, match="no game 'canasta'"):
        play(Contest("canasta", ("rule", "rule")), 0)


def test_a_shared_first_place_counts_in_equal_parts() -> None:
    tie = Outcome(places=(1, 1, 3), points=(5, 5, 1), refused=(0, 2, 0), hands=1, actions=3)
    rows = [row.wire() for row in standings(Contest("toy", ("a", "b", "c")), [tie, tie])]
    assert [1.0, 1.0, 0.0] == [row["wins"] for row in rows]
    assert [[2, 0, 0], [2, 0, 0], [0, 0, 2]] == [row["places"] for row in rows]
    assert [0, 4, 0] == [row["refused"] for row in rows]


@pytest.mark.usefixtures("toy")
def test_progress_is_told_after_every_game() -> None:
    told: list[int] = []
    compete(Contest("toy", ("rule", "rule")), 4, jobs=1, progress=told.append)
    assert [1, 2, 3, 4] == told


@pytest.mark.usefixtures("toy")
def test_the_document_is_the_same_for_the_same_seed(capsys: pytest.CaptureFixture[str]) -> None:
    documents = []
    for _ in range(2):
        assert main(["arena", "toy", "--seats", "rule,random", "--games", "6", "--seed", "5", "--jobs", "1", "--json"]) == 0
        documents.append(capsys.readouterr().out)
    assert documents[0] == documents[1]
    told = json.loads(documents[0])
    assert ("toy", "3", 5, 6, 12, 24) == tuple(told[key] for key in ("game", "version", "seed", "games", "hands", "actions"))
    assert [["rule", 6], ["random", 6]] == [[player["level"], player["games"]] for player in told["players"]]


@pytest.mark.usefixtures("toy")
def test_people_get_a_table_with_rates_and_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "toy", "--seats", "rule,random", "--games", "4", "--jobs", "1"]) == 0
    out, err = capsys.readouterr()
    head, columns, *rows = out.splitlines()
    assert head == "Toy: 4 games, 8 hands, 16 actions, seed 1"
    assert columns.split() == ["player", "won", "rate", "95", "%", "interval", "points", "a", "hand,", "95", "%", "refused"]
    assert [row.split()[:2] for row in rows] == [["1", "rule"], ["2", "random"]]
    assert "actions a second" in err


def test_the_bar_tells_games_done_and_the_time_that_is_left() -> None:
    out, now = io.StringIO(), iter([100.0, 102.0, 102.05, 104.0])
    bar = Progress(4, out, lambda: next(now))
    bar(1)
    bar(2)  # too soon to be drawn
    bar(4)
    bar.clear()
    assert [f"[{'#' * 7}{'.' * 23}] 1/4 games, 6 s left", f"[{'#' * 30}] 4/4 games, 0 s left", ""] == [
        part.replace("\x1b[K", "").strip() for part in out.getvalue().split("\r")[1:]
    ]
