"""From what people type to a host: names, lists, pins, a changed key, a code."""

from __future__ import annotations

import asyncio
import datetime
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from carteado.net import choosing
from carteado.net.card import Card
from carteado.net.choosing import Asking, NotChosen, choose, is_address
from carteado.net.codes import written
from carteado.net.discovery import Found
from carteado.net.errors import BadAddress, HostUnreachable
from carteado.net.finding import here
from carteado.net.host import Host, serve
from carteado.net.keys import Address, KeyPair, fingerprint
from carteado.net.known import ChangedKey, KnownHosts, Pin, words
from carteado.net.settings import HostConfig

from .highcard import GAMES
from .rooms import TABLE

KEY, OTHER = KeyPair.from_secret(bytes(range(32))).public, KeyPair.from_secret(bytes(range(1, 33))).public
CODE = written(7)


@contextmanager
def running(**more: Any) -> Iterator[Host]:
    """Run a host in a thread, for what waits for it as a person's program does."""
    hosts: list[Host] = []
    ready, done = threading.Event(), threading.Event()

    async def live() -> None:
        config = HostConfig(**{"port": 0, "keys": KeyPair.make(), "tables": (TABLE,), "name": "Kitchen", "id": "ab12cd34", **more})
        hosts.append(await serve(config, games=GAMES))
        ready.set()
        while not done.is_set():
            await asyncio.sleep(0.01)
        await hosts[0].stop()

    thread = threading.Thread(target=asyncio.run, args=(live(),))
    thread.start()
    try:
        assert ready.wait(10)
        yield hosts[0]
    finally:
        done.set()
        thread.join(10)


