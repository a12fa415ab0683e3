"""The parts of docs/journal.md that the program writes itself: an example, its events and the shuffle's test vectors.

    python tests/core/journal_page.py        write them into the page anew
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from tablegames import Discards, act

from carteado.core.encoding import canonical, digest
from carteado.core.events import START, chained_public
from carteado.core.match import Commit, Match
from carteado.core.shuffle import Stream

PAGE = Path(__file__).resolve().parents[2] / "docs" / "journal.md"
SEED = bytes(range(32))


def example() -> tuple[Match, list[Commit]]:
    """Play the match of the page: one short hand of Discards."""
    match = Match(Discards(), {"hands": 1}, [{"name": "Ana", "bot": None}, {"name": "Bot", "bot": "rule"}], "t-1")
    commits = [match.deal(SEED, {"host": SEED.hex()})]
    first = min(match.prompts)
    commits.append(act(match, {"type": "play", "cards": [match.table.cards(f"hand/{first}")[0]]}))
    commits.append(match.timeout(1 - first, match.prompts[1 - first].id))
    commits.append(match.takeover(0, "rule"))
    commits.append(match.leave(1))
    return match, commits


def vectors() -> list[dict[str, Any]]:
    """Return test vectors of the streams, for seeds and names that differ."""
    cards = [f"{suit}{rank}" for suit in "AB" for rank in range(1, 7)]
    found = []
    for seed, name in ((bytes(32), "deal"), (SEED, "deal"), (SEED, "turn"), (b"\xff" * 32, "start")):
        words, below, odd, deck = (Stream(seed, name) for _ in range(4))
        found.append(
            {
                "seed": seed.hex(),
                "stream": name,
                "words": [words.word() for _ in range(9)],
                "below 6": [below.below(6) for _ in range(12)],
                "below 2^31+1": [odd.below(2**31 + 1) for _ in range(4)],
                "words used": odd.at,
                "shuffled": " ".join(deck.shuffled(cards)),
            }
        )
    return found


def block(kind: str, text: str) -> str:
    """Return a fenced block."""
    return f"```{kind}\n{text.rstrip()}\n```"


def lines(rows: list[Any]) -> str:
    """Return one JSON value a line."""
    return "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)


def parts() -> dict[str, str]:
    """Return each part that the program writes, by the name of its marker in the page."""
    match, commits = example()
    public = [hashlib.sha256(START).digest()]
    for commit in commits:
        public.append(chained_public(public[-1], commit.events(None)))
    return {
        "example": block("json", match.journal.dump().decode()),
        "events": block("json", lines([list(event) for event in commits[1].raw])),
        "public": block("json", lines([{"q": i, "h": link[:8].hex()} for i, link in enumerate(public)])),
        "canonical": block(
            "text", f"{canonical({'b': [1, None, True], 'a': 'é'}).hex()}\nSHA-256 {digest({'b': [1, None, True], 'a': 'é'})}"
        ),
        "vectors": block("json", lines(vectors())),
    }


def _literal(part: str) -> str:
    return part.replace("\\", "\\\\")


def written(text: str) -> str:
    """Return the page with every part written anew between its markers."""
    for name, part in parts().items():
        text, found = re.subn(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", rf"\g<1>{_literal(part)}\n\g<2>", text, flags=re.DOTALL)
        assert found == 1, name
    return text


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
