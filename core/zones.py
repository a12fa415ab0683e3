"""Places for cards, with declared visibility.

A zone says who sees its cards, per viewer group: the owner, the owner's team, the other seats, and watchers. Single cards can lie
face up, face down, or be shown to some seats only. Redaction is done from these declarations alone (see `view`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .cards import Face
from .errors import DesignFault

Seat = int
ZoneName = str
Viewer = int | None
"""A seat, or None for a watcher."""

VISIBLE, LEN, NONEMPTY, HIDDEN = "visible", "len", "nonempty", "hidden"
LEVELS = (VISIBLE, LEN, NONEMPTY, HIDDEN)
KINDS = ("fan", "row", "pile", "grid", "pyramid", "trick", "group")
SLOTTED = frozenset({"grid", "pyramid", "trick"})
"""Kinds whose places stay when their card goes: an empty place holds ''."""


class See(NamedTuple):
    """Who sees the cards of a zone: one level (`visible | len | nonempty | hidden`) per viewer group."""

    owner: str
    team: str
    others: str
    watchers: str


OWNER = See(VISIBLE, LEN, LEN, LEN)
"""The owner sees the cards, everybody else counts them."""
TEAM = See(VISIBLE, VISIBLE, LEN, LEN)
"""The owner and the owner's team see the cards, everybody else counts them."""
OPEN = See(VISIBLE, VISIBLE, VISIBLE, VISIBLE)
"""Everybody sees the cards."""
CLOSED = See(LEN, LEN, LEN, LEN)
"""Everybody counts the cards, nobody sees them."""
SECRET = See(HIDDEN, HIDDEN, HIDDEN, HIDDEN)
"""Nobody knows that the zone is there."""

FOLLOW, UP, DOWN = 0, 1, 2
ELSE_DOWN = -1
Mark = int | tuple[int, ...]
"""A card's own visibility: FOLLOW its zone, face UP, face DOWN, or shown to a tuple of seats (besides who sees the zone).

A tuple that begins with ELSE_DOWN stands for a card that lies face down and was shown to the seats after it alone.
"""


class Zone(NamedTuple):
    """One place for cards; never changed, only replaced. `cards[-1]` is the top; `''` an empty place of a slotted kind."""

    name: ZoneName
    kind: str
    owner: Seat | None
    see: See
    cards: tuple[Face, ...]
    marks: tuple[Mark, ...] | None
    facts: Mapping[str, Any]

    def level(self, viewer: Viewer, team: frozenset[Seat] = frozenset()) -> str:
        """Return what the viewer may know of this zone; `team` holds the owner's partners."""
        return level(self.owner, self.see, viewer, team)

    def sees(self, place: int, viewer: Viewer, team: frozenset[Seat] = frozenset()) -> bool:
        """Tell whether the viewer sees the face of the card at a place."""
        mark = self.marks[place] if self.marks is not None else FOLLOW
        return visible(mark, self.level(viewer, team), viewer)


def level(owner: Seat | None, see: See, viewer: Viewer, team: frozenset[Seat] = frozenset()) -> str:
    """Return the level a viewer has in a zone with this owner and declaration (a See, or the same four levels as a bare tuple)."""
    if viewer is None:
        return see[3]
    if viewer == owner:
        return see[0]
    return see[1] if viewer in team else see[2]


def visible(mark: Mark, level: str, viewer: Viewer) -> bool:
    """Tell whether a card with this mark is seen by a viewer who has this level in its zone."""
    if mark == FOLLOW:
        return level == VISIBLE
    if mark == UP:
        return level != HIDDEN
    if mark == DOWN:
        return False
    if not isinstance(mark, tuple):
        raise DesignFault(f"a card has the mark {mark!r}")
    return (viewer is not None and viewer in mark) or (level == VISIBLE and mark[0] != ELSE_DOWN)


def shown_to(mark: Mark, seats: tuple[Seat, ...] | None) -> Mark:
    """Return the mark of a card that had this mark and is now shown to some seats, or (None) to everybody."""
    if seats is None or mark == UP:
        return UP
    known = mark if isinstance(mark, tuple) else (ELSE_DOWN,) if mark == DOWN else ()
    return tuple(sorted({*known, *seats}))
