"""Caption the table for clients that know no game: title, prompt, badges, labels, the running score sheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import rules
from .sheet import running, score
from .sight import Meld, Sight, sight

Message = list[Any]
RANK_ORDER = [suit + rank for rank in rules.RANK_LETTERS for suit in rules.SUITS] + [rules.JOKER]
SUIT_ORDER = [suit + rank for suit in rules.SUITS for rank in rules.RANK_LETTERS] + [rules.JOKER]
SORTS = [{"name": ["sort.rank", {}], "order": RANK_ORDER}, {"name": ["sort.suit", {}], "order": SUIT_ORDER}]


def layout(view: dict[str, Any]) -> dict[str, Any]:
    """Return the captions of a view."""
    seen = sight(view)
    if not seen.covers:
        return {"sorts": SORTS}
    shown = seen.options["running_score"]
    labels: dict[str, Message] = {meld.name: meld_label(seen, meld) for meld in seen.melds}
    labels["stock"] = ["label.stock.locked", {}] if seen.locked else ["label.stock", {}]
    labels["out"] = ["label.out", {}]
    labels["pyramid"] = ["label.pyramid", {}]
    labels |= {zone["name"]: ["label.away", {}] for zone in view["zones"] if zone["name"].startswith("away/")}
    return {
        "title": [["title.rows", {"n": rules.multiplier(seen.rows)}]] if seen.multiplied else [],
        "prompt": prompt(view, seen),
        "badges": [badge(seen, seat["seat"]) if shown else [] for seat in view["seats"]],
        "panels": panels(seen) if shown else [],
        "labels": labels,
        "order": ["pyramid", "stock", "out"],
        "sorts": SORTS,
    }


def prompt(view: dict[str, Any], seen: Sight) -> Message | None:
    """Return what the viewer is asked to do, None if nothing."""
    if seen.stage == "take":
        key = "prompt.take" if seen.stock and not seen.locked else "prompt.take.pyramid"
        return [key + (".joker" if rules.JOKER in seen.hand else ""), {}]
    if seen.stage == "meld":
        return ["prompt.meld" if any(seen.pyramid) else "prompt.last", {}]
    return None


def badge(seen: Sight, seat: int) -> list[Message]:
    """Return what a seat's melds are worth so far."""
    return [["badge.points", {"n": score(seen.of(seat), ())}]] if seat in seen.counts else []


def panels(seen: Sight) -> list[dict[str, Any]]:
    """Return the running score sheet, one panel a player; only the viewer's own hand is counted."""
    return [running(seat, seen.of(seat), seen.hand if seat == seen.you else None, seen.counts[seat]) for seat in sorted(seen.counts)]


def meld_label(seen: Sight, meld: Meld) -> Message:
    """Return a meld's caption: its kind, its points, and where extending it would lower them, how low they could fall (V15)."""
    kind = [f"meld.{len(meld.laid.cards)}", {}]
    lower = lowered(seen, meld)
    if lower:
        return ["label.meld.lower", {"meld": kind, "points": meld.laid.points, "then": lower[0]}]
    if not seen.options["running_score"]:
        return kind
    return ["label.meld", {"meld": kind, "points": meld.laid.points}]


def lowered(seen: Sight, meld: Meld) -> list[int]:
    """Return the values below its present one that the viewer could give a meld of its own now, rising."""
    if seen.stage != "meld" or meld.owner != seen.you or len(meld.laid.cards) == rules.FULL:
        return []
    values = {worth_now(seen, [*meld.laid.cards, *more]) for more in rules.fillings(seen.hand, meld.laid.cards, least=0)}
    return sorted(value for value in values if value < meld.laid.points)


def worth_now(seen: Sight, cards: Sequence[str]) -> int:
    """Return what a meld of these cards would be worth if it was laid now."""
    return rules.base_points(cards) * (rules.multiplier(seen.rows) if seen.multiplied else 1)
