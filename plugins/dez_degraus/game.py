"""Dez Degraus: climb ten phases, one a hand, each a combination to be laid on the table.

Rules. Source: the game's own page (Portuguese), completed where it is silent by the published rules of the same family of games
and by decisions of this project; see rules.en.md. 2 to 6 players; 108 cards: 1-12 in four colours, twice each, 8 wilds, 4 skips.
Ten cards each, one card turned up. A turn: draw one (stock or top discard), lay the whole phase if the hand holds it, once
laid add cards to any group on the table (in the same turn too), discard one. The hand ends when a hand is empty, discard
or not. Who laid moves on to the next phase. The first to complete phase 10 wins; of several the one with fewer points.

Variant. The two sets of a phase may have the same number; groups may be laid with extra cards; a wild on the table keeps its place;
a skip cannot be taken from the discards; one skip a player until he has had a turn; no effect when nobody can be skipped;
empty stock: all discards but the top are shuffled; nothing to draw, or 50 turns a player: the hand is blocked and scored.
Table options: `until_three` (play on until three have finished), `next_only` (a skip always hits the next player).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, ClassVar

from carteado.core.api import (
    CLOSED,
    OPEN,
    C,
    Choice,
    Deck,
    Flag,
    Form,
    Game,
    Groups,
    IllegalAction,
    L,
    P,
    Pick,
    Result,
    Table,
    Target,
    hookimpl,
)

from . import advice, captions, texts
from .bot import Naive, Rule
from .distance import distance, lows, usable
from .groups import Group, hit, takers
from .judge import throwaway
from .phases import match
from .places import over, rank_finishers, rank_unfinished
from .rules import (
    CARDS,
    FEWEST_PLAYERS,
    HAND_SIZE,
    LAST_PHASE,
    MOST_PLAYERS,
    SKIP,
    TURNS_A_PLAYER,
    WILD,
    RuleBroken,
    phase,
    points,
)
from .sheet import score_sheet
from .split import split

STOCK, DISCARD = "stock", "discard"
DRAW, PLAY = "draw", "play"
OUT, BLOCKED = "out", "blocked"

SUITS = {
    "R": {"glyph": "●", "ascii": "r", "color": "red", "name": "suit.R"},
    "B": {"glyph": "■", "ascii": "b", "color": "blue", "name": "suit.B"},
    "G": {"glyph": "▲", "ascii": "g", "color": "green", "name": "suit.G"},
    "Y": {"glyph": "◆", "ascii": "y", "color": "yellow", "name": "suit.Y"},
}
SPECIAL = {
    WILD: {"glyph": "★", "ascii": "**", "color": "black", "name": "face.W"},
    SKIP: {"glyph": "»", "ascii": ">>", "color": "gray", "name": "face.S"},
}

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


class DezDegraus(Game):
    """The plugin."""

    name = "dez-degraus"
    version = "1.0"
    title = "Dez Degraus"
    seats = (FEWEST_PLAYERS, MOST_PLAYERS)
    deck = Deck(CARDS, SUITS, SPECIAL)
    table_options = (Flag("until_three", False), Flag("next_only", False))
    score = "low"
    reveal = "hand"
    levels = ("random", "naive", "rule")
    bots: ClassVar[Mapping[str, Any]] = {"naive": Naive, "rule": Rule}

    def words(self, lang: str) -> Mapping[str, Any]:
        """Return the catalogue in a language, {} if there is none."""
        return texts.words(lang)

    def rules(self, lang: str) -> str:
        """Return the rules text in a language, '' if there is none."""
        return texts.rules(lang)

    # The hand

    @hookimpl
    def deal(self, table: Table) -> None:
        """Set out one hand: ten cards each, one card turned up; a skip there hits the seat that starts."""
        table.create(STOCK, "pile", see=CLOSED, cards=CARDS)
        table.shuffle(STOCK)
        table.create(DISCARD, "pile", see=OPEN)
        for seat in table.around(table.start):
            table.create(f"hand/{seat}", "fan", owner=seat)
            table.move(STOCK, f"hand/{seat}", n=HAND_SIZE)
        table.set("phases", _phases(table))
        table.set("laid", [])
        table.set("skips", [])
        table.set("served", [])
        table.set("turns", 0)
        (turned,) = table.move(STOCK, DISCARD, n=1)
        table.say("dd.log.hand", n=table.hand, who=P(table.start))
        table.say("dd.log.turned", card=C(turned))
        if turned == SKIP:
            table.set("skips", [table.start])
        _begin(table, table.start)

    @hookimpl
    def options(self, table: Table, seat: int) -> Sequence[Form]:
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

    @hookimpl
    def turn(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        """Apply a draw, a lay, a hit or a discard."""
        try:
            _MOVES[action["type"]](table, seat, action)
        except RuleBroken as broken:
            raise IllegalAction(broken.code, **broken.data) from None

    @hookimpl
    def scoring(self, table: Table) -> Result | None:
        """Return None while the hand lasts, then points, new phases, and who has finished."""
        ended = table.get("ended")
        if ended is None:
            return None
        return _result(table, ended)

    @hookimpl
    def timeout(self, table: Table, seat: int) -> dict[str, Any]:
        """Draw from the stock and throw away the dearest card that the phase does not need."""
        if table.asked(seat) == DRAW:
            drawable = table.cards(STOCK) or len(table.cards(DISCARD)) > 1
            return {"type": "draw" if drawable else "take"}
        thrown = throwaway(table.cards(f"hand/{seat}"), phase(table.get("phases")[seat]), seat in table.get("laid"))
        targets = _targets(table, seat) if thrown == SKIP else []
        return {"type": "discard", "cards": [thrown]} | ({"seat": targets[0]} if targets else {})

    @hookimpl
    def leave(self, table: Table, seat: int) -> bool:
        """Set the hand of somebody who left aside, unseen; groups stay, a pending skip vanishes."""
        aside = f"aside/{seat}"
        table.create(aside, "pile", see=CLOSED)
        table.move(f"hand/{seat}", aside, n=len(table.cards(f"hand/{seat}")))
        table.drop(f"hand/{seat}")
        for key in ("skips", "served"):
            if seat in table.get(key):
                table.set(key, [other for other in table.get(key) if other != seat])
        if not any(table.asked(other) for other in table.seats):
            _begin(table, table.next(seat))
        return True

    # What clients and computer players ask for

    @hookimpl
    def layout(self, view: dict[str, Any]) -> dict[str, Any]:
        """Return captions for clients."""
        return captions.layout(view)

    @hookimpl
    def hints(self, view: dict[str, Any]) -> list[dict[str, Any]]:
        """Say what the seat can lay and how, or how far it is from its phase, and what to do next."""
        return advice.hints(view)

    @hookimpl
    def suggest(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        """Return what the player *rule* does."""
        return Rule().choose(view, rng)

    @hookimpl
    def sample(self, view: dict[str, Any], form: dict[str, Any], rng: random.Random) -> dict[str, Any] | None:
        """Return a random way to fill a form legally."""
        return advice.sample(view, form, rng)


# Forms


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
    runs = [group for group in groups if group.kind == "run"]
    if not runs:
        return []
    room = max(group.low - 1 for group in runs)
    none = len(runs) < len(groups) or len(offered) > 1 or any(group.high < 12 for group in runs)
    return [0] * none + list(range(1, min(wilds, room) + 1))


def _discard_form(table: Table, seat: int, zone: str, hand: tuple[str, ...]) -> Form:
    if SKIP not in hand:
        return _discard_with(zone, (), "")
    targets = _targets(table, seat)
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


# Moves


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
    below = before.low - grown.low if grown.kind == "run" else 0
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
    _begin(table, table.next(seat))


_MOVES = {"draw": _draw, "take": _take, "lay": _lay, "hit": _hit, "discard": _discard}


def _check_held(table: Table, hand: str, cards: Sequence[str]) -> None:
    held = table.cards(hand)
    for face in cards:
        if face not in held or (len(cards) > 1 and cards.count(face) > held.count(face)):
            raise IllegalAction("not_held", card=C(face))


# Turns


def _targets(table: Table, seat: int) -> list[int]:
    """Return who can be skipped: the others who have no pending skip and have had a turn since their last one."""
    spared = {seat, *table.get("skips"), *table.get("served")}
    others = [table.next(seat)] if table.option("next_only") else table.around(table.next(seat))
    return [other for other in others if other not in spared]


def _target(table: Table, seat: int, named: int | None) -> int | None:
    """Return whom a discarded skip hits, None if nobody can be skipped."""
    targets = _targets(table, seat)
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


def _begin(table: Table, seat: int) -> None:
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


# The end of a hand


def _phases(table: Table) -> list[int]:
    """Return the phase each seat has to lay, LAST_PHASE + 1 for those who have finished."""
    kept: list[int] = table.kept("phases") or [1] * len(table.players)
    return kept


def _result(table: Table, ended: dict[str, Any]) -> Result:
    laid = table.get("laid")
    before = table.get("phases")
    phases = list(before)
    lost = {seat: points(table.cards(f"hand/{seat}")) for seat in table.seats}
    totals = {seat: table.points(seat) + lost[seat] for seat in table.seats}
    for seat in table.seats:
        # A computer player who plays on for somebody who left cannot finish: that place is taken.
        if seat in laid and (phases[seat] < LAST_PHASE or seat in table.placed):
            phases[seat] += 1
    now = [seat for seat in table.seats if phases[seat] > LAST_PHASE]
    finished = [seat for seat in table.players if phases[seat] > LAST_PHASE]
    unfinished = [seat for seat in table.placed if seat not in now]
    return Result(
        points=lost,
        keep={"phases": phases},
        finished=rank_finishers({seat: totals[seat] for seat in now}, ended["seat"]),
        over=over(len(table.players), finished, unfinished, table.option("until_three")),
        ranking=rank_unfinished({seat: totals[seat] for seat in unfinished}, dict(enumerate(phases))),
        reason=["dd.over.out", {"who": P(ended["seat"])}] if ended["how"] == OUT else ["dd.over.blocked", {}],
        sheet=score_sheet({seat: table.cards(f"hand/{seat}") for seat in table.seats}, totals, before, phases),
    )


def group_of(zone: Any) -> Group:
    """Return a group zone of the table as a group of the rules."""
    return Group(zone.facts["kind"], zone.facts["of"], zone.cards)


game = DezDegraus()
