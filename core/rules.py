"""The rules in force at one table: its own pluggy manager with the game and its house rules, behind a typed face."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from types import TracebackType
from typing import Any, NoReturn, TypeVar

import pluggy

from .encoding import plain
from .errors import CarteadoError, DesignFault, IllegalAction, LoadFailure, Overtime, PluginFault, Refused
from .forms import Form, check
from .hookspecs import PROJECT, GameSpec
from .recorded import Recorded
from .result import Result
from .table import Table

MOST_CHIPS = 1 << 40
T = TypeVar("T")


class Rules:
    """A game and the house rules around it, called hook by hook; anything a hook raises becomes a PluginFault, except refusals."""

    def __init__(self, game: Any, house: Sequence[Any] = ()) -> None:
        self.game = game
        self.house = list(house)
        self.manager = pluggy.PluginManager(PROJECT)
        self.manager.add_hookspecs(GameSpec)
        self._hook = self.manager.hook
        self._plugins: list[Any] = []
        for plugin in (game, *house):
            try:
                self.add(plugin, str(plugin.name))
                self.manager.check_pending()
            except (pluggy.PluginValidationError, ValueError) as error:
                raise LoadFailure(f"{plugin.name!r} has a hook that does not fit: {error}") from error

    def add(self, plugin: Any, name: str) -> None:
        """Register a house rule or an observer besides the game."""
        self.manager.register(plugin, name=name)
        self._plugins.append(plugin)
        self._bind({name: _shortest(caller) for name, caller in vars(self._hook).items()})

    def _bind(self, calls: dict[str, Callable[..., Any]]) -> None:
        self._calls = calls
        self._options, self._turn, self._scoring = calls["options"], calls["turn"], calls["scoring"]

    @contextmanager
    def by_pluggy(self) -> Iterator[None]:
        """Let pluggy make every call of a hook meanwhile, for whoever watches them (`PluginManager.add_hookcall_monitoring`)."""
        kept = self._calls
        self._bind(dict(vars(self._hook)))
        try:
            yield
        finally:
            self._bind(kept)

    def has(self, hook: str) -> bool:
        """Tell whether anybody implements an optional hook."""
        return bool(getattr(self._hook, hook).get_hookimpls())

    def deal(self, table: Table) -> None:
        """Call `deal`."""
        try:
            self._hook.deal(table=table)
        except (Exception, Overtime) as error:
            self._blame("deal", error)

    def fact(self, name: str, ask: Callable[[], T]) -> T:
        """Return what a plain method of the game says. Raises: the game's own refusal, PluginFault."""
        try:
            return ask()
        except CarteadoError:
            raise
        except (Exception, Overtime) as error:
            self._blame(name, error)

    def options(self, table: Table, seat: int) -> Sequence[Form]:
        """Return the forms of a seat."""
        try:
            forms = self._options(table=table, seat=seat)
        except (Exception, Overtime) as error:
            self._blame("options", error)
        if forms is None:
            return ()
        if type(forms) is not list and type(forms) is not tuple:
            raise PluginFault(self.game.name, "options", f"returned {forms!r} instead of a list of forms")
        for form in forms:
            if type(form) is not Form:
                raise PluginFault(self.game.name, "options", f"returned {form!r} instead of a Form")
        return forms

    def check(self, forms: Sequence[Form], action: Any, table: Table, seat: int) -> dict[str, Any]:
        """Return the action, checked against the forms and copied. Raises: Refused; PluginFault when a form is nonsense."""
        try:
            return check(forms, action, table, seat)
        except Refused:
            raise
        except (Exception, Overtime) as error:
            self._blame("options", error)

    def turn(self, table: Table, seat: int, action: dict[str, Any]) -> None:
        """Apply an action. Raises: IllegalAction when the rules refuse it."""
        try:
            self._turn(table=table, seat=seat, action=action)
        except IllegalAction as refusal:
            try:
                plain([refusal.code, refusal.data])
            except DesignFault as error:
                self._blame("turn", error)
            raise
        except (Exception, Overtime) as error:
            self._blame("turn", error)

    def scoring(self, table: Table) -> Result | None:
        """Return the result of the hand, or None while it lasts."""
        try:
            result = self._scoring(table=table)
            if result is None:
                return None
            if type(result) is not Result:
                raise DesignFault(f"scoring returned {result!r} instead of a Result")
            result.check(len(table.players))
        except (Exception, Overtime) as error:
            self._blame("scoring", error)
        return result

    def timeout(self, table: Table, seat: int) -> dict[str, Any] | None:
        """Return the action the game takes for a seat that ran out of time, or None."""
        return self._read("timeout", table=table, seat=seat)  # type: ignore[no-any-return]

    def leave(self, table: Table, seat: int) -> bool:
        """Take a seat out of the running hand; False when the game does not know how."""
        return bool(self._read("leave", table=table, seat=seat))

    def settle(self, table: Table, places: list[list[int]]) -> Mapping[int, int] | None:
        """Return the game's own settlement, or None to settle by place."""
        chips = self._read("settle", table=table, places=places)
        if chips is None:
            return None
        if not isinstance(chips, Mapping) or any(type(k) is not int or type(v) is not int for k, v in chips.items()):
            raise PluginFault(self.game.name, "settle", f"returned {chips!r} instead of whole chips by seat")
        if any(seat not in table.players or abs(amount) > MOST_CHIPS for seat, amount in chips.items()):
            raise PluginFault(self.game.name, "settle", f"returned {dict(chips)!r}: seats of the table and chips they can have")
        return chips

    def layout(self, view: dict[str, Any]) -> dict[str, Any]:
        """Return captions and order for clients, {} if the game has none."""
        result = self._read("layout", view=view)
        if result is not None and not isinstance(result, dict):
            raise PluginFault(self.game.name, "layout", f"returned {result!r} instead of a dict")
        return result or {}

    def hints(self, view: dict[str, Any]) -> list[dict[str, Any]]:
        """Return hints for the seat of a view, best first."""
        return list(self._read("hints", view=view) or ())

    def sample(self, view: dict[str, Any], form: dict[str, Any], rng: random.Random) -> dict[str, Any] | None:
        """Return one random legal action that fills a form, or None if the game leaves that to the core."""
        return self._read("sample", view=view, form=form, rng=rng)  # type: ignore[no-any-return]

    def suggest(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any] | None:
        """Return the action a sensible player takes, or None if the game does not say."""
        return self._read("suggest", view=view, rng=rng)  # type: ignore[no-any-return]

    def advise(self, view: dict[str, Any], rng: random.Random) -> dict[str, Any] | None:
        """Return the game's `suggest` for the seat of a view, else its weightiest hint, else None."""
        action = self.suggest(view, rng)
        if action is None:
            hints = [hint for hint in self.hints(view) if hint.get("action")]
            action = max(hints, key=lambda hint: hint.get("weight") or 0)["action"] if hints else None
        return action

    def read_record(self, text: str) -> Sequence[Recorded] | None:
        """Return the games recorded in a text, None if the game reads no records. Raises: the game's own refusal, PluginFault."""
        return self.fact("read_record", lambda: self._hook.read_record(text=text))  # type: ignore[no-any-return]

    def write_record(self, table: Table, names: Sequence[str]) -> str | None:
        """Return a hand that is over as a record, None if the game writes none."""
        return self._read("write_record", table=table, names=names)  # type: ignore[no-any-return]

    def observe(self, view: dict[str, Any], events: list[dict[str, Any]]) -> None:
        """Tell observers of committed public events."""
        self._read("observe", view=view, events=events)

    def _read(self, name: str, **arguments: Any) -> Any:
        try:
            return self._calls[name](**arguments)
        except (Exception, Overtime) as error:
            self._blame(name, error)

    def _blame(self, hook: str, error: BaseException) -> NoReturn:
        plugin = _culprit(error.__traceback__, self._plugins) or self.game
        raise PluginFault(str(plugin.name), hook, f"{type(error).__name__}: {error}") from error


def alone(function: Callable[..., T], /, **arguments: Any) -> T:
    """Call the one function that answers a hook. A frame of its own: by it a limit on hooks tells their code from core's."""
    return function(**arguments)


def _shortest(caller: pluggy.HookCaller) -> Callable[..., Any]:
    """Return what calls a hook: pluggy, or the one function that answers it, if that takes all of its arguments and nothing wraps it.

    Without house rules all hooks are such, and what pluggy does for many plugins takes longer than most of those of an action.
    """
    implementations = caller.get_hookimpls()
    if len(implementations) == 1 and caller.spec is not None and caller.spec.opts.get("firstresult"):
        only = implementations[0]
        if len(only.argnames) == len(caller.spec.argnames) and not only.wrapper and not only.hookwrapper:
            return partial(alone, only.function)
    return caller


def _culprit(trace: TracebackType | None, plugins: Sequence[Any]) -> Any | None:
    found = None
    while trace is not None:
        me = trace.tb_frame.f_locals.get("self")
        if any(me is plugin for plugin in plugins):
            found = me
        trace = trace.tb_next
    return found
