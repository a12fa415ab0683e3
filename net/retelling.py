"""The command `replay`: play a recorded match again, check every hash in it, and tell what happened."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from carteado.core.journal import Journal
from carteado.core.match import PLAYING, Match
from carteado.core.replay import replay as play_again
from carteado.core.replay import step
from carteado.core.words import Speech

from .inventory import load, load_house
from .names import say
from .texts import speech


def replay(file: str, lang: str, verify: bool, as_json: bool) -> int:
    """Print a recorded match hand by hand, or with `verify` only whether it is what it says; return the exit status.

    Raises: JournalMismatch for a journal that is damaged or replays to something else, LoadFailure, OSError.
    """
    journal = Journal.load(sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes())
    game = load(journal.header["game"])
    house = [load_house(str(rule)) for rule in journal.header.get("house", [])]
    names = [seat["name"] for seat in journal.header["seats"]]
    words = speech(game, lang, names)
    if verify or as_json:
        match = play_again(journal, game, house=house)
        fact = summary(match)
        print(json.dumps(fact, ensure_ascii=False) if as_json else verdict(fact))
        return 0
    match = play_again(journal, game, upto=0, house=house)
    say(f"{game.title or game.name} {game.version}, table {match.id}: {', '.join(names)}")
    for line in told(match, journal, words):
        say(line)
    print(verdict(summary(match)))
    return 0


def told(match: Match, journal: Journal, words: Speech) -> Iterator[str]:
    """Replay entry by entry and yield what a watcher was told: each hand's log, how it ended and its points."""
    log: list[Any] = []
    for entry in journal.entries:
        playing = match.phase == PLAYING
        step(match, entry)
        if entry["k"] == "hand":
            yield f"\nHand {match.hand}"
        before, log = log, match.view(None)["log"]
        yield from (f"  {words.text(message)}" for message in newest(before, log))
        if playing and match.phase != PLAYING and match.result is not None:
            if match.result["reason"]:
                yield f"  {words.text(match.result['reason'])}"
            yield "  " + ", ".join(
                f"{words.player(seat)} {gained:+d} = {match.table.points(seat)}" for seat, gained in enumerate(match.result["points"])
            )


def newest(before: Sequence[Any], after: Sequence[Any]) -> Sequence[Any]:
    """Return what was added to a log that shows only its newest messages."""
    for kept in range(min(len(before), len(after)), 0, -1):
        if before[-kept:] == after[:kept]:
            return after[kept:]
    return after


def summary(match: Match) -> dict[str, Any]:
    """Return a replayed match as data."""
    header = match.journal.header
    entries = match.journal.entries
    shown = match.view(None)["seats"]
    return {
        "game": header["game"],
        "version": header["version"],
        "table": header["table"],
        "options": header["options"],
        "entries": len(entries),
        "hands": match.hand,
        "phase": match.phase,
        "chain": entries[-1]["h"] if entries else "",
        "seats": [{key: seat[key] for key in ("seat", "name", "bot", "points", "place")} for seat in shown],
        "end": match.end,
        "verified": True,
    }


def verdict(fact: dict[str, Any]) -> str:
    """Return in one line that the journal is what it says."""
    if not fact["entries"]:
        return "No hand of this match is over, so there is nothing in the journal to check yet."
    state = "to its end" if fact["phase"] == "over" else f"so far ({fact['phase']})"
    return f"All {fact['entries']} entries, {fact['hands']} hands, replay {state} with the recorded hashes; chain {fact['chain']}."
