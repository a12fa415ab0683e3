"""Hands set out as a test wants them, played through the real match."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from carteado.core.api import CLOSED, OPEN, SECRET, Refused, Result, Table, hookimpl
from carteado.core.match import Commit, Match
from carteado.plugins.dez_degraus.game import DezDegraus
from carteado.plugins.dez_degraus.groups import build
from carteado.plugins.dez_degraus.rules import CARDS, Wanted, is_natural

SEED = bytes(32)


@dataclass(frozen=True)
class Scene:
    """One hand in the middle of play; cards are written `R7 W S`.

    hands: by seat; a seat left out gets ten cards that are left over. stock: top first. discards: top last. groups: (owner, kind, cards)
    on the table, whose owners have laid. boxed: the cards left over lie in a box instead of below the stock.
    """

    hands: Mapping[int, str]
    stock: str = ""
    discards: str = "G1"
    groups: Sequence[tuple[int, str, str]] = ()
    phases: Sequence[int] | None = None
    skips: Sequence[int] = ()
    served: Sequence[int] = ()
    turn: int = 0
    stage: str = "play"
    turns: int = 1
    boxed: bool = False
    laid: Sequence[int] = field(default=())


class Stacked(DezDegraus):
    """The game with some of its hands set out by the test: a Scene, a Result for a hand that is over at once, None for a real deal."""

    def __init__(self, *hands: Scene | Result | None) -> None:
        self.hands = hands

    def planned(self, table: Table) -> Scene | Result | None:
        return self.hands[table.hand - 1] if table.hand <= len(self.hands) else None

    @hookimpl
    def deal(self, table: Table) -> None:
        scene = self.planned(table)
        if not isinstance(scene, Scene):
            DezDegraus.deal(self, table)
            return
        left = Counter(CARDS)
        stated = [*scene.hands.values(), scene.stock, scene.discards, *(cards for _, _, cards in scene.groups)]
        left.subtract(face for cards in stated for face in cards.split())
        assert min(left.values()) >= 0, "a scene holds a card more often than the pack"
        rest = sorted(left.elements(), key=lambda face: (is_natural(face), face))
        table.create("source", "pile", see=SECRET, cards=CARDS)
        self._fill(table, "discard", "pile", None, OPEN, scene.discards.split())
        for seat in table.seats:
            cards = scene.hands[seat].split() if seat in scene.hands else [rest.pop() for _ in range(10)]
            table.create(f"hand/{seat}", "fan", owner=seat)
            table.move("source", f"hand/{seat}", cards=cards)
        for number, (owner, kind, cards) in enumerate(scene.groups, start=1):
            group = build(Wanted(kind, 1), cards.split())
            self._fill(table, f"group/{number}", "group", owner, OPEN, group.cards)
            table.mark(f"group/{number}", kind=group.kind, of=group.of, wilds=group.wilds())
        top_last = [*([] if scene.boxed else rest), *reversed(scene.stock.split())]
        self._fill(table, "stock", "pile", None, CLOSED, top_last)
        if not scene.boxed:
            table.drop("source")
        table.set("phases", list(scene.phases or table.kept("phases") or [1] * len(table.players)))
        table.set("laid", sorted({*scene.laid, *(owner for owner, _, _ in scene.groups)}))
        table.set("skips", list(scene.skips))
        table.set("served", list(scene.served))
        table.set("turns", scene.turns)
        table.ask(scene.turn, scene.stage)

    @staticmethod
    def _fill(table: Table, name: str, kind: str, owner: int | None, see: Any, cards: Sequence[str]) -> None:
        table.create(name, kind, owner=owner, see=see)
        table.move("source", name, cards=cards)

    @hookimpl
    def scoring(self, table: Table) -> Result | None:
        planned = self.planned(table)
        return planned if isinstance(planned, Result) else DezDegraus.scoring(self, table)


class Play:
    """A match at the first hand that is not over at once, with short words for acting and looking."""

    def __init__(self, match: Match) -> None:
        self.match = match

    def deal(self) -> Play:
        """Deal until there is somebody to act, or the match is over."""
        while self.match.phase == "dealing":
            self.match.deal(SEED)
        return self

    def do(self, seat: int, kind: str, /, **fields: Any) -> Commit:
        """Answer the seat's open prompt."""
        done = self.match.act(seat, self.match.prompts[seat].id, {"type": kind, **fields})
        assert self.match.table.all_cards() == sorted(CARDS)
        return done

    def refused(self, seat: int, kind: str, /, **fields: Any) -> str:
        """Return the code with which an action is refused (a blocked form's reason), and see that nothing changed."""
        before = self.match.digest(), self.match.q, self.match.h
        prompts = self.match.prompts
        prompt = prompts[seat].id if seat in prompts else max(prompt.id for prompt in prompts.values())
        with pytest.raises(Refused) as caught:
            self.match.act(seat, prompt, {"type": kind, **fields})
        assert (self.match.digest(), self.match.q, self.match.h) == before
        return str(caught.value.data["why"][0]) if caught.value.code == "blocked" else caught.value.code

    def cards(self, zone: str) -> str:
        """Return a zone's cards, top last; a hand's sorted."""
        found = self.match.table.cards(zone)
        return " ".join(sorted(found) if zone.startswith("hand/") else found)

    @property
    def turn(self) -> int:
        """Return the one seat that is asked."""
        (seat,) = self.match.prompts
        return seat

    @property
    def points(self) -> list[int]:
        """Return the points of the hand that is over."""
        assert self.match.result is not None
        points: list[int] = self.match.result["points"]
        return points

    @property
    def reason(self) -> str:
        """Return why the last hand ended, as a message key."""
        assert self.match.result is not None
        return str(self.match.result["reason"][0])

    @property
    def phases(self) -> list[int]:
        """Return the phases kept from the last hand."""
        phases: list[int] = self.match.table.kept("phases")
        return phases

    @property
    def places(self) -> list[list[int]]:
        """Return the places at the match's end."""
        assert self.match.end is not None
        places: list[list[int]] = self.match.end["places"]
        return places

    @property
    def chips(self) -> list[int]:
        """Return the chips at the match's end."""
        assert self.match.end is not None
        chips: list[int] = self.match.end["chips"]
        return chips

    def said(self) -> list[str]:
        """Return the keys of the log as a watcher sees it."""
        return [message[0] for message in self.match.view(None)["log"]]


Begin = Callable[..., Play]


@pytest.fixture
def scene() -> type[Scene]:
    return Scene


@pytest.fixture
def play() -> Begin:
    def begin(*hands: Scene | Result | None, players: int = 3, **options: Any) -> Play:
        seats = [{"name": name} for name in ("Ana", "Bruno", "Carla", "Dinis", "Eva", "Filipe")[:players]]
        return Play(Match(Stacked(*hands), options, seats)).deal()

    return begin
