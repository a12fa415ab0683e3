"""A guided hand: what a newcomer is told, each thing once, when it is needed.

A game may ship lessons in its catalogue; the client only knows when each is due:

    guide.begin.1, .2, ...   when the first hand begins
    guide.stage.<stage>      when the reader is asked this for the first time
    guide.form.<type>        when this form can be used for the first time, and the game hints at it (if it hints at all)
    guide.after.<type>       when the reader has used it for the first time
    guide.end                when the hand is over

A lesson names a card as `{card_cj}`: the face CJ in small letters. What is true of every game is added by the
client, and what the game's own hint says about this very decision.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .filling import forms_of, hinted, hints_of, prompt_of
from .words import Words

View = Mapping[str, Any]
Said = list[Any]
MOST = 9
"""Lessons of a game at its beginning."""
RANKS = ("A", "K", "Q", "J", "T", *map(str, range(1, 14)))


@dataclass
class Guide:
    """What was told already, and the pages that are told now; the last one stays in sight where there is room."""

    pages: list[list[Said]] = field(default_factory=list)
    last: list[Said] = field(default_factory=list)
    _seen: set[str] = field(default_factory=set)
    _used: list[str] = field(default_factory=list)
    _hand: int | None = None

    def using(self, form: str) -> None:
        """Take note that the reader uses a form: what it leads to is seen before the host has answered."""
        self._used.append(form)

    def refused(self, form: str) -> None:
        """Take back that a form was used."""
        if form in self._used:
            self._used.remove(form)

    def follow(self, view: View | None, words: Words) -> bool:
        """Take a new view in; tell whether there is something new to say."""
        if view is None:
            return False
        fresh = False
        for keys in self._due(view, words):
            new = [key for key in keys if key not in self._seen]
            if new:
                self._seen.update(new)
                self.pages.append([[key, _cards(words)] for key in new])
                fresh = True
        if fresh and view["phase"] == "playing" and not view.get("result") and prompt_of(view) is not None and hints_of(view):
            self.pages[-1].append(["ui.guide.hint", {"hint": hints_of(view)[0]["text"]}])
        return fresh

    def turn(self) -> list[Said]:
        """Go on to the next page and return it, [] when there is none."""
        page = self.pages.pop(0) if self.pages else []
        self.last = page or self.last
        return page

    def _due(self, view: View, words: Words) -> Sequence[Sequence[str]]:
        """Return the lessons that fit this moment, page by page."""
        result = (view.get("result") or {}).get("hand")
        if self._hand is None:
            self._hand = view["hand"]["number"]
        elif result is not None and result >= self._hand:
            return [[*_known(words, "guide.end"), "ui.guide.end"]]
        if view["phase"] != "playing":
            return []
        begin = _known(words, *(f"guide.begin.{number}" for number in range(1, MOST + 1)))
        after = _known(words, *(f"guide.after.{form}" for form in self._used))
        return [begin, ["ui.guide.begin"], [*after, *_asked(view, words)]]


def _asked(view: View, words: Words) -> list[str]:
    """Return the lessons about what the reader is asked now."""
    prompt = prompt_of(view)
    if prompt is None:
        return []
    hints = hints_of(view)
    meant = [form for form in forms_of(view) if not form.get("blocked") and (not hints or hinted(view, form) is not None)]
    forms = [f"guide.form.{form['type']}" for form in meant]
    return _known(words, f"guide.stage.{prompt['stage']}", *forms)


def _cards(words: Words) -> dict[str, Any]:
    """Return every face of the deck as an argument."""
    named = [f"{suit}{rank}" for suit in words.looks.get("suits", {}) for rank in RANKS]
    return {f"card_{face.lower()}": {"$card": face} for face in (*words.looks.get("faces", {}), *named)}


def _known(words: Words, *keys: str) -> list[str]:
    return [key for key in keys if words.has(key)]
