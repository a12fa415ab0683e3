"""What hosts say to peers, on TABLE and on FEED, and the shapes inside it."""

from __future__ import annotations

from typing import Annotated, Final, get_args

from msgspec import Meta, Struct

from . import limits
from .fields import (
    App,
    Chain,
    Chips,
    Code,
    CommandId,
    Count,
    Data,
    Epoch,
    GameName,
    Hash,
    House,
    Lang,
    Level,
    Link,
    Nonce,
    Options,
    SeatNumber,
    Sentence,
    TableId,
    Token,
    Version,
)
from .terms import Clocks, Leaving, Terms


class HostKind(Struct, frozen=True, tag_field="t", omit_defaults=True):
    """Be the base of what hosts send."""


class HostInfo(Struct, frozen=True, omit_defaults=True):
    """Name a host. web: the URLs under which browsers find it, the likeliest first."""

    id: Annotated[str, Meta(max_length=64)]
    name: Annotated[str, Meta(max_length=64)]
    app: App
    web: Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=limits.URLS)] = []


class You(Struct, frozen=True):
    """Tell a peer how the host knows it: the fingerprint of its key."""

    key_fp: Annotated[str, Meta(max_length=64)]


class Welcome(HostKind, frozen=True, tag="welcome"):
    """Answer `hello`: the version spoken from now on, this run of the host, and where FEED is.

    private: the tables of this host are shown to those only who prove its join code, own a seat, or are on its list.
    """

    proto: Annotated[int, Meta(ge=1, le=65_535)]
    e: Epoch
    host: HostInfo
    feed: Annotated[int, Meta(ge=0, le=65_535)]
    limits: dict[str, Count]
    you: You
    private: bool = False


class TableRow(Struct, frozen=True):
    """Describe one table in the list of tables."""

    m: TableId
    game: GameName
    stage: Code
    chairs: Count
    free: Count
    watchers: Count = 0


class GameRow(Struct, frozen=True):
    """Describe one game in the list of games; `options` are the choices a table of it has."""

    name: GameName
    title: Sentence
    version: Annotated[str, Meta(max_length=40)]
    seats: tuple[Count, Count]
    options: Annotated[list[Data], Meta(max_length=limits.OPTIONS)] = []


class Tables(HostKind, frozen=True, tag="tables"):
    """Answer `tables`."""

    tables: Annotated[list[TableRow], Meta(max_length=limits.TABLES)]
    games: Annotated[list[GameRow], Meta(max_length=256)]
    house: Annotated[list[GameName], Meta(max_length=256)] = []


class Chair(Struct, frozen=True, omit_defaults=True):
    """Tell who sits on a chair and how the line is, silent for `quiet_ms`.

    line: `here | lagging | away | bot | empty | left`. grace_ms: how long the table still waits for somebody who is away, None when
    it is not counting. substitute: the computer player that plays on for somebody who is away.
    """

    seat: SeatNumber
    line: Code
    name: Annotated[str, Meta(max_length=limits.NAME)] = ""
    bot: Level | None = None
    quiet_ms: Count = 0
    ready: bool = False
    grace_ms: Count | None = None
    substitute: Level | None = None


class Table(HostKind, frozen=True, tag="table"):
    """Tell what everybody may know about a table besides the cards, and what the receiver may do there.

    stage: `lobby | playing | between | paused | over | broken`. may: the kinds of message the receiver may send now. slept_ms: how
    long the host itself was stopped during this match, which no clock counts. leaving: what leaving would cost the receiver.
    """

    m: TableId
    e: Epoch
    match: Count
    stage: Code
    game: GameName
    version: Annotated[str, Meta(max_length=40)]
    options: Options
    chairs: Annotated[list[Chair], Meta(max_length=limits.SEATS)]
    you: SeatNumber | None = None
    may: Annotated[list[Code], Meta(max_length=limits.FEATS)] = []
    watchers: Annotated[list[Annotated[str, Meta(max_length=limits.NAME)]], Meta(max_length=limits.WATCHERS)] = []
    deal_ms: Count | None = None
    why: Sentence = ""
    house: House = []
    terms: Terms = Terms()
    clk: Clocks | None = None
    slept_ms: Count = 0
    leaving: Leaving | None = None


class Joined(HostKind, frozen=True, tag="joined"):
    """Answer `join` and `reclaim`: the seat (None: watching) and, once, the token that takes it to another key."""

    m: TableId
    seat: SeatNumber | None = None
    token: Token | None = None


class No(HostKind, frozen=True, tag="no"):
    """Refuse the message of kind `re`. The code is a stable message key, `text` says it in English."""

    re: Annotated[str, Meta(max_length=24)]
    code: Code
    text: Sentence = ""
    data: Data = {}


class Why(Struct, frozen=True, omit_defaults=True):
    """Say why a command was refused: a message key and its arguments."""

    code: Code
    data: Data = {}


