"""What peers say to hosts: one class a message, every field bounded."""

from __future__ import annotations

from typing import Annotated, Final, get_args

from msgspec import Meta, Struct

from . import limits
from .fields import (
    Action,
    App,
    CommandId,
    Count,
    Epoch,
    Field,
    GameName,
    Hash,
    House,
    Known,
    Lang,
    Level,
    Link,
    Name,
    Nonce,
    Options,
    Proto,
    SeatNumber,
    TableId,
    Token,
    Version,
)
from .terms import Terms


class PeerKind(Struct, frozen=True, tag_field="t", forbid_unknown_fields=True, omit_defaults=True):
    """Be the base of what peers send."""


class Hello(PeerKind, frozen=True, tag="hello"):
    """Open a session: which protocol versions, which program, and the player's name."""

    proto: Proto
    app: App
    name: Name
    feats: Annotated[list[Field], Meta(max_length=limits.FEATS)] = []


class AskTables(PeerKind, frozen=True, tag="tables"):
    """Ask which tables and games there are."""


class Open(PeerKind, frozen=True, tag="open"):
    """Open a table for a game; a `private` one is in no list, and found by those only who are told its id."""

    id: CommandId
    game: GameName
    options: Options = {}
    chairs: Annotated[int, Meta(ge=1, le=limits.SEATS)] | None = None
    house: House = []
    terms: Terms | None = None
    private: bool = False


class Join(PeerKind, frozen=True, tag="join"):
    """Sit down at a table (at a seat, or the first free one), come back to the own seat, or watch."""

    m: TableId
    role: Annotated[str, Meta(pattern=r"^(seat|watch)\Z")] = "seat"
    seat: SeatNumber | None = None


class Reclaim(PeerKind, frozen=True, tag="reclaim"):
    """Take a seat over to this key with the token that was given for it."""

    m: TableId
    seat: SeatNumber
    token: Token


class Leave(PeerKind, frozen=True, tag="leave"):
    """Give the seat up for good (or stop watching)."""

    id: CommandId
    m: TableId


class Ready(PeerKind, frozen=True, tag="ready"):
    """Say that this player is ready: for the start, the next hand, or another match."""

    id: CommandId
    m: TableId
    on: bool = True


class Fill(PeerKind, frozen=True, tag="fill"):
    """Put a computer player on a free chair, or on all of them."""

    id: CommandId
    m: TableId
    level: Level = "rule"
    seat: SeatNumber | None = None


class Start(PeerKind, frozen=True, tag="start"):
    """Start the match with the chairs that are taken."""

    id: CommandId
    m: TableId


class Pause(PeerKind, frozen=True, tag="pause"):
    """Stop the table, or let it go on."""

    id: CommandId
    m: TableId
    on: bool = True


class Rematch(PeerKind, frozen=True, tag="rematch"):
    """Start another match with the same people after one is over."""

    id: CommandId
    m: TableId


class Close(PeerKind, frozen=True, tag="close"):
    """Close the table that this player has opened, for good."""

    id: CommandId
    m: TableId


class Command(PeerKind, frozen=True, tag="cmd"):
    """Play: fill in one form of the own prompt. The seat is the key's; no field names it."""

    e: Epoch
    id: CommandId
    m: TableId
    match: Count
    prompt: Count
    d: Action


class Anchor(PeerKind, frozen=True, tag="anchor"):
    """Publish the anchor of the own seat's chain for a match."""

    m: TableId
    match: Count
    value: Link


class OpenLink(PeerKind, frozen=True, tag="link"):
    """Open the own seat's link of a hand."""

    m: TableId
    match: Count
    hand: Count
    value: Link


class Snap(PeerKind, frozen=True, tag="snap"):
    """Ask for the whole view again."""

    m: TableId


class AskPast(PeerKind, frozen=True, tag="past"):
    """Ask for the events that led from version `q` to the present one."""

    m: TableId
    match: Count
    q: Known


class AskWords(PeerKind, frozen=True, tag="words"):
    """Ask for a game's catalogue, rules and deck in a language, unless they still have this hash."""

    game: GameName
    lang: Lang
    hash: Hash | None = None


class AskPurse(PeerKind, frozen=True, tag="purse"):
    """Ask what is in the own purse, and how this player did in every game."""


class Say(PeerKind, frozen=True, tag="say"):
    """Say one line to everybody at the table."""

    id: CommandId
    m: TableId
    text: Annotated[str, Meta(min_length=1, max_length=limits.CHAT)]


class Ping(PeerKind, frozen=True, tag="ping"):
    """Show life, and the newest version this peer has seen."""

    n: Count
    q: Version = 0


class Bye(PeerKind, frozen=True, tag="bye"):
    """End the session; the seat is kept."""


class Knock(PeerKind, frozen=True, tag="knock"):
    """Ask the host to prove that it knows the join code."""

    n: Nonce


class Prove(PeerKind, frozen=True, tag="prove"):
    """Prove that this peer knows the join code, after the host has."""

    mac: Link


PeerMessage = (
    Hello | AskTables | Open | Join | Reclaim | Leave | Ready | Fill | Start | Pause | Rematch | Close | Command | Anchor | OpenLink
    | Snap | AskPast
    | AskWords | AskPurse | Say | Ping | Bye | Knock | Prove
)  # fmt: skip
PEER_KINDS: Final = get_args(PeerMessage)
