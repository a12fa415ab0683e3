"""How fast the open-hand solver of Skat is, and how strong the computer players are, on duplicate deals.

    python bench/skat.py solver [--deals 60] [--plain 16]       times in U, the solver on recorded deals, compiled and plain
    python bench/skat.py speed [--hands 12]                     tree iterations, drawn worlds, bidding, in U
    python bench/skat.py match A B [--deals 100] [--seed 0]     level A against level B, each deal in all six seatings
    python bench/skat.py contracts A B [--deals 100]            fixed contracts: A plays alone, B defends
    python bench/skat.py selfplay A [--deals 200]               games declared, won and passed in when A plays with itself
    python bench/skat.py moves A [--deals 20]                   processor time of a card when A is told to stop after 0.3 s
    python bench/skat.py starts                                 compiles into an empty cache, then starts again from it

Levels are the game's; `passing` is random but never bids, `seeing` (alone, in contracts) sees all cards.

U is the processor time of `for i in range(1_000_000): x += i & 3` in the same process just before. Points are Seeger-Fabian points
a hand; intervals hold 95 % and are reckoned over deals. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import sys

from skat_speed import moves, solver, speed, starts
from skat_strength import contracts, match, selfplay


def main() -> int:
    """Run one of the benches."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    benches = parser.add_subparsers(dest="bench")
    first = benches.add_parser("solver")
    first.add_argument("--deals", type=int, default=60)
    first.add_argument("--plain", type=int, default=16)
    benches.add_parser("speed").add_argument("--hands", type=int, default=12)
    for name in ("match", "contracts"):
        bench = benches.add_parser(name)
        bench.add_argument("a")
        bench.add_argument("b")
        bench.add_argument("--deals", type=int, default=100)
        bench.add_argument("--seed", type=int, default=0)
    for name, deals in (("selfplay", 200), ("moves", 20)):
        bench = benches.add_parser(name)
        bench.add_argument("a")
        bench.add_argument("--deals", type=int, default=deals)
        bench.add_argument("--seed", type=int, default=0)
    benches.add_parser("starts")
    given = parser.parse_args()
    if given.bench in (None, "solver"):
        found = solver(getattr(given, "deals", 20), getattr(given, "plain", 4))
    elif given.bench == "speed":
        found = speed(given.hands)
    elif given.bench == "match":
        found = match(given.a, given.b, given.deals, given.seed)
    elif given.bench == "contracts":
        found = contracts(given.a, given.b, given.deals, given.seed)
    elif given.bench == "selfplay":
        found = selfplay(given.a, given.deals, given.seed)
    elif given.bench == "moves":
        found = moves(given.a, given.deals, given.seed)
    else:
        found = starts()
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
