"""A game on its author's bench: the whole state in sight, every seat to act for, and the code loaded anew while the match goes on.

The match is never lost: stepping back and doing something else keeps what came after as another branch, and code that plays the journal
differently is told where it differs.
"""

from __future__ import annotations

import hashlib
import importlib
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from carteado.core.bots import Player, levels, player
from carteado.core.encoding import canonical
from carteado.core.errors import CarteadoError, JournalMismatch, LoadFailure, Refused
from carteado.core.game import Game
from carteado.core.match import Commit, Match
from carteado.core.modules import modules_of, package_of
from carteado.core.replay import step
from carteado.core.zones import Viewer

from . import inventory
from .deadline import LIMIT, within
from .timeline import Entry, Timeline, differences, state_of
from .workers import searches

MOST_DIFFERENCES = 12
THOUGHT = 10 * LIMIT
"""Seconds for a computer player's choice: search calls many hooks."""


@dataclass(frozen=True)
class Reloaded:
    """What came of loading the code anew: how many of the entries play as before, and why not more."""

    same: int
    of: int
    why: str = ""
    """Why the first entry that is not the same is not; or why the new code cannot be loaded at all."""
    failed: bool = False
    """Whether the new code cannot be loaded; the old goes on."""
    different: tuple[str, ...] = ()
    """Where the state after that entry differs, new code against old."""


@dataclass(frozen=True)
class Branch:
    """Entries that were left for something else: they part from the others after `parted` entries."""

    parted: int
    entries: tuple[Entry, ...]


