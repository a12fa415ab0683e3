"""What a game plugin is: a named object with a few facts and the hooks of `GameSpec`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from . import texts
from .cards import FRENCH_52, Deck
from .options import TableOption
from .result import Result

if TYPE_CHECKING:
    from .table import Table

API = 1
"""The version of the plugin interface; a game says the one it was written for."""
FLOOR = 1
"""The oldest version still served."""


class Game:
    """The base of a game: facts with defaults, to be overridden by attributes of the same name.

    api: plugin interface version; name: `[a-z0-9-]{1,24}`, unique; version: of the rules; title: as shown; seats: (fewest, most);
    deck: its faces and looks; table_options: choices before the start; score: which points are better, "low" or "high";
    reveal: when the deal's secret may be opened, "hand" or "match"; levels: computer players this game claims, weakest first;
    bots: own levels, name -> factory taking nothing, giving an object with `choose(view, rng) -> action`;
    needs: capabilities asked of the host; telling: faces whose holder the rules make known to all without showing them (a card that must
    lead), which the conformance kit then never moves when it looks for leaks; leaver_keeps_result: when a computer player goes on for
    somebody who left, its place and chips are those of whoever left, and there is no penalty.
    """

    api: ClassVar[int] = API
    name: ClassVar[str] = ""
    version: ClassVar[str] = "1"
    title: ClassVar[str] = ""
    seats: ClassVar[tuple[int, int]] = (2, 4)
    deck: ClassVar[Deck] = FRENCH_52
    table_options: ClassVar[Sequence[TableOption]] = ()
    score: ClassVar[str] = "high"
    reveal: ClassVar[str] = "hand"
    levels: ClassVar[Sequence[str]] = ("random", "rule")
    bots: ClassVar[Mapping[str, Any]] = {}
    needs: ClassVar[Sequence[str]] = ()
    telling: ClassVar[Sequence[str]] = ()
    leaver_keeps_result: ClassVar[bool] = False

    def pack(self, options: Mapping[str, Any]) -> Sequence[str]:
        """Return the faces of one hand's pack; all zones together always hold exactly these."""
        return self.deck.cards

    def teams(self, players: int, options: Mapping[str, Any]) -> Sequence[Sequence[int]]:
        """Return the teams as groups of seats; none by default."""
        return ()

    def check_options(self, options: Mapping[str, Any]) -> None:
        """Refuse combinations of table options that make no game: raise Refused("bad_option", ...)."""

    def check_players(self, players: int, options: Mapping[str, Any]) -> bool:
        """Tell whether this many can play with these options; within `seats` by default."""
        return self.seats[0] <= players <= self.seats[1]

    def value(self, result: Result, seat: int) -> float:
        """Return what a hand's result is worth to a seat, for search: by default its points against the others' mean."""
        points = result.points
        others = [points[other] for other in points if other != seat]
        mean = sum(others) / len(others) if others else 0.0
        return (points.get(seat, 0) - mean) * (1 if self.score == "high" else -1)

    def tally(self, table: Table, seat: int | None) -> Mapping[str, tuple[int, int]]:
        """Return what an arena counts at a match's end, of a seat or (None) of the table: name -> (how many, of how many)."""
        return {}

    def words(self, lang: str) -> Mapping[str, Any]:
        """Return the game's catalogue in a language, {} if it has none; English must be complete.

        By default it is the file `locale/<lang>.json` beside the game's code.
        """
        return texts.catalogue(self._kinds(), lang)

    def rules(self, lang: str) -> str:
        """Return the rules text in a language (Markdown), '' if there is none.

        By default it is the file `rules.<lang>.md` beside the game's code.
        """
        return texts.rules(self._kinds(), lang)

    def _kinds(self) -> Iterator[type]:
        """Iterate over the classes of this game, its own first."""
        return (kind for kind in type(self).__mro__ if issubclass(kind, Game) and kind is not Game)
