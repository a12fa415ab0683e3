"""Standing by while hooks are called: what each was given, and whether it left table and arguments as they were."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..match import Match
from ..rules import Rules
from ..table import Table

WRITING = frozenset({"deal", "turn", "leave"})
Before = Callable[[str, dict[str, Any]], Any]
After = Callable[[str, dict[str, Any], Any], None]


@contextmanager
def monitored(rules: Rules, before: Before, after: After) -> Iterator[None]:
    """Call `before(hook, arguments)` and `after(hook, arguments, what before returned)` around every hook call, failing or not."""
    noted: list[Any] = []

    def enter(hook: str, implementations: Any, arguments: Any) -> None:
        noted.append(before(hook, dict(arguments)))

    def leave(outcome: Any, hook: str, implementations: Any, arguments: Any) -> None:
        after(hook, dict(arguments), noted.pop())

    undo = rules.manager.add_hookcall_monitoring(enter, leave)
    try:
        with rules.by_pluggy():
            yield
    finally:
        undo()


class Witness:
    """Note every reading hook that changes the table or what it was given; `turn`, for its action alone."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.found: list[tuple[str, str]] = []

    def before(self, hook: str, arguments: dict[str, Any]) -> Any:
        """Remember how things are."""
        given = {name: copy.deepcopy(value) for name, value in arguments.items() if isinstance(value, (dict, list))}
        return given, None if hook in WRITING else self._digest(arguments.get("table"))

    def after(self, hook: str, arguments: dict[str, Any], noted: Any) -> None:
        """Compare with what was remembered."""
        given, digest = noted
        for name, value in given.items():
            if arguments[name] != value:
                self.found.append((hook, f"changes its argument {name!r} in place"))
        if digest is not None and self._digest(arguments.get("table")) != digest:
            self.found.append((hook, "changes the table"))

    def _digest(self, table: Table | None) -> str:
        return self.match.digest()
