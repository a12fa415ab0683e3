"""Chips: one purse a player for all games, kept as a ledger of double entries in which every booking sums to zero.

Accounts are `player/KEY`, `house` (computer players settle with it, and it takes what cannot be shared) and `opening`, from which
everybody has got the first chips. What a match comes to is booked with the entry that ends it: both are kept or none.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from carteado.core.chips import FREE
from carteado.core.errors import Refused
from carteado.core.match import Match

from .configurable import CHIPS
from .store import BookingRecord, Finish, PlayerRecord, RankingRecord, Record, ResultRecord

if TYPE_CHECKING:
    from .tables import Table

HOUSE: Final = "house"
OPENING: Final = "opening"
OPENED, MATCH = "opening", "match"
"""Kinds of bookings."""


def account(key: bytes | None) -> str:
    """Return the account of a player, the house's for a computer player (None)."""
    return HOUSE if key is None else f"player/{key.hex()}"


def opening(key: bytes, chips: int) -> BookingRecord:
    """Return the booking of a player's first chips; made any number of times it counts once."""
    return BookingRecord(f"{OPENED}/{key.hex()}", OPENED, ((account(key), chips), (OPENING, -chips)))


def postings(players: Sequence[bytes | None], chips: Sequence[int], house: int) -> tuple[tuple[str, int], ...]:
    """Return what a settlement moves: one line an account, none of zero, altogether zero.

    players: whose seat each is, None for computer players. chips: by seat; house: the house's share. Raises: ValueError if chips
    and share do not sum to zero.
    """
    if sum(chips) + house:
        raise ValueError(f"a settlement of {sum(chips) + house} chips more than there are")
    moved = {HOUSE: house}
    for key, amount in zip(players, chips, strict=True):
        moved[account(key)] = moved.get(account(key), 0) + amount
    return tuple((name, amount) for name, amount in sorted(moved.items()) if amount)


def places(groups: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return the place of each seat, 1 for the best; tied seats share the better place."""
    found, place = {}, 1
    for group in groups:
        for seat in group:
            found[seat] = place
        place += len(group)
    return found


def rival(key: bytes | None, bot: str | None) -> str:
    """Return under which name a seat is rated: the player's key, or the level of a computer player."""
    return key.hex() if key is not None else f"bot/{bot or 'rule'}"


def ranked(match: Match, players: Sequence[bytes | None], bots: Sequence[str | None]) -> tuple[tuple[tuple[str, ...], ...], ...]:
    """Return who is rated against whom: groups of tied teams, best first. Who left freely is not in it."""
    assert match.end is not None
    done: set[int] = set()
    groups = []
    for group in match.end["places"]:
        teams = []
        for seat in group:
            if seat not in done:
                mates = sorted(match.teams[seat]) if match.teams else [seat]
                done.update(mates)
                teams.append(tuple(rival(players[mate], bots[mate]) for mate in mates))
        if teams:
            groups.append(tuple(teams))
    return tuple(groups)


def settled(table: Table) -> list[Record]:
    """Return what is to be kept of a table's match that is over: result, chips, ratings."""
    match = table.match
    assert match is not None
    assert match.end is not None
    at = places(match.end["places"])
    bots = [None if key is not None else str(seat["bot"] or "rule") for key, seat in zip(table.players, match.seats, strict=True)]
    finishes = tuple(
        Finish(
            seat, table.players[seat], match.seats[seat]["name"], bots[seat], at.get(seat), match.table.points(seat),
            match.end["chips"][seat], match.left.get(seat),
        )
        for seat in match.table.players
    )  # fmt: skip
    records: list[Record] = [ResultRecord(table.id, table.number, finishes)]
    lines = postings(table.players, match.end["chips"], match.end["house"])
    if lines:
        memo: Mapping[str, Any] = {"game": match.game.name, "stake": match.options["stake"], "places": match.end["places"]}
        records.append(BookingRecord(f"{MATCH}/{table.ref}", MATCH, lines, table.id, table.number, memo))
    if any(table.players):
        records.append(RankingRecord(match.game.name, ranked(match, table.players, bots)))
    return records


class Purses:
    """What everybody has, as this host knows it. first: the chips of somebody new. covered: whether they must cover the worst.

    Hosts that share a database each know what they have read last; the books themselves are always right.
    """

    def __init__(self, first: int = CHIPS) -> None:
        self.first = first
        self.covered = True
        self.balances: dict[str, int] = {}

    def of(self, key: bytes) -> int:
        """Return what a player has."""
        return self.balances.get(account(key), self.first)

    def note(self, records: Sequence[Record]) -> None:
        """Take in what was booked."""
        for record in records:
            if not isinstance(record, BookingRecord) or (record.kind == OPENED and record.postings[0][0] in self.balances):
                continue
            for name, amount in record.postings:
                self.balances[name] = self.balances.get(name, 0) + amount

    def demand(self, table: Table, key: bytes) -> None:
        """See that a player can pay the most that a match at a table can cost. Raises: Refused("chips_short")."""
        worst = worst_case(table)
        if self.covered and worst is not None and self.of(key) < worst:
            raise Refused("chips_short", need=worst, has=self.of(key))

    def begin(self, table: Table) -> list[Record]:
        """Return what is to be kept when a match begins: who plays, and the first chips of those who are new."""
        records: list[Record] = []
        for chair in table.chairs:
            if chair.person and chair.key is not None:
                records.append(PlayerRecord(chair.key, chair.name))
                if self.first and account(chair.key) not in self.balances:
                    records.append(opening(chair.key, self.first))
        return records


def worst_case(table: Table) -> int | None:
    """Return the most chips that a match at a table can cost a player, None where the game settles itself and nothing bounds it."""
    players = max(len(table.chairs), table.places)
    return None if table.settles else int(table.options["stake"]) * (players - 1)


def left_free(how: str | None) -> bool:
    """Tell whether somebody left so early that the match does not count for them."""
    return how == FREE


def new_ref() -> str:
    """Return a name for a match that no other has."""
    return secrets.token_hex(8)
