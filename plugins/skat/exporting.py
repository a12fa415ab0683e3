"""Write a finished hand of the table as a record line."""

from __future__ import annotations

from collections.abc import Sequence

from carteado.core.api import Table

from .course import hand_of
from .hand import Hand
from .records import Step, compose, write_line


def line(table: Table, names: Sequence[str]) -> str:
    """Write the hand that is over; players are named by position, forehand first."""
    seats = table.get("seats")
    tags = [("PC", "carteado"), ("ID", str(table.hand)), *((f"P{position}", names[seat]) for position, seat in enumerate(seats))]
    hand = hand_of(table)
    return write_line(compose(tags, hand, steps(table, hand)))


def steps(table: Table, hand: Hand) -> list[Step]:
    """List what the positions did, from the facts on the table."""
    seats = table.get("seats")
    found = []
    for seat, word in table.get("bids"):
        who = seats.index(seat)
        found.append(Step(who, {"p": "pass", "y": "hold"}.get(str(word), "bid"), value=word if isinstance(word, int) else 0))
    if hand.declarer is None or hand.contract is None:
        return found
    if hand.looked:
        found.append(Step(hand.declarer, "skat"))
    found.append(Step(hand.declarer, "declare", word=hand.contract.code))
    if hand.looked:
        found.append(Step(hand.declarer, "put", cards=tuple(hand.skat)))
    for leader, cards in [(first, taken) for first, taken, _ in hand.tricks] + [(hand.leader, tuple(hand.trick))]:
        found += [Step((leader + offset) % 3, "play", cards=(face,)) for offset, face in enumerate(cards)]
    if table.get("claimed", False):
        found.append(Step(hand.declarer, "show"))
    return found + [Step(who, "concede") for who in sorted(hand.conceded)]
