"""How strong the computer players of Cascata are, rung against rung, through the real match, and how long a turn takes them.

    python bench/cascata.py [--naive 1000] [--rollout 400] [--four 400] [--timed 6] [--seed 1] [--jobs 1] [--json]

Three contests: rule against naive and rollout against rule in games of two, one rollout against three rules in games of four; chairs
change from game to game, a shared first place counts in parts. Each win rate is given with its 95 % interval (Wilson). Then some games
are played in which every turn of the rollout player (taking and melding) is timed in processor seconds. The last line is one JSON object;
with `--json` it is the only one. A number of games of 0 leaves a contest out.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from typing import Any

from carteado.core.bots import player
from carteado.core.loader import load
from carteado.core.match import OVER, Match
from carteado.net.arena import Contest, compete

GAME = "cascata"
LONGEST = 1.0
"""Processor seconds a turn may take."""
Contests = tuple[tuple[str, tuple[str, ...], int, float], ...]


def turns(players: int, games: int, seed: int) -> list[float]:
    """Return the processor seconds of each turn of a rollout player in some games against rules."""
    game = load(GAME)
    spent: list[float] = []
    for number in range(games):
        dice = random.Random(f"{seed}/{players}/{number}")
        match = Match(game, {}, [{"name": f"P{seat}"} for seat in range(players)], table="bench")
        match.deal(dice.randbytes(32))
        chair = number % players
        bots = [player(game, "rollout" if seat == chair else "rule") for seat in range(players)]
        turn = 0.0
        while match.phase != OVER:
            seat = min(match.prompts)
            view = match.view(seat)
            begun = time.process_time()
            action = bots[seat].choose(view, dice)
            if seat == chair:
                turn += time.process_time() - begun
                if view["prompts"][0]["stage"] == "meld":
                    spent.append(turn)
                    turn = 0.0
            match.act(seat, match.prompts[seat].id, action)
    return spent


def contest(name: str, levels: tuple[str, ...], games: int, target: float, seed: int, jobs: int) -> dict[str, Any]:
    """Play one contest and return the first player's figures."""
    first = compete(Contest(GAME, levels, {}, seed), games, jobs)["players"][0]
    return {"contest": name, "games": games, "rate": first["rate"], "low": first["low"], "high": first["high"], "target": target,
            "points": first["points"], "refused": first["refused"]}  # fmt: skip


def timed(players: int, games: int, seed: int) -> dict[str, Any]:
    """Return the times of the rollout player's turns."""
    spent = turns(players, games, seed)
    return {"players": players, "turns": len(spent), "median": round(statistics.median(spent), 3), "worst": round(max(spent), 3),
            "target": LONGEST}  # fmt: skip


def main() -> int:
    """Play, time and print; return the exit status."""
    parser = argparse.ArgumentParser(description="Measure the strength and the speed of Cascata's computer players.")
    parser.add_argument("--naive", type=int, default=1000, help="games of rule against naive")
    parser.add_argument("--rollout", type=int, default=400, help="games of rollout against rule")
    parser.add_argument("--four", type=int, default=400, help="games of one rollout against three rules")
    parser.add_argument("--timed", type=int, default=6, help="games in which turns are timed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--json", action="store_true", help="print the JSON object alone")
    given = parser.parse_args()
    contests: Contests = (
        ("rule against naive", ("rule", "naive"), given.naive, 0.70),
        ("rollout against rule", ("rollout", "rule"), given.rollout, 0.75),
        ("rollout against three rules", ("rollout", "rule", "rule", "rule"), given.four, 0.50),
    )
    found: dict[str, Any] = {"bench": GAME, "seed": given.seed, "contests": [], "times": []}
    for name, levels, games, target in contests:
        if games:
            result = contest(name, levels, games, target, given.seed, given.jobs)
            found["contests"].append(result)
            if not given.json:
                spread = f"95 %: {result['low']:.1%} to {result['high']:.1%}"
                print(f"{name}: {result['rate']:.1%} of {games} games ({spread}); at least {target:.0%} is wanted", flush=True)
    for players in (2, 4) if given.timed else ():
        times = timed(players, given.timed, given.seed)
        found["times"].append(times)
        if not given.json:
            print(f"a turn of rollout among {players}: median {times['median']} s, worst {times['worst']} s; at most {LONGEST:g} s")
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
