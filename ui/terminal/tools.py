"""More to do than playing: what a bench or a viewer adds to the client, with a slider along the entries of a match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from .controls import Controls

Tool = tuple[str, str, str]
"""Name (its label is `ui.tool.<name>`), key, and another key for the same; ('' for none)."""


@dataclass(frozen=True)
class Slider:
    """Where one stands in a match of `last` entries; `stops` are the places right after each deal."""

    place: int
    last: int
    stops: Sequence[int] = ()


class Tools(Protocol):
    """Something that adds keys, buttons and a slider to the table."""

    @property
    def tools(self) -> Sequence[Tool]:
        """What can be done, the most needed first. Their keys go before the client's own."""

    @property
    def slider(self) -> Slider | None:
        """Where one stands."""

    def attach(self, controls: Controls) -> None:
        """Take the controls to open boxes with."""

    def do(self, name: str) -> None:
        """Do one of the things."""

    def slide(self, place: int) -> None:
        """Stand after the first `place` entries."""

    def spoke(self) -> None:
        """Be told that the words are in another language now."""
