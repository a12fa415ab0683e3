"""What one action costs: options, check, turn, scoring and commit through the real hooks, as a multiple of one bare hook call.

    python bench/rules.py [--game dez-degraus] [--players 3] [--actions 4000] [--rounds 5] [--seed 1] [--json]

Matches of random legal play are recorded first; then the recorded actions are played again and only `Match.act` is timed, in
processor time, in turns with bare calls of a pluggy hook (one plugin, three arguments, first result). The ratio is the median of the
rounds' ratios. Garbage is looked for as seldom as in a host. The last line is one JSON object; with `--json` it is the only one.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import statistics
import sys
import time
from typing import Any

import pluggy

from carteado.core.bots import player
from carteado.core.errors import Refused
from carteado.core.game import Game
from carteado.core.hookspecs import GameSpec, hookimpl
from carteado.core.loader import load
from carteado.core.match import DEALING, OVER, Match
from carteado.net.collector import calm_collector

TARGET = 25.0
BARE_CALLS = 20_000

Move = tuple[int, int, dict[str, Any]]
Hand = tuple[bytes, list[Move]]


class Bare:
    """A plugin whose hook does nothing."""

    @hookimpl
    def turn(self, table: object, seat: int, action: object) -> bool:
        """Return at once."""
        return True


def bare() -> float:
    """Return the processor seconds of one hook call."""
    plugins = pluggy.PluginManager("carteado")
    plugins.add_hookspecs(GameSpec)
    plugins.register(Bare())
    turn, action = plugins.hook.turn, {"type": "draw"}
    begun = time.process_time()
    for _ in range(BARE_CALLS):
        turn(table=None, seat=0, action=action)
    return (time.process_time() - begun) / BARE_CALLS


def table(game: Game, players: int) -> Match:
    """Return a match that waits for its first deal."""
    return Match(game, {}, [{"name": f"P{seat}", "bot": "random"} for seat in range(players)], table="bench")


def record(game: Game, players: int, actions: int, seed: int) -> list[Hand]:
    """Play one match at random, legally, until it is over or long enough; return its hands."""
    dice, match, hands, chooser = random.Random(seed), table(game, players), [], player(game, "random")
    done = 0
    while match.phase != OVER and done < actions:
        if match.phase == DEALING:
            secret = hashlib.sha256(f"{seed}/{match.hand}".encode()).digest()
            match.deal(secret)
            hands.append((secret, list[Move]()))
            continue
        seat = min(match.prompts)
        view, prompt = match.view(seat), match.prompts[seat].id
        while True:
            action = chooser.choose(view, dice)
            try:
                match.act(seat, prompt, action)
            except Refused:
                continue  # forms may be wider than the rules
            break
        hands[-1][1].append((seat, prompt, action))
        done += 1
    return hands


def again(game: Game, players: int, hands: list[Hand]) -> float:
    """Play a recorded match again; return the processor seconds that its actions took."""
    match, spent = table(game, players), 0.0
    for secret, moves in hands:
        match.deal(secret)
        begun = time.process_time()
        for seat, prompt, action in moves:
            match.act(seat, prompt, action)
        spent += time.process_time() - begun
    return spent


def measure(name: str, players: int, actions: int, rounds: int, seed: int) -> dict[str, Any]:
    """Return the numbers: microseconds of an action and of a bare call, actions a second, and their ratio."""
    game = load(name)
    matches: list[list[Hand]] = []
    total = 0
    while total < actions:
        hands = record(game, players, actions - total, seed + len(matches))
        matches.append(hands)
        total += sum(len(moves) for _, moves in hands)
    again(game, players, matches[0])  # warm up
    calm_collector()
    calls, costs = [], []
    for _ in range(rounds):
        before = bare()
        costs.append(sum(again(game, players, hands) for hands in matches) / total)
        calls.append((before + bare()) / 2)
    return {
        "bench": "rules",
        "game": name,
        "players": players,
        "actions": total,
        "rounds": rounds,
        "action_us": round(statistics.median(costs) * 1e6, 2),
        "bare_us": round(statistics.median(calls) * 1e6, 3),
        "actions_per_second": round(1 / statistics.median(costs)),
        "ratio": round(statistics.median(cost / call for cost, call in zip(costs, calls, strict=True)), 2),
        "target": TARGET,
    }


def main() -> int:
    """Measure and print; return the exit status."""
    parser = argparse.ArgumentParser(description="Measure what one action costs, in bare pluggy hook calls.")
    parser.add_argument("--game", default="dez-degraus")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--actions", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print the JSON object alone")
    given = parser.parse_args()
    numbers = measure(given.game, given.players, given.actions, given.rounds, given.seed)
    if not given.json:
        print(f"{numbers['actions']} recorded actions of {given.players} random players of {given.game}, {given.rounds} rounds")
        print(f"one action: {numbers['action_us']} us ({numbers['actions_per_second']} a second)")
        print(f"one bare hook call: {numbers['bare_us']} us")
        print(f"an action costs {numbers['ratio']} bare calls; at most {TARGET:g} are wanted")
    print(json.dumps(numbers))
    return 0


if __name__ == "__main__":
    sys.exit(main())
