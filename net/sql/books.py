"""Questions to the books in SQL. Each takes a connection in a transaction of its own, so that what it reads is of one moment."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, func, literal, or_, select

from ..books import Standing, Tally
from ..configurable import CHIPS
from ..purse import MATCH, account
from ..ratings import Rating
from . import schema

accounts, bookings, postings = schema.accounts.c, schema.bookings.c, schema.postings.c
_PLAYER = literal("player/")
matches, players, ratings, results = schema.matches.c, schema.players.c, schema.ratings.c, schema.results.c


@dataclass(frozen=True)
class Player:
    """Somebody who has played here."""

    key: str
    name: str


def balances(connection: Connection) -> dict[str, int]:
    """Return every account and what is in it."""
    return {name: int(balance) for name, balance in connection.execute(select(accounts.id, accounts.balance))}


def purses(connection: Connection) -> list[dict[str, Any]]:
    """Return the accounts with their players' names, the richest first; the house and the opening last."""
    name = func.coalesce(players.name, accounts.id)
    joined = schema.accounts.outerjoin(schema.players, accounts.id == _PLAYER.concat(players.key))
    rows = connection.execute(select(accounts.id, name, accounts.balance).select_from(joined)).all()
    listed = [{"player": shown, "key": id.removeprefix("player/")[:16], "chips": int(balance)} for id, shown, balance in rows]
    return sorted(listed, key=lambda row: (row["player"] == row["key"], -row["chips"], row["player"]))


def found(connection: Connection, who: str) -> list[Player]:
    """Return the players of this name, or whose key begins so."""
    wanted = or_(players.name == who, players.key.startswith(who.lower(), autoescape=True)) if who else players.key.is_not(None)
    return [Player(*row) for row in connection.execute(select(players.key, players.name).where(wanted).order_by(players.name, players.key))]


def history(connection: Connection, key: str, most: int = 100) -> list[dict[str, Any]]:
    """Return a player's newest bookings, the newest first, with what was in the purse after each."""
    mine = f"player/{key}"
    joined = schema.postings.join(schema.bookings, postings.booking == bookings.id)
    asked = (
        select(bookings.id, bookings.at, bookings.kind, bookings.ref, bookings.memo, func.sum(postings.amount))
        .select_from(joined).where(postings.account == mine)
        .group_by(bookings.id, bookings.at, bookings.kind, bookings.ref, bookings.memo).order_by(bookings.id.desc()).limit(most)
    )  # fmt: skip
    after = int(connection.scalar(select(accounts.balance).where(accounts.id == mine)) or 0)
    rows = []
    for _, at, kind, ref, memo, amount in connection.execute(asked):
        rows.append({"at": at, "kind": kind, "game": json.loads(memo).get("game", ""), "chips": int(amount), "after": after, "ref": ref})
        after -= int(amount)
    return rows


def tallies(connection: Connection, key: str | None = None, game: str | None = None) -> dict[str, list[Tally]]:
    """Return how players (by key) did in each game, or one player in one game."""
    joined = schema.results.join(schema.matches, results.match == matches.id)
    asked = select(
        results.player, matches.game, results.place, results.gone, func.count(), func.sum(results.points), func.sum(results.chips)
    ).select_from(joined)  # fmt: skip
    asked = asked.where(results.player == key) if key is not None else asked.where(results.player.is_not(None))
    if game is not None:
        asked = asked.where(matches.game == game)
    told: dict[str, dict[str, Tally]] = {}
    for player, name, place, gone, times, points, chips in connection.execute(
        asked.group_by(results.player, matches.game, results.place, results.gone)
    ):
        told.setdefault(player, {}).setdefault(name, Tally(name)).add(place, int(points), int(chips), gone, times)
    rates = select(ratings.player, ratings.game, ratings.mu, ratings.sigma, ratings.matches)
    for player, name, *numbers in connection.execute(rates.where(ratings.player == key) if key is not None else rates):
        if player in told and name in told[player]:
            told[player][name].rating = Rating(*numbers)
    return {player: [games[name] for name in sorted(games)] for player, games in told.items()}


def bots(connection: Connection, game: str | None = None) -> list[tuple[str, str, Rating]]:
    """Return the ratings of computer players: level, game, rating."""
    asked = select(ratings.player, ratings.game, ratings.mu, ratings.sigma, ratings.matches).where(ratings.player.startswith("bot/"))
    rows = connection.execute(asked.order_by(ratings.game, ratings.player)).all()
    return [(row[0].removeprefix("bot/"), row[1], Rating(*row[2:])) for row in rows if game in (None, row[1])]


def standing(connection: Connection, key: bytes, first: int = CHIPS) -> Standing:
    """Return how a player stands."""
    chips = connection.scalar(select(accounts.balance).where(accounts.id == account(key)))
    games = tallies(connection, key.hex()).get(key.hex(), [])
    return Standing(int(chips) if chips is not None else first, tuple(games))


def audit(connection: Connection) -> Sequence[str]:
    """Return a sentence for everything that does not add up; none: the books are right."""
    faults = []
    total = int(connection.scalar(select(func.coalesce(func.sum(postings.amount), 0))) or 0)
    if total:
        faults.append(f"all postings together are {total} instead of 0")
    unbalanced = select(postings.booking, func.sum(postings.amount)).group_by(postings.booking).having(func.sum(postings.amount) != 0)
    faults += [f"booking {id} sums to {amount} instead of 0" for id, amount in connection.execute(unbalanced)]
    empty = select(bookings.id).where(~select(postings.booking).where(postings.booking == bookings.id).exists())
    faults += [f"booking {id} moves nothing" for (id,) in connection.execute(empty)]
    sums = select(postings.account, func.sum(postings.amount).label("amount")).group_by(postings.account).subquery()
    kept = select(accounts.id, accounts.balance, func.coalesce(sums.c.amount, 0)).select_from(
        schema.accounts.outerjoin(sums, accounts.id == sums.c.account)
    ).where(accounts.balance != func.coalesce(sums.c.amount, 0))  # fmt: skip
    faults += [f"account {id} says {said}, and its postings sum to {real}" for id, said, real in connection.execute(kept)]
    return [*faults, *_matches(connection)]


def _matches(connection: Connection) -> list[str]:
    """Compare what matches came to with what was booked for them."""
    won = (
        select(results.match, results.player, func.sum(results.chips).label("chips"))
        .where(results.player.is_not(None)).group_by(results.match, results.player).subquery()
    )  # fmt: skip
    booked = (
        select(bookings.match, postings.account, func.sum(postings.amount).label("chips"))
        .select_from(schema.postings.join(schema.bookings, postings.booking == bookings.id))
        .where(bookings.kind == MATCH).group_by(bookings.match, postings.account).subquery()
    )  # fmt: skip
    same = and_(won.c.match == booked.c.match, booked.c.account == _PLAYER.concat(won.c.player))
    asked = (
        select(won.c.match, won.c.player, won.c.chips, func.coalesce(booked.c.chips, 0))
        .select_from(won.outerjoin(booked, same)).where(won.c.chips != func.coalesce(booked.c.chips, 0))
    )  # fmt: skip
    faults = [f"match {id} gave {player[:16]} {gave} chips, and {real} were booked" for id, player, gave, real in connection.execute(asked)]
    twice = select(bookings.match, func.count()).where(bookings.kind == MATCH).group_by(bookings.match).having(func.count() > 1)
    return faults + [f"match {id} was settled {times} times" for id, times in connection.execute(twice)]
