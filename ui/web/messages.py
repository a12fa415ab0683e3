"""What a browser and the gateway say to each other: one JSON map each, its kind in `t`. docs/web.md lists them.

What the host says (views, tables, words) passes through as it is; nothing of a game is named here.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from carteado.net import limits
from carteado.net.errors import BadFrame
from carteado.net.fields import Action, Count, GameName, House, Lang, Level, Name, Options, TableId

Number = Annotated[int, Meta(ge=0, le=limits.HOST_INT)]
Token = Annotated[str, Meta(min_length=43, max_length=43)]


class FromPage(Struct, frozen=True, tag_field="t", forbid_unknown_fields=True):
    """Be the base of what browsers send."""


class Hello(FromPage, frozen=True, tag="hello"):
    """Open a session: the token (None for a newcomer, who is given one), the player's name, the language, a private host's join code."""

    name: Name
    lang: Lang
    token: Token | None = None
    code: Annotated[str, Meta(max_length=40)] | None = None


class AskTables(FromPage, frozen=True, tag="tables"):
    """Ask which tables there are."""


class Join(FromPage, frozen=True, tag="join"):
    """Sit down at a table, come back to the own seat, or watch."""

    n: Number
    m: TableId
    role: Literal["seat", "watch"] = "seat"


class Open(FromPage, frozen=True, tag="open"):
    """Open a table; a `private` one is found by those only who are told its id."""

    n: Number
    game: GameName
    options: Options = {}
    chairs: Annotated[int, Meta(ge=1, le=limits.SEATS)] | None = None
    house: House = []
    private: bool = False


class Act(FromPage, frozen=True, tag="act"):
    """Fill in one form of the own prompt; `n` numbers what a browser asks, so that nothing said twice is done twice."""

    n: Number
    prompt: Number
    d: Action


class Wish(FromPage, frozen=True, tag="wish"):
    """Ask the table for something that is not a move."""

    n: Number
    what: Literal["ready", "start", "fill", "pause", "rematch", "leave", "say"]
    on: bool = True
    level: Level = "rule"
    text: Annotated[str, Meta(max_length=limits.CHAT)] = ""


class Words(FromPage, frozen=True, tag="words"):
    """Ask for a game's words in a language; the table's game if none is named."""

    n: Number
    lang: Lang
    game: GameName | None = None


class Snap(FromPage, frozen=True, tag="snap"):
    """Ask for everything again."""


class Ping(FromPage, frozen=True, tag="ping"):
    """Show life."""

    n: Count


PageMessage = Hello | AskTables | Join | Open | Act | Wish | Words | Snap | Ping
_decoder = msgspec.json.Decoder(PageMessage)


def read(text: str) -> PageMessage:
    """Read what a browser sent. Raises: BadFrame."""
    try:
        return _decoder.decode(text)
    except (msgspec.MsgspecError, RecursionError, UnicodeError):
        raise BadFrame("the message does not have the fields of its kind") from None
