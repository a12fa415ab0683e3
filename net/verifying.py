"""The command `verify`: was a recorded match dealt fairly, and is it what was played?"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from carteado.core.audit import OPEN, WRONG, Finding, audit, check_courses
from carteado.core.errors import JournalMismatch, LoadFailure
from carteado.core.journal import Journal

from .inventory import load_house, load_version
from .names import say


def verify(file: str, as_json: bool) -> int:
    """Check a journal and print what was found, hand by hand; return the exit status: 1 if anything is wrong.

    Raises: JournalMismatch for what is no journal, OSError.
    """
    journal = Journal.load(sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes())
    findings = audit(journal)
    rules, replayed = _replayed(journal)
    wrong = not rules or any(finding.state == WRONG for finding in findings)
    if as_json:
        told = [finding._asdict() for finding in findings]
        print(json.dumps({"hands": told, "replays": rules and not replayed, "replay": replayed, "fair": not wrong}, ensure_ascii=False))
        return int(wrong)
    names = [str(seat["name"]) for seat in journal.header["seats"]]
    say(f"{journal.header['game']} {journal.header['version']}, table {journal.header['table']}: {', '.join(names)}")
    for finding in findings:
        say(_line(finding, names))
    count = len(journal.entries)
    if replayed or count:
        say(replayed or f"All {count} entries replay with the recorded hashes, every deal by the course announced for it.")
    print(_verdict(findings, wrong, replayed))
    return int(wrong)


def _replayed(journal: Journal) -> tuple[bool, str]:
    """Return whether nothing speaks against the journal when it is played again, and what there is to say about it."""
    try:
        game = load_version(str(journal.header["game"]), str(journal.header["version"]))
        house = [load_house(str(rule)) for rule in journal.header.get("house", [])]
    except LoadFailure as failure:
        return True, f"The rules are not here, so only links and seeds were checked: {failure}"
    try:
        check_courses(journal, game, house)
    except JournalMismatch as mismatch:
        return False, f"The journal was changed: {mismatch}"
    return True, ""


def _line(finding: Finding, names: Sequence[str]) -> str:
    if finding.sentence:
        return f"{finding.state:7} {finding.sentence}"
    notes: list[Any] = []
    if finding.missing:
        notes.append(f"without a link of {', '.join(names[seat] for seat in finding.missing)}")
    if finding.renewed:
        whose = ", ".join("the host" if seat < 0 else names[seat] for seat in finding.renewed)
        notes.append(f"{'a late' if finding.hand == 1 else 'a new'} chain of {whose}")
    return f"{finding.state:7} hand {finding.hand}{': ' if notes else ''}{'; '.join(notes)}"


def _verdict(findings: Sequence[Finding], wrong: bool, replayed: str) -> str:
    if wrong:
        return "NOT FAIR, or changed since: see above."
    if not findings:
        return "There is no hand in it to verify."
    if any(finding.state == OPEN for finding in findings):
        return "Not proven: nobody but the host had a part in the seeds of the hands marked open."
    return f"Verified: nobody could choose or change {'the deals' if not replayed else 'the seeds'}."
