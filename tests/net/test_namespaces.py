"""Across a real network: machines made of namespaces on one switch, with multicast, cables that are pulled, and new addresses."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from carteado.net.bell import ring
from carteado.net.discovery import Found, browse, searching
from carteado.net.finding import elsewhere
from carteado.net.host import Host, serve
from carteado.net.keys import Address, KeyPair, load
from carteado.net.peer import Peer
from carteado.net.settings import HostConfig, TableSpec

from .highcard import GAMES
from .netns import Do, Machine, needs_namespaces, network
from .rooms import OPEN, bot, first_move, soon

pytestmark = [
    needs_namespaces,
    pytest.mark.slow,
    # zeroconf drops a socket that it could not bind, as for IPv6 on a card that is not ready, without closing it.
    pytest.mark.filterwarnings("ignore:Exception ignored in. <socket.socket:pytest.PytestUnraisableExceptionWarning"),
]

PORT = 7777


async def open_host(name: str, **more: Any) -> Host:
    """Start a host that listens on every network card and announces itself."""
    settings = {"port": PORT, "keys": KeyPair.make(), "pace": 0.0, "hand_pause": 0.0, "seed": b"net", "door": OPEN, **more}
    config = HostConfig(bind="*", name=name, id=os.urandom(8).hex(), announce=True, tables=(TableSpec("high-card", chairs=2),), **settings)
    return await serve(config, games=GAMES)


@contextmanager
def hosting(machine: Machine, name: str, **more: Any) -> Iterator[tuple[Host, Do]]:
    """Run a host on a machine."""
    with machine.loop() as do:
        host: Host = do(open_host(name, **more))
        try:
            yield host, do
        finally:
            do(host.stop())


def look(machine: Machine, *names: str, seconds: float = 8.0, **more: Any) -> list[Found]:
    """Look for hosts from a machine until these names answer."""

    def enough(hosts: Any) -> bool:
        return sorted(names) == sorted(found.card.called for found in hosts if found.answers)

    return machine.inside(lambda: asyncio.run(browse(seconds, until=enough, **more)))


def test_hosts_are_found_across_the_network_by_name_id_and_address() -> None:
    with network("ana", "rui", "eva") as net, hosting(net["ana"], "Kitchen"), hosting(net["rui"], "Kitchen"):
        found = look(net["eva"], "Kitchen", "Kitchen")
        assert {net["ana"].address, net["rui"].address} == {one.address.host for one in found}
        assert 2 == len({one.card.id for one in found})
        assert not any(one.conflict for one in found)
        for one in found:
            assert {"high-card"} == set(one.card.games)
            assert 2 == one.card.free
            assert any(":" in address.host for address in one.addresses)


def test_what_changes_at_a_host_changes_in_a_list_that_is_open_and_a_host_that_closes_is_gone_from_it() -> None:
    async def watch(events: list[tuple[str, int]], done: asyncio.Event) -> None:
        async with searching() as search:
            while not done.is_set():
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(0.2):
                        await search.changed()
                events.append(next(((one.card.called, one.card.free) for one in search.hosts()), ("", -1)))

    with network("ana", "rui") as net, net["rui"].loop() as at_rui:
        with hosting(net["ana"], "Kitchen") as (host, _):
            events: list[tuple[str, int]] = []
            done = asyncio.Event()
            watching = at_rui(_begin(watch(events, done)))
            at_rui(_until(lambda: ("Kitchen", 2) in events))
            peer = Peer(Address(net["ana"].address, PORT, host.keys.public), KeyPair.make(), "Rui", words=False)
            at_rui(_sit(peer))
            at_rui(_until(lambda: events[-1] == ("Kitchen", 1)))
            at_rui(peer.close())
        at_rui(_until(lambda: events[-1] == ("", -1)))
        done.set()
        at_rui(_end(watching))


async def _sit(peer: Peer) -> None:
    await peer.connect()
    await peer.join("t-1")


async def _play(peer: Peer) -> None:
    """Begin a match against a computer player, and wait for the first question."""
    await peer.fill("random")
    await peer.start()
    await first_move(peer)


async def _begin(work: Any) -> asyncio.Task[None]:
    return asyncio.create_task(work)


async def _end(task: asyncio.Task[None]) -> None:
    await task


async def _until(wanted: Any, seconds: float = 15.0) -> None:
    await soon(wanted, seconds)


def test_where_no_multicast_comes_through_nothing_is_found_and_an_address_still_works() -> None:
    with network("ana", "rui") as net, hosting(net["ana"], "Kitchen") as (host, _):
        net["rui"].no_multicast()
        assert [] == look(net["rui"], "Kitchen", seconds=2.0)
        answered = net["rui"].inside(lambda: asyncio.run(ring(net["ana"].address, PORT)))
        assert answered is not None
        assert host.keys.public == answered.card.key
        (found,) = look(net["rui"], "Kitchen", places=[Address(net["ana"].address, PORT)])
        assert net["ana"].address == found.address.host


def test_a_network_without_ipv4_is_enough() -> None:
    with network("ana", "rui") as net:
        for machine in net.values():
            machine.only_ipv6()
        with hosting(net["ana"], "Kitchen") as (host, _), net["rui"].loop() as do:
            found = look(net["rui"], "Kitchen")
            assert all(":" in address.host for address in found[0].addresses)
            for address in found[0].addresses:
                peer = Peer(address, KeyPair.make(), "Rui", words=False)
                do(peer.connect())
                do(peer.close())
            assert host.keys.public == found[0].card.key


def test_cards_of_vpns_and_containers_do_not_lead_astray() -> None:
    with network("ana", "rui") as net:
        for machine in net.values():
            machine.add_card("docker0", "172.17.0.1/16")
        with hosting(net["ana"], "Kitchen"), hosting(net["rui"], "Attic"):
            found = {one.card.called: one for one in look(net["rui"], "Kitchen", "Attic")}
            assert net["ana"].address == found["Kitchen"].address.host
            assert "172.17.0.1" not in {address.host for address in found["Kitchen"].addresses}


def test_a_cable_that_is_pulled_and_put_back_costs_a_player_nothing() -> None:
    with network("ana", "rui") as net, hosting(net["ana"], "Kitchen") as (host, at_ana), net["rui"].loop() as at_rui:
        keys = KeyPair.make()
        rui = Peer(Address(net["ana"].address, PORT, host.keys.public), keys, "Rui", words=False)
        at_rui(_sit(rui))
        at_rui(_play(rui))
        net["rui"].link_down()
        at_rui(_until(lambda: rui.line == "lost"))
        at_ana(_until(lambda: host.tables["t-1"].chairs[0].line(host.now()) in ("lagging", "away")))
        net["rui"].link_up()
        at_rui(rui.until(lambda peer: peer.line == "live"))
        assert (0, keys.public) == (rui.seat, host.tables["t-1"].chairs[0].key)
        last = at_rui(bot(rui, GAMES["high-card"]).play())
        assert "over" == last["phase"]
        at_rui(rui.close())


def test_a_player_whose_address_changes_keeps_the_seat() -> None:
    with network("ana", "rui") as net, hosting(net["ana"], "Kitchen") as (host, _), net["rui"].loop() as at_rui:
        rui = Peer(Address(net["ana"].address, PORT, host.keys.public), KeyPair.make(), "Rui", words=False)
        at_rui(_sit(rui))
        assert net["rui"].address == host.door.address_of(rui.keys.public)
        net["rui"].move(42)
        at_rui(_until(lambda: rui.line == "live" and host.door.address_of(rui.keys.public) == "10.77.0.42"))
        assert 0 == rui.seat
        at_rui(rui.close())


def test_a_match_goes_on_at_the_host_s_new_address() -> None:
    with network("ana", "rui") as net, hosting(net["ana"], "Kitchen") as (host, _), net["rui"].loop() as at_rui:
        rui = Peer(Address(net["ana"].address, PORT, host.keys.public), KeyPair.make(), "Rui", words=False, seek=elsewhere)
        at_rui(_sit(rui))
        at_rui(_play(rui))
        net["ana"].move(44)
        at_rui(_until(lambda: rui.line == "live" and rui.address.host == "10.77.0.44", 60), 65)
        assert "over" == at_rui(bot(rui, GAMES["high-card"]).play())["phase"]
        at_rui(rui.close())


def test_a_host_whose_address_changes_is_found_at_the_new_one() -> None:
    with network("ana", "rui") as net, hosting(net["ana"], "Kitchen"):
        assert net["ana"].address == look(net["rui"], "Kitchen")[0].address.host
        net["ana"].move(43)
        found: list[Found] = []
        for _ in range(5):
            found = look(net["rui"], "Kitchen", seconds=3.0)
            if found:
                break
        assert ["10.77.0.43"] == [one.address.host for one in found]


def test_two_hosts_with_one_id_are_shown_as_a_conflict() -> None:
    with network("ana", "mallory", "rui") as net, hosting(net["ana"], "Kitchen") as (host, _), net["mallory"].loop() as do:
        forger: Host = do(open_host("Kitchen"))
        forger.id = host.id
        try:
            found = look(net["rui"], "Kitchen", "Kitchen")
            assert [True, True] == [one.conflict for one in found]
            assert {host.keys.public, forger.keys.public} == {one.card.key for one in found}
        finally:
            do(forger.stop())


# The program itself, as a person runs it


PROGRAM = [sys.executable, "-P", "-m", "carteado.cli"]


async def seated_levels(address: Address, code: str) -> list[str]:
    """Watch a private table until somebody sits there; return who that is, by level."""
    peer = Peer(Address(address.host, address.port, address.key, code), KeyPair.make(), "Eva", words=False)
    await peer.connect()
    try:
        await peer.join("t-1", "watch")
        await peer.until(lambda p: p.table is not None and any(chair.line == "bot" for chair in p.table.chairs))
        assert peer.table is not None
        return [str(chair.bot) for chair in peer.table.chairs if chair.name]
    finally:
        await peer.close()


def program(machine: Machine, home: Any, *words: str, timeout: float = 40.0) -> Any:
    """Run the command `carteado` on a machine, for somebody whose files are at `home`."""
    return machine.run([*PROGRAM, *words], timeout, env={**os.environ, "CARTEADO_HOME": str(home)})


def test_a_person_finds_a_private_host_and_sits_down_with_its_code_and_notices_another_key(tmp_path: Any) -> None:
    with network("ana", "rui") as net:
        ana, rui, homes = net["ana"], net["rui"], {name: tmp_path / name for name in ("ana", "rui")}
        command = [*PROGRAM, "host", "--headless", "--called", "Kitchen", "--code", "--no-admin", "--players", "2"]
        host = ana.start(command, env={**os.environ, "CARTEADO_HOME": str(homes["ana"])})
        try:
            assert host.stdout is not None
            host.stdout.readline()
            told = json.loads(program(rui, homes["rui"], "find", "--json").stdout)["hosts"]
            assert [("Kitchen", True, [], 0)] == [(one["name"], one["private"], one["games"], one["free"]) for one in told]
            without = program(rui, homes["rui"], "bot", "kitchen")
            assert (1, True) == (without.returncode, "for those who know its join code" in without.stderr)
            wrong = program(rui, homes["rui"], "bot", "kitchen", "0000-0000-0001-1")
            assert (1, True) == (wrong.returncode, "This join code is not the host's." in wrong.stderr)
            code = (homes["ana"] / "host.code").read_text().strip()
            sitting = rui.start([*PROGRAM, "bot", ana.address, code], env={**os.environ, "CARTEADO_HOME": str(homes["rui"])})
            try:
                watching = Address(ana.address, PORT, load(homes["ana"] / "host.key").public)
                with ana.loop() as do:
                    assert ["rule"] == do(seated_levels(watching, code))
            finally:
                _over(sitting)
        finally:
            _over(host)
        (homes["ana"] / "host.key").unlink()
        host = ana.start(command, env={**os.environ, "CARTEADO_HOME": str(homes["ana"])})
        try:
            assert host.stdout is not None
            host.stdout.readline()
            refused = program(rui, homes["rui"], "bot", "kitchen", code)
            assert (1, True) == (refused.returncode, "has changed: it was" in refused.stderr)
            assert "--accept-new-key" in refused.stderr
            assert 1 == len(refused.stderr.strip().splitlines())
        finally:
            _over(host)


def test_a_person_on_a_network_without_hosts_is_told_what_to_try(tmp_path: Any) -> None:
    with network("rui") as net:
        for words in (["find", "--seconds", "1"], ["bot", "kitchen"]):
            done = program(net["rui"], tmp_path, *words)
            assert 1 == done.returncode
            assert "Guest Wi-Fi" in done.stderr
            assert "carteado join ADDRESS" in done.stderr
            assert 1 == len(done.stderr.strip().splitlines())
        done = program(net["rui"], tmp_path, "bot", "10.77.0.99")
        assert (1, True) == (done.returncode, "no host answers at 10.77.0.99:7777" in done.stderr)


def _over(process: Any) -> None:
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=10)


