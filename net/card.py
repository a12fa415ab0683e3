"""A host's card: what it says of itself to whoever asks, by datagram (`bell`) and by mDNS (`discovery`).

Nothing on a card is proved: the key on it is what a connection then has to prove. It says what any stranger may know, so a private
host leaves out its games and chairs.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct

from . import limits
from .errors import BadAddress
from .fields import Epoch, GameName, Proto
from .keys import fingerprint, key_from_text, key_to_text
from .names import shown

GAMES: Final = 12
"""Games that a card names; a host with more leaves out the rest."""
NAME: Final = 40
_TEXT = 255  # bytes of one string of a TXT record, with its name and the =


class Card(Struct, frozen=True, omit_defaults=True):
    """What a host says of itself.

    id: made once per host, so that it is the same host at another address or with another key. run: the epoch of this run.
    private: its tables are for those who know its join code or are on its list. free: chairs that somebody can take.
    """

    id: Annotated[str, Meta(pattern=r"^[0-9a-f-]{4,40}\Z")]
    key: Annotated[bytes, Meta(min_length=32, max_length=32)]
    port: Annotated[int, Meta(ge=1024, le=65_535)]
    run: Epoch
    name: Annotated[str, Meta(max_length=2 * NAME)] = ""
    proto: Proto = limits.PROTO
    games: Annotated[list[GameName], Meta(max_length=GAMES)] = []
    free: Annotated[int, Meta(ge=0, le=limits.TABLES * limits.SEATS)] = 0
    private: bool = False

    @property
    def called(self) -> str:
        """The name, fit to be shown; the short id for a host without one."""
        return host_name(self.name) or self.short

    @property
    def short(self) -> str:
        """The first four digits of the id, by which people tell two hosts of one name apart."""
        return self.id[:4]

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the key."""
        return fingerprint(self.key)

    @property
    def speaks(self) -> bool:
        """Whether this program and the host have a version of the protocol in common."""
        return self.proto[0] <= limits.PROTO[1] and limits.PROTO[0] <= self.proto[1]


def host_name(text: str) -> str:
    """Return a host's name as one line of at most 40 characters without anything that moves, hides or reorders text."""
    return unicodedata.normalize("NFC", shown(text))[:NAME].strip()


def to_txt(card: Card) -> dict[str, str]:
    """Return the strings of a card's TXT record; its port stands in the SRV record."""
    texts = {
        "id": card.id,
        "key": key_to_text(card.key),
        "run": card.run.hex(),
        "name": card.name,
        "proto": f"{card.proto[0]}-{card.proto[1]}",
        "games": ",".join(card.games),
        "free": str(card.free),
        "private": "1" if card.private else "",
    }
    return {name: _cut(text, _TEXT - len(name) - 1) for name, text in texts.items() if text}


def from_txt(texts: Mapping[str, str | None], port: int | None) -> Card | None:
    """Return the card of a TXT record, or None for one that is not a carteado host's."""
    given = {name: text or "" for name, text in texts.items()}
    low, _, high = given.get("proto", "1-1").partition("-")
    try:
        return msgspec.convert(
            {
                "id": given.get("id"),
                "key": key_from_text(given.get("key", "")),
                "port": port,
                "run": bytes.fromhex(given.get("run", "")),
                "name": given.get("name", "")[: 2 * NAME],
                "proto": (int(low), int(high)),
                "games": [name for name in given.get("games", "").split(",") if name][:GAMES],
                "free": int(given.get("free", "0")),
                "private": given.get("private") == "1",
            },
            Card,
            builtin_types=(bytes,),
        )
    except (msgspec.MsgspecError, ValueError, TypeError, BadAddress):
        return None


def _cut(text: str, size: int) -> str:
    return text.encode("utf-8", "replace")[:size].decode("utf-8", "ignore")

