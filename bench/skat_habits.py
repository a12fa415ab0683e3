"""Learn how cards are played and hands are bid, and write it where the strong player of Skat reads it.

    python bench/skat_habits.py [--games 2500] [--strong 150]      writes plugins/skat/habits.py

The cards are those of games that the players *rule* and *strong* play with themselves and of recorded games; each is compared with
the other cards its player could have played, and a number is learned for each situation and class of card (see `evidence`) by
multinomial logistic regression with a penalty on large numbers. The auction is learned from what *rule* would bid with drawn
hands. Needs the extra `fast`.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy
from skat_strength import dealt

from carteado.core.bots import player
from carteado.core.match import PLAYING
from carteado.plugins.skat import Skat, declaring
from carteado.plugins.skat.evidence import SIZE, choices, plays, strength_of
from carteado.plugins.skat.hand import Hand
from carteado.plugins.skat.layout import LAYOUTS
from carteado.plugins.skat.records import parse_lines, replay
from carteado.plugins.skat.rules import DECK, Face

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "plugins" / "skat" / "habits.py"
RECORDS = [ROOT / "tests" / "data" / "skat" / name for name in ("games-xskat.txt", "games-iss.txt")]
VALUES = (18, 24, 30, 40)
PENALTY = 2.0
Game = tuple[str, int, list[tuple[int, tuple[Face, ...]]]]
Case = tuple[list[tuple[int, int, int]], int, float]


def hands(level: str, number: int) -> Iterator[Game]:
    """Let a level play with itself: kind, the declarer's position, the tricks."""
    bot = player(Skat(), level)
    for seed in range(number):
        rng = random.Random(f"habits/{level}/{seed}")
        match = dealt(rng.randbytes(32))
        while match.phase == PLAYING:
            seat, prompt = next(iter(match.prompts.items()))
            match.act(seat, prompt.id, bot.choose(match.view(seat, captions=False), rng))
        table = match.table
        code = table.get("contract") or "N"
        if code[0] != "N" and "O" not in code:
            tricks = [(leader, tuple(cards)) for leader, cards, _ in table.get("tricks")]
            yield code[0], table.get("seats").index(table.get("declarer")), tricks


def recorded() -> Iterator[Game]:
    """Read the recorded games that were played to their end."""
    for record in (record for path in RECORDS for record in parse_lines(path.read_text())):
        if record.broken_off:
            continue
        hand: Hand = replay(record)
        if hand.contract is not None and hand.declarer is not None and not hand.contract.null and len(hand.tricks) == 10:
            yield hand.contract.kind, hand.declarer, [(leader, cards) for leader, cards, _ in hand.tricks]


def cases(games: Iterable[Game], weight: float) -> Iterator[Case]:
    """List the cards where there was a choice: all that could be played, the one that was, how much it counts."""
    for kind, declarer, tricks in games:
        layout = LAYOUTS[kind]
        for play in plays(layout, declarer, tricks):
            found = choices(layout, play, play.later)
            if len(found) > 1:
                yield found, play.place, weight


def learn_cards(data: list[Case]) -> Any:
    """Fit the numbers of cards by gradient steps of adaptive length."""
    case = numpy.repeat(numpy.arange(len(data)), [len(found) for found, _, _ in data])
    start = numpy.searchsorted(case, numpy.arange(len(data)))
    card = numpy.array([index for found, _, _ in data for _, index, _ in found])
    length = numpy.array([index for found, _, _ in data for _, _, index in found])
    chosen = numpy.array([place == played for found, played, _ in data for place, _, _ in found])
    weight = numpy.array([weight for *_, weight in data])[case]
    numbers, mean, square = numpy.zeros(SIZE), numpy.zeros(SIZE), numpy.zeros(SIZE)
    for step in range(1, 401):
        worth = numbers[card] + numbers[length]
        worth = numpy.exp(worth - numpy.maximum.reduceat(worth, start)[case])
        chance = worth / numpy.add.reduceat(worth, start)[case]
        error = weight * (chosen - chance)
        slope = numpy.bincount(card, error, SIZE) + numpy.bincount(length, error, SIZE) - PENALTY * numbers
        mean = 0.9 * mean + 0.1 * slope
        square = 0.99 * square + 0.01 * slope * slope
        rate = 0.08 if step < 250 else 0.016
        numbers += rate * (mean / (1 - 0.9**step)) / (numpy.sqrt(square / (1 - 0.99**step)) + 1e-8)
    told = (numpy.log(chance[chosen]) * weight[chosen]).sum() / weight[chosen].sum()
    print(f"{len(data)} cards, mean logarithm of the chance of the one played {told:.3f}")
    return numbers


def learn_bids(number: int) -> list[tuple[float, ...]]:
    """Fit how far hands are bid, from what *rule* bids: for each value the base and the worth of suit, Grand and Null."""
    rng = random.Random(5)
    rows, limits = [], []
    for _ in range(number):
        ten, position = tuple(sorted(rng.sample(DECK, 10))), rng.randrange(3)
        rows.append((1.0, *strength_of(ten, position)))
        limits.append(declaring.limit(ten, position, "seeger"))
    matrix, reached = numpy.array(rows), numpy.array(limits)
    found = []
    for value in VALUES:
        target, numbers = (reached >= value).astype(float), numpy.zeros(4)
        for _ in range(25):
            chance = 1 / (1 + numpy.exp(-matrix @ numbers))
            curvature = (matrix.T * (chance * (1 - chance))) @ matrix + 1e-3 * numpy.eye(4)
            numbers += numpy.linalg.solve(curvature, matrix.T @ (target - chance) - 1e-3 * numbers)
        right = ((chance > 0.5) == (target > 0.5)).mean()
        print(f"bids of {value}: {target.mean():.1%} of hands reach it, {right:.1%} judged right")
        found.append((value, *(round(float(number), 2) for number in numbers)))
    return found


def written(numbers: Any) -> str:
    """Write numbers in hundredths, runs of zeros as z and their length."""
    words: list[str] = []
    zeros = 0
    for number in [*(round(100 * float(number)) for number in numbers), None]:
        if number == 0:
            zeros += 1
            continue
        if zeros:
            words.append(f"z{zeros}")
            zeros = 0
        if number is not None:
            words.append(str(number))
    text, lines = " ".join(words), []
    while text:
        cut = len(text) if len(text) <= 130 else text.rindex(" ", 0, 130)
        lines.append(text[:cut].strip())
        text = text[cut:].strip()
    return "\n".join(lines)


TEXT = '''"""How cards are played and hands are bid, learned numbers (see `evidence`); made by bench/skat_habits.py."""

from __future__ import annotations

BIDS: tuple[tuple[float, ...], ...] = (
{bids}
)
"""For some values: the logit of going up to it is a base, and so much for the strength in the best suit, in Grand, in Null."""

NUMBERS = """
{habits}
"""
"""The numbers of `evidence.HABITS`, in hundredths; z and a number stand for so many zeros."""
'''


def main() -> int:
    """Play, read, learn and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2500)
    parser.add_argument("--strong", type=int, default=150)
    given = parser.parse_args()
    data = [*cases(hands("rule", given.games), 1.0), *cases(recorded(), 2.0), *cases(hands("strong", given.strong), 3.0)]
    numbers = learn_cards(data)
    bids = "\n".join(f"    {row}," for row in learn_bids(2 * given.games))
    TARGET.write_text(TEXT.format(bids=bids, habits=written(numbers)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
