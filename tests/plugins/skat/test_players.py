"""Watch the computer players: legal, blind to what their seat cannot see, stronger rung by rung."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from carteado.core.bots import Player, player
from carteado.core.match import Match
from carteado.plugins.skat import Skat, declaring, fast, maxims, valuation, worlds
from carteado.plugins.skat.inference import _named, sample
from carteado.plugins.skat.layout import LAYOUTS
from carteado.plugins.skat.rules import DECK, group
from carteado.plugins.skat.sight import Sight, sight
from carteado.plugins.skat.strong import DOUBT, Search, Strong, different
from carteado.plugins.skat.tree import Tree
from carteado.plugins.skat.valuation import logit

from .tables import STRONG, act, cards, forehand_plays, play, table

WEAK = "C9 C8 SQ S9 HK H8 DQ D9 CQ SK"
NULL_WITH_TWO_DANGERS = "C7 C9 CJ S7 S8 S9 H7 H8 D7 D9 HA DK"
needs_numba = pytest.mark.skipif(not fast.available(), reason="the extra `fast` is not installed")


def seen_by(match: Match, seat: int) -> Sight:
    """Give what a seat sees."""
    found = sight(match.view(seat))
    assert found is not None
    return found


def played(levels: tuple[Player, Player, Player], seed: int, **options: Any) -> Match:
    """Play one deal; a refused action fails the test."""
    rng = random.Random(seed)
    match = Match(Skat(), {"hands": 1, "list": "seeger", **options}, [{"name": name} for name in "ABC"])
    match.deal(rng.randbytes(32))
    while match.phase == "playing":
        seat, prompt = next(iter(match.prompts.items()))
        match.act(seat, prompt.id, levels[seat].choose(match.view(seat, captions=False), rng))
    return match


def in_play(seeds: int, at: int | None = None) -> Iterator[tuple[Match, int]]:
    """Iterate over positions of games by rule in which somebody is to play a card: after `at` cards, or after some."""
    rule = player(Skat(), "rule")
    for seed in range(seeds):
        rng = random.Random(seed)
        match = Match(Skat(), {"hands": 1}, [{"name": name} for name in "ABC"])
        match.deal(rng.randbytes(32))
        stop = rng.randrange(4, 27) if at is None else at
        while match.phase == "playing":
            seat, prompt = next(iter(match.prompts.items()))
            if prompt.stage == "play" and len(seen_by(match, seat).played) >= stop:
                yield match, seat
                break
            match.act(seat, prompt.id, rule.choose(match.view(seat, captions=False), rng))


def games_of(level: Player, number: int, first: int = 0) -> Counter[str]:
    """Play games of one level with itself; count declared and won."""
    results: Counter[str] = Counter()
    for seed in range(first, first + number):
        declarer, _, value = played((level, level, level), seed).table.kept("games")[0]
        results["passed" if declarer is None else "won" if value > 0 else "lost"] += 1
    return results


@pytest.mark.slow
def test_rule_plays_forty_deals_without_an_illegal_card() -> None:
    assert sum(games_of(player(Skat(), "rule"), 40).values()) == 40


@pytest.mark.long
def test_rule_plays_ten_thousand_deals_without_an_illegal_card() -> None:
    results = games_of(player(Skat(), "rule"), 10_000)
    assert sum(results.values()) == 10_000
    assert 0.75 <= results["won"] / (results["won"] + results["lost"]) <= 0.92


@pytest.mark.long
def test_strong_plays_three_hundred_deals_without_an_illegal_card() -> None:
    results = games_of(player(Skat(), "strong"), 300)
    assert sum(results.values()) == 300
    assert 0.78 <= results["won"] / (results["won"] + results["lost"]) <= 0.95


@pytest.mark.slow
def test_tree_and_strong_play_without_an_illegal_card() -> None:
    assert games_of(Tree(iterations=60, worlds=2, nodes=500), 3) + games_of(Strong(2, 600, fast_search=False), 3)


def test_a_lone_jack_of_clubs_is_played_when_a_jack_is_led() -> None:
    match = table(cards("SJ HJ DJ CA CT CK SA ST SK HA", "S7 H7", "CJ C7 S8 HK HQ H8 DA DT DK DQ"))
    forehand_plays(match)
    act(match, 0, "hand", game="G")
    play(match, "DJ")
    for level in ("rule", "tree", "strong"):
        assert player(Skat(), level).choose(match.view(1), random.Random(1)) == {"type": "play", "card": ["CJ"]}


def test_the_computer_of_a_duel_passes_whatever_it_holds() -> None:
    deal = cards("S7 S8 S9 H7 H8 H9 D7 D8 D9 C9", "C7 C8", "CQ SQ HQ DQ CK SK HK DK CT ST")
    match = table(deal, mode="duel")
    act(match, 1, "pass")
    for level in ("rule", "tree", "strong"):
        assert player(Skat(), level).choose(match.view(2), random.Random(1)) == {"type": "pass"}


@pytest.mark.parametrize("level", ["rule", "tree", "strong"])
def test_a_player_chooses_the_same_when_hidden_cards_are_swapped(level: str) -> None:
    levels: dict[str, Player] = {
        "rule": player(Skat(), "rule"),
        "tree": Tree(iterations=40, worlds=2, nodes=400),
        "strong": Strong(2, 400, fast_search=False),
    }
    for match, seat in in_play(6):
        view = match.view(seat)
        seen = seen_by(match, seat)
        true = levels[level].choose(view, random.Random(7))
        other = worlds.deal_unseen(seen, random.Random(3))
        names = [f"hand/{place}" for place in seen.seats] + [next((z for z in ("skat", f"put/{match.table.get('declarer')}")), "")]
        for name, faces in zip(names, other, strict=True):
            if faces and match.table.has(name):
                match.table._zones[name] = match.table.zone(name)._replace(cards=tuple(faces))
        swapped = match.view(seat)
        assert levels[level].choose(swapped, random.Random(7)) == true


@pytest.mark.slow
def test_drawn_worlds_hold_every_unseen_card_once_and_respect_voids() -> None:
    rng = random.Random(5)
    for match, seat in in_play(25):
        seen = seen_by(match, seat)
        assert seen.contract is not None
        for _ in range(4):
            world = sample(seen, rng)
            everything = sorted([*(face for hand in world.hands for face in hand), *world.skat, *(face for _, face in seen.played)])
            assert everything == sorted(DECK)
            assert [len(hand) for hand in world.hands] == list(seen.held)
            for position, voids in enumerate(seen.voids):
                assert not any(group(face, seen.contract.kind) in voids for face in world.hands[position])
            assert 0 < world.weight <= 1


def test_every_consistent_world_comes_up() -> None:
    """Two cards each are left and nobody showed a void: all ways to deal the unseen four cards are drawn."""
    match, seat = next(in_play(20, at=24))
    seen = seen_by(match, seat)
    assert seen.me is not None
    rng = random.Random(1)
    kind = seen.contract.kind if seen.contract else "G"
    others = [position for position in range(3) if position != seen.me]
    drawn = {tuple(sorted(worlds.deal_unseen(seen, rng)[others[0]])) for _ in range(400)}
    possible = set()
    sizes = worlds.rooms(seen)
    for first in combinations(seen.unseen, sizes[others[0]]):
        rest = [face for face in seen.unseen if face not in first]
        for second in combinations(rest, sizes[others[1]]):
            fits = all(worlds.allowed(face, others[0], seen.voids, kind) for face in first)
            if fits and all(worlds.allowed(face, others[1], seen.voids, kind) for face in second):
                possible.add(tuple(sorted(first)))
    assert drawn == possible


def test_cards_that_are_as_good_as_another_are_left_out() -> None:
    match = table(cards("CJ SJ HJ C9 C8 C7 SA S9 HA H7", "D7 D8"))
    forehand_plays(match)
    act(match, 0, "hand", game="C")
    assert different(seen_by(match, 0), ["CJ", "SJ", "HJ", "C9", "C8", "C7", "SA", "S9"]) == ["CJ", "C9", "SA", "S9"]


def test_the_two_cards_put_away_are_the_best_of_all_pairs() -> None:
    rng = random.Random(2)
    for _ in range(40):
        kind = rng.choice("CSHDGN")
        twelve = rng.sample(DECK, 12)
        layout = LAYOUTS[kind]
        loose = [layout.places[face] for face in declaring.loose_cards(twelve, kind)]
        found, _, _ = valuation.best_pair(kind, layout.mask(twelve), loose, 1)
        pairs = list(combinations(loose, 2))
        logits = [
            valuation.logit_of(kind, layout.mask(twelve) & ~(1 << a | 1 << b), layout.points[a] + layout.points[b], 1) for a, b in pairs
        ]
        assert found == pytest.approx(max(logits))


def test_strong_cards_are_bid_higher_than_weak_ones() -> None:
    strong = declaring.limit(tuple(sorted(STRONG.split())), 0, "plain")
    weak = declaring.limit(tuple(sorted(WEAK.split())), 0, "plain")
    assert (strong >= 96, weak) == (True, 0)


def test_strong_passes_with_hands_that_rule_just_bids_and_never_bids_more() -> None:
    rng, bids = random.Random(5), Counter[tuple[str, str]]()
    for _ in range(150):
        ten = sorted(rng.sample(DECK, 10))
        match = table(cards(" ".join(face for face in DECK if face not in ten)[:29], "", " ".join(ten)), list="seeger")
        rule, strong = (player(Skat(), level).choose(match.view(1), rng)["type"] for level in ("rule", "strong"))
        bids[rule, strong] += 1
        assert declaring.limit(tuple(ten), 1, "seeger", DOUBT) <= declaring.limit(tuple(ten), 1, "seeger")
    assert bids["pass", "bid"] == 0 < bids["bid", "pass"] < bids["bid", "bid"]


def test_a_null_hand_is_recognised() -> None:
    plan = max(declaring.plans(NULL_WITH_TWO_DANGERS.split(), 1), key=lambda plan: plan.gain(23, "plain"))
    assert plan.contract.null
    assert sorted(plan.put) == ["DK", "HA"]


@pytest.mark.parametrize(
    ("ten", "sure"),
    [
        ("C7 C8 C9 S7 S9 H7 H8 H9 D7 D8", True),
        ("C7 C9 CJ CK S7 S9 H7 H9 HJ D7", True),
        ("C7 C9 CQ CK S7 S9 H7 H9 HJ D7", False),
        ("C8 C9 CJ CK S7 S9 H7 H9 HJ D7", False),
    ],
)
def test_a_null_that_cannot_be_beaten_is_known(ten: str, sure: bool) -> None:
    assert declaring.sure_null(ten.split()) == sure


def test_a_null_that_cannot_be_beaten_is_bid_to_its_highest_value() -> None:
    ten = tuple(sorted(["C7", "C8", "C9", "S7", "S9", "H7", "H8", "H9", "D7", "D8"]))
    assert declaring.limit(ten, 0, "plain") == 59


def test_a_sound_claim_is_accepted_and_a_bold_one_is_not() -> None:
    for ten, sound in ((STRONG, True), ("CJ SJ CA CK C9 C8 SA S9 HA H7", False)):
        match = table(cards(ten, "D7 D8"))
        forehand_plays(match)
        act(match, 0, "hand", game="C" if not sound else "G")
        act(match, 0, "claim")
        seen = seen_by(match, 1)
        assert maxims.claim_is_sound(seen) == (sound and ten == STRONG)


def test_the_fewer_cards_are_left_the_more_worlds_are_drawn_until_few_are_all_there_are() -> None:
    match = table(cards(STRONG, "S7 H7"))
    forehand_plays(match)
    act(match, 0, "hand", game="G")
    seen = seen_by(match, 0)
    counts = [Strong(fast_search=True).enough(replace(seen, hand=seen.hand[:size])) for size in (10, 9, 8, 7, 6, 4)]
    assert counts[:5] == sorted(set(counts[:5]))
    assert counts[5] < counts[4]
    assert (Strong(5, fast_search=True).enough(seen), Strong(fast_search=False).enough(seen)) == (5, 8)


def test_a_card_that_loses_everywhere_is_given_up_after_a_few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    match = table(cards(STRONG, "S7 H7"))
    forehand_plays(match)
    act(match, 0, "hand", game="G")
    seen = seen_by(match, 0)
    search = Search(Strong(fast_search=False), seen, [sample(seen, random.Random(number))._replace(weight=1.0) for number in range(16)])
    asked: list[str] = []

    def reached(number: int, face: str, goal: int, budget: int) -> float:
        asked.append(face)
        return {"CJ": 1.0, "SJ": 1.0 - number % 2, "CK": 0.0}[face]

    monkeypatch.setattr(search, "reached", reached)
    scores = search.scores(["CJ", "SJ", "CK"], 61)
    assert max(scores, key=lambda face: scores[face]) == "CJ"
    assert asked.count("CK") < asked.count("SJ") < 16


def test_a_declarer_is_not_thought_to_hold_cards_for_a_much_better_game() -> None:
    match = table(cards("CJ SJ HJ C9 C8 CA HT H9 H8 DA", "D7 D8"))
    forehand_plays(match)
    act(match, 0, "look")
    act(match, 0, "declare", put=["D7", "D8"], game="C")
    seen = seen_by(match, 1)
    clubs = ["SJ", "DJ", "CA", "CT", "CK", "C9", "C8", "SA", "S9", "H9", "HK", "D9"]
    hearts = ["SJ", "DJ", "HA", "HT", "HK", "H9", "H8", "SA", "S9", "C9", "CK", "D9"]
    weights = [_named(seen, logit("C", twelve[:10], twelve[10:], 0), twelve) for twelve in (clubs, hearts)]
    assert weights[0] > 0.5 > 0.2 > weights[1]


def test_a_player_who_must_stop_at_once_still_plays_a_legal_card() -> None:
    for match, seat in in_play(4):
        for stopped in (Tree(stop=lambda: True), Strong(fast_search=False, stop=lambda: True)):
            match.fork().act(seat, match.prompts[seat].id, stopped.choose(match.view(seat), random.Random(2)))


@needs_numba
def test_who_has_a_time_to_keep_plays_as_without_the_extra_until_the_search_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Strong, "ready", False)
    match, seat = next(in_play(1, at=20))
    view = match.view(seat)
    plain = Strong(fast_search=False, stop=lambda: False).choose(view, random.Random(2))
    assert Strong(fast_search=True, stop=lambda: False).choose(view, random.Random(2)) == plain


@needs_numba
@pytest.mark.slow
def test_a_warmed_player_plays_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Strong, "ready", False)
    Strong(fast_search=True).warm()
    match, seat = next(in_play(1, at=20))
    assert Strong.ready
    assert Strong(4, 4000, True, stop=lambda: False).choose(match.view(seat), random.Random(2))["type"] == "play"


@needs_numba
@pytest.mark.slow
def test_compiled_and_plain_players_choose_the_same_cards() -> None:
    for match, seat in in_play(10):
        view = match.view(seat)
        choices = [Strong(4, 4000, fast_search=compiled, iterations=0).choose(view, random.Random(9)) for compiled in (True, False)]
        assert choices[0] == choices[1]


@needs_numba
@pytest.mark.long
def test_compiled_and_plain_players_choose_the_same_cards_over_a_hundred_games() -> None:
    for seed in range(100):
        matches = [played((Strong(3, 3000, fast_search=compiled, iterations=0),) * 3, seed) for compiled in (True, False)]
        assert matches[0].journal.dump() == matches[1].journal.dump()


def duplicate(a: Player, b: Player, deals: int) -> float:
    """Give what A makes more than B a hand, each deal in all six seatings."""
    difference = 0.0
    for seed in range(deals):
        for levels in ((a, a, b), (a, b, a), (b, a, a), (b, b, a), (b, a, b), (a, b, b)):
            match = played(levels, seed)
            for seat, level in enumerate(levels):
                difference += match.table.points(seat) * (1 if level is a else -1) / levels.count(level)
    return difference / (6 * deals)


def test_rule_beats_random_by_far() -> None:
    rule, chance = player(Skat(), "rule"), player(Skat(), "random")

    class Sure:
        """A random player that is asked again until its action is accepted cannot be used here: it only passes and plays."""

        def choose(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
            if view["prompts"][0]["stage"] in ("bid", "answer", "take"):
                return {"type": "pass"}
            form = next((form for form in view["prompts"][0]["forms"] if form["type"] == "play"), None)
            if form is None:
                return chance.choose(view, rng)
            return {"type": "play", "card": [rng.choice(form["fields"]["card"]["cards"])]}

    assert duplicate(rule, Sure(), 6) > 10
