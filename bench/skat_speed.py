"""How fast the open-hand solver of Skat and its computer players are. A part of bench/skat.py."""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from skat_strength import dealt

from carteado.core.bots import player
from carteado.core.match import PLAYING
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
        true = dealt(rng.randbytes(32), list="plain")
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
        match = dealt(rng.randbytes(32))
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
