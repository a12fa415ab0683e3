"""One world a seat must reckon with: its view with every hidden card filled in, and a match made of it.

Built from the redacted view alone, so a player that searches such worlds cannot know more than its seat.
"""

from __future__ import annotations

import random
from collections import Counter
from types import MappingProxyType
from typing import Any

from ..ending import placed
from ..errors import DesignFault
from ..match import OVER, PLAYING, Match
from ..rules import Rules
from ..table import Prompt, Table
from ..zones import DOWN, FOLLOW, LEN, NONEMPTY, UP, VISIBLE, Mark, See, Zone, level

View = dict[str, Any]


def determinise(rules: Rules, view: View, rng: random.Random) -> View:
    """Return the view with every hidden card filled in: by the game's `determinise`, else any deal of the unseen cards, all alike.

    Raises: DesignFault when the generic way cannot know how many cards lie where (a hidden zone); the game must say.
    """
    full = rules._hook.determinise(view=view, rng=rng)
    if full is None:
        full = deal_unseen(rules, view, rng)
    shown = {zone["name"]: _places(zone) for zone in view["zones"]}
    return {**full, "zones": [{**zone, "shown": shown.get(zone["name"], zone["cards"])} for zone in full["zones"]]}


def _places(zone: View) -> list[str]:
    return zone["cards"] if zone["cards"] is not None else ["?"] * (zone["n"] or 0)


def deal_unseen(rules: Rules, view: View, rng: random.Random) -> View:
    """Return the view with the unseen cards dealt at random to the places whose faces are not seen."""
    pool = unseen(rules, view)
    rng.shuffle(pool)
    zones = []
    for zone in view["zones"]:
        cards = _places(zone)
        if zone["n"] is None or len(pool) < cards.count("?"):
            raise DesignFault(f"the cards of {zone['name']!r} cannot be guessed from the view; the game needs a `determinise` hook")
        zones.append({**zone, "cards": [pool.pop() if face == "?" else face for face in cards]})
    if pool:
        raise DesignFault(f"{len(pool)} cards lie where the view shows no zone; the game needs a `determinise` hook")
    return {**view, "zones": zones}


def unseen(rules: Rules, view: View) -> list[str]:
    """Return the faces of the pack that the view does not show, sorted."""
    pool = Counter(rules.game.pack(view["table"]["options"]))
    for zone in view["zones"]:
        pool.subtract(face for face in zone["cards"] or () if face not in ("", "?"))
    return sorted(pool.elements())


def rebuild(rules: Rules, full: View, rng: random.Random) -> Match:
    """Return a match in the state of a view that `determinise` filled in; its randomness comes from `rng`."""
    seats = [{"name": seat["name"], "bot": seat["bot"]} for seat in full["seats"]]
    match = Match(rules.game, full["table"]["options"], seats, full["table"]["id"], rules=rules)
    match._observed = False
    table = match.table = Table(len(seats), match.options, match.teams, match.table.computers)
    table.hand, table.dealer, table.start = full["hand"]["number"], full["hand"]["dealer"], full["hand"]["start"]
    table.kept_facts = dict(full["facts"])
    table._totals = tuple(seat["points"] for seat in full["seats"])
    table._vars = dict(full["vars"])
    table._mine = {int(seat): dict(facts) for seat, facts in full.get("secrets", {}).items()}
    if full["you"] is not None and full["mine"]:
        table._mine[full["you"]] = dict(full["mine"])
    table._zones = {zone["name"]: _zone(zone, full["you"], table) for zone in full["zones"]}
    _seat(match, full)
    table._seed = rng.randbytes(32)
    match.phase = PLAYING if full["end"] is None else OVER
    return match


def _zone(zone: View, you: int | None, table: Table) -> Zone:
    see = See(*zone["see"])
    seen = level(zone["owner"], see, you, table.team(zone["owner"]))
    marks: list[Mark] = [_mark(seen, face) for face in zone["shown"]]
    cards = tuple(zone["cards"])
    return Zone(
        zone["name"], zone["kind"], zone["owner"], see, cards, tuple(marks) if any(marks) else None, MappingProxyType(dict(zone["facts"]))
    )


def _mark(seen: str, face: str) -> Mark:
    """Guess a card's own mark from whether it is shown although its zone is not, or the other way round."""
    if seen == VISIBLE and face == "?":
        return DOWN
    if seen in (LEN, NONEMPTY) and face not in ("", "?"):
        return UP
    return FOLLOW


def _seat(match: Match, full: View) -> None:
    table = match.table
    groups: dict[int, list[int]] = {}
    sealed = next((seat["asked"] for seat in full["seats"] if seat["sealed"] and seat["asked"] is not None), "")
    for seat in full["seats"]:
        number = seat["seat"]
        if seat["place"] is not None and full["end"] is None:
            groups.setdefault(seat["place"], []).append(number)
        if seat["left"]:
            match.left[number] = "penalty"
            match.left_order.append(number)
        if seat["state"] == "left":
            match.gone.add(number)
        if seat["asked"] is not None or seat["ready"]:
            # Whoever has answered a sealed question decides anew in this world: at the stage of those who have not answered yet.
            table._prompts[number] = Prompt(table._next_prompt, seat["asked"] or sealed, bool(seat["sealed"] or seat["ready"]))
            table._next_prompt += 1
    match.finished = [groups[place] for place in sorted(groups)]
    table.seats = tuple(seat["seat"] for seat in full["seats"] if seat["state"] == "in")
    table.placed = placed(match)
