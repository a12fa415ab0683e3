"""The moves of a turn, how a turn passes on, and how a hand comes to its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from carteado.core.api import OPEN, C, IllegalAction, L, P, Table

from . import captions
from .groups import hit
from .phases import match
from .rules import RUN, SKIP, TURNS_A_PLAYER, WILD, phase
from .split import split
from .state import BLOCKED, DISCARD, DRAW, OUT, PLAY, STOCK, group_of, skippable


def _draw(table: Table, seat: int, action: dict[str, Any]) -> None:
    if not table.cards(STOCK):
        discards = table.cards(DISCARD)
        if len(discards) < 2:
            raise IllegalAction("nothing_to_draw")
        table.move(DISCARD, STOCK, places=range(len(discards) - 1))
        table.shuffle(STOCK)
        table.say("dd.log.reshuffled", n=len(discards) - 1)
    (face,) = table.move(STOCK, f"hand/{seat}", n=1)
    table.say("dd.log.drew", but=seat, who=P(seat))
    table.say("dd.log.drew.card", only=seat, card=C(face))
    table.ask(seat, PLAY)


def _take(table: Table, seat: int, action: dict[str, Any]) -> None:
    discards = table.cards(DISCARD)
    if not discards:
        raise IllegalAction("discards_empty")
    if discards[-1] == SKIP:
        raise IllegalAction("skip_not_taken")
    (face,) = table.move(DISCARD, f"hand/{seat}", n=1)
    table.say("dd.log.took", who=P(seat), card=C(face))
    table.ask(seat, PLAY)


def _lay(table: Table, seat: int, action: dict[str, Any]) -> None:
    laid = table.get("laid")
    if seat in laid:
        raise IllegalAction("already_laid")
    if ("groups" in action) == ("cards" in action):
        raise IllegalAction("groups_or_cards")
    number = table.get("phases")[seat]
    low = action.get("low")
    if "groups" in action:
        groups = match(phase(number), action["groups"], low)
    else:
        groups = split(phase(number), action["cards"], low)
    hand = f"hand/{seat}"
    _check_held(table, hand, [face for group in groups for face in group.cards])
    for group in groups:
        name = f"group/{len(table.zones('group/')) + 1}"
        facts = {"kind": group.kind, "of": group.of, "wilds": group.wilds()}
        table.create(name, "group", owner=seat, see=OPEN, facts=facts)
        table.move(hand, name, cards=group.cards)
    table.set("laid", [*laid, seat])
    key, shown = captions.groups_shown("dd.log.laid", groups)
    table.say(key, who=P(seat), phase=number, **shown)
    _go_on(table, seat)


def _hit(table: Table, seat: int, action: dict[str, Any]) -> None:
    if seat not in table.get("laid"):
        raise IllegalAction("lay_first")
    hand, name, cards = f"hand/{seat}", action["group"], action["cards"]
    _check_held(table, hand, cards)
    before = group_of(table.zone(name))
    grown = hit(before, cards, action.get("low"))
    below = before.low - grown.low if grown.kind == RUN else 0
    if below:
        table.move(hand, name, cards=grown.cards[:below], to=0)
    above = grown.cards[below + len(before.cards) :]
    if above:
        table.move(hand, name, cards=above)
    if below or WILD in cards:
        table.mark(name, of=grown.of, wilds=grown.wilds())
    added = L([C(face) for face in cards])
    table.say("dd.log.hit", who=P(seat), cards=added, group=captions.group_named(grown))
    _go_on(table, seat)


def _discard(table: Table, seat: int, action: dict[str, Any]) -> None:
    (face,) = action["cards"]
    hand = f"hand/{seat}"
    # Going out wins over the effect of a skip: no target is asked for.
    target = _target(table, seat, action.get("seat")) if face == SKIP and len(table.cards(hand)) > 1 else None
    table.move(hand, DISCARD, cards=[face])
    table.say("dd.log.discarded", who=P(seat), card=C(face))
    if not table.cards(hand):
        _end(table, OUT, seat)
        return
    if target is not None:
        table.set("skips", [*table.get("skips"), target])
        table.say("dd.log.skips", who=P(target))
    elif face == SKIP:
        table.say("dd.log.no_effect")
    if table.get("turns") >= TURNS_A_PLAYER * len(table.seats):
        table.say("dd.log.endless", n=TURNS_A_PLAYER)
        _end(table, BLOCKED, None)
        return
    begin(table, table.next(seat))


MOVES = {"draw": _draw, "take": _take, "lay": _lay, "hit": _hit, "discard": _discard}


def _check_held(table: Table, hand: str, cards: Sequence[str]) -> None:
    held = table.cards(hand)
    for face in cards:
        if face not in held or (len(cards) > 1 and cards.count(face) > held.count(face)):
            raise IllegalAction("not_held", card=C(face))


def _target(table: Table, seat: int, named: int | None) -> int | None:
    """Return whom a discarded skip hits, None if nobody can be skipped."""
    targets = skippable(table, seat)
    if not targets:
        return None
    if named is None:
        if len(targets) > 1:
            raise IllegalAction("choose_target", field="seat")
        return targets[0]
    if named not in targets:
        code = "already_skipped" if named in table.seats and named != seat else "no_such_target"
        raise IllegalAction(code, who=P(named))
    return named


def begin(table: Table, seat: int) -> None:
    """Begin the next turn at this seat, passing over those who lose theirs; block the hand if there is nothing to draw."""
    turns = table.get("turns") + 1
    if table.get("skips") or table.get("served"):
        seat, passed = _pass_over(table, seat)
        turns += passed
    table.set("turns", turns)
    if not table.cards(STOCK):
        discards = table.cards(DISCARD)
        if not discards or discards == (SKIP,):
            table.say("dd.log.nothing_left")
            _end(table, BLOCKED, None)
            return
    table.ask(seat, DRAW)


def _pass_over(table: Table, seat: int) -> tuple[int, int]:
    """Return the next seat that does not lose its turn, and how many did; that seat can be skipped again from now on."""
    skips, served, passed = list(table.get("skips")), list(table.get("served")), 0
    while seat in skips:
        skips.remove(seat)
        served.append(seat)
        table.say("dd.log.passed", who=P(seat))
        seat = table.next(seat)
        passed += 1
    if passed:
        table.set("skips", skips)
    if passed or seat in served:
        table.set("served", [other for other in served if other != seat])
    return seat, passed


def _go_on(table: Table, seat: int) -> None:
    """Let the seat play on, unless its hand is empty: then the hand is over, no discard needed."""
    if table.cards(f"hand/{seat}"):
        table.ask(seat, PLAY)
    else:
        _end(table, OUT, seat)


def _end(table: Table, how: str, seat: int | None) -> None:
    if seat is not None:
        table.say("dd.log.out", who=P(seat))
    table.set("ended", {"how": how, "seat": seat})
