"""Finding hosts: the card, the doorbell, and what is made of the records that anybody on the network may send."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import logging
import os
import socket
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from carteado.net import discovery, looking
from carteado.net.bell import ANSWER, MAGIC, QUESTION, Answered, Bell, Ringer, answer_to, card_in, ring
from carteado.net.card import Card, from_txt, host_name, to_txt
from carteado.net.clock import VirtualClock
from carteado.net.discovery import LISTED, Announcer, Found, Search, browse, merged, near
from carteado.net.errors import BadKeyFile, HostUnreachable
from carteado.net.keys import Address
from carteado.net.presence import host_id
from carteado.net.settings import TableSpec

from .rooms import hosting, run, sitting, soon

KEY, OTHER = bytes(range(32)), bytes(range(1, 33))
CARD = Card("3f9c1d0e5a7b2c44", KEY, 7777, b"r" * 8, "Kitchen", games=["skat", "high-card"], free=3)
HOME = [ipaddress.ip_network("10.0.0.0/24"), ipaddress.ip_network("fd77::/64")]


def claim(card: Card | None, *answers: Answered, places: tuple[str, ...] = ("10.0.0.7",)) -> Any:
    """Return what is known through one record."""
    made = discovery._Claim(card, tuple((host, card.port if card else 7777) for host in places))
    made.answers = {one.host: one for one in answers}
    return made


def answered(card: Card, host: str = "10.0.0.7", seconds: float = 0.01) -> Answered:
    """Return a host's answer."""
    return Answered(card, host, card.port, seconds)


# Cards


def test_a_card_is_the_same_after_its_txt_record() -> None:
    assert CARD == from_txt(to_txt(CARD), 7777)


@given(st.dictionaries(st.sampled_from(sorted(to_txt(CARD))), st.none() | st.text(max_size=60)), st.none() | st.integers(-1, 70_000))
def test_any_txt_record_is_a_card_within_its_bounds_or_none(texts: dict[str, str | None], port: int | None) -> None:
    card = from_txt(texts, port)
    assert card is None or msgspec.convert(msgspec.to_builtins(card, builtin_types=(bytes,)), Card, builtin_types=(bytes,)) == card


@pytest.mark.parametrize("port", [0, 22, 1023, 65_536, None])
def test_a_record_of_a_port_that_no_host_has_is_none(port: int | None) -> None:
    assert from_txt(to_txt(CARD), port) is None


def test_a_name_is_shown_as_one_harmless_line() -> None:
    assert "Kit chen" == host_name("\x1b]0;owned\x07Kit\nchen\u202e"[9:])
    assert 40 == len(host_name("x" * 500))
    assert "3f9c" == Card("3f9c1d0e", KEY, 7777, b"r" * 8, "\u200b\x07").called


# The doorbell


def test_a_question_is_answered_with_the_card_and_its_nonce() -> None:
    question = (MAGIC + b"n" * 16).ljust(QUESTION, b"\0")
    answer = answer_to(question, CARD)
    assert answer is not None
    assert (b"n" * 16, CARD) == card_in(answer)
    assert len(answer) < QUESTION


@pytest.mark.parametrize("question", [b"", b"x" * QUESTION, MAGIC + b"n" * 16, (MAGIC + b"n" * 16).ljust(QUESTION + 1, b"\0")])
def test_what_is_no_question_is_not_answered(question: bytes) -> None:
    assert answer_to(question, CARD) is None


@given(st.binary(max_size=300))
def test_any_datagram_is_an_answer_or_none(data: bytes) -> None:
    assert card_in(data) is None
    assert card_in(MAGIC + bytes(16) + data) is None or len(data) > 40


def test_an_answer_is_never_longer_than_four_times_its_question() -> None:
    full = Card("f" * 40, KEY, 65_535, b"r" * 8, "\U0001f0cf" * 80, games=["g" * 40] * 12, free=2560, private=True)
    answer = answer_to((MAGIC + b"n" * 16).ljust(QUESTION, b"\0"), full)
    assert answer is not None
    assert len(answer) <= ANSWER <= 4 * QUESTION


def test_questions_of_one_address_are_rationed_and_of_all() -> None:
    class Line(asyncio.DatagramTransport):
        sent = 0

        def sendto(self, data: Any, addr: Any = None) -> None:
            Line.sent += 1

    clock, line = VirtualClock(), Line()
    door = Bell(lambda: CARD, clock)
    door.connection_made(line)
    question = (MAGIC + b"n" * 16).ljust(QUESTION, b"\0")
    for _ in range(1000):
        door.datagram_received(question, ("10.0.0.9", 5))
    assert 10 == Line.sent
    for number in range(1000):
        door.datagram_received(question, (f"10.0.{number // 250}.{number % 250}", 5))
    assert 100 == Line.sent
    asyncio.run(clock.advance(1.0))
    door.datagram_received(question, ("10.0.0.9", 5))
    assert 101 == Line.sent


