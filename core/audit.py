"""Check, long after, where the seeds of a journal came from: every link against its anchor, every seed against its links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .course import announced
from .errors import NONSENSE, JournalMismatch
from .fair import Unfair, check_anchors, check_links, is_fair, open_seed
from .game import Game
from .journal import Journal
from .replay import replay, step

PROVEN, OPEN, WRONG = "proven", "open", "wrong"


class Finding(NamedTuple):
    """How a hand's deal came out. state: `proven`, `open` (its seed is nobody's but the host's) or `wrong`; missing: seats left out."""

    hand: int
    state: str
    code: str = ""
    sentence: str = ""
    missing: tuple[int, ...] = ()
    renewed: tuple[int, ...] = ()


def audit(journal: Journal) -> list[Finding]:
    """Return a finding for each hand of a journal, without the game's rules."""
    known: Mapping[str, Any] | None = journal.header.get("fair")
    findings = []
    for entry in journal.entries:
        if entry["k"] != "hand":
            continue
        finding, known = _hand(entry, known)
        findings.append(finding)
    return findings


def _hand(entry: Mapping[str, Any], known: Mapping[str, Any] | None) -> tuple[Finding, Mapping[str, Any] | None]:
    number = entry.get("hand", 0)
    try:
        sources = entry["from"]
        if not is_fair(sources):
            if known is not None and number <= 1:
                raise Unfair("links", f"hand {number} has no links, though the match began with anchors")
            told = "the host used a fixed seed" if sources.get("host") == "fixed" else "the seed is the host's alone"
            return Finding(number, OPEN, "fixed", f"hand {number}: {told}"), known
        if known is None:
            raise Unfair("anchor", f"hand {number} has links, and the match began without anchors")
        check_anchors(sources, known, number)
        known = sources
        check_links(sources, number)
        if open_seed(sources, number, bytes.fromhex(sources["host"])).hex() != entry["seed"]:
            raise Unfair("seed", f"the seed of hand {number} is not made of its links")
        return Finding(number, PROVEN, "", "", tuple(sources["missing"]), tuple(sources["renewed"])), sources
    except Unfair as unfair:
        return Finding(number, WRONG, unfair.code, str(unfair)), known
    except NONSENSE:
        return Finding(number, WRONG, "malformed", f"what hand {number} says of its seed makes no sense"), known


def check_courses(journal: Journal, game: Game, house: Any = ()) -> None:
    """Play a journal again with every hash checked, and find each deal's course as it was announced. Raises: JournalMismatch."""
    match = replay(journal, game, upto=0, house=house)
    for entry in journal.entries:
        if entry["k"] == "hand" and is_fair(entry.get("from", {})):
            plan = announced(match)
            if plan != entry["from"]["plan"]:
                raise JournalMismatch(f"entry {entry['n']} (hand) announces another course of the deal than the game takes")
        step(match, entry)
