"""The life of a table, without a socket: who sits where, what starts when, what is kept."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest

from carteado.core.errors import JournalMismatch, Refused
from carteado.core.match import Commit
from carteado.core.options import resolve
from carteado.net.chairs import Answers
from carteado.net.clock import VirtualClock
from carteado.net.memory import MemoryStore
from carteado.net.protocol import Ack
from carteado.net.seating import OPENER, SEATED
from carteado.net.sessions import KeyAnswers, Session, Sessions
from carteado.net.settings import RandomSeeds
from carteado.net.store import EntryRecord, MatchRecord, Record, StoredTable, TableRecord
from carteado.net.tables import Table

from .highcard import GAMES
from .rooms import brought_back


@dataclass
class Ledger:
    """A tick that only writes down what it is told."""

    now: float = 1000.0
    records: list[Record] = field(default_factory=list)
    shown: list[Commit] = field(default_factory=list)
    seated: list[tuple[Session, bytes | None]] = field(default_factory=list)
    alarms: list[float] = field(default_factory=list)
    changes: int = 0

    def save(self, record: Record) -> None:
        self.records.append(record)

    def advance(self, table: Table) -> None:
        """Nothing is shown, so nothing has to be made."""

    def show(self, table: Table, commit: Commit) -> None:
        self.shown.append(commit)

    def changed(self, table: Table) -> None:
        self.changes += 1

    def seat(self, session: Session, token: bytes | None = None) -> None:
        self.seated.append((session, token))

    def alarm(self, table: Table, seconds: float) -> None:
        self.alarms.append(seconds)


def table(places: int = 3, policy: str = SEATED, opener: bytes | None = None, hand_pause: float = 0.0, **options: Any) -> Table:
    options = resolve(GAMES["high-card"], options)
    return Table("t-1", GAMES["high-card"], options, places, RandomSeeds(b"test"), VirtualClock(), hand_pause, policy, opener)


def person(name: str, at: Table | None = None, tick: Ledger | None = None) -> Session:
    session = Session(name.encode(), name.encode().ljust(32), name, 1000.0)
    if at is not None:
        at.join(session, None, False, tick or Ledger())
    return session


def move(at: Table, session: Session) -> dict[str, Any]:
    """Return a legal action of the session's seat, which must be asked."""
    assert at.match is not None
    view = at.match.view(session.seat)
    if view["prompts"][0]["stage"] == "bid":
        return {"type": "bid", "n": 1}
    hand = next(zone["cards"] for zone in view["zones"] if zone["name"] == f"hand/{session.seat}")
    return {"type": "lay", "card": [min(hand, key=lambda card: card == "R1")]}


def play(at: Table, people: list[Session], tick: Ledger, until: str) -> None:
    """Play for everybody until the table's stage is another one."""
    for _ in range(500):
        if at.stage == until:
            return
        assert at.match is not None
        if at.stage == "between":
            tick.now = at.deal_at or tick.now
            at.due(tick)
            continue
        seat, prompt = next(iter(at.match.prompts.items()))
        session = next(session for session in people if session.seat == seat)
        at.act(session, at.number, prompt.id, move(at, session), tick)
    raise AssertionError(f"never {until}")


def test_people_sit_down_in_order_and_a_full_table_says_so() -> None:
    tick, at = Ledger(), table(2)
    ana, rui = person("Ana", at, tick), person("Rui", at, tick)
    assert [0, 1] == [ana.seat, rui.seat]
    with pytest.raises(Refused, match="full"):
        person("Eva", at)


def test_a_chosen_chair_is_given_unless_it_is_taken_or_not_there() -> None:
    at = table()
    at.join(person("Ana"), 2, False, Ledger())
    assert ["", "", "Ana"] == [chair.name for chair in at.chairs]
    with pytest.raises(Refused, match="taken"):
        at.join(person("Rui"), 2, False, Ledger())
    with pytest.raises(Refused, match="no_chair"):
        at.join(person("Rui"), 3, False, Ledger())
    assert ["", "", "Ana"] == [chair.name for chair in at.chairs]


def test_two_players_of_one_name_can_be_told_apart() -> None:
    at = table()
    at.join(person("Ana"), None, False, Ledger())
    other = Session(b"x", b"x" * 32, "ANA", 1000.0)
    at.join(other, None, False, Ledger())
    assert ["Ana", "ANA 2", ""] == [chair.name for chair in at.chairs]


