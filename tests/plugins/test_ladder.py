"""The ladder of players: in every game, each level it claims beats the one below, on fixed seeds and iterations.

Where the cards weigh more than the players both sorts play the same deals, in all seatings, and what they made of them is compared.
"""

from __future__ import annotations

import importlib
import math
import random
from itertools import pairwise
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest

from carteado.core.bots import Player, RandomPlayer, player
from carteado.core.errors import Refused
from carteado.core.game import Game
from carteado.core.loader import installed, load
from carteado.core.match import DEALING, OVER, Match

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ("hearts", "crazy_eights")
FAST, SLOW = 60, 24
"""Matches between players that look and choose, and between players that search."""
DEALS: dict[str, dict[str, int]] = {"skat": {"rule": 20, "strong": 40}}
"""Games in which the cards weigh more than the players: so many deals, each in all seatings, for each upper level."""
SHORT: dict[str, dict[str, Any]] = {"hearts": {"target": 30}, "crazy-eights": {"target": 50}}
DUPLICATE: dict[str, dict[str, Any]] = {"skat": {"hands": 1, "list": "seeger"}}


def games() -> list[str]:
    """Return the games that come along, and the examples."""
    ours = [listed.name for listed in installed() if listed.target.startswith("carteado.plugins.")]
    return ours + [f"examples/{name}" for name in EXAMPLES]


def found(name: str, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Return a game, an example from its folder."""
    if not name.startswith("examples/"):
        return load(name)
    monkeypatch.syspath_prepend(str(ROOT / name))
    game: Game = importlib.import_module(f"carteado_{name.partition('/')[2]}").game
    return game


def wins(game: Game, upper: Player, lower: Player, matches: int) -> tuple[float, int]:
    """Return what one upper player won among lower ones (shared wins in parts), changing seats, and how many play."""
    players = max(2, game.seats[0])
    won = 0.0
    for number in range(matches):
        chair, dice = number % players, random.Random(f"{game.name}/{number // players}")
        match = Match(game, SHORT.get(game.name, {}), [{"name": f"P{seat}"} for seat in range(players)])
        while match.phase != OVER:
            if match.phase == DEALING:
                match.deal(dice.randbytes(32))
                continue
            seat = min(match.prompts)
            prompt, view = match.prompts[seat].id, match.view(seat, captions=False)
            while True:
                try:
                    match.act(seat, prompt, (upper if seat == chair else lower).choose(view, dice))
                except Refused:
                    continue  # forms may be wider than the rules; only random players try
                break
        assert match.end is not None
        best = match.end["places"][0]
        won += (chair in best) / len(best)
    return won, players


def gains(game: Game, upper: Player, lower: Player, deals: int) -> list[float]:
    """Return for each deal what an upper player made more than a lower one, over all ways to seat both sorts at the table."""
    players = max(2, game.seats[0])
    found, seeds = [], random.Random(0)
    for _ in range(deals):
        deal = seeds.randbytes(32)
        points: dict[bool, list[int]] = {True: [], False: []}
        for chosen in range(1, 2**players - 1):
            dice = random.Random(deal)
            match = Match(game, DUPLICATE[game.name], [{"name": f"P{seat}"} for seat in range(players)])
            match.deal(deal)
            while match.phase != OVER:
                seat = min(match.prompts)
                prompt, view = match.prompts[seat].id, match.view(seat, captions=False)
                mover = upper if chosen >> seat & 1 else lower
                try:
                    match.act(seat, prompt, mover.choose(view, dice))
                except Refused:
                    if type(mover) is not RandomPlayer:
                        raise  # forms may be wider than the rules, and only random players try
            for seat in range(players):
                points[bool(chosen >> seat & 1)].append(match.table.points(seat))
        found.append(fmean(points[True]) - fmean(points[False]))
    return found


def claims() -> list[Any]:
    """Return every pair of neighbouring levels of every game."""
    pairs = []
    with pytest.MonkeyPatch.context() as patch:
        for name in games():
            for lower, upper in pairwise(found(name, patch).levels):
                pairs.append(pytest.param(name, upper, lower, id=f"{name}: {upper} over {lower}"))
    return pairs


@pytest.mark.long
@pytest.mark.parametrize(("name", "upper", "lower"), claims())
def test_each_level_beats_the_one_below(name: str, upper: str, lower: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = found(name, monkeypatch)
    one, other = player(game, upper), player(game, lower)
    if game.name in DEALS:
        more = gains(game, one, other, DEALS[game.name][upper])
        error = stdev(more) / math.sqrt(len(more))
        assert fmean(more) > error, f"{fmean(more):+.1f} points a hand over {len(more)} deals, standard error {error:.1f}"
        return
    matches = SLOW if getattr(one, "searches", False) else FAST
    won, players = wins(game, one, other, matches)
    fair = matches / players
    assert won > fair + math.sqrt(fair * (1 - 1 / players)), f"{won} of {matches} won, {fair:g} would be fair"
