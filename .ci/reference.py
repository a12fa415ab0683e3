"""Write docs/reference.md from the code: games, hooks, forms, zones, table options, refusals.

python .ci/reference.py            write the page
python .ci/reference.py --check    write nothing; exit with 1 when the page is out of date
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from carteado.core import options, zones
from carteado.core.api import CLOSED, OPEN, OWNER, SECRET, TEAM, Form, Game, Recorded, Result, Table
from carteado.core.errors import REFUSALS
from carteado.core.events import EVENT_KINDS
from carteado.core.forms import FIELD_KINDS
from carteado.core.hookspecs import GameSpec, ProgramSpec

PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference.md"
ZONE_KINDS = {
    "fan": "a hand of cards, side by side",
    "row": "cards in a row",
    "pile": "a stack; the last card is the top",
    "grid": "places in rows, facts `{columns}`; an empty place holds ''",
    "pyramid": "places in rows that cover each other, facts `{rows, covers}`: `covers[i]` lists the places that cover place i",
    "trick": "one place a seat, facts `{lead, winner, last}`",
    "group": "one meld: cards that belong together, of an owner, facts of your own",
}


def text(thing: Any) -> str:
    """Return a docstring as Markdown, its example as a code block."""
    doc = inspect.cleandoc(thing.__doc__ or "")
    head, sep, example = doc.partition("\nExample:\n")
    if not sep:
        return doc
    return f"{head}\n\n```python\n{inspect.cleandoc(example)}\n```"


def signature(function: Any) -> str:
    """Return a function's signature without its annotations' quotes."""
    return re.sub(r"'", "", str(inspect.signature(function)))


def hooks(spec: type) -> Iterator[str]:
    """Yield a section a hook."""
    for name, function in vars(spec).items():
        if not name.startswith("_"):
            yield f"### `{name}{signature(function)}`\n\n{text(function)}\n"


def methods(cls: type) -> Iterator[str]:
    """Yield a section a public method, in the order of the source."""
    for name, function in vars(cls).items():
        if not name.startswith("_") and inspect.isfunction(function) and name not in ("begin", "hold", "commit", "rollback"):
            yield f"### `{name}{signature(function)}`\n\n{text(function)}\n"


def page() -> str:
    """Return the whole page."""
    out = ["# Reference for game authors\n", "Made by `python .ci/reference.py` from the code; docs/game-author.md is the way in.\n"]
    out += ["## The game object\n", text(Game) + "\n", *methods(Game)]
    out += ["## Hooks of a game\n", text(GameSpec) + "\n", *hooks(GameSpec)]
    out += ["## Hooks of the program\n", text(ProgramSpec) + "\n", *hooks(ProgramSpec)]
    out += ["## The table\n", text(Table) + "\n", *methods(Table)]
    out += ["## Zone kinds\n", *[f"- `{kind}`: {ZONE_KINDS[kind]}" for kind in zones.KINDS], ""]
    out += ["### Who sees a zone\n", text(zones.See) + "\n"]
    for name, see in (("OWNER", OWNER), ("TEAM", TEAM), ("OPEN", OPEN), ("CLOSED", CLOSED), ("SECRET", SECRET)):
        out.append(f"- `{name}`: owner {see.owner}, team {see.team}, others {see.others}, watchers {see.watchers}")
    out += ["", "## Forms\n", f"### `Form{signature(Form)}`\n", text(Form) + "\n"]
    for kind, cls in FIELD_KINDS.items():
        out.append(f"### `{kind}`: `{cls.__name__}{signature(cls)}`\n\n{text(cls)}\n")
    out.append("## Table options\n")
    for option in (options.Flag, options.Whole, options.OneOf, options.Several):
        out.append(f"### `{option.kind}`: `{option.__name__}{signature(option)}`\n\n{text(option)}\n")
    out += ["## The result of a hand\n", f"### `Result{signature(Result)}`\n", text(Result) + "\n"]
    out += ["## A recorded game\n", f"### `Recorded{signature(Recorded)}`\n", text(Recorded) + "\n"]
    out += ["## Refusals of the core\n", "A game's own codes come on top; each code is a message key.\n"]
    out += [f"- `{code}`: {meaning}" for code, meaning in REFUSALS.items()]
    out += [
        "",
        "## Events\n",
        "What clients receive besides the view (docs/protocol.md): " + ", ".join(f"`{kind}`" for kind in EVENT_KINDS) + ".",
        "",
    ]
    return "\n".join(out)


def main() -> int:
    """Write or check the page; return the exit status."""
    made = page()
    if PAGE.exists() and PAGE.read_text(encoding="utf-8") == made:
        return 0
    if "--check" in sys.argv[1:]:
        print("docs/reference.md is out of date: run `python .ci/reference.py`")
        return 1
    PAGE.write_text(made, encoding="utf-8")
    print("docs/reference.md written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
