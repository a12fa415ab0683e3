"""Screens of whole matches, state by state: what docs/screens/ shows. The matches are recorded; CARTEADO_SCREENS=write writes the pages.

CARTEADO_SCREENS=record plays the matches anew.
"""

from __future__ import annotations

import asyncio
import importlib
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from carteado.core.bots import player
from carteado.core.game import Game
from carteado.core.journal import Journal
from carteado.core.loader import load
from carteado.core.match import DEALING, OVER, Commit, Match
from carteado.core.options import resolve
from carteado.net.timeline import Timeline
from carteado.ui.terminal import pages
from carteado.ui.terminal.local import Local, hand_zone
from carteado.ui.terminal.menus import hints_box
from carteado.ui.terminal.room import Chair, Room
from carteado.ui.terminal.table import paint
from carteado.ui.terminal.viewer import ViewerSession
from carteado.ui.terminal.words import own_catalogue, words_for

from .harness import CORE, pilot

ROOT = Path(__file__).resolve().parents[2]
RECORDED = ROOT / "tests" / "data" / "screens"
PAGES = ROOT / "docs" / "screens"
SIZES = ((80, 24), (120, 40))
NAMES = ("Rita", "Ana", "Bruno", "Carla")
ME = 0


@dataclass(frozen=True, eq=False)
class Show:
    """A game of the gallery: who plays, with which options, from which seed."""

    name: str
    players: int
    seed: int
    options: Mapping[str, Any] = field(default_factory=dict)
    example: str = ""


SHOWS = (
    Show("dez-degraus", 3, 4),
    Show("cascata", 3, 2),
    Show("skat", 3, 8, {"hands": 3}),
    Show("hearts", 4, 5, {"target": 30}, "hearts"),
    Show("crazy-eights", 3, 5, {"target": 50}, "crazy_eights"),
)


def game_of(show: Show) -> Game:
    """Return the game, an example from its folder."""
    if not show.example:
        return load(show.name)
    folder = str(ROOT / "examples" / show.example)
    if folder not in sys.path:
        sys.path.append(folder)
    game: Game = importlib.import_module(f"carteado_{show.example}").game
    return game


def record(show: Show) -> None:
    """Play the match and keep its journal."""
    game, rng = game_of(show), random.Random(show.seed)
    seats = [{"name": name, "bot": "rule" if seat == 1 else None} for seat, name in enumerate(NAMES[: show.players])]
    match = Match(game, options=dict(show.options), seats=seats, table="t-1")
    bot = player(game, "rule")
    while match.phase != OVER:
        if match.phase == DEALING:
            match.deal(rng.randbytes(32))
            continue
        seat, prompt = next(iter(match.prompts.items()))
        match.act(seat, prompt.id, bot.choose(match.view(seat), rng))
    RECORDED.mkdir(parents=True, exist_ok=True)
    (RECORDED / f"{show.name}.jsonl").write_bytes(match.journal.dump())


@cache
def journal_of(show: Show) -> Journal:
    """Return the recorded match."""
    return Journal.load((RECORDED / f"{show.name}.jsonl").read_bytes())


def timeline_of(show: Show) -> Timeline:
    """Return the recorded match, at its beginning."""
    journal = journal_of(show)
    return Timeline(game_of(show), journal.header, journal.entries)


def local_of(show: Show) -> Local:
    """Return a fresh screen of the reader."""
    game = game_of(show)
    local = Local(words_for([game.words("en"), CORE, own_catalogue("en")], game.deck.looks), can_chat=True)
    local.room = Room("playing", chairs(show), frozenset({"leave"}), title=game.title)
    return local


def chairs(show: Show) -> list[Chair]:
    return [Chair(seat, name, "rule" if seat == 1 else None) for seat, name in enumerate(NAMES[: show.players])]


class Walk:
    """A walk through a recorded match with the reader's eyes."""

    def __init__(self, show: Show, viewer: int | None = ME) -> None:
        self.timeline = timeline_of(show)
        self.local = local_of(show)
        self.viewer = viewer

    @property
    def view(self) -> dict[str, Any]:
        return self.timeline.match.view(self.viewer)

    def steps(self) -> Iterator[dict[str, Any]]:
        """Go through the match entry by entry and give each view."""
        while self.timeline.next() is not None:
            commit: Commit | None = self.timeline.go(self.timeline.place + 1)
            view = self.view
            self.local.tricks.hear(commit.events(self.viewer) if commit is not None else ())
            self.local.see(view)
            yield view

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> bool:
        """Go on until something holds; False at the end."""
        return any(wanted(view) for view in self.steps())

    def next_action(self) -> Mapping[str, Any]:
        """Return what the reader does next."""
        entry = self.timeline.next() or {}
        return entry["do"] if entry.get("k") == "action" and entry.get("seat") == ME else {}


def asked(view: Mapping[str, Any]) -> str:
    """Return the stage that the reader is asked about, '' if he is not."""
    return str(view["prompts"][0]["stage"]) if view["prompts"] else ""


def mark_next(walk: Walk) -> None:
    """Mark the cards that the reader uses next."""
    own = hand_zone(walk.view)
    faces = [face for value in walk.next_action().values() if isinstance(value, list) for face in value if isinstance(face, str)]
    if own is not None:
        walk.local.hand.mark([face for face in faces if face in walk.local.hand.faces])
        walk.local.refresh(walk.view)