class Person:
    """Somebody at a terminal who has made up their mind."""

    def __init__(self, folder: Path, *answers: str, accept: bool = False, silent: bool = False) -> None:
        self.told: list[str] = []
        self.answers = list(answers)
        self.known = KnownHosts(folder / "known_hosts")
        self.asking = Asking(self.told.append, None if silent else self.read, accept, self.known)

    def read(self, question: str) -> str:
        """Answer a question."""
        self.told.append(question)
        return self.answers.pop(0)


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep keys and known hosts of each test apart."""
    monkeypatch.setenv("CARTEADO_HOME", str(tmp_path))


def found(name: str = "Kitchen", key: bytes = KEY, host: str = "10.0.0.7", **more: Any) -> Found:
    """Return a host that was found."""
    card = Card(f"{key[0]:02x}aa{key[1]:02x}", key, 7777, b"r" * 8, name, games=["skat"], free=2)
    return Found(card, (Address(host, 7777, key),), **more)


def on_network(monkeypatch: pytest.MonkeyPatch, *hosts: Found) -> None:
    """Let these hosts be found."""

    async def browse(seconds: float, places: Any = (), until: Any = None) -> list[Found]:
        return list(hosts)

    monkeypatch.setattr(choosing, "browse", browse)


# Pins


def test_the_words_of_a_key_are_four_and_differ_with_every_digit() -> None:
    assert 4 == len(words(KEY).split("-"))
    assert all(len(word) == 5 for word in words(KEY).split("-"))
    assert words(KEY) != words(OTHER)


def test_a_pin_is_read_back_from_the_file_as_people_see_it(tmp_path: Path) -> None:
    known = KnownHosts(tmp_path / "known_hosts")
    pin = known.pin("ab12", "Große Küche", Address("10.0.0.7", 7777, KEY), datetime.date(2026, 3, 1))
    assert [Pin("ab12", "Große_Küche", "10.0.0.7:7777", KEY, "2026-03-01")] == [pin] == known.pins()
    assert 0o600 == (tmp_path / "known_hosts").stat().st_mode & 0o777
    assert [Address("10.0.0.7", 7777)] == known.places()


def test_lines_that_are_no_pins_are_skipped(tmp_path: Path) -> None:
    (tmp_path / "known_hosts").write_bytes(b"\xff\xfe\n# hello\nab12 x y z\n\nab12 x 1.2.3.4:5 badkey 2026-01-01\n")
    assert [] == KnownHosts(tmp_path / "known_hosts").pins()


def test_a_host_at_a_new_address_is_the_same_host_and_pinned_once(tmp_path: Path) -> None:
    known = KnownHosts(tmp_path / "known_hosts")
    known.pin("ab12", "Kitchen", Address("10.0.0.7", 7777, KEY), datetime.date(2026, 3, 1))
    known.pin("ab12", "Kitchen", Address("10.0.0.9", 7777, KEY))
    assert [("10.0.0.9:7777", "2026-03-01")] == [(pin.place, pin.since) for pin in known.pins()]


@pytest.mark.parametrize(("id", "place"), [("ab12", "10.0.0.9"), ("ffff", "10.0.0.7")])
def test_another_key_under_a_known_id_or_at_a_known_address_is_refused_with_both(id: str, place: str, tmp_path: Path) -> None:
    known = KnownHosts(tmp_path / "known_hosts")
    known.pin("ab12", "Kitchen", Address("10.0.0.7", 7777, KEY))
    with pytest.raises(ChangedKey, match="has changed") as refused:
        known.check(id, "Kitchen", Address(place, 7777, OTHER))
    for key in (KEY, OTHER):
        assert words(key) in str(refused.value)
        assert fingerprint(key) in str(refused.value)
    assert "--accept-new-key" in str(refused.value)


# Addresses


@pytest.mark.parametrize(("text", "expected"), [
    ("kitchen", False), ("Ana's table", False), ("3f9c", False), ("localhost", True), ("10.0.0.7", True), ("box.local", True),
    ("[::1]", True), ("tcp://x", True), ("box:7000", True),
])  # fmt: skip
def test_what_has_the_signs_of_an_address_is_one(text: str, expected: bool) -> None:
    assert expected == is_address(text)


def test_a_typed_address_needs_no_key_and_is_pinned_once_the_person_says_yes(tmp_path: Path) -> None:
    with running() as host:
        person = Person(tmp_path, "y")
        address = choose(f"127.0.0.1:{host.port}", None, person.asking)
        assert Address("127.0.0.1", host.port, host.keys.public) == address
        assert ["ab12cd34"] == [pin.id for pin in person.known.pins()]
        assert any(words(host.keys.public) in line for line in person.told)
        again = Person(tmp_path)
        assert address == choose(f"127.0.0.1:{host.port}", None, again.asking)
        assert [] == again.told


def test_who_says_no_to_a_new_key_is_not_connected_and_nothing_is_pinned(tmp_path: Path) -> None:
    with running() as host:
        person = Person(tmp_path, "")
        with pytest.raises(NotChosen, match="not connected"):
            choose(f"127.0.0.1:{host.port}", None, person.asking)
        assert [] == person.known.pins()


def test_a_program_without_a_terminal_takes_the_first_key_and_says_so(tmp_path: Path) -> None:
    with running() as host:
        person = Person(tmp_path, silent=True)
        assert host.keys.public == choose(f"127.0.0.1:{host.port}", None, person.asking).key
        assert ["is new here" in line for line in person.told] == [True]


def test_a_changed_key_stops_and_the_flag_goes_on(tmp_path: Path) -> None:
    with running() as first:
        Person(tmp_path, accept=True).known.pin("ab12cd34", "Kitchen", Address("127.0.0.1", first.port, OTHER))
        person = Person(tmp_path, "y")
        with pytest.raises(ChangedKey):
            choose(f"127.0.0.1:{first.port}", None, person.asking)
        assert [OTHER] == [pin.key for pin in person.known.pins()]
        accepting = Person(tmp_path, accept=True)
        assert first.keys.public == choose(f"127.0.0.1:{first.port}", None, accepting.asking).key
        assert [first.keys.public] == [pin.key for pin in accepting.known.pins()]


def test_a_key_in_the_address_that_is_not_the_pinned_one_is_refused_too(tmp_path: Path) -> None:
    with running() as host:
        person = Person(tmp_path)
        person.known.pin("ab12cd34", "Kitchen", Address("10.0.0.7", 7777, OTHER))
        with pytest.raises(ChangedKey):
            choose(str(Address("127.0.0.1", host.port, host.keys.public)), None, person.asking)


def test_with_a_code_nothing_has_to_be_compared(tmp_path: Path) -> None:
    with running() as host:
        person = Person(tmp_path)
        address = choose(f"127.0.0.1:{host.port}", CODE.lower(), person.asking)
        assert (CODE, host.keys.public) == (address.code, address.key)
        assert CODE not in f"{address!r}{address}"


@pytest.mark.slow
def test_where_nobody_answers_a_sentence_says_what_to_look_at(tmp_path: Path) -> None:
    with running() as host:
        port = host.port
    with pytest.raises(HostUnreachable, match=rf"no host answers at 127.0.0.1:{port}.*firewall.*UDP {port}"):
        choose(f"127.0.0.1:{port}", None, Person(tmp_path).asking)


def test_where_the_doorbell_is_blocked_a_pin_still_knows_the_key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async def nobody(host: str, port: int, seconds: float = 0.0) -> None:
        return None

    monkeypatch.setattr(choosing, "ring", nobody)
    person = Person(tmp_path)
    person.known.pin("ab12", "Kitchen", Address("10.0.0.7", 7777, KEY))
    assert KEY == choose("10.0.0.7", None, person.asking).key


def test_this_machine_s_host_is_trusted_as_it_stands(tmp_path: Path) -> None:
    here(tmp_path).write_text(f"{Address('10.0.0.7', 7000, KEY)}\n")
    for typed in ("localhost:7000", "127.0.0.1:7000", "10.0.0.7:7000", "here"):
        assert KEY == choose(typed, None, Person(tmp_path).asking).key
    assert KEY == choose(None, None, Person(tmp_path, silent=True).asking).key


def test_here_without_a_host_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(HostUnreachable, match="no host has been started on this machine"):
        choose("here", None, Person(tmp_path).asking)


def test_what_cannot_be_an_address_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadAddress):
        choose("10.0.0.7:99999", None, Person(tmp_path).asking)


# Names and lists


def test_the_only_host_is_taken_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    on_network(monkeypatch, found())
    assert Address("10.0.0.7", 7777, KEY) == choose(None, None, Person(tmp_path, "y").asking)


def test_several_hosts_are_a_list_to_choose_from(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    on_network(monkeypatch, found(), found("Attic", OTHER, "10.0.0.8"))
    person = Person(tmp_path, "x", "2", "y")
    assert OTHER == choose(None, None, person.asking).key
    assert any("1  Kitchen" in line and "2  Attic" in line for line in person.told)
    again = Person(tmp_path, "2")
    assert OTHER == choose(None, None, again.asking).key
    assert [False, True] == ["[known]" in line for line in again.told[0].split("\n")]


def test_choosing_none_of_the_list_is_no_failure_of_the_network(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    on_network(monkeypatch, found(), found("Attic", OTHER, "10.0.0.8"))
    with pytest.raises(NotChosen, match="no host was chosen"):
        choose(None, None, Person(tmp_path, "").asking)


@pytest.mark.parametrize("typed", ["kitchen", "KITCHEN", found().card.id[:4]])
def test_a_name_or_a_short_id_picks_its_host(typed: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    on_network(monkeypatch, found(), found("Attic", OTHER, "10.0.0.8"))
    assert KEY == choose(typed, None, Person(tmp_path, "y").asking).key


def test_two_hosts_of_one_name_are_told_apart_by_id_and_address(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    twins = found(), found("kitchen", OTHER, "10.0.0.8")
    on_network(monkeypatch, *twins)
    with pytest.raises(NotChosen, match="several hosts called kitchen") as refused:
        choose("kitchen", None, Person(tmp_path, silent=True).asking)
    for one in twins:
        assert one.card.short in str(refused.value)
        assert one.address.place in str(refused.value)
    assert OTHER == choose("kitchen", None, Person(tmp_path, "2", "y").asking).key


@pytest.mark.parametrize("name", ["Kitchen", "KITCHEN", "K\u0456tchen", "Kitch en"])
def test_a_stranger_with_the_name_of_a_known_host_is_called_one(name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    on_network(monkeypatch, found(name, OTHER, "10.0.0.66"))
    person = Person(tmp_path, "")
    person.known.pin(found().card.id, "Kitchen", Address("10.0.0.7", 7777, KEY))
    with pytest.raises(NotChosen):
        choose("kitchen", None, person.asking)
    assert any("not the Kitchen that you know" in line for line in person.told)
    silent = Person(tmp_path, silent=True)
    with pytest.raises(NotChosen, match=f"two hosts called {name}"):
        choose("kitchen", None, silent.asking)


def test_in_a_conflict_only_a_pinned_key_or_a_code_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    on_network(monkeypatch, found(conflict=True))
    with pytest.raises(NotChosen, match="only one can be right"):
        choose(None, None, Person(tmp_path, "y").asking)
    assert CODE == choose(None, CODE, Person(tmp_path).asking).code
    assert KEY == choose(None, None, Person(tmp_path).asking).key  # pinned by now


def test_a_private_host_is_asked_for_its_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    one = found()
    private = Found(msgspec.structs.replace(one.card, private=True), one.addresses)
    on_network(monkeypatch, private)
    assert CODE == choose(None, None, Person(tmp_path, "y", CODE).asking).code
    assert choose(None, None, Person(tmp_path, "").asking).code is None


def test_a_host_of_another_version_is_not_tried(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    one = found()
    on_network(monkeypatch, Found(msgspec.structs.replace(one.card, proto=(8, 9)), one.addresses))
    with pytest.raises(HostUnreachable, match="speaks version 8-9"):
        choose(None, None, Person(tmp_path, "y").asking)


def test_a_name_that_nobody_has_says_what_to_try(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    on_network(monkeypatch, found())
    with pytest.raises(HostUnreachable, match=r"no host called attic.*Guest Wi-Fi"):
        choose("attic", None, Person(tmp_path).asking)


def test_a_list_of_hosts_holds_no_terminal_escapes() -> None:
    line = choosing.row(found("\x1b]52;c;!\x07Kit\u202echen\x9b1m"))
    assert line.isprintable()
