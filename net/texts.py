"""Sentences for people at the command line: the game's words, then the core's, in the language they ask for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from carteado.core.errors import Refused
from carteado.core.game import Game
from carteado.core.words import Speech

from .refusals import sentence


def core_words(lang: str) -> dict[str, Any]:
    """Return the core's catalogue in a language (`pt_PT`), with English where the language has no word."""
    texts: dict[str, Any] = {}
    for name in dict.fromkeys(("en", lang.split("_")[0], lang)):
        source = files("carteado.core") / "locale" / f"{name}.json"
        if source.is_file():
            texts.update(json.loads(source.read_text(encoding="utf-8")))
    return texts


def speech(game: Game, lang: str, names: Sequence[str] = ()) -> Speech:
    """Return a speaker of a game's messages for somebody who sits on no seat."""
    own: Mapping[str, Any] = game.words(lang)
    return Speech([own, game.words("en"), core_words(lang)], names, game.deck.looks)


def refusal(error: Refused, game: Game | None = None, lang: str = "en") -> str:
    """Return why something was refused as a sentence."""
    words = speech(game, lang) if game else Speech([core_words(lang)])
    return words.text(error.message) if words.has(error.code) else sentence(error.code) or str(error)
