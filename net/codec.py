"""The one way to read and write messages.

Reading goes in three steps, for hosts and for clients: the length, then one-shot msgpack with every limit set and no
key twice, then conversion into exactly one kind of message. Anything else is Unreadable. A host refuses unknown
fields; a client ignores them, so that a newer host can say more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Final, NoReturn

import msgpack
import msgspec

from . import limits
from .errors import BadFrame
from .parts import Parts
from .protocol import (
    HOST_KINDS,
    PEER_KINDS,
    Gone,
    Heartbeat,
    HostKind,
    HostMessage,
    PeerKind,
    PeerMessage,
    State,
    Table,
    kind_of,
)
from .views import StateHead

_BYTES: Final = (bytes,)
# Converting into one struct is several times faster than into a union, whose description msgspec builds anew each time.
_PEERS: Final[dict[str, type[PeerMessage]]] = {kind_of(kind): kind for kind in PEER_KINDS}
_HOSTS: Final[dict[str, Callable[[bytes], HostMessage]]] = {kind_of(kind): msgspec.msgpack.Decoder(kind).decode for kind in HOST_KINDS}
_STATE: Final = kind_of(State)
_REFUSED: Final = (msgspec.MsgspecError, RecursionError, UnicodeError, ValueError)
_encoder: Final = msgspec.msgpack.Encoder()


class _Tagged(msgspec.Struct):
    """As much of a message as says what it is."""

    t: str


_BEGINS: Final = b"\xa1t\xa5state"
_tagged: Final = msgspec.msgpack.Decoder(_Tagged).decode
_feed: Final = msgspec.msgpack.Decoder(StateHead | Table | Heartbeat | Gone)


def encode(message: PeerKind | HostKind) -> bytes:
    """Return the frame of a message.

    Raises: BadFrame if it breaks the limit of its direction, so that no honest peer sends what will be dropped.
    """
    frame = _encoder.encode(message)
    if len(frame) > (limits.PEER_FRAME if isinstance(message, PeerKind) else limits.HOST_FRAME):
        raise BadFrame(f"oversized: a message of kind {kind_of(message)} takes {len(frame)} bytes")
    return frame


class Unreadable(BadFrame):
    """Refuse a frame with a code: `oversized`, `malformed`, or `unknown` (a kind that this side doesn't read).

    kind: what the frame says it is, when that much could be read and is a kind that peers send; else "".
    """

    def __init__(self, code: str, kind: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.kind = kind


def read_peer(frame: bytes, limit: int = limits.PEER_FRAME) -> PeerMessage:
    """Read what a peer sent to a host.

    Raises: Unreadable.
    """
    if len(frame) > limit:
        raise Unreadable("oversized")
    raw = unpack(frame, items=limits.ITEMS, text=4 * limits.CHAT)
    kind = _kind(raw)
    if kind not in _PEERS:
        raise Unreadable("unknown")
    try:
        message: PeerMessage = msgspec.convert(raw, _PEERS[kind], strict=True, builtin_types=_BYTES)
    except _REFUSED:
        raise Unreadable("malformed", kind) from None
    return message


def checked(message: PeerKind) -> PeerKind:
    """Return a message that a host will be able to read. Raises: BadFrame for any other."""
    try:
        _whole(type(message))(encode(message))
    except _REFUSED as error:
        raise BadFrame(f"malformed: {error}") from None
    return message


@cache
def _whole(kind: type[PeerKind]) -> Callable[[bytes], PeerKind]:
    return msgspec.msgpack.Decoder(kind).decode


def read_host(frame: bytes, parts: Parts | None = None) -> HostMessage:
    """Read what a host sent on TABLE. A view is checked against `views.View`, and is the plain data that came.

    parts: what is known of the view before, on the same connection. Raises: Unreadable.
    """
    if len(frame) > limits.HOST_FRAME:
        raise Unreadable("oversized")
    try:
        kind = _STATE if frame[1:9] == _BEGINS else _tagged(frame).t
        if kind == _STATE:
            return (parts or Parts()).read(frame)
        if kind not in _HOSTS:
            raise Unreadable("unknown")
        message: HostMessage = _HOSTS[kind](frame)
    except _REFUSED:
        raise Unreadable("malformed") from None
    return message


def read_feed(frame: bytes) -> StateHead | Heartbeat | None:
    """Read what a host sent on FEED, as far as it bears witness; None for a message that does not.

    Raises: Unreadable.
    """
    if len(frame) > limits.HOST_FRAME:
        raise Unreadable("oversized")
    try:
        message = _feed.decode(frame)
    except _REFUSED:
        raise Unreadable("malformed") from None
    return message if isinstance(message, (StateHead, Heartbeat)) else None


def unpack(frame: bytes, items: int, text: int, twins: bool = False) -> Any:
    """Decode one msgpack value: no longer container or text than told, text keys, no extension types, and no key twice.

    twins: let the last of several equal keys count instead; four times as fast, and what a host says is its own affair.

    Raises: Unreadable("malformed").
    """
    try:
        return msgpack.unpackb(
            frame,
            raw=False,
            strict_map_key=True,
            object_pairs_hook=None if twins else _without_twins,
            ext_hook=_no_extension,
            timestamp=0,
            max_str_len=text,
            max_bin_len=text,
            max_array_len=items,
            max_map_len=items,
            max_ext_len=0,
        )
    except _REFUSED:
        raise Unreadable("malformed") from None


def _kind(raw: Any) -> str:
    kind = raw.get("t") if isinstance(raw, dict) else None
    if not isinstance(kind, str):
        raise Unreadable("malformed")
    return kind


def _without_twins(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    listed = list(pairs)
    result = dict(listed)
    if len(result) != len(listed):
        raise ValueError("a key occurs twice")
    return result


def _no_extension(code: int, data: bytes) -> NoReturn:
    raise ValueError("an extension type")
