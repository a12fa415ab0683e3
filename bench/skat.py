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
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from carteado.core.bots import Player, player
from carteado.core.errors import Refused
from carteado.core.match import PLAYING, Match
from carteado.plugins.skat import Skat, declaring, fast, inference, treesearch
from carteado.plugins.skat.hand import Hand
from carteado.plugins.skat.maxims import choose as by_maxims
from carteado.plugins.skat.records import parse_lines, take_step
from carteado.plugins.skat.rules import DECK
from carteado.plugins.skat.sight import sight
from carteado.plugins.skat.solver import OpenDeal, Position
from carteado.plugins.skat.strong import Strong

DATA = Path(__file__).parents[1] / "tests" / "data" / "skat" / "games-xskat.txt"
CAP = 0.3
"""Seconds a computer player may think about a card unless a host says otherwise."""
Case = tuple[str, Position, int]


def unit() -> float:
    """Return U in seconds: the median of nine."""
    found = []
    for _ in range(9):
        begun = time.process_time()
        x = 0
        for i in range(1_000_000):
            x += i & 3
        found.append(time.process_time() - begun)
    return statistics.median(found)


def recorded(kinds: str, number: int, cards: int = 10) -> list[Case]:
    """Return positions of recorded games with so many cards a hand: kind, position, the declarer's points so far."""
    found: list[Case] = []
    for record in parse_lines(DATA.read_text()):
        hand = Hand(record.hands, record.skat)
        for step in record.steps:
            if step.verb == "play" and len(hand.tricks) == 10 - cards:
                break
            take_step(hand, step)
        if hand.contract is None or hand.declarer is None or hand.contract.kind not in kinds or hand.over:
            continue
        first, second, third = (tuple(hand.hands[(hand.declarer + player) % 3]) for player in range(3))
        found.append((hand.contract.kind, Position((first, second, third), (hand.leader - hand.declarer) % 3), hand.made))
        if len(found) == number:
            break
    return found


def timed(cases: Sequence[Case], compiled: bool, ask: Callable[[OpenDeal, Case], Any]) -> tuple[list[float], list[Any]]:
    """Return processor seconds and answers, a fresh deal for each case."""
    times, answers = [], []
    for case in cases:
        begun = time.process_time()
        deal = OpenDeal(case[0], case[1].hands, compiled)
        answers.append(ask(deal, case))
        times.append(time.process_time() - begun)
    return times, answers


