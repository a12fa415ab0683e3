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
    from .recorded import Recorded
    from .result import Result
    from .table import Table

PROJECT = "carteado"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


class GameSpec:
    """What a game (or a house rule around it) may implement."""

    @hookspec(firstresult=True)
    def deal(self, table: Table) -> None:
        """Set out one hand: create zones, shuffle, deal, and open the first prompt.

        Called: once a hand, with the table empty and its seed set. May: change the table, create cards, `sit_out`.
        Example:
            table.create("stock", "pile", see=CLOSED, cards=self.deck.cards)
            table.shuffle("stock")
            for seat in table.around(table.start):
                table.create(f"hand/{seat}", "fan", owner=seat)
                table.move("stock", f"hand/{seat}", n=5)
            table.ask(table.start, "play")
        """

    @hookspec(firstresult=True)
    def options(self, table: Table, seat: int) -> Sequence[Form] | None:
        """Return the forms this seat may fill in now.

        Called: for a seat with an open prompt, before each of its actions and for its views. May: only read.
        Example:
            return [Form("play", key="p", on="pile", default=True, card=Pick(f"hand/{seat}", 1))]
        """

    @hookspec(firstresult=True)
    def turn(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        """Apply an action that fits a form, or raise IllegalAction(code, **data); then ask the next seat, unless the hand is over.

        Called: for every accepted shape of action, for sealed prompts also once to try it out. May: change the table.
        Example:
            if table.get("suit") not in action["card"][0]:
                raise IllegalAction("wrong_suit", card=C(action["card"][0]))
            table.move(f"hand/{seat}", "pile", cards=action["card"])
            table.ask(table.next(seat), "play")
        """

    @hookspec(firstresult=True)
    def scoring(self, table: Table) -> Result | None:
        """Return None while the hand lasts, then its Result.

        Called: after every action, inside the same draft. May: only read (last moves of a hand belong in `turn`).
        Example:
            if any(table.cards(f"hand/{seat}") for seat in table.seats):
                return None
            return Result({seat: len(table.cards(f"won/{seat}")) for seat in table.seats}, over=table.hand == 4)
        """

    @hookspec(firstresult=True)
    def timeout(self, table: Table, seat: int) -> dict[str, Any] | None:
        """Return the action that a seat which ran out of time takes; None for the first form that needs no answer, default forms first.

        Called: when the host closes a prompt for lack of time. May: only read.
        Example:
            return {"type": "pass"}
        """

    @hookspec(firstresult=True)
    def leave(self, table: Table, seat: int) -> bool | None:
        """Take a seat that left out of the running hand, ask the next one if it was its turn, and return True.

        Called: only at a table without substitutes (a game without this hook always has one); the seat is out of `table.seats` and its
        prompt closed. May: change the table.
        Example:
            table.create("aside", "pile", see=CLOSED)
            table.move(f"hand/{seat}", "aside", n=len(table.cards(f"hand/{seat}")))
            if table.get("turn") == seat:
                table.ask(table.next(seat), "play")
            return True
        """

    @hookspec(firstresult=True)
    def settle(self, table: Table, places: list[list[int]]) -> Mapping[int, int] | None:
        """Return each seat's chips at the match's end, or None to settle by place; what does not sum to zero goes to the house.

        Called: once, when the match is over; `places` are groups of tied seats, best first. May: only read.
        Example:
            return {seat: table.option("stake") * table.points(seat) for seat in table.players}
        """

    @hookspec(firstresult=True)
    def layout(self, view: dict[str, Any]) -> dict[str, Any] | None:
        """Return captions and order for clients.

        Called: for every view. Gets the redacted view (docs/protocol.md). Keys, all optional: title, prompt, badges, panels, labels, order,
        sorts.
        Example:
            return {"prompt": ["my.ask", {}], "labels": {"stock": ["my.stock", {}]}}
        """

    @hookspec(firstresult=True)
    def sample(self, view: dict[str, Any], form: dict[str, Any], rng: random.Random) -> dict[str, Any] | None:
        """Return one random legal action that fills this form, or None to let the generic sampler try.

        Called: by the random player, by search and by the conformance kit, with a view's form as data. Gets the redacted view.
        Example:
            return {"type": "lay", "groups": rng.choice(possible_groups(view))}
        """

    @hookspec(firstresult=True)
    def suggest(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any] | None:
        """Return the action a sensible player takes, or None.

        Called: by the *rule* player, and by search as the policy of all seats (people are shown `hints`). Gets the redacted view.
        Example:
            return {"type": "play", "card": [min(hand, key=rank)]}
        """

    @hookspec(firstresult=True)
    def hints(self, view: dict[str, Any]) -> Sequence[dict[str, Any]] | None:
        """Return hints for the seat: `[{"text": message, "action": action or None, "weight": number}]`, best first.

        Called: for every view with a prompt. Gets the redacted view.
        Example:
            return [{"text": ["my.hint.pair", {}], "action": {"type": "meld", "cards": pair}, "weight": 2}]
        """

    @hookspec(firstresult=True)
    def determinise(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any] | None:
        """Return the view with every hidden card filled in: one world the seat must reckon with.

        Called: by search, many times a move. Gets the redacted view. Zones get full `cards`; `secrets` = {seat: facts} holds the others'
        own facts. Without it the unseen cards are dealt at random.
        Example:
            return {**view, "zones": [fill(zone, unseen, voids) for zone in view["zones"]]}
        """

    @hookspec(firstresult=True)
    def search_state(self, view: dict[str, Any], rng: random.Random) -> Any:
        """Return a compact state of one such world, for faster search: `clone, mover, legal, apply, over, returns, policy`.

        Called: by search instead of the generic state, which wraps the table. Gets the redacted view.
        Example:
            return CompactState.of(view, rng)
        """

    @hookspec(firstresult=True)
    def read_record(self, text: str) -> Sequence[Recorded] | None:
        """Return the games recorded in a text of a foreign format, in order.

        Called: by `carteado import`, which plays each through the hooks and compares. May: nothing but read the text.
        Example:
            return [Recorded(name, {"hands": 1}, names, actions, judge) for name, names, actions, judge in parsed(text)]
        """

    @hookspec(firstresult=True)
    def write_record(self, table: Table, names: Sequence[str]) -> str | None:
        """Return a hand that is over as a record of a foreign format.

        Called: by `carteado export` at the end of every hand of a match; `names` by seat. May: only read.
        Example:
            return f"{names[table.start]} led, {len(table.get('tricks'))} tricks"
        """

    @hookspec
    def observe(self, view: dict[str, Any], events: list[dict[str, Any]]) -> None:
        """Be told of committed public events, with the watcher's view after them.

        Called: after every commit, for every plugin of the table that has it. May: look, not touch.
        Example:
            self.count += sum(event["k"] == "move" for event in events)
        """


class ProgramSpec:
    """What a plugin may add to the program as a whole."""

    @hookspec
    def register_games(self) -> Sequence[Any]:  # type: ignore[empty-body]
        """Return game plugins to offer besides the installed ones.

        Called: once, when the program starts.
        Example:
            return [MyGame()]
        """

    @hookspec
    def register_bots(self) -> Mapping[str, Any]:  # type: ignore[empty-body]
        """Return computer players for any game: level -> factory taking the game.

        Called: once, when the program starts.
        Example:
            return {"cautious": CautiousPlayer}
        """

    @hookspec
    def register_commands(self, commands: Any) -> None:
        """Add commands to the command line.

        Called: once, when the program starts.
        Example:
            commands.add("hello", "say hello", setup, run)
        """
