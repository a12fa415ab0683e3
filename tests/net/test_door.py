"""The door of a host by itself: token buckets, strikes, bans, who is let in. No socket, and a clock that tests move."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest

from carteado.net import discovery, protocol
from carteado.net.bans import Bans
from carteado.net.buckets import Buckets, Rate
from carteado.net.clock import VirtualClock
from carteado.net.codes import written
from carteado.net.door_arguments import door_lines, key, limit
from carteado.net.entrance import Entrance
from carteado.net.keys import Address, KeyPair, key_to_text
from carteado.net.known import words
from carteado.net.rates import BadRate, DoorRules, Rates, rates
from carteado.net.sessions import Session, Sessions
from carteado.net.store import BanRecord

KEYS = KeyPair.from_secret(bytes(range(32)))
RUI = b"R" * 32


@dataclass
class Doorway:
    """A door with nobody behind it."""

    rules: DoorRules = field(default_factory=DoorRules)
    clock: VirtualClock = field(default_factory=VirtualClock)
    refused: Counter[str] = field(default_factory=Counter)
    sessions: Sessions = field(default_factory=Sessions)
    seats: set[bytes] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.door = Entrance(self.rules, KEYS, self.clock, self.refused, self.seats.__contains__, self.sessions)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        asyncio.run(self.clock.advance(seconds))

    def guest(self, address: str = "10.0.0.9") -> Session:
        """Let somebody new in who says hello."""
        new = os.urandom(32)
        assert self.door.admit("table", address, new) is None
        session = Session(new[:5], new, "Eva", self.clock.now())
        self.sessions.open(session)
        return session


# Buckets


def test_a_bucket_gives_its_burst_at_once_and_then_its_rate() -> None:
    bucket = Buckets(Rate(2, 3))
    assert [True, True, True, False] == [bucket.take("a", 0.0) for _ in range(4)]
    assert 0.5 == bucket.wait("a", 0.0)
    assert [True, False] == [bucket.take("a", 0.5) for _ in range(2)]
    assert bucket.take("b", 0.5)
    assert 3.0 == bucket.level("a", 100.0)


def test_a_rate_of_nothing_is_no_limit() -> None:
    bucket = Buckets(Rate(0, 0))
    assert all(bucket.take("a", 0.0) for _ in range(1000))
    assert 0 == len(bucket)
    assert 0.0 == bucket.wait("a", 0.0)


def test_buckets_of_any_number_of_keys_take_so_much_room() -> None:
    bucket = Buckets(Rate(1, 1), room=50)
    for number in range(500):
        bucket.take(number, 0.0)
    assert 50 == len(bucket)


# Limits


def test_every_limit_can_be_set_and_switched_off() -> None:
    assert Rates(commands=0.5, unjoined=3) == rates([("commands", "0.5"), ("unjoined", "3")])
    assert all(rate.off for rate in Rates.none().table().values())


@pytest.mark.parametrize("given", [("comands", "1"), ("commands", "x"), ("commands", "-1"), ("commands", "1e99"), ("commands", "nan")])
def test_what_is_no_limit_is_refused_in_a_sentence(given: tuple[str, str]) -> None:
    with pytest.raises(BadRate, match="limit"):
        rates([given])


@pytest.mark.parametrize("text", ["commands", "x=1", "commands=many"])
def test_a_limit_on_the_command_line_is_a_name_and_a_number(text: str) -> None:
    with pytest.raises(Exception, match=r"limit|option"):
        limit(text)
    assert ("chat", "4") == limit("chat=4")


def test_whoever_starts_a_host_is_told_its_other_addresses_its_key_and_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "own_addresses", lambda: ["10.0.0.7", "192.168.1.7", "fd77::7", "fe80::1"])
    address = Address("10.0.0.7", 7000, KEYS.public)
    others, key_line = door_lines(DoorRules(), address, "*")
    assert "It listens at 192.168.1.7:7000, [fd77::7]:7000 too." == others
    assert words(KEYS.public) in key_line
    (_, code_line) = door_lines(DoorRules(code=written(7)), address, "10.0.0.7")
    assert f"carteado join 10.0.0.7:7000 {written(7)}" in code_line
    assert "closed" in door_lines(DoorRules(closed=True), address, "10.0.0.7")[-1]


def test_a_key_on_the_command_line_is_a_player_s_public_key() -> None:
    assert key_to_text(KEYS.public) == key(key_to_text(KEYS.public))
    with pytest.raises(Exception, match="carteado key"):
        key("ana")


# Messages


def test_a_peer_that_has_not_joined_may_say_less() -> None:
    way = Doorway()
    eva = way.guest()
    assert 20 == sum(way.door.weigh(eva.key, joined=False) for _ in range(50))
    assert 60 == sum(way.door.weigh(eva.key, joined=True) for _ in range(90))


def test_a_flood_is_dropped_and_ends_in_a_ban() -> None:
    way = Doorway()
    eva, ana = way.guest(), way.guest()
    assert 60 == sum(way.door.weigh(eva.key, joined=True) for _ in range(5000))
    assert way.door.bans.key(eva.key)
    assert "banned" == way.door.admit("table", "10.0.0.9", eva.key)
    assert way.door.weigh(ana.key, joined=True)
    way.wait(601)
    assert way.door.admit("table", "10.0.0.9", eva.key) is None


def test_a_little_too_much_for_a_while_is_dropped_without_a_ban() -> None:
    way = Doorway()
    eva = way.guest()
    for _ in range(60):
        for _ in range(40):
            way.door.weigh(eva.key, joined=True)
        way.wait(1)
    assert not way.door.bans.key(eva.key)
    assert 0 < way.refused["flood"] < 700


def test_ten_strikes_in_a_minute_are_allowed_and_the_eleventh_is_not() -> None:
    way = Doorway()
    eva, ana = way.guest(), way.guest()
    assert [False] * 10 + [True] == [way.door.strike(eva.key, "malformed") for _ in range(11)]
    for _ in range(5):
        assert not any(way.door.strike(ana.key, "unknown") for _ in range(10))
        way.wait(60)
    assert not any(way.door.strike(ana.key, "illegal") for _ in range(100))


@pytest.mark.parametrize(
    ("message", "allowed"),
    [
        (protocol.Command(bytes(8), bytes(16), "t-1", 1, 1, {"type": "x"}), 10),
        (protocol.Say(bytes(16), "t-1", "hi"), 8),
        (protocol.Snap("t-1"), 3),
        (protocol.Open(bytes(16), "skat"), 6),
        (protocol.Reclaim("t-1", 0, bytes(16)), 5),
    ],
    ids=lambda value: protocol.kind_of(value) if isinstance(value, protocol.PeerKind) else "",
)
def test_each_kind_has_its_own_bucket_and_the_refusal_says_for_how_long(message: Any, allowed: int) -> None:
    way = Doorway()
    eva = way.guest()
    answers = [way.door.meet(eva, message) for _ in range(allowed + 1)]
    assert [None] * allowed == answers[:-1]
    assert answers[-1] is not None
    told = answers[-1].message
    code, data = (told.no.code, told.no.data) if isinstance(told, protocol.Ack) and told.no else (told.code, told.data)
    assert "too_fast" == code
    assert data["ms"] > 0
    way.wait(data["ms"] / 1000)
    assert way.door.meet(eva, message) is None
    assert way.door.meet(way.guest("10.0.0.8"), message) is None


def test_chat_that_never_stops_ends_in_a_ban() -> None:
    way = Doorway()
    eva = way.guest()
    for _ in range(51):
        way.door.meet(eva, protocol.Say(bytes(16), "t-1", "hi"))
    assert way.door.bans.key(eva.key)


def test_hellos_are_counted_by_address_and_a_seat_s_by_its_key() -> None:
    way = Doorway()
    eva, ana = way.guest(), way.guest()
    assert 30 == sum(way.door.greet(eva.key) is None for _ in range(40))
    no = way.door.greet(eva.key)
    assert no is not None
    assert ("hello", "too_fast") == (no.re, no.code)
    way.seats.add(ana.key)
    assert 30 == sum(way.door.greet(ana.key) is None for _ in range(40))


# Who is let in


def test_so_many_of_one_address_may_be_connected_without_a_seat() -> None:
    way = Doorway()
    guests = [way.guest() for _ in range(8)]
    assert "too many from this address" == way.door.admit("table", "10.0.0.9", os.urandom(32))
    assert way.door.admit("table", "10.0.0.8", os.urandom(32)) is None
    assert way.door.admit("table", "10.0.0.9", guests[0].key) is None
    guests[0].table = object()  # type: ignore[assignment]
    assert way.door.admit("table", "10.0.0.9", os.urandom(32)) is None


def test_connections_that_never_say_hello_are_counted_for_a_while() -> None:
    way = Doorway()
    for _ in range(8):
        assert way.door.admit("table", "10.0.0.9", os.urandom(32)) is None
    assert way.door.admit("table", "10.0.0.9", os.urandom(32)) is not None
    way.wait(10)
    assert way.door.admit("table", "10.0.0.9", os.urandom(32)) is None


def test_so_many_altogether_may_be_connected_without_a_seat() -> None:
    way = Doorway(DoorRules(rates=Rates(new_keys=0)))
    for number in range(64):
        way.guest(f"10.0.0.{number}")
    assert "too many" == way.door.admit("table", "10.0.1.1", os.urandom(32))


def test_so_many_new_keys_come_in_a_minute_from_all_addresses_and_who_was_here_comes_back() -> None:
    way = Doorway(DoorRules(rates=Rates(unjoined_all=0)))
    known = [way.guest(f"10.0.0.{number}") for number in range(30)]
    assert "too many new players" == way.door.admit("table", "10.0.1.1", os.urandom(32))
    assert way.door.admit("table", "10.0.0.0", known[0].key) is None
    way.wait(2)
    assert way.door.admit("table", "10.0.1.1", os.urandom(32)) is None


def test_a_seat_s_key_gets_in_whatever_else_is_full_or_closed() -> None:
    way = Doorway(DoorRules(closed=True, rates=Rates(unjoined=1, unjoined_all=1, new_keys=1)))
    ana = os.urandom(32)
    way.seats.add(ana)
    way.door.bans.keep(BanRecord("address", "10.0.0.9", "", "test", "operator", 0, None))
    assert way.door.admit("table", "10.0.0.9", ana) is None
    assert "banned" == way.door.admit("table", "10.0.0.9", os.urandom(32))
    assert "closed" == way.door.admit("table", "10.0.0.8", os.urandom(32))


def test_a_code_is_guessed_five_times_a_minute_from_one_address_and_twenty_from_a_hundred() -> None:
    def tries(way: Doorway, session: Session) -> str:
        way.door.meet(session, protocol.Knock(bytes(16)))
        answer = way.door.meet(session, protocol.Prove(bytes(32)))
        assert answer is not None
        assert isinstance(answer.message, protocol.No)
        return answer.message.code

    open_rates = Rates(unjoined=0, unjoined_all=0, new_keys=0)
    way = Doorway(DoorRules(code=written(1), rates=open_rates))
    one = way.guest()
    assert ["code"] * 5 + ["too_fast"] * 5 == [tries(way, one) for _ in range(10)]
    assert ["too_fast"] == [tries(way, way.guest())]  # another key of the same address
    way = Doorway(DoorRules(code=written(1), rates=open_rates))
    assert 20 == [tries(way, way.guest(f"10.0.1.{number}")) for number in range(100)].count("code")


def test_nobody_uses_up_what_is_there_for_all() -> None:
    way = Doorway(DoorRules(code=written(1), rates=Rates(unjoined=0, unjoined_all=0)))
    eva, ana = way.guest(), way.guest("10.0.0.8")
    for session in (eva, ana):
        way.seats.add(session.key)
    for _ in range(100):
        way.door.meet(eva, protocol.Knock(bytes(16)))
        way.door.meet(eva, protocol.Prove(bytes(32)))
        way.door.meet(eva, protocol.Reclaim("t-1", 0, bytes(16)))
        way.door.meet(eva, protocol.Snap("t-1"))
    assert way.door.meet(ana, protocol.Reclaim("t-1", 0, bytes(16))) is None
    assert way.door.meet(ana, protocol.Snap("t-1")) is None


def test_many_wrong_codes_ring_an_alarm(caplog: pytest.LogCaptureFixture) -> None:
    way = Doorway(DoorRules(code=written(1), rates=Rates.none()))
    eva = way.guest()
    for _ in range(40):
        way.door.meet(eva, protocol.Knock(bytes(16)))
        way.door.meet(eva, protocol.Prove(bytes(32)))
    assert 2 == len([record for record in caplog.records if "wrong join codes" in record.getMessage()])


def test_a_wrong_proof_is_answered_late() -> None:
    way = Doorway(DoorRules(code=written(1)))
    eva = way.guest()
    way.door.meet(eva, protocol.Knock(bytes(16)))
    answer = way.door.meet(eva, protocol.Prove(bytes(32)))
    assert answer is not None
    assert 1.0 == answer.delay


# Bans


def test_a_ban_ends_by_itself_or_is_lifted() -> None:
    clock = VirtualClock()
    bans = Bans(clock, 600, wall=lambda: 1_000_000)
    bans.ban(b"a", "flood")
    bans.keep(BanRecord("key", RUI.hex(), "Rui", "rude", "operator", 1_000_000, None))
    bans.keep(BanRecord("address", "10.0.0.9", "", "loud", "operator", 1_000_000, 1_000_060))
    assert [("key", "flood"), ("key", "rude"), ("address", "loud")] == [(ban.kind, ban.why) for ban in bans.rows()]
    asyncio.run(clock.advance(59))
    assert bans.address("10.0.0.9")
    asyncio.run(clock.advance(541))
    assert [False, True, False] == [bans.key(b"a"), bans.key(RUI), bans.address("10.0.0.9")]
    assert bans.lift(RUI)
    assert not bans.lift(RUI)
    assert [] == bans.rows()


def test_a_ban_lasts_no_longer_after_a_restart_of_a_machine_whose_clock_was_set_back() -> None:
    clock = VirtualClock()
    bans = Bans(clock, 600, wall=lambda: 0)
    bans.keep(BanRecord("address", "10.0.0.9", "", "loud", "host", 1_000_000, 1_000_600))
    asyncio.run(clock.advance(599))
    assert bans.address("10.0.0.9")
    asyncio.run(clock.advance(2))
    assert not bans.address("10.0.0.9")


def test_a_ban_that_is_kept_is_neither_shortened_nor_pushed_out_by_the_host_s_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("carteado.net.bans.ROOM", 3)
    clock = VirtualClock()
    bans = Bans(clock, 600)
    bans.keep(BanRecord("key", RUI.hex(), "Rui", "rude", "operator", 0, None))
    bans.ban(RUI, "flood")
    for number in range(10):
        bans.ban(bytes([number]), "flood")
    assert [("Rui", "rude")] == [(ban.name, ban.why) for ban in bans.rows() if ban.who == RUI]
    asyncio.run(clock.advance(601))
    assert [RUI] == [ban.who for ban in bans.rows()]


def test_a_ban_of_the_host_is_listed_though_an_earlier_one_that_was_kept_is_over() -> None:
    clock = VirtualClock()
    bans = Bans(clock, 600, wall=lambda: 0)
    bans.keep(BanRecord("key", RUI.hex(), "Rui", "rude", "operator", 0, 10))
    bans.ban(RUI, "flood", name="Rui")
    asyncio.run(clock.advance(11))
    assert [("Rui", "flood")] == [(ban.name, ban.why) for ban in bans.rows()]
    assert bans.key(RUI)


def test_an_address_whose_keys_are_banned_one_after_the_other_is_banned_too() -> None:
    way = Doorway(DoorRules(rates=Rates(unjoined=0, new_keys=0)))
    for _ in range(3):
        assert not way.door.bans.address("10.0.0.9")
        way.door.ban(way.guest().key, "flood")
    assert "banned" == way.door.admit("table", "10.0.0.9", os.urandom(32))
    assert way.door.admit("table", "10.0.0.8", os.urandom(32)) is None


def test_behind_a_gateway_only_keys_are_counted() -> None:
    way = Doorway(DoorRules(gateways=frozenset({"127.0.0.1"})))
    guests = [way.guest("127.0.0.1") for _ in range(200)]
    assert 100 == sum(way.door.greet(guest.key) is None for guest in guests[:100])
    for guest in guests[:5]:
        way.door.ban(guest.key, "flood")
        assert way.door.bans.key(guest.key)
    assert not way.door.bans.address("127.0.0.1")
