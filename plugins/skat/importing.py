"""Turn a recorded game into a match: the deal as a table option, the steps as actions of the seats.

Seats are the positions of the recorded deal (0 forehand) when the match starts with seat 0. What a record can hold and the
table cannot: cards shown or given up out of turn. Both sides' giving up is expressed at the turn where it happens; a declarer
who gives up during somebody else's turn does so at his own turn before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from carteado.core.api import Recorded, Table

from .course import hand_of
from .hand import Hand, HandRefused
from .records import UNKNOWN, Record, RecordFault, Step, Verdict, compare, judge, parse_line, result_of, take_step
from .rules import Contract

Action = dict[str, Any]


def read(text: str) -> list[Recorded]:
    """Make every line of a text ready to be played; one that cannot be read or breaks the rules says so in `fault`."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        name = f"line {number}"
        try:
            record = parse_line(line)
            name = record.tag("ID") or name
            found.append(recorded(record))
        except (RecordFault, HandRefused) as fault:
            found.append(Recorded(name, fault=str(fault)))
    return found


def recorded(record: Record) -> Recorded:
    """Make a recorded game ready to be played.

    Raises:
        HandRefused: a step breaks the rules, or the record does not show all cards.
    """
    cards = ".".join(face for group in (*record.hands, record.skat) for face in group)
    if UNKNOWN in cards:
        raise HandRefused("the record does not show all cards")
    players = [record.tag(f"P{position}") or f"P{position}" for position in range(3)]
    options = {"hands": 1, "cards": cards, "list": "seeger"}
    return Recorded(record.tag("ID"), options, players, actions(record), partial(judged, record))


def judged(record: Record, table: Table) -> tuple[str, str]:
    """Judge a table on which a record was played: the verdict's word, and what the rules found."""
    games = table.kept("games", [])
    found = verdict(record, table, games[-1][2] if games else None)
    return found.word, found.found + (f" (recorded: {found.recorded})" if found.differences else "")


def actions(record: Record) -> list[tuple[int, Action]]:
    """List what the seats do, up to the end or to where the server broke off."""
    hand = Hand(record.hands, record.skat)
    found: list[tuple[int, Action]] = []
    steps = list(record.steps)
    for index, step in enumerate(steps):
        if step.verb == "gone" or UNKNOWN in step.cards:
            break
        if step.verb == "declare" and hand.looked and not any(later.verb == "put" for later in steps[index:]):
            break  # the server broke off before two cards were put away
        if step.verb == "concede" and _decides(hand, steps, index):
            return found + _giving_up(hand, step.who)
        if step.verb not in ("show", "concede", "put"):
            found.append((step.who, _action(hand, step, steps[index + 1 :])))
        take_step(hand, step)
    return found


def _decides(hand: Hand, steps: Sequence[Step], index: int) -> bool:
    """Tell whether this giving up leads to the end of the hand: the declarer's, or the first of both defenders'."""
    if steps[index].who == hand.declarer:
        return True
    givers = {step.who for step in steps if step.verb == "concede"} - {hand.declarer}
    return len(givers) == 2


def _giving_up(hand: Hand, who: int) -> list[tuple[int, Action]]:
    """Express giving up at the present turn."""
    declarer = hand.declarer
    assert declarer is not None
    if who == declarer:
        return [(declarer, {"type": "concede"})]
    defenders = [position for position in range(3) if position != declarer]
    if hand.turn == declarer:
        return [(declarer, {"type": "claim"}), *((position, {"type": "accept"}) for position in defenders)]
    other = next(position for position in defenders if position != hand.turn)
    return [(hand.turn, {"type": "give_up"}), (other, {"type": "agree"})]


def _action(hand: Hand, step: Step, following: Sequence[Step]) -> Action:
    """Turn one step into the action of a seat."""
    if step.verb == "bid":
        return {"type": "take"} if hand.auction.stage == "take" else {"type": "bid", "value": step.value}
    if step.verb in ("hold", "pass"):
        return {"type": step.verb}
    if step.verb == "skat":
        return {"type": "look"}
    if step.verb == "play":
        return {"type": "play", "card": list(step.cards)}
    return _declaration(Contract.parse(step.word), next((later.cards for later in following if later.verb == "put"), ()))


def _declaration(contract: Contract, put: Sequence[str]) -> Action:
    """Turn a contract into the action that announces it."""
    away = {"put": list(put)} if put else {}
    if contract.null:
        kind = "null_hand" if contract.hand else "null"
        return {"type": kind, **away, "cards": "open" if contract.ouvert else "closed"}
    if not contract.hand:
        return {"type": "declare", **away, "game": contract.kind}
    said = next((word for word in ("ouvert", "schwarz", "schneider") if getattr(contract, word)), None)
    return {"type": "hand", "game": contract.kind, **({"say": said} if said else {})}


def verdict(record: Record, table: Table, value: int | None) -> Verdict:
    """Compare what the table booked with the record; a game that the server broke off is judged by the pure rules.

    `value` is what was booked for the declarer, None when the table's hand is not over.
    """
    if record.broken_off or value is None:
        return judge(record)
    found = result_of(hand_of(table))
    if not found.passed and found.numbers["v"] != value:
        raise HandRefused(f"the table booked {value}, its own hand is worth {found.numbers['v']}")
    return compare(record, found)
