"""How an order to a host is written, and what it is good for."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from .errors import NetError

if TYPE_CHECKING:
    from .orders import Orders

_ANYTHING: Final = ("TEXT", "WHY", "OPTION=VALUE")
"""What may be any number of words, at the end of an order."""


class BadOrder(NetError):
    """Refuse an order in one sentence."""

    wrong_use = True


@dataclass(frozen=True)
class Order:
    """One order: how it is written, what it does, the function that does it, and whether that only looks and changes nothing."""

    usage: str
    help: str
    run: Callable[[Orders, Sequence[str]], Awaitable[Any]]
    looks: bool = False

    def takes(self, words: Sequence[str]) -> bool:
        """Tell whether there is a place for every word: none too many, and in small letters only what is written so."""
        places = [place.strip("[]") for place in self.usage.split()]
        if places and places[-1] in _ANYTHING:
            return True
        return len(words) <= len(places) and all(not place.islower() or word == place for word, place in zip(words, places, strict=False))