def test_a_host_answers_at_its_door_and_tells_what_is_free_there() -> None:
    async def test() -> None:
        async with hosting(TableSpec("high-card", chairs=3), name="Kitchen", id="ab12") as host:
            one = await ring("127.0.0.1", host.port)
            assert one is not None
            assert ("ab12", "Kitchen", host.keys.public, host.port, 3) == (
                one.card.id, one.card.called, one.card.key, one.port, one.card.free
            )  # fmt: skip
            async with sitting(host, "Ana"):
                await soon(lambda: host.presence.card().free == 2)
                two = await ring("127.0.0.1", host.port)
                assert two is not None
                assert (2, ["high-card"]) == (two.card.free, two.card.games)

    run(test())


def test_where_nobody_answers_there_is_nobody() -> None:
    async def test() -> None:
        async with hosting() as host:
            port = host.port
        assert await ring("127.0.0.1", port, 0.2) is None
        assert await ring("no-such-host.invalid", port, 0.2) is None

    run(test())


def test_an_answer_that_nobody_asked_for_is_not_looked_at() -> None:
    async def test() -> None:
        ringer = Ringer()
        answer = answer_to((MAGIC + b"n" * 16).ljust(QUESTION, b"\0"), CARD)
        assert answer is not None
        ringer.datagram_received(answer, ("10.0.0.66", 7777))
        ringer.datagram_received(b"\xc1" * 40, ("10.0.0.66", 7777))
        assert {} == ringer._waiting

    run(test())


