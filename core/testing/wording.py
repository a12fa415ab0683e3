"""Messages in what a game gives: found, and compared with a catalogue."""

from __future__ import annotations

import ast
import inspect
import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ..game import Game
from ..options import OneOf, Several, declared
from .sources import sources

PLACE = re.compile(r"\{([a-z_0-9]+)\}")
LANGUAGES = ("pt_PT", "pt_BR", "de")
Message = tuple[str, frozenset[str]]


def messages(value: Any) -> Iterator[Message]:
    """Iterate over all messages in a piece of data, as key and names of the arguments, nested ones too."""
    if isinstance(value, (list, tuple)):
        if len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], dict) and not value[0].startswith("$"):
            yield value[0], frozenset(value[1])
        for item in value:
            yield from messages(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from messages(item)


def of_view(view: Mapping[str, Any]) -> Iterator[Message]:
    """Iterate over the messages that a client renders from a view."""
    for part in ("log", "prompts", "layout", "result"):
        yield from messages(view[part])


def of_game(game: Game) -> Iterator[tuple[str, Message]]:
    """Iterate over the messages a game needs without being played: names of cards and options, with where each comes from."""
    nothing: frozenset[str] = frozenset()
    for look in (*game.deck.suits.values(), *game.deck.faces.values()):
        yield "deck", (look["name"], nothing)
    for key in game.deck.ranks.values():
        yield "deck", (key, nothing)
    for option in declared(game):
        yield "table_options", (f"option.{option.name}", nothing)
        if isinstance(option, (OneOf, Several)):
            for value in option.values:
                if isinstance(value, str):
                    yield "table_options", (f"option.{option.name}.{value}", nothing)


def refusals_in_source(game: Game) -> Iterator[tuple[str, Message]]:
    """Iterate over the refusal codes that a game's source raises as IllegalAction("code", ...), with file and line."""
    for path, _, own, offset in sources(game):
        for node in ast.walk(own):
            if isinstance(node, ast.Call) and _called(node.func) in ("IllegalAction", "Refused") and node.args:
                code, where = node.args[0], f"{Path(path).name}, line {node.lineno + offset}"
                if isinstance(code, ast.Constant) and isinstance(code.value, str) and not any(word.arg is None for word in node.keywords):
                    yield where, (code.value, frozenset(word.arg for word in node.keywords if word.arg))


def _called(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else function.attr if isinstance(function, ast.Attribute) else ""


@cache
def core_words() -> dict[str, Any]:
    """Return the core's English catalogue."""
    source = Path(inspect.getfile(Game)).parent / "locale" / "en.json"
    found: dict[str, Any] = json.loads(source.read_text(encoding="utf-8"))
    return found


def texts_of(entry: Any) -> list[str]:
    """Return the forms of a catalogue entry."""
    return [entry] if isinstance(entry, str) else list(entry)


def places(entry: Any) -> set[str]:
    """Return the names of the places in an entry, of all its forms."""
    return {name for text in texts_of(entry) for name in PLACE.findall(text)}


def stray_braces(entry: Any) -> bool:
    """Tell whether an entry has a brace that is no place."""
    return any("{" in rest or "}" in rest for rest in (PLACE.sub("", text) for text in texts_of(entry)))
