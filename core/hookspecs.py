"""The hooks of a game. Three are needed: `deal`, `options`, `turn` and `scoring` make a game, the rest is optional.

Hooks that take `table` work on the one true state; hooks that take `view` get what one viewer may see and nothing else, so they
cannot give a hand away. Only `deal`, `turn` and `leave` may change the table.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from .forms import Form
    from .result import Result
    from .table import Table

PROJECT = "carteado"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


class GameSpec:
    """What a game (or a house rule around it) may implement."""

    @hookspec(firstresult=True)
    def deal(self, table: Table) -> None:
        """Set out one hand: create zones, shuffle, deal, and open the first prompt with `table.ask`."""

    @hookspec(firstresult=True)
    def options(self, table: Table, seat: int) -> Sequence[Form] | None:
        """Return the forms this seat may fill in now; called only while the seat has an open prompt. Reads only."""

    @hookspec(firstresult=True)
    def turn(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        """Apply an action that fits a form, or raise IllegalAction(code, **data); ask the next seat unless the hand is over."""

    @hookspec(firstresult=True)
    def scoring(self, table: Table) -> Result | None:
        """Return None while the hand lasts, then its Result. Reads only."""

    @hookspec(firstresult=True)
    def timeout(self, table: Table, seat: int) -> dict[str, Any] | None:
        """Return the action that a seat which ran out of time takes; None for the first default form. Reads only."""

    @hookspec(firstresult=True)
    def leave(self, table: Table, seat: int) -> bool | None:
        """Take a seat out of the running hand and ask the next one if needed; return True. Called without a substitute only."""

    @hookspec(firstresult=True)
    def settle(self, table: Table, places: list[list[int]]) -> Mapping[int, int] | None:
        """Return each seat's chips at the match's end (sum zero), or None to settle by place. Reads only."""

    @hookspec(firstresult=True)
    def layout(self, view: dict[str, Any]) -> dict[str, Any] | None:
        """Return captions and order for clients: title, prompt, badges, panels, labels, order, sorts."""

    @hookspec(firstresult=True)
    def sample(self, view: dict[str, Any], form: dict[str, Any], rng: random.Random) -> dict[str, Any] | None:
        """Return one random legal action that fills this form, or None if the generic sampler should try."""

    @hookspec(firstresult=True)
    def suggest(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any] | None:
        """Return the action a sensible player takes; the `rule` computer player and the help people ask for."""

    @hookspec(firstresult=True)
    def hints(self, view: dict[str, Any]) -> Sequence[dict[str, Any]] | None:
        """Return hints for the seat: `[{"text": message, "action": action | None, "weight": number}]`, best first."""

    @hookspec(firstresult=True)
    def determinise(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any] | None:
        """Return a view with every hidden card (and `secrets`: {seat: facts}) filled in, one world the seat must reckon with."""

    @hookspec(firstresult=True)
    def search_state(self, view: dict[str, Any], rng: random.Random) -> Any:
        """Return a compact state of one such world for search: `clone, mover, legal, apply, over, returns, policy`."""

    @hookspec
    def observe(self, view: dict[str, Any], events: list[dict[str, Any]]) -> None:
        """Be told of committed public events, with the watcher's view after them."""


class ProgramSpec:
    """What a plugin may add to the program as a whole."""

    @hookspec
    def register_games(self) -> Sequence[Any]:  # type: ignore[empty-body]
        """Return game plugins to offer besides the installed ones."""

    @hookspec
    def register_bots(self) -> Mapping[str, Any]:  # type: ignore[empty-body]
        """Return computer players for any game: level -> factory taking the game."""

    @hookspec
    def register_commands(self, commands: Any) -> None:
        """Add commands to the command line: `commands.add(name, help, setup, run)`."""
