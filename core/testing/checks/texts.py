"""Words: whatever a match can say exists in English with the places it needs, and translations are whole."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...errors import CarteadoError
from ..faults import Fault
from ..registry import check
from ..swaps import branch
from ..trial import Trial
from ..wording import LANGUAGES, Message, core_words, messages, of_game, of_view, places, refusals_in_source, stray_braces, texts_of


def _said(trial: Trial) -> Iterator[tuple[Message, str, Any, int | None]]:
    """Iterate over every message that the recorded matches and the game's facts give: message, hook, case, step."""
    for recording in trial.recordings:
        for text in recording.said.values():
            yield from ((found, "deal or turn", recording.case, None) for found in messages([text]))
        yield from ((found, "scoring", recording.case, None) for found in messages(recording.results))
        for step, _, _, refusal in recording.refused:
            yield from ((found, "turn", recording.case, step) for found in messages([refusal.message]))
    for moment in trial.moments(playing=False):
        match = branch(moment.match)
        try:
            for viewer in moment.viewers:
                for found in of_view(match.view(viewer)):
                    yield found, "options, layout or hints", moment.case, moment.step
        except CarteadoError:
            continue
    for source, found in (*of_game(trial.game), *refusals_in_source(trial.game)):
        yield found, source, None, None


@check("every message a match can give exists in English, and its places are among the arguments")
def words_exist(trial: Trial) -> Iterator[Fault]:
    english = trial.game.words("en")
    seen: set[Message] = set()
    told: dict[str, set[str]] = {}
    for (key, given), source, case, step in _said(trial):
        if (key, given) in seen:
            continue
        seen.add((key, given))
        entry = english.get(key, core_words().get(key))
        if entry is None:
            yield Fault(f"There are no English words for {key!r}.", source, case, step)
            continue
        yield from _missing(key, english, given, source, case, step)
        if "who" in given:
            told.setdefault(key, set()).update(given)
    # Only the seat itself reads the `.you` words, and may be told more (`say(..., only=seat)`) than the others.
    for key, known in told.items():
        yield from _missing(f"{key}.you", english, frozenset(known), "deal or turn", None, None)


def _missing(key: str, english: Mapping[str, Any], given: frozenset[str], source: str, case: Any, step: int | None) -> Iterator[Fault]:
    missing = places(english.get(key, core_words().get(key, ""))) - given
    if missing:
        what = f"{key!r} has the places {sorted(missing)} in English, and its arguments are {sorted(given)}."
        yield Fault(what, source, case, step)


@check("every catalogue is well formed, and every translation has all keys of the English one with no other places")
def translations_are_whole(trial: Trial) -> Iterator[Fault]:
    english = trial.game.words("en")
    yield from _shape("en", english)
    for lang in LANGUAGES:
        words = trial.game.words(lang)
        if not words or words is english:
            continue
        yield from _shape(lang, words)
        for key, entry in english.items():
            if not key:
                continue
            if key not in words:
                yield Fault(f"The catalogue {lang!r} has no {key!r}.", "words")
            elif places(words[key]) - places(entry):
                yield Fault(f"{key!r} has places in {lang!r} that English has not: {sorted(places(words[key]) - places(entry))}.", "words")


def _shape(lang: str, words: Mapping[str, Any]) -> Iterator[Fault]:
    for key, entry in words.items():
        if key == "":
            continue
        if not (isinstance(entry, str) or (isinstance(entry, (list, tuple)) and entry and all(isinstance(text, str) for text in entry))):
            yield Fault(f"The words of {key!r} in {lang!r} are neither a text nor a list of plural forms: {entry!r}.", "words")
        elif stray_braces(entry):
            yield Fault(f"The words of {key!r} in {lang!r} have a brace that is no place like {{name}}: {texts_of(entry)}.", "words")


@check("there are rules to read in English")
def rules_are_written(trial: Trial) -> Iterator[Fault]:
    text = trial.game.rules("en")
    if len(text) < 80:
        yield Fault(f"rules('en') gives {text!r}: people who never saw the game need a page.", "rules")
