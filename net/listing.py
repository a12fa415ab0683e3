"""The command `games`: what can be played on this machine, and how."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from carteado.core.bots import levels
from carteado.core.game import Game
from carteado.core.options import declared

from .inventory import check_all, installed, load
from .texts import speech


def games(name: str | None, lang: str, as_json: bool) -> int:
    """Print the installed games, or one of them in full; return the exit status.

    A game that cannot be loaded costs a sentence on stderr, and the exit status 1 when it was asked for or nothing is left.
    Raises: LoadFailure for the one game asked for.
    """
    if name is not None:
        fact = full(load(name), lang)
        print(json.dumps(fact, ensure_ascii=False) if as_json else page(fact))
        return 0
    good, failures = check_all()
    owners = {listed.name: f"{listed.distribution} {listed.version}" for listed in installed()}
    facts = [brief(game) | {"from": owners[game.name]} for game in good.values()]
    if as_json:
        print(json.dumps({"games": facts, "failures": failures}, ensure_ascii=False))
    else:
        width = max((len(fact["name"]) for fact in facts), default=0)
        for fact in facts:
            print(f"{fact['name']:{width}}  {fact['title']}, {players(fact)}, from {fact['from']}")
    for sentence in failures.values():
        print(f"carteado games: {sentence}", file=sys.stderr)
    return 0 if good else 1


def brief(game: Game) -> dict[str, Any]:
    """Return a game in a few facts."""
    return {"name": game.name, "title": game.title or game.name, "version": game.version, "seats": list(game.seats)}


def full(game: Game, lang: str) -> dict[str, Any]:
    """Return all that can be told about a game in a language."""
    words = speech(game, lang)
    options = [option.wire() | {"text": words.text(option.wire()["label"])} for option in declared(game)]
    return brief(game) | {
        "score": game.score,
        "options": options,
        "levels": levels(game),
        "cards": len(game.deck.cards),
        "rules": game.rules(lang) or game.rules("en"),
    }


def players(fact: Mapping[str, Any]) -> str:
    """Return how many can play, in words."""
    low, high = fact["seats"]
    return f"{low} players" if low == high else f"{low} to {high} players"


def page(fact: Mapping[str, Any]) -> str:
    """Return all about a game as plain text: facts, options, computer players, then the rules."""
    best = "many" if fact["score"] == "high" else "few"
    lines = [
        f"{fact['title']} ({fact['name']}, version {fact['version']})",
        f"{players(fact)}, {fact['cards']} cards, {best} points are good",
        f"computer players: {', '.join(fact['levels'])}",
        "",
        "options (--option NAME=VALUE):",
    ]
    shown = [(f"{option['name']}={value(option['default'])}", f"{option['text']} ({takes(option)})") for option in fact["options"]]
    width = max((len(name) for name, _ in shown), default=0)
    lines += [f"  {name:{width}}  {text}" for name, text in shown]
    if fact["rules"]:
        lines += ["", fact["rules"].strip()]
    return "\n".join(lines)


def value(default: Any) -> str:
    """Return an option's value as it is written on the command line."""
    if isinstance(default, bool):
        return "yes" if default else "no"
    if isinstance(default, list):
        return ",".join(map(str, default))
    return str(default)


def takes(option: Mapping[str, Any]) -> str:
    """Return what an option can be set to."""
    kind = option["kind"]
    if kind == "flag":
        return "yes or no"
    if kind == "whole":
        return f"{option['low']} to {option['high']}"
    joined = ", ".join(map(str, option["of"]))
    return f"any of {joined}" if kind == "several" else f"one of {joined}"
