"""The ids of tables. A private table's is a secret: whoever says it comes in, and nobody is told it who does not know it.

    t-3fa91c                everybody finds it in the list
    p-7kq4m-2xp9d-4tv8h     private: 75 random bits, in the digits of join codes
"""

from __future__ import annotations

import re
import secrets
from typing import Final

from .codes import DIGITS, TAKEN_FOR

PRIVATE: Final = "p-"
"""How the ids of private tables begin, and no other ones."""
_GROUP, _GROUPS = 5, 3
SECRET: Final = re.compile(r"\b(p-[0-9a-z]{5})-[0-9a-z]{5}-[0-9a-z]{5}\b")
"""A private table's id, in any text."""
SHORT: Final = r"\1..."
"""What a log has instead: enough to know the table again, too little to join it."""


def new_id(private: bool = False) -> str:
    """Return a fresh id; that of a private table cannot be guessed."""
    if not private:
        return f"t-{secrets.token_hex(3)}"
    groups = ("".join(secrets.choice(DIGITS) for _ in range(_GROUP)) for _ in range(_GROUPS))
    return PRIVATE + "-".join(groups).lower()


def is_private(id: str) -> bool:
    """Tell whether a table of this id is in nobody's list but its own people's, and on FEED not at all."""
    return id.startswith(PRIVATE)


def read_private(text: str) -> str | None:
    """Return a private table's id from what people type: any case, blanks or no dashes, O for 0, I and L for 1; None if it is none."""
    typed = text.strip().lower()
    digits = "".join(typed[1:].split()).replace("-", "").upper().translate(TAKEN_FOR)
    if typed[:1] != PRIVATE[0] or len(digits) != _GROUP * _GROUPS or not set(digits) <= set(DIGITS):
        return None
    return PRIVATE + "-".join(digits[place : place + _GROUP] for place in range(0, len(digits), _GROUP)).lower()


def read_id(text: str) -> str:
    """Return a table's id from what people type."""
    return read_private(text) or text.strip().lower()