def test_a_token_is_given_once_and_only_its_hash_is_kept() -> None:
    tick, at = Ledger(), table()
    ana = person("Ana", at, tick)
    token = tick.seated[0][1]
    assert token is not None
    assert at.chairs[0].token != token
    assert token not in repr(tick.records).encode()
    at.join(ana, None, False, tick)
    assert tick.seated[1] == (ana, None)


def test_the_owner_of_a_chair_comes_back_to_it_whatever_it_asks_for() -> None:
    at = table()
    person("Rui", at)
    ana = person("Ana", at)
    at.part(ana, Ledger())
    again = person("Ana")
    at.join(again, 2, False, Ledger())
    assert 1 == again.seat
    assert at.chairs[1].session is again


def test_whoever_has_a_chair_cannot_also_watch() -> None:
    at = table()
    ana = person("Ana", at)
    with pytest.raises(Refused, match="seated"):
        at.join(ana, None, True, Ledger())


def test_a_token_takes_a_seat_to_another_key_once() -> None:
    tick, at = Ledger(), table()
    ana = person("Ana", at, tick)
    token = tick.seated[0][1]
    assert token is not None
    phone = Session(b"phone", b"phone".ljust(32), "Phone", 1000.0)
    assert ana is at.reclaim(phone, 0, token, tick)
    assert (0, None) == (phone.seat, ana.seat)
    assert "Ana" == at.chairs[0].name
    with pytest.raises(Refused, match="token"):
        at.reclaim(ana, 0, token, tick)
    with pytest.raises(Refused, match="token"):
        at.reclaim(ana, 7, token, tick)


def test_a_token_opens_its_own_chair_only_and_not_for_who_sits_there_already() -> None:
    tick, at = Ledger(), table()
    person("Ana", at, tick)
    rui = person("Rui", at, tick)
    ana_token, rui_token = tick.seated[0][1], tick.seated[1][1]
    assert ana_token is not None
    assert rui_token is not None
    with pytest.raises(Refused, match="token"):
        at.reclaim(person("Eva"), 0, rui_token, tick)
    with pytest.raises(Refused, match="seated"):
        at.reclaim(rui, 0, ana_token, tick)


def test_computer_players_take_one_chair_or_all_free_ones() -> None:
    tick, at = Ledger(), table(4)
    ana = person("Ana", at, tick)
    at.fill(ana, "random", 2, tick)
    assert [None, None, "random", None] == [chair.bot for chair in at.chairs]
    at.fill(ana, "rule", None, tick)
    assert [None, "rule", "random", "rule"] == [chair.bot for chair in at.chairs]
    assert 4 == len({chair.name for chair in at.chairs})
    assert [False, True, True, True] == [chair.house for chair in at.chairs]
    with pytest.raises(Refused, match="full"):
        at.fill(ana, "rule", None, tick)
    with pytest.raises(Refused, match="taken"):
        at.fill(ana, "rule", 1, tick)


def test_a_level_that_the_game_does_not_have_is_refused() -> None:
    at = table()
    with pytest.raises(Refused, match="unknown_level"):
        at.fill(person("Ana", at), "genius", None, Ledger())


def test_a_watcher_can_neither_fill_nor_start_nor_be_ready() -> None:
    at = table()
    eva = person("Eva")
    at.join(eva, None, True, Ledger())
    for ask in (lambda: at.fill(eva, "rule", None, Ledger()), lambda: at.start(eva, Ledger()), lambda: at.ready(eva, True, Ledger())):
        with pytest.raises(Refused, match="not_in_match"):
            ask()


def test_at_an_opener_s_table_only_the_opener_decides() -> None:
    at = table(policy=OPENER, opener=b"Ana".ljust(32))
    ana, rui = person("Ana", at), person("Rui", at)
    with pytest.raises(Refused, match="not_allowed"):
        at.start(rui, Ledger())
    assert "start" not in at.may(rui)
    assert "start" in at.may(ana)
    at.start(ana, Ledger())
    assert "playing" == at.stage


