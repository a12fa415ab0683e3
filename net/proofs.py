"""What a client does for fair deals: its own chain, its links, and the proof of every hand from what it saw itself.

It trusts nothing that the host says about this: anchors must stay what they were, every link must open its anchor, the own link must be the
one that was sent, and every card must lie where the seed put it.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from carteado.core.course import NoCourse
from carteado.core.encoding import digest
from carteado.core.errors import NONSENSE
from carteado.core.fair import SIZE, Chain, Unfair, check_anchors, check_links, open_seed
from carteado.core.shuffle import Stream
from carteado.core.witness import NotDealt, NotFollowed, Seen, Witness, seen_of

from . import protocol
from .picture import chained

VERIFIED, UNVERIFIED, FAILED = "verified", "unverified", "failed"
REASONS: Final[dict[str, str]] = {
    "": "The deal is proven: nobody chose it, and every card that was seen was dealt.",
    # unverified
    "open": "The deal can be proven when it is opened.",
    "fixed": "The host uses seeds of its own; nobody else had a part in them.",
    "missed": "A part of the hand was not seen here, so not every card could be followed.",
    "left_out": "The seed was made without the own link, which came too late or was left out.",
    "restarted": "The host was started again while the links were opened.",
    "aborted": "The hand was not finished; the host's link is the one it had promised.",
    "plan": "The deal took another course than the one announced; only the game's rules can tell why.",
    "draws": "The game drew numbers that cannot be followed without its rules.",
    "moves": "Cards moved in ways that cannot be followed without the game's rules.",
    # failed
    "host_link": "The host opened a link that it had not promised.",
    "seat_link": "A seat's link in the seed is not the one it had promised.",
    "own_link": "The seed was made with another link than the one that was sent from here.",
    "anchor": "An anchor was changed, and nobody said so.",
    "copied": "Two parties have the same anchor.",
    "missing": "A link was left out, and nobody said so.",
    "changed": "The course of the deal was announced differently before.",
    "start": "Another seat started than the seed says.",
    "course": "The opened deal leads nowhere.",
    "cards": "A card was seen that was not dealt there.",
    "malformed": "What the host says about the deal makes no sense.",
}
"""Every reason of a mark, with its English sentence."""
_MOST = 20_000
"""Versions of hands that are kept until they can be proven."""


@dataclass(frozen=True)
class Mark:
    """How the newest hand that could be proven came out: `verified | unverified | failed`, and why.

    hand: which one; 0 before the first. checked: how many cards were seen where they had to be. detail: more, in English.
    """

    state: str = UNVERIFIED
    reason: str = "open"
    hand: int = 0
    checked: int = 0
    detail: str = ""


@dataclass
class Hand:
    """A hand that waits for its proof. doubt: why it can at best be `unverified`. cut: whether something was missed after `seen`."""

    number: int
    sources: Mapping[str, Any]
    deal: Mapping[str, Any]
    doubt: str = ""
    cut: bool = False
    seen: dict[int, Seen] = field(default_factory=dict)


@dataclass
class Gap:
    """Versions of a hand that were not seen: those after `after` and before the one of `state`. chain: after the version before.

    opened: what the hand was opened with meanwhile. asked: whether they were asked for.
    """

    hand: Hand
    after: int
    chain: bytes
    state: protocol.State
    opened: Mapping[str, Any] | None = None
    asked: bool = False


class Proofs:
    """Take part in fair deals, and prove them. mark: of the newest hand. marks: of every hand of the match, by number.

    check: whether to prove; who does not only opens its links. evidence: what was seen of the hand that failed.
    """

    def __init__(self, check: bool = True) -> None:
        self.mark = Mark()
        self.marks: dict[int, Mark] = {}
        self.evidence: dict[str, Any] | None = None
        self._check = check
        self._m = ""
        self._at = (0, 0)
        self._chains: dict[int, Chain] = {}
        self._asked: dict[int, tuple[bytes, protocol.Fair, bytes | None]] = {}
        # Whether the host has published the own anchor in this match: whoever gives another link for this seat then is not its player.
        self._confirmed = False
        self._known: Mapping[str, Any] | None = None
        self._hands: dict[int, Hand] = {}
        self._last: Mapping[str, Any] = {}
        self._chain = b""
        self._gap: Gap | None = None

    # Taking part

    def promise(self, table: protocol.Table) -> protocol.Anchor | None:
        """Return the anchor to publish at this table, if there is one to publish now; `unsaid` takes it back."""
        if table.m != self._m:
            self._forget(table.m)
        if table.you is None or table.stage == "broken":
            return None
        number = table.match + (1 if table.stage in ("lobby", "over") else 0)
        if number in self._chains:
            return None
        self._chains = {old: chain for old, chain in self._chains.items() if old >= table.match}
        chain = self._chains[number] = Chain(secrets.token_bytes(SIZE), f"{table.m}/{number}")
        return protocol.Anchor(table.m, number, chain.anchor)

    def unsaid(self, number: int) -> None:
        """Take back a promise that could not be sent."""
        self._chains.pop(number, None)

    def asked(self, fair: protocol.Fair, seat: int | None, epoch: bytes) -> protocol.OpenLink | protocol.Anchor | None:
        """Take in what is published before a hand; return the own link of it, or the own anchor if the host has not got it."""
        if fair.m != self._m or fair.link is not None:
            return None
        chain = self._chains.get(fair.match)
        before = self._asked.get(fair.hand)
        if before is not None and before[1].match == fair.match and _anchors(before[1]) != _anchors(fair):
            return None  # a hand is opened under one set of anchors only
        link = None
        if chain is not None and seat is not None and seat < len(fair.anchors) and fair.anchors[seat] == chain.anchor:
            link = chain.link(fair.hand)
            self._confirmed = True
        if fair.label == f"{fair.m}/{fair.match}":
            self._asked[fair.hand] = (epoch, fair, link)
            while len(self._asked) > 4:
                del self._asked[next(iter(self._asked))]
            if link is not None:
                return protocol.OpenLink(fair.m, fair.match, fair.hand, link)
            if chain is not None and seat is not None and chain.anchor not in fair.anchors:
                return protocol.Anchor(fair.m, fair.match, chain.anchor)
        return None

    # Proving

    def aborted(self, fair: protocol.Fair) -> bool:
        """Take in the host's link of a hand that will not be finished; return whether the mark is another one."""
        hand = self._hands.get(fair.hand)
        if not self._check or fair.link is None or fair.m != self._m or fair.match != self._at[0] or hand is None:
            return False
        return self._prove(hand, {"link": fair.link.hex()})

    def state(self, state: protocol.State, seat: int | None, epoch: bytes) -> bool:
        """Take in a version of the match; return whether the mark is another one."""
        at = (state.match, state.q)
        if not self._check or at <= self._at:
            return False
        before, self._at = self._at, at
        if state.match != before[0]:
            self._renew()
        if state.q != (before[1] if state.match == before[0] else 0) + 1:
            self._missed(before[1], state)
        old, self._chain = self.mark, state.chain
        try:
            self._take(state, seat, epoch)
        except NONSENSE as error:
            self._judge(self.mark.hand, FAILED, "malformed", f"{type(error).__name__}: {error}")
        return self.mark != old

    def wants(self) -> protocol.AskPast | None:
        """Return what to ask for, once, because a part of a hand was missed; None if there is nothing."""
        gap = self._gap
        if gap is None or gap.asked:
            return None
        gap.asked = True
        return protocol.AskPast(self._m, gap.state.match, gap.after)

    def past(self, past: protocol.Past) -> bool:
        """Take in what was missed, if it fits between what was seen; return whether the mark is another one."""
        gap, self._gap = self._gap, None
        if gap is None or (past.m, past.match) != (self._m, self._at[0]):
            return False
        events = past.events[: gap.state.q - gap.after - 1]
        chain = gap.chain
        for missed in (*events, gap.state.events):
            chain = chained(chain, missed)
        whole = past.q == gap.after + 1 and chain == gap.state.chain
        if not whole or any(event.get("k") in ("deal", "opened") for missed in events for event in missed):
            gap.hand.doubt, gap.hand.cut = "missed", True
            return False
        gap.hand.seen |= {past.q + number: Seen(missed, None) for number, missed in enumerate(events)}
        return self._prove(gap.hand, gap.opened) if gap.opened is not None else False

    def _missed(self, after: int, state: protocol.State) -> None:
        """Note that versions were missed; of one hand, once, they can still be had."""
        self._last = {}
        hands = [hand for hand in self._hands.values() if not hand.cut]
        if len(hands) == 1 and self._gap is None and hands[0].number == state.view["hand"]["number"] and len(self._chain) == SIZE:
            self._gap = Gap(hands[0], after, self._chain, state)
            return
        for hand in hands:
            hand.doubt, hand.cut = "missed", True
        self._gap = None

    def _take(self, state: protocol.State, seat: int | None, epoch: bytes) -> None:
        kinds = {event["k"]: event for event in state.events}
        if "deal" in kinds:
            self._begin(kinds["deal"], kinds.get("links"), seat, epoch)
        current = self._hands.get(int(state.view["hand"]["number"]))
        if current is not None and not current.cut:
            current.seen[state.q] = self._seen(state)
            if sum(len(hand.seen) for hand in self._hands.values()) > _MOST:
                current.doubt, current.cut = "missed", True
        for event in state.events:
            if event["k"] == "opened":
                hand = self._hands.pop(int(event["hand"]), None)
                if hand is not None and self._gap is not None and self._gap.hand is hand:
                    self._gap.opened = event
                if hand is not None:
                    self._prove(hand, event)
                else:
                    self._judge(int(event["hand"]), UNVERIFIED, "missed")

    def _seen(self, state: protocol.State) -> Seen:
        """Return what is seen now; places that look as before are kept once."""
        seen = seen_of(state.view, state.events)
        zones = {name: self._last[name] if self._last.get(name) == zone else zone for name, zone in (seen.zones or {}).items()}
        self._last = zones
        return Seen(seen.events, zones)

    def _begin(self, deal: Mapping[str, Any], links: Mapping[str, Any] | None, seat: int | None, epoch: bytes) -> None:
        number = int(deal["hand"])
        if links is None:
            self._judge(number, UNVERIFIED, "fixed")
            return
        hand = self._hands[number] = Hand(number, links, deal)
        try:
            if links["match"] != f"{self._m}/{self._at[0]}":
                raise Unfair("anchor", "the links are of another match")
            check_links(links, number)
            if self._known is not None:
                check_anchors(links, self._known, number)
            hand.doubt = self._compare(number, links, seat, epoch)
        except Unfair as unfair:
            self._fail(hand, unfair.code, str(unfair))
        self._known = links

    def _compare(self, number: int, links: Mapping[str, Any], seat: int | None, epoch: bytes) -> str:
        """Compare a hand's links with what was published and sent before it; return a doubt. Raises: Unfair."""
        asked = self._asked.get(number)
        if asked is None or asked[1].match != self._at[0]:
            return "" if seat is None else "left_out"
        then, fair, link = asked
        if [links["anchor"], *links["anchors"]] != _anchors(fair):
            if then != epoch:
                return "restarted"
            raise Unfair("anchor", f"hand {number} was dealt under other anchors than those published before it")
        if dict(links["plan"]) != dict(fair.plan):
            raise Unfair("changed", f"the course of hand {number} was announced differently before its links were opened")
        if seat is None:
            return ""
        told = links["links"][seat]
        if told is None or (link is None and not self._confirmed):
            return "left_out"
        if link is None or bytes.fromhex(told) != link:
            raise Unfair("own_link", f"hand {number} was dealt from another link of seat {seat} than the one that was sent")
        return ""

    def _prove(self, hand: Hand, opened: Mapping[str, Any]) -> bool:
        old = self.mark
        try:
            self._judge(hand.number, *self._proof(hand, opened))
        except Unfair as unfair:
            self._fail(hand, unfair.code, str(unfair), opened)
        except NoCourse as error:
            self._fail(hand, "course", str(error), opened)
        except NotDealt as error:
            self._fail(hand, "cards", str(error), opened)
        except NotFollowed as error:
            self._judge(hand.number, UNVERIFIED, error.code, str(error))
        return self.mark != old

    @staticmethod
    def _proof(hand: Hand, opened: Mapping[str, Any]) -> tuple[str, str, str, int]:
        """Return state, reason, detail and number of checked cards. Raises: Unfair, NoCourse, NotDealt, NotFollowed."""
        seed = open_seed(hand.sources, hand.number, bytes.fromhex(opened["link"]))
        seats = hand.deal["seats"]
        if hand.number == 1 and seats[Stream(seed, "start").below(len(seats))] != hand.deal["start"]:
            raise Unfair("start", f"seat {hand.deal['start']} started, and the seed says another")
        if "course" not in opened:
            return UNVERIFIED, "aborted", "", 0
        if digest(opened["course"]) != hand.sources["plan"].get(str(hand.deal["start"])):
            return UNVERIFIED, "plan", "", 0
        witness = Witness(seed, opened["course"], opened["words"])
        first = min(hand.seen)
        witness.dealt(hand.seen[first])
        last = first
        while last + 1 in hand.seen:
            last += 1
            witness.went_on(hand.seen[last])
        if hand.cut or last != max(hand.seen):
            return UNVERIFIED, "missed", "", witness.checked
        witness.ended()
        return UNVERIFIED if hand.doubt else VERIFIED, hand.doubt, "", witness.checked

    # Inside

    def _judge(self, hand: int, state: str, reason: str, detail: str = "", checked: int = 0) -> None:
        mark = Mark(state, reason, hand, checked, detail)
        self.marks[hand] = mark
        if self.mark.state != FAILED and hand >= self.mark.hand:
            self.mark = mark

    def _fail(self, hand: Hand, code: str, detail: str, opened: Mapping[str, Any] | None = None) -> None:
        if self.evidence is None:
            self.evidence = {
                "table": self._m, "match": self._at[0], "hand": hand.number, "reason": code, "detail": detail,
                "deal": dict(hand.deal), "links": dict(hand.sources), "opened": dict(opened or {}),
                "seen": [{"events": list(seen.events), "zones": seen.zones and dict(seen.zones)} for seen in hand.seen.values()],
            }  # fmt: skip
        self._judge(hand.number, FAILED, code, detail)

    def _renew(self) -> None:
        self.mark, self.marks, self.evidence = Mark(), {}, None
        self._known, self._hands, self._last, self._gap = None, {}, {}, None
        self._confirmed = any(asked[2] is not None for asked in self._asked.values() if asked[1].match == self._at[0])
        self._asked = {hand: asked for hand, asked in self._asked.items() if asked[1].match >= self._at[0]}

    def _forget(self, m: str) -> None:
        self._m, self._at = m, (0, 0)
        self._chains, self._asked = {}, {}
        self._renew()


def _anchors(fair: protocol.Fair) -> list[str | None]:
    return [fair.anchor.hex(), *(None if anchor is None else anchor.hex() for anchor in fair.anchors)]
