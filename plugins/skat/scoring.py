"""Work out what a finished hand is worth: levels, overbid, the worded sum, list points.

Source: ISkO 5.1-5.4 with the decisions written in the game's rules text: levels add up (`levels="sum"`), or the fixed
numbers of class II hand games (`levels="table"`); lost games count double unless told otherwise; announced levels
count once in a loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .rules import BASES, Contract, Face, matadors

Message = list[Any]

WIN, SCHNEIDER, LOSER_SCHNEIDER = 61, 90, 30
"""Declarer's points: needed to win, to make the defenders schneider, and at most this many make himself schneider."""

TABLE_NUMBERS = {"hand": 2, "schneider": 3, "schneider_announced": 4, "schwarz": 5, "schwarz_announced": 6, "ouvert": 7}
"""The manual's class II: the number a hand game has at the highest level reached."""

LEVELS = ("sum", "table")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Tell what a hand is worth and why.

    `value` is booked for the declarer (negative and usually doubled when lost); `worth` what the levels make; `charged`
    the same or, when overbid, the smallest multiple of the base value that reaches the bid. `steps` are the names of
    the levels with the running count. `schneider` and `schwarz` tell whether that level was added for what happened.
    """

    contract: Contract
    value: int
    won: bool
    overbid: bool
    bid: int
    matadors: int
    base: int
    worth: int
    charged: int
    steps: tuple[tuple[str, int], ...]
    schneider: bool
    schwarz: bool


def score_hand(
    contract: Contract,
    twelve: Sequence[Face],
    bid: int,
    points: int,
    tricks: int,
    *,
    levels: str = "sum",
    double_losses: bool = True,
    schneider: bool | None = None,
    schwarz: bool | None = None,
) -> Outcome:
    """Score a hand from the declarer's card points (skat included) and his number of tricks.

    `schneider` and `schwarz` overrule whether that level was reached by either side; leave them out after ten tricks,
    give them when the hand ended early and only certain levels count.

    Raises:
        ValueError: `levels` is not one of `LEVELS`.
    """
    if levels not in LEVELS:
        raise ValueError(f"no way to count levels called {levels!r}")
    if contract.null:
        return _score_null(contract, bid, tricks, double_losses)
    if schneider is None:
        schneider = points >= SCHNEIDER or points <= LOSER_SCHNEIDER
    if schwarz is None:
        schwarz = tricks in (0, 10)
    reached = points >= WIN
    if contract.schneider:
        reached = reached and points >= SCHNEIDER
    if contract.schwarz:
        reached = reached and tricks == 10
    by_declarer = points >= WIN
    if contract.schneider and not by_declarer:
        # An announcement that was missed is charged once: the declarer's own schneider and schwarz do not add to it.
        schneider = schwarz = False
    row = matadors(twelve, contract.kind)
    steps = _steps(contract, row, schneider or schwarz, schwarz, levels)
    worth = contract.base * steps[-1][1]
    overbid = worth < bid
    charged = -(-bid // contract.base) * contract.base if overbid else worth
    won = reached and not overbid
    value = charged if won else -charged * (2 if double_losses else 1)
    return Outcome(contract, value, won, overbid, bid, row, contract.base, worth, charged, steps, schneider or schwarz, schwarz)


def _score_null(contract: Contract, bid: int, tricks: int, double_losses: bool) -> Outcome:
    """Score a Null: its fixed value, lost with any trick or when it does not reach the bid."""
    worth = contract.base
    overbid = worth < bid
    won = tricks == 0 and not overbid
    value = worth if won else -worth * (2 if double_losses else 1)
    return Outcome(contract, value, won, overbid, bid, 0, worth, worth, worth, (("null", 1),), False, False)


def null_below_bid(contract: Contract, twelve: Sequence[Face], bid: int, *, kind: str | None = None, double_losses: bool = True) -> Outcome:
    """Settle a Null that does not reach the bid: lost as a game with trumps of the declarer's choice (ISkO new 3.6.2).

    Without `kind` the cheapest one is taken.

    Raises:
        ValueError: the contract is no Null.
    """
    if not contract.null:
        raise ValueError("only a Null is settled this way")
    choices = []
    for name in [kind] if kind is not None else list(BASES):
        instead = contract.played_as(name)
        row = matadors(twelve, name)
        steps = _steps(instead, row, False, False, "sum")
        worth = instead.base * steps[-1][1]
        charged = max(worth, -(-bid // instead.base) * instead.base)
        choices.append((charged, instead, row, steps, worth))
    charged, instead, row, steps, worth = min(choices, key=lambda choice: choice[0])
    value = -charged * (2 if double_losses else 1)
    return Outcome(contract, value, False, True, bid, row, instead.base, worth, charged, steps, False, False)


def _steps(contract: Contract, row: int, schneider: bool, schwarz: bool, levels: str) -> tuple[tuple[str, int], ...]:
    """List the levels that count, each with the running sum; an announced level counts whether reached or not."""
    count = abs(row)
    steps = [("with" if row > 0 else "without", count)]
    if levels == "table" and contract.hand:
        reached = _table_level(contract, schneider, schwarz)
        steps.append((f"table.{reached}", count + TABLE_NUMBERS[reached]))
        return tuple(steps)
    names = ["game"]
    if contract.hand:
        names.append("hand")
    if schneider or contract.schneider:
        names.append("schneider")
    if contract.schneider:
        names.append("schneider_announced")
    if schwarz or contract.schwarz:
        names.append("schwarz")
    if contract.schwarz:
        names.append("schwarz_announced")
    if contract.ouvert:
        names.append("ouvert")
    steps.extend((name, count + index) for index, name in enumerate(names, 1))
    return tuple(steps)


def _table_level(contract: Contract, schneider: bool, schwarz: bool) -> str:
    """Name the highest class II level of a hand game."""
    if contract.ouvert:
        return "ouvert"
    if contract.schwarz:
        return "schwarz_announced"
    if schwarz:
        return "schwarz"
    if contract.schneider:
        return "schneider_announced"
    return "schneider" if schneider else "hand"


def worded_sum(outcome: Outcome) -> Message:
    """Word the sum as one message: "with 1, game 2, schneider 3, times 12 = 36"."""
    if outcome.steps[0][0] == "null":
        return ["sum.null", {"contract": contract_message(outcome.contract), "value": outcome.worth}]
    parts = {letter: [f"sum.{name}", {"n": count}] for letter, (name, count) in zip("abcdefgh", outcome.steps, strict=False)}
    return [f"sum.times.{len(parts)}", {**parts, "base": outcome.base, "value": outcome.worth}]


def consequences(outcome: Outcome) -> list[Message]:
    """Word what an overbid and a loss add to the sum: the value charged, and that a loss counts double."""
    found: list[Message] = []
    if outcome.overbid:
        if outcome.contract.null:
            found.append(["sum.overbid.null", {"bid": outcome.bid, "value": outcome.charged}])
        else:
            found.append(["sum.overbid", {"bid": outcome.bid, "base": outcome.base, "value": outcome.charged}])
    if not outcome.won:
        doubled = outcome.value == -2 * outcome.charged
        found.append(["sum.doubled" if doubled else "sum.lost", {"value": outcome.value}])
    return found


def contract_message(contract: Contract) -> Message:
    """Name a contract as a message: one key for each of the 29 contracts there are."""
    return [f"contract.{contract.code}", {}]


def seeger_fabian(value: int, declarer: int, players: Sequence[int]) -> dict[int, int]:
    """Give Seeger-Fabian list points: +50 a game won; -50 a game lost and +40 a defender, +30 with four at the table.

    `players` are all who sit at the table, a dealer who sits out included.
    """
    if value > 0:
        return {seat: value + 50 if seat == declarer else 0 for seat in players}
    share = 30 if len(players) > 3 else 40
    return {seat: value - 50 if seat == declarer else share for seat in players}


def plain_points(value: int, declarer: int, players: Sequence[int]) -> dict[int, int]:
    """Give plain list points: the declarer books the value, the others nothing."""
    return {seat: value if seat == declarer else 0 for seat in players}