class Ack(HostKind, frozen=True, tag="ack"):
    """Answer a message that has an id: accepted (`q`: the match's version after it), or `no`; always the same."""

    id: CommandId
    q: Version = 0
    m: TableId | None = None
    no: Why | None = None


class State(HostKind, frozen=True, tag="state"):
    """Give the whole view of one version of a match, with the events that led to it from the version before.

    chain: the public chain's whole link after this version, of which `h` is the beginning. clk: the clocks, at a table that has any.
    """

    m: TableId
    match: Count
    e: Epoch
    q: Version
    h: Chain
    chain: Link
    view: Data
    events: Annotated[list[Data], Meta(max_length=limits.EVENTS)] = []
    clk: Clocks | None = None


class Pong(HostKind, frozen=True, tag="pong"):
    """Answer `ping` with the head of the table's match (0 and zeros without one) and the host's clock in ms.

    frozen: the host cannot save now and every table waits. It comes unasked, with `n` 0, when that begins and when it is over.
    """

    n: Count
    match: Count
    q: Version
    h: Chain
    mono: Annotated[int, Meta(ge=0, le=limits.HOST_INT)]
    frozen: bool = False


class Words(HostKind, frozen=True, tag="words"):
    """Carry one part of a game's words; `parts` 0 means that the asked hash still holds."""

    game: GameName
    lang: Lang
    hash: Hash
    part: Count = 0
    parts: Annotated[int, Meta(ge=0, le=limits.WORDS_TOTAL // limits.WORDS_PART + 1)] = 0
    body: Annotated[bytes, Meta(max_length=limits.WORDS_PART)] = b""


class GameTally(Struct, frozen=True, omit_defaults=True):
    """Tell how a player did in one game.

    won: first places, shared ones too. left: matches left for a penalty or a loss. places: how often at each place, the best first.
    rating, unsure: mean and uncertainty in hundredths, None before the first rated match.
    """

    game: GameName
    played: Count
    won: Count
    left: Count
    points: Chips
    chips: Chips
    places: Annotated[list[Count], Meta(max_length=limits.SEATS)]
    rating: Chips | None = None
    unsure: Count | None = None


class Purse(HostKind, frozen=True, tag="purse"):
    """Answer `purse`: the receiver's chips, and how it did in the games that it has played."""

    chips: Chips
    games: Annotated[list[GameTally], Meta(max_length=256)] = []


class Said(HostKind, frozen=True, tag="say"):
    """Pass on what somebody at the table said."""

    m: TableId
    name: Annotated[str, Meta(max_length=limits.NAME)]
    text: Annotated[str, Meta(max_length=limits.CHAT)]
    seat: SeatNumber | None = None


class Gone(HostKind, frozen=True, tag="gone"):
    """End the session from the host's side; `resume` says whether trying again makes sense."""

    code: Code
    resume: bool = False


class Proof(HostKind, frozen=True, tag="proof"):
    """Answer `knock`: the host's nonce, and its proof that it knows the join code."""

    n: Nonce
    mac: Link


class Proven(HostKind, frozen=True, tag="proven"):
    """Answer `prove`: this key may see the tables from now on."""


class Fair(HostKind, frozen=True, tag="fair"):
    """Publish the anchors of a match and ask for everybody's link of a hand; or open the host's own, of a hand that was aborted."""

    m: TableId
    match: Count
    hand: Count
    label: Annotated[str, Meta(max_length=64)]
    anchor: Link
    anchors: Annotated[list[Link | None], Meta(max_length=limits.SEATS)]
    plan: Annotated[dict[Code, Annotated[str, Meta(max_length=64)]], Meta(max_length=limits.SEATS)] = {}
    renewed: Annotated[list[Annotated[int, Meta(ge=-1, lt=limits.SEATS)]], Meta(max_length=limits.SEATS + 1)] = []
    link: Link | None = None


class Past(HostKind, frozen=True, tag="past"):
    """Give the events of versions `q`, `q + 1` ..., as this viewer may know them; none when they are not there any more."""

    m: TableId
    match: Count
    q: Version
    events: Annotated[list[Annotated[list[Data], Meta(max_length=limits.EVENTS)]], Meta(max_length=limits.PAST)]


Head = tuple[Count, Version, Chain]


class Heartbeat(HostKind, frozen=True, tag="hb"):
    """Tell on FEED, each second, the head `(match, q, h)` of every table with a match; frozen: as in `pong`."""

    e: Epoch
    m: dict[TableId, Head]
    frozen: bool = False


HostMessage = (
    Welcome | Tables | Purse | Table | Joined | No | Ack | State | Pong | Words | Said | Gone | Heartbeat | Proof | Proven | Fair | Past
)  # fmt: skip
HOST_KINDS: Final = get_args(HostMessage)
