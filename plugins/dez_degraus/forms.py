"""What a seat may do now, as forms: exactly the cards, groups and choices that some accepted action names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from carteado.core.api import Choice, Form, Groups, P, Pick, Table, Target

from . import texts
from .distance import distance, lows, usable
from .groups import Group, takers
from .rules import HAND_SIZE, HIGHEST, RUN, SKIP, WILD, phase
from .state import DISCARD, DRAW, STOCK, group_of, skippable

_DRAW_FIRST = [Form(kind, key=key, blocked=["draw_first", {}]) for kind, key in (("lay", "b"), ("hit", "j"), ("discard", "d"))]
_DRAW = Form("draw", key="c", on=STOCK, default=True)
_NO_DRAW = Form("draw", key="c", on=STOCK, blocked=["nothing_to_draw", {}])
_TAKE = Form("take", key="a", on=DISCARD)
_ONLY_TAKE = Form("take", key="a", on=DISCARD, default=True)
_NO_DISCARDS = Form("take", key="a", on=DISCARD, blocked=["discards_empty", {}])
_NO_SKIP = Form("take", key="a", on=DISCARD, blocked=["skip_not_taken", {}])
_LAID = Form("lay", key="b", blocked=["already_laid", {}])
_LAY_FIRST = Form("hit", key="j", blocked=["lay_first", {}])
_NOTHING_FITS = Form("hit", key="j", blocked=["nothing_fits", {}])
_ENDS = [(0, ["dd.low.none", {}]), *[(k, ["dd.low", {"n": k}]) for k in range(1, HAND_SIZE + 2)]]


def offered(table: Table, seat: int) -> Sequence[Form]:
    """Return the forms of a seat that draws or plays."""
    discards = table.cards(DISCARD)
    if table.asked(seat) == DRAW:
        stock = bool(table.cards(STOCK)) or len(discards) > 1
        if not discards:
            take = _NO_DISCARDS
        elif discards[-1] == SKIP:
            take = _NO_SKIP
        else:
            take = _TAKE if stock else _ONLY_TAKE
        return [_DRAW if stock else _NO_DRAW, take, *_DRAW_FIRST]
    hand = f"hand/{seat}"
    cards = table.cards(hand)
    laid = seat in table.get("laid")
    lay = _LAID if laid else _lay_form(hand, cards, table.get("phases")[seat])
    return [lay, _hit_form(table, hand, cards) if laid else _LAY_FIRST, _discard_form(table, seat, hand, cards)]


@lru_cache(maxsize=4_096)
def _lay_form(zone: str, hand: tuple[str, ...], number: int) -> Form:
    missing = distance(hand, phase(number))
    if missing:
        return Form("lay", key="b", blocked=["phase_missing", {"n": missing, "phase": texts.phase_named(number)}])
    cards = sorted(usable(hand, phase(number)))
    fields: dict[str, Any] = {
        "groups": Groups(zone, texts.LIKE[number], optional=True),
        "cards": Pick(zone, (texts.SIZES[number], len(hand)), cards=cards, optional=True),
    }
    ends = lows(hand, phase(number)) if WILD in hand else []
    if ends:
        fields["low"] = Choice([_ENDS[k] for k in ends], optional=True)
    return Form("lay", key="b", **fields)


def _hit_form(table: Table, zone: str, hand: tuple[str, ...]) -> Form:
    groups = {zone.name: group_of(zone) for zone in table.zones("group/")}
    offered: set[str] = set()
    targets = []
    held = Counter(hand)
    for name, group in groups.items():
        takes = takers(group, held)
        if takes:
            targets.append(name)
            offered |= takes
    if not targets:
        return _NOTHING_FITS
    most = sum(held[face] for face in offered)
    fields: dict[str, Any] = {"cards": Pick(zone, (1, most), cards=sorted(offered)), "group": Target(targets)}
    if WILD in offered:
        ends = _hit_ends([groups[name] for name in targets], offered, held[WILD])
        if ends:
            fields["low"] = Choice([_ENDS[k] for k in ends], optional=True)
    return Form("hit", key="j", **fields)


def _hit_ends(groups: Sequence[Group], offered: set[str], wilds: int) -> list[int]:
    """Return every number of wilds that can go to the low end of some group on the table; none if there is no run."""
    runs = [group for group in groups if group.kind == RUN]
    if not runs:
        return []
    room = max(group.low - 1 for group in runs)
    none = len(runs) < len(groups) or len(offered) > 1 or any(group.high < HIGHEST for group in runs)
    return [0] * none + list(range(1, min(wilds, room) + 1))


def _discard_form(table: Table, seat: int, zone: str, hand: tuple[str, ...]) -> Form:
    if SKIP not in hand:
        return _discard_with(zone, (), "")
    targets = skippable(table, seat)
    if targets:
        return _discard_with(zone, tuple(targets), "dd.choice.skip")
    # Naming somebody when nobody can be skipped is not wrong, it has no effect.
    return _discard_with(zone, tuple(other for other in table.seats if other != seat), "dd.choice.no_effect")


@cache
def _discard_with(zone: str, named: tuple[int, ...], label: str) -> Form:
    fields: dict[str, Any] = {"cards": Pick(zone, 1)}
    if named:
        fields["seat"] = Choice([(other, [label, {"who": P(other)}]) for other in named], optional=True)
    return Form("discard", key="d", on=DISCARD, default=True, **fields)
