"""The command `arena`: checks what is asked, shows the progress, prints who won how often."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TextIO

from carteado.core.bots import player
from carteado.core.match import Match

from .arena import Contest, compete
from .inventory import load, load_house

WIDTH = 30


class Progress:
    """A bar on a terminal: games done, and the time the rest will take."""

    def __init__(self, total: int, out: TextIO, now: Callable[[], float] = time.monotonic) -> None:
        self.total = total
        self.out = out
        self.now = now
        self.begun = now()
        self.shown = float("-inf")

    def __call__(self, done: int) -> None:
        """Draw the bar, at most ten times a second."""
        now = self.now()
        if now - self.shown < 0.1 and done < self.total:
            return
        self.shown = now
        left = (now - self.begun) / done * (self.total - done)
        full = WIDTH * done // self.total
        self.out.write(f"\r[{'#' * full}{'.' * (WIDTH - full)}] {done}/{self.total} games, {left:.0f} s left \x1b[K")
        self.out.flush()

    def clear(self) -> None:
        """Take the bar away."""
        self.out.write("\r\x1b[K")
        self.out.flush()


def arena(
    game: str,
    levels: Sequence[str],
    options: Mapping[str, Any],
    seed: int,
    games: int,
    jobs: int | None,
    as_json: bool,
    house: tuple[str, ...] = (),
    duplicate: bool = False,
) -> int:
    """Play the games and print the result; return the exit status.

    Raises: LoadFailure, UnknownLevel, Refused for a contest that cannot be played; ArenaFault for one that got stuck.
    """
    plugin = load(game)
    for level in levels:
        player(plugin, level)
    seats = [{"name": level, "bot": level} for level in levels]
    match = Match(plugin, options, seats, house=[load_house(rule) for rule in house])
    chosen = {name: value for name, value in match.options.items() if name in options}
    contest = Contest(game, tuple(levels), chosen, seed, house, duplicate)
    begun = time.monotonic()
    if sys.stderr.isatty():
        bar = Progress(games, sys.stderr)
        try:
            report = compete(contest, games, jobs, bar)
        finally:
            bar.clear()
    else:
        report = compete(contest, games, jobs)
    if as_json:
        print(json.dumps(report, ensure_ascii=False))
    else:
        print("\n".join(lines(report, plugin.title or game)))
        seconds = time.monotonic() - begun
        print(f"{seconds:.1f} s, {report['actions'] / max(seconds, 1e-9):.0f} actions a second", file=sys.stderr)
    return 0


def lines(report: Mapping[str, Any], title: str) -> list[str]:
    """Return the result as a table for people."""
    rows = [("", "player", "won", "rate", "95 % interval", "points", "a hand, 95 %", "refused")]
    for row in report["players"]:
        rows.append(
            (
                f"{row['player']}",
                row["level"],
                f"{row['wins']:g}",
                f"{100 * row['rate']:.1f} %",
                f"{100 * row['low']:.1f} - {100 * row['high']:.1f} %",
                f"{row['points']:.1f}",
                f"{row['each_hand']:.2f} +- {row['each_hand_error']:.2f}",
                f"{row['refused']}",
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    head = f"{title}: {report['games']} games, {report['hands']} hands, {report['actions']} actions, seed {report['seed']}"
    if report["duplicate"]:
        head += f", each deal in {len(report['players'])} seatings"
    counts = [counted(row["counted"], f"{row['player']}  {row['level']}") for row in report["players"] if row["counted"]]
    if report["counted"]:
        counts.append(counted(report["counted"], "all"))
    return [head, *("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows), *counts]


def counted(counts: Mapping[str, Sequence[int]], whose: str) -> str:
    """Return what a game counted as a line: how many of how many, with the share."""
    parts = [f"{name} {some} of {of} ({100 * some / of:.1f} %)" for name, (some, of) in counts.items() if of]
    return f"{whose}: {', '.join(parts)}"
