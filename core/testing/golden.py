"""Golden files: recorded matches, and counted trees of legal actions, kept beside a game and compared.

`golden/play-<seed>.jsonl` is a journal. `golden/trees.jsonl` holds a line for each case: `{"seed", "players", "options", "plies"}`. A ply
is `[positions, actions, forms]`: how many positions were looked at, how many different legal actions they have together in forms whose
fillings can be counted, and how many forms could not be counted. Of each position the tree goes on with a few actions, chosen by the
position's own number, so that the counts are the same everywhere.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..bots.fillings import fillings
from ..bots.state import key
from ..errors import CarteadoError, JournalMismatch, Refused
from ..game import Game
from ..journal import Journal
from ..match import DEALING, PLAYING, Match
from ..replay import replay
from ..shuffle import Stream
from .faults import Case
from .question import Question
from .recording import Recorder, hand_seed, new_match
from .swaps import branch
from .trial import Trial

MATCHES, ACTIONS = 4, 400
PLIES, WIDTH, BROAD = 6, 2, 300
"""Depth of a tree; actions it goes on with from a position; fillings of a form that are counted at most."""


def folder(game: Game) -> Path:
    """Return where a game's golden files are: the folder `golden` beside its source."""
    return Path(inspect.getfile(type(game))).parent / "golden"


def cases(trial: Trial) -> list[Case]:
    """Return the cases that golden files are made of: one for every variant, and a few with other numbers of seats."""
    return [trial.case(seed) for seed in range(max(MATCHES, len(trial.variants)))]


def write(trial: Trial, where: Path) -> list[Path]:
    """Write a game's golden files anew; return their paths. Raises: CarteadoError when a match cannot be played."""
    where.mkdir(exist_ok=True)
    for old in where.glob("play-*.jsonl"):
        old.unlink()
    written = []
    for case in cases(trial):
        recording = Recorder(trial.game, case, ACTIONS).play()
        if recording.trouble is not None:
            raise recording.trouble.error
        path = where / f"play-{case.seed}.jsonl"
        path.write_bytes(recording.journal.dump())
        written.append(path)
    trees = where / "trees.jsonl"
    lines = [json.dumps(_line(case, counted(trial.game, case)), sort_keys=True) for case in cases(trial)]
    trees.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [*written, trees]


def _line(case: Case, plies: list[list[int]]) -> dict[str, Any]:
    return {"seed": case.seed, "players": case.players, "options": dict(case.options), "plies": plies}


def compare(game: Game, where: Path) -> Iterator[tuple[str, str]]:
    """Iterate over what differs between the game and its golden files: the file's name and a sentence."""
    for path in sorted(where.glob("play-*.jsonl")):
        try:
            replay(Journal.load(path.read_bytes()), game)
        except JournalMismatch as error:
            yield path.name, str(error)
    trees = where / "trees.jsonl"
    for number, line in enumerate(trees.read_text(encoding="utf-8").splitlines() if trees.exists() else [], 1):
        written = json.loads(line)
        case = Case(written["seed"], written["players"], written["options"])
        try:
            plies = counted(game, case)
        except CarteadoError as error:
            yield f"{trees.name}, line {number}", f"the first hand cannot be played: {error}"
            continue
        if plies != written["plies"]:
            at = next((i for i, (one, two) in enumerate(zip(plies, written["plies"], strict=False)) if one != two), len(plies))
            yield f"{trees.name}, line {number}", f"ply {at} counts {plies[at : at + 1]}, written are {written['plies'][at : at + 1]}"


def counted(game: Game, case: Case) -> list[list[int]]:
    """Return the counts of a case's tree, ply by ply: `[positions, actions, forms not counted]`."""
    match = new_match(game, case)
    match.deal(hand_seed(case, 1))
    level: list[Match] = [match]
    plies: list[list[int]] = []
    for _ in range(PLIES):
        total, uncounted = 0, 0
        following: list[Match] = []
        for number, position in enumerate(level):
            actions, more = legal(position)
            total, uncounted = total + len(actions), uncounted + more
            following += _children(position, actions, Stream(hand_seed(case, 0), f"tree/{len(plies)}/{number}"))
        plies.append([len(level), total, uncounted])
        level = following
    return plies


def legal(match: Match) -> tuple[list[tuple[int, dict[str, Any]]], int]:
    """Return the different legal actions of all asked seats, in a fixed order, and how many forms could not be counted."""
    found: dict[str, tuple[int, dict[str, Any]]] = {}
    uncounted = 0
    for seat in sorted(match.prompts) if match.phase == PLAYING else ():
        question = Question(match, seat)
        for form in question.open_forms:
            actions = fillings(question.view, form, BROAD)
            uncounted += actions is None
            for action in actions or ():
                if question.accepts(action):
                    found.setdefault(f"{seat} {key(action)}", (seat, action))
    return [found[name] for name in sorted(found)], uncounted


def _children(match: Match, actions: list[tuple[int, dict[str, Any]]], stream: Stream) -> Iterator[Match]:
    for _ in range(min(WIDTH, len(actions))):
        seat, action = actions[stream.below(len(actions))]
        child = branch(match)
        try:
            child.act(seat, child.prompts[seat].id, action)
        except Refused:
            continue
        if child.phase != DEALING:
            yield child
