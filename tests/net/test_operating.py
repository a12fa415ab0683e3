"""A host as its operator runs it: from a file, talked to on its socket, watched, and ended with a status that says why."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import resource
import select
import shutil
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from carteado.net import supervision
from carteado.net.commands import _host
from carteado.net.configuration import check_tables, configuration
from carteado.net.errors import Refusal
from carteado.net.guard import Guard, more_files
from carteado.net.keys import Address
from carteado.net.logs import JsonLines
from carteado.net.meters import BOUNDS, Timing, figures
from carteado.net.metrics import PREFIX, MetricsPort, exposition
from carteado.net.orders import RESTART
from carteado.net.peer import Peer
from carteado.net.rates import DoorRules
from carteado.net.settings import TableSpec
from carteado.net.talkers import Line, Talker, Talkers, accuse, received

from .rooms import hosting, run, sitting, together, visiting
from .test_commands import SOON, Program, carteado  # noqa: F401 - a fixture
from .test_purse import play

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
TWO = TableSpec("high-card", chairs=2, options={"hands": 1})
ANA, MALLORY = ("10.0.0.5", 50_000, 7777), ("10.0.0.9", 60_000, 7777)
HERE = ("--bind", "127.0.0.1", "--port", "0", "--headless")


# The sample and the service


def test_the_sample_configuration_is_right() -> None:
    parser = argparse.ArgumentParser()
    _host(parser)
    found = configuration(parser.parse_args(["--config", str(ROOT / "packaging" / "host.toml")]), {})
    assert [] == check_tables(found)
    assert ["dez", "skat", "cascata"] == [spec.id for spec in found.specs()]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_the_service_is_one_that_systemd_understands(tmp_path: Path) -> None:
    program = tmp_path / "carteado"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    unit = tmp_path / "carteado.service"
    text = (ROOT / "packaging" / "carteado.service").read_text(encoding="utf-8")
    unit.write_text(text.replace("/opt/carteado/bin/carteado", str(program)))
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, timeout=60, check=False)
    assert [] == [line for line in done.stderr.splitlines() if "carteado" in line]


def test_the_service_starts_the_host_again_after_the_status_that_asks_for_it() -> None:
    text = (ROOT / "packaging" / "carteado.service").read_text(encoding="utf-8")
    assert {"Type=notify", "Restart=on-failure"} <= set(text.splitlines())
    assert RESTART != 0  # 0 is no failure


def test_every_operator_s_option_is_on_the_page() -> None:
    parser = argparse.ArgumentParser()
    _host(parser)
    group = next(group for group in parser._action_groups if group.title == "for operators")
    names = [action.dest.replace("_", "-") for action in group._group_actions]
    assert [] == [name for name in names if f"`{name}`" not in PAGE and f"--{name}" not in PAGE]


# Numbers


def test_every_figure_is_on_the_page_and_in_the_format_of_prometheus() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, sitting(host, "Ana") as ana:
            await ana.fill("random")
            await ana.start()
            await play(ana)
            text = exposition(host).decode()
            names = {PREFIX + figure.name for figure in figures(host)}
            assert [] == sorted(name for name in names if f"`{name}`" not in PAGE)
            assert names <= set(re.findall(r"^# TYPE (\S+) ", text, re.M)) | {name + "_total" for name in names}
            told = dict(re.findall(r"^(carteado_\w+(?:\{[^}]*\})?) (\S+)$", text, re.M))
            assert "1.0" == told['carteado_tables{stage="over"}']
            assert "1.0" == told["carteado_matches_total"]
            assert float(told["carteado_versions_total"]) > 3
            assert told["carteado_turn_seconds_count"] == told['carteado_turn_seconds_bucket{le="+Inf"}']
            assert float(told["carteado_resident_bytes"]) > 1e6

    run(test())


def test_the_memory_held_is_told_also_when_no_file_more_can_be_opened() -> None:
    """And it is the own memory: the most ever held is inherited from whoever started the program."""
    script = """
import os, resource
from carteado.net.meters import resident
before = resident()
resource.setrlimit(resource.RLIMIT_NOFILE, (32, 32))
try:
    while True:
        os.dup(0)
except OSError:
    print(before, resident())
