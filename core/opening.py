"""What of a match's deals is still closed, and when it is opened: the host's links, and the course each deal took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .course import Course, course_of
from .events import Event
from .fair import is_fair


class Openings:
    """Keep the deals of a match closed until they may be opened: at each hand's end, or (reveal `match`) at the match's."""

    __slots__ = ("_closed", "_dealt", "_reveal")

    def __init__(self, reveal: str) -> None:
        self._reveal = reveal
        self._dealt: tuple[int, str, Course] | None = None
        self._closed: tuple[Event, ...] = ()

    def begin(self, hand: int, sources: Mapping[str, Any]) -> list[Event]:
        """Return what everybody is told at once of where a hand's seed comes from; nothing if that is no affair of theirs."""
        if not is_fair(sources):
            return []
        told = {key: sources[key] for key in ("match", "anchor", "anchors", "links", "missing", "renewed", "plan")}
        return [("links", hand, *told.values())]

    def dealt(self, hand: int, sources: Mapping[str, Any], raw: Sequence[Event]) -> None:
        """Take in how a hand was dealt."""
        self._dealt = (hand, sources["host"], course_of(raw)) if is_fair(sources) else None

    def end(self, words: Mapping[str, int], over: bool) -> list[Event]:
        """Return what is opened when a hand, or the match, is over. words: how many words of each stream the hand has used."""
        if self._dealt is not None:
            hand, link, course = self._dealt
            self._closed += (("opened", hand, link, dict(words), course),)
            self._dealt = None
        if self._reveal == "match" and not over:
            return []
        opened, self._closed = list(self._closed), ()
        return opened

    def copy(self) -> Openings:
        """Return a copy to come back to."""
        other = Openings(self._reveal)
        other._dealt, other._closed = self._dealt, self._closed
        return other
