"""Play a journal again and check every hash in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgpack

from .encoding import ENCODING, canonical
from .errors import CarteadoError, JournalMismatch
from .game import Game
from .journal import Journal
from .match import Commit, Match

_pack = msgpack.packb


def replay(journal: Journal, game: Game, upto: int | None = None, house: Sequence[Any] = (), check: bool = True) -> Match:
    """Return the match after entry `upto` (default: all).

    Raises: JournalMismatch naming the first entry that is refused or gives another hash (`check=False` compares no hashes).
    """
    header = journal.header
    if header["game"] != game.name:
        raise JournalMismatch(f"the journal is of {header['game']!r}, not of {game.name!r}")
    if check and header["version"] != game.version:
        raise JournalMismatch(f"the journal was written by version {header['version']} of {game.name}; here is {game.version}")
    if header["encoding"] != ENCODING:
        raise JournalMismatch(f"the journal has encoding {header['encoding']}; this program has {ENCODING}")
    if header.get("house", []) != [str(rule.name) for rule in house]:
        raise JournalMismatch(f"the journal needs the house rules {header.get('house', [])!r}")
    try:
        match = Match(game, header["options"], header["seats"], header["table"], house, fair=header.get("fair"))
    except (CarteadoError, KeyError, TypeError, ValueError) as error:
        raise JournalMismatch(f"the journal's header is refused: {error}") from error
    if check and canonical(match.journal.header) != canonical(header):
        raise JournalMismatch("the journal's header says more or less than this program writes")
    for entry in journal.entries[: len(journal.entries) if upto is None else upto]:
        step(match, entry, check)
    return match


def step(match: Match, entry: dict[str, Any], check: bool = True) -> Commit:
    """Apply one journal entry to a match and return what was committed. Raises: JournalMismatch."""
    number = entry["n"]
    try:
        commit = _apply(match, entry)
    except (CarteadoError, KeyError, TypeError, ValueError) as error:
        raise JournalMismatch(f"entry {number} ({entry['k']}) does not fit the match: {type(error).__name__}: {error}") from error
    written = match.journal.entries[-1]
    if check and written["h"] != entry["h"]:
        raise JournalMismatch(f"entry {number} ({entry['k']}) replays to hash {written['h']}, the journal says {entry['h']}")
    # What is written in the same order is the same, and that is quicker to see.
    if check and _pack(written) != _pack(entry) and canonical(written) != canonical(entry):
        different = sorted(key for key in {*written, *entry} if canonical(written.get(key)) != canonical(entry.get(key)))
        raise JournalMismatch(f"entry {number} ({entry['k']}) replays to another {' and '.join(different)} than the journal says")
    return commit


def _apply(match: Match, entry: dict[str, Any]) -> Commit:
    kind = entry["k"]
    if kind == "hand":
        if "seed" not in entry:
            raise ValueError("this hand's seed is not opened")
        return match.deal(bytes.fromhex(entry["seed"]), entry.get("from"))
    if kind == "action":
        return match.act(entry["seat"], entry["prompt"], entry["do"])
    if kind == "timeout":
        return match.timeout(entry["seat"], entry["prompt"], entry["do"])
    if kind == "leave":
        return match.leave(entry["seat"])
    if kind == "takeover":
        return match.takeover(entry["seat"], entry["level"])
    raise ValueError(f"there is no entry kind {kind!r}")
