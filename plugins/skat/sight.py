"""Read a view of a Skat table: what one seat, or a watcher, sees of the hand, as plain facts by position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .bidding import Auction
from .course import auction_of
from .rules import DECK, Contract, Face, group

View = Mapping[str, Any]
Trick = tuple[int, tuple[Face, ...], int]


@dataclass(frozen=True)
class Sight:
    """What a viewer sees of a hand; positions: 0 forehand, 1 middlehand, 2 rearhand.

    me: the viewer's position, None for a watcher and for a dealer who sits out; hand: his cards; held: how many cards each
    position holds; shown: the declarer's cards when they lie open; put: what the viewer put away; found: the skat he picked up;
    tricks: (leader, cards in turn, winner); trick: the cards of the unfinished one; computer: the position that passes every bid of a duel.
    """

    me: int | None
    stage: str | None
    seats: tuple[int, ...]
    hand: tuple[Face, ...]
    held: tuple[int, ...]
    auction: Auction
    bids: tuple[tuple[int, Any], ...]
    declarer: int | None
    contract: Contract | None
    looked: bool
    shown: tuple[Face, ...] | None
    put: tuple[Face, ...]
    found: tuple[Face, ...]
    leader: int
    tricks: tuple[Trick, ...]
    trick: tuple[Face, ...]
    computer: int | None
    options: Mapping[str, Any]

    @property
    def turn(self) -> int:
        """Give the position that plays the next card."""
        return (self.leader + len(self.trick)) % 3

    @cached_property
    def played(self) -> list[tuple[int, Face]]:
        """List every card played, with the position that played it, in order."""
        every = [(first, cards) for first, cards, _ in self.tricks] + [(self.leader, self.trick)]
        return [((first + offset) % 3, face) for first, cards in every for offset, face in enumerate(cards)]

    @cached_property
    def unseen(self) -> list[Face]:
        """List the cards whose place the viewer does not know."""
        seen = {*self.hand, *self.put, *(self.shown or ()), *(face for _, face in self.played)}
        return [face for face in DECK if face not in seen]

    @cached_property
    def voids(self) -> list[set[str]]:
        """Tell for each position which groups it has shown to have no card of, by not following."""
        found: list[set[str]] = [set(), set(), set()]
        if self.contract is None:
            return found
        kind = self.contract.kind
        for first, cards in [(first, cards) for first, cards, _ in self.tricks] + [(self.leader, self.trick)]:
            for offset, face in enumerate(cards):
                if group(face, kind) != group(cards[0], kind):
                    found[(first + offset) % 3].add(group(cards[0], kind))
        return found


def sight(view: View) -> Sight | None:
    """Read a view; None before the first deal."""
    facts = view["vars"]
    if "auction" not in facts:
        return None
    seats = tuple(facts["seats"])
    zones = {zone["name"]: zone for zone in view["zones"]}
    you = view["you"]
    me = seats.index(you) if you in seats else None
    declarer = facts.get("declarer")
    position = seats.index(declarer) if declarer is not None else None
    code = facts.get("contract")
    trick = zones["trick"]
    leader = facts["leader"]
    played: list[Face] = []
    if trick["facts"]["winner"] is None:
        played = [trick["cards"][(leader + offset) % 3] for offset in range(3)] if trick["cards"] else []
    own = zones[f"hand/{you}"]["cards"] if me is not None else None
    opened = zones[f"hand/{declarer}"]["cards"] if declarer is not None else None
    put = zones.get(f"put/{you}") if me is not None else None
    return Sight(
        me=me,
        stage=view["prompts"][0]["stage"] if view["prompts"] else None,
        seats=seats,
        hand=tuple(own or ()),
        held=tuple(zones[f"hand/{seat}"]["n"] for seat in seats),
        auction=auction_of(facts["auction"]),
        bids=tuple((seat, word) for seat, word in facts["bids"]),
        declarer=position,
        contract=Contract.parse(code) if code else None,
        looked=facts.get("looked", False),
        shown=tuple(opened) if opened and facts.get("shown") else None,
        put=tuple((put["cards"] or ()) if put else ()),
        found=tuple(view["mine"].get("skat", ())),
        leader=leader,
        tricks=tuple((first, tuple(cards), winner) for first, cards, winner in facts["tricks"]),
        trick=tuple(face for face in played if face),
        computer=seats.index(facts["computer"]) if facts.get("computer") in seats else None,
        options=view["table"]["options"],
    )
