"""The commands `import` and `export`: records of other programs, played through the real hooks, and a match written as such records.

The game knows the format (hooks `read_record`, `write_record`); here its records are played, compared and counted.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

from carteado.core.errors import CarteadoError, Refused
from carteado.core.game import Game
from carteado.core.journal import Journal
from carteado.core.match import OVER, PLAYING, Match
from carteado.core.recorded import Recorded
from carteado.core.replay import replay, step
from carteado.core.rules import Rules
from carteado.core.shuffle import Stream

from .inventory import load, load_house
from .names import say

REFUSED = "refused"
"""The word for a record that the rules do not allow, beside those of the game's own judge."""
FINE = ("agrees", "excused")


class NoRecords(CarteadoError):
    """Report a game that neither reads nor writes records."""


def import_records(name: str, file: str, folder: str | None, as_json: bool) -> int:
    """Play every record of a file and print one line of verdict each; return 0 if all agree or are excused.

    Raises: LoadFailure, OSError, NoRecords.
    """
    game = load(name)
    text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    records = Rules(game).read_record(text)
    if records is None:
        raise NoRecords(f"{game.title or name} knows no records of other programs.")
    found = []
    for record in records:
        match, word, line = judged(game, record)
        found.append({"name": record.name, "verdict": word, "found": line})
        if not as_json:
            say(f"{record.name}  {word}  {line}")
        if folder is not None and match is not None and match.phase == OVER:
            write(Path(folder), record.name, match)
    counts = {word: sum(one["verdict"] == word for one in found) for word in sorted({one["verdict"] for one in found})}
    if as_json:
        print(json.dumps({"game": name, "counts": counts, "records": found}, ensure_ascii=False))
    else:
        print(", ".join(f"{count} {word}" for word, count in counts.items()) or "no records")
    return int(any(word not in FINE for word in counts))


def judged(game: Game, record: Recorded) -> tuple[Match | None, str, str]:
    """Play one record; return the match, the verdict's word, and a line that says what was found."""
    if record.fault:
        return None, REFUSED, record.fault
    match = Match(game, record.options, [{"name": name} for name in record.players], table="import")
    match.deal(seed_for(record.name, len(record.players)), {"import": record.name})
    for number, (seat, action) in enumerate(record.actions, 1):
        try:
            prompt = match.prompts.get(seat)
            match.act(seat, prompt.id if prompt else 0, dict(action))
        except Refused as refusal:
            return match, REFUSED, f"action {number}, seat {seat}, {json.dumps(action, ensure_ascii=False)}: {refusal.code}"
    if record.judge is None:
        return match, FINE[0], "played"
    word, line = record.judge(match.table)
    return match, word, line


def seed_for(name: str, players: int) -> bytes:
    """Return a seed with which the first seat leads."""
    number = 0
    while True:
        seed = hashlib.sha256(f"carteado/import/{name}/{number}".encode()).digest()
        if Stream(seed, "start").below(players) == 0:
            return seed
        number += 1


def write(folder: Path, name: str, match: Match) -> None:
    """Write a match's journal under the record's name."""
    folder.mkdir(parents=True, exist_ok=True)
    safe = re.sub(r"[^A-Za-z0-9._-]", "_", name) or "record"
    (folder / f"{safe}.jsonl").write_bytes(match.journal.dump())


def export_records(file: str) -> int:
    """Print every finished hand of a journal as a record. Raises: JournalMismatch, LoadFailure, OSError, NoRecords."""
    journal = Journal.load(sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes())
    game = load(journal.header["game"])
    match = replay(journal, game, upto=0, house=[load_house(str(rule)) for rule in journal.header.get("house", [])])
    names = [str(seat["name"]) for seat in journal.header["seats"]]
    if not match.rules.has("write_record"):
        raise NoRecords(f"{game.title or game.name} knows no records of other programs.")
    for entry in journal.entries:
        before: Any = match.phase
        step(match, entry)
        if before == PLAYING and match.phase != PLAYING:
            line = match.rules.write_record(match.table, names)
            if line:
                print(line)
    return 0