def test_a_start_with_free_chairs_puts_them_away_and_numbers_the_rest_anew() -> None:
    tick, at = Ledger(), table(4)
    rui, ana = person("Rui"), person("Ana")
    at.join(rui, 1, False, tick)
    at.join(ana, 3, False, tick)
    tick.seated.clear()
    at.start(rui, tick)
    assert [("Rui", 0), ("Ana", 1)] == [(chair.name, chair.seat) for chair in at.chairs]
    assert (0, 1) == (rui.seat, ana.seat)
    assert [(rui, None), (ana, None)] == tick.seated
    play(at, [rui, ana], tick, "over")
    assert 4 == len(at.chairs)


def test_too_few_players_cannot_start() -> None:
    at = Table("t-1", GAMES["high-card"], {}, 3, RandomSeeds(), VirtualClock())
    at.game = type("TwoOrMore", (type(GAMES["high-card"]),), {"seats": (2, 3)})()
    ana = person("Ana", at)
    with pytest.raises(Refused, match="bad_players"):
        at.start(ana, Ledger())
    assert "lobby" == at.stage
    assert "start" not in at.may(ana)


def test_a_match_that_is_going_on_cannot_be_started_filled_or_joined() -> None:
    at = table()
    ana = person("Ana", at)
    at.start(ana, Ledger())
    for ask, code in (
        (lambda: at.start(ana, Ledger()), "running"),
        (lambda: at.rematch(ana, Ledger()), "running"),
        (lambda: at.fill(ana, "rule", None, Ledger()), "started"),
        (lambda: person("Rui", at), "started"),
    ):
        with pytest.raises(Refused, match=code):
            ask()


def test_when_every_chair_is_taken_and_everybody_is_ready_the_match_starts() -> None:
    tick, at = Ledger(), table(2)
    ana, rui = person("Ana", at, tick), person("Rui", at, tick)
    at.ready(ana, True, tick)
    assert "lobby" == at.stage
    at.ready(rui, True, tick)
    assert "playing" == at.stage
    assert not any(chair.ready for chair in at.chairs)


def test_being_ready_for_what_has_begun_changes_nothing() -> None:
    tick, at = Ledger(), table(2)
    ana, rui = person("Ana", at, tick), person("Rui", at, tick)
    at.start(ana, tick)
    before = len(tick.records), len(tick.shown)
    at.ready(rui, True, tick)
    assert not at.chairs[1].ready
    assert before == (len(tick.records), len(tick.shown))


def test_people_read_the_result_before_the_next_hand_unless_all_are_ready() -> None:
    tick, at = Ledger(), table(2, hand_pause=20.0)
    ana, rui = person("Ana", at, tick), person("Rui", at, tick)
    at.start(ana, tick)
    play(at, [ana, rui], tick, "between")
    assert [20.0] == tick.alarms
    ana.heard = rui.heard = tick.now = 1019.0
    at.due(tick)
    assert "between" == at.stage
    at.ready(ana, True, tick)
    assert "between" == at.stage
    at.ready(rui, True, tick)
    assert "playing" == at.stage


def test_the_next_hand_is_dealt_when_the_pause_is_over() -> None:
    tick, at = Ledger(), table(2, hand_pause=20.0)
    ana = person("Ana", at, tick)
    at.start(ana, tick)
    play(at, [ana], tick, "between")
    tick.now += 20.0
    at.due(tick)
    assert "playing" == at.stage


def test_computer_players_alone_do_not_wait_between_hands() -> None:
    tick, at = Ledger(), table(2, hand_pause=20.0)
    ana, rui = person("Ana", at, tick), person("Rui", at, tick)
    at.start(ana, tick)
    at.part(ana, tick)
    at.part(rui, tick)
    tick.now += 60.0
    assert at.match is not None
    for session in (ana, rui):
        session.seat = at.chair_of(session.key).seat  # type: ignore[union-attr]
    play(at, [ana, rui], tick, "between")
    assert 0.0 == tick.alarms[-1]


def test_a_paused_table_takes_no_commands_and_goes_on_where_it_stopped() -> None:
    tick, at = Ledger(), table(1)
    ana = person("Ana", at, tick)
    at.start(ana, tick)
    at.pause(ana, True, tick)
    assert "paused" == at.stage
    assert at.match is not None
    prompt = at.match.prompts[0].id
    with pytest.raises(Refused, match="paused"):
        at.act(ana, 1, prompt, move(at, ana), tick)
    at.pause(ana, False, tick)
    assert 2 == at.act(ana, 1, prompt, move(at, ana), tick)


