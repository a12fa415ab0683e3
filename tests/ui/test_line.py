"""Line mode: everything is said, nothing is drawn, numbers choose and letters ask."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from carteado.ui.terminal.line import QUERIES, LineClient
from carteado.ui.terminal.lines import run
from carteado.ui.terminal.room import Chair, Room
from carteado.ui.terminal.session import Change

from .harness import Recorded
from .tables import TABLES, form, steps


def talk(
    game: str, *typed: str, refuse: Any = (), room: Room | None = None, **parts: Any
) -> tuple[Recorded, list[str]]:
    """Type lines at a game and return the session and what was said after the greeting."""
    make, words, looks = TABLES[game]
    session = Recorded(make(**parts), words, looks, room)
    session.refuse = list(refuse)
    said: list[str] = []
    client = LineClient(session, said.append)
    client.begin()
    said.clear()

    async def run() -> None:
        for line in typed:
            await client.take(line)

    asyncio.run(run())
    return session, said


def test_who_takes_the_host_along_is_told_of_the_others_and_says_it_twice() -> None:
    make, words, looks = TABLES["steps"]
    said: list[str] = []
    client = LineClient(Recorded(make(), words, looks, Room("playing", [Chair(0, "Rita"), Chair(1, "Ana")])), said.append)
    client.local.hosting = True
    client.begin()
    asyncio.run(client.take("q"))
    assert ["1 other person is at this table. The host ends with this window, and the table with it.",
            "To end the host all the same, type: q q"] == said[-2:]  # fmt: skip
    assert not client.done
    asyncio.run(client.take("q q"))
    assert client.done


def test_a_host_that_has_closed_is_not_just_a_lost_line() -> None:
    make, words, looks = TABLES["steps"]
    said: list[str] = []
    session = Recorded(make(), words, looks)
    client = LineClient(session, said.append)
    session.line = "lost"
    client.changed(Change("line"))
    session.line_reason = "shutdown"
    client.changed(Change("line"))
    assert "connection lost, trying again" == said[0]
    assert said[1].startswith("The host has closed. Your seat is kept")


def test_it_begins_with_what_is_wanted_and_what_can_be_done() -> None:
    make, words, looks = TABLES["steps"]
    said: list[str] = []
    LineClient(Recorded(make(), words, looks), said.append).begin()
    assert ["1. Lay phase", "2. Add", "3. Discard", "4. Discard skip"] == said[-4:]
    assert said[-5].startswith("Phase 2: a set of 3")


def test_a_number_with_a_card_behind_it_is_a_whole_move() -> None:
    session, _ = talk("steps", "3 1")
    assert [(7, {"type": "discard", "cards": ["R2"]})] == session.acts


def test_what_is_missing_is_asked_for_one_after_the_other() -> None:
    session, said = talk("steps", "2", "6 11", "2")
    assert [(7, {"type": "hit", "cards": ["R9", "W"], "group": "group/2"})] == session.acts
    assert "6. red 9" in said
    assert "2. R4 of Ana: yellow 3, green 4, green 5 and blue 6" in said


def test_numbers_typed_ahead_answer_the_questions_in_order() -> None:
    session, _ = talk("steps", "4 10 2")
    assert [(7, {"type": "skip", "cards": ["S"], "seat": 3})] == session.acts


def test_the_games_proposal_is_read_out_and_taken_or_built_anew() -> None:
    session, said = talk("steps", "1", "1")
    assert "run of 4: red 9, red 10, yellow 11 and red 12" in said
    groups = [["B7", "G7", "W"], ["R9", "R10", "Y11", "R12"]]
    assert [(7, {"type": "lay", "groups": groups})] == session.acts
    session, _ = talk("steps", "1", "2", "3 4 11", "6 7 8 9")
    assert [(7, {"type": "lay", "groups": groups})] == session.acts


def test_a_blocked_choice_says_why() -> None:
    session, said = talk("pyramid", "4")
    assert ([], ["That card is still covered."]) == (session.acts, said)


def test_the_rules_of_what_is_to_be_decided_are_read_and_all_of_them_when_asked_twice() -> None:
    make, words, looks = TABLES["steps"]
    session, said = Recorded(make(), words, looks), []
    session.rules = "# Steps\n\nA word before.\n\n<!-- stages: play -->\n## Your turn\n\nDraw a card.\n"
    client = LineClient(session, said.append)
    client.begin()
    said.clear()
    asyncio.run(client.take("r"))
    assert ["Your turn", "", "Draw a card.", "All the rules: r r"] == said
    said.clear()
    asyncio.run(client.take("r r"))
    assert "Steps" == said[0]


def test_wrong_numbers_change_nothing_and_the_question_stays_open() -> None:
    session, said = talk("steps", "3", "99", "1 1", "0", "2")
    assert [(7, {"type": "discard", "cards": ["Y6"]})] == session.acts
    assert said.count("That is not one of the choices. ? tells what can be typed.") >= 2


def test_x_gives_a_question_up_and_letters_still_ask_meanwhile() -> None:
    session, said = talk("steps", "3", "h", "x", "3 2")
    assert "11. wild" in said
    assert [(7, {"type": "discard", "cards": ["Y6"]})] == session.acts


def test_a_refusal_is_said_in_words() -> None:
    _, said = talk("steps", "3 1", refuse=[["draw_first", {}]])
    assert ["Draw a card first."] == said


def test_a_refusal_that_names_an_optional_blank_asks_for_it() -> None:
    seats = {"kind": "choice", "optional": True, "of": [{"value": 3, "label": ["Carla", {}]}]}
    forms = [form("discard", cards={"kind": "pick", "zone": "hand/0", "n": [1, 1], "cards": None}, seat=seats)]
    prompts = [{"id": 9, "stage": "play", "forms": forms, "hints": []}]
    session, _ = talk("steps", "1 10", "1", refuse=[["name_one", {"field": "seat"}]], prompts=prompts)
    assert {"type": "discard", "cards": ["S"], "seat": 3} == session.acts[-1][1]


def test_the_table_is_told_with_full_card_names() -> None:
    _, said = talk("steps", "t")
    assert "Stock: 52 cards" in said
    assert "Discards: green 4; 9 cards" in said
    assert "Ana: P3, 4 cards, 45 points" in said
    assert "Rita (you): P2, 11 cards, 60 points, to move" in said


def test_a_pyramid_is_told_row_by_row_and_what_is_free() -> None:
    _, said = talk("pyramid", "t")
    assert "  row 1: place 2: 9 of clubs, free; place 3: king of hearts, free" in said
    assert any(line.startswith("  row 3: place 8: face down; ") for line in said)
    assert any(line.startswith("  row 4: place 13: 7 of hearts; ") for line in said)


def test_a_trick_is_told_by_who_played_what() -> None:
    _, said = talk("trick", "t")
    assert "Trick: Petra king of spades" in said


def test_every_letter_of_the_help_answers() -> None:
    for letter in QUERIES:
        _, said = talk("steps", letter if letter != "c" else "c hello")
        assert "That is not one of the choices. ? tells what can be typed." not in said
    _, said = talk("steps", "?")
    assert len(QUERIES) == len(said)


def test_sorting_renumbers_the_hand() -> None:
    _, said = talk("steps", "o")
    assert "Sorted by suit." == said[0]
    assert "1. red 2" == said[1]
    assert "2. red 9" == said[2]


def test_chat_keeps_its_words_as_they_were_typed() -> None:
    session, _ = talk("steps", "c Good  game, 3 1")
    assert [("say", {"text": "Good  game, 3 1"})] == session.wishes


def test_only_what_is_new_in_the_log_is_said() -> None:
    make, words, looks = TABLES["steps"]
    session = Recorded(make(), words, looks)
    said: list[str] = []
    client = LineClient(session, said.append)
    client.begin()
    said.clear()
    view = steps()
    view["log"] = [*view["log"][2:], ["dd.log.discarded", {"who": {"$player": 2}, "card": {"$card": "G4"}}]]
    session.view = view
    client.changed(Change("view"))
    assert ["Bruno discarded green 4."] == said


def test_a_question_about_a_closed_prompt_is_closed_too() -> None:
    make, words, looks = TABLES["steps"]
    session = Recorded(make(), words, looks)
    said: list[str] = []
    client = LineClient(session, said.append)
    client.begin()
    asyncio.run(client.take("3"))
    session.view = steps(prompts=[])
    client.changed(Change("view"))
    said.clear()
    asyncio.run(client.take("1"))
    assert [] == session.acts


def test_the_waiting_room_is_read_out_and_its_wishes_are_numbered() -> None:
    chairs = [Chair(0, "Rita"), Chair(1, "Rui", bot="rule", line="bot"), Chair(2, line="empty")]
    session = Recorded(None, {}, {}, Room("lobby", chairs, frozenset({"start", "fill", "ready"}), title="Ten Steps"))
    said: list[str] = []
    client = LineClient(session, said.append)
    client.begin()
    assert "Chair 2: Rui, a computer player" in said
    assert "Chair 3: free" in said
    number = next(line.split(".")[0] for line in said if line.endswith("Start"))
    asyncio.run(client.take(number))
    assert [("start", {})] == session.wishes


PROGRAM = """
import asyncio, sys
from tests.ui.harness import Recorded
from tests.ui.tables import TABLES
from carteado.ui.terminal.lines import run
make, words, looks = TABLES["steps"]
session = Recorded(make(), words, looks)
status = asyncio.run(run(session))
print(session.acts, session.closed)
sys.exit(status)
"""


def test_lines_from_a_pipe_play_and_the_end_of_the_input_leaves() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        input="3 1\nt\n",
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        timeout=60,
    )
    assert "[(7, {'type': 'discard', 'cards': ['R2']})] True" == done.stdout.splitlines()[-1]
    assert "\x1b" not in done.stdout
    assert "" == done.stderr


def test_lines_end_with_a_reason_when_the_host_is_gone_for_good(capsys: pytest.CaptureFixture[str]) -> None:
    async def gone() -> str:
        return "ui.gone.kept"

    async def play() -> Recorded:
        make, words, looks = TABLES["steps"]
        session = Recorded(make(), words, looks)
        await asyncio.wait_for(run(session, lines=asyncio.Queue(), lost=gone()), 10)
        return session

    assert asyncio.run(play()).closed
    assert "All is kept: start it again" in capsys.readouterr().out.splitlines()[-1]


def test_n_goes_on_to_the_next_language_and_says_again_what_is_wanted() -> None:
    session, said = talk("steps", "n", "s")
    assert ["pt_PT"] == session.spoken
    assert said[0] == "Língua: Português (Portugal)"
    assert any("pontos" in line for line in said)
    session, said = talk("steps", "n", refuse=[["paused", {}]])
    assert ["The table is paused."] == said
