"""What an operator can set about a host, on the command line, in the environment and in a file; nothing heavy is imported.

Every option of `carteado host` is a setting under the same name; `configuration` puts the three sources together.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .arguments import count, port, whole

LOGS: Final = ("text", "json")
LEVELS: Final = ("debug", "info", "warning", "error")
CHIPS: Final = 1000
"""What a player has at the start, unless the host says otherwise."""
MEMORY: Final = 512
"""Megabytes that a host may hold, unless it is told otherwise."""
_ONLY_FLAGS = frozenset({"help", "config", "check_config"})


@dataclass(frozen=True)
class Setting:
    """One thing that can be set. action: how its text is read. default: what it is otherwise."""

    name: str
    action: argparse.Action
    default: Any

    @property
    def shown(self) -> bool:
        """Tell whether people set it, or only this program itself."""
        return self.action.help != argparse.SUPPRESS and self.name not in _ONLY_FLAGS


def add_operation(parser: argparse.ArgumentParser) -> None:
    """Add what operators of a host choose."""
    group = parser.add_argument_group("for operators", "docs/operating.md says more; every option can also stand in the file")
    group.add_argument("--config", type=Path, metavar="FILE", help="read settings from this TOML file; the environment and flags go before")
    group.add_argument("--check-config", action="store_true", help="print what would be set, or a sentence for each mistake, and end")
    group.add_argument("--no-table", action="store_true", help="open no table; people open their own")
    group.add_argument("--log", choices=LOGS, default="text", help="how log lines look (default: %(default)s)")
    group.add_argument("--log-level", choices=LEVELS, default="warning", help="the least that is logged (default: %(default)s)")
    group.add_argument("--log-file", type=Path, metavar="FILE", help="write the log here and begin anew at 5 MB, keeping three old files")
    group.add_argument("--metrics", type=port, metavar="PORT", help="serve Prometheus metrics on 127.0.0.1 at this port; 0: any")
    group.add_argument("--no-admin", action="store_true", help="no socket for `carteado admin` and `carteado health`")
    group.add_argument("--chips", type=whole, default=CHIPS, metavar="N", help="what a new player has (default: %(default)s); 0: nothing")
    group.add_argument("--memory", type=count, default=MEMORY, metavar="MB", help="end, saved, above so much memory (default: %(default)s)")


def configurable(parser: argparse.ArgumentParser) -> None:
    """Let what is parsed hold only what was given, and the settings themselves as `settings`; to be called after the last option."""
    settings = {}
    for action in parser._actions:
        if action.dest == "help":
            continue
        settings[action.dest] = Setting(action.dest, action, action.default)
        if action.help and action.help != argparse.SUPPRESS:
            action.help = action.help.replace("%(default)s", str(action.default))
        # A positional that is left out is parsed from its default, so that one stays None; None is never given.
        action.default = argparse.SUPPRESS if action.option_strings else None
    parser.set_defaults(settings=settings)


def arguments_of(given: argparse.Namespace) -> list[str]:
    """Return what was given, as words of a command line again."""
    words: list[str] = []
    for setting in given.settings.values():
        value = getattr(given, setting.name, None)
        if value is None:
            continue
        action = setting.action
        if not action.option_strings:
            words.insert(0, str(value))
        elif action.nargs == 0:
            words.append(action.option_strings[-1])
        elif isinstance(action, argparse._AppendAction):
            for part in value:
                words += [action.option_strings[-1], "=".join(map(str, part)) if isinstance(part, tuple) else str(part)]
        else:
            parts = value if isinstance(value, list) else [value]
            words += [action.option_strings[-1], *map(str, parts)]
    return words