def test_an_action_for_another_match_or_prompt_or_player_is_refused_and_changes_nothing() -> None:
    tick, at = Ledger(), table(2)
    ana, rui = person("Ana", at, tick), person("Rui", at, tick)
    at.start(ana, tick)
    assert at.match is not None
    seat, prompt = next(iter(at.match.prompts.items()))
    mine, other = (ana, rui) if seat == ana.seat else (rui, ana)
    before, kept = at.match.digest(), len(tick.records)
    for ask, code in (
        (lambda: at.act(mine, 2, prompt.id, move(at, mine), tick), "stale_match"),
        (lambda: at.act(mine, 1, prompt.id + 1, move(at, mine), tick), "not_asked"),
        (lambda: at.act(other, 1, prompt.id, move(at, mine), tick), "stale|not_asked"),
        (lambda: at.act(mine, 1, prompt.id, {"type": "lay", "card": ["X9"]}, tick), "not_held"),
        (lambda: at.act(mine, 1, prompt.id, {"type": "win"}, tick), "unknown_action"),
        (lambda: at.act(person("Eva"), 1, prompt.id, move(at, mine), tick), "not_in_match"),
    ):
        with pytest.raises(Refused, match=code):
            ask()
    assert (before, kept) == (at.match.digest(), len(tick.records))


def test_whoever_leaves_in_the_lobby_leaves_an_empty_chair() -> None:
    at = table()
    ana = person("Ana", at)
    at.leave(ana, Ledger())
    assert at.chairs[0].free
    assert ana.table is None
    assert 0 == person("Rui", at).seat


def test_in_the_lobby_the_chair_of_somebody_who_has_gone_is_free_after_a_minute_and_in_a_match_never() -> None:
    tick, at = Ledger(), table(2)
    ana, rui = person("Ana", at, tick), person("Rui", at, tick)
    at.part(rui, tick)
    for now, line in ((1059.0, "away"), (1060.0, "empty")):
        ana.heard = tick.now = now
        at.look(tick)
        assert ["here", line] == [chair.line(now) for chair in at.chairs]
    at.start(ana, tick)
    at.part(ana, tick)
    tick.now += 10_000.0
    at.look(tick)
    assert ana.key == at.chairs[0].key


def test_a_computer_player_goes_on_for_whoever_leaves_a_match() -> None:
    tick, at = Ledger(), table(3)
    ana, rui = person("Ana", at, tick), person("Rui", at, tick)
    person("Eva", at, tick)
    at.start(ana, tick)
    at.leave(rui, tick)
    chair = at.chairs[1]
    assert ("rule", True, True, "Rui") == (chair.bot, chair.house, chair.left, chair.name)
    assert "rule" == at.level(1)
    with pytest.raises(Refused, match="started"):
        at.join(rui, None, False, tick)


def test_without_a_substitute_the_chair_stays_empty_until_the_match_is_over() -> None:
    tick, at = Ledger(), table(3, substitute=False)
    ana, rui, eva = person("Ana", at, tick), person("Rui", at, tick), person("Eva", at, tick)
    at.start(ana, tick)
    at.leave(rui, tick)
    assert ["here", "left", "here"] == [chair.line(tick.now) for chair in at.chairs]
    assert at.level(1) is None
    at.leave(eva, tick)
    assert "over" == at.stage
    assert ["here", "empty", "empty"] == [chair.line(tick.now) for chair in at.chairs]


def test_another_match_starts_with_who_is_there_and_new_people_can_sit_down_before() -> None:
    tick, at = Ledger(), table(2)
    ana, rui = person("Ana", at, tick), person("Rui", at, tick)
    at.start(ana, tick)
    play(at, [ana, rui], tick, "over")
    at.leave(rui, tick)
    eva = person("Eva", at, tick)
    assert at.viewer(eva) is None  # she must not see what Rui held
    at.rematch(ana, tick)
    assert 1 == at.viewer(eva)
    assert (2, "playing") == (at.number, at.stage)
    assert ["Ana", "Eva"] == [seat["name"] for seat in at.match.seats]  # type: ignore[union-attr]


def test_everybody_being_ready_after_a_match_starts_another() -> None:
    tick, at = Ledger(), table(3)
    ana, rui = person("Ana", at, tick), person("Rui", at, tick)
    at.start(ana, tick)
    play(at, [ana, rui], tick, "over")
    at.ready(ana, True, tick)
    at.ready(rui, True, tick)
    assert (2, "playing") == (at.number, at.stage)


