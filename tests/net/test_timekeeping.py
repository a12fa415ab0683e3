"""Time at a table: who is away and what becomes of the seat, and what a clock does when it runs out."""

from __future__ import annotations

from typing import Any

import pytest

from carteado.core.journal import Journal
from carteado.core.options import resolve
from carteado.core.replay import replay
from carteado.net import timekeeping
from carteado.net.clock import VirtualClock
from carteado.net.protocol import Chair
from carteado.net.sessions import Session
from carteado.net.settings import RandomSeeds
from carteado.net.store import StoredTable
from carteado.net.tables import Table
from carteado.net.terms import Clocks, ClockTerms, Leaving, Terms

from .highcard import GAMES
from .rooms import brought_back
from .test_tables import Ledger, move, person


class Evening:
    """A table with people, whose seconds go by as the test says."""

    def __init__(self, people: int = 2, terms: Terms | None = None, **options: Any) -> None:
        self.clock = VirtualClock()
        self.tick = Ledger()
        self.at = Table(
            "t-1", GAMES["high-card"], resolve(GAMES["high-card"], options), people, RandomSeeds(b"test"), self.clock,
            terms=terms or Terms(),
        )  # fmt: skip
        self.people = [person(name, self.at, self.tick) for name in ("Ana", "Rui", "Eva")[:people]]
        self.at.start(self.people[0], self.tick)

    @property
    def asked(self) -> int:
        """Whose turn it is."""
        assert self.at.match is not None
        return next(iter(self.at.match.prompts))

    @property
    def kinds(self) -> list[str]:
        """The kinds of all entries so far."""
        assert self.at.match is not None
        return [entry["k"] for entry in self.at.match.journal.entries]

    def pass_by(self, seconds: int, *silent: int) -> None:
        """Let so many seconds go by, in which these seats are not heard of."""
        for _ in range(seconds):
            self.tick.now += 1.0
            self.clock._now = self.tick.now
            for session in self.people:
                if session.seat not in silent:
                    session.heard = self.tick.now
            self.at.look(self.tick)

    def move(self) -> None:
        """Let whoever is asked move."""
        session = self.people[self.asked]
        assert self.at.match is not None
        self.at.act(session, 1, self.at.match.prompts[self.asked].id, move(self.at, session), self.tick)

    def chair(self, seat: int) -> Chair:
        """Return what everybody is told of a chair."""
        return self.at.told(bytes(8), None).chairs[seat]


def test_a_silent_player_is_lagging_then_away_and_everybody_sees_how_long_the_table_waits() -> None:
    evening = Evening(terms=Terms(grace=60))
    evening.pass_by(6, 1)
    assert (evening.chair(1).line, evening.chair(1).quiet_ms, evening.chair(1).grace_ms) == ("lagging", 6000, None)
    evening.pass_by(10, 1)
    assert (evening.chair(1).line, evening.chair(1).grace_ms) == ("away", 58_000)


def test_after_the_grace_a_computer_player_plays_on() -> None:
    evening = Evening(terms=Terms(grace=20, level="random"))
    evening.pass_by(33, 1)
    assert evening.chair(1).substitute is None
    evening.pass_by(2, 1)
    assert (evening.chair(1).substitute, evening.chair(1).line, evening.at.level(1)) == ("random", "away", "random")
    assert evening.kinds[-1] == "takeover"


def test_the_seat_is_handed_back_as_soon_as_its_player_is_heard_of() -> None:
    evening = Evening(terms=Terms(grace=1))
    evening.pass_by(20, 1)
    assert evening.at.level(1) == "rule"
    evening.pass_by(1)
    assert (evening.at.level(1), evening.chair(1).substitute, evening.chair(1).line) == (None, None, "here")
    assert [entry["level"] for entry in evening.at.match.journal.entries if entry["k"] == "takeover"] == ["rule", None]  # type: ignore[union-attr]


def test_the_seat_is_handed_back_to_who_connects_again() -> None:
    evening = Evening(terms=Terms(grace=1))
    evening.at.part(evening.people[1], evening.tick)
    evening.pass_by(3)
    assert evening.at.level(1) == "rule"
    back = Session(b"again", b"Rui".ljust(32), "Rui", evening.tick.now)
    evening.at.join(back, None, False, evening.tick)
    assert (back.seat, evening.at.level(1)) == (1, None)


