"""Deals that nobody can choose: the host and every seat have their part in the seed of each hand.

The anchors are published before anybody opens a link, every seat's link before the host knows the cards, and the host's own link when the
hand is over. Whoever opens none within a few seconds is left out, and everybody is told.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from carteado.core.course import announced
from carteado.core.errors import Refused
from carteado.core.fair import Chain, contributions, is_fair, opens, seed_of
from carteado.core.match import PLAYING, Match

from . import limits, protocol

if TYPE_CHECKING:
    from .chairs import Chair
    from .seating import Seeds

HOST = -1
"""The host, where parties are numbered by seat."""
PATIENCE = 2
"""Hands for which a seat may be too late with its link; then it is not waited for, until it is in time again."""


@dataclass
class Round:
    """The links of one hand while they are opened. asked: seats that are asked. wanted: those that are waited for. until: for how long."""

    hand: int
    until: float
    asked: set[int]
    wanted: set[int]
    plan: Mapping[str, str]
    renewed: list[int]
    links: dict[int, bytes] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """Tell whether everybody who is waited for has opened a link."""
        return self.wanted <= self.links.keys()


class Dealing:
    """Find the seeds of a table's hands. fair: whether they come from links; a fixed seed does not."""

    def __init__(self, table: str, seeds: Seeds) -> None:
        self._table = table
        self._seeds = seeds
        self._number = 0
        self._label = ""
        self._nonce = b""
        self._host: Chain | None = None
        self._anchor = b""
        self._anchors: list[bytes | None] = []
        self._house: dict[int, Chain] = {}
        self._round: Round | None = None
        self._anchors_by = 0.0
        self._late: Counter[int] = Counter()

    @property
    def fair(self) -> bool:
        """Whether seeds come from links of all."""
        return self._host is not None

    @property
    def until(self) -> float:
        """Until when anchors or links are waited for."""
        return self._round.until if self._round is not None else self._anchors_by

    # A match

    def begin(self, number: int, chairs: Sequence[Chair], now: float) -> dict[str, Any] | None:
        """Fix everybody's anchor for a match; return what its header says of them, None if its seeds are fixed otherwise."""
        self._number, self._label, self._nonce = number, f"{self._table}/{number}", os.urandom(16)
        self._round, self._house, self._anchors_by = None, {}, now + limits.ANCHOR_TIME
        self._late.clear()
        self._host = self._seeds.chain(self._label, self._nonce, HOST)
        if self._host is None:
            return None
        self._anchor = self._host.anchor
        self._anchors = [self._of(seat, chair) for seat, chair in enumerate(chairs)]
        return {
            "match": self._label, "anchor": self._anchor.hex(), "anchors": [anchor and anchor.hex() for anchor in self._anchors],
            "nonce": self._nonce.hex(),
        }  # fmt: skip

    def restore(self, number: int, match: Match) -> None:
        """Go on with a match that was begun by an earlier run of the host."""
        fair = match.journal.header.get("fair")
        self._number, self._host = number, None
        if fair is None:
            return
        for entry in match.journal.entries:
            if entry["k"] == "hand" and is_fair(entry["from"]):
                fair = fair | {"anchor": entry["from"]["anchor"], "anchors": entry["from"]["anchors"]}
        self._label, self._nonce = fair["match"], bytes.fromhex(fair["nonce"])
        self._host = self._seeds.chain(self._label, self._nonce, HOST)
        self._anchor = bytes.fromhex(fair["anchor"])
        self._anchors = [anchor and bytes.fromhex(anchor) for anchor in fair["anchors"]]

    # A hand

    def ready(self, match: Match, chairs: Sequence[Chair], now: float) -> bool:
        """Ask for the links of the next hand, once; return whether there is nobody left to wait for.

        Before the first hand it waits a moment for the anchors of those who have just sat down.
        """
        if self._host is None:
            return True
        hand = match.hand + 1
        if self._round is None or self._round.hand != hand:
            self._round = None
            if now < self._anchors_by and any(self._owes(seat, chair) for seat, chair in enumerate(chairs[: len(self._anchors)])):
                return False
            self._open(hand, match, chairs, now)
        assert self._round is not None
        return self._round.whole or now >= self._round.until

    def draw(self, match: Match) -> tuple[bytes, Mapping[str, Any]]:
        """Return the seed of the next hand and where it comes from."""
        hand = match.hand + 1
        round, self._round = self._round, None
        link = self._host.link(hand) if self._host is not None else None
        if link is None or round is None:
            return self._seeds.draw(self._table, self._number, hand)
        for seat in round.asked:
            self._late[seat] = 0 if seat in round.links else self._late[seat] + 1
        links = [round.links.get(seat) for seat in range(len(self._anchors))]
        sources = contributions(self._label, self._anchor, self._anchors, link, links, round.plan, round.renewed)
        return seed_of(self._label, hand, link, links), sources

    def asks(self, match: Match | None) -> protocol.Fair | None:
        """Return what is told to who has to open a link now, None while nobody has."""
        if self._round is None or match is None:
            return None
        return self._told(self._round.hand, self._round.plan, self._round.renewed)

    def aborted(self, match: Match | None) -> protocol.Fair | None:
        """Return the host's link of a hand that will never be finished, to be told to everybody."""
        if self._host is None or match is None or match.phase != PLAYING:
            return None
        return self._told(match.hand, {}, [], self._host.link(match.hand))

    # Seats

    def promise(self, chairs: Sequence[Chair], seat: int, number: int, anchor: bytes) -> None:
        """Take a seat's anchor: for the next match, or from the next hand on. Raises: Refused with stale_match or copied."""
        if number not in (self._number, self._number + 1):
            raise Refused("stale_match")
        others = [chair.anchor[1] for chair in chairs if chair.anchor is not None and chair.seat != seat]
        if anchor in others or anchor in [self._anchor, *(mine for other, mine in enumerate(self._anchors) if other != seat)]:
            raise Refused("copied")
        chairs[seat].anchor = (number, anchor)

    def link(self, seat: int, number: int, hand: int, link: bytes) -> None:
        """Take a seat's link. Raises: Refused with late_link or wrong_link."""
        round = self._round
        if round is None or number != self._number or hand != round.hand:
            raise Refused("late_link")
        anchor = self._anchors[seat]
        if anchor is None or not opens(link, hand, anchor, self._label):
            raise Refused("wrong_link")
        round.links[seat] = link

    # Inside

    def _open(self, hand: int, match: Match, chairs: Sequence[Chair], now: float) -> None:
        renewed = []
        assert self._host is not None
        if self._host.anchor != self._anchor:
            self._anchor = self._host.anchor
            renewed.append(HOST)
        links: dict[int, bytes] = {}
        for seat in range(len(self._anchors)):
            anchor = self._of(seat, chairs[seat])
            if anchor is not None and anchor != self._anchors[seat]:
                self._anchors[seat] = anchor
                renewed.append(seat)
            if chairs[seat].house and (link := self._chain(seat).link(hand)) is not None:
                links[seat] = link
        here = {
            chair.seat for chair in chairs[: len(self._anchors)]
            if chair.session is not None and not chair.house and self._anchors[chair.seat] is not None
        }  # fmt: skip
        waited = {seat for seat in here if self._late[seat] < PATIENCE}
        self._round = Round(hand, now + limits.LINK_TIME, here, waited, announced(match), renewed, links)

    def _owes(self, seat: int, chair: Chair) -> bool:
        """Tell whether a seat's player is here, knows of anchors, and has published none."""
        return chair.session is not None and chair.session.fair and self._anchors[seat] is None and self._of(seat, chair) is None

    def _of(self, seat: int, chair: Chair) -> bytes | None:
        """Return the anchor of who sits on a chair, None if it has none of this match."""
        if chair.house:
            return self._chain(seat).anchor if self._host is not None else None
        return chair.anchor[1] if chair.anchor is not None and chair.anchor[0] == self._number else None

    def _chain(self, seat: int) -> Chain:
        if seat not in self._house:
            chain = self._seeds.chain(self._label, self._nonce, seat)
            assert chain is not None
            self._house[seat] = chain
        return self._house[seat]

    def _told(self, hand: int, plan: Mapping[str, str], renewed: Sequence[int], link: bytes | None = None) -> protocol.Fair:
        return protocol.Fair(
            self._table, self._number, hand, self._label, self._anchor, list(self._anchors), dict(plan), list(renewed), link
        )  # fmt: skip