def test_a_door_whose_port_is_taken_costs_one_warning_and_the_host_plays_on(caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.bind(("127.0.0.1", 0))
            async with hosting(port=other.getsockname()[1]) as host, sitting(host, "Ana"):
                assert ["Ana"] == [chair.name for chair in host.tables["t-1"].chairs if chair.name]

    run(test())
    assert 1 == len([record for record in caplog.records if "others find this host by mDNS or by its whole address" in record.message])


# What records are worth


@pytest.mark.parametrize(
    ("host", "taken"),
    [
        ("10.0.0.9", True), ("fd77::9", True), ("fe80::1%eth0", True), ("fe80::1", False), ("127.0.0.1", False), ("::1", False),
        ("8.8.8.8", False), ("10.0.1.9", False), ("224.0.0.251", False), ("0.0.0.0", False), ("2001:4860::1", False), ("x", False),
    ],
)  # fmt: skip
def test_a_record_is_rung_at_only_where_this_machine_is_on_the_network(host: str, taken: bool) -> None:
    assert taken == near(host, HOME)


def test_one_host_on_several_networks_is_one_host() -> None:
    (found,) = merged([claim(CARD, answered(CARD, seconds=0.02), answered(CARD, "fe80::1%eth0", 0.01), answered(CARD, "10.0.0.8", 0.03))])
    assert ["10.0.0.7", "10.0.0.8", "fe80::1%eth0"] == [address.host for address in found.addresses]
    assert not found.conflict
    assert found.address.key is None
    assert KEY == found.addresses[0].key


def test_two_hosts_of_one_name_are_two() -> None:
    twin = msgspec.structs.replace(CARD, id="aa01", key=OTHER)
    found = merged([claim(CARD, answered(CARD)), claim(twin, answered(twin, "10.0.0.8"))])
    assert [False, False] == [one.conflict for one in found]
    assert ["3f9c", "aa01"] == sorted(one.card.short for one in found)


@pytest.mark.parametrize("change", [{"key": OTHER}, {"run": b"x" * 8}])
def test_who_says_to_be_another_host_is_a_conflict(change: dict[str, Any]) -> None:
    forged = msgspec.structs.replace(CARD, **change)
    found = merged([claim(CARD, answered(CARD)), claim(forged, answered(forged, "10.0.0.66"))])
    assert [True] * len(found) == [one.conflict for one in found]


def test_a_host_that_answers_stands_before_records_alone_and_a_list_has_an_end() -> None:
    search = Search()
    search._claims["true"] = claim(CARD, answered(CARD))
    for number in range(199):
        forged = Card(f"{number:04x}", os.urandom(32), 7777, b"r" * 8, "AAA")
        search._claims[str(number)] = claim(forged, places=("10.0.0.66",))
    hosts = search.hosts()
    assert LISTED == len(hosts)
    assert ("Kitchen", True) == (hosts[0].card.called, hosts[0].answers)
    assert not any(found.answers for found in hosts[1:])


def test_more_records_than_a_network_has_hosts_are_not_looked_at() -> None:
    class Added:
        name = "Added"

    async def test() -> None:
        search = Search()
        asked = []

        async def resolve(name: str) -> None:
            asked.append(name)
            search._claims[name] = claim(None)

        search._resolve = resolve  # type: ignore[method-assign]
        for number in range(1000):
            search._heard(None, discovery.TYPE, str(number), Added)
            await asyncio.sleep(0)
        assert 200 == len(asked)

    run(test())


def test_a_host_that_vanished_without_a_word_is_listed_no_longer() -> None:
    async def test() -> None:
        search = Search()
        await search._ringer.open()
        async with hosting(id="ab12") as host:
            search._claims["here"] = claim(None, places=())
            search._claims["here"].places = (("127.0.0.1", host.port),)
            await search._ring(search._claims["here"])
            assert ["ab12"] == [found.card.id for found in search.hosts()]
        search._ringer.ring = _nobody  # type: ignore[method-assign]
        for _ in range(3):
            await search._ring(search._claims["here"])
        assert [] == search.hosts()
        await search.close()

    async def _nobody(host: str, port: int, seconds: float = 0.0) -> None:
        return None

    run(test())


def test_a_known_place_is_rung_at_where_there_is_no_mdns(monkeypatch: pytest.MonkeyPatch) -> None:
    async def none() -> tuple[None, str]:
        return None, "mDNS does not work here: OSError: no"

    async def test() -> None:
        monkeypatch.setattr(discovery, "_zeroconf", none)
        async with hosting(id="ab12") as host:
            places = [Address("127.0.0.1", host.port)]
            (found,) = await browse(5.0, places, bool)
            assert ("ab12", host.keys.public) == (found.card.id, found.card.key)

    run(test())


# Announcing


@pytest.mark.parametrize("error", [ImportError("no zeroconf"), OSError("no network"), RuntimeError("EventLoopBlocked")])
def test_mdns_that_fails_costs_one_warning_and_the_host_plays_on(
    error: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:  # fmt: skip
    async def fails() -> Any:
        raise error

    async def test() -> None:
        monkeypatch.setattr(discovery, "_zeroconf", fails)
        announcer = Announcer(lambda: CARD)
        work = asyncio.create_task(announcer.run(0.001))
        await asyncio.sleep(0.05)
        assert not work.done()
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)

    monkeypatch.setattr(discovery, "own_addresses", lambda: ["10.0.0.7"])
    with caplog.at_level(logging.WARNING):
        run(test())
    assert 1 == len([record for record in caplog.records if "does not announce itself" in record.message])


def test_find_says_what_to_try_when_there_is_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("CARTEADO_HOME", str(tmp_path))

    async def nothing(seconds: float, known: Any) -> tuple[list[Found], str]:
        return [], ""

    monkeypatch.setattr(looking, "_look", nothing)
    with pytest.raises(HostUnreachable, match=r"no host was found.*Guest Wi-Fi.*firewalls.*carteado join ADDRESS"):
        looking.find(0.0, False)


def test_find_lists_hosts_in_lines_and_as_json(monkeypatch: pytest.MonkeyPatch, tmp_path: Any, capsys: Any) -> None:
    monkeypatch.setenv("CARTEADO_HOME", str(tmp_path))
    hosts = merged([claim(CARD, answered(CARD)), claim(msgspec.structs.replace(CARD, id="aa01", key=OTHER, name="Attic\x1b[31m"))])

    async def some(seconds: float, known: Any) -> tuple[list[Found], str]:
        return hosts, ""

    monkeypatch.setattr(looking, "_look", some)
    assert 0 == looking.find(0.0, False)
    out = capsys.readouterr().out
    assert "Kitchen              3f9c  10.0.0.7:7777          3 free   skat, high-card" in out
    assert "does not answer" in out
    assert "\x1b" not in out
    assert 0 == looking.find(0.0, True)
    told = json.loads(capsys.readouterr().out)["hosts"]
    assert [("Kitchen", True), ("Attic[31m", False)] == [(one["name"], one["answers"]) for one in told]


def test_the_host_s_own_keys_are_shown_as_others_see_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Any, capsys: Any) -> None:
    monkeypatch.setenv("CARTEADO_HOME", str(tmp_path))
    assert 0 == looking.keys(True)
    assert ["player"] == list(json.loads(capsys.readouterr().out))



# The host's id


def test_a_host_keeps_the_id_that_it_was_given_first(tmp_path: Path) -> None:
    first = host_id(tmp_path / "home" / "host.id")
    assert first == host_id(tmp_path / "home" / "host.id")
    assert 0o600 == (tmp_path / "home" / "host.id").stat().st_mode & 0o777


@pytest.mark.parametrize("damaged", [b"", b"ab12", b"\xff" * 16, b"A" * 16])
def test_an_id_that_is_damaged_or_cannot_be_kept_is_a_sentence(damaged: bytes, tmp_path: Path) -> None:
    (tmp_path / "host.id").write_bytes(damaged)
    with pytest.raises(BadKeyFile, match="is damaged: expected 16 hex digits"):
        host_id(tmp_path / "host.id")
    with pytest.raises(BadKeyFile, match="cannot keep the host's id in"):
        host_id(tmp_path / "host.id" / "host.id")