def test_a_new_match_needs_one_that_is_over() -> None:
    at = table()
    with pytest.raises(Refused, match="not_started"):
        at.rematch(person("Ana", at), Ledger())


def kept(records: list[Record]) -> StoredTable:
    """Return what a store gives back after these records."""

    async def keep() -> StoredTable:
        store = MemoryStore()
        await store.commit(records)
        return (await store.load())[0]

    return asyncio.run(keep())


def test_a_table_that_was_kept_goes_on_at_the_same_version_with_the_same_owners() -> None:
    tick, at = Ledger(), table(3, hand_pause=20.0)
    tick.save(at.record())
    ana, rui = person("Ana", at, tick), person("Rui", at, tick)
    at.fill(ana, "random", None, tick)
    at.start(ana, tick)
    seat = next(iter(at.match.prompts))  # type: ignore[union-attr]
    if seat < 2:
        session = (ana, rui)[seat]
        at.act(session, 1, at.match.prompts[seat].id, move(at, session), tick)  # type: ignore[union-attr]
    twin = table(3)
    brought_back(twin, kept(tick.records), Ledger())
    assert at.match is not None
    assert twin.match is not None
    assert (at.match.q, at.match.h, at.match.digest()) == (twin.match.q, twin.match.h, twin.match.digest())
    assert [chair.key for chair in at.chairs[:2]] == [chair.key for chair in twin.chairs[:2]]
    assert twin.chairs[2].house
    assert twin.chairs[2].name == at.chairs[2].name


def test_a_table_whose_journal_was_damaged_is_not_restored() -> None:
    tick, at = Ledger(), table(1)
    tick.save(at.record())
    at.start(person("Ana", at, tick), tick)
    stored = kept(tick.records)
    stored.entries[0] = {**stored.entries[0], "seed": "00" * 32}
    with pytest.raises(JournalMismatch):
        brought_back(table(1), stored, Ledger())


def test_everything_a_match_does_is_kept_entry_by_entry() -> None:
    tick, at = Ledger(), table(2)
    ana, rui = person("Ana", at, tick), person("Rui", at, tick)
    at.start(ana, tick)
    play(at, [ana, rui], tick, "over")
    assert at.match is not None
    entries = [record for record in tick.records if isinstance(record, EntryRecord)]
    assert list(range(at.match.q)) == [record.index for record in entries]
    assert at.match.journal.entries == [record.entry for record in entries]
    assert 1 == sum(isinstance(record, MatchRecord) for record in tick.records)
    assert len(tick.shown) == at.match.q


def test_a_store_refuses_an_entry_out_of_order() -> None:
    at = table(1)
    record = TableRecord("t-1", "high-card", "1", {}, (), SEATED, None, 1, False, 1, tuple(chair.record() for chair in at.chairs))
    with pytest.raises(ValueError, match="comes after 0"):
        kept([record, EntryRecord("t-1", 1, 3, {})])


def test_the_last_256_answers_are_remembered() -> None:
    answers = Answers()
    for number in range(300):
        answers.put(Ack(number.to_bytes(16, "big"), number))
    assert answers.get((43).to_bytes(16, "big")) is None
    assert Ack((44).to_bytes(16, "big"), 44) == answers.get((44).to_bytes(16, "big"))


def test_answers_to_people_who_sit_nowhere_are_bounded_in_number() -> None:
    memory = KeyAnswers()
    first = memory.of(b"first")
    first.put(Ack(bytes(16), 1))
    for number in range(1023):
        memory.of(str(number).encode())
    assert memory.of(b"first") is first
    for number in range(1024):
        memory.of(str(number).encode())
    assert memory.of(b"first").get(bytes(16)) is None


def test_the_newest_session_of_a_key_is_the_one() -> None:
    sessions = Sessions()
    old, new = Session(b"1", b"k" * 32, "Ana", 0.0), Session(b"2", b"k" * 32, "Ana", 0.0)
    assert sessions.open(old) is None
    assert sessions.open(new) is old
    sessions.close(old)
    assert [new] == list(sessions)


def test_three_stalls_within_a_minute_are_told() -> None:
    session = Session(b"1", b"k" * 32, "Ana", 0.0)
    assert [False, False, False, True] == [session.stall(now) for now in (0.0, 50.0, 70.0, 100.0)]
