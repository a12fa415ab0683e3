"""The words that travel: catalogues, rules texts, and the messages that name phases and groups."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from .rules import PHASES, Wanted

LANGUAGES = {"en": "en", "pt": "pt_PT", "pt_PT": "pt_PT", "pt_BR": "pt_BR", "de": "de"}
"""Languages with a catalogue, and which catalogue each means."""
RULES = {"en": "en", "pt": "pt", "pt_PT": "pt", "pt_BR": "pt"}
"""Languages with a rules text."""

Message = list[Any]


@cache
def words(lang: str) -> Mapping[str, Any]:
    """Return the catalogue of a language, {} if there is none."""
    name = LANGUAGES.get(lang)
    if name is None:
        return {}
    catalogue: dict[str, Any] = json.loads((files(__package__) / "locale" / f"{name}.json").read_text("utf-8"))
    return catalogue


@cache
def rules(lang: str) -> str:
    """Return the rules text of a language (Markdown), '' if there is none."""
    name = RULES.get(lang)
    return (files(__package__) / f"rules.{name}.md").read_text("utf-8") if name else ""


def wanted(part: Wanted) -> Message:
    """Name a group that a phase asks for: sizes are words in some languages, so each has its key."""
    return [f"dd.{part.kind}.{part.size}", {}]


LIKE: dict[int, list[Message]] = {
    index: [wanted(part) for part in phase] for index, phase in enumerate(PHASES, start=1)
}
"""The messages that name the groups of each phase."""
SIZES: dict[int, int] = {index: sum(part.size for part in phase) for index, phase in enumerate(PHASES, start=1)}
"""The fewest cards of each phase."""


def phase_named(number: int) -> Message:
    """Name a phase by what it asks for."""
    return [f"dd.phase.{number}", {}]
