"""Advise people and stand in for a missing player: the choice of `rule`, with a reason in words."""

from __future__ import annotations

import random
from typing import Any

from carteado.core.api import C, L, Table

from . import declaring
from .bot import decide
from .forms import playable
from .rules import Contract, card_points, group
from .scoring import contract_message
from .sight import Sight, sight

Message = list[Any]


def hints(view: dict[str, Any]) -> list[dict[str, Any]]:
    """Say what the player `rule` would do, and why."""
    seen = sight(view)
    if seen is None or seen.stage is None:
        return []
    action = decide(seen, random.Random(0))
    return [{"text": worded(seen, action), "action": action, "weight": 1.0}]


def worded(seen: Sight, action: dict[str, Any]) -> Message:
    """Word an advice."""
    kind = action["type"]
    if kind in ("bid", "hold", "take", "pass"):
        assert seen.me is not None
        limit = declaring.limit(tuple(sorted(seen.hand)), seen.me, seen.options["list"])
        return ["hint.limit", {"n": limit}] if limit else ["hint.weak", {}]
    if kind in ("declare", "null"):
        contract = Contract("N", ouvert=action["cards"] == "open") if kind == "null" else Contract(action["game"])
        put = L([C(face) for face in action["put"]])
        return ["hint.declare", {"contract": contract_message(contract), "cards": put}]
    if kind in ("hand", "null_hand"):
        contract = (
            Contract("N", hand=True, ouvert=action["cards"] == "open") if kind == "null_hand" else Contract(action["game"], hand=True)
        )
        return ["hint.hand", {"contract": contract_message(contract)}]
    if kind == "play":
        return played(seen, action["card"][0])
    return [f"hint.{kind}", {}]


def played(seen: Sight, face: str) -> Message:
    """Give the maxim behind a card."""
    assert seen.contract is not None
    kind = seen.contract.kind
    card = C(face)
    if not seen.trick:
        trump = group(face, kind) == "T"
        if trump:
            return ["hint.lead.trump", {"card": card}]
        return ["hint.lead.ace" if face[1] == "A" and kind != "N" else "hint.lead", {"card": card}]
    if group(face, kind) == group(seen.trick[0], kind):
        return ["hint.follow", {"card": card}]
    if group(face, kind) == "T":
        return ["hint.ruff", {"card": card, "n": card_points(seen.trick)}]
    return ["hint.smear" if card_points([face]) >= 10 else "hint.discard", {"card": card}]


def missing(table: Table, seat: int) -> dict[str, Any] | None:
    """Act for a seat that ran out of time: pass, refuse, declare what suits the cards, play the cheapest card."""
    stage = table.asked(seat)
    if stage in ("bid", "answer", "take"):
        return {"type": "pass"}
    if stage == "agree":
        return {"type": "decline"}
    if stage == "claim":
        return {"type": "play_on"}
    if stage == "skat":
        return {"type": "look"}
    if stage == "declare":
        position = table.get("seats").index(seat)
        plan = max(declaring.plans(table.cards(f"hand/{seat}"), position, "CSHDG"), key=lambda plan: plan.chance)
        return {"type": "declare", "game": plan.contract.kind, "put": list(plan.put)}
    return {"type": "play", "card": [min(playable(table, seat), key=lambda face: (card_points([face]), face))]}
