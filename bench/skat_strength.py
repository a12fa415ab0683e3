"""How strong the computer players of Skat are, on duplicate deals and fixed contracts. A part of bench/skat.py."""

from __future__ import annotations

import math
import random
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from carteado.core.bots import Player, player
from carteado.core.errors import Refused
from carteado.core.match import PLAYING, Match
from carteado.plugins.skat import Skat, inference
from carteado.plugins.skat.sight import sight
from carteado.plugins.skat.strong import Strong


def dealt(seed: bytes, **options: Any) -> Match:
    """Deal one hand, counted by Seeger-Fabian unless the options say otherwise."""
    match = Match(Skat(), {"hands": 1, "list": "seeger", **options}, [{"name": name} for name in "ABC"])
    match.deal(seed)
    return match


def sort(code: str) -> str:
    """Return the sort of a game by its code: G, N or suit."""
    return code[0] if code[0] in "GN" else "suit"


class Passing:
    """A random player that never bids: `random` itself loses most by playing alone."""

    def choose(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any]:
        """Pass, decline, play any card that follows."""
        forms = {form["type"]: form for form in view["prompts"][0]["forms"]}
        if "play" in forms:
            return {"type": "play", "card": [rng.choice(forms["play"]["fields"]["card"]["cards"])]}
        return {"type": next(kind for kind in ("pass", "decline", "play_on") if kind in forms)}


def sit(levels: Sequence[str], seed: bytes, spent: dict[tuple[str, str], list[float]]) -> Match:
    """Play one deal with players of these levels."""
    match = dealt(seed)
    rng = random.Random(seed)
    game = Skat()
    known: dict[str, Player] = {}
    while match.phase == PLAYING:
        seat, prompt = next(iter(match.prompts.items()))
        level = levels[seat]
        if level not in known:
            known[level] = Passing() if level == "passing" else player(game, level)
        view = match.view(seat, captions=False)
        begun = time.process_time()
        action = known[level].choose(view, rng)
        spent[level, prompt.stage].append(time.process_time() - begun)
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
            done = sit(levels, deal_seed, spent)
            for seat, level in enumerate(levels):
                sums[level] += done.table.points(seat)
                counts[level] += 1
            declarer, code, value = done.table.kept("games")[0]
            if declarer is None:
                passed += 1
            else:
                games[levels[declarer], sort(code), value > 0] += 1
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
    """Let A play contracts that *rule* bid and declared, against two B; `seeing` sees all cards.

    `each` in what is returned is 1 or 0 for each contract, in order: the same seed gives the same contracts to whoever plays them.
    """
    won, games = Counter[str](), Counter[str]()
    each = ""
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
        games[sort(code)] += 1
        won[sort(code)] += value > 0
        each += str(int(value > 0))
        if (number + 1) % 50 == 0:
            print(f"  {number + 1} contracts: {sum(won.values()) / (number + 1):.1%}", file=sys.stderr, flush=True)
    share = sum(won.values()) / deals
    error = math.sqrt(share * (1 - share) / deals)
    print(f"{a} alone against {b}: {share:.1%} won, 95 % interval +- {1.96 * error:.1%}, {deals} contracts")
    print("  " + ", ".join(f"{kind} {won[kind]}/{games[kind]}" for kind in sorted(games)))
    return {"a": a, "b": b, "won": share, "error": error, "deals": deals, "each": each}


def declared(rng: random.Random) -> Match:
    """Deal until *rule* plays alone at a table of its own, and stop where the first card is to be led."""
    rule = player(Skat(), "rule")
    while True:
        match = dealt(rng.randbytes(32))
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
        declarer, code, value = sit((a, a, a), rng.randbytes(32), spent).table.kept("games")[0]
        if declarer is None:
            passed += 1
        else:
            games[a, sort(code), value > 0] += 1
    declared = sum(games.values())
    won = sum(count for (_, _, win), count in games.items() if win)
    print(f"{a} with itself: {won / max(1, declared):.1%} of {declared} declared games won, {deals} deals")
    return {"a": a, "won": won / max(1, declared), "games": _shares(games, passed, deals), "times": _times(spent)}
