"""The commands that use the network, as processes of their own: play, host, join and bot."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SOON = 20.0
FAST = ("--pace", "0", "--hand-pause", "0")
HERE = ("--bind", "127.0.0.1", "--port", "0", "--limit", "commands=0")


class Program:
    """One running `carteado` command with pipes to it."""

    def __init__(self, home: Path, site: str, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "carteado.cli", *arguments],
            env=os.environ | {"CARTEADO_HOME": str(home), "PYTHONPATH": site, "LC_ALL": "C", "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.heard = ""
        self._rest = b""

    def say(self, line: str) -> None:
        """Type a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def line(self) -> str:
        """Return the next line it prints."""
        assert self.process.stdout is not None
        handle = self.process.stdout.fileno()
        while b"\n" not in self._rest:
            block = os.read(handle, 65_536) if select.select([handle], [], [], SOON)[0] else b""
            if not block:
                self.process.kill()
                raise AssertionError(f"it says no more after:\n{self.heard}\n{self.ended()}")
            self._rest += block
        line, _, self._rest = self._rest.partition(b"\n")
        self.heard += line.decode() + "\n"
        return line.decode()

    def until(self, wanted: str) -> str:
        """Return the first line it prints that holds this text."""
        while wanted not in (line := self.line()):
            continue
        return line

    def ended(self) -> tuple[int, str, str]:
        """Wait for its end; return exit status and what it still had to say."""
        out, err = self.process.communicate(timeout=SOON)
        out, self._rest = self._rest + out, b""
        return self.process.returncode, out.decode(), err.decode()


@pytest.fixture
def carteado(toy: str, tmp_path: Path) -> Iterator[object]:
    """Start commands with a folder for keys of their own and the game `toy`; whatever still runs is ended."""
    started: list[Program] = []

    def start(*arguments: str, home: str = "home") -> Program:
        program = Program(tmp_path / home, toy, *arguments)
        started.append(program)
        return program

    yield start
    for program in started:
        if program.process.poll() is None:
            program.process.kill()
        program.process.communicate()


def children(pid: int) -> list[int]:
    """Return the ids of the processes that a process has started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except FileNotFoundError:  # it has ended meanwhile
            continue
        if int(fields[1]) == pid:
            found.append(int(stat.parent.name))
    return found


@contextmanager
def gone_soon(pids: list[int]) -> Iterator[None]:
    """Check that processes end soon after what is done inside."""
    handles = [os.pidfd_open(pid) for pid in pids]
    try:
        yield
        for handle in handles:
            assert select.select([handle], [], [], SOON)[0] == [handle]
    finally:
        for handle in handles:
            os.close(handle)


def play_on(program: Program, hands: int) -> None:
    """Throw the first card whenever the toy's turn comes, for so many hands."""
    for _ in range(hands):
        program.until("1. Throw")
        program.say("1 1")


def test_a_person_plays_a_match_against_a_computer_player_and_everything_ends(carteado) -> None:
    program = carteado("play", "toy", "--players", "2", "--line", "--name", "Ana", "--seed", "s", *FAST)
    program.until("1. Throw")
    hosts = children(program.process.pid)
    assert len(hosts) == 1
    with gone_soon(hosts):
        program.say("1 1")
        play_on(program, 1)
        program.until("All have thrown.")
        program.say("q")
        status, _, err = program.ended()
    assert (status, err) == (0, "")


def test_a_play_leaves_the_address_of_a_host_on_this_machine_alone(carteado, tmp_path) -> None:
    host = carteado("host", "toy", "--players", "3", "--headless", "--no-announce", *HERE, *FAST)
    address = host.line()
    play = carteado("play", "toy", "--players", "2", "--line", *FAST)
    play.until("1. Throw")
    assert address == (tmp_path / "home" / "host.address").read_text().strip()


def test_what_the_host_complains_of_during_a_play_is_kept_in_a_file_that_the_player_is_told_of(carteado, toy, tmp_path) -> None:
    game = Path(toy) / "toys_game.py"
    game.write_text(game.read_text().replace("hand = next(zone for zone", "hand = 1 // 0 or next(zone for zone"))
    program = carteado("play", "toy", "--players", "2", "--line", *FAST)
    while "a computer player (random) plays on" not in (line := program.line()):
        if line == "1. Throw":
            program.say("1 1")
    program.say("q")
    status, _, err = program.ended()
    file = tmp_path / "home" / "host-troubles.log"
    assert (0, f"carteado: the host had something to complain of, see {file}\n") == (status, err)
    assert "ZeroDivisionError at toys_game.py:" in file.read_text()
    assert 0o600 == file.stat().st_mode & 0o777


def test_the_same_seed_deals_the_same_cards(carteado) -> None:
    hands = []
    for _ in range(2):
        program = carteado("play", "toy", "--players", "2", "--line", "--seed", "same", *FAST)
        program.until("1. Throw")
        program.say("h")
        program.say("q")
        hands.append([line for line in program.ended()[1].splitlines() if "S" in line])
    assert hands[0]
    assert hands[0] == hands[1]


