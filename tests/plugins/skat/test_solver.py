"""Check the open-hand solver against recorded values and against plain enumeration."""

from __future__ import annotations

import csv
import random
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from carteado.plugins.skat import fast as engine
from carteado.plugins.skat import groups, moves, nullsearch
from carteado.plugins.skat.records import parse_lines, replay
from carteado.plugins.skat.rules import DECK, card_points, group, legal_cards
from carteado.plugins.skat.solver import OpenDeal, OutOfBudget, Position

DATA = Path(__file__).parents[2] / "data" / "skat"
needs_numba = pytest.mark.skipif(not engine.available(), reason="the extra `fast` is not installed")


def recorded() -> list[tuple[str, Position, int, int]]:
    """Read the recorded deals: contract, position, worth of the skat, value."""
    found = []
    with (DATA / "open-hand-values.csv").open() as file:
        for row in csv.DictReader(file):
            first, second, third = (tuple(row[name].split(".")) for name in ("declarer", "left", "right"))
            position = Position((first, second, third), "DLR".index(row["first_lead"]))
            found.append((row["contract"], position, card_points(row["skat"].split(".")), int(row["value"])))
    return found


def value(kind: str, position: Position, skat: int, fast: bool) -> int:
    """Solve a recorded deal the way its value is written."""
    deal = OpenDeal(kind, position.hands, fast)
    return int(deal.null_holds(position)) if kind == "N" else deal.points(position) + skat


def enumerate_points(kind: str, position: Position) -> int:
    """Find the declarer's points (in Null: the number of tricks he must take, at most one) by trying everything."""
    led = position.trick[0] if position.trick else None
    results = []
    for face in legal_cards(position.hands[position.to_play], led, kind):
        following, done = position.after(face, kind)
        gained = 0
        if done is not None and done[0] == 0:
            gained = 1 if kind == "N" else card_points(done[1])
        if not (kind == "N" and gained) and any(following.hands):
            gained += enumerate_points(kind, following)
        results.append(gained)
    wants_more = (position.to_play == 0) != (kind == "N")
    return max(results) if wants_more else min(results)


def endings(kind: str, count: int, seed: int) -> Iterator[Position]:
    """Draw positions of two to four cards a hand, a third of them inside a trick."""
    rng = random.Random(seed)
    for _ in range(count):
        size = rng.choice([2, 3, 4])
        cards = rng.sample(DECK, 3 * size)
        if kind == "N":
            # A declarer with low cards, so that both answers come up.
            cards.sort(key=lambda face: "789TJQKA".index(face[1]) + 3 * rng.random())
            others = cards[size:]
            rng.shuffle(others)
            cards[size:] = others
        position = Position((tuple(cards[:size]), tuple(cards[size : 2 * size]), tuple(cards[2 * size :])), rng.randrange(3))
        for _ in range(rng.choice([0, 0, 1, 2])):
            led = position.trick[0] if position.trick else None
            position, _done = position.after(rng.choice(legal_cards(position.hands[position.to_play], led, kind)), kind)
        yield position


@pytest.mark.parametrize("kind", "CHG")
def test_endings_have_the_points_that_enumeration_finds(kind: str) -> None:
    for position in endings(kind, 40, seed=ord(kind)):
        assert OpenDeal(kind, position.hands, False).points(position) == enumerate_points(kind, position)


def with_a_partner_of_trumps(kind: str, count: int) -> Iterator[Position]:
    """Draw endings in which a defender leads whose partner holds little but trumps, and would have to ruff his winners."""
    rng = random.Random(kind)
    trumps = [face for face in DECK if group(face, kind) == "T"]
    plain = [face for face in DECK if face not in trumps]
    for _ in range(count):
        partner = rng.sample(trumps, 2) + rng.sample(plain, rng.choice([0, 1]))
        others = rng.sample([face for face in DECK if face not in partner], 2 * len(partner))
        first, second = tuple(others[: len(partner)]), tuple(others[len(partner) :])
        leader = rng.choice([1, 2])
        yield Position((first, second, tuple(partner)) if leader == 1 else (first, tuple(partner), second), leader)


@pytest.mark.parametrize("kind", "CG")
def test_endings_in_which_a_partner_must_ruff_have_the_points_that_enumeration_finds(kind: str) -> None:
    for position in with_a_partner_of_trumps(kind, 300):
        assert OpenDeal(kind, position.hands, False).points(position) == enumerate_points(kind, position)


def test_null_endings_hold_when_enumeration_says_so() -> None:
    answers = []
    for position in endings("N", 80, seed=5):
        answers.append(OpenDeal("N", position.hands, False).null_holds(position))
        assert answers[-1] == (enumerate_points("N", position) == 0)
    assert set(answers) == {True, False}


@pytest.mark.parametrize("kind", "DG")
def test_every_null_window_agrees_with_the_exact_points(kind: str) -> None:
    for position in endings(kind, 10, seed=9):
        deal = OpenDeal(kind, position.hands, False)
        exact = deal.points(position)
        assert [deal.reaches(position, points) for points in range(1, 121)] == [points <= exact for points in range(1, 121)]


def test_the_bound_found_never_contradicts_the_exact_points() -> None:
    for position in endings("S", 20, seed=3):
        exact = OpenDeal("S", position.hands, False).points(position)
        for points in range(1, 61, 7):
            bound = OpenDeal("S", position.hands, False).bound(position, points)
            assert bound <= exact if bound >= points else bound >= exact


