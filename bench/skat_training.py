"""Learn the chances of Skat hands from solved deals, and write them where the computer players read them.

    python bench/skat_training.py label FILE [--deals N] [--seed S]     draw hands, solve them, append one line a hand
    python bench/skat_training.py fit FILE ...                          fit and write plugins/skat/chances.py

A line holds the kind of game, the ten cards kept, the two put away, the declarer's position and whether he wins against best
defence with all hands open. The model adds up one number for the jacks, one for the trumps, one for each plain suit (by its
exact cards), one for the points put away and one for the position, and makes a probability of the sum (logistic regression
with a penalty on large numbers, by Newton's method). Needs the extra `fast`.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path

import numpy

from carteado.plugins.skat import valuation
from carteado.plugins.skat.layout import LAYOUTS
from carteado.plugins.skat.rules import DECK, Face, Kind, card_points
from carteado.plugins.skat.solver import OpenDeal, Position

TARGET = Path(__file__).parents[1] / "plugins" / "skat" / "chances.py"
MARGIN = 2.5
"""Hands whose guessed logit is further from 0 than this are mostly skipped: they teach little."""


def candidates(twelve: Sequence[Face], kind: Kind) -> Iterable[tuple[float, tuple[Face, ...], tuple[Face, ...]]]:
    """Iterate over ways to put two cards away, with the present model's logit."""
    for put in combinations(twelve, 2):
        if kind != "N" and any(face[1] == "J" for face in put):
            continue
        ten = tuple(face for face in twelve if face not in put)
        yield valuation.logit(kind, ten, put, 0), ten, put


def label(path: Path, deals: int, seed: int) -> None:
    """Draw deals, keep plausible declarers, solve, and append what came out."""
    rng = random.Random(seed)
    written = 0
    with path.open("a") as file:
        while written < deals:
            cards = rng.sample(DECK, 32)
            twelve = cards[:12]
            kind = rng.choice("SSSGGN")
            if kind == "S":
                kind = max("CSHD", key=lambda suit: (sum(f[0] == suit or f[1] == "J" for f in twelve), rng.random()))
            guess, ten, put = max(candidates(twelve, kind))
            if abs(guess) > MARGIN and rng.random() > 0.1:
                continue
            if rng.random() < 0.15:
                guess, ten, put = rng.choice(sorted(candidates(twelve, kind))[-6:])
            position = rng.randrange(3)
            others = (tuple(cards[12:22]), tuple(cards[22:32]))
            deal = OpenDeal(kind, (ten, *others), True)
            start = Position((ten, *others), (0 - position) % 3)
            won = deal.null_holds(start) if kind == "N" else deal.reaches(start, 61 - card_points(put))
            print(kind, ".".join(ten), ".".join(put), position, int(won), file=file, flush=True)
            written += 1


def fit_table(rows: list[list[int]], wins: list[int], size: int, penalty: float) -> numpy.ndarray:
    """Fit one number for each feature: rows list the features that are present."""
    matrix = numpy.zeros((len(rows), size))
    for number, features in enumerate(rows):
        for feature in features:
            matrix[number, feature] += 1.0
    target = numpy.array(wins, dtype=float)
    weights = numpy.zeros(size)
    ridge = numpy.full(size, penalty)
    ridge[0] = 1e-3
    for _ in range(12):
        chance = 1 / (1 + numpy.exp(-matrix @ weights))
        gradient = matrix.T @ (target - chance) - ridge * weights
        curvature = (matrix.T * (chance * (1 - chance))) @ matrix + numpy.diag(ridge)
        weights += numpy.linalg.solve(curvature, gradient)
    return weights


def fit(paths: Sequence[Path]) -> None:
    """Fit all three models, tell how well they do on hands held out, write them."""
    data: dict[str, list[tuple[list[int], int]]] = {"suit": [], "grand": [], "null": []}
    for line in (line for path in paths for line in path.read_text().splitlines()):
        kind, ten, put, position, won = line.split()
        model = {"G": "grand", "N": "null"}.get(kind, "suit")
        layout = LAYOUTS[kind]
        features = valuation.features(kind, layout.mask(ten.split(".")), card_points(put.split(".")), int(position))
        data[model].append((features, int(won)))
    parts = []
    for model, cases in data.items():
        random.Random(1).shuffle(cases)
        size = valuation.SIZES[model]
        held = len(cases) // 6
        trial = fit_table([case[0] for case in cases[held:]], [case[1] for case in cases[held:]], size, 1.0)
        right = sum((sum(trial[f] for f in features) > 0) == bool(won) for features, won in cases[:held])
        print(f"{model}: {len(cases)} hands, {sum(case[1] for case in cases) / len(cases):.1%} won, {right / held:.1%} right held out")
        weights = fit_table([case[0] for case in cases], [case[1] for case in cases], size, 1.0)
        numbers = " ".join(str(round(100 * weight)) for weight in weights)
        lines = []
        while numbers:
            cut = len(numbers) if len(numbers) <= 130 else numbers.rindex(" ", 0, 130)
            lines.append(numbers[:cut].strip())
            numbers = numbers[cut:].strip()
        body = "\n".join(lines)
        name = model.upper()
        parts.append(f'_{name} = """\n{body}\n"""\n\n{name}: tuple[int, ...] = tuple(map(int, _{name}.split()))\n')
    TARGET.write_text(HEAD + "\n".join(parts))


HEAD = '''"""Chances of Skat hands, in hundredths of a logit by feature (see `valuation`); made by bench/skat_training.py."""

from __future__ import annotations

'''


def main() -> int:
    """Run one of the two steps."""
    parser = argparse.ArgumentParser(description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    first = steps.add_parser("label")
    first.add_argument("file", type=Path)
    first.add_argument("--deals", type=int, default=1000)
    first.add_argument("--seed", type=int, default=1)
    second = steps.add_parser("fit")
    second.add_argument("files", type=Path, nargs="+")
    given = parser.parse_args()
    if given.step == "label":
        label(given.file, given.deals, given.seed)
    else:
        fit(given.files)
    return 0


if __name__ == "__main__":
    sys.exit(main())
