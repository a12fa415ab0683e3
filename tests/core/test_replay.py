"""Replay: the same hashes everywhere, and the first entry that differs is named."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tablegames import GAMES, SEED, Discards, Passing, act, play_card, play_hand, random_match, scripted, start

from carteado.core.api import IllegalAction, hookimpl
from carteado.core.errors import JournalMismatch
from carteado.core.journal import Journal
from carteado.core.replay import replay, step

PLAYED = [("discards", 3, 1), ("passing", 3, 3), ("peaks", 2, 5), ("partners", 4, 7)]
which = pytest.mark.parametrize("which", PLAYED, ids=str)


def mismatch(call: Any, *arguments: Any, **named: Any) -> str:
    with pytest.raises(JournalMismatch) as caught:
        call(*arguments, **named)
    return str(caught.value)


def copy(journal: Journal) -> Journal:
    return Journal.load(journal.dump())


@which
def test_a_replayed_match_is_the_match(which: tuple[str, int, int]) -> None:
    match = random_match(GAMES[which[0]](), which[1], which[2], leave=True)
    again = replay(copy(match.journal), GAMES[which[0]]())
    assert (match.journal.dump(), match.digest(), match.h) == (again.journal.dump(), again.digest(), again.h)


@which
def test_a_replayed_match_looks_the_same_to_everybody(which: tuple[str, int, int]) -> None:
    match = random_match(GAMES[which[0]](), which[1], which[2], leave=True)
    again = replay(copy(match.journal), GAMES[which[0]]())
    viewers = (*range(which[1]), None)
    assert [match.view(viewer) for viewer in viewers] == [again.view(viewer) for viewer in viewers]


def test_every_beginning_of_a_journal_is_a_match_that_goes_on_to_the_same_end() -> None:
    match = random_match(Passing(), 3, 3, leave=True)
    ends = set()
    for upto in range(match.q + 1):
        again = replay(match.journal, Passing(), upto=upto)
        assert upto == again.q
        for entry in match.journal.entries[upto : upto + 3]:
            step(again, entry)
        ends.add((again.q, again.journal.entries[-1]["h"]))
    assert {(n, match.journal.entries[n - 1]["h"]) for n in range(3, match.q + 1)} == ends


def test_a_match_that_is_resumed_is_played_on_like_one_that_was_never_stopped() -> None:
    going, stopped = start(Discards()), start(Discards())
    for match in (going, stopped):
        play_card(match)
    resumed = replay(copy(stopped.journal), Discards())
    for match in (going, resumed):
        play_hand(match)
        match.deal(SEED)
        play_hand(match)
    assert going.journal.dump() == resumed.journal.dump()


def test_replaying_does_not_change_the_journal_that_is_read() -> None:
    match = random_match(Passing(), 3, 3)
    before = match.journal.dump()
    replay(match.journal, Passing())
    assert before == match.journal.dump()


PROGRAM = """
import json, sys
from tablegames import GAMES, random_match
from carteado.core.journal import Journal
from carteado.core.replay import replay

results = {}
for name, players, number in json.loads(sys.argv[1]):
    match = random_match(GAMES[name](), players, number, leave=True)
    again = replay(Journal.load(match.journal.dump()), GAMES[name]())
    results[name] = [match.journal.entries[-1]["h"], match.digest(), again.digest(), match.h.hex(), again.h.hex()]
