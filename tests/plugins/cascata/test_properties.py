"""What holds in every game, whatever is played: table B14, case S15, the cards, and the compact state against the true table."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from carteado.core.bots import sample_action
from carteado.core.errors import Refused
from carteado.core.match import Match
from carteado.core.replay import replay
from carteado.core.rules import Rules
from carteado.plugins.cascata import game, rules
from carteado.plugins.cascata.policy import Policy
from carteado.plugins.cascata.worlds import World

pytestmark = pytest.mark.slow

VARIANTS: list[dict[str, Any]] = [
    {},
    {"free_from": "base"},
    {"hidden_rows": [2, 4, 6, 7], "hidden_cards": ["3.1", "5.5"]},
    {"free_from": "base", "hidden_rows": [1, 2, 3]},
    {"soft_steal": True, "row_multiplier": True},
    {"lock_card": True},
    {"lock_card": True, "row_multiplier": True, "free_from": "base"},
]
CASES = [pytest.param(variant, players, id=f"{players}-{'-'.join(variant) or 'plain'}") for variant in VARIANTS for players in (2, 3, 4)]


def dealt(players: int, seed: int, **options: Any) -> Match:
    match = Match(game, options, [{"name": f"P{seat}"} for seat in range(players)])
    match.deal(seed.to_bytes(32, "big"))
    return match


def steps(match: Match, rng: random.Random, greedy: bool = False) -> Iterator[int]:
    """Play a match at random and yield before each action whose it is; `greedy` for swaps and draws keeps a game as long as it can be."""
    hooks = Rules(game)
    while match.phase == "playing":
        (seat,) = match.prompts
        yield seat
        view = match.view(seat, captions=False)
        action = sample_action(hooks, view, rng)
        for kind in ("swap", "draw", "done") if greedy else ():
            form = next((form for form in view["prompts"][0]["forms"] if form["type"] == kind and form["blocked"] is None), None)
            if form is not None:
                action = sample_action(hooks, {**view, "prompts": [{**view["prompts"][0], "forms": [form]}]}, rng)
                break
        match.act(seat, match.prompts[seat].id, action)


@pytest.mark.parametrize(("variant", "players"), CASES)
def test_a_card_is_free_the_cards_stay_together_and_the_game_ends(variant: dict[str, Any], players: int) -> None:
    rng = random.Random(f"{sorted(variant)}{players}")
    for number in range(4):
        match = dealt(players, rng.getrandbits(64), **variant)
        table = match.table
        pack = sorted(game.pack(match.options))
        size = rules.size(table.zone("pyramid").facts["rows"])
        bound = 2 * (size + len(table.cards("stock"))) + 2
        turns = 0
        for seat in steps(match, rng, greedy=number == 0):
            assert table.all_cards() == pack
            if table.asked(seat) == "take":
                turns += 1
                zone = table.zone("pyramid")
                free = rules.free(zone.cards, zone.facts["covers"])
                assert free
                assert all(zone.sees(place, None) for place in free)
        assert table.all_cards() == pack
        assert turns <= bound
        assert match.phase == "over"
        assert match.faults == []


@pytest.mark.parametrize(("variant", "players"), CASES)
def test_the_compact_state_plays_by_the_same_rules(variant: dict[str, Any], players: int) -> None:
    rng = random.Random(f"{players}{sorted(variant)}")
    match = dealt(players, rng.getrandbits(64), **variant)
    (seat,) = match.prompts
    full = everything(match)
    world = World(match.view(seat, captions=False), full, Policy())
    while match.phase == "playing":
        (seat,) = match.prompts
        assert (world.mover(), world.over()) == (seat, False)
        legal = world.legal()
        assert {shape(action) for action in legal} == accepted(match, seat)
        action = rng.choice(legal)
        match.act(seat, match.prompts[seat].id, action)
        world.apply(action, rng)
        assert [sorted(hand) for hand in world.hands] == [sorted(match.table.cards(f"hand/{other}")) for other in range(players)]
        assert world.pyramid == list(match.table.cards("pyramid"))
        assert [world.state.pyramid[place] for place in world.state.free] == [
            rules.rank(world.pyramid[place]) for place in world.state.free
        ]
        zone = match.table.zone("pyramid")
        assert sorted(world.state.free) == rules.free(zone.cards, zone.facts["covers"])
        assert world.state.down == {place for place, face in enumerate(zone.cards) if face and not zone.sees(place, None)}
        assert {world.names[i]: meld.points for i, meld in enumerate(world.state.melds)} == {
            zone.name: zone.facts["points"] for zone in match.table.zones("meld/")
        }
    assert world.over()
    assert match.ended is not None
    assert world.returns() == [game.value(match.ended, seat) for seat in range(players)]


def everything(match: Match) -> dict[str, Any]:
    """Return a view in which every card is seen."""
    (seat,) = match.prompts
    view = match.view(seat, captions=False)
    return {**view, "zones": [{**zone, "cards": list(match.table.cards(zone["name"]))} for zone in view["zones"]]}


def shape(action: dict[str, Any]) -> str:
    """Return an action with its cards by rank: suits never matter."""
    cards = {"cards": sorted(rules.rank(face) for face in action["cards"])} if "cards" in action else {}
    return json.dumps({**action, **cards}, sort_keys=True)


def accepted(match: Match, seat: int) -> set[str]:
    """Return the shapes of all actions that the table accepts, by trying every way to fill in its forms."""
    view = match.view(seat, captions=False)
    found = set()
    for form in view["prompts"][0]["forms"]:
        if form["blocked"] is None:
            for action in filled(form, match):
                try:
                    match.try_act(seat, match.prompts[seat].id, action)
                except Refused:
                    continue
                found.add(shape(action))
    return found


def filled(form: dict[str, Any], match: Match) -> Iterator[dict[str, Any]]:
    fields, kind = form["fields"], form["type"]
    if kind in ("draw", "done"):
        yield {"type": kind}
    elif kind == "take":
        yield from ({"type": kind, "place": place} for place in fields["place"]["places"])
    elif kind == "swap":
        yield from ({"type": kind, "card": ["*"], "place": place} for place in fields["place"]["places"])
    else:
        held = list(match.table.cards(fields["cards"]["zone"]))
        offered = [face for face in held if face in fields["cards"]["cards"]]
        targets = fields["meld"]["zones"] if "meld" in fields else [None]
        for target in targets:
            for cards in some(offered, *fields["cards"]["n"]):
                yield {"type": kind, "cards": cards} | ({} if target is None else {"meld": target})


def some(cards: list[str], least: int, most: int) -> Iterator[list[str]]:
    """Yield the sublists of `least` to `most` cards that differ in their ranks."""
    told = set()
    for mask in range(1, 1 << len(cards)):
        chosen = [face for place, face in enumerate(cards) if mask >> place & 1]
        ranks = tuple(sorted(map(rules.rank, chosen)))
        if least <= len(chosen) <= most and ranks not in told:
            told.add(ranks)
            yield chosen


def test_a_game_replays_to_the_same_hashes() -> None:
    match = dealt(3, 5, lock_card=True, games=2)
    for _ in steps(match, random.Random(5)):
        pass
    match.deal(bytes(32))
    for _ in steps(match, random.Random(6)):
        pass
    again = replay(match.journal, game)
    assert (again.phase, again.digest(), again.h) == ("over", match.digest(), match.h)
