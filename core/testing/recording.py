"""Matches played for the checks: recorded once, looked at many times.

Players mix the game's advice with random fillings of forms; everything follows from the case's seed. While a match is played, copies of
it are kept at chosen moments, a few of every kind of situation (stage, and which forms were open), with the action that came next.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import CarteadoError, PluginFault, Refused
from ..game import Game
from ..journal import Journal
from ..match import DEALING, OVER, PLAYING, Commit, Match
from ..zones import Viewer
from .choosing import Chooser
from .faults import Case
from .memory import Labels, Memory
from .swaps import branch

CHANCES = (0.1, 0.3, 0.6, 1.0)
"""How often a player fills a form at random instead of taking the game's advice, by seed; always when a game gives none."""
KEPT = 5
"""Moments kept of every kind of situation, in one recording."""


@dataclass
class Moment:
    """A copy of the match at one point of a recording, with what each viewer has seen, and the action that came next."""

    case: Case
    step: int
    match: Match
    labels: dict[Viewer, Labels]
    kind: tuple[str, ...]
    seat: int | None = None
    action: dict[str, Any] | None = None

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """Everybody who can look at this table: all seats, and a watcher."""
        return (*self.match.table.players, None)

    @property
    def asked(self) -> list[int]:
        """The seats with an open prompt."""
        return sorted(self.match.prompts)


@dataclass
class Trouble:
    """Why a recording stopped before its end: which hook failed, or that nobody could act."""

    hook: str
    error: CarteadoError
    step: int
    seat: int | None = None


@dataclass
class Recording:
    """One match played for a case: its journal and moments, what was refused and said on the way, results of hands, and how it ended."""

    case: Case
    match: Match
    moments: list[Moment] = field(default_factory=list)
    refused: list[tuple[int, int, dict[str, Any], Refused]] = field(default_factory=list)
    said: dict[tuple[str, ...], list[Any]] = field(default_factory=dict)
    results: list[dict[str, Any]] = field(default_factory=list)
    trouble: Trouble | None = None
    deals: int = 0

    @property
    def journal(self) -> Journal:
        """The journal so far."""
        return self.match.journal

    @property
    def ended(self) -> bool:
        """Whether the match came to its end."""
        return self.match.phase == OVER


def hand_seed(case: Case, hand: int) -> bytes:
    """Return the seed of one hand of a case."""
    return hashlib.sha256(f"carteado/kit/{case.seed}/{hand}".encode()).digest()


def new_match(game: Game, case: Case, house: Sequence[Any] = ()) -> Match:
    """Return a match of a case before its first deal."""
    seats = [{"name": f"Player {seat + 1}", "bot": None} for seat in range(case.players)]
    return Match(game, case.options, seats, f"kit-{case.seed}", house)


def again(match: Match, moment: Moment) -> Commit | None:
    """Take a moment's recorded action on a copy of its match; None if there is none, or it does not work (other checks say so)."""
    if moment.seat is None or moment.action is None or moment.seat not in match.prompts:
        return None
    try:
        return match.act(moment.seat, match.prompts[moment.seat].id, moment.action)
    except CarteadoError:
        return None


def aimless(case: Case) -> bool:
    """Tell whether the players of a case take no advice at all; such matches can be very long."""
    return CHANCES[case.seed % len(CHANCES)] == 1


def _shape(form: dict[str, Any]) -> str:
    return f"-{form['type']}" if form["blocked"] else f"{form['type']}({','.join(form['fields'])})"


class Recorder:
    """Play one case and keep what the checks need; `most` actions at most."""

    def __init__(self, game: Game, case: Case, most: int) -> None:
        self.game = game
        self.case = case
        self.most = most
        self.match = new_match(game, case)
        self.rng = random.Random(f"{game.name}/{case.seed}")
        self.choosing = random.Random(f"moments/{case.seed}")
        rules = self.match.rules
        advises = rules.has("suggest") or rules.has("hints")
        self.chooser = Chooser(game, self.rng, CHANCES[case.seed % len(CHANCES)] if advises else 1.0)
        self.memory = Memory(self.match)
        self.recording = Recording(case, self.match, refused=self.chooser.refused)
        self.met: dict[tuple[str, ...], int] = {}

    def play(self) -> Recording:
        """Return the recording; a hook that fails ends it with trouble."""
        hook, seat = "deal", None
        try:
            actions = 0
            while self.match.phase != OVER and actions < self.most:
                if self.match.phase == DEALING:
                    hook, seat = "deal", None
                    self._commit(self.match.deal(hand_seed(self.case, self.match.hand + 1)).raw)
                    self.recording.deals += 1
                    continue
                hook, seat = "turn", self.rng.choice(sorted(self.match.prompts))
                self._act(seat)
                actions += 1
            self._keep(self._moment(("end" if self.match.phase == OVER else "cut",)))
        except PluginFault as fault:
            self.recording.trouble = Trouble(fault.hook, fault, self.match.q, seat)
        except CarteadoError as error:
            self.recording.trouble = Trouble(hook, error, self.match.q, seat)
        self.recording.moments.sort(key=lambda moment: moment.step)
        return self.recording

    def _commit(self, raw: list[Any]) -> None:
        self.memory.follow(raw, self.match.table)
        for event in raw:
            if event[0] == "say":
                key, args = event[1]
                self.recording.said.setdefault((key, *sorted(args)), event[1])
        if self.match.result is not None and self.match.phase != PLAYING:
            self.recording.results.append(self.match.result)

    def _act(self, seat: int) -> None:
        prompt = self.match.prompts[seat]
        try:
            view = self.match.view(seat, captions=False)
        except PluginFault:
            self._keep(self._moment((prompt.stage, "?")))
            raise
        forms = view["prompts"][0]["forms"]
        kind = (prompt.stage, *(_shape(form) for form in forms))
        moment = self._moment(kind) if self._wanted(kind) else None
        if moment is not None:
            moment.seat = seat
            self._keep(moment)
        action, commit = self.chooser.act(self.match, seat, view)
        if moment is not None:
            moment.action = action
        self._commit(commit.raw)

    def _wanted(self, kind: tuple[str, ...]) -> bool:
        """Tell whether to keep this moment: each of a kind with the same chance, a few of each."""
        met = self.met[kind] = self.met.get(kind, 0) + 1
        return met <= KEPT or self.choosing.random() < KEPT / met

    def _moment(self, kind: tuple[str, ...]) -> Moment:
        return Moment(self.case, self.match.q, branch(self.match), self.memory.labels(), kind)

    def _keep(self, moment: Moment) -> None:
        same = [i for i, kept in enumerate(self.recording.moments) if kept.kind == moment.kind]
        if len(same) >= KEPT:
            del self.recording.moments[self.choosing.choice(same)]
        self.recording.moments.append(moment)