"""
    ballast = bytes(bytearray(b"x") * 100_000_000)
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    before, without_files = map(int, told)
    assert before <= without_files < before + len(ballast) // 4


def test_refusals_are_counted_by_code() -> None:
    async def test() -> None:
        async with hosting(TWO) as host, sitting(host, "Ana") as ana:
            before = host.refused["not_started"]
            with pytest.raises(Refusal):
                await ana.pause()
            (refused,) = [figure for figure in figures(host) if figure.name == "refused_total"]
            assert before + 1 == refused.samples["not_started"]  # type: ignore[index]

    run(test())


def fetched(url: str, data: bytes | None = None) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, data, timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


def test_metrics_are_served_on_this_machine_alone() -> None:
    async def test() -> None:
        async with hosting(TWO) as host:
            port = MetricsPort(host, 0)
            await port.open()
            loop = asyncio.get_running_loop()
            url = f"http://127.0.0.1:{port.port}"
            assert port._server is not None
            assert ["127.0.0.1"] == [sock.getsockname()[0] for sock in port._server.sockets]
            status, text = await loop.run_in_executor(None, fetched, f"{url}/metrics")
            assert (200, True) == (status, "carteado_tables" in text)
            assert 404 == (await loop.run_in_executor(None, fetched, f"{url}/"))[0]
            assert 404 == (await loop.run_in_executor(None, fetched, f"{url}/metrics", b"x"))[0]
            for nonsense in (b"\x00" * 9000, b"GET\r\n\r\n", b""):
                reader, writer = await asyncio.open_connection("127.0.0.1", port.port)
                writer.write(nonsense)
                writer.write_eof()
                await asyncio.wait_for(reader.read(), 10)
                writer.close()
            assert 200 == (await loop.run_in_executor(None, fetched, f"{url}/metrics"))[0]
            await port.close()

    run(test())


def test_times_fall_into_buckets() -> None:
    timing = Timing()
    for seconds in (0.0004, 0.0004, 0.003, 99.0):
        timing.add(seconds)
    assert (4, 99.0, BOUNDS[0], float("inf")) == (timing.count, timing.last, timing.below(0.5), timing.below(1.0))


# The guard


def test_too_much_memory_ends_the_host_with_the_status_of_a_restart(caplog: pytest.LogCaptureFixture) -> None:
    ended: list[int] = []
    accused: list[Talker | None] = []

    async def accuse(talker: Talker | None) -> None:
        assert not ended
        accused.append(talker)

    held = iter([100 << 20, 100 << 20, 101 << 20])
    counts = iter([{MALLORY: 7 << 20, ANA: 90 << 20}, {MALLORY: 107 << 20, ANA: 91 << 20}])
    run(Guard(100 << 20, ended.append, Talkers(7777, 7778, lambda ports: next(counts)), accuse, lambda: next(held)).run())
    assert [RESTART] == ended
    assert [Talker("10.0.0.9", 100 << 20, 1)] == accused
    assert "to be started again" in caplog.text


@pytest.mark.parametrize(
    ("grown", "now", "named"),
    [
        (100, {ANA: 1, MALLORY: 60}, "10.0.0.9"),
        (100, {ANA: 1, MALLORY: 20}, None),  # the memory went elsewhere
        (4, {ANA: 1, MALLORY: 3}, None),  # no more than anybody may say
        (100, {ANA: 30, MALLORY: 20, ("10.0.0.9", 60_001, 7778): 20}, "10.0.0.9"),
        (100, {}, None),  # who has gone has taken the memory along, or the system does not tell
    ],
)
def test_who_is_accused_has_sent_most_and_enough_to_explain_the_memory(grown: int, now: dict[Line, int], named: str | None) -> None:
    counts = iter([{ANA: 0, MALLORY: 0}, {line: megabytes << 20 for line, megabytes in now.items()}])
    talkers = Talkers(7777, 7778, lambda ports: next(counts))
    talkers.note(50 << 20)
    found = talkers.loudest((50 + grown) << 20)
    assert named == (found.address if found is not None else None)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts the bytes of a connection")
def test_the_bytes_of_each_connection_are_counted_and_the_connection_lives_on() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
        accepted, where = server.accept()
        with accepted:
            port = server.getsockname()[1]
            client.sendall(b"x" * 5000)
            assert 5000 == len(accepted.recv(5000, socket.MSG_WAITALL))
            assert {("127.0.0.1", where[1], port): 5000} == received({port})
            client.sendall(b"y")
            assert b"y" == accepted.recv(1)


def test_an_address_that_has_filled_the_memory_is_banned_and_its_key_if_it_can_be_no_other(caplog: pytest.LogCaptureFixture) -> None:
    async def test() -> None:
        async with hosting(TWO, door=DoorRules()) as host, sitting(host, "Ana") as ana:
            await accuse(host, None)
            assert [] == host.bans.rows()
            await accuse(host, Talker("127.0.0.1", 50 << 20, 2))
            assert [("address", "host", True)] == [(ban.kind, ban.by, ban.kept) for ban in host.bans.rows()]
            await accuse(host, Talker("127.0.0.1", 50 << 20, 1))
            assert ["address", "Ana"] == [ban.name or ban.kind for ban in host.bans.rows()]
            assert host.bans.key(ana.keys.public)

    run(test())
    assert "nobody is banned" in caplog.text
    assert "it may have been any of Ana" in caplog.text


def test_a_gateway_is_not_banned_for_one_of_those_behind_it() -> None:
    async def test() -> None:
        async with hosting(TWO, door=DoorRules(gateways=frozenset({"127.0.0.1"}))) as host:
            await accuse(host, Talker("127.0.0.1", 50 << 20, 1))
            assert [] == host.bans.rows()

    run(test())


def test_nearly_no_files_left_is_told_once_and_when_it_is_over(caplog: pytest.LogCaptureFixture) -> None:
    guard = Guard(1 << 60, lambda status: None, Talkers(1, 2), accuse=lambda talker: asyncio.sleep(0))
    for count in (10, 95, 96, 85, 95, 50, 50, 99):
        guard.look_at_files(count, 100)
    assert [
        "95 of 100 files and connections are open; more peers may not get in",
        "50 of 100 files and connections are open again",
        "99 of 100 files and connections are open; more peers may not get in",
    ] == [record.getMessage() for record in caplog.records]


def test_a_host_allows_itself_as_many_files_as_it_may() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
        allowed = more_files()
        assert min(hard, 65_536) == allowed == resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


# The supervisor


def test_a_supervisor_is_told_and_without_one_nobody_is(tmp_path: Path) -> None:
    where = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(where))
        assert supervision.tell("READY=1", {"NOTIFY_SOCKET": str(where)})
        assert b"READY=1" == line.recv(100)
    assert not supervision.tell("READY=1", {})
    assert not supervision.tell("READY=1", {"NOTIFY_SOCKET": str(tmp_path / "nobody")})
    assert [None, None, 15.0] == [supervision.alive_each({"WATCHDOG_USEC": text}) for text in ("", "x", "30000000")]


# Whole programs


def host_of(program: Program) -> Address:
    return Address.parse(program.line())


@pytest.mark.slow
def test_a_host_is_talked_to_and_drained(carteado: Callable[..., Program], tmp_path: Path) -> None:  # noqa: F811
    config = tmp_path / "host.toml"
    config.write_text('log = "json"\nlog-level = "info"\nstore = "memory"\n[[table]]\ngame = "toy"\nplayers = 2\nbots = 1\n')
    host = carteado("host", *HERE, "--config", str(config))
    address = host_of(host)
    status, out, _ = carteado("admin", "--json", "tables").ended()
    assert (0, "toy") == (status, json.loads(out)[0]["game"])
    status, out, _ = carteado("health").ended()
    assert (0, True) == (status, out.startswith("well: 1 table, 0 playing, 0 peers"))
    status, out, err = carteado("admin", "kick", "Nobody").ended()
    assert (2, "", "carteado admin: 'Nobody' names no connected players; `players` lists them with their keys\n") == (status, out, err)
    console = carteado("admin")
    for words in ("players", "announce hello", "nonsense"):
        console.say(words)
    status, out, err = console.ended()
    assert (1, ["none", "said to 0 at the tables"]) == (status, out.splitlines())
    assert "there is no order 'nonsense'" in err
    status, out, _ = carteado("admin", "drain").ended()
    assert (0, True) == (status, "0 running" in out)
    status, _, err = host.ended()
    assert 0 == status
    events = [json.loads(line) for line in err.splitlines() if line.startswith("{")]
    assert ["table.open", "host.ready"] == [event["text"] for event in events if event["text"] in ("table.open", "host.ready")]
    assert str(address.port) in err
    status, out, _ = carteado("health").ended()
    assert (1, "not well: no host of yours runs on this machine\n") == (status, out)


@pytest.mark.slow
def test_a_host_that_is_told_to_start_again_ends_with_that_status(carteado: Callable[..., Program]) -> None:  # noqa: F811
    host = carteado("host", "toy", *HERE)
    host_of(host)
    assert 0 == carteado("admin", "restart").ended()[0]
    assert RESTART == host.ended()[0]


@pytest.mark.slow
def test_mistakes_of_the_configuration_are_told_and_nothing_starts(carteado: Callable[..., Program], tmp_path: Path) -> None:  # noqa: F811
    config = tmp_path / "bad.toml"
    config.write_text('prot = 1\n[[table]]\ngame = "toy"\nplayers = 9\n')
    status, out, err = carteado("host", "--check-config", "--config", str(config)).ended()
    assert (2, "", [f"{config}:1: prot: there is no such setting; did you mean port?"]) == (status, out, err.splitlines())
    config.write_text('[[table]]\ngame = "toy"\nplayers = 9\n')
    status, out, err = carteado("host", "--check-config", "--config", str(config)).ended()
    assert (2, "", ["table t-1: 9 cannot play this: it takes 2 to 3."]) == (status, out, err.splitlines())


@pytest.mark.slow
def test_a_host_that_holds_too_much_memory_ends_saved_and_goes_on_when_it_is_started_again(carteado: Callable[..., Program]) -> None:  # noqa: F811
    first = carteado("host", "toy", *HERE, "--players", "3", "--memory", "4")
    host_of(first)
    status, _, err = first.ended()
    assert RESTART == status
    assert "to be started again" in err
    again = carteado("host", "toy", *HERE)
    host_of(again)
    (table,) = json.loads(carteado("admin", "--json", "tables").ended()[1])
    assert ("t-1", 3) == (table["table"], table["free"])


@pytest.mark.slow
def test_more_connections_than_files_leave_players_at_play(carteado: Callable[..., Program]) -> None:  # noqa: F811
    """A host of few files lives through more connections than it may have, and lets people in again afterwards."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    host = carteado("host", "toy", *HERE, "--players", "2", "--bots", "1")
    address = host_of(host)
    resource.prlimit(host.process.pid, resource.RLIMIT_NOFILE, (100, hard))

    async def crowd() -> None:
        opened: list[Any] = []
        try:
            async with sitting_at(address) as ana:
                for _ in range(150):
                    opened.append(socket.create_connection(("127.0.0.1", address.port), 5))
                assert host.process.stderr is not None
                told = b""
                while b"more peers may not get in" not in told:
                    assert select.select([host.process.stderr], [], [], SOON)[0]
                    more = os.read(host.process.stderr.fileno(), 65_536)
                    assert more, f"the host has ended: {told.decode()}"
                    told += more
                await ana.say("still here")
        finally:
            for connection in opened:
                connection.close()
        async with sitting_at(address):
            pass

    run(crowd())
    host.process.send_signal(signal.SIGTERM)
    status, _, err = host.ended()
    assert (0, 0) == (status, err.count("more peers may not get in"))  # it was told once


