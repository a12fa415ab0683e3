"""Emptying a hand by hits: the best order is found, first fit is not enough."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from carteado.plugins.dez_degraus.distance import lay_out
from carteado.plugins.dez_degraus.emptying import hits
from carteado.plugins.dez_degraus.groups import Group, build, fits, hit
from carteado.plugins.dez_degraus.phases import match
from carteado.plugins.dez_degraus.rules import CARDS, COLOUR, PHASES, RUN, SET, Wanted, points


def run(low: int, high: int) -> Group:
    return build(Wanted(RUN, 4), [f"{'RBGY'[n % 4]}{n}" for n in range(low, high + 1)])


def left(hand: Sequence[str], groups: Sequence[Group]) -> list[str]:
    """Play the hits that are found, each through the rules, and return what stays in the hand."""
    rest, table = list(hand), list(groups)
    for face, index, low in hits(hand, groups):
        rest.remove(face)
        table[index] = hit(table[index], [face], low)
    return sorted(rest)


EIGHTS = build(Wanted(SET, 3), ["R8", "B8", "G8"])
REDS = build(Wanted(COLOUR, 7), ["R1", "R1", "R3", "R4", "R5", "R6", "R7"])


@pytest.mark.parametrize(
    ("hand", "groups", "rest"),
    [
        pytest.param("Y8 B9 G10", [run(4, 7)], "", id="cards follow one another on a run"),
        pytest.param("B9 W", [run(4, 7)], "", id="a wild bridges to the nine and is not put elsewhere"),
        pytest.param("B9 W", [EIGHTS, run(4, 7)], "", id="a wild bridges although a set would take it"),
        pytest.param("Y8 B9", [EIGHTS, run(4, 7)], "", id="the eight goes to the run, for the nine's sake"),
        pytest.param("Y8 R8 B9", [EIGHTS, run(4, 7)], "", id="one eight to the run, one to the set"),
        pytest.param("R8 Y8 G9", [REDS, run(4, 7)], "", id="the eight that fits nothing else goes to the run"),
        pytest.param("G3 W W G11 B12", [run(4, 8)], "", id="two wilds close the gap to eleven and twelve"),
        pytest.param("S B9", [EIGHTS, run(3, 6)], "B9 S", id="what fits nowhere stays"),
        pytest.param("W B2", [run(1, 12)], "B2 W", id="a full run takes nothing"),
        pytest.param("W W", [run(1, 11)], "W", id="a run with one place takes one wild"),
        pytest.param("G2 G11 W", [run(4, 9)], "G2", id="of two bridges the one that sheds more points is built"),
        pytest.param("G2 G1 G11 W", [run(4, 9)], "G11", id="but fewer cards come before fewer points"),
    ],
)
def test_the_hand_is_emptied_as_far_as_possible(hand: str, groups: list[Group], rest: str) -> None:
    assert left(hand.split(), groups) == rest.split()


def brute(hand: tuple[str, ...], groups: tuple[Group, ...], seen: dict[object, tuple[int, int]]) -> tuple[int, int]:
    """Return the fewest (cards, points) left, by trying every hit of one card."""
    key = (hand, groups)
    if key not in seen:
        best = (len(hand), points(hand))
        for face in set(hand):
            for index, group in enumerate(groups):
                if not fits(group, face):
                    continue
                ends = [0, 1] if face == "W" and group.kind == RUN else [None]
                for low in ends:
                    if (low == 0 and group.high == 12) or (low == 1 and group.low == 1):
                        continue
                    rest = list(hand)
                    rest.remove(face)
                    grown = list(groups)
                    grown[index] = hit(group, [face], low)
                    best = min(best, brute(tuple(rest), tuple(grown), seen))
        seen[key] = best
    return seen[key]


def tables(rng: random.Random) -> tuple[list[str], list[Group]]:
    """Return a hand of up to five cards, and one or two laid phases."""
    deck = rng.sample(CARDS, len(CARDS))
    groups: list[Group] = []
    for _ in range(rng.randint(1, 2)):
        while True:
            wanted = rng.choice(PHASES)
            cards = rng.sample(CARDS, 16)
            layout = lay_out(cards, wanted)
            if layout:
                groups += match(wanted, layout.groups, layout.low)
                break
    wilds = ["W"] * rng.choice([0, 0, 1, 2])
    return [*[face for face in deck if face != "W"][: rng.randint(1, 5 - len(wilds))], *wilds], groups


def test_the_hits_found_leave_as_little_as_trying_everything_does() -> None:
    rng = random.Random(12)
    for _ in range(150):
        hand, groups = tables(rng)
        rest = left(hand, groups)
        assert (len(rest), points(rest)) == brute(tuple(hand), tuple(groups), {})
