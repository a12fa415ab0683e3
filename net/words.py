"""The words of a game on the wire: catalogue, rules text and deck, by hash and in parts, so that a guest needs no plugin."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec

from carteado.core.game import Game

from . import limits
from .codec import Unreadable, unpack
from .fields import Data, Hash
from .protocol import Words

_TEXT: Final = 262_144
_ITEMS: Final = 20_000


class _Body(msgspec.Struct, frozen=True):
    title: str
    lang: str
    catalogue: dict[str, str | list[str] | dict[str, str]]
    rules: str
    looks: Data
    score: str
    levels: list[str]


@dataclass(frozen=True)
class GameWords:
    """What a client knows of a game: its title, its catalogue and rules in one language, the looks of its deck.

    score: which points are better, `low` or `high`; levels: its computer players, weakest first.
    """

    game: str
    lang: str
    hash: bytes
    title: str = ""
    catalogue: Mapping[str, Any] = field(default_factory=dict)
    rules: str = ""
    looks: Mapping[str, Any] = field(default_factory=dict)
    score: str = "high"
    levels: tuple[str, ...] = ()


def pack(game: Game, lang: str, levels: list[str]) -> tuple[bytes, bytes]:
    """Return the hash and the encoded words of a game in a language (English where the game does not speak it)."""
    catalogue, rules = game.words(lang), game.rules(lang)
    spoken = lang if catalogue else "en"
    body = msgspec.msgpack.encode(
        _Body(
            game.title or game.name, spoken, dict(catalogue or game.words("en")), rules or game.rules("en"),
            game.deck.looks, game.score, levels,
        ),
        order="deterministic",
    )  # fmt: skip
    return hashed(body), body


def hashed(body: bytes) -> bytes:
    """Return the hash under which words are cached: the first 16 bytes of SHA-256."""
    return hashlib.sha256(body).digest()[: limits.HASH]


def parts(game: str, lang: str, body: bytes) -> list[Words]:
    """Return the messages that carry encoded words, in order."""
    pieces = [body[at : at + limits.WORDS_PART] for at in range(0, len(body), limits.WORDS_PART)]
    return [Words(game, lang, hashed(body), part, len(pieces), piece) for part, piece in enumerate(pieces)]


def unpacked(game: str, lang: str, hash: Hash, body: bytes) -> GameWords:
    """Read encoded words that a host sent.

    Raises: Unreadable if they are not what the hash says, too large, or not words.
    """
    if len(body) > limits.WORDS_TOTAL or hashed(body) != hash:
        raise Unreadable("malformed", "words")
    raw = unpack(body, items=_ITEMS, text=_TEXT)
    try:
        told = msgspec.convert(raw, _Body, strict=True, builtin_types=(bytes,))
    except (msgspec.MsgspecError, RecursionError):
        raise Unreadable("malformed", "words") from None
    return GameWords(
        game, told.lang, hash, told.title, told.catalogue, told.rules, told.looks, told.score, tuple(told.levels)
    )  # fmt: skip


class Assembly:
    """Put the parts of a game's words together as they come; they come in order on one connection."""

    def __init__(self) -> None:
        self._hash = b""
        self._pieces: list[bytes] = []

    def add(self, part: Words) -> bytes | None:
        """Add a part. Return the whole when it is complete. Raises: Unreadable for a part out of order."""
        if part.part == 0:
            self._hash, self._pieces = part.hash, []
        if part.hash != self._hash or part.part != len(self._pieces) or part.part >= part.parts:
            raise Unreadable("malformed", "words")
        self._pieces.append(part.body)
        return b"".join(self._pieces) if len(self._pieces) == part.parts else None
