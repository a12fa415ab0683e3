"""What can be asked of the books: balances, a player's history and standing, and whether everything adds up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from .configurable import CHIPS
from .memory import MemoryStore
from .protocol import GameTally, Purse
from .purse import account, left_free
from .ratings import Rating, rated
from .store import Finish


@dataclass
class Tally:
    """How a player did in one game. places: how often at each place. rating: None before the first rated match."""

    game: str
    played: int = 0
    won: int = 0
    left: int = 0
    points: int = 0
    chips: int = 0
    places: dict[int, int] = field(default_factory=dict)
    rating: Rating | None = None

    def add(self, place: int | None, points: int, chips: int, gone: str | None, times: int = 1) -> None:
        """Add finished matches; those that were left before they counted are not among them."""
        if left_free(gone):
            return
        self.played += times
        self.points += points
        self.chips += chips
        if gone in ("penalty", "loss"):
            self.left += times
        elif place == 1:
            self.won += times
        if place is not None:
            self.places[place] = self.places.get(place, 0) + times


@dataclass(frozen=True)
class Standing:
    """A player's purse and tallies, by game."""

    chips: int
    games: tuple[Tally, ...]


@runtime_checkable
class Books(Protocol):
    """A store that can be asked. Both questions raise StoreFailure."""

    async def balances(self) -> Mapping[str, int]:
        """Return every account and what is in it."""

    async def standing(self, key: bytes, first: int = CHIPS) -> Standing:
        """Return how a player stands; `first`: the chips of somebody unknown."""


class MemoryBooks:
    """Ask a store in memory."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    async def balances(self) -> Mapping[str, int]:
        """Return every account and what is in it."""
        found: dict[str, int] = {}
        for booking in self._store.bookings.values():
            for name, amount in booking.postings:
                found[name] = found.get(name, 0) + amount
        return found

    async def standing(self, key: bytes, first: int = CHIPS) -> Standing:
        """Return how a player stands."""
        tallies: dict[str, Tally] = {}
        for result, game in self._store.played:
            for finish in result.finishes:
                if finish.player == key:
                    add(tallies, game, finish)
        for game, tally in tallies.items():
            tally.rating = self._rating(game, key.hex())
        chips = (await self.balances()).get(account(key), first)
        return Standing(chips, tuple(tallies[game] for game in sorted(tallies)))

    def _rating(self, game: str, player: str) -> Rating | None:
        known: dict[str, Rating] = {}
        for record in self._store.rankings:
            if record.game == game:
                known |= rated(known, record.groups)
        return known.get(player)


def add(tallies: dict[str, Tally], game: str, finish: Finish) -> None:
    """Add how a match ended for a seat."""
    tallies.setdefault(game, Tally(game)).add(finish.place, finish.points, finish.chips, finish.gone)


def books(store: object) -> Books | None:
    """Return how a store is asked, None for one that cannot be."""
    if isinstance(store, MemoryStore):
        return MemoryBooks(store)
    return store if isinstance(store, Books) else None


def told(standing: Standing) -> Purse:
    """Return a standing as it is told on the wire."""
    games = []
    for tally in standing.games:
        places = [tally.places.get(place, 0) for place in range(1, max(tally.places, default=0) + 1)]
        rating = tally.rating
        mean, unsure = (None, None) if rating is None else (round(rating.mu * 100), round(rating.sigma * 100))
        games.append(GameTally(tally.game, tally.played, tally.won, tally.left, tally.points, tally.chips, places, mean, unsure))
    return Purse(standing.chips, games)
