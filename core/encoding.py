"""One canonical encoding of plain data, for digests and hash chains.

Plain data is None, bool, int (64 bits), str, bytes, list/tuple and dict with str keys. The encoding is msgpack with map keys in code-point
order, smallest integer and string headers. `ENCODING` is its version and stands in every journal's header.
"""

from __future__ import annotations

import hashlib
from typing import Any, cast

import msgpack

from .errors import DesignFault

ENCODING = 1
LEAST, MOST = -(1 << 63), (1 << 64) - 1
"""The whole numbers that have an encoding."""
_FLAT = frozenset({str, int, bool, type(None), bytes})


def canonical(value: Any) -> bytes:
    """Encode plain data to the one byte string that stands for it.

    Raises: TypeError for data that is not plain.
    """
    return cast(bytes, msgpack.packb(ordered(value)))


def digest(value: Any) -> str:
    """Return the SHA-256 of the canonical encoding, as 64 hex digits."""
    return hashlib.sha256(canonical(value)).hexdigest()


def ordered(value: Any) -> Any:
    """Copy plain data into the order in which it is encoded. Raises: TypeError for a float."""
    if isinstance(value, dict):
        return {key: item if type(item := value[key]) in _FLAT else ordered(item) for key in sorted(value)}
    if isinstance(value, (list, tuple)):
        return [item if type(item) in _FLAT else ordered(item) for item in value]
    if isinstance(value, float):
        raise TypeError("a float is not plain data")
    return value


def plain(value: Any, depth: int = 8) -> Any:
    """Copy plain data (tuples become lists), so that nobody keeps a handle on what the table stores.

    Raises: DesignFault for anything that is not plain data, has no encoding (whole numbers beyond 64 bits, halves of surrogate pairs)
    or is nested deeper than `depth`.
    """
    kind = type(value)
    if kind is str:
        if not value.isascii():
            _encodable(value)
        return value
    if kind is int:
        if not LEAST <= value <= MOST:
            raise DesignFault("a whole number beyond 64 bits is not plain data")
        return value
    if kind is bool or value is None:
        return value
    if depth <= 0:
        raise DesignFault("data is nested too deeply for the table")
    if kind is list or kind is tuple:
        return [plain(item, depth - 1) for item in value]
    if kind is dict:
        for key in value:
            if type(key) is not str:
                raise DesignFault(f"keys of plain data are strings, not {key!r}")
            if not key.isascii():
                _encodable(key)
        return {key: plain(item, depth - 1) for key, item in value.items()}
    raise DesignFault(f"{value!r} is not plain data (None, bool, int, str, list, dict)")


def copied(value: Any) -> Any:
    """Copy data at the speed of the encoder (tuples become lists); for data that is plain already, or only looked at.

    Raises: TypeError, ValueError, OverflowError or UnicodeError for what cannot be encoded.
    """
    return msgpack.unpackb(msgpack.packb(value))


def _encodable(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise DesignFault(f"{text!r} has no encoding") from None


def short(value: Any, most: int = 24) -> str:
    """Return anything as a few characters that can be encoded, for the data of a refusal; what is neither text nor number, by its type."""
    if value is None or type(value) is bool or (type(value) is int and LEAST <= value <= MOST):
        value = str(value)
    elif type(value) is not str:
        value = type(value).__name__
    return str(value[:most]).encode("utf-8", "replace").decode()
