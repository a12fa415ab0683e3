"""Deals that nobody could choose: one hash chain a party, and a seed made of one link of each.

Before a match every party publishes its anchor, the end of a SHA-256 chain whose links are fixed by it. For each hand every seat opens its
link; the host opens its own when the hand is over. docs/fairness.md has the whole protocol, with test vectors.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

LINKS = 256
"""Links of a chain, one for each hand that a match can have."""
LINK_TAG, SEED_TAG = b"carteado/link/1", b"carteado/seed/1"
SIZE = 32
_STEP = 32


def hashed(*fields: bytes) -> bytes:
    """Return the SHA-256 of fields, each after its length in 4 bytes, big-endian."""
    return _begun(*fields).digest()


def _begun(*fields: bytes) -> hashlib._Hash:
    whole = hashlib.sha256()
    for field in fields:
        whole.update(len(field).to_bytes(4, "big"))
        whole.update(field)
    return whole


def before(link: bytes, match: str, times: int = 1) -> bytes:
    """Return the link that comes before this one in a chain of a match, or so many before it."""
    begun = _begun(LINK_TAG, match.encode())
    begun.update(SIZE.to_bytes(4, "big"))
    for _ in range(times):
        whole = begun.copy()
        whole.update(link)
        link = whole.digest()
    return link


def opens(link: bytes, hand: int, anchor: bytes, match: str) -> bool:
    """Tell whether this is link `hand` (1, 2, ...) of the chain with this anchor."""
    if not 1 <= hand <= LINKS or len(link) != SIZE:
        return False
    return before(link, match, hand) == anchor


def seed_of(match: str, hand: int, host: bytes, links: Sequence[bytes | None]) -> bytes:
    """Return the seed of a hand from the host's link and the seats' (None: left out)."""
    opened = [bytes([seat]) + link for seat, link in enumerate(links) if link is not None]
    return hashed(SEED_TAG, match.encode(), hand.to_bytes(8, "big"), host, *opened)


class Chain:
    """One party's chain for one match, from a secret of 32 bytes. anchor: what it publishes."""

    def __init__(self, secret: bytes, match: str) -> None:
        self._match = match
        self._marks = {LINKS: secret}
        for place in range(LINKS - _STEP, -1, -_STEP):
            self._marks[place] = before(self._marks[place + _STEP], match, _STEP)
        self.anchor = self._marks[0]

    def link(self, hand: int) -> bytes | None:
        """Return the link of a hand (1, 2, ...), None when the chain has none left."""
        if not 1 <= hand <= LINKS:
            return None
        place = -(-hand // _STEP) * _STEP
        return before(self._marks[place], self._match, place - hand)


# What a journal says of it.


class Unfair(Exception):
    """Say in a code and a sentence what is wrong with the proof of a hand."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def is_fair(sources: Mapping[str, Any]) -> bool:
    """Tell whether the sources of a seed are links of chains."""
    return "links" in sources


def contributions(
    match: str, host_anchor: bytes, anchors: Sequence[bytes | None], host: bytes, links: Sequence[bytes | None],
    plan: Mapping[str, str], renewed: Sequence[int] = (),
) -> dict[str, Any]:  # fmt: skip
    """Return the sources of a seed as a journal keeps them: plain data, links and anchors in hex.

    plan: by starting seat, the digest of the course that the deal was to take. renewed: seats whose anchor is another than before; -1 is
    the host.
    """
    return {
        "match": match, "host": host.hex(), "links": [link and link.hex() for link in links],
        "anchor": host_anchor.hex(), "anchors": [anchor and anchor.hex() for anchor in anchors],
        "missing": [seat for seat, link in enumerate(links) if link is None], "renewed": sorted(renewed), "plan": dict(plan),
    }  # fmt: skip


def check_links(sources: Mapping[str, Any], hand: int) -> None:
    """Check the seats' links of a hand against their anchors. Raises: Unfair."""
    match, links, anchors = sources["match"], sources["links"], sources["anchors"]
    if len(links) != len(anchors):
        raise Unfair("seat_link", f"hand {hand} has {len(links)} links for {len(anchors)} anchors")
    for seat, (link, anchor) in enumerate(zip(links, anchors, strict=True)):
        if link is not None and (anchor is None or not opens(bytes.fromhex(link), hand, bytes.fromhex(anchor), match)):
            raise Unfair("seat_link", f"the link of seat {seat} for hand {hand} does not belong to its anchor")
    given = [anchor for anchor in anchors if anchor is not None]
    if len({*given, sources["anchor"]}) != len(given) + 1:
        raise Unfair("copied", f"two parties of hand {hand} have the same anchor")
    if list(sources["missing"]) != [seat for seat, link in enumerate(links) if link is None]:
        raise Unfair("missing", f"who left out a link of hand {hand} is not named")


def check_anchors(sources: Mapping[str, Any], known: Mapping[str, Any], hand: int) -> None:
    """Check that anchors are those that are known, unless they are named as renewed. Raises: Unfair."""
    if sources["match"] != known["match"]:
        raise Unfair("anchor", f"hand {hand} has links of another match")
    now, old = [sources["anchor"], *sources["anchors"]], [known["anchor"], *known["anchors"]]
    renewed = {int(seat) for seat in sources["renewed"]}
    if len(now) != len(old):
        raise Unfair("anchor", f"hand {hand} has another number of anchors than there were")
    for seat, (anchor, was) in enumerate(zip(now, old, strict=True), -1):
        if anchor != was and seat not in renewed:
            whose = "the host" if seat < 0 else f"seat {seat}"
            raise Unfair("anchor", f"the anchor of {whose} is another one in hand {hand}, and nobody says so")


def open_seed(sources: Mapping[str, Any], hand: int, host: bytes) -> bytes:
    """Return the seed of a hand, with the host's link checked against its anchor. Raises: Unfair."""
    if not opens(host, hand, bytes.fromhex(sources["anchor"]), sources["match"]):
        raise Unfair("host_link", f"the host's link for hand {hand} does not belong to its anchor")
    return seed_of(sources["match"], hand, host, [link and bytes.fromhex(link) for link in sources["links"]])
