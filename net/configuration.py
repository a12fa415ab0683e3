"""One configuration from a TOML file, the environment and the command line; the later goes before the earlier.

::

    port = 7777              # --port 7777, CARTEADO_PORT=7777
    log = "json"
    [[table]]                # tables that are opened at the start, instead of the one on the command line
    game = "skat"
    players = 3

Every mistake is one sentence with its place, and all of them are told at once.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from carteado.core.bots import UnknownLevel, levels
from carteado.core.errors import CarteadoError, Refused
from carteado.core.options import resolve

from .configurable import Setting
from .errors import NetError, NoRoom
from .inventory import load, load_house
from .keys import HOME
from .table_ids import PRIVATE, is_private, read_private
from .texts import refusal

PREFIX: Final = "CARTEADO_"
FILE: Final = "CARTEADO_CONFIG"
TABLE_KEYS: Final = ("game", "players", "bots", "level", "option", "house", "clock", "grace", "away")
"""Settings that a table of the file can have of its own, besides `id`."""
FLAGS, ENVIRONMENT, DEFAULT = "flag", "environment", "default"
_SECRET = frozenset({"seed"})
_YES, _NO = frozenset({"yes", "true", "on", "1"}), frozenset({"no", "false", "off", "0"})
_LARGEST = 1 << 20
"""Bytes of a file that is still read as a configuration."""


class BadConfiguration(NetError):
    """Refuse a configuration; `faults` are all its mistakes, a sentence each."""

    wrong_use = True

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = list(faults)


@dataclass
class Configuration:
    """What is set. values: every setting. sources: where each comes from. tables: what is opened at the start, settings of its own each."""

    values: dict[str, Any]
    sources: dict[str, str]
    tables: list[dict[str, Any]] = field(default_factory=list)

    @property
    def given(self) -> argparse.Namespace:
        """The settings as the command line would give them."""
        return argparse.Namespace(**self.values)

    def specs(self) -> list[argparse.Namespace]:
        """Return the settings of each table to open; `id` among them."""
        if self.values.get("no_table"):
            return []
        return [argparse.Namespace(**{**self.values, "id": f"t-{n}", **own}) for n, own in enumerate(self.tables or [{}], 1)]

    def text(self, settings: Mapping[str, Setting]) -> str:
        """Return it as TOML, each line with where it comes from; secrets are not written out."""
        lines = []
        for name in sorted(self.values):
            value = self.values[name]
            if name in settings and settings[name].shown and value is not None and not (self.tables and name in ("game", "players")):
                lines.append(f"{name} = {_written(name, value)}  # {self.sources[name]}")
        for own in self.tables:
            lines += ["", "[[table]]", *(f"{name} = {_written(name, value)}" for name, value in own.items())]
        return "\n".join(lines)


def configuration(given: argparse.Namespace, environ: Mapping[str, str] | None = None) -> Configuration:
    """Return the configuration of a parsed command line, its file and the environment. Raises: BadConfiguration."""
    environ = os.environ if environ is None else environ
    settings: Mapping[str, Setting] = given.settings
    flags = {name: value for name, value in vars(given).items() if name in settings and value is not None}
    reading = _Reading(settings)
    if "fill" not in flags:  # a host that belongs to one player's program is told everything by that program
        path = flags.get("config") or (Path(environ[FILE]) if environ.get(FILE) else None)
        if path is not None:
            reading.file(path)
        reading.environment(environ)
    if reading.faults:
        raise BadConfiguration(reading.faults)
    values = {name: setting.default for name, setting in settings.items()}
    sources = dict.fromkeys(values, DEFAULT)
    for name, value in (*reading.values.items(), *flags.items()):
        values[name] = value
        sources[name] = FLAGS if name in flags else reading.sources[name]
    tables = [] if any(name in flags for name in ("game", "players", "bots", "option", "house")) else reading.tables
    return Configuration(values, sources, tables)


def check_tables(found: Configuration) -> list[str]:
    """Return a sentence for each table that could not be opened: no such game, option, house rule, level or number of players."""
    faults = []
    for spec in found.specs():
        place = f"table {spec.id}"
        try:
            game = load(spec.game)
            options = resolve(game, dict(spec.option))
            for rule in spec.house:
                load_house(rule)
            low, high = game.seats
            chairs = spec.players or max(low, min(4, high))
            if not (low <= chairs <= high and game.check_players(chairs, options)):
                raise Refused("bad_players", n=chairs, low=low, high=high)
            if spec.level not in levels(game):
                raise UnknownLevel(game, spec.level)
            if spec.bots > chairs:
                raise NoRoom(spec.id, spec.bots, chairs)
        except NoRoom as error:
            faults.append(str(error))
        except CarteadoError as error:
            faults.append(f"{place}: {refusal(error) if isinstance(error, Refused) else error}")
    ids = [spec.id for spec in found.specs()]
    return faults + [f"table {id}: there is another one of this id" for id in sorted({id for id in ids if ids.count(id) > 1})]


class _Reading:
    """What was read of file and environment, and what was wrong there."""

    def __init__(self, settings: Mapping[str, Setting]) -> None:
        self.settings = {name: setting for name, setting in settings.items() if setting.shown}
        self.values: dict[str, Any] = {}
        self.sources: dict[str, str] = {}
        self.tables: list[dict[str, Any]] = []
        self.faults: list[str] = []

    def file(self, path: Path) -> None:
        """Read a TOML file."""
        try:
            if path.stat().st_size > _LARGEST:
                self.faults.append(f"{path}: too large for a configuration")
                return
            text = path.read_text(encoding="utf-8")
            found = tomllib.loads(text)
        except OSError as error:
            self.faults.append(f"{path}: {error.strerror}")
            return
        except (ValueError, RecursionError) as error:  # not UTF-8, or not TOML: that error names line and column
            self.faults.append(f"{path}: {error}")
            return
        for name, value in found.items():
            if name == "table":
                self._tables(path, text, value)
            else:
                self._take(f"{path}:{line_of(text, name)}", name.replace("-", "_"), name, value, str(path))

    def _tables(self, path: Path, text: str, rows: Any) -> None:
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            self.faults.append(f"{path}:{line_of(text, 'table')}: table: write [[table]] above the settings of each table")
            return
        for index, row in enumerate(rows):
            own: dict[str, Any] = {}
            for key, value in row.items():
                name, place = key.replace("-", "_"), f"{path}:{line_of(text, key, index)}"
                if name == "id":
                    if not isinstance(value, str) or not re.fullmatch(r"[a-z0-9-]{1,24}", value):
                        self.faults.append(f"{place}: id: 1 to 24 of a-z, 0-9 and '-'")
                    elif is_private(value) and read_private(value) != value:
                        drawn = "drawn: `admin open GAME private` opens one"
                        self.faults.append(f"{place}: id: {PRIVATE} begins the ids of private tables, {drawn}")
                    else:
                        own["id"] = value
                elif name not in TABLE_KEYS or name not in self.settings:
                    self.faults.append(f"{place}: {key}: a table has no such setting; it has id, {', '.join(TABLE_KEYS)}")
                else:
                    self._read(place, key, self.settings[name], value, own)
            self.tables.append(own)

    def environment(self, environ: Mapping[str, str]) -> None:
        """Read CARTEADO_NAME for every setting; what begins so and is none is left to `strangers`."""
        for name, setting in self.settings.items():
            variable = PREFIX + name.upper()
            if variable in environ:
                self._read(variable, variable, setting, _split(setting, environ[variable]), self.values)
                self.sources[name] = variable

    def _take(self, place: str, name: str, key: str, value: Any, source: str) -> None:
        setting = self.settings.get(name)
        if setting is None:
            near = get_close_matches(name, self.settings, 1)
            self.faults.append(f"{place}: {key}: there is no such setting" + (f"; did you mean {near[0]}?" if near else ""))
            return
        self._read(place, key, setting, value, self.values)
        self.sources[name] = source

    def _read(self, place: str, key: str, setting: Setting, value: Any, into: dict[str, Any]) -> None:
        try:
            into[setting.name] = _value(setting.action, value)
        except (argparse.ArgumentTypeError, TypeError, ValueError) as error:
            said = f"{place}: {error}" if place == key else f"{place}: {key}: {error}"
            self.faults.append(said)


def strangers(settings: Mapping[str, Setting], environ: Mapping[str, str] | None = None) -> list[str]:
    """Return the variables that begin like ours and set nothing."""
    known = {HOME, FILE, *(PREFIX + setting.name.upper() for setting in settings.values() if setting.shown)}
    return sorted(name for name in (os.environ if environ is None else environ) if name.startswith(PREFIX) and name not in known)


def line_of(text: str, key: str, table: int | None = None) -> int:
    """Return the line (1, 2, ...) where a key of a TOML text stands: at the top, or in the table of this index."""
    wanted = re.compile(rf"""\s*(?:["']?{re.escape(key)}["']?\s*(=|\.)|\[\[?\s*{re.escape(key)}\b)""")
    at, first = -1, 0
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"\s*\[\[\s*table\s*\]\]", line):
            at += 1
            first = number if at == (table or 0) else first
        here = at == -1 if table is None else at == table
        if wanted.match(line) and (here or (table is None and line.lstrip().startswith("["))):
            return number
    return first or 1


def _split(setting: Setting, text: str) -> Any:
    """Return a variable's text as the file would have it."""
    if isinstance(setting.action, argparse._AppendAction) or (isinstance(setting.action.nargs, int) and setting.action.nargs > 0):
        return [part.strip() for part in text.split(",") if part.strip()]
    if setting.action.nargs == 0 and text.lower() in _YES | _NO:
        return text.lower() in _YES
    return text


def _value(action: argparse.Action, value: Any) -> Any:
    """Read a value as the command line would read its text. Raises: ArgumentTypeError, ValueError."""
    if action.nargs == 0:
        if not isinstance(value, bool):
            raise ValueError("say true or false")
        return value
    if isinstance(action, argparse._AppendAction):
        if isinstance(value, dict):
            value = [f"{name}={_plain(part)}" for name, part in value.items()]
        if not isinstance(value, list):
            raise ValueError("write a list, as ['one', 'two']")
        return [_one(action, part) for part in value]
    if isinstance(action.nargs, int):
        if not isinstance(value, list) or len(value) != action.nargs:
            raise ValueError(f"write a list of {action.nargs}")
        return [_one(action, part) for part in value]
    if isinstance(value, bool):
        raise ValueError("write a text or a number, not true or false")
    return _one(action, value)


def _one(action: argparse.Action, value: Any) -> Any:
    text = _plain(value)
    made = action.type(text) if callable(action.type) else text
    if action.choices is not None and made not in action.choices:
        raise ValueError(f"{text!r} is none of {', '.join(map(str, action.choices))}")
    return made


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (str, int, float)):
        return str(value)
    if isinstance(value, list):
        return ",".join(_plain(part) for part in value)
    raise ValueError("write a text, a number, or true or false")


def _written(name: str, value: Any) -> str:
    """Return a value as TOML; what must stay secret is not in it."""
    if name in _SECRET:
        return '"***"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, list) and value and isinstance(value[0], tuple):
        return "{ " + ", ".join(f"{json.dumps(str(key))} = {json.dumps(part)}" for key, part in value) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_written("", part) for part in value) + "]"
    return json.dumps(re.sub(r"(://[^:/@\s]*):[^@\s]*@", r"\1:***@", str(value)), ensure_ascii=False)