def test_recorded_nulls_are_exact_in_plain_python() -> None:
    deals = [deal for deal in recorded() if deal[0] == "N"]
    assert [value(kind, position, skat, False) for kind, position, skat, _ in deals] == [deal[3] for deal in deals]


@pytest.mark.slow
def test_a_sample_of_recorded_deals_is_exact_in_plain_python() -> None:
    # The quickest of each kind, a few seconds in all.
    for index in (149, 156, 160, 139, 72):
        kind, position, skat, recorded_value = recorded()[index]
        assert value(kind, position, skat, False) == recorded_value


@needs_numba
@pytest.mark.slow
def test_every_sixth_recorded_deal_is_exact_compiled() -> None:
    deals = recorded()[::6]
    assert [value(kind, position, skat, True) for kind, position, skat, _ in deals] == [deal[3] for deal in deals]


@needs_numba
@pytest.mark.long
def test_every_recorded_deal_is_exact_compiled() -> None:
    deals = recorded()
    assert len(deals) == 202
    assert [value(kind, position, skat, True) for kind, position, skat, _ in deals] == [deal[3] for deal in deals]


@pytest.mark.long
def test_every_recorded_deal_is_exact_in_plain_python() -> None:
    deals = recorded()
    assert [value(kind, position, skat, False) for kind, position, skat, _ in deals] == [deal[3] for deal in deals]


@needs_numba
@pytest.mark.slow
def test_compiled_and_plain_searches_visit_the_same_nodes() -> None:
    for kind in "CGN":
        for position in endings(kind, 20, seed=11):
            both = [OpenDeal(kind, position.hands, fast) for fast in (False, True)]
            answers = [deal.null_holds(position) if kind == "N" else deal.points(position) for deal in both]
            assert answers[0] == answers[1]
            assert both[0].nodes == both[1].nodes


@needs_numba
def test_where_no_machine_code_can_be_kept_it_is_made_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    import numba

    njit = numba.njit

    def nowhere(*functions: object, cache: bool = False) -> object:
        if cache:
            return nowhere_to_keep
        return njit(*functions)

    def nowhere_to_keep(function: object) -> object:
        raise RuntimeError("no locator available")

    monkeypatch.setattr(numba, "njit", nowhere)
    assert "search_null" in engine.compiled.__wrapped__("search_null").__name__


@pytest.mark.parametrize(
    ("search", "part", "name", "other"),
    [
        ("search", moves, "FIRST_CHOICE", 7),
        ("search", groups, "lowest", groups.sure_points),
        ("search_null", nullsearch, "MIXER", 7),
        ("search_null", nullsearch, "put_null_leads", nullsearch.put_null_follows),
    ],
)
def test_machine_code_is_made_anew_when_anything_a_search_is_made_of_has_changed(
    search: str, part: ModuleType, name: str, other: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = engine.source_mark(search)
    assert mark == engine.source_mark(search)
    monkeypatch.setattr(part, name, other)
    assert mark != engine.source_mark(search)


def contested(index: int) -> tuple[OpenDeal, Position, int]:
    """Give a recorded deal, its position and the points the declarer gets in play."""
    kind, position, skat, recorded_value = recorded()[index]
    return OpenDeal(kind, position.hands, False), position, recorded_value - skat


def test_a_budget_stops_the_search_and_the_deal_can_be_asked_again() -> None:
    deal, position, points = contested(149)
    with pytest.raises(OutOfBudget):
        deal.reaches(position, points, budget=50)
    assert deal.nodes == 50
    with pytest.raises(OutOfBudget):
        deal.points(position, budget=60)
    assert deal.points(position) == points


def test_a_stop_is_asked_between_slices() -> None:
    deal, position, points = contested(0)
    asked = []

    def stop() -> bool:
        asked.append(deal.nodes)
        return len(asked) == 2

    with pytest.raises(OutOfBudget):
        deal.reaches(position, points, stop=stop)
    assert asked == [1_000, 2_000]


def test_questions_that_do_not_fit_the_game_are_refused() -> None:
    position = Position((("CJ",), ("SJ",), ("HJ",)), 0)
    with pytest.raises(ValueError, match="ask null_holds"):
        OpenDeal("N", position.hands, False).reaches(position, 1)
    with pytest.raises(ValueError, match="only a Null"):
        OpenDeal("G", position.hands, False).null_holds(position)


def test_play_of_a_recorded_game_never_gains_on_best_play() -> None:
    record = next(iter(parse_lines((DATA / "games-xskat.txt").read_text())))
    hand = replay(record)
    assert hand.contract is not None
    assert hand.declarer is not None
    last = hand.tricks[6:]
    hands: list[list[str]] = [[], [], []]
    for leader, cards, _ in last:
        for offset, face in enumerate(cards):
            hands[(leader + offset - hand.declarer) % 3].append(face)
    position = Position((tuple(hands[0]), tuple(hands[1]), tuple(hands[2])), (last[0][0] - hand.declarer) % 3)
    best = OpenDeal(hand.contract.kind, position.hands, False).points(position)
    made = sum(card_points(cards) for _, cards, winner in last if winner == hand.declarer)
    assert best == enumerate_points(hand.contract.kind, position)
    assert abs(best - made) <= 20
