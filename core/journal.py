"""The journal is the match: a header and numbered entries, one JSON object a line.

See docs/journal.md. Entry kinds: `hand` (seed and where it came from), `action`, `timeout`, `leave`, `takeover`. Every entry carries the
running chain hash after it; the entry that ends a hand also the digest of the whole state.
"""

from __future__ import annotations

import json
from typing import Any

from .encoding import plain
from .errors import DesignFault, JournalMismatch

FORMAT = 1


class Journal:
    """A header and the entries so far; plain data."""

    def __init__(self, header: dict[str, Any], entries: list[dict[str, Any]] | None = None) -> None:
        self.header = header
        self.entries = entries if entries is not None else []

    def dump(self, open_seed: bool = True) -> bytes:
        """Return the journal as JSON lines. Without `open_seed` it ends before the last hand: for a match in which that is still played;
        and before the first hand when the game opens its deals at the end of the match only.

        A running hand is left out whole, for its seed is not the only thing that gives cards away: so do the sources of the seed, sealed
        answers, cards passed unseen, and hashes that guesses could be tried against.
        """
        entries = self.entries
        if not open_seed:
            hands = [i for i, entry in enumerate(entries) if entry["k"] == "hand"]
            whole = self.header.get("reveal", "hand") == "hand"
            entries = entries[: (hands[-1] if whole else hands[0]) if hands else len(entries)]
        lines = [self.header, *entries]
        return b"".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n" for line in lines)

    @classmethod
    def load(cls, data: bytes) -> Journal:
        """Read a journal. Raises: JournalMismatch in one sentence for anything that is not one."""
        lines = data.split(b"\n")
        if lines and lines[-1].strip():
            raise JournalMismatch(f"the journal is cut off in line {len(lines)}")
        parsed: list[dict[str, Any]] = []
        for number, line in enumerate(lines[:-1], 1):
            try:
                value = json.loads(line.decode("utf-8"), parse_constant=_refuse, parse_float=_refuse)
            except (ValueError, RecursionError):
                raise JournalMismatch(f"line {number} of the journal is not a JSON object") from None
            if not isinstance(value, dict):
                raise JournalMismatch(f"line {number} of the journal is not a JSON object")
            try:
                parsed.append(plain(value))
            except DesignFault as error:
                raise JournalMismatch(f"line {number} of the journal holds what has no place in one: {error}") from None
        if not parsed or "carteado" not in parsed[0]:
            raise JournalMismatch("this is not a journal: its first line is no header")
        header = parsed[0]
        if type(header["carteado"]) is not int or header["carteado"] != FORMAT:
            raise JournalMismatch(f"the journal has format {header['carteado']!r}; this program reads {FORMAT}")
        for key, kind in (("game", str), ("version", str), ("options", dict), ("seats", list), ("table", str), ("encoding", int)):
            if not isinstance(header.get(key), kind):
                raise JournalMismatch(f"the journal's header does not say its {key}")
        if not all(isinstance(seat, dict) and isinstance(seat.get("name"), str) for seat in header["seats"]):
            raise JournalMismatch("the journal's header does not say who sat where")
        for number, entry in enumerate(parsed[1:], 1):
            if type(entry.get("n")) is not int or entry["n"] != number or any(type(entry.get(key)) is not str for key in "kh"):
                raise JournalMismatch(f"entry {number} of the journal is damaged or out of order")
        return cls(header, parsed[1:])


def _refuse(text: str) -> Any:
    raise ValueError(f"{text} has no place in a journal")
