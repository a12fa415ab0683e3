"""Caption the table for clients that know no game: title, prompt, badges, panels, labels, orders of the hand."""

from __future__ import annotations

from typing import Any

from carteado.core.api import C, L, P

from .rules import DECK, sort_hand
from .scoring import contract_message
from .sight import Sight, sight

Message = list[Any]
POSITIONS = ("forehand", "middlehand", "rearhand")


def orders(first: str) -> list[dict[str, Any]]:
    """Give the orders a hand can be sorted in, the one of the game played first."""
    kinds = [first, *(kind for kind in "GCSHDN" if kind != first)]
    return [{"name": [f"sort.{kind}", {}], "order": sort_hand(DECK, kind)} for kind in kinds]


def layout(view: dict[str, Any]) -> dict[str, Any]:
    """Return the captions of a view."""
    seen = sight(view)
    if seen is None:
        return {"sorts": orders("G")}
    labels: dict[str, Message] = {"skat": ["label.skat", {}], "trick": ["label.trick", {}]}
    if seen.put:
        labels[f"put/{view['you']}"] = ["label.put", {}]
    return {
        "title": title(view, seen),
        "prompt": prompt(seen),
        "badges": [badges(view, seen, seat["seat"]) for seat in view["seats"]],
        "panels": panels(view, seen),
        "labels": labels,
        "order": ["trick", "skat"],
        "sorts": orders(seen.contract.kind if seen.contract else "G"),
    }


def title(view: dict[str, Any], seen: Sight) -> list[Message]:
    """Return the line above the table: the deal's number, and what is played by whom."""
    line: list[Message] = [["title.deal", {"n": view["hand"]["number"]}]]
    if seen.contract is not None and seen.declarer is not None:
        who = P(seen.seats[seen.declarer])
        line.append(["title.contract", {"player": who, "contract": contract_message(seen.contract), "bid": seen.auction.bid}])
    elif seen.auction.bid:
        line.append(["title.bid", {"n": seen.auction.bid}])
    return line


def prompt(seen: Sight) -> Message | None:
    """Return what the viewer is asked to do, None if nothing."""
    bid = seen.auction.bid
    if seen.stage is None:
        return None
    if seen.stage == "bid":
        if bid:
            return ["prompt.bid.over", {"n": bid, "player": P(seen.seats[seen.auction.answerer])}]
        return ["prompt.bid", {"player": P(seen.seats[seen.auction.answerer])}]
    if seen.stage == "answer":
        return ["prompt.answer", {"n": bid, "player": P(seen.seats[seen.auction.asker])}]
    if seen.stage in ("skat", "declare"):
        return [f"prompt.{seen.stage}", {"n": bid}]
    if seen.stage == "play":
        return ["prompt.follow", {"card": C(seen.trick[0])}] if seen.trick else ["prompt.lead", {}]
    if seen.stage == "claim" and seen.contract is not None and seen.contract.null:
        return ["prompt.claim.null", {}]
    return [f"prompt.{seen.stage}", {}]


def badges(view: dict[str, Any], seen: Sight, seat: int) -> list[Message]:
    """Return what stands beside a name: forehand's flag, declarer, the word last said in the auction."""
    if seat not in seen.seats:
        return [["badge.sits_out", {}]]
    position = seen.seats.index(seat)
    found: list[Message] = [["badge." + POSITIONS[position], {}]]
    if position == seen.computer:
        found.append(["badge.computer", {}])
    if seen.declarer is not None:
        if position == seen.declarer:
            found.append(["badge.declarer", {}])
        return found
    words = [word for who, word in seen.bids if who == seat]
    if position in seen.auction.passed or "p" in words:
        found.append(["badge.passed", {}])
    elif position == seen.auction.holder:
        asks = seen.auction.stage == "answer"
        found.append(["badge.bids" if asks else "badge.holds", {"n": seen.auction.bid}])
    return found


def panels(view: dict[str, Any], seen: Sight) -> list[dict[str, Any]]:
    """Return the panels beside the table: the auction or the contract, the last trick, the list so far."""
    found: list[dict[str, Any]] = []
    if seen.contract is None:
        lines: list[Message] = []
        for seat, word in seen.bids[-9:]:
            key = {"p": "panel.pass", "y": "panel.hold"}.get(str(word), "panel.bid")
            lines.append([key, {"player": P(seat), "n": word if key == "panel.bid" else 0}])
        found.append({"title": ["panel.auction", {}], "lines": lines})
    elif seen.tricks:
        leader, cards, winner = seen.tricks[-1]
        lines = [["panel.card", {"player": P(seen.seats[(leader + offset) % 3]), "card": C(face)}] for offset, face in enumerate(cards)]
        lines.append(["panel.taken", {"player": P(seen.seats[winner])}])
        found.append({"title": ["panel.last", {"n": len(seen.tricks)}], "lines": lines})
    if seen.put or seen.found:
        own: list[Message] = []
        if seen.found:
            own.append(["panel.found", {"cards": L([C(face) for face in seen.found])}])
        if seen.put:
            own.append(["panel.put", {"cards": L([C(face) for face in seen.put])}])
        found.append({"title": ["panel.skat", {}], "lines": own})
    games = view["facts"].get("games", [])
    if games:
        lines = []
        for number, (declarer, code, value) in list(enumerate(games, 1))[-6:]:
            if declarer is None:
                lines.append(["panel.game.passed", {"n": number}])
            else:
                lines.append(["panel.game", {"n": number, "player": P(declarer), "code": code, "value": value}])
        found.append({"title": ["panel.list", {"n": len(games)}], "lines": lines})
    return found
