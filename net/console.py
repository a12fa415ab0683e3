"""The commands `admin` and `health`: an operator's words to a running host, one by one or in a conversation."""

from __future__ import annotations

import argparse
import contextlib
import json
import shlex
import sys
from collections.abc import Mapping
from typing import Any

from .admin import Line, NoAdmin, find
from .errors import NetError
from .logs import many, one_line


def admin(given: argparse.Namespace) -> int:
    """Carry out one order, or what is typed until the end of input; return the exit status."""
    with Line(find(given.port, given.socket)) as line:
        if given.order:
            print(rendered(line.ask(given.order), given.json))
            return 0
        return _talk(line, given.json)


def _talk(line: Line, as_json: bool) -> int:
    """Ask again and again; on a terminal with a prompt, where a mistake is only told."""
    person, failed = sys.stdin.isatty(), 0
    if person:
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 - it gives `input` its history and editing
        print("`help` lists the orders; Ctrl-D ends this console, not the host.")
    while True:
        try:
            words = shlex.split(input("carteado> " if person else ""))
        except EOFError:
            if person:
                print()
            return failed
        except ValueError as error:
            print(f"{error}", file=sys.stderr)
            continue
        if words in (["quit"], ["exit"]):
            return failed
        if not words:
            continue
        try:
            print(rendered(line.ask(words), as_json), flush=True)
        except NoAdmin:
            raise
        except NetError as error:
            failed = 1
            print(error, file=sys.stderr)


def health(given: argparse.Namespace) -> int:
    """Say in a line, or in JSON, whether the host is well; return 0 if it is, else 1."""
    try:
        with Line(find(given.port, given.socket)) as line:
            told = line.ask(["health"])
    except NetError as error:
        told = {"ok": False, "trouble": str(error)}
    if given.json:
        print(json.dumps(told, ensure_ascii=False))
    elif told["ok"]:
        more = f", {told['resuming']} still to be brought back" if told["resuming"] else ""
        more += f", {told['trouble']}" if told["trouble"] else ""
        print(
            f"well: {many(told['tables'], 'table')}, {told['playing']} playing, {many(told['peers'], 'peer')}, "
            f"last commit {told['commit_ms']} ms, {told['resident_mb']} MB{more}{', draining' if told['draining'] else ''}"
        )
    else:
        print(f"not well: {told['trouble']}")
    return 0 if told["ok"] else 1


def rendered(data: Any, as_json: bool = False) -> str:
    """Return an answer for people: a text, `name: value` lines, or a table; or as JSON."""
    if as_json:
        return json.dumps(data, ensure_ascii=False)
    if isinstance(data, Mapping):
        width = max(map(len, data), default=0)
        return "\n".join(f"{name:{width}}  {_cell(value)}" for name, value in data.items())
    if isinstance(data, list):
        if not data:
            return "none"
        names = list(data[0])
        rows = [names, *([_cell(row[name]) for name in names] for row in data)]
        widths = [max(len(row[column]) for row in rows) for column in range(len(names))]
        return "\n".join("  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)
    return "\n".join(map(one_line, str(data).splitlines()))


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_cell, value)) or "-"
    return one_line(str(value)) if value != "" else "-"

