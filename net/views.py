"""What a view looks like: the shape that a client checks before it shows anything a host sends.

docs/protocol.md ("The view") explains the fields. Unknown fields are ignored by whoever draws; known ones have their kind, their
bounds, and no more depth than here, so that no client counts a million seats or recurses as deep as a hostile host likes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Raw, Struct

from . import limits
from .fields import Chain, Count, Epoch, Link, TableId, Version
from .terms import Clocks

_LONGEST = 16_384
_Text = Annotated[str, Meta(max_length=_LONGEST)]
_Key = Annotated[str, Meta(max_length=120)]
_Face = Annotated[str, Meta(max_length=24)]
_Number = Annotated[int, Meta(ge=-limits.HOST_INT, le=limits.HOST_INT)]
_Seat = Annotated[int, Meta(ge=0, lt=limits.SEATS)]
_Scalar = _Text | int | bool | None
ZONES, LINES = 500, 200
"""The most zones of a table, and the most lines of its log."""

_SPELLED, _DEEPEST, _MOST = 3, 8, 1000
"""Levels of plain data that are spelled out, that there may be, and the most items of one."""

if TYPE_CHECKING:
    Deep = Any
else:

    class _Anything(type):
        def __instancecheck__(cls, thing: object) -> bool:
            return True

    class _Below(metaclass=_Anything):
        """Plain data further down, checked by `below` when there is some: to spell every level out takes twice as long for each."""

    def _nested(depth: int) -> Any:
        kind = _Below
        for _ in range(depth):
            kind = _Scalar | Annotated[list[kind], Meta(max_length=_MOST)] | Annotated[dict[str, kind], Meta(max_length=_MOST)]
        return kind

    Deep = _nested(_SPELLED)


def below(kind: type[Any], value: Any) -> Any:
    """Return plain data from below what is spelled out (msgspec's `dec_hook`). Raises: ValueError when it is not plain, or too deep."""
    if not _is_plain(value, _DEEPEST - _SPELLED):
        raise ValueError("neither plain data nor shallow enough")
    return value


def _is_plain(value: Any, depth: int) -> bool:
    kind = type(value)
    if value is None or kind is int or kind is bool:
        return True
    if kind is str:
        return len(value) <= _LONGEST
    if depth == 0 or (kind is not list and kind is not dict) or len(value) > _MOST:
        return False
    if kind is list:
        return all(_is_plain(item, depth - 1) for item in value)
    return all(type(key) is str and _is_plain(item, depth - 1) for key, item in value.items())


Facts = Annotated[dict[_Key, Deep], Meta(max_length=1000)]
"""Plain data below text keys, at most 9 deep."""
Message = tuple[_Key, Annotated[dict[_Key, Deep], Meta(max_length=64)]]
"""A message: its key and its arguments."""


class SeatView(Struct):
    """One seat of the match."""

    seat: _Seat
    name: Annotated[str, Meta(max_length=64)]
    bot: _Key | None
    state: _Key
    points: _Number
    place: Count | None
    asked: _Key | None
    ready: bool
    left: bool = False
    sealed: bool = False


class ZoneView(Struct):
    """One place for cards; `cards` None: only the number `n` is known; a face `?` is a card seen from behind, '' an empty place."""

    name: _Key
    kind: _Key
    owner: _Seat | None
    n: Count | None
    cards: Annotated[list[_Face], Meta(max_length=1000)] | None
    facts: Facts


class FormView(Struct):
    """One thing the seat may do."""

    type: _Key
    label: Message
    fields: Annotated[dict[_Key, Annotated[dict[_Key, Deep], Meta(max_length=32)]], Meta(max_length=limits.FIELDS)]
    key: _Key | None = None
    on: _Key | None = None
    blocked: Message | None = None
    default: bool = False


class HintView(Struct):
    """One piece of advice, and the action it comes down to."""

    text: Message
    action: Annotated[dict[_Key, Deep], Meta(max_length=limits.FIELDS)] | None = None


class PromptView(Struct):
    """One question to the seat."""

    id: Count
    stage: _Key
    forms: Annotated[list[FormView], Meta(max_length=100)]
    hints: Annotated[list[HintView], Meta(max_length=100)] = []


class PanelView(Struct):
    """A titled list of lines."""

    title: Message
    lines: Annotated[list[Message], Meta(max_length=200)]


class SortView(Struct):
    """A way to sort a hand."""

    name: Message
    order: Annotated[list[_Face], Meta(max_length=1000)]


class LayoutView(Struct):
    """The game's captions and order."""

    title: Annotated[list[Message], Meta(max_length=20)] = []
    prompt: Message | None = None
    badges: Annotated[list[Annotated[list[Message], Meta(max_length=20)]], Meta(max_length=limits.SEATS)] = []
    panels: Annotated[list[PanelView], Meta(max_length=20)] = []
    labels: Annotated[dict[_Key, Message], Meta(max_length=200)] = {}
    order: Annotated[list[_Key], Meta(max_length=200)] = []
    sorts: Annotated[list[SortView], Meta(max_length=20)] = []


class ResultView(Struct):
    """The end of the last hand."""

    hand: Count
    points: Annotated[list[_Number], Meta(max_length=limits.SEATS)]
    reason: Message | None
    sheet: Annotated[list[PanelView], Meta(max_length=50)]


class EndView(Struct):
    """The end of the match: groups of tied seats, best first, and chips by seat."""

    places: Annotated[list[Annotated[list[_Seat], Meta(max_length=limits.SEATS)]], Meta(max_length=limits.SEATS)]
    chips: Annotated[list[_Number], Meta(max_length=limits.SEATS)]


class HandView(Struct):
    """The hand being played."""

    number: Count
    dealer: _Seat | None
    start: _Seat | None


class View(Struct):
    """What one seat, or a watcher, sees of a match."""

    table: Facts
    game: _Key
    version: _Key
    you: _Seat | None
    q: Version
    phase: _Key
    hand: HandView
    seats: Annotated[list[SeatView], Meta(max_length=limits.SEATS)]
    zones: Annotated[list[ZoneView], Meta(max_length=ZONES)]
    vars: Facts
    mine: Facts
    facts: Facts
    prompts: Annotated[list[PromptView], Meta(max_length=4)]
    layout: LayoutView
    log: Annotated[list[Message], Meta(max_length=LINES)]
    result: ResultView | None
    end: EndView | None
    title: _Key = ""


class ShownState(Struct, tag="state", tag_field="t"):
    """A `state` as a client reads it from TABLE, with a view whose parts are still to be read (`parts.Parts`)."""

    m: TableId
    match: Count
    e: Epoch
    q: Version
    h: Chain
    chain: Link
    view: dict[str, Raw]
    events: Annotated[list[Facts], Meta(max_length=limits.EVENTS)] = []
    clk: Clocks | None = None


class StateHead(Struct, tag="state", tag_field="t"):
    """As much of a `state` as a client reads from FEED: what it must agree upon with TABLE."""

    m: TableId
    match: Count
    e: Epoch
    q: Version
    h: Chain
