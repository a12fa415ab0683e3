"""A view as it comes over the wire, part by part: what has not changed since the version before is not read again.

Most of a view stands in the next one byte for byte: the captions, the cards nobody has touched, the log but for its last lines. A part
that was checked and made once is taken as it is. So views of one connection share parts, and nobody changes a view.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Raw, Struct

from . import limits
from .protocol import State
from .views import LINES, ZONES, LayoutView, Message, SeatView, ShownState, View, ZoneView, below

Read = Callable[[bytes], Any]
_plain: Final = msgspec.msgpack.Decoder().decode
_captions: Final = msgspec.msgpack.Decoder(dict[str, Raw]).decode


@cache
def _check(kind: Any) -> Read:
    return msgspec.msgpack.Decoder(kind, dec_hook=below).decode


@cache
def _reading(kind: Any) -> Read:
    """Return how a part of this kind is read: checked against it, and the plain data that came."""
    check = _check(kind)

    def read(part: bytes) -> Any:
        check(part)
        return _plain(part)

    return read


def _fields(kind: type[Struct], but: tuple[str, ...] = (), data: frozenset[str] = frozenset()) -> dict[str, Read]:
    fields = [field for field in msgspec.structs.fields(kind) if field.encode_name not in but]
    return {field.encode_name: _check(field.type) if field.encode_name in data else _reading(field.type) for field in fields}


def _items(most: int) -> Callable[[Raw | bytes], list[Raw]]:
    return msgspec.msgpack.Decoder(Annotated[list[Raw], Meta(max_length=most)]).decode


class Readers:
    """How each part of a view is read. Made when first needed: nobody needs it who never reads a view."""

    def __init__(self) -> None:
        self.whole = _check(ShownState)
        self.lists: Mapping[str, tuple[Callable[[Raw | bytes], list[Raw]], Read]] = {
            "seats": (_items(limits.SEATS), _reading(SeatView)),
            "zones": (_items(ZONES), _reading(ZoneView)),
        }
        self.check_lines = _check(Annotated[list[Message], Meta(max_length=LINES)])
        self.split_lines = _items(LINES)
        self.single = _fields(View, (*self.lists, _LAYOUT, _LOG), _DATA)
        self.captions = _fields(LayoutView)
        self.needed = frozenset(field.encode_name for field in msgspec.structs.fields(View) if field.required)


@cache
def readers() -> Readers:
    """Return how parts are read; made when first asked for."""
    return Readers()


_LAYOUT, _LOG = "layout", "log"
_DATA: Final = frozenset({"table", "game", "version", "you", "q", "phase", "vars", "mine", "facts", "title"})
"""Fields of a view whose check gives the very data that came: scalars, and facts."""
_GONE: Final = 12
"""Lines that one version may take off the log's beginning before it is read anew."""


class Parts:
    """The parts of the newest view of one connection, each with the bytes that it was read from."""

    def __init__(self) -> None:
        self._single: dict[str, tuple[bytes, Any]] = {}
        self._captions: dict[str, tuple[bytes, Any]] = {}
        self._listed: dict[str, dict[bytes, Any]] = {}
        self._log = _Log()

    def read(self, frame: bytes) -> State:
        """Read a state. Raises: what msgspec raises, and ValueError."""
        how = readers()
        whole = how.whole(frame)
        came = whole.view
        if not came.keys() >= how.needed:
            raise ValueError("a part of the view is missing")
        view: dict[str, Any] = {}
        for name, part in came.items():
            if name in how.single:
                view[name] = _one(self._single, name, how.single[name], part)
            elif name in how.lists:
                view[name] = self._list(name, part, *how.lists[name])
            elif name == _LOG:
                view[name] = self._log.read(bytes(part))
            elif name == _LAYOUT:
                view[name] = {
                    caption: _one(self._captions, caption, how.captions[caption], line) if caption in how.captions else _plain(line)
                    for caption, line in _captions(part).items()
                }
            else:
                view[name] = _plain(part)
        return State(whole.m, whole.match, whole.e, whole.q, whole.h, whole.chain, view, whole.events, whole.clk)

    def _list(self, name: str, part: Raw, split: Callable[[Raw | bytes], list[Raw]], read: Read) -> list[Any]:
        bodies = list(map(bytes, split(part)))
        items = list(map(self._listed.get(name, {}).get, bodies))
        if None in items:
            items = [read(body) if item is None else item for body, item in zip(bodies, items, strict=True)]
        self._listed[name] = dict(zip(bodies, items, strict=True))
        return items


class _Log:
    """The log: what it was before, but for a few lines less at the beginning and a few more at the end.

    It is remembered as it came, without its length, and with the place where each line begins.
    """

    def __init__(self) -> None:
        self._body = b""
        self._base = 0
        self._starts: list[int] = []
        self._lines: list[Any] = []

    def read(self, part: bytes) -> list[Any]:
        """Return the lines; only new ones are read."""
        lines, head = _length(part)
        for gone, start in enumerate(self._starts[:_GONE]):
            old, kept = self._body[start - self._base :], len(self._starts) - gone
            if kept <= lines <= LINES and part.startswith(old, head):
                fresh = _array(lines - kept) + part[head + len(old) :]
                return self._keep(part[head:], self._starts[gone:], self._lines[gone:], fresh)
        return self._keep(part[head:], [], [], part)

    def _keep(self, body: bytes, starts: list[int], lines: list[Any], fresh: bytes) -> list[Any]:
        how = readers()
        how.check_lines(fresh)
        base = starts[0] if starts else 0
        at = base + len(body) - len(fresh) + _length(fresh)[1]
        for line in how.split_lines(fresh):
            starts.append(at)
            at += len(bytes(line))
        self._body, self._base, self._starts, self._lines = body, base, starts, [*lines, *_plain(fresh)]
        return self._lines


def _length(part: bytes) -> tuple[int, int]:
    """Return how many items a msgpack array says it has, and in how many bytes it says so; (-1, 0) for anything else."""
    if part[0] & 0xF0 == 0x90:
        return part[0] & 0x0F, 1
    size = {0xDC: 2, 0xDD: 4}.get(part[0])
    return (-1, 0) if size is None else (int.from_bytes(part[1 : 1 + size], "big"), 1 + size)


def _array(items: int) -> bytes:
    """Return how a msgpack array of so many items begins."""
    return bytes([0x90 | items]) if items < 16 else b"\xdc" + items.to_bytes(2, "big")


def _one(known: dict[str, tuple[bytes, Any]], name: str, read: Read, part: Raw) -> Any:
    before, body = known.get(name), bytes(part)
    if before is not None and before[0] == body:
        return before[1]
    value = read(body)
    known[name] = body, value
    return value
