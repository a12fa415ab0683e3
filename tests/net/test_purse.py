"""Chips: every settlement sums to zero, the leaving rules hold to the last chip, and what is booked is what the match came to."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from carteado.core.chips import FREE, LOSS, PENALTY, by_place
from carteado.net.books import MemoryBooks
from carteado.net.configurable import CHIPS
from carteado.net.errors import Refusal
from carteado.net.memory import MemoryStore
from carteado.net.purse import HOUSE, OPENING, Purses, account, opening, places, postings
from carteado.net.ratings import NEW, Rating, rated
from carteado.net.settings import TableSpec
from carteado.net.store import Record

from .rooms import Steady, hosting, run, sitting, visiting

KEYS = [bytes([n]) * 32 for n in range(10)]


@dataclass
class Ending:
    """A match that is over, for a settlement by place."""

    stake: int
    players: int
    groups: list[list[int]]
    left: dict[int, str] = field(default_factory=dict)


def drawn(rng: random.Random) -> Ending:
    """Draw how a match could end: ties, who left for what (a leaver stands last; a free one nowhere), any stake."""
    players = rng.randint(2, 10)
    order = rng.sample(range(players), players)
    hows = rng.choices((None, FREE, PENALTY, LOSS), (6, 1, 2, 1), k=players)
    left = {seat: how for seat, how in zip(order, hows, strict=True) if how is not None}
    stay = [seat for seat in order if seat not in left]
    groups: list[list[int]] = []
    for seat in stay:
        if groups and rng.random() < 0.25:
            groups[-1].append(seat)
        else:
            groups.append([seat])
    groups += [[seat] for seat in order if left.get(seat, FREE) != FREE]
    return Ending(rng.choice((0, 1, 3, 10, 997, rng.randint(0, 10**6))), players, groups, left)


def check(ending: Ending, players: list[bytes | None]) -> None:
    """Settle once and see that everything holds."""
    chips, house = by_place(ending.stake, ending.players, ending.groups, ending.left)
    lines = postings(players, chips, house)
    assert sum(amount for _, amount in lines) == 0
    assert len(lines) == len({name for name, _ in lines})
    at, n = places(ending.groups), ending.players - list(ending.left.values()).count(FREE)
    for seat, how in ending.left.items():
        if how == FREE:
            assert chips[seat] == 0
        elif how == PENALTY:
            assert chips[seat] == -ending.stake * (n - 1) or at[seat] == 1
        else:
            assert chips[seat] <= 0 or at[seat] == 1
    staying = [seat for seat in at if seat not in ending.left]
    first = set(ending.groups[0]) if ending.groups else set()
    for seat in staying:
        size = sum(at[other] == at[seat] for other in at)
        even = ending.stake * (n + 1 - 2 * at[seat] - (size - 1))
        assert chips[seat] >= even if seat in first else chips[seat] == even
    assert len({chips[seat] for seat in first if seat not in ending.left}) <= 1
    assert 0 <= house < max(1, len(first)) or not staying


def settle_many(times: int, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(times):
        ending = drawn(rng)
        players = [KEYS[seat] if rng.random() < 0.6 else None for seat in range(ending.players)]
        check(ending, players)


def test_random_finishes_settle_to_zero_and_keep_every_rule() -> None:
    settle_many(20_000, seed=1)


@pytest.mark.long
def test_millions_of_random_finishes_settle_to_zero_and_keep_every_rule() -> None:
    settle_many(3_000_000, seed=2)


def test_computer_players_settle_with_the_house() -> None:
    chips, house = by_place(10, 4, [[0], [1], [2], [3]])
    lines = dict(postings([KEYS[0], None, KEYS[2], None], chips, house))
    assert {account(KEYS[0]): 30, account(KEYS[2]): -10, HOUSE: -20} == lines


def test_computer_players_alone_move_nothing() -> None:
    assert () == postings([None, None], [10, -10], 0)


def test_a_settlement_that_does_not_sum_to_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="1 chips more"):
        postings([KEYS[0], None], [10, -9], 0)


def test_the_first_chips_are_booked_once() -> None:
    purses, booking = Purses(), opening(KEYS[0], CHIPS)
    purses.note([booking, booking])
    assert {account(KEYS[0]): CHIPS, OPENING: -CHIPS} == purses.balances


def test_places_of_ties_are_shared() -> None:
    assert {3: 1, 0: 2, 1: 2, 2: 4} == places([[3], [0, 1], [2]])


# Matches at a host

TWO = TableSpec("high-card", chairs=2, options={"stake": 10, "hands": 1})
SEED = b"s0"
"""Deals in which somebody wins."""


async def play(peer: Any, hands: int | None = None) -> None:
    """Play until the match is over, or until so many hands have begun."""
    changes = peer.changes()
    try:
        while peer.view is None or peer.view["phase"] != "over":
            if peer.table is not None and peer.table.stage == "between":
                await peer.ready()
            if hands is not None and peer.view is not None and peer.view["hand"]["number"] > hands:
                return
            if peer.view is not None and peer.view["prompts"]:
                await peer.act(peer.view["prompts"][0]["id"], Steady().choose(peer.view, random.Random(0)))
            elif await anext(changes, None) is None:
                return
    finally:
        await changes.aclose()


class Noting(MemoryStore):
    """A store that notes the kinds of what it is given together."""

    commit_at_once = None

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[list[str]] = []

    async def commit(self, batch: Sequence[Record]) -> None:
        self.batches.append([type(record).__name__ for record in batch])
        await super().commit(batch)


def booked(store: MemoryStore) -> list[Any]:
    return [booking for booking in store.bookings.values() if booking.kind == "match"]


def test_a_match_is_booked_with_the_entry_that_ends_it_and_once() -> None:
    async def test() -> None:
        store = Noting()
        async with hosting(TWO, store=store, seed=SEED) as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui:
            await ana.start()
            await asyncio.gather(play(ana), play(rui))
            (booking,) = booked(store)
            assert ana.view is not None
            chips = ana.view["end"]["chips"]
            assert {account(peer.keys.public): chips[peer.seat] for peer in (ana, rui)} == dict(booking.postings)
            (last,) = [kinds for kinds in store.batches if "ResultRecord" in kinds]
            assert {"EntryRecord", "ResultRecord", "BookingRecord", "RankingRecord"} <= set(last)
            assert {account(ana.keys.public), account(rui.keys.public), OPENING} == set(host._dispatcher.purses.balances)
            assert 0 == sum(host._dispatcher.purses.balances.values())

    run(test())


def test_a_host_that_starts_again_books_nothing_twice() -> None:
    async def test() -> None:
        store = MemoryStore()
        async with hosting(TWO, store=store, seed=SEED) as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui:
            await ana.start()
            await asyncio.gather(play(ana), play(rui))
            keys, balances = (ana.keys, rui.keys), dict(host._dispatcher.purses.balances)
        async with hosting(TWO, store=store, seed=SEED) as host:
            assert balances == host._dispatcher.purses.balances
            assert 1 == len(booked(store))
            async with sitting(host, "Ana", keys[0]) as ana, sitting(host, "Rui", keys[1]) as rui:
                await ana.rematch()
                for peer in (ana, rui):
                    await peer.until(lambda p: p.view is not None and p.view["phase"] != "over")
                await asyncio.gather(play(ana), play(rui))
                assert 2 == len(booked(store))

    run(test())


def test_a_match_that_was_kept_before_there_were_purses_is_booked() -> None:
    async def test() -> None:
        store = MemoryStore()
        async with hosting(TWO, store=store, seed=SEED) as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui:
            await ana.start()
            keys = (ana.keys, rui.keys)
        kept = store.tables["t-1"]
        kept.table = replace(kept.table, players=(), ref="")
        async with hosting(TWO, store=store, seed=SEED) as host, sitting(host, "Ana", keys[0]) as ana, sitting(host, "Rui", keys[1]) as rui:
            await asyncio.gather(play(ana), play(rui))
            (booking,) = booked(store)
            assert {account(pair.public) for pair in keys} == set(dict(booking.postings))

    run(test())


def test_a_player_sees_purse_and_tally_over_the_wire() -> None:
    async def test() -> None:
        async with hosting(TWO, store=MemoryStore(), seed=SEED) as host, sitting(host, "Ana") as ana, sitting(host, "Rui") as rui:
            assert (CHIPS, []) == ((await ana.purse()).chips, (await ana.purse()).games)
            await ana.start()
            await asyncio.gather(play(ana), play(rui))
            assert ana.view is not None
            gained = ana.view["end"]["chips"][ana.seat]
            purse = await ana.purse()
            (game,) = purse.games
            assert (CHIPS + gained, "high-card", 1, gained) == (purse.chips, game.game, game.played, game.chips)
            assert game.rating is not None
            async with visiting(host, "New") as new:
                assert CHIPS == (await new.purse()).chips

    run(test())


def test_leaving_in_the_first_hand_is_free_and_later_costs_the_penalty() -> None:
    async def test() -> None:
        for hands, cost in ((0, 0), (1, -20)):
            store = MemoryStore()
            async with (
                hosting(TableSpec("high-card", chairs=3, options={"stake": 10}), store=store, seed=SEED) as host,
                sitting(host, "Ana") as ana, sitting(host, "Rui") as rui, sitting(host, "Eva") as eva,
            ):  # fmt: skip
                await ana.start()
                if hands:
                    await asyncio.gather(play(ana, hands), play(rui, hands), play(eva, hands))
                await rui.leave()
                await asyncio.gather(play(ana), play(eva))
                (booking,) = booked(store)
                assert cost == dict(booking.postings).get(account(rui.keys.public), 0)
                tallies = (await MemoryBooks(store).standing(rui.keys.public)).games
                assert [1 if cost else 0] == [tally.left for tally in tallies]
                assert [1 if cost else 0] == [tally.played for tally in tallies]

    run(test(), 60)


def test_a_purse_that_cannot_pay_the_worst_is_not_let_sit_down() -> None:
    async def test() -> None:
        dear = {"stake": 600}
        tables = [TableSpec("high-card", id=f"t-{chairs}", chairs=chairs, options=dear) for chairs in (2, 3)]
        async with hosting(*tables) as host, visiting(host, "Ana") as ana:
            with pytest.raises(Refusal) as refused:
                await ana.join("t-3")
            assert ("chips_short", {"need": 1200, "has": CHIPS}) == (refused.value.code, refused.value.data)
            await ana.join("t-3", role="watch")
            await ana.join("t-2")

    run(test())


def test_a_seat_that_is_reclaimed_settles_with_its_new_key() -> None:
    async def test() -> None:
        store = MemoryStore()
        async with hosting(TWO, store=store, seed=SEED) as host, sitting(host, "Ana") as ana, visiting(host, "Rui") as old:
            joined = await old.join("t-1")
            await ana.start()
            async with visiting(host, "Rui") as new:
                assert joined.token is not None
                await new.reclaim("t-1", 1, joined.token)
                await asyncio.gather(play(ana), play(new))
                (booking,) = booked(store)
                assert {account(ana.keys.public), account(new.keys.public)} == set(dict(booking.postings))

    run(test())


# Ratings


def test_who_wins_gains_and_who_loses_loses() -> None:
    after = rated({}, ((("a",),), (("b",),), (("c",),)))
    assert after["a"].mu > after["b"].mu > after["c"].mu
    assert [1, 1, 1] == [rating.matches for rating in after.values()]
    assert all(rating.sigma < NEW.sigma for rating in after.values())


def test_a_tie_leaves_equals_equal() -> None:
    after = rated({}, ((("a",), ("b",)),))
    assert after["a"] == after["b"]


def test_mates_of_a_team_gain_together() -> None:
    after = rated({"a": Rating(30.0, 5.0, 4)}, ((("a", "b"),), (("c", "d"),)))
    assert after["a"].mu > 30.0
    assert after["b"].mu > NEW.mu > after["c"].mu
    assert 5 == after["a"].matches


def test_one_alone_is_not_rated() -> None:
    assert {} == rated({}, ((("a",),),))


def test_a_better_player_rises_above_a_worse_one_over_many_matches() -> None:
    rng, known = random.Random(3), dict[str, Rating]()
    for _ in range(60):
        order = ["strong", "weak"] if rng.random() < 0.8 else ["weak", "strong"]
        known |= rated(known, [[[player]] for player in order])
    assert known["strong"].shown > known["weak"].shown
    assert 60 == known["strong"].matches
