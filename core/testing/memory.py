"""What each viewer has seen of the cards: which places hold a card the viewer has had before its eyes, which it cannot know.

The kit swaps hidden cards and demands that a viewer notices nothing. A card that lies hidden now may have been seen before (a trick
turned over, discards shuffled into the stock); swapping it would make a world that the viewer knows to be false. So every card has a label
for each viewer, followed through the committed events: UNKNOWN cards may change places among themselves, SEEN cards stay, and cards that
were seen and then shuffled (labels from 1 on, one for each shuffle) may change places among those of the same label.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..events import Event, project
from ..match import Match
from ..table import Table
from ..zones import SLOTTED, VISIBLE, Viewer

UNKNOWN, SEEN = 0, -1
Labels = dict[str, list[int]]


class Memory:
    """The labels of all cards for all viewers of a match; `follow` it commit by commit."""

    def __init__(self, match: Match) -> None:
        self.viewers: tuple[Viewer, ...] = (*match.table.players, None)
        self.teams = match.teams
        self._kinds: dict[str, str] = {}
        self._faces: dict[str, list[str]] = {}
        self._labels: dict[Viewer, Labels] = {viewer: {} for viewer in self.viewers}
        self._shuffles = 0

    def labels(self) -> dict[Viewer, Labels]:
        """Return a copy of every viewer's labels, by zone, one for each place."""
        return {viewer: {zone: list(marks) for zone, marks in zones.items()} for viewer, zones in self._labels.items()}

    def follow(self, events: Iterable[Event], table: Table) -> None:
        """Follow the events of one commit; `table` is the table after it."""
        touched: set[str] = set()
        for event in events:
            handle = getattr(self, f"_on_{event[0]}", None)
            if handle is not None:
                touched.update(handle(event))
        for zone in touched:
            self._settle(zone, table)

    def _on_deal(self, event: Event) -> Sequence[str]:
        self._faces.clear()
        self._kinds.clear()
        for zones in self._labels.values():
            zones.clear()
        return ()

    def _seen(self, event: Event, viewer: Viewer) -> list[str]:
        """Return the faces that a viewer sees in an event, '?' for those it does not; empty when it sees none."""
        shown = project(event, viewer, self.teams)
        cards = shown.get("mine", shown).get("cards") or shown.get("cards") or []
        return list(cards)

    def _on_create(self, event: Event) -> Sequence[str]:
        name, kind, faces = event[1], event[2], event[5]
        self._kinds[name] = kind
        self._faces[name] = list(faces)
        for zones in self._labels.values():
            zones[name] = [UNKNOWN] * len(faces)
        self._look(event, name, range(len(faces)))
        return (name,)

    def _look(self, event: Event, zone: str, places: Sequence[int]) -> None:
        for viewer, zones in self._labels.items():
            for place, face in zip(places, self._seen(event, viewer), strict=False):
                if face != "?":
                    zones[zone][place] = SEEN

    def _on_drop(self, event: Event) -> Sequence[str]:
        del self._faces[event[1]]
        for zones in self._labels.values():
            del zones[event[1]]
        return ()

    def _on_move(self, event: Event) -> Sequence[str]:
        src, dst, faces, shown, to = event[1:6]
        taken = list(shown) if shown is not None else _taken(self._faces[src], faces)
        leaves, stays = self._kinds[src] in SLOTTED, self._kinds[dst] in SLOTTED
        free = [place for place, face in enumerate(self._faces[dst]) if not face]
        for viewer, zones in self._labels.items():
            seen = self._seen(event, viewer) or ["?"] * len(taken)
            moved = [zones[src][place] if face == "?" else SEEN for place, face in zip(taken, seen, strict=True)]
            _take(zones[src], taken, leaves, UNKNOWN)
            _put(zones[dst], moved, free, to, stays)
        _take(self._faces[src], taken, leaves, "")
        _put(self._faces[dst], list(faces), free, to, stays)
        return src, dst

    def _on_show(self, event: Event) -> Sequence[str]:
        self._look(event, event[1], event[2])
        return (event[1],)

    def _on_see(self, event: Event) -> Sequence[str]:
        self._look(event, event[1], range(len(self._faces[event[1]])))
        return (event[1],)

    def _on_shuffle(self, event: Event) -> Sequence[str]:
        _, zone, faces, _owner, _see = event
        self._shuffles += 1
        for zones in self._labels.values():
            mixed = [self._shuffles if label == SEEN else label for label in zones[zone]]
            zones[zone] = _matched(self._faces[zone], mixed, faces)
        self._faces[zone] = list(faces)
        return (zone,)

    def _settle(self, name: str, table: Table) -> None:
        """Compare the followed zone with the real one, and mark what is in sight."""
        if not table.has(name):
            return
        zone = table.zone(name)
        real = list(zone.cards)
        followed = self._faces[name]
        team = table.team(zone.owner)
        for viewer, zones in self._labels.items():
            if followed != real:
                zones[name] = _matched(followed, zones[name], real)
            if zone.marks is not None:
                zones[name] = [SEEN if zone.sees(place, viewer, team) else label for place, label in enumerate(zones[name])]
            elif zone.level(viewer, team) == VISIBLE:
                zones[name] = [SEEN] * len(real)
        self._faces[name] = real


def _taken(have: Sequence[str], faces: Sequence[str]) -> list[int]:
    """Guess which places cards came from: the top if they lay there, else the first ones with these faces."""
    top = list(range(len(have) - 1, len(have) - 1 - len(faces), -1))
    if len(faces) <= len(have) and [have[place] for place in top] == list(faces):
        return top
    found: list[int] = []
    for face in faces:
        found.append(next(place for place, held in enumerate(have) if held == face and place not in found))
    return found


def _take(items: list[Any], places: Sequence[int], slotted: bool, empty: Any) -> None:
    for place in sorted(places, reverse=True):
        if slotted:
            items[place] = empty
        else:
            del items[place]


def _put(items: list[Any], moved: Sequence[Any], free: Sequence[int], to: int | None, slotted: bool) -> None:
    if slotted:
        for place, item in zip([to] if to is not None else free, moved, strict=False):
            items[place] = item
    else:
        at = len(items) if to is None else to
        items[at:at] = moved


def _matched(old: Sequence[str], labels: Sequence[int], new: Sequence[str]) -> list[int]:
    """Carry labels over to a new order of the same faces; a face that was not there counts as seen."""
    left: dict[str, list[int]] = {}
    for face, label in zip(old, labels, strict=True):
        left.setdefault(face, []).append(label)
    return [left[face].pop() if left.get(face) else SEEN for face in new]
