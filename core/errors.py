"""Every error carteado's core raises on purpose.

::

    CarteadoError
    ├── Refused            an action was not accepted; nothing changed; `code` is also a message key
    │   └── IllegalAction  the same, raised by a game's `turn`
    ├── DesignFault        a game (or its caller) misused the table
    ├── PluginFault        a game's hook raised something that is not a refusal, or returned nonsense
    ├── LoadFailure        a game could not be found, imported or accepted
    └── JournalMismatch    a journal is damaged, or replays to something else than it says
"""

from __future__ import annotations

from typing import Any


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


class LoadFailure(CarteadoError):
    """Report in one sentence why a game could not be loaded."""


class JournalMismatch(CarteadoError):
    """Report the first journal entry whose replay differs from what was recorded."""
