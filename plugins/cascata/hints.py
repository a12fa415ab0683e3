"""Say what moves are worth before they are made, and draw random legal ones."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from carteado.core.api import C

from . import rules
from .captions import worth_now
from .rules import FULL, JOKER
from .sheet import cards_message
from .sight import HIDDEN, Sight, sight

Message = list[Any]
MOST_HINTS = 6


class Melding(NamedTuple):
    """A meld action: its form, the cards from the hand, the meld they are added to (or None), and the meld that results.

    gain: by how much the player's own melds and the freed hand change the score; points: what the resulting meld is worth.
    """

    kind: str
    cards: tuple[str, ...]
    meld: str | None
    result: tuple[str, ...]
    points: int
    before: int
    gain: int

    def action(self) -> dict[str, Any]:
        """Return the action that a client sends."""
        action: dict[str, Any] = {"type": self.kind, "cards": list(self.cards)}
        return action if self.meld is None else action | {"meld": self.meld}


def meldings(seen: Sight, hand: Sequence[str]) -> Iterator[Melding]:
    """Yield the meld actions that a hand allows, one for each number of naturals and jokers (suits never matter)."""
    for cards in rules.fillings(hand):
        points = worth_now(seen, cards)
        yield Melding("meld", cards, None, cards, points, 0, points + rules.penalty(cards))
    soft = seen.options["soft_steal"]
    for meld in seen.melds:
        if len(meld.laid.cards) == FULL:
            continue
        own = meld.owner == seen.you
        for cards in rules.fillings(hand, meld.laid.cards, 0 if own or soft else FULL):
            result = (*meld.laid.cards, *cards)
            points, before = worth_now(seen, result), meld.laid.points if own else 0
            yield Melding("extend" if own else "steal", cards, meld.name, result, points, before, points - before + rules.penalty(cards))


def hints(view: dict[str, Any]) -> list[dict[str, Any]]:
    """Return hints for the viewer's prompt, the most points first; moves that lower a meld are always among them."""
    seen = sight(view)
    if seen.stage == "meld":
        found = [meld_hint(seen, melding) for melding in meldings(seen, seen.hand)]
    elif seen.stage == "take":
        found = [*take_hints(seen), *row_hints(seen)]
    else:
        return []
    found.sort(key=lambda hint: -float(hint["weight"]))
    return found[:MOST_HINTS] + [hint for hint in found[MOST_HINTS:] if hint["text"][0].endswith(".lower")]


def meld_hint(seen: Sight, melding: Melding) -> dict[str, Any]:
    """Return the hint for a meld action: what the meld will be worth, and what it was worth if that was more."""
    data = {"cards": cards_message(melding.result), "points": melding.points, "before": melding.before}
    lower = melding.points < melding.before
    key = f"hint.{melding.kind}" + (".lower" if lower else "")
    return {"text": [key, data], "action": melding.action(), "weight": float(melding.gain)}


def take_hints(seen: Sight) -> Iterator[dict[str, Any]]:
    """Yield a hint for each card whose taking allows a meld that the hand alone does not."""
    told: set[tuple[str, int]] = set()
    free = set(rules.free(seen.pyramid, seen.covers))
    for place, face in enumerate(seen.pyramid):
        if face in ("", HIDDEN):
            continue
        ways = []
        if place in free:
            ways.append(("take", [*seen.hand, face], {"type": "take", "place": place}))
        elif JOKER in seen.hand and face != JOKER:
            hand = list(seen.hand)
            hand.remove(JOKER)
            ways.append(("swap", [*hand, face], {"type": "swap", "card": [JOKER], "place": place}))
        for kind, hand, action in ways:
            number = rules.rank(face)
            if (kind, number) in told:
                continue
            told.add((kind, number))
            after = seen if kind == "swap" else seen._replace(pyramid=[*seen.pyramid[:place], "", *seen.pyramid[place + 1 :]])
            uses = [melding for melding in meldings(after, hand) if face in melding.cards or rules.meld_rank(melding.result) == number]
            if uses:
                best = max(uses, key=lambda melding: melding.gain)
                data = {"card": C(face), "cards": cards_message(best.result), "points": best.points}
                yield {"text": [f"hint.{kind}.{best.kind}", data], "action": action, "weight": float(best.gain)}


def row_hints(seen: Sight) -> Iterator[dict[str, Any]]:
    """Yield a warning for each free card that is the last of its row, where melds are multiplied by the rows left."""
    if not seen.multiplied:
        return
    for place in rules.free(seen.pyramid, seen.covers):
        row, _ = rules.position(place)
        left = sum(1 for face in seen.pyramid[rules.size(row - 1) : rules.size(row)] if face)
        if left == 1 and seen.rows > 1:
            text = ["hint.row.lower", {"card": C(seen.pyramid[place]), "n": seen.rows - 1}]
            yield {"text": text, "action": {"type": "take", "place": place}, "weight": -100.0}


def sample(view: dict[str, Any], form: dict[str, Any], rng: random.Random) -> dict[str, Any] | None:
    """Return a random legal meld action for a form; None for the other forms, which any filling of their fields fits."""
    if form["type"] not in ("meld", "extend", "steal"):
        return None
    seen = sight(view)
    fitting = [melding for melding in meldings(seen, seen.hand) if melding.kind == form["type"]]
    chosen = rng.choice(fitting)
    number = rules.meld_rank(chosen.result)
    same = [face for face in seen.hand if rules.rank(face) == number]
    count = len(rules.naturals(chosen.cards))
    return chosen._replace(cards=(*rng.sample(same, count), *chosen.cards[count:])).action()
