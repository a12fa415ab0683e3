"""Settle a hand in money: stake times value, nine per cent commission, an optional limit.

The rule of the manual: every loser pays stake x value; the house takes 9 % of that payment, rounded half up to a whole
cent, once for each player; the winner keeps the rest. A losing declarer pays his doubled value once into one pot that
the opponents share; an odd cent stays with the house. All amounts are integer cents (or chips).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

COMMISSION_PERCENT = 9


@dataclass(frozen=True, slots=True)
class Payment:
    """Tell how a hand moves money: what each seat gains (negative: pays) and what the house keeps; they sum to zero."""

    gains: dict[int, int]
    house: int


def commission(paid: int, percent: int = COMMISSION_PERCENT) -> int:
    """Take the house's part of one payment, rounded half up to a whole cent."""
    return (2 * paid * percent + 100) // 200


def settle_hand(
    value: int,
    declarer: int,
    opponents: Sequence[int],
    stake: int,
    *,
    limit: int = 0,
    doubled: bool = True,
    percent: int = COMMISSION_PERCENT,
) -> Payment:
    """Settle one hand between the declarer and the opponents who take part in the money.

    `value` is the booked value (negative: lost, and `doubled` tells whether it was doubled); `opponents` are two, or
    in a duel the one person; `limit` caps what one seat pays, 0 means no limit.

    Raises:
        ValueError: there is no opponent, or the stake or the limit is negative.
    """
    if not opponents:
        raise ValueError("somebody must play against the declarer")
    if stake < 0 or limit < 0:
        raise ValueError("stake and limit are not negative")
    players = len(opponents) + 1
    if value >= 0:
        paid = _capped(stake * value, limit)
        house = players * commission(paid, percent)
        pot = paid * len(opponents)
        gains = dict.fromkeys(opponents, -paid)
        gains[declarer] = pot - house
        return Payment(gains, house)
    pot = _capped(stake * -value, limit)
    # The commission is that of a win: taken on what one loser of the undoubled game would have paid.
    house = players * commission(pot // 2 if doubled else pot, percent)
    share = max(pot - house, 0) // len(opponents)
    house = pot - share * len(opponents)
    gains = dict.fromkeys(opponents, share)
    gains[declarer] = -pot
    return Payment(gains, house)


def _capped(amount: int, limit: int) -> int:
    return min(amount, limit) if limit else amount
