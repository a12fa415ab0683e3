"""Computer players against each other, through the true match and on all cores.

Game number `i` of a seed is the same wherever and whenever it is played: its deals and its players' random numbers come from
(seed, i) alone, and results are added up in the order of the games. So the outcome does not depend on the number of workers.
The players change chairs from game to game, so that none of them always starts.
"""

from __future__ import annotations

import hashlib
import math
import multiprocessing
import os
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import stdev
from typing import Any

from carteado.core.bots import Player, player
from carteado.core.errors import CarteadoError, Refused
from carteado.core.match import DEALING, OVER, Match

from .inventory import load, load_house

MOST_ACTIONS = 100_000
"""Actions after which a match is called endless; a long match of any shipped game has a tenth of that."""
MOST_REFUSALS = 1_000
"""Refusals in a row after which a player is called stuck. Forms may be wider than the rules, so a random player is refused often."""


class ArenaFault(CarteadoError):
    """Report a game of the arena that could not be played to its end."""


@dataclass(frozen=True)
class Contest:
    """What is played: a game by name, the computer players' levels, the table's options, a seed and house rules by name.

    duplicate: every deal is played once in each rotation of the players, so that all get the same cards.
    """

    game: str
    levels: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    house: tuple[str, ...] = ()
    duplicate: bool = False


@dataclass(frozen=True)
class Outcome:
    """How one match ended: by player (in the order of `Contest.levels`) place, points and refused actions; hands and actions.

    tallies: what the game counts of each player, and last of the table.
    """

    places: tuple[int, ...]
    points: tuple[int, ...]
    refused: tuple[int, ...]
    hands: int
    actions: int
    tallies: tuple[Mapping[str, tuple[int, int]], ...] = ()


@dataclass
class Standing:
    """One player's results: `wins` counts a shared first place in equal parts, `places[k]` how often it came k+1st.

    made: points a hand in each game, or in each deal's games together; counted: what the game counts, as (how many, of how many).
    """

    player: int
    level: str
    games: int = 0
    wins: float = 0.0
    points: int = 0
    refused: int = 0
    places: list[int] = field(default_factory=list)
    hands: int = 0
    made: list[float] = field(default_factory=list)
    counted: dict[str, list[int]] = field(default_factory=dict)

    def wire(self) -> dict[str, Any]:
        """Return the results as data, with the win rate and its 95 % interval."""
        low, high = wilson(self.wins, self.games)
        return {
            "player": self.player,
            "level": self.level,
            "games": self.games,
            "wins": round(self.wins, 6),
            "rate": round(self.wins / self.games, 6) if self.games else 0.0,
            "low": round(low, 6),
            "high": round(high, 6),
            "points": round(self.points / self.games, 6) if self.games else 0.0,
            "each_hand": round(self.points / self.hands, 6) if self.hands else 0.0,
            "each_hand_error": round(margin(self.made), 6),
            "counted": {name: list(pair) for name, pair in self.counted.items()},
            "places": list(self.places),
            "refused": self.refused,
        }


def wilson(wins: float, games: int, z: float = 1.959964) -> tuple[float, float]:
    """Return the Wilson score interval of a win rate; 95 % by default, (0, 1) when nothing was played."""
    if games == 0:
        return 0.0, 1.0
    rate, spread = wins / games, z * z / games
    centre = (rate + spread / 2) / (1 + spread)
    half = z * math.sqrt(rate * (1 - rate) / games + spread / (4 * games)) / (1 + spread)
    return max(0.0, centre - half), min(1.0, centre + half)


def margin(values: Sequence[float], z: float = 1.959964) -> float:
    """Return half the width of the interval around the values' mean; 95 % by default, 0 for fewer than two."""
    return z * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0.0


def derive(*parts: object) -> bytes:
    """Return 32 bytes that depend on all parts, and on nothing else."""
    return hashlib.sha256("/".join(("carteado/arena/1", *map(str, parts))).encode()).digest()


