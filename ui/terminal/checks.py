"""What a screen asks of a game, for the conformance kit: found through the entry point group `carteado.checks`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from carteado.core.errors import CarteadoError
from carteado.core.testing import Check, Fault, Moment, Trial

from .grid import Grid
from .local import Local
from .scene import zone_hit
from .table import paint
from .words import LANGUAGES, Words, catalogue, own_catalogue, words_for

WIDE, HIGH = 80, 24


def add_checks(add: Callable[[Check], None]) -> None:
    """Add the terminal's checks to the kit's."""
    claim = (
        "the terminal paints every state at 80x24 in every language, with the whole prompt, the whole hand, all buttons and no zone "
        "without words"
    )
    add(Check("terminal_shows_all", claim, terminal_shows_all))


def terminal_shows_all(trial: Trial) -> Iterator[Fault]:
    """Yield what is not seen on a small screen."""
    for moment in trial.moments(playing=False):
        for viewer in (*moment.asked, None):
            try:
                view = moment.match.view(viewer)
            except CarteadoError:
                continue
            for lang in LANGUAGES:
                missing = _missing(trial, view, lang)
                if missing:
                    yield _fault(moment, viewer, lang, missing)


def _missing(trial: Trial, view: Mapping[str, Any], lang: str) -> str:
    """Return what a reader of a language does not see of a view, '' if all is there."""
    game = trial.game
    words = words_for([game.words(lang), game.words("en"), catalogue("carteado.core", lang), own_catalogue(lang)], game.deck.looks)
    local = Local(words)
    local.see(view)
    grid = paint(view, local, WIDE, HIGH)
    told = (view["layout"] or {}).get("prompt")
    if told is not None and view["phase"] != "over" and not _shows(grid, words.text(told)):
        return f"the whole prompt {words.text(told)!r}"
    for place, face in enumerate(local.hand.faces):
        if grid.find(f"card:{place}") is None:
            return f"the card {face} ({len(local.hand.faces)} in hand)"
    for prompt in view["prompts"]:
        for form in prompt["forms"]:
            if form["blocked"] is None and grid.find(f"do:form:{form['type']}") is None:
                return f"the button {words.text(form['label'])!r}"
    return _unnamed(grid, words, view)


def _unnamed(grid: Grid, words: Words, view: Mapping[str, Any]) -> str:
    """Return that a zone's bare name stands where its caption belongs, '' if none does."""
    for zone in view["zones"]:
        name = zone["name"]
        if not words.named(view, name) and name in _written(grid, zone_hit(name)):
            return f"words for the zone {name!r}, only its bare name (give `layout` a label, or the catalogue 'zone.{name.split('/')[0]}')"
    return ""


def _written(grid: Grid, hit: str) -> str:
    """Return what is written where a hit id lies, row after row."""
    rows = zip(grid.chars, grid.hits, strict=True)
    return "\n".join("".join(char for char, one in zip(chars, hits, strict=True) if one == hit) for chars, hits in rows)


def _shows(grid: Grid, text: str) -> bool:
    """Tell whether a text is on the screen, wherever it is wrapped."""
    return "".join(text.split()) in "".join(grid.text().split())


def _fault(moment: Moment, viewer: int | None, lang: str, missing: str) -> Fault:
    return Fault(f"A terminal of {WIDE}x{HIGH} in {lang} does not show {missing}.", "layout", moment.case, moment.step, None, viewer)
