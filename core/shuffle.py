"""Seeded, verifiable randomness: SHA-256 in counter mode.

Word `i` of a stream is the big-endian 32-bit number at bytes `4 * (i % 8)` of
``SHA-256("carteado/random/1" || len(stream) as one byte || stream || seed || (i // 8) as 8 bytes big-endian)``.
A number below `n` is the next word below the largest multiple of `n` that fits in 32 bits, modulo `n` (rejection sampling).
A shuffle is Fisher-Yates from the last place down: `j = below(i + 1)`, swap places `i` and `j`. Any language can recompute it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

TAG = b"carteado/random/1"
_RANGE = 1 << 32


def block(seed: bytes, stream: str, index: int) -> bytes:
    """Return the 32 bytes of block `index` (8 words) of a stream."""
    name = stream.encode()
    return hashlib.sha256(TAG + bytes([len(name)]) + name + seed + index.to_bytes(8, "big")).digest()


class Stream:
    """Draw numbers from one stream of a seed, from word `at` on; `at` moves with every word used."""

    __slots__ = ("_block", "_index", "at", "name", "seed")

    def __init__(self, seed: bytes, name: str, at: int = 0) -> None:
        self.seed = seed
        self.name = name
        self.at = at
        self._index = -1
        self._block = b""

    def word(self) -> int:
        """Return the next 32-bit word."""
        index, place = divmod(self.at, 8)
        if index != self._index:
            self._block = block(self.seed, self.name, index)
            self._index = index
        self.at += 1
        return int.from_bytes(self._block[4 * place : 4 * place + 4], "big")

    def below(self, n: int) -> int:
        """Return a uniform number in 0..n-1.

        Raises: ValueError unless 1 <= n <= 2**32.
        """
        if not 1 <= n <= _RANGE:
            raise ValueError(f"below() takes 1 to 2**32, not {n}")
        limit = _RANGE - _RANGE % n
        while True:
            word = self.word()
            if word < limit:
                return word % n

    def shuffled(self, cards: Sequence[str]) -> list[str]:
        """Return the cards in a uniformly random order."""
        result = list(cards)
        for i in range(len(result) - 1, 0, -1):
            j = self.below(i + 1)
            result[i], result[j] = result[j], result[i]
        return result