def waiting(show: Show, size: tuple[int, int]) -> str:
    """Return the waiting room with the table's options."""
    game, local = game_of(show), local_of(show)
    people = [Chair(0, "Rita", ready=True), Chair(1, "Ana", "rule"), Chair(2, "Bruno", line="lagging", quiet=7)]
    people += [Chair(seat, line="empty") for seat in range(3, game.seats[1])]
    local.room = Room(
        "lobby", people, frozenset({"ready", "start", "fill", "leave"}), title=game.title, address="tcp://10.0.0.7:7777#key",
        options=list(resolve(game, {}).items()), watchers=1, terms=[("ui.terms.move", {"n": 45}), ("ui.terms.bot", {"n": 120})],
    )  # fmt: skip
    return paint(None, local, *size).text()


def states(show: Show, size: tuple[int, int]) -> Iterator[tuple[str, str]]:
    """Yield the states of a game, each with its caption, as screens of this size."""

    def shot(walk: Walk) -> str:
        return paint(walk.view, walk.local, *size).text()

    yield "The waiting room: chairs, options, what was agreed about time.", waiting(show, size)

    walk, seen = Walk(show), set[str]()
    while walk.until(lambda view: bool(asked(view)) and asked(view) not in seen and walk.next_action() != {}):
        stage = asked(walk.view)
        seen.add(stage)
        yield f"The reader is asked: `{stage}`.", shot(walk)
        mark_next(walk)
        if any(walk.local.picked().values()):
            yield "With the cards marked: stars and double lines show where they may go.", shot(walk)

    walk = Walk(show)
    walk.until(lambda view: view["hand"]["number"] > 1 or len(view["log"]) > 20)
    if walk.until(lambda view: bool(asked(view)) and bool(view["prompts"][0]["hints"])):
        walk.local.boxes.append(hints_box(walk.view, walk.local, lambda action: None))
        yield "`i`: the game's hints.", shot(walk)
    walk = Walk(show)
    walk.until(lambda view: view["hand"]["number"] > 1 or len(view["log"]) > 20)
    if walk.until(lambda view: bool(view["seats"]) and not asked(view) and view["phase"] == "playing"):
        yield "Somebody else's turn.", shot(walk)

    walk = Walk(show)
    if walk.until(lambda view: walk.local.tricks.held is not None and not view.get("result")):
        yield "A finished trick stays until it has been seen.", shot(walk)
        walk.local.tricks.saw()
        walk.local.boxes.append(pages.trick_page(walk.view, walk.local))
        yield "`l`: the last trick.", shot(walk)

    walk = Walk(show)
    if walk.until(lambda view: bool(view.get("result")) and not view.get("end")):
        room = walk.local.room
        assert room is not None
        walk.local.room = Room("between", room.chairs, frozenset({"ready", "leave"}), title=room.title, deal_in=30)
        walk.local.tricks.saw()
        walk.local.boxes.append(pages.hand_over_page(walk.view, walk.local))
        yield "A hand is over: how its points came about.", shot(walk)
        walk.local.boxes.clear()
        walk.local.boxes.append(pages.points_page(walk.view, walk.local))
        yield "`p`: the score sheet.", shot(walk)

    walk = Walk(show)
    walk.until(lambda view: bool(view.get("end")))
    walk.local.tricks.saw()
    walk.local.room = Room("over", chairs(show), frozenset({"rematch", "ready", "leave"}), title=game_of(show).title)
    walk.local.boxes.append(pages.match_over_page(walk.view, walk.local))
    yield "The match is over: places and chips.", shot(walk)

    walk = Walk(show, None)
    walk.until(lambda view: len(view["log"]) > 12 and view["phase"] == "playing")
    yield "Somebody who only watches.", shot(walk)

    yield "`carteado replay FILE`: all cards open.", asyncio.run(replayed(show, size))


async def replayed(show: Show, size: tuple[int, int]) -> str:
    """Return the recording in the viewer, at a place where the reader had just one thing to do or early in the first hand."""
    timeline = timeline_of(show)
    session = ViewerSession(timeline)
    timeline.go(forced(show))
    session.look_from(None)
    async with pilot(session, *size, tools=session) as one:  # type: ignore[arg-type]
        text = one.text()
    await session.close()
    return text


def forced(show: Show) -> int:
    """Return a place where whoever is asked has one choice only: there every player of every strength does the same."""
    timeline = timeline_of(show)
    while timeline.next() is not None and timeline.match.hand < 2:
        timeline.go(timeline.place + 1)
        for seat in timeline.match.prompts:
            free = [form for form in timeline.match.view(seat)["prompts"][0]["forms"] if not form["blocked"]]
            fields = free[0]["fields"].values() if len(free) == 1 else ()
            if timeline.place > 12 and len(free) == 1 and all(len(blank.get("cards") or "12") == 1 for blank in fields):
                return timeline.place
    return 8


def page(show: Show) -> str:
    """Return the page of a game."""
    parts = [f"# Screens of {game_of(show).title}\n\nMade by a test from a recorded match, so that they stay true."]
    for size in SIZES:
        parts.append(f"## {size[0]} x {size[1]}")
        for caption, text in states(show, size):
            parts.append(f"{caption}\n\n```text\n{text.rstrip()}\n```")
    return "\n\n".join(parts) + "\n"