@asynccontextmanager
async def sitting_at(address: Address) -> AsyncIterator[Peer]:
    """Sit down at the only table of a host, and leave it in the end."""
    async with visiting(address, "Ana") as peer:
        await peer.join("t-1")
        yield peer
        await peer.leave()


def test_a_match_at_the_lowest_level_logs_no_secret(caplog: pytest.LogCaptureFixture) -> None:
    """Neither seeds nor tokens nor secret keys nor any face of a hand is in what is logged, even at DEBUG."""

    async def test() -> list[str]:
        async with hosting(TWO) as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui:
            await ana.start()
            await together(play(ana), play(rui))
            match = host.tables["t-1"].match
            assert match is not None
            seeds = [entry["seed"] for entry in match.journal.entries if "seed" in entry]
            keys = [pair.secret.hex() for pair in (ana.keys, rui.keys, host.keys)]
            return [*seeds, *keys]

    caplog.set_level("DEBUG")
    secrets = run(test())
    lines = [JsonLines().format(record) for record in caplog.records]
    assert {"match.begin", "match.over", "peer.hello"} <= {json.loads(line)["text"] for line in lines}
    assert [] == [secret for secret in secrets if any(secret in line for line in lines)]
    faces = re.compile(r'"[RB](?:[1-9]|10)"')
    assert [] == [line for line in lines if faces.search(line)]


