"""Records as a host makes them, for tests of stores."""

from __future__ import annotations

from typing import Any

from carteado.core.match import OVER, PLAYING, Match
from carteado.net.store import ChairRecord, EntryRecord, MatchRecord, Record, Store, StoredTable, TableRecord

from ..highcard import GAMES

ANA, RUI = b"A" * 32, b"R" * 32
SEED = bytes(range(32))


def chair(key: bytes | None = ANA, name: str = "Ana") -> ChairRecord:
    """Return a person's chair."""
    return ChairRecord(key, name, None, False, b"t" * 32, False, False)


def table(id: str = "t-1", number: int = 0, **more: Any) -> TableRecord:
    """Return a table of two people."""
    return TableRecord(
        id, "high-card", "1", {"hands": 1}, (), "seated", None, number, False, 2, (chair(), chair(RUI, "Rui")), **more
    )  # fmt: skip


def match(id: str = "t-1", moves: int | None = None) -> Match:
    """Return a match of High Card after so many moves, or (None) when it is over."""
    made = Match(GAMES["high-card"], {"hands": 1}, [{"name": "Ana"}, {"name": "Rui"}], id)
    made.deal(SEED, {"host": "fixed"})
    while made.phase == PLAYING and moves != 0:
        seat, prompt = next(iter(made.prompts.items()))
        hand = made.table.cards(f"hand/{seat}")
        action = {"type": "bid", "n": 1} if prompt.stage == "bid" else {"type": "lay", "card": [hand[0]]}
        try:
            made.act(seat, prompt.id, action)
        except Exception:  # noqa: BLE001 - another card then: the game asks to follow
            made.act(seat, prompt.id, {"type": "lay", "card": [hand[-1]]})
        moves = None if moves is None else moves - 1
    assert moves in (0, None) or made.phase == OVER
    return made


def entries(made: Match, number: int = 1, first: int = 0) -> list[Record]:
    """Return the records of a match's entries."""
    return [EntryRecord(made.id, number, n, entry) for n, entry in enumerate(made.journal.entries) if n >= first]


def begun(made: Match, number: int = 1) -> list[Record]:
    """Return the records of a table whose match goes on, from nothing on."""
    return [table(made.id, number), MatchRecord(made.id, number, made.journal.header), *entries(made, number)]


async def everything(store: Store) -> list[StoredTable]:
    """Return what a host finds, with what it reads of each table when somebody needs it."""
    found = [kept if kept.fault else await store.whole(kept.table.id) for kept in await store.load()]
    return [kept for kept in found if kept is not None]
