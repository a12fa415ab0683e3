"""Clocks: who has how much time left, by the second, on a host's clock that tests set."""

from __future__ import annotations

import pytest

from carteado.net.countdown import Countdown
from carteado.net.terms import Clocks, ClockTerms, Terms, clock_terms
from carteado.net.turnclock import TurnClock


def running(terms: ClockTerms, prompts: dict[int, int], seats: int = 2) -> TurnClock:
    clock = TurnClock(terms, seats, now=0.0)
    clock.follow(prompts, 0.0)
    clock.run(0.0)
    return clock


@pytest.mark.parametrize("text", ["45", "45+120", "45+120+5", "match:600", "match:600+5"])
def test_a_clock_is_written_as_it_is_read(text: str) -> None:
    assert str(clock_terms(text)) == text


def test_off_is_no_clock() -> None:
    assert clock_terms("off") is None
    assert str(ClockTerms()) == "off"


@pytest.mark.parametrize("text", ["", "0", "match:", "1+", "match:1+2+3", "-1", "1.5", "99999", "١", "45 "])
def test_what_is_no_clock_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="is no clock"):
        clock_terms(text)


def test_a_move_has_its_own_time_first_and_then_the_bank() -> None:
    clock = running(ClockTerms(move=10, bank=20), {0: 1})
    assert clock.told(4.0) == Clocks([6000, None], [20_000, 20_000])
    assert clock.told(16.0) == Clocks([0, None], [14_000, 20_000])


def test_an_answer_in_time_leaves_the_bank_alone() -> None:
    clock = running(ClockTerms(move=10, bank=20), {0: 1})
    clock.follow({1: 2}, 9.0, moved=0)
    assert clock.told(9.0) == Clocks([None, 10_000], [20_000, 20_000])


def test_what_an_answer_took_beyond_its_time_is_gone_from_the_bank() -> None:
    clock = running(ClockTerms(move=10, bank=20), {0: 1})
    clock.follow({1: 2}, 13.0, moved=0)
    assert clock.told(13.0).bank == [17_000, 20_000]


def test_a_move_adds_to_the_bank_of_whoever_made_it() -> None:
    clock = running(ClockTerms(bank=60, add=5), {0: 1, 1: 2})
    clock.follow({}, 10.0, moved=0)
    assert clock.told(10.0).bank == [55_000, 50_000]


def test_time_is_over_half_a_second_after_the_last_one() -> None:
    clock = running(ClockTerms(move=10), {0: 7})
    assert (clock.over(10.4), clock.over(10.5)) == ([], [(0, 7)])
    assert clock.next(4.0) == 6.5


def test_a_clock_that_is_held_does_not_count() -> None:
    clock = running(ClockTerms(move=10), {0: 1})
    clock.hold(3.0)
    assert (clock.told(100.0), clock.over(100.0), clock.next(100.0)) == (Clocks([7000, None], [0, 0], run=False), [], None)
    clock.run(100.0)
    assert clock.told(101.0) == Clocks([6000, None], [0, 0])


def test_a_prompt_that_is_opened_meanwhile_has_all_its_time_when_the_clock_runs_again() -> None:
    clock = running(ClockTerms(move=10), {0: 1})
    clock.hold(3.0)
    clock.follow({1: 2}, 50.0)
    clock.run(60.0)
    assert clock.told(60.0).move == [None, 10_000]


def test_time_in_which_the_host_was_stopped_is_nobody_s() -> None:
    clock = running(ClockTerms(move=10), {0: 1})
    clock.skip(3600.0)
    assert clock.told(3604.0).move == [6000, None]


def test_after_a_restart_everybody_has_what_was_kept_and_a_little_more() -> None:
    clock = TurnClock(ClockTerms(bank=60), 2, banks=(42_000, 3_000), now=0.0)
    assert clock.banks(0.0) == (57_000, 18_000)


def test_a_client_counts_down_by_itself() -> None:
    countdown = Countdown()
    countdown.tell(Clocks([6000, None], [20_000, 9_000]), 100.0)
    assert countdown.clocks(102.0) == Clocks([4000, None], [20_000, 9_000])
    assert countdown.clocks(107.0) == Clocks([0, None], [19_000, 9_000])


def test_a_client_does_not_count_down_clocks_that_stand_still() -> None:
    countdown = Countdown()
    countdown.tell(Clocks([6000], [0], run=False), 100.0)
    assert countdown.clocks(200.0) == Clocks([6000], [0], run=False)


def test_a_table_says_nothing_of_time_unless_it_was_told_to() -> None:
    assert Terms() == Terms(None, 120, "bot", "rule")