def play(contest: Contest, number: int) -> Outcome:
    """Play game `number` of a contest to its end. Raises: ArenaFault when a player is stuck or the match does not end."""
    game, count = load(contest.game), len(contest.levels)
    cards = number // count if contest.duplicate else number
    chairs = [(seat + number) % count for seat in range(count)]  # which player sits where
    levels = [contest.levels[chair] for chair in chairs]
    seats = [{"name": f"{level} {chair + 1}", "bot": level} for level, chair in zip(levels, chairs, strict=True)]
    match = Match(game, contest.options, seats, table="arena", house=[load_house(rule) for rule in contest.house])
    players = [player(game, level) for level in levels]
    dice = [random.Random(derive(contest.seed, number, "player", chair)) for chair in chairs]
    refused = [0] * count
    hands = 0
    while match.phase != OVER:
        if match.q >= MOST_ACTIONS:
            raise ArenaFault(f"Game {number} of seed {contest.seed} does not end: {match.q} entries and {hands} hands so far.")
        if match.phase == DEALING:
            match.deal(derive(contest.seed, cards, "deal", hands))
            hands += 1
        else:
            seat = min(match.prompts)
            refused[seat] += move(match, seat, players[seat], dice[seat])
    shown = match.view(None)["seats"]
    order = [chairs.index(index) for index in range(count)]
    return Outcome(
        places=tuple(shown[seat]["place"] or count for seat in order),
        points=tuple(shown[seat]["points"] for seat in order),
        refused=tuple(refused[seat] for seat in order),
        hands=hands,
        actions=match.q - hands,
        tallies=tuple(game.tally(match.table, seat) for seat in (*order, None)),
    )


def move(match: Match, seat: int, chooser: Player, dice: random.Random) -> int:
    """Let a player answer its prompt, and again while it is refused; return how often it was. Raises: ArenaFault."""
    prompt, view = match.prompts[seat].id, match.view(seat, captions=False, own=False)
    for refusals in range(MOST_REFUSALS):
        action = chooser.choose(view, dice)
        try:
            match.act(seat, prompt, action)
        except Refused as refusal:
            last = f"{action} was refused with {refusal}"
        else:
            return refusals
    raise ArenaFault(f"{match.seats[seat]['name']} is stuck in hand {match.hand} of a game of {match.game.name}: {last}.")


def workers() -> int:
    """Return how many processor cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS
        return os.cpu_count() or 1


def _play(task: tuple[Contest, int]) -> Outcome:
    return play(*task)


def outcomes(contest: Contest, games: int, jobs: int | None = None) -> Iterator[Outcome]:
    """Yield the outcome of each game in order, played on `jobs` processes (None: one for each core)."""
    jobs = min(jobs or workers(), games) or 1
    tasks = ((contest, number) for number in range(games))
    if jobs == 1:
        yield from map(_play, tasks)
        return
    # A fresh interpreter for each worker: forking a process with threads is not safe, and Windows and macOS cannot.
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap(_play, tasks, chunksize=max(1, min(16, games // (jobs * 8))))


def standings(contest: Contest, results: Sequence[Outcome]) -> list[Standing]:
    """Add up the outcomes: one standing for each player of the contest."""
    count = len(contest.levels)
    table = [Standing(index + 1, level, places=[0] * count) for index, level in enumerate(contest.levels)]
    together = count if contest.duplicate else 1
    for number, result in enumerate(results):
        winners = result.places.count(1)
        for standing, place, points, refused in zip(table, result.places, result.points, result.refused, strict=True):
            standing.games += 1
            standing.hands += result.hands
            standing.points += points
            if number % together == 0:
                standing.made.append(0.0)
            standing.made[-1] += points / max(1, result.hands) / together
            standing.refused += refused
            standing.places[place - 1] += 1
            if place == 1:
                standing.wins += 1 / winners
        for standing, tally in zip(table, result.tallies, strict=False):
            add(standing.counted, tally)
    return table


def add(counted: dict[str, list[int]], tally: Mapping[str, tuple[int, int]]) -> None:
    """Add what a game counted at the end of a match."""
    for name, (some, of) in tally.items():
        pair = counted.setdefault(name, [0, 0])
        pair[0] += some
        pair[1] += of


def compete(contest: Contest, games: int, jobs: int | None = None, progress: Callable[[int], object] = lambda done: None) -> dict[str, Any]:
    """Play `games` games and return the result as data; `progress` is told how many are done.

    Of a duplicate contest each deal's games are played to the last: `games` is rounded up.
    """
    if contest.duplicate:
        games = -(-games // len(contest.levels)) * len(contest.levels)
    results: list[Outcome] = []
    counted: dict[str, list[int]] = {}
    for outcome in outcomes(contest, games, jobs):
        results.append(outcome)
        add(counted, outcome.tallies[-1])
        progress(len(results))
    return {
        "game": contest.game,
        "version": load(contest.game).version,
        "options": dict(contest.options),
        "seed": contest.seed,
        "games": games,
        "duplicate": contest.duplicate,
        "counted": counted,
        "hands": sum(result.hands for result in results),
        "actions": sum(result.actions for result in results),
        "players": [standing.wire() for standing in standings(contest, results)],
    }
