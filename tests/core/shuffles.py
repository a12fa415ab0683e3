"""The shuffle once more, from its definition in docs/journal.md and hashlib alone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator


def words(seed: bytes, stream: str) -> Iterator[int]:
    """Yield the 32-bit words of a stream, from the definition in docs/journal.md."""
    name = stream.encode()
    index = 0
    while True:
        data = hashlib.sha256(b"carteado/random/1" + len(name).to_bytes(1, "big") + name + seed + index.to_bytes(8, "big")).digest()
        for place in range(0, 32, 4):
            yield int.from_bytes(data[place : place + 4], "big")
        index += 1


def drawn(source: Iterator[int], n: int) -> int:
    most = 2**32 - 2**32 % n
    return next(word for word in source if word < most) % n


def shuffled(cards: list[str], source: Iterator[int]) -> list[str]:
    cards = list(cards)
    for last in range(len(cards) - 1, 0, -1):
        other = drawn(source, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return cards
