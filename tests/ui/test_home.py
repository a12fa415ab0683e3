"""The menu: everything a newcomer needs, without knowing a command; what is chosen is kept for the next time."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from carteado.core.loader import load
from carteado.net import preferences
from carteado.net.keys import Address
from carteado.net.known import KnownHosts
from carteado.net.known import words as spoken_key
from carteado.ui.terminal.home import Home, HomeSession
from carteado.ui.terminal.recorded import completed

from .harness import Pilot, pilot

GAMES = {name: load(name) for name in ("cascata", "dez-degraus")}
Play = Callable[[Pilot, Home], Awaitable[None]]


@pytest.fixture(autouse=True)
def home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARTEADO_HOME", str(tmp_path))


def chosen(play: Play, **more: object) -> Home:
    """Open the menu, let somebody choose, and return it."""
    left: list[Callable[[], None]] = []
    home = Home(lambda: GAMES, lambda: left[0](), **more)  # type: ignore[arg-type]

    async def run() -> None:
        async with pilot(HomeSession("en"), tools=home) as one:  # type: ignore[arg-type]
            left.append(one.client.leave)
            await play(one, home)

    asyncio.run(run())
    return home


def test_three_keys_sit_one_down_against_computer_players_and_the_next_time_enter_is_enough() -> None:
    async def first(one: Pilot, home: Home) -> None:
        assert "What would you like to do?" in one.text()
        await one.keys("1")
        assert "Cascata  2 to 4 players" in one.text()
        await one.keys("2")
        await one.keys("3")
        await one.keys("3")

    async def again(one: Pilot, home: Home) -> None:
        for _ in range(4):
            await one.keys("\r")

    wanted = ["play", "dez-degraus", "--players", "4", "--level", "rule"]
    assert wanted == chosen(first).choice
    assert {"game": "dez-degraus", "players": 4, "level": "rule"} == preferences.read()
    assert wanted == chosen(again).choice


def test_two_keys_begin_a_guided_hand() -> None:
    async def play(one: Pilot, home: Home) -> None:
        await one.keys("22")

    assert ["play", "dez-degraus", "--guided"] == chosen(play).choice


def test_everything_can_be_clicked() -> None:
    async def play(one: Pilot, home: Home) -> None:
        for item in (0, 0, 0, 0):
            await one.click(f"item:{item}")

    assert ["play", "cascata", "--players", "2", "--level", "random"] == chosen(play).choice


def test_a_table_is_opened_for_others() -> None:
    async def play(one: Pilot, home: Home) -> None:
        await one.keys("412")
        assert "Chips per place: 10" in one.text()
        await one.keys("\r")

    assert ["host", "cascata", "--players", "3"] == chosen(play).choice


def test_options_of_the_table_are_chosen_before_it_is_opened_and_only_those_that_were_changed_are_told() -> None:
    async def play(one: Pilot, home: Home) -> None:
        await one.keys("412")
        await one.keys("3")  # who leaves is not replaced
        await one.keys("2")
        await one.keys("\x7f\x7f25\r")
        assert "Chips per place: 25" in one.text()
        assert "goes on for whoever leaves: no" in one.text()
        await one.keys("1")

    assert ["host", "cascata", "--players", "3", "--option", "stake=25", "--option", "substitute=no"] == chosen(play).choice


def test_options_hold_for_a_game_with_computer_players_too() -> None:
    async def play(one: Pilot, home: Home) -> None:
        await one.keys("112")
        row = next(place for place, item in enumerate(one.client.local.boxes[-1].items) if "options" in item.words())
        await one.click(f"item:{row}")
        await one.keys("3")
        await one.keys("1")

    assert ["play", "cascata", "--players", "3", "--level", "rule", "--option", "substitute=no"] == chosen(play).choice


def test_a_host_is_joined_by_its_address() -> None:
    async def play(one: Pilot, home: Home) -> None:
        await one.keys("3")
        assert "on this machine" not in one.text()
        await one.keys("a")
        await one.keys("tcp://10.0.0.7:7777#key\r")

    assert ["join", "tcp://10.0.0.7:7777#key", "--choose"] == chosen(play).choice


NAMED = ["--table", "p-7kq4m-2xp9d-4tv8h"]


@pytest.mark.parametrize(
    ("typed", "arguments"),
    [
        ("10.0.0.7 7KQ4 M2XP 9D4T V", ["10.0.0.7", "7KQ4 M2XP 9D4T V", "--choose"]),
        ("carteado join 'tcp://10.0.0.7:7777#key' --table p-7kq4m-2xp9d-4tv8h", ["tcp://10.0.0.7:7777#key", *NAMED]),
        ("carteado jointcp://10.0.0.7:7777#key--table p-7kq4m-2xp9d-4tv8h", ["tcp://10.0.0.7:7777#key", *NAMED]),
        ("10.0.0.7 7KQ4-M2XP-9D4T-V --table p-7kq4m-2xp9d-4tv8h", ["10.0.0.7", "7KQ4-M2XP-9D4T-V", *NAMED]),
    ],
)  # fmt: skip
def test_what_a_waiting_room_tells_to_type_can_be_pasted_where_an_address_is_asked_for(typed: str, arguments: list[str]) -> None:
    async def play(one: Pilot, home: Home) -> None:
        await one.keys("3")
        await one.keys("a")
        await one.keys(f"{typed}\r")

    assert ["join", *arguments] == chosen(play).choice


@dataclass(frozen=True)
class Card:
    """What a found host says of itself."""

    called: str
    short: str = "ab12"
    games: Sequence[str] = ("cascata", "bridge")
    free: int = 0
    private: bool = False
    id: str = "ab12cd"


@dataclass(frozen=True)
class Host:
    """A host that was found."""

    card: Card
    at: Address
    answers: bool = True
    conflict: bool = False

    @property
    def addresses(self) -> Sequence[Address]:
        return (self.at,)


A, B, C = (Address("10.0.0.7", 7777, bytes([n]) * 32) for n in (1, 2, 3))


def met(*hosts: Host) -> None:
    """Let this machine know some hosts."""
    for host in hosts:
        KnownHosts().pin(host.card.id, host.card.called, host.at)


class Search:
    """A search that finds what it is told to."""

    trouble = ""

    def __init__(self) -> None:
        self.found: list[Host] = []
        self._news = asyncio.Event()

    def find(self, *hosts: Host) -> None:
        self.found = list(hosts)
        self._news.set()

    def hosts(self) -> Sequence[Host]:
        return self.found

    async def changed(self) -> None:
        await self._news.wait()
        self._news.clear()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Search]:
        yield self


def test_hosts_come_into_the_list_as_they_are_found_and_one_is_joined_by_a_key() -> None:
    search = Search()

    async def play(one: Pilot, home: Home) -> None:
        await one.keys("3")
        await one.shows("Looking for hosts on the network...")
        search.find(Host(Card("Kitchen", free=2), A), Host(Card("Cellar", private=True, games=()), B, conflict=True))
        await one.shows("Kitchen (ab12)  Cascata and bridge, 2 chairs free")
        assert "join code needed" in one.text()
        assert "several say to be this host" in one.text()
        await one.keys("1")

    met(Host(Card("Kitchen"), A))
    assert ["join", str(A), "--choose"] == chosen(play, search=search.running).choice


def test_the_cursor_stays_with_its_host_when_another_is_found() -> None:
    search = Search()

    async def play(one: Pilot, home: Home) -> None:
        search.find(Host(Card("Kitchen"), A))
        await one.keys("3")
        await one.shows("Kitchen")
        await one.keys("\x1b[A\x1b[B")
        search.find(Host(Card("Attic"), C, answers=False), Host(Card("Kitchen"), A))
        await one.shows("Attic (ab12)  Cascata and bridge  does not answer")
        assert one.text().index("Kitchen") < one.text().index("Attic")  # who was there keeps the number
        await one.keys("\r")

    met(Host(Card("Kitchen"), A))
    assert ["join", str(A), "--choose"] == chosen(play, search=search.running).choice


def test_a_host_that_was_never_met_shows_its_key_in_words_and_is_remembered() -> None:
    search = Search()

    async def play(one: Pilot, home: Home) -> None:
        search.find(Host(Card("Kitchen"), A))
        await one.keys("3")
        await one.shows("Kitchen (ab12)")
        await one.keys("1")
        assert spoken_key(bytes([1]) * 32) in one.text()
        await one.keys("1")

    assert ["join", str(A), "--choose"] == chosen(play, search=search.running).choice
    assert [bytes([1]) * 32] == [pin.key for pin in KnownHosts().pins()]


def test_a_known_host_with_another_key_is_not_connected_to() -> None:
    search = Search()
    met(Host(Card("Kitchen"), A))

    async def play(one: Pilot, home: Home) -> None:
        search.find(Host(Card("Kitchen"), B))
        await one.keys("3")
        await one.shows("Kitchen (ab12)")
        await one.keys("1")
        assert "shows another key than before" in one.text()
        await one.keys("\x1b")
        assert "Kitchen (ab12)" in one.text()

    assert chosen(play, search=search.running).choice is None


def test_a_private_host_is_joined_with_its_code_and_so_is_one_that_several_claim_to_be() -> None:
    private, claimed = Search(), Search()

    async def with_code(one: Pilot, home: Home) -> None:
        private.find(Host(Card("Cellar", private=True), B))
        await one.keys("3")
        await one.shows("Cellar")
        await one.keys("1")
        await one.keys("7KQ4-M2XP\r")

    async def several(one: Pilot, home: Home) -> None:
        claimed.find(Host(Card("Attic"), C, conflict=True))
        await one.keys("3")
        await one.shows("Attic")
        await one.keys("1")
        assert "only one can be right" in " ".join(one.text().split())
        await one.keys("2")
        await one.keys("\r")

    assert ["join", str(B), "7KQ4-M2XP", "--choose"] == chosen(with_code, search=private.running).choice
    assert ["join", str(C), "--choose"] == chosen(several, search=claimed.running).choice


def test_rules_are_read_and_esc_goes_back_to_the_menu() -> None:
    async def play(one: Pilot, home: Home) -> None:
        await one.keys("5")
        await one.keys("2")
        assert "Dez Degraus" in one.text()
        assert "phase" in one.text()
        await one.keys("\x1b")
        assert "What would you like to do?" in one.text()
        await one.keys("\x1b")
        assert "What would you like to do?" in one.text()
        await one.keys("q")
        assert not one.client.app.is_running

    assert chosen(play).choice is None


def journal(path: Path, game: str, names: Sequence[str], when: int) -> Path:
    """Write the first line of a journal that was last changed at a time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"game": game, "seats": [{"name": name} for name in names]}) + "\n")
    os.utime(path, (when, when))
    return path


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Be in an empty folder."""
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def test_a_recording_is_looked_at_by_its_file(elsewhere: Path) -> None:
    async def play(one: Pilot, home: Home) -> None:
        await one.keys("6")
        assert "There is none yet in" in one.text()
        await one.keys("1")
        await one.keys("/tmp/match.jsonl\r")

    assert ["look", "/tmp/match.jsonl"] == chosen(play).choice


def test_the_newest_recordings_are_listed_with_where_they_are_and_one_is_looked_at_by_a_key(
    tmp_path: Path, elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    old = journal(elsewhere / "old.jsonl", "cascata", ["Ana", "Rui"], 86_400 * 366)
    journal(tmp_path / "archive" / "t-1-1-7.jsonl", "dez-degraus", ["Eva"], 86_400 * 800)
    (elsewhere / "notes.jsonl").write_text("milk\n")

    async def play(one: Pilot, home: Home) -> None:
        await one.keys("6")
        text = one.text()
        assert text.index("1972-03-11") < text.index("1971-01-02")
        assert "Cascata      Ana and Rui" in text
        assert "The newest first, from ~/archive and ~/here" in text
        await one.keys("2")

    assert ["look", str(old)] == chosen(play).choice


def test_tab_completes_a_path_and_shows_what_it_could_be(elsewhere: Path) -> None:
    for name in ("evening-1.jsonl", "evening-2.jsonl", ".hidden"):
        (elsewhere / name).touch()
    (elsewhere / "games").mkdir()

    async def play(one: Pilot, home: Home) -> None:
        await one.keys("61")
        await one.keys("e\t")
        assert "evening-1.jsonl  evening-2.jsonl" in one.text()
        await one.keys("2\t\r")

    assert ["look", "evening-2.jsonl"] == chosen(play).choice
    assert ("games/", []) == completed("g")
    assert ("", ["evening-1.jsonl", "evening-2.jsonl", "games/"]) == completed("")
    assert ("nowhere/x", []) == completed("nowhere/x")


def test_a_name_is_kept_and_what_cannot_be_one_is_refused() -> None:
    async def play(one: Pilot, home: Home) -> None:
        await one.keys("7")
        await one.keys("1")
        await one.keys("\x15Rita\r")
        assert "Your name: Rita" in one.text()
        await one.keys("1")
        assert "> Rita" in one.text()
        await one.keys("\x15---\r")
        assert "This cannot be a name" in one.text()
        await one.keys("\x1b")
        assert "Your name: Rita" in one.text()

    chosen(play)
    assert {"name": "Rita"} == preferences.read()


def test_the_language_changes_at_once() -> None:
    async def play(one: Pilot, home: Home) -> None:
        await one.keys("72")
        await one.settle()
        assert "Língua: Português (Portugal)" in one.text()
        await one.keys("\x1b")
        assert "Que queres fazer?" in one.text()

    chosen(play)


def test_looks_are_kept_and_the_menu_is_drawn_anew_where_one_was() -> None:
    async def play(one: Pilot, home: Home) -> None:
        await one.keys("74")

    home = chosen(play)
    assert ([], 3, {"ascii": True}) == (home.choice, home.row, preferences.read())

    async def again(one: Pilot, home: Home) -> None:
        assert "Letters instead of suit signs: yes" in one.text()
        await one.keys("\r")

    assert [] == chosen(again, page="settings", row=3).choice
    assert {"ascii": False} == preferences.read()


def test_what_went_wrong_is_told_in_the_menu() -> None:
    async def play(one: Pilot, home: Home) -> None:
        assert "the host cannot be reached" in one.text()
        await one.keys("2")
        assert "the host cannot be reached" not in one.text()

    chosen(play, told="the host cannot be reached")


def test_a_newcomer_is_asked_for_the_name_once_with_the_login_at_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "rita")

    async def play(one: Pilot, home: Home) -> None:
        assert "Your name" in one.text()
        await one.keys("\r")
        assert "What would you like to do?" in one.text()

    chosen(play, greet=True)
    assert "name" in preferences.read()

    async def again(one: Pilot, home: Home) -> None:
        assert "What would you like to do?" in one.text()

    chosen(again, greet=True)


def test_how_long_a_trick_stays_and_how_fast_computer_players_play_are_kept_and_used() -> None:
    async def play(one: Pilot, home: Home) -> None:
        await one.keys("7")
        await one.keys("88")
        assert "A finished trick stays: until a key" in one.text()
        await one.keys("9")
        assert "Computer players play: slowly" in one.text()
        await one.keys("\x1b")
        await one.keys("22")

    assert ["play", "dez-degraus", "--guided", "--pace", "2.0"] == chosen(play).choice
    assert ("slow", 3600) == (preferences.read()["speed"], preferences.read()["pause"])
