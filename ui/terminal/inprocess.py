"""A session at a match in this very process, which can be looked at after any of its entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from carteado.core.words import Catalogue, Message
from carteado.net.timeline import Timeline

from .idle import Idle
from .room import Chair, Room
from .session import Change
from .tools import Slider
from .words import catalogue

if TYPE_CHECKING:
    from .controls import Controls


class InProcess(Idle):
    """One place to look from at a timeline: a seat's or a watcher's, with all cards in sight or only those this seat may see."""

    line = "live"
    line_reason = ""
    seconds: int | None = None

    def __init__(self, timeline: Timeline, lang: str = "en", seat: int | None = None) -> None:
        super().__init__(lang)
        self.timeline = timeline
        self.seat = seat
        self.whole = True
        self._controls: Controls | None = None
        self._view: tuple[Any, dict[str, Any]] | None = None

    @property
    def view(self) -> Mapping[str, Any] | None:
        """The view from where one looks, None before the first hand."""
        if self.timeline.place == 0:
            return None
        key = (id(self.timeline.match), self.timeline.place, len(self.timeline.entries), self.seat, self.whole)
        if self._view is None or self._view[0] != key:
            view = self.timeline.view(self.seat, self.whole)
            self._view = (key, self.dressed(view))
        return self._view[1]

    def dressed(self, view: dict[str, Any]) -> dict[str, Any]:
        """Return the view with what this session adds to its captions."""
        return view

    @property
    def room(self) -> Room | None:
        """The table around the hands."""
        match = self.timeline.match
        chairs = [Chair(number, seat["name"], seat["bot"]) for number, seat in enumerate(match.seats)]
        return Room(self.stage, chairs, self.may, title=match.game.title or match.game.name, game=match.game.name, id=match.id)

    @property
    def stage(self) -> str:
        """The table's stage."""
        return {"playing": "playing", "over": "over"}.get(self.timeline.match.phase, "between")

    @property
    def may(self) -> frozenset[str]:
        """What can be asked for."""
        return frozenset()

    @property
    def slider(self) -> Slider | None:
        """Where one stands in the match."""
        return Slider(self.timeline.place, len(self.timeline.entries), self.timeline.hands())

    @property
    def catalogues(self) -> Sequence[Catalogue]:
        """The texts of the game and of the core."""
        game = self.timeline.game
        return [game.words(self.lang), game.words("en"), catalogue("carteado.core", self.lang)]

    @property
    def looks(self) -> Mapping[str, Any]:
        """How the cards of the deck look."""
        return self.timeline.game.deck.looks

    @property
    def rules(self) -> str:
        """The rules of the game in Markdown."""
        game = self.timeline.game
        return game.rules(self.lang) or game.rules("en")

    def tell(self, change: Change) -> None:
        """Let the client know of a change; the view is made anew."""
        self._view = None
        super().tell(change)

    def stand(self, place: int) -> None:
        """Stand after the first `place` entries."""
        timeline = self.timeline
        before = timeline.place
        commit = timeline.go(place)
        self.tell(Change("view", commit.events(self.seat) if commit is not None and timeline.place > before else ()))

    def look_from(self, seat: int | None) -> None:
        """Look from another seat, or (None) as a watcher."""
        self.seat = seat
        self.tell(Change("view"))

    # tools

    def attach(self, controls: Controls) -> None:
        """Take the controls to open boxes with."""
        self._controls = controls

    def spoke(self) -> None:
        """Be told that the words are in another language now: the view is made of keys and needs nothing."""

    def slide(self, place: int) -> None:
        """Stand after the first `place` entries, or after the first one."""
        self.stand(max(1, place))
        self.tell(Change("table"))

    def walk(self, name: str) -> bool:
        """Go to another entry or seat, or see more or less of the cards; tell whether the tool of this name does that."""
        timeline = self.timeline
        match name:
            case "back":
                self.slide(timeline.place - 1)
            case "forth":
                self.slide(timeline.place + 1)
            case "hand_back":
                self.slide(max((place for place in timeline.hands() if place < timeline.place), default=1))
            case "hand_forth":
                self.slide(min((place for place in timeline.hands() if place > timeline.place), default=len(timeline.entries)))
            case "seat":
                seats = [*timeline.match.table.players, None]
                self.look_from(seats[(seats.index(self.seat) + 1) % len(seats)])
            case "whole":
                self.whole = not self.whole
                self.tell(Change("view"))
            case _:
                return False
        return True

    async def speak(self, lang: str) -> Message | None:
        """Change the language of the game's and the core's texts."""
        self._view = None
        return await super().speak(lang)