@pytest.mark.slow
def test_games_are_loaded_anew_and_a_key_is_changed_in_a_running_host(
    carteado: Callable[..., Program],  # noqa: F811
    toy: str,
) -> None:
    host = carteado("host", "toy", *HERE, "--players", "2")
    address = host_of(host)
    code = Path(toy) / "toys_game.py"
    before = re.search(r'version = "(.*)"', code.read_text())
    assert before is not None
    code.write_text(code.read_text().replace(before[0], 'version = "9"') + "\n# another length, so that it is compiled anew\n")
    rows = json.loads(carteado("admin", "--json", "reload").ended()[1])
    assert f"version 9, was {before[1]}" == next(row["state"] for row in rows if row["game"] == "toy")
    code.write_text("this is no Python\n")
    rows = json.loads(carteado("admin", "--json", "reload").ended()[1])
    assert "cannot be imported" in next(row["state"] for row in rows if row["game"] == "toy")
    assert 0 == carteado("admin", "open", "toy").ended()[0]  # the last one that could be loaded
    told = json.loads(carteado("admin", "--json", "rotate").ended()[1])
    assert told["address then"] != str(address)
    assert 0 == carteado("admin", "stop").ended()[0]
    assert 0 == host.ended()[0]
    again = carteado("host", "dez-degraus", *HERE)
    assert host_of(again).key == Address.parse(told["address then"]).key
