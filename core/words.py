"""Messages to text: keys and typed arguments in, one sentence in one language out.

A message is `[key, {name: argument}]`. An argument is a number, a string, `{"$player": seat}`, `{"$card": face}`,
`{"$list": [arguments]}`, or another message. A catalogue maps keys to texts with `{name}` places, or to `[one, other]` forms chosen
by the argument `n`; its key `""` holds `{"lang": ..., "plural": rule}`. When the argument `who` is the reader, `key.you` is preferred.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Message = list[Any] | tuple[Any, ...]
Catalogue = Mapping[str, Any]

PLURALS: dict[str, Callable[[int], int]] = {"n != 1": lambda n: int(n != 1), "n > 1": lambda n: int(n > 1)}
_PLACE = re.compile(r"\{([a-z_0-9]+)\}")


def P(seat: int) -> dict[str, Any]:
    """Return a player as a message argument."""
    return {"$player": seat}


def C(face: str) -> dict[str, Any]:
    """Return a card as a message argument."""
    return {"$card": face}


def L(items: Sequence[Any]) -> dict[str, Any]:
    """Return a list (players, cards, messages, numbers) as one message argument."""
    return {"$list": list(items)}


def _parts(message: Message | str) -> tuple[str, Mapping[str, Any]]:
    if isinstance(message, str):
        return message, {}
    if not isinstance(message, (list, tuple)) or not message:
        return str(message), {}
    args = message[1] if len(message) > 1 else {}
    return str(message[0]), args if isinstance(args, Mapping) else {}


class Speech:
    """Turn messages into one reader's sentences.

    catalogues: searched in order (the game's, the core's, the client's own); names: by seat; looks: the deck's (`Deck.looks`);
    you: the reader's seat; ascii: letters instead of suit signs; spoken: full card names instead of signs.
    """

    def __init__(
        self,
        catalogues: Sequence[Catalogue],
        names: Sequence[str] = (),
        looks: Mapping[str, Any] | None = None,
        you: int | None = None,
        ascii: bool = False,
        spoken: bool = False,
    ) -> None:
        self.catalogues = list(catalogues)
        self.names = list(names)
        self.looks: Mapping[str, Any] = looks or {}
        self.you = you
        self.ascii = ascii
        self.spoken = spoken

    def has(self, key: str) -> bool:
        """Tell whether any catalogue has this key."""
        return any(key in catalogue for catalogue in self.catalogues)

    def text(self, message: Message | str) -> str:
        """Return the sentence; an unknown key stands for itself."""
        key, args = _parts(message)
        if self.you is not None and args.get("who") == {"$player": self.you} and self.has(key + ".you"):
            key += ".you"
        template = self._template(key, args)
        return _PLACE.sub(lambda found: self._argument(args[found[1]]) if found[1] in args else found[0], template)

    def _template(self, key: str, args: Mapping[str, Any]) -> str:
        for catalogue in self.catalogues:
            entry = catalogue.get(key)
            if isinstance(entry, str):
                return entry
            if entry and isinstance(entry, (list, tuple)):
                header = catalogue.get("")
                rule = PLURALS.get(header.get("plural", "") if isinstance(header, Mapping) else "", PLURALS["n != 1"])
                count = args.get("n", 1)
                return str(entry[min(rule(count if isinstance(count, int) else 1), len(entry) - 1)])
        return key

    def _argument(self, value: Any) -> str:
        if isinstance(value, dict):
            if "$player" in value:
                return self.player(value["$player"])
            if "$card" in value:
                return self.card(str(value["$card"]))
            if isinstance(value.get("$list"), (list, tuple)):
                return self.listed([self._argument(item) for item in value["$list"]])
        if isinstance(value, (list, tuple)) and value and isinstance(value[0], str):
            return self.text(value)
        return str(value)

    def player(self, seat: Any) -> str:
        """Return a player's name by seat."""
        return self.names[seat] if isinstance(seat, int) and 0 <= seat < len(self.names) else f"#{seat}"

    def listed(self, items: Sequence[str]) -> str:
        """Join texts as this language does: `a, b and c`; cards alone are joined by blanks in the caller's template."""
        if len(items) < 2:
            return "".join(items)
        last = self._template("list.last", {})
        if last == "list.last":
            return ", ".join(items)
        parts = {"rest": ", ".join(items[:-1]), "last": items[-1]}
        return _PLACE.sub(lambda found: parts.get(found[1], found[0]), last)

    def rank(self, face: str) -> str:
        """Return the rank part of a face in this language (`10`, `V`), or '' for a special face."""
        if face in self.looks.get("faces", {}) or not face:
            return ""
        rank = face[1:]
        if rank == "T":
            return "10"
        key = self.looks.get("ranks", {}).get(rank)
        return self._template(key, {}) if key and self.has(key) else rank

    def card(self, face: str) -> str:
        """Return a card as a token (`10♣`, `★`), or as full words when spoken."""
        special = self.looks.get("faces", {}).get(face)
        if special:
            return self.text([special["name"], {}]) if self.spoken else str(special["ascii" if self.ascii else "glyph"])
        suit = self.looks.get("suits", {}).get(face[:1])
        if not suit:
            return face
        if self.spoken:
            rank = self.rank(face)
            name = f"rank.name.{face[1:]}"
            words = self._template(name, {}) if self.has(name) else rank
            return self.text(["card.spoken", {"rank": words, "suit": [suit["name"], {}]}])
        return self.rank(face) + str(suit["ascii" if self.ascii else "glyph"])


def render(
    message: Message | str,
    catalogues: Sequence[Catalogue],
    names: Sequence[str] = (),
    looks: Mapping[str, Any] | None = None,
    you: int | None = None,
) -> str:
    """Return one message as text; see Speech for the arguments."""
    return Speech(catalogues, names, looks, you).text(message)
