"""The commands `ledger` and `stats`: what is in the books, read while hosts go on writing."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sqlalchemy import Connection

from .books import Tally
from .console import rendered
from .errors import NetError
from .ratings import Rating
from .sql import books
from .sql.engine import looking, reading, told
from .sql.place import Place

T = TypeVar("T")


class NoPlayer(NetError):
    """Refuse a name that is nobody's, or that several have. wrong_use: another one would have helped."""

    wrong_use = True


def ask(store: str, question: Callable[[Connection], T]) -> T:
    """Return what a question comes to, asked of one moment. Raises: StoreFailure."""
    place = Place.parse(store)
    with told(place), reading(place).connect() as connection, looking(connection):
        return question(connection)


def one(connection: Connection, who: str) -> books.Player:
    """Return the player of this name, or whose key begins so. Raises: NoPlayer."""
    found = books.found(connection, who)
    if len(found) != 1:
        if not found:
            raise NoPlayer(f"nobody called {who!r} has played here")
        said = ", ".join(f"{player.name} {player.key[:16]}" for player in found[:10])
        raise NoPlayer(f"{who!r} names several players; say the beginning of a key: {said}")
    return found[0]


def show_balances(store: str, as_json: bool) -> int:
    """Print everybody's purse; return the exit status."""
    print(rendered(ask(store, books.purses), as_json))
    return 0


def show_history(store: str, who: str, most: int, as_json: bool) -> int:
    """Print a player's newest bookings; return the exit status."""
    rows = ask(store, lambda connection: books.history(connection, one(connection, who).key, most))
    for row in rows if not as_json else ():
        row["at"] = time.strftime("%Y-%m-%d %H:%M", time.localtime(row["at"]))
        row["chips"] = f"{row['chips']:+d}"
    print(rendered(rows, as_json))
    return 0


def show_audit(store: str, as_json: bool) -> int:
    """Check that the books add up; print what does not; return 0 when all does, else 1."""
    faults, accounts = ask(store, lambda connection: (books.audit(connection), books.balances(connection)))
    if as_json:
        print(json.dumps({"ok": not faults, "accounts": len(accounts), "faults": list(faults)}, ensure_ascii=False))
    elif faults:
        print("\n".join(faults))
    else:
        print(f"The books of {len(accounts)} accounts add up: every booking, every account and every match.")
    return 1 if faults else 0


def show_stats(store: str, who: str | None, game: str | None, as_json: bool) -> int:
    """Print how everybody, or one player, did in each game; return the exit status."""

    def question(connection: Connection) -> list[dict[str, Any]]:
        key = one(connection, who).key if who is not None else None
        names = {player.key: player.name for player in books.found(connection, key or "")}
        told = books.tallies(connection, key, game)
        rows = [_row(names.get(player, "?"), player[:16], tally) for player, tallies in told.items() for tally in tallies]
        if who is None:
            rows += [_level(*bot) for bot in books.bots(connection, game)]
        return rows

    rows = ask(store, question)
    rows.sort(key=lambda row: (row["game"], -(row["rating"] if isinstance(row["rating"], float) else -999.0), row["player"]))
    print(rendered(rows, as_json))
    return 0


def _row(name: str, key: str, tally: Tally) -> dict[str, Any]:
    average = sum(place * times for place, times in tally.places.items()) / max(1, sum(tally.places.values()))
    return {
        "game": tally.game, "player": name, "key": key, "played": tally.played, "won": tally.won, "left": tally.left,
        "place": round(average, 2) if tally.places else "-", "points": tally.points, "chips": tally.chips,
        "rating": round(tally.rating.shown, 2) if tally.rating is not None else "-",
    }  # fmt: skip


def _level(level: str, game: str, rating: Rating) -> dict[str, Any]:
    blank: Sequence[str] = ("won", "left", "place", "points", "chips")
    return {
        "game": game, "player": f"computer ({level})", "key": "-", "played": rating.matches, **dict.fromkeys(blank, "-"),
        "rating": round(rating.shown, 2),
    }  # fmt: skip