def solver(deals: int, plain: int) -> dict[str, Any]:
    """Time the solver on deals that somebody declared."""
    u = unit()
    print(f"U = {1000 * u:.1f} ms")
    questions: list[tuple[str, str, int, Callable[[OpenDeal, Case], Any]]] = [
        ("suit, 61 or not", "CSHD", 10, lambda deal, case: deal.reaches(case[1], 61 - case[2])),
        ("grand, 61 or not", "G", 10, lambda deal, case: deal.reaches(case[1], 61 - case[2])),
        ("null", "N", 10, lambda deal, case: deal.null_holds(case[1])),
        ("six cards, exact", "CSHDG", 6, lambda deal, case: deal.points(case[1])),
        ("whole deal, exact", "CSHDG", 10, lambda deal, case: deal.points(case[1])),
    ]
    found: dict[str, Any] = {"U": u}
    for name, kinds, cards, ask in questions:
        for compiled in (True, False):
            number = deals if compiled else plain
            if (compiled and not fast.available()) or (not compiled and name.startswith("whole")):
                continue
            if compiled:
                timed(recorded(kinds, 1, cards), True, ask)
            times, answers = timed(recorded(kinds, number, cards), compiled, ask)
            asked = [one / u for one in times]
            times = sorted(asked)
            row: dict[str, Any] = {
                "n": len(times),
                "mean": statistics.mean(times),
                "median": statistics.median(times),
                "p90": times[len(times) * 9 // 10],
            }
            found[f"{name}, {'compiled' if compiled else 'plain'}"] = row | {
                "answers": [int(answer) for answer in answers[:plain]],
                "times": asked,
            }
            head = f"{name:20} {'compiled' if compiled else 'plain':9}"
            print(f"{head} n {row['n']:4}  mean {row['mean']:8.3f} U  median {row['median']:8.3f} U  p90 {row['p90']:8.3f} U", flush=True)
        pair = [found.get(f"{name}, {which}") for which in ("compiled", "plain")]
        if pair[0] and pair[1]:
            same = pair[0]["answers"][: pair[1]["n"]] == pair[1]["answers"]
            ratio = pair[1]["mean"] / statistics.mean(pair[0]["times"][: pair[1]["n"]])
            print(f"  on the first {pair[1]['n']}: same answers {same}, compiled {ratio:.0f} times as fast")
            found[f"{name}, both"] = {"same": same, "ratio": ratio}
    return {name: ({k: v for k, v in row.items() if k not in ("answers", "times")} if name != "U" else row) for name, row in found.items()}


class Passing:
    """A random player that never bids: `random` itself loses most by playing alone."""

    def choose(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        """Pass, decline, play any card that follows."""
        forms = {form["type"]: form for form in view["prompts"][0]["forms"]}
        if "play" in forms:
            return {"type": "play", "card": [rng.choice(forms["play"]["fields"]["card"]["cards"])]}
        return {"type": next(kind for kind in ("pass", "decline", "play_on") if kind in forms)}


def sit(levels: Sequence[Any], seed: bytes, spent: dict[tuple[str, str], list[float]], options: dict[str, Any]) -> Match:
    """Play one deal with these players; a level may be a name or a player."""
    match = Match(Skat(), {"hands": 1, "list": "seeger", **options}, [{"name": name} for name in "ABC"])
    match.deal(seed)
    rng = random.Random(seed)
    game = Skat()
    known: dict[str, Player] = {}
    while match.phase == PLAYING:
        seat, prompt = next(iter(match.prompts.items()))
        level = levels[seat]
        bot = level if not isinstance(level, str) else known.setdefault(level, Passing() if level == "passing" else player(game, level))
        view = match.view(seat, captions=False)
        begun = time.process_time()
        action = bot.choose(view, rng)
        spent[str(level), prompt.stage].append(time.process_time() - begun)
        try:
            match.act(seat, prompt.id, action)
        except Refused:
            if level != "random":  # forms may be wider than the rules, and only random players try
                raise
    return match


def match(a: str, b: str, deals: int, seed: int) -> dict[str, Any]:
    """Let two levels play the same deals in all six seatings."""
    rng = random.Random(seed)
    spent: dict[tuple[str, str], list[float]] = defaultdict(list)
    differences, games = [], Counter[tuple[str, str, bool]]()
    passed = 0
    for _ in range(deals):
        deal_seed = rng.randbytes(32)
        sums, counts = {a: 0.0, b: 0.0}, {a: 0, b: 0}
        for levels in ((a, a, b), (a, b, a), (b, a, a), (b, b, a), (b, a, b), (a, b, b)):
            done = sit(levels, deal_seed, spent, {})
            for seat, level in enumerate(levels):
                sums[level] += done.table.points(seat)
                counts[level] += 1
            declarer, code, value = done.table.kept("games")[0]
            if declarer is None:
                passed += 1
            else:
                games[levels[declarer], code[0] if code[0] in "GN" else "suit", value > 0] += 1
        differences.append(sums[a] / counts[a] - sums[b] / counts[b])
        if sys.stderr.isatty() or len(differences) % 10 == 0:
            print(f"  {len(differences)} deals: {statistics.mean(differences):+.2f}", file=sys.stderr, flush=True)
    mean = statistics.mean(differences)
    error = statistics.stdev(differences) / math.sqrt(len(differences)) if len(differences) > 1 else math.inf
    print(
        f"{a} - {b}: {mean:+.2f} Seeger-Fabian points a hand, 95 % interval {mean - 1.96 * error:+.2f} to {mean + 1.96 * error:+.2f} "
        f"(standard error {error:.2f}), {deals} deals of six seatings"
    )
    shares = _shares(games, passed, 6 * deals)
    times = _times(spent)
    return {"a": a, "b": b, "mean": mean, "error": error, "deals": deals, "games": shares, "times": times}


def _shares(games: Counter[tuple[str, str, bool]], passed: int, total: int) -> dict[str, Any]:
    """Print and return the share of declared games won, by level and type, and of deals passed in."""
    found: dict[str, Any] = {"passed in": passed / total}
    for level, kind in sorted({(level, kind) for level, kind, _ in games}):
        won, lost = games[level, kind, True], games[level, kind, False]
        found[f"{level} {kind}"] = {"games": won + lost, "won": won / (won + lost)}
        print(f"  {level:8} {kind:5} {won + lost:5} games, {won / (won + lost):.1%} won")
    print(f"  passed in: {passed / total:.1%}")
    return found


def _times(spent: dict[tuple[str, str], list[float]]) -> dict[str, Any]:
    """Print and return how long players thought about a card."""
    found = {}
    for (level, stage), times in sorted(spent.items()):
        if stage == "play":
            times = sorted(times)
            row = {"n": len(times), "mean": statistics.mean(times), "p99": times[len(times) * 99 // 100], "most": times[-1]}
            found[level] = row
            print(f"  {level:8} a card: mean {1000 * row['mean']:.0f} ms, p99 {1000 * row['p99']:.0f} ms, most {1000 * row['most']:.0f} ms")
    return found


class Seeing:
    """A declarer who sees all cards: solves the true deal (for comparison only; it cheats)."""

    def __init__(self) -> None:
        self.match: Match | None = None
        self.plays = Strong(1, 3_000_000)

    def card(self, true: Match, view: dict[str, Any]) -> str:
        """Return the best card with all hands known, by the maxims among equals."""
        seen = sight(view)
        assert seen is not None
        assert seen.declarer is not None
        hands = tuple(true.table.cards(f"hand/{seat}") for seat in seen.seats)
        put = true.table.cards("skat" if true.table.has("skat") else f"put/{seen.seats[seen.declarer]}")
        return self.plays.card_in(seen, [inference.World(hands, put, 1.0)])


def contracts(a: str, b: str, deals: int, seed: int) -> dict[str, Any]:
    """Let A play contracts that *rule* bid and declared, against two B; `seeing` sees all cards."""
    won, games = Counter[str](), Counter[str]()
    known = {level: (Seeing() if level == "seeing" else player(Skat(), level)) for level in {a, b}}
    for number in range(deals):
        rng = random.Random(f"{seed}/{number}")
        true = declared(rng)
        declarer = true.table.get("declarer")
        while true.phase == PLAYING:
            seat, prompt = next(iter(true.prompts.items()))
            bot = known[a if seat == declarer else b]
            view = true.view(seat, captions=False)
            if isinstance(bot, Seeing):
                action = {"type": "play", "card": [bot.card(true, view)]} if prompt.stage == "play" else {"type": "play_on"}
            else:
                action = bot.choose(view, rng)
            true.act(seat, prompt.id, action)
        _, code, value = true.table.kept("games")[0]
        games[code[0] if code[0] in "GN" else "suit"] += 1
        won[code[0] if code[0] in "GN" else "suit"] += value > 0
        if (number + 1) % 50 == 0:
            print(f"  {number + 1} contracts: {sum(won.values()) / (number + 1):.1%}", file=sys.stderr, flush=True)
    share = sum(won.values()) / deals
    error = math.sqrt(share * (1 - share) / deals)
    print(f"{a} alone against {b}: {share:.1%} won, 95 % interval +- {1.96 * error:.1%}, {deals} contracts")
    print("  " + ", ".join(f"{kind} {won[kind]}/{games[kind]}" for kind in sorted(games)))
    return {"a": a, "b": b, "won": share, "error": error, "deals": deals}


def declared(rng: random.Random) -> Match:
    """Deal until *rule* plays alone at a table of its own, and stop where the first card is to be led."""
    rule = player(Skat(), "rule")
    while True:
        match = Match(Skat(), {"hands": 1, "list": "seeger"}, [{"name": name} for name in "ABC"])
        match.deal(rng.randbytes(32))
        while match.phase == PLAYING:
            seat, prompt = next(iter(match.prompts.items()))
            if prompt.stage == "play":
                return match
            match.act(seat, prompt.id, rule.choose(match.view(seat, captions=False), rng))


def selfplay(a: str, deals: int, seed: int) -> dict[str, Any]:
    """Let a level play with itself and count what it declares, wins and passes in."""
    rng = random.Random(seed)
    spent: dict[tuple[str, str], list[float]] = defaultdict(list)
    games, passed = Counter[tuple[str, str, bool]](), 0
    for _ in range(deals):
        declarer, code, value = sit((a, a, a), rng.randbytes(32), spent, {}).table.kept("games")[0]
        if declarer is None:
            passed += 1
        else:
            games[a, code[0] if code[0] in "GN" else "suit", value > 0] += 1
    declared = sum(games.values())
    won = sum(count for (_, _, win), count in games.items() if win)
    print(f"{a} with itself: {won / max(1, declared):.1%} of {declared} declared games won, {deals} deals")
    return {"a": a, "won": won / max(1, declared), "games": _shares(games, passed, deals), "times": _times(spent)}


def speed(hands: int) -> dict[str, Any]:
    """Time tree iterations, drawn worlds, bidding and declaring."""
    u = unit()
    rng = random.Random(3)
    found: dict[str, list[float]] = defaultdict(list)
    for _ in range(hands):
        cards = rng.sample(DECK, 32)
        begun = time.process_time()
        declaring.limit(tuple(sorted(cards[:10])), 1, "seeger")
        declaring.plans(cards[:12], 1)
        found["bid, put away, declare"].append(time.process_time() - begun)
        true = Match(Skat(), {"hands": 1}, [{"name": name} for name in "ABC"])
        true.deal(rng.randbytes(32))
        bot = player(Skat(), "rule")
        while true.phase == PLAYING:
            seat, prompt = next(iter(true.prompts.items()))
            view = true.view(seat, captions=False)
            seen = sight(view)
            assert seen is not None
            if prompt.stage == "play" and len(seen.hand) > treesearch.EXACT and seen.contract is not None and not seen.contract.null:
                begun = time.process_time()
                for _ in range(20):
                    inference.sample(seen, rng)
                found["a drawn world"].append((time.process_time() - begun) / 20)
                begun = time.process_time()
                inference.draw(seen, rng, 16)
                found["a world kept of six drawn"].append((time.process_time() - begun) / 16)
                search = treesearch.Search(seen, rng)
                begun = time.process_time()
                search.run(200)
                found["a tree iteration"].append((time.process_time() - begun) / 200)
                begun = time.process_time()
                by_maxims(seen)
                found["a card by the maxims"].append(time.process_time() - begun)
            true.act(seat, prompt.id, bot.choose(view, rng))
    rows = {name: statistics.mean(times) / u for name, times in found.items()}
    print(f"U = {1000 * u:.1f} ms")
    for name, mean in rows.items():
        print(f"{name:26} {mean:.5f} U" + (f", {1 / mean:.0f} for a U" if mean < 0.1 else ""))
    return rows


def moves(a: str, deals: int, seed: int) -> dict[str, Any]:
    """Let a level play with itself as at a host, told to stop after `CAP` of processor time (others may be busy), and time its cards."""
    rng = random.Random(seed)
    bot = player(Skat(), a)
    limited = hasattr(bot, "stop")
    if isinstance(bot, Strong):
        bot.warm()
    times = []
    for _ in range(deals):
        match = Match(Skat(), {"hands": 1, "list": "seeger"}, [{"name": name} for name in "ABC"])
        match.deal(rng.randbytes(32))
        while match.phase == PLAYING:
            seat, prompt = next(iter(match.prompts.items()))
            view = match.view(seat, captions=False)
            begun = time.process_time()
            if limited:
                bot.stop = lambda end=begun + CAP: time.process_time() > end  # type: ignore[attr-defined]
            action = bot.choose(view, rng)
            if prompt.stage == "play":
                times.append(time.process_time() - begun)
            match.act(seat, prompt.id, action)
    times.sort()
    p99 = times[len(times) * 99 // 100]
    mean = statistics.mean(times)
    shown = ", ".join(f"{name} {1000 * each:.0f} ms" for name, each in (("mean", mean), ("p99", p99), ("most", times[-1]), ("cap", CAP)))
    print(f"{a}: {len(times)} cards, {shown}")
    return {"a": a, "cards": len(times), "mean": mean, "p99": p99, "most": times[-1]}


def starts() -> dict[str, Any]:
    """Compile the searches into an empty cache and start twice more from it; each start plays a card of each search."""
    code = (
        "from carteado.plugins.skat.solver import OpenDeal, Position; p = Position((('CJ','HA'),('SJ','HT'),('DJ','H7')), 0);"
        "print(OpenDeal('G', p.hands, True).points(p), OpenDeal('N', p.hands, True).null_holds(p))"
    )
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(3):
            begun = time.monotonic()
            done = subprocess.run(
                [sys.executable, "-c", code], env={**os.environ, "NUMBA_CACHE_DIR": folder}, capture_output=True, text=True, check=False
            )
            rows.append({"seconds": time.monotonic() - begun, "status": done.returncode, "answer": done.stdout.strip()})
            print(f"start {number + 1}: {rows[-1]['seconds']:.1f} s, status {done.returncode}, answers {rows[-1]['answer']}", flush=True)
    return {"starts": rows, "crashes": sum(row["status"] != 0 for row in rows)}


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
