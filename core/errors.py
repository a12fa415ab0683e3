"""Every error carteado's core raises on purpose.

::

    CarteadoError
    ├── Refused            an action was not accepted; nothing changed; `code` is also a message key
    │   └── IllegalAction  the same, raised by a game's `turn`
    ├── DesignFault        a game (or its caller) misused the table
    ├── PluginFault        a game's hook raised something that is not a refusal, or returned nonsense
    ├── LoadFailure        a game could not be found, imported or accepted
    └── JournalMismatch    a journal is damaged, or replays to something else than it says

    Overtime (a BaseException) interrupts a hook from outside and becomes a PluginFault
"""

from __future__ import annotations

from typing import Any

REFUSALS: dict[str, str] = {
    "not_asked": "the seat has no open prompt, or not one of this number",
    "stale": "the prompt is closed: answered, timed out or taken back",
    "over": "the match is over",
    "not_playing": "no hand is being played",
    "not_dealing": "a hand is still being played",
    "no_seat": "the match has no such seat",
    "left": "the player has left for good",
    "unknown_action": "no form of this type is offered",
    "blocked": "the form is shown but cannot be used now; `why` says why not",
    "missing_field": "a field that is not optional was left out",
    "bad_field": "a field is unknown or has the wrong shape",
    "wrong_count": "too few or too many cards or groups: `n` to `most`",
    "not_held": "the seat does not hold this card, or not so often",
    "not_offered": "the form does not offer this card, choice, number, place or zone",
    "bad_option": "a table option does not take this value",
    "unknown_option": "the game has no such table option",
    "bad_players": "the game cannot be played by so many",
}
"""Every refusal of the core's own: code -> what it means. Each is a message key of the core's catalogue."""


class CarteadoError(Exception):
    """Be the base of every error that carteado raises on purpose."""


class Refused(CarteadoError):
    """Say why an action was not accepted: a stable `code` (a message key) and its `data` (message arguments)."""

    def __init__(self, code: str, **data: Any) -> None:
        super().__init__(code, data)
        self.code = code
        self.data = data

    def __str__(self) -> str:
        inner = ", ".join(f"{key}={value!r}" for key, value in self.data.items())
        return f"{self.code}({inner})" if inner else self.code

    @property
    def message(self) -> list[Any]:
        """Return the refusal as a message: `[code, data]`."""
        return [self.code, dict(self.data)]


class IllegalAction(Refused):
    """Refuse an action by the rules of the game; raised by `turn`, answered to the sender, never a fault."""


class DesignFault(CarteadoError):
    """Report a misuse of the table: an unknown zone, a card that is not there, writing in a reading hook."""


class PluginFault(CarteadoError):
    """Report that a plugin's hook failed; names the plugin and the hook, and carries the original as `__cause__`."""

    def __init__(self, plugin: str, hook: str, why: str) -> None:
        super().__init__(f"plugin {plugin!r}, hook {hook!r}: {why}")
        self.plugin = plugin
        self.hook = hook
        self.why = why


class Overtime(BaseException):
    """Interrupt a hook that takes too long; raised from outside (the host's timer), so no `except Exception` of a plugin keeps it."""


class LoadFailure(CarteadoError):
    """Report in one sentence why a game could not be loaded."""


class JournalMismatch(CarteadoError):
    """Report the first journal entry whose replay differs from what was recorded."""


NONSENSE = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError)
"""What reading data can raise that somebody else has made or kept, and that is not of the shape it must have."""
