"""The computer players: they see one view, they never play an illegal move, *rule* is the stronger."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from carteado.core.bots import levels, player
from carteado.core.match import Match
from carteado.plugins.dez_degraus import game
from carteado.plugins.dez_degraus.bot import Naive, Rule

TEN = "Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y9 Y10 Y11"


def match_of(seats: Sequence[str], seed: int, hands: int | None = None, **options: Any) -> Match:
    """Play a match (or its first hands) between computer players; every move goes through the host's checks."""
    match = Match(game, options, [{"name": str(seat), "bot": level} for seat, level in enumerate(seats)])
    players = [player(game, level) for level in seats]
    rng = random.Random(seed)
    while match.phase != "over" and (hands is None or match.hand < hands or match.phase == "playing"):
        if match.phase == "dealing":
            match.deal(rng.randbytes(32))
            continue
        ((seat, prompt),) = match.prompts.items()
        match.act(seat, prompt.id, players[seat].choose(match.view(seat, captions=False), rng))
    return match


def wins(games: int) -> float:
    """Return the share of two-player games that *rule* wins against *naive*, sitting first and second in turn."""
    won = 0.0
    for seed in range(games):
        seats = ("rule", "naive") if seed % 2 else ("naive", "rule")
        match = match_of(seats, seed)
        assert match.end is not None
        first = match.end["places"][0]
        won += (seats.index("rule") in first) / len(first)
    return won / games


def test_the_levels_are_named_weakest_first() -> None:
    assert levels(game)[:3] == ["random", "naive", "rule"]


@pytest.mark.slow
def test_rule_beats_naive_in_most_of_60_games() -> None:
    assert wins(60) >= 0.75


@pytest.mark.long
def test_rule_beats_naive_in_four_of_five_of_1_000_games() -> None:
    assert wins(1_000) >= 0.80


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (("rule", "naive"), {}),
        (("naive", "rule", "random"), {"next_only": True}),
        (("rule", "naive", "rule", "random", "naive", "rule"), {"until_three": True}),
    ],
)
def test_no_move_is_refused(seats: tuple[str, ...], options: dict[str, Any]) -> None:
    assert match_of(seats, seed=5, hands=6, **options).hand == 6


@pytest.mark.long
def test_no_move_is_refused_in_10_000_hands() -> None:
    hands = 0
    ends = Counter[str]()
    for seed in range(100_000):
        if hands >= 10_000:
            break
        rng = random.Random(seed)
        seats = [rng.choice(["rule", "naive"]) for _ in range(rng.randint(2, 6))]
        options = {"until_three": rng.random() < 0.3, "next_only": rng.random() < 0.2}
        match = match_of(seats, seed, **options)
        hands += match.hand
        ends[match.phase] += 1
    assert (hands >= 10_000, list(ends)) == (True, ["over"])


# What they do in single positions


def choice(table: Any, bot: Naive | Rule, seat: int = 0) -> dict[str, Any]:
    return bot.choose(table.match.view(seat, captions=False), random.Random(1))


def test_naive_takes_a_discard_only_to_complete_its_phase(play: Any, scene: Any) -> None:
    near = scene({0: "R7 B7 G7 R9 B9 Y1 Y2 Y3 Y4 Y5"}, stage="draw", discards="G9")
    far = scene({0: "R7 B7 G6 R9 B9 Y1 Y2 Y3 Y4 Y5"}, stage="draw", discards="G9")
    assert [choice(play(start), Naive())["type"] for start in (near, far)] == ["take", "draw"]


def test_naive_throws_the_dearest_useless_card(play: Any, scene: Any) -> None:
    table = play(scene({0: "R7 B7 G7 R9 B9 Y12 Y2 Y3 Y4 Y5 B6"}))
    assert choice(table, Naive()) == {"type": "discard", "cards": ["Y12"]}


def test_rule_takes_a_discard_that_brings_its_phase_nearer(play: Any, scene: Any) -> None:
    table = play(scene({0: "R7 B7 G6 R9 B9 Y1 Y2 Y3 Y4 Y5"}, stage="draw", discards="G9"))
    assert choice(table, Rule())["type"] == "take"


