"""The computer players: each rung beats the one below, none sees a hidden card, and the worlds they search fit what they see."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from carteado.core.bots import levels, player
from carteado.core.bots.world import rebuild
from carteado.core.match import Match
from carteado.core.rules import Rules
from carteado.plugins.cascata import game, rules
from carteado.plugins.cascata.bot import Naive, Rollout, Rule, clearly_best
from carteado.plugins.cascata.policy import Policy
from carteado.plugins.cascata.worlds import World, fill, world

BOTS: dict[str, Any] = {"naive": Naive, "rule": Rule, "rollout": lambda: Rollout(worlds=2)}


def play(bots: list[Any], seed: int, **options: Any) -> Iterator[tuple[Match, int, dict[str, Any], dict[str, Any]]]:
    """Let computer players play a game and yield before each action: the match, the seat, its view and what it chose."""
    match = Match(game, options, [{"name": f"P{seat}", "bot": None} for seat in range(len(bots))])
    match.deal(random.Random(seed).randbytes(32))
    dice = random.Random(seed)
    while match.phase == "playing":
        (seat,) = match.prompts
        view = match.view(seat, captions=False)
        action = bots[seat].choose(view, dice)
        yield match, seat, view, action
        match.act(seat, match.prompts[seat].id, action)


def points(bots: list[Any], seed: int, **options: Any) -> list[int]:
    """Return what the players of a game scored."""
    *_, (match, *_) = play(bots, seed, **options)
    assert match.result is not None
    return list(match.result["points"])


def wins(one: Any, other: Any, games: int, **options: Any) -> float:
    """Return how many of some games of two the first player won, chairs in turn; a tie is half."""
    won = 0.0
    for number in range(games):
        chair = number % 2
        bots = [other, other]
        bots[chair] = one
        scored = points(bots, number, **options)
        won += (scored[chair] > scored[1 - chair]) + (scored[chair] == scored[1 - chair]) / 2
    return won


def test_the_levels_stand_in_order() -> None:
    assert levels(game)[:4] == ["random", "naive", "rule", "rollout"]


@pytest.mark.slow
def test_naive_beats_random() -> None:
    assert wins(Naive(), Trying(), 8) >= 5


class Trying:
    """Play the game's sampled actions at random."""

    def __init__(self) -> None:
        self.random = player(game, "random")

    def choose(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        return self.random.choose(view, rng)


@pytest.mark.slow
def test_rule_beats_naive_in_most_of_a_dozen_games() -> None:
    assert wins(Rule(), Naive(), 12) >= 9


@pytest.mark.long
def test_rule_beats_naive_in_at_least_seven_of_ten_games_of_a_thousand() -> None:
    assert wins(Rule(), Naive(), 1000) >= 700


@pytest.mark.slow
def test_rollout_beats_rule_in_most_of_a_dozen_games() -> None:
    assert wins(Rollout(worlds=4), Rule(), 10) >= 6


@pytest.mark.slow
@pytest.mark.parametrize("options", [{"row_multiplier": True}, {"lock_card": True}, {"soft_steal": True, "free_from": "base"}], ids=str)
def test_rule_beats_naive_in_every_variant(options: dict[str, Any]) -> None:
    assert wins(Rule(), Naive(), 20, **options) >= 13


def test_the_help_is_what_the_rule_player_does() -> None:
    for number, (match, seat, view, action) in enumerate(play([Rule(), Rule()], 3)):
        if number % 7 == 0:
            assert match.rules._hook.suggest(view=view, rng=random.Random(0)) == action
            assert player(game, "rule").choose(match.view(seat), random.Random(1)) == action


@pytest.mark.slow
def test_a_turn_of_the_strongest_player_takes_less_than_a_second() -> None:
    spent: Counter[int] = Counter()
    strong, turn = Rollout(), 0
    match = Match(game, {}, [{"name": "A"}, {"name": "B"}])
    match.deal(bytes(32))
    dice = random.Random(1)
    while match.phase == "playing" and turn < 8:
        (seat,) = match.prompts
        view = match.view(seat, captions=False)
        start = time.process_time()
        action = strong.choose(view, dice)
        spent[turn] += int(1000 * (time.process_time() - start))
        turn += view["prompts"][0]["stage"] == "meld"
        match.act(seat, match.prompts[seat].id, action)
    assert max(spent.values()) < 1000


@pytest.mark.parametrize("level", BOTS)
@pytest.mark.parametrize("options", [{}, {"lock_card": True, "row_multiplier": True}], ids=["plain", "variants"])
@pytest.mark.slow
def test_no_player_sees_a_hidden_card(level: str, options: dict[str, Any]) -> None:
    """Shuffle everything a seat cannot know of the true state: it sees the same and chooses the same."""
    rng = random.Random(level)
    changed = 0
    for number, (match, seat, view, _) in enumerate(play([Rule()] * 3, 11, **options)):
        if number % 9 == 4:
            true, other = match.fork(bytes(32)), match.fork(bytes(32))
            shuffle_unseen(other, view, rng)
            changed += other.digest() != true.digest()
            one, two = true.view(seat, captions=False), other.view(seat, captions=False)
            assert one == two
            assert BOTS[level]().choose(one, random.Random(5)) == BOTS[level]().choose(two, random.Random(5))
    assert changed > 5


def shuffle_unseen(match: Match, view: dict[str, Any], rng: random.Random) -> None:
    """Exchange the cards that a seat cannot know of in the true state of a match."""
    for zone in fill(view, rng)["zones"]:
        table = match.table
        table._zones[zone["name"]] = table.zone(zone["name"])._replace(cards=tuple(zone["cards"]))


@pytest.mark.parametrize("advise", [Policy().choose, Naive().move], ids=["rule", "naive"])
@pytest.mark.slow
def test_the_policies_do_not_look_at_what_was_filled_in(advise: Any) -> None:
    rng = random.Random(4)
    for number, (_, _, view, _) in enumerate(play([Rule()] * 3, 12, lock_card=True, hidden_rows=[3, 4, 6])):
        if number % 4 == 0:
            assert len({advise(world(view, rng, Policy()).state) for _ in range(6)}) == 1


def test_a_world_fits_the_view() -> None:
    rng = random.Random(8)
    hooks = Rules(game)
    for number, (_, seat, view, _) in enumerate(play([Rule()] * 4, 13, lock_card=True)):
        if number % 6 == 0:
            full = fill(view, rng)
            shown = {zone["name"]: zone["cards"] if zone["cards"] is not None else ["?"] * zone["n"] for zone in view["zones"]}
            again = rebuild(hooks, {**full, "zones": [{**zone, "shown": shown[zone["name"]]} for zone in full["zones"]]}, rng)
            assert again.table.all_cards() == sorted((*rules.CARDS, rules.LOCK))
            assert [zone["cards"] for zone in again.view(seat, captions=False)["zones"]] == [zone["cards"] for zone in view["zones"]]


def test_a_world_keeps_known_cards_in_their_hands_and_the_lock_card_in_the_reserve() -> None:
    rng = random.Random(9)
    told = 0
    for _, seat, view, _ in play([Rule()] * 2, 14, lock_card=True):
        known = view["vars"]["known"][1 - seat]
        told += len(known)
        zones = {zone["name"]: zone["cards"] for zone in fill(view, rng)["zones"]}
        assert Counter(known) <= Counter(zones[f"hand/{1 - seat}"])
        assert {name for name, cards in zones.items() if rules.LOCK in cards} < {"stock", "out"}
    assert told > 20


def test_every_unseen_card_can_lie_anywhere() -> None:
    match, seat, view, _ = next(play([Rule()] * 2, 15))
    rng = random.Random(10)
    hand, hidden, drawn = set(), set(), set()
    for _ in range(400):
        zones = {zone["name"]: zone["cards"] for zone in fill(view, rng)["zones"]}
        hand.update(zones[f"hand/{1 - seat}"])
        hidden.update(zones["pyramid"][6:10])
        drawn.add(zones["stock"][-1])
    unknown = {face for name in (f"hand/{1 - seat}", "stock") for face in match.table.cards(name)} | set(match.table.cards("pyramid")[6:10])
    assert hand == hidden == drawn == unknown


def test_the_search_state_gives_the_actions_of_the_table() -> None:
    for match, seat, view, _ in play([Rule()] * 2, 16):
        state = match.rules._hook.search_state(view=view, rng=random.Random(0))
        assert isinstance(state, World)
        assert state.mover() == seat
        match.try_act(seat, match.prompts[seat].id, state.policy(random.Random(0)))


def test_another_move_is_taken_only_when_it_is_surely_better() -> None:
    first = [0.0, 10.0, 20.0, 30.0]
    surely, hardly = [5.0, 16.0, 24.0, 35.0], [60.0, -30.0, 40.0, 10.0]
    assert clearly_best([first, hardly], 1.0) == 0
    assert clearly_best([first, hardly, surely], 1.0) == 2
    assert clearly_best([first, hardly], 0.0) == 1
