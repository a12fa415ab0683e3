"""Write the score sheet of a hand, and of the list at its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from carteado.core.api import C, L, P

from .hand import Hand
from .money import Payment
from .rules import Face, card_points, sort_hand
from .scoring import LOSER_SCHNEIDER, SCHNEIDER, Outcome, consequences, contract_message, worded_sum

Message = list[Any]
Part = dict[str, Any]


def cards_message(faces: Sequence[Face]) -> dict[str, Any]:
    """List cards as a message argument."""
    return L([C(face) for face in faces])


def dealt_part(hand: Hand, seats: Sequence[int]) -> Part:
    """Lay all 32 cards open as they were dealt, and what the declarer put away."""
    kind = hand.contract.kind if hand.contract else "G"
    positions = ("forehand", "middlehand", "rearhand")
    lines: list[Message] = [
        [f"sheet.dealt.{name}", {"player": P(seat), "cards": cards_message(sort_hand(dealt, kind))}]
        for name, seat, dealt in zip(positions, seats, hand.dealt, strict=True)
    ]
    lines.append(["sheet.skat", {"cards": cards_message(sort_hand(hand.first_skat, kind))}])
    if hand.looked:
        lines.append(["sheet.put", {"cards": cards_message(sort_hand(hand.skat, kind)), "n": card_points(hand.skat)}])
    return {"title": ["sheet.cards", {}], "lines": lines}


def game_part(hand: Hand, outcome: Outcome, seats: Sequence[int]) -> Part:
    """Say what was played, what it brought and the sum."""
    assert hand.declarer is not None
    points, tricks = hand.tally()
    who = P(seats[hand.declarer])
    lines: list[Message] = [["sheet.contract", {"player": who, "contract": contract_message(outcome.contract), "bid": outcome.bid}]]
    if outcome.contract.null:
        lines.append(["sheet.tricks", {"n": tricks}])
    else:
        lines.append(["sheet.points", {"n": points, "others": 120 - points, "tricks": tricks}])
    if hand.conceded:
        lines.append(_early_end(hand, who))
        announced = outcome.contract.null or outcome.contract.schneider
        if not announced and not outcome.schneider and (points >= SCHNEIDER or points <= LOSER_SCHNEIDER):
            lines.append(["sheet.uncounted", {}])
    lines += [worded_sum(outcome), *consequences(outcome)]
    return {"title": ["sheet.game", {}], "lines": lines}


def _early_end(hand: Hand, declarer: dict[str, Any]) -> Message:
    """Say who ended the hand before its last trick."""
    if hand.declarer in hand.conceded:
        return ["sheet.gave_up.declarer", {"player": declarer}]
    return ["sheet.claimed", {"player": declarer}] if hand.declarer in hand.shown else ["sheet.gave_up.defenders", {}]


def reason(hand: Hand, outcome: Outcome, seats: Sequence[int]) -> Message:
    """Say in one sentence how the hand ended."""
    assert hand.declarer is not None
    if outcome.won:
        key = "reason.won"
    elif outcome.overbid:
        key = "reason.overbid"
    else:
        key = "reason.lost"
    contract = contract_message(outcome.contract)
    return [key, {"player": P(seats[hand.declarer]), "contract": contract, "value": outcome.value, "bid": outcome.bid}]


def points_part(gained: Mapping[int, int], totals: Mapping[int, int]) -> Part:
    """List what the hand brought everybody, and the totals of the list so far."""
    lines: list[Message] = [["sheet.gain", {"player": P(seat), "n": gained.get(seat, 0), "total": total}] for seat, total in totals.items()]
    return {"title": ["sheet.list", {}], "lines": lines}


def money_part(payment: Payment) -> Part:
    """List who pays and gains what."""
    lines: list[Message] = [["sheet.money", {"player": P(seat), "n": chips}] for seat, chips in sorted(payment.gains.items())]
    lines.append(["sheet.house", {"n": payment.house}])
    return {"title": ["sheet.chips", {}], "lines": lines}


def end_part(totals: Mapping[int, int], money: Sequence[int], games: Sequence[Sequence[Any]]) -> Part:
    """Sum the list up: games won and lost by everybody, points, chips."""
    lines: list[Message] = []
    for seat, total in sorted(totals.items(), key=lambda item: -item[1]):
        won = sum(1 for declarer, _, value in games if declarer == seat and value > 0)
        lost = sum(1 for declarer, _, value in games if declarer == seat and value < 0)
        lines.append(["sheet.final", {"player": P(seat), "points": total, "won": won, "lost": lost, "chips": money[seat]}])
    passed = sum(1 for declarer, _, _ in games if declarer is None)
    lines.append(["sheet.passed", {"n": passed}])
    return {"title": ["sheet.end", {"n": len(games)}], "lines": lines}
