"""The words that travel: catalogues and rules texts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

LANGUAGES = {"en": "en", "pt": "pt_PT", "pt_PT": "pt_PT", "pt_BR": "pt_BR", "de": "de"}
"""Languages with a catalogue, and which catalogue each means."""
RULES = {"en": "en", "pt": "pt", "pt_PT": "pt", "pt_BR": "pt", "de": "de"}
"""Languages with a rules text."""


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