def test_rule_does_not_take_a_discard_to_throw_it_back(play: Any, scene: Any) -> None:
    table = play(scene({0: "R7 B7 G7 R9 B9 Y1 Y2 Y3 Y4 Y5"}, stage="draw", discards="G10"))
    assert choice(table, Rule())["type"] == "draw"


def test_rule_takes_a_discard_that_it_can_add_to_a_group(play: Any, scene: Any) -> None:
    start = scene({0: "Y1 Y3"}, stage="draw", discards="G8", groups=[(1, "set", "R8 B8 Y8")], laid=[0])
    assert choice(play(start), Rule())["type"] == "take"


def test_rule_lays_so_that_the_rest_of_the_hand_goes_out_too(play: Any, scene: Any) -> None:
    # Tens as the set would leave three cards in the hand; sevens with two wilds leave only the ten, which is thrown.
    table = play(scene({0: "R1 Y2 G4 G5 R6 G7 R7 Y10 W W W"}, phases=[3, 1, 1]))
    rule = Rule()
    while table.match.phase == "playing" and table.turn == 0:
        table.match.act(0, table.match.prompts[0].id, choice(table, rule))
    assert (table.match.phase, table.points[0]) == ("dealing", 0)


def test_rule_hits_in_the_order_that_empties_the_hand(play: Any, scene: Any) -> None:
    groups = [(1, "set", "R8 B8 G8"), (1, "run", "R4 G5 B6 Y7")]
    table = play(scene({0: "B9 W Y1"}, groups=groups, laid=[0]))
    assert choice(table, Rule()) == {"type": "hit", "cards": ["W"], "group": "group/2", "low": 0}


@pytest.mark.parametrize(
    ("groups", "phases", "hands", "victim"),
    [
        pytest.param([(2, "set", "R8 B8 G8")], [1, 5, 2], {1: TEN, 2: "R1 R2"}, 2, id="who has laid and holds few cards"),
        pytest.param([], [1, 5, 2], {1: TEN, 2: TEN.replace("Y", "B")}, 1, id="else who leads in phases"),
    ],
)
def test_rule_skips_the_leader(
    play: Any, scene: Any, groups: Any, phases: list[int], hands: dict[int, str], victim: int
) -> None:
    start = scene({0: "S R3 R4 R5 R7 R9 G10 G11 G12 B12 G2", **hands}, groups=groups, phases=phases)
    assert choice(play(start), Rule()) == {"type": "discard", "cards": ["S"], "seat": victim}


def test_rule_keeps_a_skip_that_nobody_would_feel(play: Any, scene: Any) -> None:
    table = play(scene({0: "S R7 B7 R9 B9 G10 G11 G12 B1 G2 Y4"}, served=[1]), players=2)
    assert choice(table, Rule())["cards"] != ["S"]


def scrambled(match: Match, seat: int, rng: random.Random) -> Match:
    """Return a copy of the match in which all that this seat cannot see lies elsewhere: the others' cards and the stock."""
    other = match.fork()
    zones = [zone for zone in other.table.zones() if zone.name == "stock" or zone.name.startswith("hand/")]
    hidden = [zone for zone in zones if zone.owner != seat]
    cards = [face for zone in hidden for face in zone.cards]
    rng.shuffle(cards)
    for zone in hidden:
        other.table._zones[zone.name] = zone._replace(cards=tuple(cards[: len(zone.cards)]))
        del cards[: len(zone.cards)]
    return other


@pytest.mark.parametrize("bot", [Naive(), Rule()])
def test_the_choice_does_not_depend_on_hidden_cards(bot: Naive | Rule) -> None:
    match = Match(game, {}, [{"name": name} for name in "ABC"])
    rng = random.Random(9)
    for _ in range(120):
        if match.phase == "dealing":
            match.deal(rng.randbytes(32))
        ((seat, prompt),) = match.prompts.items()
        action = bot.choose(match.view(seat, captions=False), random.Random(1))
        other = scrambled(match, seat, rng)
        assert bot.choose(other.view(seat, captions=False), random.Random(1)) == action
        match.act(seat, prompt.id, action)