def test_a_table_may_wait_for_as_long_as_it_takes() -> None:
    evening = Evening(terms=Terms(grace=1, away="wait"))
    evening.pass_by(600, 1)
    assert (evening.chair(1).line, evening.chair(1).grace_ms, evening.at.level(1)) == ("away", None, None)


def test_a_table_may_let_the_game_s_own_way_out_answer_for_who_is_away() -> None:
    evening = Evening(terms=Terms(grace=5, away="game"))
    silent = evening.asked
    evening.pass_by(40, silent)
    assert evening.kinds[:2] == ["hand", "timeout"]
    assert evening.asked != silent


def test_what_is_left_of_the_grace_is_not_filled_up_by_coming_back() -> None:
    evening = Evening(terms=Terms(grace=60))
    silent = evening.asked
    evening.pass_by(45, silent)
    evening.pass_by(5)
    evening.pass_by(15, silent)
    assert evening.chair(silent).grace_ms == 28_000


def test_a_move_fills_up_the_grace() -> None:
    evening = Evening(terms=Terms(grace=60))
    silent = evening.asked
    evening.pass_by(45, silent)
    evening.pass_by(1)
    evening.move()
    evening.pass_by(15, silent)
    assert evening.chair(silent).grace_ms == 59_000


def test_while_nobody_at_all_is_there_a_table_waits() -> None:
    evening = Evening(terms=Terms(ClockTerms(move=10), grace=5))
    evening.pass_by(3, 0, 1)
    evening.pass_by(500, 0, 1)
    assert "takeover" not in evening.kinds
    assert evening.at.clocks() is not None
    assert evening.at.clocks().run is False  # type: ignore[union-attr]


def test_a_paused_table_counts_neither_grace_nor_clocks() -> None:
    evening = Evening(terms=Terms(ClockTerms(move=30), grace=5))
    evening.pass_by(4)
    evening.at.pause(evening.people[0], True, evening.tick)
    evening.pass_by(300, 1)
    assert evening.kinds == ["hand"]
    left: Clocks | None = evening.at.clocks()
    assert left is not None
    assert (left.run, left.move[evening.asked]) == (False, 26_000)


def test_a_move_that_takes_too_long_is_made_by_the_game_and_is_in_the_journal() -> None:
    evening = Evening(terms=Terms(ClockTerms(move=10)))
    slow = evening.asked
    evening.pass_by(10)
    assert evening.kinds == ["hand"]
    evening.pass_by(1)
    assert evening.kinds == ["hand", "timeout"]
    entry = evening.at.match.journal.entries[-1]  # type: ignore[union-attr]
    assert (entry["seat"], entry["do"]["type"]) == (slow, "lay")


def test_the_host_is_called_in_time_for_a_clock_that_runs_out_within_the_second() -> None:
    evening = Evening(terms=Terms(ClockTerms(move=10)))
    evening.tick.alarms.clear()
    evening.pass_by(10)
    assert evening.tick.alarms[-1] == 0.5
    evening.tick.now += 0.5
    evening.at.due(evening.tick)
    assert evening.kinds == ["hand", "timeout"]


def test_a_late_answer_finds_its_prompt_closed() -> None:
    evening = Evening(terms=Terms(ClockTerms(move=10)))
    slow = evening.asked
    prompt = evening.at.match.prompts[slow].id  # type: ignore[union-attr]
    action = move(evening.at, evening.people[slow])
    evening.pass_by(11)
    with pytest.raises(Exception, match="stale"):
        evening.at.act(evening.people[slow], 1, prompt, action, evening.tick)


def test_each_move_adds_to_the_time_for_the_match() -> None:
    evening = Evening(terms=Terms(ClockTerms(bank=60, add=5)))
    first = evening.asked
    evening.pass_by(8)
    evening.move()
    assert evening.at.clocks().bank[first] == 57_000  # type: ignore[union-attr]


