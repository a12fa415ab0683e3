"""What the checks are made of: what viewers have seen, states they cannot tell apart, the guard, other processes, comparing."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from carteado.core.api import CLOSED, OPEN, OWNER, SECRET, Form, Game, Pick, Result, See, Table, french, hookimpl
from carteado.core.match import Match
from carteado.core.testing.apart import elsewhere, find, portraits, where
from carteado.core.testing.faults import Case, Fault, brief, difference, not_plain
from carteado.core.testing.guard import Guard
from carteado.core.testing.memory import SEEN, UNKNOWN, Memory
from carteado.core.testing.question import Question
from carteado.core.testing.recording import Recorder, again, hand_seed, new_match
from carteado.core.testing.sources import uses
from carteado.core.testing.swaps import branch, changed_places, pools, swapped, with_other_counts, with_other_facts
from carteado.core.zones import NONEMPTY, VISIBLE

from .sound import Sound
from .zoo import LooksAtTheClock, NamesTheSystem, ThrowsItsOwnDice

SEED = bytes(range(32))


class Piles(Game):
    """A table to lay cards about on: each seat says what is done."""

    name = "piles"
    title = "Piles"
    seats = (3, 3)
    deck = french("789T")

    @hookimpl
    def deal(self, table: Table) -> None:
        table.create("stock", "pile", see=CLOSED, cards=self.deck.cards)
        table.shuffle("stock")
        table.create("open", "pile", see=OPEN)
        table.create("closed", "pile", see=CLOSED)
        for seat in table.players:
            table.create(f"hand/{seat}", "fan", owner=seat, see=OWNER)
            table.move("stock", f"hand/{seat}", n=3)
        table.ask(0, "do")

    @hookimpl
    def options(self, table: Table, seat: int) -> list[Form]:
        return [Form("do", cards=Pick("hand/0", (0, 3)))]

    @hookimpl
    def turn(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        self.do(table)
        table.ask(0, "do")

    def do(self, table: Table) -> None:
        """Be replaced by a test."""

    @hookimpl
    def scoring(self, table: Table) -> Result | None:
        return None


def after(do: Any) -> tuple[Match, Memory]:
    """Return a match after one action that does something to the table, and what was seen in it."""
    game = Piles()
    match = Match(game, {}, [{"name": name} for name in "abc"])
    memory = Memory(match)
    memory.follow(match.deal(SEED).raw, match.table)
    game.do = lambda table: do(table)  # type: ignore[method-assign]
    memory.follow(match.act(0, match.prompts[0].id, {"type": "do", "cards": []}).raw, match.table)
    return match, memory


# What viewers have seen


def test_a_seat_has_seen_its_own_hand_and_nobody_elses() -> None:
    _, memory = after(lambda table: None)
    assert [memory.labels()[seat]["hand/1"] for seat in (0, 1, None)] == [[UNKNOWN] * 3, [SEEN] * 3, [UNKNOWN] * 3]


def test_a_card_that_lay_open_stays_seen_when_it_is_taken_up() -> None:
    def do(table: Table) -> None:
        table.move("stock", "open", n=1)
        table.move("open", "hand/1", n=1)

    _, memory = after(do)
    assert [memory.labels()[viewer]["hand/1"] for viewer in (0, None)] == [[UNKNOWN] * 3 + [SEEN]] * 2


def test_what_was_seen_and_then_shuffled_is_exchangeable_with_its_like_only() -> None:
    def do(table: Table) -> None:
        table.move("stock", "open", n=4)
        table.move("open", "closed", n=4)
        table.shuffle("closed")

    match, memory = after(do)
    labels = memory.labels()[2]
    assert labels["closed"] == [2] * 4
    zones = [sorted({zone for zone, _ in places}) for places in pools(match, 2, labels)]
    assert sorted(zones) == [["closed"], ["hand/0", "hand/1", "stock"]]


def test_a_card_shown_to_one_seat_is_seen_by_it_alone() -> None:
    _, memory = after(lambda table: table.show("stock", [0], seats=[2]))
    assert [memory.labels()[viewer]["stock"][0] for viewer in (0, 1, 2, None)] == [UNKNOWN, UNKNOWN, SEEN, UNKNOWN]


def test_an_opened_hand_is_seen_by_all_and_stays_so_when_it_is_closed() -> None:
    def do(table: Table) -> None:
        table.see("hand/1", OPEN)
        table.see("hand/1", OWNER)

    _, memory = after(do)
    assert memory.labels()[None]["hand/1"] == [SEEN] * 3


# States a viewer cannot tell apart


@pytest.mark.parametrize("share", [1.0, 0.5, 0.0])
def test_a_swapped_state_holds_the_same_cards_and_shows_the_viewer_the_same(share: float) -> None:
    match, memory = after(lambda table: None)
    rng = random.Random(5)
    for viewer in (0, 1, 2, None):
        other = swapped(match, viewer, memory.labels()[viewer], rng, share)
        assert other is not None
        assert other.table.all_cards() == match.table.all_cards()
        assert {**other.view(viewer), "q": 0} == {**match.view(viewer), "q": 0}
        assert changed_places(match, other) != []


def test_what_a_viewer_has_seen_is_never_swapped() -> None:
    match, memory = after(lambda table: (table.move("stock", "open", n=2), table.move("open", "closed", n=2)))
    for seed in range(20):
        other = swapped(match, None, memory.labels()[None], random.Random(seed), 1.0)
        assert other is not None
        assert other.table.cards("closed") == match.table.cards("closed")


def test_two_cards_change_places_when_the_share_is_nothing() -> None:
    match, memory = after(lambda table: None)
    other = swapped(match, 0, memory.labels()[0], random.Random(1), 0.0)
    assert other is not None
    assert len(changed_places(match, other)) == 2


def test_facts_of_other_seats_change_and_the_viewers_own_do_not() -> None:
    match, _ = after(lambda table: [table.set("bet", seat, seat=seat) for seat in table.players])
    other = with_other_facts(match, 1, random.Random(1))
    assert other is not None
    assert [other.table.get("bet", seat=seat) == seat for seat in match.table.players] == [False, True, False]


def test_without_facts_of_others_there_is_no_such_state() -> None:
    match, _ = after(lambda table: table.set("bet", 1, seat=1))
    assert with_other_facts(match, 1, random.Random(1)) is None


def test_cards_that_only_others_can_count_change_in_number() -> None:
    def do(table: Table) -> None:
        table.create("secret", "pile", see=SECRET)
        table.create("any", "pile", see=See(VISIBLE, NONEMPTY, NONEMPTY, NONEMPTY), owner=1)
        table.move("stock", "secret", n=1)
        table.move("stock", "any", n=2)

    match, memory = after(do)
    other = with_other_counts(match, 0, memory.labels()[0], random.Random(1))
    assert other is not None
    assert other.table.all_cards() == match.table.all_cards()
    assert {len(other.table.cards(zone)) for zone in ("secret", "any")} in ({0, 3}, {1, 2})
    assert {**other.view(0), "q": 0} == {**match.view(0), "q": 0}
    assert with_other_counts(match, 1, memory.labels()[1], random.Random(1)) is None


def test_words_of_other_seats_change_hands() -> None:
    match, _ = after(lambda table: [table.set("word", "abc"[seat], seat=seat) for seat in table.players])
    other = with_other_facts(match, 1, random.Random(1))
    assert other is not None
    assert [other.table.get("word", seat=seat) for seat in match.table.players] == ["c", "b", "a"]


def test_a_branch_shares_no_list_with_its_match() -> None:
    match, _ = after(lambda table: table.set("list", [1]))
    branch(match).table.get("list").append(2)
    assert match.table.get("list") == [1]


# Recordings


def test_a_recording_is_the_same_every_time() -> None:
    case = Case(3, 3, {})
    one, two = (Recorder(Sound(), case, 200).play() for _ in range(2))
    assert one.journal.dump() == two.journal.dump()
    assert [moment.step for moment in one.moments] == [moment.step for moment in two.moments]


def test_a_moments_action_is_accepted_again() -> None:
    recording = Recorder(Sound(), Case(1, 2, {}), 60).play()
    chosen = [moment for moment in recording.moments if moment.action]
    assert [again(branch(moment.match), moment) is not None for moment in chosen] == [True] * len(chosen)


# Questions


def question() -> Question:
    """Return the first question of a hand of the sound game."""
    case = Case(1, 2, {})
    match = new_match(Sound(), case)
    match.deal(hand_seed(case, 1))
    return Question(match, 0)


def test_asking_what_an_action_would_do_changes_nothing() -> None:
    asked = question()
    before = asked.match.digest()
    for action in asked.fillings(asked.open_forms[0], random.Random(1), 100):
        assert asked.accepts(action)
        asked.by_the_rules(action)
    assert asked.match.digest() == before


def test_all_fillings_are_listed_when_they_are_few() -> None:
    asked = question()
    assert len(list(asked.fillings(asked.open_forms[0], random.Random(1), 100))) == 4 * 4


def test_a_fixed_card_is_in_every_filling() -> None:
    asked = question()
    card = asked.offered(asked.open_forms[0]["fields"]["cards"])[2]
    assert {tuple(action["cards"]) for action in asked.fillings(asked.open_forms[0], random.Random(1), 100, cards=card)} == {(card,)}


# The guard and the source


def asks_the_clock() -> None:
    """Do what no hook may, by name, so that what stands in its place is found."""
    time.time_ns()


def makes_a_generator() -> None:
    """Do what no hook may."""
    random.Random()


def asks_the_system() -> None:
    """Do what no hook may."""
    os.urandom(1)


def lists_a_folder() -> None:
    """Do what no hook may."""
    os.listdir()


def reads_a_file() -> None:
    """Do what no hook may."""
    Path(__file__).read_bytes()


MISDEEDS = {
    asks_the_clock: "asks the clock",
    makes_a_generator: "makes a random.Random without a seed",
    asks_the_system: "draws from os.urandom",
    lists_a_folder: "uses os.listdir",
    reads_a_file: "uses open",
    random.random: "draws from the random module",
    random.SystemRandom().random: "draws from the system's randomness",
}


@pytest.mark.parametrize("misdeed", MISDEEDS, ids=list(MISDEEDS.values()))
def test_the_guard_notes_what_a_hook_must_not_do(misdeed: Any) -> None:
    guard = Guard()
    with guard.around("turn"):
        misdeed()
    assert [(hook, what.startswith(MISDEEDS[misdeed])) for hook, what in guard.found] == [("turn", True)]


def test_the_guard_allows_a_generator_with_a_seed_and_a_late_import() -> None:
    guard = Guard()
    with guard.around("suggest"):
        random.Random(3).random()
        sys.modules.pop("this", None)
        with contextlib.redirect_stdout(io.StringIO()):
            importlib.import_module("this")
    assert guard.found == []


def test_the_guard_puts_everything_back() -> None:
    before = (time.time, random.Random.seed, os.urandom, random.getstate())
    with Guard().around("turn"):
        random.random()
    assert (time.time, random.Random.seed, os.urandom, random.getstate()) == before


def test_the_source_of_one_class_in_a_module_is_read_alone() -> None:
    found = {game.__name__: [use.what for use in uses(game())] for game in (LooksAtTheClock, ThrowsItsOwnDice, NamesTheSystem, Sound)}
    assert found == {
        "LooksAtTheClock": ["time.time"], "ThrowsItsOwnDice": ["random.random"], "NamesTheSystem": ["os.sep"], "Sound": [],
    }  # fmt: skip


# Other processes


def test_another_process_finds_the_game_again() -> None:
    assert type(find(where(Sound()))) is Sound


def test_portraits_of_another_process_are_the_same() -> None:
    recording = Recorder(Sound(), Case(1, 2, {}), 12).play()
    jobs = [{"journal": recording.journal.dump().decode(), "steps": [1, 4, 8]}]
    assert elsewhere(Sound(), jobs, [7]) == {7: portraits(Sound(), jobs)}


def test_a_game_that_no_other_process_can_find_is_told_in_a_sentence() -> None:
    class Hidden(Sound):
        pass

    answer = elsewhere(Hidden(), [], [1])[1]
    assert isinstance(answer, str)
    assert "<locals>" in answer


# Comparing


@pytest.mark.parametrize(
    ("a", "b", "path"),
    [
        ({"x": [1, 2]}, {"x": [1, 3]}, ".x[1]"),
        ({"x": 1}, {}, ".x"),
        ({}, {"y": 1}, ".y"),
        ([1], [1, 2], " (length)"),
        ([1], (1,), ""),
        (1, True, ""),
    ],
)
def test_the_first_difference_is_named_by_its_path(a: Any, b: Any, path: str) -> None:
    found = difference(a, b)
    assert found is not None
    assert found[0] == path


def test_equal_data_have_no_difference() -> None:
    assert difference({"x": [1, None, "a"]}, {"x": [1, None, "a"]}) is None


@pytest.mark.parametrize("value", [1.5, (1,), {1: 2}, {"x": {2}}, 2**64, "\ud800", b"x"], ids=repr)
def test_what_does_not_travel_is_named(value: Any) -> None:
    assert not_plain({"part": value}) is not None


def test_plain_data_travel() -> None:
    assert not_plain({"a": [None, True, 1, "ä", {"b": []}]}) is None


def test_long_data_are_cut() -> None:
    assert (len(brief("x" * 500)), brief({"b": 1, "a": "ä"})) == (160, '{"a": "ä", "b": 1}')


def test_a_fault_without_a_place_is_its_sentence() -> None:
    assert Fault("It is wrong.").text() == "It is wrong."