def test_a_player_that_is_killed_leaves_no_host_behind(carteado) -> None:
    program = carteado("play", "toy", "--players", "2", "--line", *FAST)
    program.until("1. Throw")
    with gone_soon(children(program.process.pid)):
        program.process.kill()


def test_the_end_of_input_ends_the_play(carteado) -> None:
    program = carteado("play", "toy", "--players", "2", "--line", *FAST)
    with gone_soon(children(program.process.pid)):
        status, _, err = program.ended()  # closes its input
    assert (status, err) == (0, "")


def test_two_people_and_a_computer_player_play_a_match_through_host_join_and_bot(carteado) -> None:
    ana = carteado("host", "toy", "--players", "3", "--line", "--name", "Ana", *HERE, *FAST)
    ana.until("Ana")
    rui = carteado("join", "--line", "--name", "Rui")
    rui.until("Rui")
    bot = carteado("bot", "--pace", "0", "--name", "Zeca")
    ana.until("Zeca")
    for person in (ana, rui):
        person.until("1. Ready")
        person.say("1")
    with ThreadPoolExecutor(2) as people:  # who starts a hand is drawn, so each waits for the own turn
        list(people.map(play_on, (ana, rui), (2, 2)))
    status, out, err = bot.ended()
    assert (status, err) == (0, "")
    assert sorted(line.split()[1] for line in out.splitlines()) == ["Ana", "Rui", "Zeca"]
    for person in (rui, ana):
        person.say("q")
        assert person.ended()[0] == 0


def test_a_host_without_people_plays_when_its_last_chair_is_taken(carteado) -> None:
    host = carteado("host", "toy", "--headless", "--players", "2", "--bots", "1", *HERE, *FAST)
    assert host.line().startswith("tcp://127.0.0.1:")
    status, out, err = carteado("bot", "--pace", "0", "--level", "random", "--seed", "3").ended()
    assert (status, err, out.count("\n")) == (0, "", 2)
    host.process.send_signal(signal.SIGTERM)
    status, _, err = host.ended()
    assert (status, err.count("carteado join 'tcp://127.0.0.1:")) == (0, 1)


def test_somebody_who_comes_back_has_the_same_seat(carteado) -> None:
    carteado("host", "toy", "--headless", "--players", "2", "--bots", "1", *HERE, *FAST).line()
    first = carteado("join", "--line", "--name", "Ana")
    first.until("1. Ready")
    first.say("1")
    first.until("1. Throw")
    first.process.kill()
    first.process.wait()
    second = carteado("join", "--line", "--name", "Ana")
    second.until("1. Throw")
    second.say("1 1")
    second.until("threw a card.")
    second.say("q")
    assert second.ended()[0] == 0


def test_a_watcher_needs_no_chair(carteado) -> None:
    carteado("host", "toy", "--headless", "--players", "2", "--bots", "2", *HERE, *FAST).line()
    refused = carteado("join", "--line").ended()
    assert refused[:2] == (1, "")
    assert "carteado join: no table of this host has a free chair; `carteado join --watch` watches\n" == refused[2]
    watcher = carteado("join", "--line", "--watch")
    watcher.say("q")
    assert watcher.ended()[0] == 0


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["play", "toy", "--players", "9"], 2, "carteado play: 9 cannot play this: it takes 2 to 3."),
        (["play", "toy", "--level", "genius"], 2, "carteado play: Toy has no computer player 'genius'; there are random, rule,"),
        (["host", "toy", "--headless", "--option", "x=1", *HERE], 2, "carteado host: There is no table option x."),
        (["join", "here"], 1, "carteado join: no host has been started on this machine"),
        (["join", "127.0.0.1:9"], 1, "carteado join: no host answers at 127.0.0.1:9: is it running, and does its firewall let UDP 9"),
        (["bot", "a b:9"], 1, "carteado bot: 'a b:9' is not an address; write it like 10.0.0.7:7777"),
        (["bot", "here", "7KQ4-M2XP-9D4T-W"], 2, "carteado bot: the last digit of the join code does not fit the others"),
        (["join", "127.0.0.1:9#" + 43 * "A"], 1, "carteado join: no host answers at 127.0.0.1:9"),
        (["join", "--name", "\x07"], 2, "cannot be a name"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(carteado, arguments: list[str], status: int, sentence: str) -> None:
    ended, out, err = carteado(*arguments, home="fresh").ended()
    assert (ended, out, err.count("\n")) == (status, "", 1)
    assert sentence in err


def test_a_port_that_is_taken_is_named(carteado) -> None:
    host = carteado("host", "toy", "--headless", *HERE)
    port = host.line().partition("#")[0].rpartition(":")[2]
    status, out, err = carteado("play", "toy", "--port", port).ended()
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert f"carteado play: cannot listen on 127.0.0.1:{port}" in err
