"""Offer what a seat may do now, stage by stage."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from carteado.core.api import Choice, Form, Number, Pick, Table

from .bidding import LADDER, next_bid
from .course import auction_of, hand_of
from .rules import KINDS, Contract, Face, legal_cards

Message = list[Any]
GAMES = [kind for kind in KINDS if kind != "N"]
SAYINGS = ("schneider", "schwarz", "ouvert")


def forms(table: Table, seat: int) -> list[Form]:
    """List the forms of a seat with an open prompt."""
    stage = table.asked(seat)
    if stage in ("bid", "answer", "take"):
        return auction_forms(table, seat, stage)
    if stage == "skat":
        return [Form("look", key="s", on="skat", default=True), hand_form(), null_form(table, seat, hand=True)]
    if stage == "declare":
        return [declare_form(seat), null_form(table, seat, hand=False)]
    if stage == "agree":
        return [Form("agree", key="y"), Form("decline", key="n", default=True)]
    if stage == "claim":
        return [Form("accept", key="y"), Form("play_on", key="n", default=True)]
    return play_forms(table, seat)


def silent(table: Table, seat: int) -> bool:
    """Tell whether this is the computer's seat in a duel, which passes every bid."""
    return bool(seat == table.get("computer"))


def auction_forms(table: Table, seat: int, stage: str) -> list[Form]:
    """Offer the next value, any higher one, to hold, to take 18, and to pass."""
    bid = auction_of(table.get("auction")).bid
    passing = Form("pass", key="p", default=True)
    if silent(table, seat):
        return [passing]
    if stage == "answer":
        return [Form("hold", key="y", label=["form.hold", {"n": bid}]), passing]
    if stage == "take":
        return [Form("take", key="b"), passing]
    lowest = next_bid(bid)
    if lowest is None:
        return [passing]
    values = [value for value in LADDER if value > bid]
    jump = Form("bid", key="j", value=Number(lowest, LADDER[-1], values))
    return [Form("next", key="b", label=["form.next", {"n": lowest}]), jump, passing]


def games() -> Choice:
    """Offer the games with trumps."""
    return Choice([(kind, [f"kind.{kind}", {}]) for kind in GAMES])


def hand_form() -> Form:
    """Offer a game without the skat, with or without an announcement."""
    return Form(
        "hand",
        key="h",
        game=games(),
        say=Choice([(word, [f"say.{word}", {}]) for word in SAYINGS], optional=True),
    )


def declare_form(seat: int) -> Form:
    """Offer to put two cards away and name the game."""
    return Form("declare", key="d", default=True, put=Pick(f"hand/{seat}", 2), game=games())


def null_form(table: Table, seat: int, hand: bool) -> Form:
    """Offer a Null that reaches the bid, closed or open; blocked, with the reason, when none does."""
    bid = auction_of(table.get("auction")).bid
    kinds = [Contract("N", hand=hand, ouvert=ouvert) for ouvert in (False, True)]
    enough = [contract for contract in kinds if contract.base >= bid or table.option("null_below_bid")]
    shown = Choice([(cards(contract), null_label(contract)) for contract in enough or kinds])
    blocked: Message | None = None if enough else ["blocked.null", {"value": kinds[-1].base, "bid": bid}]
    if hand:
        return Form("null_hand", key="0", blocked=blocked, cards=shown)
    return Form("null", key="0", blocked=blocked, put=Pick(f"hand/{seat}", 2), cards=shown)


def cards(contract: Contract) -> str:
    """Tell whether the cards stay closed or lie open, as a word."""
    return "open" if contract.ouvert else "closed"


def null_label(contract: Contract) -> Message:
    """Name a Null and what it is worth."""
    return ["null.open" if contract.ouvert else "null.closed", {"n": contract.base}]


def playable(table: Table, seat: int) -> Sequence[Face]:
    """List the cards a seat may play now."""
    hand = hand_of(table)
    held = table.cards(f"hand/{seat}")
    assert hand.contract is not None
    return legal_cards(held, hand.trick[0] if hand.trick else None, hand.contract.kind)


def play_forms(table: Table, seat: int) -> list[Form]:
    """Offer the cards that may be played, giving up, and for the declarer to claim the rest."""
    declarer = table.get("declarer")
    result = [Form("play", key="p", on="trick", default=True, card=Pick(f"hand/{seat}", 1, playable(table, seat)))]
    if seat == declarer:
        if not table.get("claimed", False):
            null = Contract.parse(table.get("contract")).null
            result.append(Form("claim", key="c", label=["form.claim.null" if null else "form.claim", {}]))
        result.append(Form("concede", key="g"))
    elif seat not in table.get("offered", []):
        result.append(Form("give_up", key="g"))
    return result
