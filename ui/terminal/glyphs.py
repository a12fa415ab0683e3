"""The signs a screen is drawn with: one set for Unicode terminals, one of plain ASCII."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass


@dataclass(frozen=True)
class Glyphs:
    """Signs of one cell each, unless the comment says otherwise."""

    corners: str  # top left, top right, bottom left, bottom right of a card or box
    flat: str  # horizontal border
    side: str  # vertical border
    legal: str  # horizontal border of a card or pile that may be used
    raised: str  # middle of the bottom border of a selected card
    gap_corners: str  # corners of an empty place
    gap_flat: str
    gap_side: str
    back: str  # filling of a face-down card
    focus: str  # left border of what has the focus
    turn: str  # before the seat whose turn it is
    bot: str
    count: str  # before a number of cards
    fits: str  # behind a group a selected card may go to
    dot: str  # between parts of a title
    live: str  # connection
    lost: str
    tick: str
    cross: str
    more: str  # something was left out
    rule: str  # horizontal line of a heading
    enter: str
    caret: str
    up: str
    down: str
    point: str  # marks an entry of a list
    letters: bool  # ASCII: suits are letters

    def __getitem__(self, name: str) -> str:
        return str(getattr(self, name))


UNICODE = Glyphs(
    corners="╭╮╰╯",
    flat="─",
    side="│",
    legal="═",
    raised="▲",
    gap_corners="┌┐└┘",
    gap_flat="╌",
    gap_side="╎",
    back="░",
    focus="▶",
    turn="►",
    bot="⚙",
    count="▮",
    fits="*",
    dot="·",
    live="●",
    lost="○",
    tick="✓",
    cross="✗",
    more="…",
    rule="─",
    enter="⏎",
    caret="▏",
    up="▲",
    down="▼",
    point="▶",
    letters=False,
)

ASCII = Glyphs(
    corners="++++",
    flat="-",
    side="|",
    legal="=",
    raised="^",
    gap_corners="....",
    gap_flat=".",
    gap_side=":",
    back="#",
    focus=">",
    turn=">",
    bot="(c)",
    count="#",
    fits="*",
    dot="-",
    live="*",
    lost="o",
    tick="x",
    cross="!",
    more="..",
    rule="-",
    enter="Enter",
    caret="_",
    up="^",
    down="v",
    point=">",
    letters=True,
)

def takes_all(encoding: str | None) -> bool:
    """Tell whether an output of this encoding takes every sign."""
    return (encoding or "ascii").lower().replace("-", "").replace("_", "") in ("utf8", "cp65001")


SIGNS = str.maketrans(
    {"►": ">", "▶": ">", "✓": "x", "✗": "!", "⚑": "*", "⚙": "(c)", "★": "**", "●": "*", "○": "o", "→": "->", "−": "-", "·": "-"}
)
"""Signs that games put into their texts, in ASCII: where a terminal has letters for suits, it may draw these too wide, or not at all."""
_PLAIN = str.maketrans({"–": "-", "—": "-", "·": "-", "…": "...", "’": "'", "“": '"', "”": '"', "×": "x", "ß": "ss"})


def fold(text: str) -> str:
    """Return a text in ASCII: accents go, what has no likeness becomes `?`."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    return "".join(char for char in parts if not unicodedata.combining(char)).encode("ascii", "replace").decode()
