"""The tables of a host: the list stays fresh, one sits down, watches or opens another table, and hears why not."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest

from carteado.core.options import Flag, OneOf, Several, Whole
from carteado.net.errors import ConnectionOver, Refusal
from carteado.net.protocol import GameRow, Purse, TableRow, Tables
from carteado.net.terms import ClockTerms, Terms
from carteado.net.words import GameWords
from carteado.ui.terminal.hall import Hall, HallSession
from carteado.ui.terminal.hall_lines import HallLines
from carteado.ui.terminal.words import catalogue, own_catalogue, words_for

from .harness import Pilot, pilot

pytestmark = pytest.mark.slow

OPTIONS = [
    Whole("stake", 10, 0, 100), Flag("fast", False), OneOf("mode", "a", ("a", "b")),
    OneOf("size", 1, (1, 2, 3, 4, 5)), Several("rows", ["x"], ("x", "y", "z")),
]  # fmt: skip
GAMES = [GameRow("steps", "Ten Steps", "1", (2, 6), [option.wire() for option in OPTIONS]), GameRow("duo", "Duo", "1", (2, 2))]
ROWS = [TableRow("t-1", "steps", "lobby", 4, 3), TableRow("t-2", "duo", "playing", 2, 0, 1)]
TEXTS = {"option.fast": "Fast", "option.mode": "Mode", "option.size": "Size", "option.rows": "Rows", "option.rows.y": "row y"}


class Host:
    """What the hall uses of a peer."""

    line, gone_code = "live", ""

    def __init__(self, rows: Sequence[TableRow] = ROWS, house: Sequence[str] = ()) -> None:
        self.told = Tables(list(rows), GAMES, list(house))
        self.said: list[Any] = []
        self.texts: Mapping[str, Any] = TEXTS
        self.trouble: Exception | None = None

    async def tables(self) -> Tables:
        if isinstance(self.trouble, ConnectionOver):
            raise self.trouble
        return self.told

    async def open(
        self, game: str, options: Mapping[str, Any] | None = None, chairs: int | None = None, house: Sequence[str] = (),
        terms: Terms | None = None, private: bool = False,
    ) -> str:  # fmt: skip
        more = [*([terms] if terms not in (None, Terms()) else []), *(["private"] if private else [])]
        self.said.append(("open", game, dict(options or {}), chairs, list(house), *more))
        return "t-9"

    async def purse(self) -> Purse:
        return Purse(250)

    async def join(self, m: str, role: str = "seat", seat: int | None = None) -> None:
        if self.trouble is not None:
            raise self.trouble
        self.said.append(("join", m, role))

    async def fetch_words(self, lang: str | None = None, game: str | None = None) -> GameWords:
        return GameWords(str(game), str(lang), b"", catalogue=self.texts)


def visited(host: Host, play: Callable[[Pilot, Hall], Awaitable[None]]) -> Hall:
    """Open the hall, let somebody choose, and return it."""
    halls: list[Hall] = []

    async def run() -> None:
        session = HallSession(host, "en")
        left: list[Callable[[], None]] = []
        hall = Hall(session, lambda: left[0]())
        halls.append(hall)
        async with pilot(session, tools=hall) as one:  # type: ignore[arg-type]
            left.append(one.client.leave)
            hall.begin()
            await one.settle()
            await one.settle()
            await play(one, hall)
        await session.close()

    asyncio.run(run())
    return halls[0]


def test_every_table_is_listed_with_its_game_stage_and_chairs() -> None:
    async def play(one: Pilot, hall: Hall) -> None:
        text = one.text()
        assert "t-1  Ten Steps  waiting, 3 of 4 chairs free" in text
        assert "t-2  Duo        playing, 2 chairs, all taken, 1 person watches" in text

    visited(Host(), play)


def test_the_columns_stand_under_each_other_however_long_an_id_is() -> None:
    async def play(one: Pilot, hall: Hall) -> None:
        text = one.text()
        assert "1 friday-eve…  Ten Steps  waiting, 3 of 4 chairs free" in text
        assert "2 t-2          Duo        playing, 2 chairs, all taken, 1 person watches" in text

    visited(Host([TableRow("friday-evening-with-ana", "steps", "lobby", 4, 3), ROWS[1]]), play)


def test_one_sits_down_or_watches_by_two_keys_or_two_clicks() -> None:
    async def sit(one: Pilot, hall: Hall) -> None:
        await one.keys("11")

    async def watch(one: Pilot, hall: Hall) -> None:
        await one.click("item:1")
        await one.click("item:1")

    seated, watching = Host(), Host()
    assert visited(seated, sit).joined
    assert visited(watching, watch).joined
    assert ([("join", "t-1", "seat")], [("join", "t-2", "watch")]) == (seated.said, watching.said)


def test_why_one_cannot_sit_down_is_said_and_the_list_is_there_again() -> None:
    host = Host()
    host.trouble = Refusal("full", "Every chair is taken.")

    async def play(one: Pilot, hall: Hall) -> None:
        await one.keys("21")
        await one.settle()
        assert "Every chair is taken." in one.text()
        assert "Tables of this host" in one.text()

    assert not visited(host, play).joined


def test_a_table_is_opened_with_its_options_and_house_rules() -> None:
    host = Host(house=("jokers",))

    async def play(one: Pilot, hall: Hall) -> None:
        await one.keys("o1")
        await one.keys("2")  # three people
        await one.settle()
        await one.keys("3")  # fast
        await one.keys("4")  # mode b
        await one.keys("5")
        await one.keys("5")  # size 5, from a list
        await one.keys("6")
        await one.keys("3")  # rows x and y
        assert "✓ row y" in one.text()
        await one.keys("1")
        await one.keys("9")
        await one.keys("21")  # the house rule
        assert "House rules: jokers" in one.text()
        await one.keys("1")
        await one.settle()

    assert visited(host, play).joined
    wanted = ("open", "steps", {"fast": True, "mode": "b", "size": 5, "rows": ["x", "y"]}, 3, ["jokers"])
    assert [wanted, ("join", "t-9", "seat")] == host.said


def test_a_table_is_opened_with_a_clock() -> None:
    host = Host()

    async def play(one: Pilot, hall: Hall) -> None:
        await one.keys("o1")
        await one.keys("2")
        await one.settle()
        await one.keys("7")
        assert "Clock: 45 seconds a move and Time for the match: 120 seconds" in " ".join(one.text().split())
        await one.keys("4")
        await one.keys("8")  # who is away is waited for
        await one.keys("1")
        await one.settle()

    visited(host, play)
    assert ("open", "steps", {}, 3, [], Terms(ClockTerms(45, 120), away="wait")) == host.said[0]


def test_a_private_table_is_opened_by_one_more_choice() -> None:
    host = Host()

    async def play(one: Pilot, hall: Hall) -> None:
        await one.keys("o22")
        await one.settle()
        assert "Private: no" in one.text()
        await one.keys("4")
        assert "Private: only who is told its name can find it" in one.text()
        await one.keys("1")
        await one.settle()

    assert visited(host, play).joined
    assert [("open", "duo", {}, 2, [], "private"), ("join", "t-9", "seat")] == host.said


def test_a_private_table_is_found_by_its_name_however_it_is_typed_and_marked_in_the_own_list() -> None:
    async def play(one: Pilot, hall: Hall) -> None:
        assert "Duo        waiting, 1 of 2 chairs free, private" in one.text()
        await one.keys("pP 7kq4m 2xp9d 4tv8h\r")
        assert "p-7kq4m-2xp9d-4tv8h" in one.text()
        await one.keys("2")

    host = Host([ROWS[0], TableRow("p-0000a-0000b-0000c", "duo", "lobby", 2, 1)])
    assert visited(host, play).joined
    assert [("join", "p-7kq4m-2xp9d-4tv8h", "watch")] == host.said


def test_what_can_be_no_name_of_a_private_table_is_not_sent() -> None:
    async def play(one: Pilot, hall: Hall) -> None:
        await one.keys("pp-7kq4m\r")
        await one.shows("There is no such table.")
        assert "Tables of this host" in one.text()

    host = Host()
    assert not visited(host, play).joined
    assert [] == host.said


def test_the_hall_tells_what_is_in_the_purse() -> None:
    async def play(one: Pilot, hall: Hall) -> None:
        await one.shows("In your purse at this host: 250 chips")

    visited(Host(), play)


def test_a_number_outside_its_bounds_is_not_taken() -> None:
    async def play(one: Pilot, hall: Hall) -> None:
        await one.keys("o1")
        await one.keys("2")
        await one.settle()
        await one.keys("2")
        await one.keys("\x7f\x7f101\r")
        assert "0 to 100" in one.text()
        await one.keys("\x7f\x7f\x7f99\r")
        assert "stake: 99" in one.text().replace("Chips per place", "stake")

    visited(Host(), play)


def test_a_new_table_comes_into_the_list_and_the_cursor_stays_with_its_table() -> None:
    host = Host()

    async def play(one: Pilot, hall: Hall) -> None:
        await one.keys("\x1b[B")
        host.told = Tables([TableRow("t-0", "duo", "lobby", 2, 2), *ROWS], GAMES)
        await hall.refresh()
        await one.shows("t-0")
        await one.keys("\r")
        await one.shows("Sit down")
        assert "Duo" in one.text()
        assert "t-2" in one.text()

    visited(host, play)


def test_esc_goes_back_step_by_step_and_q_leaves() -> None:
    async def play(one: Pilot, hall: Hall) -> None:
        await one.keys("o1")
        await one.keys("\x1b")
        assert "Open another table" in one.text()
        await one.keys("\x1b")
        assert "Tables of this host" in one.text()
        await one.keys("q")
        assert not one.client.app.is_running

    assert not visited(Host(), play).joined


def test_a_host_that_goes_away_is_told() -> None:
    host = Host()

    async def play(one: Pilot, hall: Hall) -> None:
        host.trouble = ConnectionOver("shutdown")
        await hall.refresh()
        await one.shows("You are no longer at this table")

    visited(host, play)


# by lines


def by_lines(host: Host, *typed: str) -> tuple[bool, list[str]]:
    """Choose by typing lines; return whether a table was joined, and what was said."""
    said: list[str] = []
    waiting: Iterator[str] = iter(typed)
    words = words_for([catalogue("carteado.core", "en"), own_catalogue("en")], {})

    async def read() -> str | None:
        return next(waiting, None)

    return asyncio.run(HallLines(host, words, read, said.append).choose()), said


def test_lines_list_the_tables_and_a_number_sits_down() -> None:
    host = Host()
    joined, said = by_lines(host, "1")
    assert joined
    assert "1. Ten Steps (t-1): waiting, 3 of 4 chairs free" in said
    assert [("join", "t-1", "seat")] == host.said


def test_lines_watch_open_and_leave() -> None:
    watching, opening = Host(), Host()
    assert by_lines(watching, "w 2")[0]
    assert by_lines(opening, "o", "1", "3", "")[0]
    assert not by_lines(Host(), "hm", "9", "q")[0]
    assert not by_lines(Host())[0]
    assert [("join", "t-2", "watch")] == watching.said
    assert [("open", "steps", {}, 4, []), ("join", "t-9", "seat")] == opening.said


def test_lines_open_a_private_table_and_find_one_by_its_name() -> None:
    opening, sitting, watching = Host(), Host([TableRow("p-0000a-0000b-0000c", "duo", "lobby", 2, 1)]), Host()
    assert by_lines(opening, "o 1 3 2")[0]
    joined, said = by_lines(sitting, "P-7KQ4M-2XP9D-4TV8H")
    assert joined
    assert "1. Duo (p-0000a-0000b-0000c): waiting, 1 of 2 chairs free, private" in said
    assert by_lines(watching, "w p-7kq4m-2xp9d-4tv8h")[0]
    assert [("open", "steps", {}, 4, [], "private"), ("join", "t-9", "seat")] == opening.said
    assert [("join", "p-7kq4m-2xp9d-4tv8h", "seat")] == sitting.said
    assert [("join", "p-7kq4m-2xp9d-4tv8h", "watch")] == watching.said


def test_lines_say_why_not() -> None:
    host = Host()
    host.trouble = Refusal("full", "Every chair is taken.")
    joined, said = by_lines(host, "2", "q")
    assert not joined
    assert "Every chair is taken." in said