class Workshop(Timeline):
    """A match of one installed game for its author."""

    def __init__(
        self,
        name: str,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        computers: Mapping[int, str] | None = None,
        seed: str = "dev",
        load: Callable[[str], Game] = inventory.load,
    ) -> None:
        """`computers` says which seats play by themselves and how well; the same `seed` deals the same hands.

        Raises: LoadFailure; Refused for options or a number of players the game does not take; UnknownLevel.
        """
        game = load(name)
        count = players or max(2, game.seats[0])
        names = [{"name": f"{game.title or name} {seat}" if count == 1 else f"Seat {seat}", "bot": None} for seat in range(count)]
        first = Match(game, options or {}, names, table="dev")
        super().__init__(game, first.journal.header)
        self._load = load
        self.seed = seed
        self.salt = 0
        self.branches: list[Branch] = []
        self._players: dict[int, tuple[str, Player]] = {}
        self._files = self._dates()
        for seat, level in (computers or {}).items():
            self.play_by(seat, level)

    # who plays

    @property
    def levels(self) -> list[str]:
        """The game's computer players, weakest first."""
        return levels(self.game)

    def level(self, seat: int) -> str | None:
        """Return the computer player of a seat, None where the author plays."""
        return self._players[seat][0] if seat in self._players else None

    def play_by(self, seat: int, level: str | None) -> None:
        """Let a computer player have a seat, or (None) take it back. Raises: Refused for no such seat, UnknownLevel."""
        if seat not in self.match.table.players:
            raise Refused("no_seat")
        if level is None:
            self._players.pop(seat, None)
        else:
            self._players[seat] = (level, player(self.game, level))

    def waiting(self) -> int | None:
        """Return a seat that is asked and has a computer player, at the end of the journal; else None."""
        if self.next() is not None:
            return None
        return next((seat for seat in self.match.prompts if seat in self._players), None)

    def choose(self, seat: int, level: str | None = None) -> dict[str, Any]:
        """Return what the seat's computer player (or one of `level`) would do; the same place gives the same choice."""
        chooser = player(self.game, level) if level is not None else self._players[seat][1]
        with within(THOUGHT):
            return chooser.choose(self.match.view(seat), random.Random(f"{self.seed}/{self.place}/{seat}"))

    def searching(self, seat: int, level: str | None = None) -> str | None:
        """Return the level of the seat's computer player (or `level`) if it searches, which takes a process of its own; else None."""
        if level is None:
            level, chooser = self._players[seat]
        else:
            chooser = player(self.game, level)
        return level if searches(chooser) else None

    def view(self, seat: Viewer, whole: bool) -> dict[str, Any]:
        """Return a view as the timeline does; hooks that do not come back are interrupted."""
        with within():
            return super().view(seat, whole)

    # what happens

    def deal(self) -> Commit:
        """Deal the next hand. Raises: Refused, PluginFault."""
        with within():
            return self._added(self.match.deal(self._hand_seed()))

    def deal_anew(self) -> Commit:
        """Deal the running (or next) hand from another seed. Raises: Refused, PluginFault."""
        deals = [place for place in self.hands() if place <= self.place]
        if deals and self.match.phase == "playing":
            self.go(deals[-1] - 1)
        self.salt += 1
        return self.deal()

    def act(self, seat: int, prompt: int, action: Mapping[str, Any]) -> Commit:
        """Act for a seat; what came after this place in the journal becomes a branch. Raises: Refused, PluginFault."""
        with within():
            return self._added(self.match.act(seat, prompt, dict(action)))

    def switch(self, branch: int) -> None:
        """Go on with another branch, and keep this one as a branch in its place."""
        chosen = self.branches[branch]
        self.branches[branch] = Branch(chosen.parted, tuple(self.entries))
        self.entries = list(chosen.entries)
        self.match = self._start()
        self.go(len(self.entries))

    def _hand_seed(self) -> bytes:
        return hashlib.sha256(f"{self.seed}/{self.salt}/{self.match.hand + 1}".encode()).digest()

    def _added(self, commit: Commit) -> Commit:
        """Take a new entry into the journal; what followed in its place goes on as a branch."""
        place = commit.q - 1
        if place < len(self.entries):
            self.branches.append(Branch(place, tuple(self.entries)))
            del self.entries[place:]
        self.entries.append(commit.entry)
        return commit

    # the code

    def changed(self) -> bool:
        """Tell whether a file of the game is another one than when it was loaded."""
        return self._dates() != self._files

    def reload(self) -> Reloaded:
        """Import the game anew and play the journal with it, up to the first entry that gives something else."""
        try:
            game = self._fresh()
        except LoadFailure as failure:
            return Reloaded(0, len(self.entries), str(failure), failed=True)
        before, place = (self.game, list(self.entries)), self.place
        try:
            match = Match(game, self.header["options"], self.header["seats"], self.header["table"], self.house)
        except CarteadoError as error:
            return Reloaded(0, len(self.entries), f"the new code does not take these options or seats: {error}", failed=True)
        self.game, self.match = game, match
        told = self._followed(before)
        self.header = dict(match.journal.header)
        if told.same < told.of:
            self.branches.append(Branch(told.same, tuple(self.entries)))
        self.entries = list(match.journal.entries)
        self._players = {seat: (level, player(game, level)) for seat, (level, _) in self._players.items() if level in levels(game)}
        self.go(min(place, len(self.entries)))
        return told

    def _followed(self, before: tuple[Game, Sequence[Entry]]) -> Reloaded:
        """Play the old entries with the new code; they are compared by their hashes, or by digests where the header is another."""
        match, entries = self.match, before[1]
        strict = canonical(match.journal.header) == canonical(self.header)
        for done, entry in enumerate(entries):
            try:
                with within():
                    step(match, entry, check=strict)
            except JournalMismatch as mismatch:
                return Reloaded(done, len(entries), str(mismatch), different=self._differences(before, done))
            written = match.journal.entries[-1]
            if written.get("digest") != entry.get("digest"):
                why = f"entry {entry['n']} ({entry['k']}) ends with digest {written.get('digest')}, it was {entry.get('digest')}"
                return Reloaded(done, len(entries), why, different=self._differences(before, done))
        return Reloaded(len(entries), len(entries))

    def _differences(self, before: tuple[Game, Sequence[Entry]], done: int) -> tuple[str, ...]:
        """Compare the states after the first entry that differs, if the new code took it at all."""
        if self.match.q <= done:
            return ()
        old = Timeline(before[0], self.header, before[1], self.house)
        old.go(done + 1)
        return tuple(differences(state_of(old.match), state_of(self.match)))[:MOST_DIFFERENCES]

    def _fresh(self) -> Game:
        """Import the game's modules anew; those that were there come back when that fails. Raises: LoadFailure."""
        dates = self._dates()
        held = {module.__name__: sys.modules.pop(module.__name__) for module in modules_of(self.game)}
        importlib.invalidate_caches()
        try:
            game = self._load(self.game.name)
        except LoadFailure:
            sys.modules.update(held)
            raise
        self._files = dates
        return game

    def _dates(self) -> dict[str, int]:
        """Return when each file of the game was written last."""
        file = modules_of(self.game)[0].__file__
        if file is None:
            return {}
        places = Path(file).parent.rglob("*") if package_of(self.game) is not None else [Path(file)]
        return {str(path): path.stat().st_mtime_ns for path in places if path.is_file() and path.suffix != ".pyc"}
