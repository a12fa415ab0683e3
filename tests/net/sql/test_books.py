"""The books in SQL: real matches of one host or two are in them once, every sum is right, and damage is found."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import NullPool, create_engine, text

from carteado.net.keys import KeyPair, fingerprint
from carteado.net.ledger import NoPlayer, ask, one
from carteado.net.purse import account, opening
from carteado.net.settings import TableSpec
from carteado.net.sql import books
from carteado.net.sql.place import Place
from carteado.net.sql.store import opened
from carteado.net.store import BookingRecord, PlayerRecord, RankingRecord

from ..rooms import hosting, run, sitting
from ..test_purse import play
from .records import ANA, RUI
from .test_store import keep

TWO = TableSpec("high-card", chairs=2, options={"stake": 10, "hands": 1})


async def match_of(host: Any, ana: KeyPair, rui: KeyPair, m: str = "t-1") -> dict[bytes, int]:
    """Let two play a match; return the chips of each."""
    async with sitting(host, "Ana", ana, m) as one, sitting(host, "Rui", rui, m) as other:
        await one.ready()
        await other.ready()
        for peer in (one, other):
            await peer.until(lambda p: p.view is not None and p.view["phase"] != "over")
        await asyncio.gather(play(one), play(other))
        assert one.view is not None
        chips = one.view["end"]["chips"]
        return {peer.keys.public: chips[peer.seat] for peer in (one, other)}


def played(url: str, ana: KeyPair, rui: KeyPair, matches: int = 1, host: KeyPair | None = None) -> dict[bytes, int]:
    """Let one host run for some matches; return what they came to."""
    keys = host or KeyPair.make()

    async def test() -> dict[bytes, int]:
        total = {ana.public: 0, rui.public: 0}
        async with hosting(TWO, store=opened(url, fingerprint(keys.public)), keys=keys) as running:
            for _ in range(matches):
                for key, chips in (await match_of(running, ana, rui)).items():
                    total[key] += chips
        return total

    came: dict[bytes, int] = run(test())
    return came


@pytest.fixture
def people() -> tuple[KeyPair, KeyPair]:
    return KeyPair.make(), KeyPair.make()


@pytest.mark.slow
def test_matches_of_one_host_after_the_other_are_all_in_one_purse(url: str, people: tuple[KeyPair, KeyPair]) -> None:
    keys = KeyPair.make()
    first, second = played(url, *people, matches=2, host=keys), played(url, *people, host=keys)
    balances = ask(url, books.balances)
    for key in (pair.public for pair in people):
        assert 1000 + first[key] + second[key] == balances[account(key)]
    assert 0 == sum(balances.values())
    assert [] == list(ask(url, books.audit))
    tallies = ask(url, lambda connection: books.tallies(connection, people[0].public.hex()))
    (tally,) = tallies[people[0].public.hex()]
    assert ("high-card", 3) == (tally.game, tally.played)
    assert tally.rating is not None
    assert 3 == tally.rating.matches


@pytest.mark.slow
def test_two_hosts_on_one_server_share_players_purses_and_history(postgresql: str, people: tuple[KeyPair, KeyPair]) -> None:
    from . import postgres

    async def test(place: str) -> None:
        hosts = [KeyPair.make(), KeyPair.make()]
        stores = [opened(place, fingerprint(keys.public)) for keys in hosts]
        more = replace(TWO, id="t-2")
        async with hosting(TWO, store=stores[0], keys=hosts[0]) as here, hosting(TWO, more, store=stores[1], keys=hosts[1]) as there:
            others = (KeyPair.make(), KeyPair.make())
            came = await asyncio.gather(match_of(here, *people), match_of(there, *others))
            came += [await match_of(there, *people, m="t-2")]
            total = {key: sum(chips.get(key, 0) for chips in came) for key in (pair.public for pair in (*people, *others))}
            async with sitting(here, "Ana", people[0]) as ana:  # she sees at one host what she has won at the other
                purse = await ana.purse()
            assert (1000 + total[people[0].public], 2) == (purse.chips, purse.games[0].played)
        assert {key: 1000 + chips for key, chips in total.items()} == {
            key: ask(place, books.balances)[account(key)] for key in total
        }
        assert 2 == len([row for row in ask(place, lambda c: books.history(c, people[0].public.hex())) if row["kind"] == "match"])
        assert [] == list(ask(place, books.audit))

    with postgres.database(postgresql) as place:
        run(test(place), 60)


def test_ratings_of_many_matches_in_one_batch_follow_each_other(url: str) -> None:
    ranking = RankingRecord("high-card", (((ANA.hex(),),), (("bot/rule",),)))
    keep(url, [PlayerRecord(ANA, "Ana"), ranking, ranking], [ranking])
    ((level, game, rating),) = ask(url, books.bots)
    assert ("rule", "high-card", 3) == (level, game, rating.matches)
    assert rating.mu < 25.0


def test_a_history_tells_what_was_in_the_purse_after_each_booking(url: str) -> None:
    lines = [BookingRecord(f"match/{n}", "match", ((account(ANA), n), ("house", -n))) for n in (5, -30)]
    keep(url, [PlayerRecord(ANA, "Ana"), opening(ANA, 1000), *lines])
    rows = ask(url, lambda connection: books.history(connection, ANA.hex()))
    assert [(-30, 975), (5, 1005), (1000, 1000)] == [(row["chips"], row["after"]) for row in rows]


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ("UPDATE accounts SET balance = balance + 1 WHERE id = 'house'", "account house says 1, and its postings sum to 0"),
        ("UPDATE postings SET amount = amount + 1 WHERE account = 'opening'", "all postings together are 1 instead of 0"),
        ("INSERT INTO bookings (ref, kind, host, at) VALUES ('x', 'match', 'h', 0)", "moves nothing"),
    ],
)
def test_an_audit_finds_what_was_changed(url: str, damage: str, sentence: str) -> None:
    keep(url, [opening(ANA, 1000), BookingRecord("zero", "match", ((account(ANA), 5), ("house", -5), ("house", 5), (account(ANA), -5)))])
    assert [] == list(ask(url, books.audit))
    place = Place.parse(url)
    with create_engine(place.url, poolclass=NullPool).begin() as connection:
        connection.execute(text(damage))
    assert any(sentence in fault for fault in ask(url, books.audit))


def test_players_are_found_by_name_or_key(url: str) -> None:
    keep(url, [PlayerRecord(ANA, "Ana"), PlayerRecord(RUI, "Ana")])
    assert RUI.hex() == ask(url, lambda connection: one(connection, RUI.hex()[:6])).key
    for who, why in (("Ana", "names several players"), ("Eva", "nobody called")):
        with pytest.raises(NoPlayer, match=why):
            ask(url, lambda connection, who=who: one(connection, who))  # type: ignore[misc]


def carteado(home: Path, *words: str) -> tuple[int, str, str]:
    """Run a command; return status, output and errors."""
    done = subprocess.run(
        [sys.executable, "-P", "-m", "carteado.cli", *words], env=os.environ | {"CARTEADO_HOME": str(home), "LC_ALL": "C"},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


@pytest.mark.slow
def test_the_commands_tell_balances_history_stats_and_the_audit(tmp_path: Path) -> None:
    store = str(tmp_path / "store.db")
    lines = [opening(ANA, 1000), BookingRecord("m", "match", ((account(ANA), 30), ("house", -30)))]
    keep(store, [PlayerRecord(ANA, "Ana"), *lines, RankingRecord("high-card", (((ANA.hex(),),), (("bot/rule",),)))])
    status, out, _ = carteado(tmp_path, "ledger", "--store", store)
    assert (0, ["player   key               chips", f"Ana      {ANA.hex()[:16]}  1030"]) == (status, out.splitlines()[:2])
    status, out, _ = carteado(tmp_path, "ledger", "--store", store, "--json", "history", "Ana")
    assert [(30, 1030), (1000, 1000)] == [(row["chips"], row["after"]) for row in json.loads(out)]
    assert (0, "The books of 3 accounts add up: every booking, every account and every match.\n") == carteado(
        tmp_path, "ledger", "--store", store, "audit"
    )[:2]
    with create_engine(f"sqlite:///{store}", poolclass=NullPool).begin() as connection:
        connection.execute(text("UPDATE accounts SET balance = 7 WHERE id = 'house'"))
    status, out, _ = carteado(tmp_path, "ledger", "--store", store, "audit")
    assert (1, "account house says 7, and its postings sum to -30\n") == (status, out)
    status, out, _ = carteado(tmp_path, "stats", "--store", store, "--json")
    assert [("high-card", "computer (rule)", 1)] == [(row["game"], row["player"], row["played"]) for row in json.loads(out)]
    status, _, err = carteado(tmp_path, "stats", "--store", store, "Eva")
    assert (2, "carteado stats: nobody called 'Eva' has played here\n") == (status, err)
    status, _, err = carteado(tmp_path, "ledger", "--store", str(tmp_path / "none.db"))
    assert (1, 1) == (status, err.count("\n"))
