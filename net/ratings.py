"""How good players are at a game: ratings by Plackett and Luce's model, for any number of players and teams.

A rating is a mean and an uncertainty; what people are shown is `mean - 3 * uncertainty`, which only grows by playing well often.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple


class Rating(NamedTuple):
    """One player's rating in one game after so many matches."""

    mu: float = 25.0
    sigma: float = 25.0 / 3
    matches: int = 0

    @property
    def shown(self) -> float:
        """The number for lists: sure to be reached in all likelihood."""
        return self.mu - 3 * self.sigma


NEW: Final = Rating()


def rated(before: Mapping[str, Rating], groups: Sequence[Sequence[Sequence[str]]]) -> dict[str, Rating]:
    """Return everybody's rating after a match.

    groups: best first, each of the teams that share a place, each team of its players. A player who sits twice counts as often.
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    teams = [list(team) for group in groups for team in group]
    if len(teams) < 2:
        return {}
    ranks = [float(place) for place, group in enumerate(groups) for _ in group]
    known = [[before.get(player, NEW) for player in team] for team in teams]
    rates = model.rate([[model.rating(old.mu, old.sigma) for old in team] for team in known], ranks=ranks)
    after: dict[str, Rating] = {}
    for team, olds, news in zip(teams, known, rates, strict=True):
        for player, old, new in zip(team, olds, news, strict=True):
            last = after.get(player, old)
            after[player] = Rating(last.mu + new.mu - old.mu, min(last.sigma, new.sigma), last.matches + 1)
    return after
