"""Names and chat: what people may write so that it can be shown next to other people's words.

A host checks what it is sent; a client checks again what a host sends (`shown`), because hosts can be hostile too.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from . import limits

_MARKS = 2
"""Combining marks that one character may carry."""
RESERVED = frozenset({"host", "server", "carteado"})


def clean_name(text: str) -> str | None:
    """Return a name in NFC without blanks around it, or None if it cannot be a name.

    Control, format (bidi, zero width), private, unassigned and line-breaking characters are not allowed, nor are more
    than two combining marks in a row, nor the reserved words.
    """
    name = unicodedata.normalize("NFC", text).strip()
    if not 1 <= len(name) <= limits.NAME or len(name.encode("utf-8", "replace")) > limits.NAME_BYTES:
        return None
    if shown(name) != name or skeleton(name) in _RESERVED or not any(char.isalnum() for char in name):
        return None
    return name


_LOOK_ALIKES = str.maketrans(
    "авсеһіјкмнорѕтухԁԛԝ" "αβεζηικμνορτυχϲ" "01|",
    "abcehijkmhopstyxdqw" "abezhikmvoptyxc" "oll",
)  # fmt: skip
"""Cyrillic letters, Greek letters and signs, in small letters, and the Latin ones they are taken for."""


def skeleton(name: str) -> str:
    """Return what two names have in common when people would take one for the other: case, blanks, width, look-alike letters."""
    folded = unicodedata.normalize("NFKC", name).casefold().replace(" ", "")
    return folded.translate(_LOOK_ALIKES).replace("i", "l")


_RESERVED = frozenset(skeleton(word) for word in RESERVED)


def distinct(name: str, taken: Iterable[str]) -> str:
    """Return the name, with a number behind it if somebody at the table already has one like it."""
    used = {skeleton(other) for other in taken}
    candidate, number = name, 2
    while skeleton(candidate) in used:
        tail = f" {number}"
        candidate = name[: limits.NAME - len(tail)].rstrip() + tail
        while len(candidate.encode()) > limits.NAME_BYTES:
            candidate = candidate[: -len(tail) - 1].rstrip() + tail
        number += 1
    return candidate


def shown(text: str) -> str:
    """Return the text as one line without anything that moves the cursor, hides, or reorders what stands around it."""
    kept: list[str] = []
    marks = 0
    for char in unicodedata.normalize("NFC", text):
        category = unicodedata.category(char)
        if category in ("Zl", "Zp") or char in "\t\n\r":
            char, category = " ", "Zs"
        if category[0] == "C" or 0xFE00 <= ord(char) <= 0xFE0F:
            continue
        marks = marks + 1 if category[0] == "M" else 0
        if marks <= _MARKS:
            kept.append(char)
    return "".join(kept).strip()


def say(text: str) -> None:
    """Print lines in which somebody else's words may stand, as what somebody wrote into a file, each without what would move the cursor."""
    for line in text.split("\n"):
        print(" " * (len(line) - len(line.lstrip(" "))) + shown(line))