print(json.dumps(results))
"""


def test_other_processes_with_other_hash_seeds_play_and_replay_to_the_same_hashes() -> None:
    expected = {}
    for name, players, number in PLAYED:
        match = random_match(GAMES[name](), players, number, leave=True)
        expected[name] = [match.journal.entries[-1]["h"], match.digest(), match.digest(), match.h.hex(), match.h.hex()]
    running = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, json.dumps(PLAYED)],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parent)},
            stdout=subprocess.PIPE,
        )
        for seed in ("0", "1", "4242")
    ]
    assert [expected] * 3 == [json.loads(process.communicate(timeout=60)[0]) for process in running]


# What does not fit


def test_a_journal_of_another_game_is_refused() -> None:
    assert "the journal is of 'discards', not of 'passing'" == mismatch(replay, start(Discards()).journal, Passing())


def test_a_journal_of_another_version_of_the_game_is_refused() -> None:
    said = mismatch(replay, start(Discards()).journal, scripted(name="discards", version="2"))
    assert "the journal was written by version 1 of discards; here is 2" == said


def test_a_journal_of_another_version_can_be_read_without_comparing_hashes() -> None:
    match = start(Discards())
    play_hand(match)
    assert match.q == replay(match.journal, scripted(name="discards", version="2"), check=False).q


def test_a_journal_with_house_rules_needs_them() -> None:
    class House:
        name = "quiet"

        @hookimpl
        def observe(self, view: Any, events: Any) -> None: ...

    match = start(Discards(), house=[House()])
    assert ("the journal needs the house rules ['quiet']", 1) == (
        mismatch(replay, match.journal, Discards()), replay(match.journal, Discards(), house=[House()]).q
    )  # fmt: skip


def test_a_tampered_action_is_named_by_its_number() -> None:
    match = start(Discards())
    play_card(match)
    play_card(match)
    journal = copy(match.journal)
    journal.entries[1]["do"] = {"type": "pass"}
    assert mismatch(replay, journal, Discards()).startswith("entry 2 (action) replays to hash ")


def test_an_action_that_is_refused_is_named_by_its_number() -> None:
    match = start(Discards())
    play_card(match)
    journal = copy(match.journal)
    journal.entries[1]["do"] = {"type": "play", "cards": ["Z9"]}
    assert "entry 2 (action) does not fit the match: Refused: not_held(card={'$card': 'Z9'})" == mismatch(replay, journal, Discards())


def test_a_tampered_hash_is_named_by_its_number() -> None:
    match = start(Discards())
    play_card(match)
    journal = copy(match.journal)
    journal.entries[1]["h"] = "0" * 16
    said = mismatch(replay, journal, Discards())
    assert f"entry 2 (action) replays to hash {match.journal.entries[1]['h']}, the journal says {'0' * 16}" == said


def test_a_tampered_digest_is_named_by_its_number() -> None:
    match = start(Discards())
    play_hand(match)
    journal = copy(match.journal)
    journal.entries[-1]["digest"] = "0" * 64
    assert f"entry {match.q} (action) replays to another digest than the journal says" == mismatch(replay, journal, Discards())


def test_another_seed_is_noticed_at_its_hand() -> None:
    match = start(Discards())
    journal = copy(match.journal)
    journal.entries[0]["seed"] = "00" * 32
    assert mismatch(replay, journal, Discards()).startswith("entry 1 (hand) replays to hash ")


def test_a_seed_spelt_differently_is_noticed() -> None:
    journal = copy(start(Discards()).journal)
    journal.entries[0]["seed"] = journal.entries[0]["seed"].upper()
    assert "entry 1 (hand) replays to another seed than the journal says" == mismatch(replay, journal, Discards())


def test_another_source_of_the_seed_is_noticed() -> None:
    match = start(Discards(), deal=False)
    match.deal(SEED, {"host": "aa"})
    journal = copy(match.journal)
    journal.entries[0]["from"] = {"host": "ab"}
    assert mismatch(replay, journal, Discards()).startswith("entry 1 (hand) replays to hash ")


def test_another_name_in_the_header_is_noticed_at_the_first_entry() -> None:
    journal = copy(start(Discards()).journal)
    journal.header["seats"][0]["name"] = "Eve"
    assert mismatch(replay, journal, Discards()).startswith("entry 1 (hand) replays to hash ")


def test_a_timeout_with_an_action_that_no_form_takes_is_noticed() -> None:
    match = start(Discards())
    seat = min(match.prompts)
    match.timeout(seat, match.prompts[seat].id)
    journal = copy(match.journal)
    journal.entries[1]["do"] = {"type": "win"}
    assert "entry 2 (timeout) does not fit the match" in mismatch(replay, journal, Discards())


def test_a_timeout_of_a_seat_that_was_not_asked_is_noticed() -> None:
    match = start(Discards())
    seat = min(match.prompts)
    match.timeout(seat, match.prompts[seat].id)
    journal = copy(match.journal)
    journal.entries[1]["seat"] = (seat + 1) % 3
    assert "entry 2 (timeout) does not fit the match: Refused: not_asked" == mismatch(replay, journal, Discards())


def test_a_game_whose_rules_have_changed_is_noticed_at_the_entry_where_it_matters() -> None:
    def turn(self: Any, table: Any, seat: int, action: dict[str, Any]) -> None:
        if action["type"] == "pass":
            raise IllegalAction("no_passing")
        Discards.turn(self, table, seat, action)

    match = start(Discards())
    play_card(match)
    act(match, {"type": "pass"})
    said = mismatch(replay, match.journal, scripted(name="discards", turn=turn))
    assert "entry 3 (action) does not fit the match: IllegalAction: no_passing" == said


def test_a_game_that_breaks_while_a_journal_is_played_is_a_mismatch_and_no_traceback() -> None:
    match = start(Discards())
    said = mismatch(replay, match.journal, scripted(name="discards", scoring=lambda self, table: [][0]))
    assert "entry 1 (hand) does not fit the match: PluginFault: plugin 'discards', hook 'scoring': IndexError" in said


def test_a_game_that_draws_from_a_randomness_of_its_own_is_noticed() -> None:
    import random

    luck = random.Random(1)

    def turn(self: Any, table: Any, seat: int, action: dict[str, Any]) -> None:
        table.set("luck", luck.random() > 0.5)
        table.set("luck", luck.randrange(10**9))
        table.ask(table.next(seat), "play")

    match = start(scripted(turn=turn))
    act(match, {"type": "pass"})
    assert mismatch(replay, match.journal, match.game).startswith("entry 2 (action) replays to hash ")
