"""One game on trial: its cases, recordings and moments, made when a check first asks for them and shared by all checks."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from ..errors import CarteadoError, LoadFailure, PluginFault, Refused
from ..game import Game
from ..loader import accept
from ..options import Flag, OneOf, Several, Whole, resolve
from ..rules import Rules
from .faults import Case, Fault
from .recording import Moment, Recorder, Recording, aimless


@dataclass(frozen=True)
class Effort:
    """How much to try.

    actions: played to the end, over all matches; matches: begun at least; short: actions of a match that is not played to its end;
    moments: looked at by one check; worlds: other states tried at a moment for a viewer; fillings: tried for one value;
    prefixes: replayed from the start; hash_seeds: processes started; aimless: play matches without any advice to the end too.
    """

    actions: int = 2_500
    matches: int = 12
    short: int = 80
    moments: int = 40
    worlds: int = 4
    fillings: int = 400
    prefixes: int = 4
    hash_seeds: Sequence[int] = (0, 1, 424242)
    aimless: bool = False


NORMAL = Effort()
THOROUGH = Effort(
    actions=40_000, matches=60, short=400, moments=400, worlds=10, fillings=4_000, prefixes=20,
    hash_seeds=(0, 1, 2, 3, 424242), aimless=True,
)  # fmt: skip


@dataclass
class Trial:
    """What the checks look at.

    game: an instance; variants: the table options to try, each as given by a table; seeds: of the cases, None for as many as the
    effort says; bound: actions a match may last; golden: the folder of its recorded matches; reproduce: the command that runs one check
    again; exempt: check -> reason; figures: what was measured on the way, for the report; kept: what checks share.
    """

    game: Game
    variants: Sequence[Mapping[str, Any]]
    effort: Effort = NORMAL
    seeds: Sequence[int] | None = None
    bound: int = 20_000
    golden: Path | None = None
    reproduce: str = ""
    exempt: Mapping[str, str] = field(default_factory=dict)
    figures: dict[str, str] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def failure(self) -> str | None:
        """The sentence that says why the game cannot be loaded, None if it can."""
        try:
            accept(self.game)
        except LoadFailure as failure:
            return str(failure)
        return None

    @cached_property
    def advises(self) -> bool:
        """Whether the game can say what a sensible player does."""
        rules = Rules(self.game)
        return rules.has("suggest") or rules.has("hints")

    @cached_property
    def combinations(self) -> list[tuple[Mapping[str, Any], int]]:
        """Every variant with every number of seats it can be played with; neighbours differ in both."""
        low, high = self.game.seats
        counts = list(range(low, high + 1))
        found = []
        for b, (a, variant) in itertools.product(range(len(counts)), enumerate(self.variants)):
            players = counts[(a + b) % len(counts)]
            if self.game.check_players(players, resolve(self.game, variant)):
                found.append((variant, players))
        return found

    def case(self, seed: int) -> Case:
        """Return the case of a seed."""
        variant, players = self.combinations[seed % len(self.combinations)]
        return Case(seed, players, variant)

    @cached_property
    def recordings(self) -> list[Recording]:
        """The recorded matches: to the end while the effort's actions last, then short ones until enough were begun."""
        effort = self.effort
        if self.seeds is not None:
            return [self._play(seed, self.bound) for seed in self.seeds]
        found: list[Recording] = []
        played = 0
        while len(found) < effort.matches or (played < effort.actions and len(found) < 4 * effort.matches):
            found.append(self._play(len(found), self.bound if played < effort.actions else effort.short))
            played += found[-1].match.q
        return found

    def _play(self, seed: int, most: int) -> Recording:
        """Play one case; without any advice only its beginning, unless the effort asks for more."""
        case = self.case(seed)
        long = self.effort.aimless or not (aimless(case) and self.advises)
        return Recorder(self.game, case, most if long else self.effort.short).play()

    @cached_property
    def _kinds(self) -> dict[tuple[str, ...], list[Moment]]:
        kinds: dict[tuple[str, ...], list[Moment]] = {}
        for recording in self.recordings:
            for moment in recording.moments:
                kinds.setdefault(moment.kind, []).append(moment)
        for kind, moments in kinds.items():
            random.Random("/".join(kind)).shuffle(moments)
        return kinds

    def moments(self, most: int | None = None, playing: bool = True) -> list[Moment]:
        """Return moments of all kinds in turn, the rarest kinds as often as the commonest; `playing`: only those with somebody to act."""
        rounds = itertools.zip_longest(*self._kinds.values())
        found = (moment for each in rounds for moment in each if moment is not None and not (playing and not moment.match.prompts))
        return list(itertools.islice(found, most or self.effort.moments))

    def rng(self, *names: Any) -> random.Random:
        """Return randomness of its own for a check and a place."""
        return random.Random("/".join(str(name) for name in names))

    def troubles(self) -> Iterator[tuple[str, Fault]]:
        """Iterate over the recordings that stopped, as faults, each with the name of the check it belongs to."""
        for recording in self.recordings:
            trouble = recording.trouble
            if trouble is None:
                continue
            cause = trouble.error.__cause__ or trouble.error
            what = trouble.error.why if isinstance(trouble.error, PluginFault) else str(trouble.error)
            yield (
                blamed(trouble.hook, trouble.error),
                Fault(what, trouble.hook, recording.case, trouble.step, trouble.seat, lines=raised_at(cause)),
            )


def blamed(hook: str, error: CarteadoError) -> str:
    """Return the name of the check that a failure while playing belongs to."""
    text = str(error)
    if type(error).__name__ == "DeadEnd":
        return "no_dead_ends"
    if "only deal, turn and leave may change the table" in text:
        return "reading_hooks_only_read"
    if "cards were lost or made up" in text or "exactly the cards of the pack" in text:
        return "cards_are_kept"
    if "instead of whole chips" in text or hook == "settle":
        return "everybody_is_placed"
    return "deals" if hook == "deal" else "runs_without_faults"


def raised_at(error: BaseException) -> list[str]:
    """Return where an exception was raised, the innermost line outside the core."""
    trace, found = error.__traceback__, ""
    while trace is not None:
        code = trace.tb_frame.f_code
        if "/core/" not in code.co_filename.replace("\\", "/") or not found:
            found = f"raised in {code.co_filename}:{trace.tb_lineno}, in {code.co_name}"
        trace = trace.tb_next
    return [found] if found else []


def default_variants(game: Game) -> list[dict[str, Any]]:
    """Return the variants of a game that names none: the defaults, then each option's other values, one at a time."""
    variants: list[dict[str, Any]] = [{}]
    for option in game.table_options:
        for value in _values(option):
            if value != option.default:
                variants.append({option.name: value})
    return [variant for variant in variants if _fits(game, variant)]


def _values(option: Any) -> list[Any]:
    if isinstance(option, Flag):
        return [False, True]
    if isinstance(option, OneOf):
        return list(option.values)
    if isinstance(option, Several):
        return [[], list(option.values)]
    return [option.low, option.high] if isinstance(option, Whole) else []


def _fits(game: Game, variant: Mapping[str, Any]) -> bool:
    try:
        options = resolve(game, variant)
    except Refused:
        return False
    return any(game.check_players(players, options) for players in range(game.seats[0], game.seats[1] + 1))
