"""One reader's words: sentences with coloured cards, and the names of zones, forms and keys.

The texts come from catalogues (the game's, then the core's, then this client's own); the looks of the cards from the deck. Nothing
here knows a game.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from carteado.core.words import Catalogue, Message, Speech
from carteado.net.language import nearest

from .glyphs import ASCII, SIGNS, UNICODE, Glyphs, fold
from .grid import Line

View = Mapping[str, Any]
Face = str

LANGUAGES = {"en": "English", "pt_PT": "Português (Portugal)", "pt_BR": "Português (Brasil)", "de": "Deutsch"}
"""The languages of this client, each as its speakers call it."""

_CARD = re.compile("\ue000([^\ue001]*)\ue001")
_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]")
_UNSPOKEN = str.maketrans({"⚑": "", "⚙": "", "►": ">"})
"""Signs that a screen reader would read out by their long names, and what stands for them in speech."""
_COLOURS = frozenset({"red", "yellow", "green", "blue", "black", "gray"})


def catalogue(area: str, lang: str) -> Catalogue:
    """Return the texts of an area (`carteado.ui`) in a language, English where the language has none."""
    texts: dict[str, Any] = {}
    for name in dict.fromkeys(("en", lang.split("_")[0], nearest(lang))):
        source = files(area) / "locale" / f"{name}.json"
        if source.is_file():
            texts.update(json.loads(source.read_text(encoding="utf-8")))
    return texts


@cache
def own_catalogue(lang: str) -> Catalogue:
    """Return this client's own texts in a language."""
    return catalogue("carteado.ui", lang)


class _Marked(Speech):
    """A speech whose cards carry marks, so that they can be coloured once the sentence is made."""

    def card(self, face: str) -> str:
        return f"\ue000{face}\ue001"


class Words:
    """What one reader is told, and in which signs."""

    def __init__(
        self,
        catalogues: Sequence[Catalogue],
        looks: Mapping[str, Any] | None = None,
        glyphs: Glyphs = UNICODE,
        plain: bool = False,
    ) -> None:
        """Take the catalogues in order of preference; `plain` also turns accents into ASCII."""
        self.glyphs = glyphs
        self.plain = plain
        self._marked = _Marked(catalogues, (), looks, ascii=glyphs.letters)
        self._signs = Speech(catalogues, (), looks, ascii=glyphs.letters)
        self._spoken = Speech(catalogues, (), looks, spoken=True)
        self.looks: Mapping[str, Any] = looks or {}
        self._tokens: dict[Face, tuple[str, str]] = {}
        self._own: dict[str, str] = {}

    def beside(self, catalogues: Sequence[Catalogue], looks: Mapping[str, Any], lang: str) -> Words:
        """Return words in the same signs for another game: its catalogues, then this client's own."""
        return Words([*catalogues, own_catalogue(lang)], looks, self.glyphs, self.plain)

    def reader(self, view: View) -> None:
        """Take the names and the reader's seat from a view."""
        names = [clean(str(seat["name"])) for seat in view.get("seats", ())]
        for speech in (self._marked, self._signs, self._spoken):
            speech.names = names
            speech.you = view.get("you")

    def has(self, key: str) -> bool:
        """Tell whether a catalogue has this key."""
        return self._signs.has(key)

    def __call__(self, key: str, **args: Any) -> str:
        """Return one of the client's own texts."""
        if args:
            return self.text([key, args])
        known = self._own.get(key)
        if known is None:
            known = self._own[key] = self.text(key)
        return known

    def text(self, message: Message | str) -> str:
        """Return a message as one plain sentence."""
        return self._fold(self._signs.text(message))

    def speak(self, message: Message | str) -> str:
        """Return a message as a sentence with the cards' full names, without signs that are only drawn."""
        return self._fold(self._spoken.text(message).translate(_UNSPOKEN).strip())

    def line(self, message: Message | str, style: str = "") -> Line:
        """Return a message as spans, the cards in their colours."""
        spans: Line = []
        last = 0
        sentence = self._marked.text(message)
        for found in _CARD.finditer(sentence):
            if found.start() > last:
                spans.append((self._fold(sentence[last : found.start()]), style))
            token, colour = self.token(found[1])
            spans.append((token, colour))
            last = found.end()
        if last < len(sentence):
            spans.append((self._fold(sentence[last:]), style))
        return spans

    def token(self, face: Face) -> tuple[str, str]:
        """Return a face as a short text and its style: `('10♣', 'green')`."""
        known = self._tokens.get(face)
        if known is None:
            known = self._tokens[face] = (self._fold(self._signs.card(face)), self.colour(face))
        return known

    def said(self, face: Face) -> str:
        """Return a face's full name."""
        return self._fold(self._spoken.card(face))

    def sign(self, face: Face) -> str:
        """Return the sign of a face without its rank: the suit's, or the whole sign of a special face."""
        look = self.looks.get("faces", {}).get(face) or self.looks.get("suits", {}).get(face[:1])
        return self._fold(str(look["ascii" if self.glyphs.letters else "glyph"])) if look else ""

    def special(self, face: Face) -> bool:
        """Tell whether a face is listed by name instead of being suit and rank."""
        return face in self.looks.get("faces", {})

    def colour(self, face: Face) -> str:
        """Return the style of a face's colour, '' when the deck names none."""
        look = self.looks.get("faces", {}).get(face) or self.looks.get("suits", {}).get(face[:1]) or {}
        colour = look.get("color", "")
        return colour if colour in _COLOURS else ""

    def player(self, seat: int) -> str:
        """Return a player's name, as one line whatever the host has sent."""
        return " ".join(self._fold(self._signs.player(seat)).split("\n"))

    def safe(self, text: str) -> str:
        """Return a text from elsewhere (a name, a rules text), made safe to draw."""
        return self._fold(text)

    def zone(self, view: View, name: str) -> str:
        """Return a zone's caption: the game's label, a catalogue's word for its kind of name, or the name itself."""
        label = (view.get("layout") or {}).get("labels", {}).get(name)
        if label is not None:
            return self.text(label)
        key = f"zone.{name.split('/')[0]}"
        return self(key) if self.has(key) else self._fold(name)

    def level(self, level: str) -> str:
        """Return how well a computer player plays: the game's own word, this client's, or the bare name."""
        for key in (f"level.{level}", f"ui.level.{level}"):
            if self.has(key):
                return self(key)
        return self.safe(level)

    def named(self, view: View, name: str) -> bool:
        """Tell whether a zone has a caption besides its bare name."""
        return name in (view.get("layout") or {}).get("labels", {}) or self.has(f"zone.{name.split('/')[0]}")

    def listed(self, items: Sequence[str]) -> str:
        """Join texts as this language does."""
        return self._signs.listed(items)

    def _fold(self, text: str) -> str:
        text = clean(text)
        if self.glyphs.letters and not text.isascii():
            text = text.translate(SIGNS)
        return fold(text) if self.plain else text


def clean(text: str) -> str:
    """Return a text without control characters, marks that turn its direction, and invisible characters."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE.sub(lambda found: "\n" if found[0] == "\n" else "", text)


def next_language(lang: str) -> str:
    """Return the language after this one."""
    known = list(LANGUAGES)
    return known[(known.index(lang) + 1) % len(known)] if lang in known else known[0]


def words_for(
    catalogues: Sequence[Catalogue], looks: Mapping[str, Any] | None, ascii: bool = False, utf8: bool = True
) -> Words:
    """Return the words for a terminal: letters instead of signs when asked for or when it is not UTF-8."""
    return Words(catalogues, looks, ASCII if ascii or not utf8 else UNICODE, plain=not utf8)