def test_time_in_which_the_host_was_stopped_counts_for_nobody() -> None:
    evening = Evening(terms=Terms(ClockTerms(move=10), grace=20))
    evening.pass_by(2)
    evening.tick.now += 3600
    evening.clock._now = evening.tick.now
    for session in evening.people:
        session.heard += 3600
    evening.at.lost(3600, evening.tick)
    evening.pass_by(1)
    told = evening.at.told(bytes(8), None)
    assert (evening.kinds, told.slept_ms) == (["hand"], 3_600_000)
    assert told.clk is not None
    assert told.clk.move[evening.asked] == 7000


def test_after_a_restart_terms_banks_and_who_plays_on_are_known_again() -> None:
    evening = Evening(terms=Terms(ClockTerms(bank=60), grace=5, level="random"))
    evening.pass_by(25, 1 - evening.asked)
    away = 1 - evening.asked
    evening.move()
    stored = StoredTable(evening.at.record(), evening.at.match.journal.header, list(evening.at.match.journal.entries))  # type: ignore[union-attr]
    again = Table("t-1", GAMES["high-card"], evening.at.options, 2, RandomSeeds(b"test"), evening.clock, terms=evening.at.time.terms)
    brought_back(again, stored, evening.tick)
    assert (again.level(away), again.level(1 - away)) == ("random", None)
    assert stored.table.banks == ((60_000, 35_000) if away == 0 else (35_000, 60_000))
    assert sorted(again.clocks().bank) == [50_000, 75_000]  # type: ignore[union-attr]


def test_the_time_until_a_match_is_back_after_a_start_is_nobody_s() -> None:
    evening = Evening(terms=Terms(ClockTerms(move=10, bank=60), grace=5))
    evening.pass_by(4)
    stored = StoredTable(evening.at.record(), evening.at.match.journal.header, list(evening.at.match.journal.entries))  # type: ignore[union-attr]
    again = Table("t-1", GAMES["high-card"], evening.at.options, 2, RandomSeeds(b"test"), evening.clock, terms=evening.at.time.terms)
    again.expect(stored, evening.tick)
    for _ in range(100):
        evening.tick.now += 1
        evening.clock._now = evening.tick.now
        again.look(evening.tick)
        again.due(evening.tick)
        again.lost(0.5, evening.tick)
    assert again.record().banks == stored.table.banks == (60_000, 60_000)
    again.restore(replay(Journal(dict(stored.header or {}), list(stored.entries)), again.game), [], evening.tick)
    again.look(evening.tick)
    assert ["here", "here"] == [chair.line(evening.tick.now) for chair in again.chairs]
    assert [75_000, 75_000] == list(again.clocks().bank)  # type: ignore[union-attr]
    assert again.told(bytes(8), None).slept_ms == 0
    assert [0.0, 0.0] == [chair.spent for chair in again.chairs]


def nonsense(*_: Any) -> dict[str, Any]:
    """Return an action that the rules refuse."""
    return {"type": "lay", "card": ["R99"]}


def test_when_the_game_s_own_way_out_is_refused_any_move_that_the_rules_accept_is_made() -> None:
    evening = Evening(terms=Terms(ClockTerms(move=1)))
    evening.at.match.rules.timeout = nonsense  # type: ignore[union-attr, method-assign]
    evening.pass_by(3)
    assert evening.kinds[:2] == ["hand", "timeout"]


def test_a_table_that_cannot_find_a_way_out_goes_on_waiting_and_tries_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    evening, tried = Evening(terms=Terms(ClockTerms(move=1))), []
    evening.at.match.rules.timeout = nonsense  # type: ignore[union-attr, method-assign]
    monkeypatch.setattr(timekeeping, "_any_action", lambda match, seat: tried.append(seat) or nonsense())
    slow = evening.asked
    evening.pass_by(10)
    assert (evening.kinds, tried) == (["hand"], [slow])
    evening.move()
    assert evening.kinds == ["hand", "action"]


@pytest.mark.parametrize(("hands", "chips", "how"), [(1, 0, "free"), (2, -20, "penalty")])
def test_what_leaving_costs_is_told_to_who_could_leave(hands: int, chips: int, how: str) -> None:
    evening = Evening(3, hands=3)
    while evening.at.match.hand < hands:  # type: ignore[union-attr]
        if evening.at.stage == "between":
            evening.at.due(evening.tick)
        else:
            evening.move()
    assert evening.at.told(bytes(8), evening.people[0]).leaving == Leaving(how, chips)
    assert evening.at.told(bytes(8), None).leaving is None
